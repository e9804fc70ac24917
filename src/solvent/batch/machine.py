"""Say on which machine something was solved."""

from __future__ import annotations

import functools
import os
import platform
from pathlib import Path


@functools.cache
def describe_machine() -> str:
    """Return processor, cores, system and Python in one line; no name and no address, so that stores can be shared."""
    system = f"{platform.system()} {platform.machine()}"
    return f"{_processor()}, {usable_cores()} cores, {system}, Python {platform.python_version()}"


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or "unknown processor"
