"""Have Cython translate again what is not as it was, however old the file says it is."""

from __future__ import annotations

import os
from pathlib import Path


def touch_changed(stamp: str, translated: Path, package: Path) -> None:
    """Give sources a new time that differ from those translated last.

    Cython goes by times alone. A file that was put back from a copy, or edited while it was being translated, may be
    older than C code that was made from something else. `stamp` is that of the sources now, `translated` the file with
    the one of last time.
    """
    if not translated.exists():
        return
    known = set(map(_identity, translated.read_text(encoding="utf-8").splitlines()))
    for digest, path in map(_identity, stamp.splitlines()):
        source = package / path
        if (digest, path) not in known and source.stat().st_mtime_ns <= translated.stat().st_mtime_ns:
            os.utime(source)


def _identity(line: str) -> tuple[str, str]:
    """Return the hash and the path of a line, without size and time."""
    digest, _, _, path = line.split()
    return digest, path
