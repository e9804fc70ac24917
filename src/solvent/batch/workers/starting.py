"""Start other Pythons: a worker, or the fork server, which the command starts before it imports anything else itself.

Imports little, so that both come up at the same time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
PRELOADED = ("solvent.batch.workers.preloaded",)
"""What a fork server imports for its workers, if nothing else is said."""
SECONDS_TO_LEAVE = 0.1
"""How long a process that was told to end may take before it is ended."""

_ONE_THREAD_EACH = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""There is a worker for each core to use; their libraries must not add threads of their own."""

ForkServerProcess = tuple[socket.socket, "subprocess.Popen[bytes]"]
"""The leader's end of a fork server's socket, and the process."""

_ahead: list[ForkServerProcess] = []
"""The fork server that was started before there was a pool to use it, until one does."""


def start_fork_server_ahead() -> None:
    """Start what the next pool will fork its workers from, where the system can fork; `end_fork_server_ahead` ends it.

    Where it cannot be started nothing happens: the pool will try again, and say why it cannot.
    """
    if CAN_FORK and not _ahead:
        with contextlib.suppress(OSError):
            _ahead.append(start_fork_server(PRELOADED))


def end_fork_server_ahead() -> None:
    """End it if no pool has taken it."""
    while _ahead:
        control, process = _ahead.pop()
        control.close()
        process.kill()  # it has no workers yet, and may still be importing
        process.wait()


def take_fork_server(preload: Sequence[str]) -> ForkServerProcess:
    """Return the one that was started ahead if it imports just this and still runs, or start one."""
    if tuple(preload) == PRELOADED:
        with contextlib.suppress(IndexError):
            control, process = _ahead.pop()
            if process.poll() is None:
                return control, process
            control.close()
    return start_fork_server(preload)


def start_fork_server(preload: Sequence[str]) -> ForkServerProcess:
    """Start a process that imports these modules, and then forks workers when asked; see `fork_server`."""
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    given = f"{theirs.fileno()}, {os.getpid()}, {tuple(preload)!r}"
    call = f"from solvent.batch.workers.fork_server import main; main({given})"
    try:
        with theirs, without_interruptions():
            return control, start_python(call, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),))
    except BaseException:
        control.close()
        raise


def start_python(call: str, **how: Any) -> subprocess.Popen[bytes]:
    """Start a Python that can import what this one can, and have it make one call."""
    paths = [path or os.getcwd() for path in sys.path if isinstance(path, str)]
    code = f"import sys; sys.path[:] = {paths!r}; {call}"
    environment = {**dict.fromkeys(_ONE_THREAD_EACH, "1"), **os.environ}
    return subprocess.Popen([_executable(), "-c", code], env=environment, **{"stdout": _standard_error(), **how})


def _executable() -> str:
    """Return which Python to start: multiprocessing knows it where Python is embedded, or was told."""
    if sys.platform == "win32" or "multiprocessing.spawn" in sys.modules or not sys.executable:
        from multiprocessing.spawn import get_executable

        return os.fsdecode(get_executable())
    return sys.executable  # which is what it would say, and importing it takes longer than starting a process


def _standard_error() -> int:
    """Return where workers may print: standard output is for answers alone."""
    try:
        os.fstat(2)
        return 2
    except OSError:  # a program without any
        return subprocess.DEVNULL


@contextlib.contextmanager
def without_interruptions() -> Iterator[None]:
    """Start a process deaf to Ctrl-C, so that it can decide for itself before the first one reaches it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wait_for_exit(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was told to end; end it if it does not."""
    try:
        process.wait(SECONDS_TO_LEAVE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
