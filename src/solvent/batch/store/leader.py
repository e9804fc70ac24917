"""Tell whether the process that leads a run is still there, so that no other takes over its run."""

from __future__ import annotations

import hashlib
import os
import platform
from pathlib import Path


def this_process() -> str:
    """Return what this process is known by in a store. The name of the machine is hashed: stores are shared."""
    return f"{_machine()} {os.getpid()} {_started(os.getpid())}"


def is_at_work(leader: str) -> bool:
    """Tell whether another process leads the run; False where that cannot be told, or for this process itself."""
    machine, _, rest = leader.partition(" ")
    number, _, started = rest.partition(" ")
    if machine != _machine() or not number.isdigit() or int(number) == os.getpid() or os.name != "posix":
        return False
    try:
        os.kill(int(number), 0)  # only asks
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is there, and another user's
    return _started(int(number)) == started  # numbers of processes are used again


def _machine() -> str:
    return hashlib.sha256(platform.node().encode(errors="replace")).hexdigest()[:12]


def _started(process: int) -> str:
    """Return when a process began, in a unit of its own; empty where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return ""
    fields = status.rpartition(b")")[2].split()  # the name before it may hold blanks
    if fields[0] in (b"Z", b"X"):
        return "ended"
    return fields[19].decode()
