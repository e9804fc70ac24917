"""Say on which machine, with which versions and on which commit something was measured."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("solvent", "numpy", "python-sat")


def describe_machine() -> dict[str, Any]:
    """Return processor, cores, system, versions and the load at this moment."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": current_load(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: _package_version(name) for name in PACKAGES},
    }


def current_load() -> float | None:
    """Return how many processes wanted the processor during the last minute, or None where nobody counts."""
    try:
        return round(os.getloadavg()[0], 2)
    except (OSError, AttributeError):
        return None


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Hold when measuring began, and how busy the machine was then."""

    began: float = field(default_factory=time.perf_counter)
    load: float | None = field(default_factory=current_load)

    def as_json(self) -> dict[str, Any]:
        """Return the load then, and the seconds since."""
        return {"load_at_start": self.load, "seconds_in_all": round(time.perf_counter() - self.began, 1)}


def describe_commit() -> dict[str, Any]:
    """Return the commit of the project and whether files differ from it; None where that cannot be told."""
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain") if commit else None
    return {"commit": commit, "changed_since": None if changes is None else bool(changes)}


def timestamp() -> str:
    """Return the time now, fit for a file name."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine()


def _package_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
