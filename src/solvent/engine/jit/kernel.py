"""The `kernel` decorator: numba with a cache that is never stale and never in the way.

Numba's own cache looks only at the file a kernel stands in, so editing a helper in another file would leave its callers
stale; and it writes beside the source, which fails in a read-only install. So, before numba is imported, the cache is
sent to a writable folder named after a hash of every kernel source in the package. A NUMBA_CACHE_DIR that the user has
set is respected.

Kernels keep their state in arrays and do a bounded amount of work per call; see `solvent.engine.driver`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from solvent.engine.compiling import announce

Function = TypeVar("Function", bound=Callable[..., Any])

DAYS_A_CACHE_IS_KEPT = 30


def kernel_fingerprint() -> str:
    """Return a hash of every file in the package that holds kernels or what they are made of."""
    package = Path(__file__).resolve().parent.parent.parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if b"@kernel" in source:
            digest.update(str(path.relative_to(package)).encode() + b"\0" + source)
    return digest.hexdigest()[:16]


def _candidate_folders() -> list[Path]:
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folders = [Path(home) / "solvent"] if home and os.path.isabs(home) else []
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [*folders, Path(tempfile.gettempdir()) / f"solvent-{user}"]


def _prepare_cache() -> None:
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    # Numba does not notice that kernels in its cache were compiled without the bounds checks now asked for.
    kind = "checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else "kernels"
    for folder in _candidate_folders():
        cache = folder / f"{kind}-{kernel_fingerprint()}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(folder):
                continue
            cache.mkdir(exist_ok=True)
            with tempfile.TemporaryFile(dir=cache):
                pass
            os.utime(cache)
        except OSError:
            continue
        os.environ["NUMBA_CACHE_DIR"] = str(cache)
        _drop_old_caches(folder, keep=cache)
        return


def _is_ours(folder: Path) -> bool:
    """Tell whether only this user can write there: what is in the cache gets executed."""
    if not hasattr(os, "getuid"):
        return True
    about = folder.stat()
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def _drop_old_caches(folder: Path, *, keep: Path) -> None:
    """Remove the caches of versions nobody has run for a while."""
    oldest = time.time() - DAYS_A_CACHE_IS_KEPT * 86_400
    for cache in [*folder.glob("kernels-*"), *folder.glob("checked-*")]:
        try:
            if cache != keep and cache.stat().st_mtime < oldest:
                shutil.rmtree(cache, ignore_errors=True)
        except OSError:
            continue


_prepare_cache()

import numba  # noqa: E402  (the cache folder must be chosen first)
from numba.core import event as numba_event  # noqa: E402


class _CompileListener(numba_event.Listener):  # type: ignore[misc]  # numba ships no types
    def on_start(self, event: Any) -> None:
        announce(event.data["dispatcher"].py_func.__name__.strip("_").replace("_", " "))

    def on_end(self, event: Any) -> None:
        pass


numba_event.register("numba:compile", _CompileListener())

COMPILES: bool = not numba.config.DISABLE_JIT
"""False when NUMBA_DISABLE_JIT is set and kernels run as plain Python."""


def kernel(function: Function) -> Function:
    """Compile a function to machine code on its first call; it releases the GIL and is cached on disk."""
    compiled: Function = numba.njit(cache=True, nogil=True)(function)
    return compiled


def kernel_part(function: Function) -> Function:
    """Compile a function into each kernel that calls it.

    A call between kernels passes every array in seven pieces; for small functions with many arrays that costs more than
    their work. Use it for those only: each caller gets its own copy to compile.
    """
    compiled: Function = numba.njit(cache=True, nogil=True, inline="always")(function)
    return compiled
