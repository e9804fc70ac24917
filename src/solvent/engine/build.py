"""Know how the kernels run here: compiled from the sources beside them, or as plain Python.

Imported by `solvent` before anything else, so it must stay light.

- In an installed package, compiled kernels belong to the sources they came with.
- In a source tree they may be left over from before an edit. Whatever compiles them writes a stamp, a hash of every
  kernel source; `prepare` compares it and says what to type, so that stale machine code never runs.
- Where nothing was compiled, the same files run as Python. They import `cython`, for which `plain_cython` stands in.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUIET = "SOLVENT_QUIET_UNCOMPILED"
"""Set once a person was told that nothing is compiled, so that the processes this one starts do not say it again."""
STAMP = os.path.join(PACKAGE, "engine", "kernels.stamp")
"""Written by the build in a source tree: a line for each kernel source, its hash, size, time and path."""


def is_compiled() -> bool:
    """Tell whether the kernels are machine code; all of them are, or none."""
    first = os.path.join(PACKAGE, "engine", "heap_kernel")
    return any(os.path.exists(first + suffix) for suffix in EXTENSION_SUFFIXES)


def kernel_sources() -> list[str]:
    """Return what kernels are compiled from, relative to the package, in order."""
    found = []
    for folder, _, names in os.walk(PACKAGE):
        found += [os.path.join(folder, name) for name in names if name.endswith(("_kernel.py", ".pxd"))]
    return sorted(os.path.relpath(path, PACKAGE) for path in found)


def source_hash(path: str) -> str:
    """Return the hash of a source, given relative to the package."""
    import hashlib

    with open(os.path.join(PACKAGE, path), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def stamp_text() -> str:
    """Return the stamp of the sources as they are now. Take it before compiling: a source may be edited meanwhile."""
    lines = []
    for path in kernel_sources():
        about = os.stat(os.path.join(PACKAGE, path))
        lines.append(f"{source_hash(path)} {about.st_size} {about.st_mtime_ns} {path}\n")
    return "".join(lines)


def write_stamp(text: str) -> None:
    """Note that the compiled kernels match the sources of a stamp."""
    with open(STAMP, "w", encoding="utf-8") as file:
        file.write(text)


def changed_sources() -> list[str]:
    """Return the sources that were edited or removed since the kernels were compiled; all, if there is no stamp.

    A file with its old size and time is taken as it was; only the others are read. A new source needs no notice: it has
    no machine code, so it runs as Python.
    """
    try:
        with open(STAMP, encoding="utf-8") as file:
            known = {path: (digest, size, time) for digest, size, time, path in (line.split() for line in file)}
    except OSError:
        known = {}
    changed = []
    for path, (digest, size, time) in known.items():
        try:
            about = os.stat(os.path.join(PACKAGE, path))
        except OSError:
            changed.append(path)
            continue
        if (str(about.st_size), str(about.st_mtime_ns)) != (size, time) and source_hash(path) != digest:
            changed.append(path)
    return changed if known else kernel_sources()


def prepare() -> None:
    """Make kernels importable; raises ImportError, saying what to type, if machine code is older than its source."""
    if not is_compiled():
        from solvent.engine import plain_cython

        sys.modules.setdefault("cython", plain_cython)
        if QUIET not in os.environ:
            os.environ[QUIET] = "1"
            sys.stderr.write(
                "solvent: the kernels are not compiled here; answers are the same but take much longer. "
                "Reinstalling with a C compiler on the PATH compiles them.\n"
            )
    elif os.path.exists(os.path.join(PACKAGE, os.pardir, os.pardir, "building", "compiler.py")):
        changed = changed_sources()
        if changed:
            raise ImportError(
                f"{changed[0]} has changed since Solvent's kernels were compiled; "
                "type `make kernels`, or `pip install -e .`, to compile them again"
            )
