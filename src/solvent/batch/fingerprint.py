"""Which solver gave an answer: the version, and a hash of the code that the answer came from.

Two builds of the same version may differ during development; an answer of one must not pass for an answer
of the other, neither in a store nor on a cluster.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
from pathlib import Path

from solvent.registry import ENTRY_POINT_GROUP, module_of_domain
from solvent.version import __version__

SHARED = ("core", "drawing/phrases.py", "engine", "formats", "proof", "asking.py", "reading.py")
"""What every domain's answers rest on, within the package."""


@functools.cache
def solver_version(domain: str) -> str:
    """Return the version with a hash of everything that decides what a domain answers, such as `0.1.0+3f2a9c1b`."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for part in (package / name for name in SHARED):
        _add(digest, part, package)
    home = _home(domain)
    _add(digest, home, home.parent)
    for module in _plugins():
        _add(digest, module, module.parent)
    return f"{__version__}+{digest.hexdigest()[:8]}"


def _home(domain: str) -> Path:
    """Return the folder or file of the code of a domain, which need not be part of this package."""
    module = importlib.import_module(module_of_domain(domain))
    path = Path(module.__file__ or __file__).resolve()
    # A domain is a folder, or a single file where it has no package around it.
    return path.parent if (path.parent / "__init__.py").exists() else path


def _plugins() -> list[Path]:
    """Return the code of everything else that installed packages add, such as solvers of one's own."""
    from importlib import metadata, util

    found = set()
    installed = metadata.entry_points()
    for group in installed.groups:
        if not group.startswith("solvent.") or group == ENTRY_POINT_GROUP:
            continue
        for point in installed.select(group=group):
            with contextlib.suppress(Exception):  # one that cannot be found cannot have given an answer
                spec = util.find_spec(point.module)
                if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
                    found.add(Path(spec.origin).resolve())
    return sorted(found)


def _add(digest: hashlib._Hash, part: Path, root: Path) -> None:
    files = sorted(part.rglob("*.py")) if part.is_dir() else [part]
    for file in files:
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
