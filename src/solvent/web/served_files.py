"""What the user gave on the command line: files and folders of instances, and stores, each under a number of its own.

A request never names a path. It names one of the numbers given out here, and nothing else of the machine is opened.
Stores that a page sent are kept in a folder of the server's own, which goes when the server does.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solvent.batch.names import name_of_path
from solvent.batch.sources.folders import Seen, files_below
from solvent.batch.sources.own_files import STORE_BEGINNING, is_ours
from solvent.core.errors import BadOption, show_value

STORE_ENDINGS = (".db", ".sqlite", ".sqlite3")
"""Files of a folder whose names end like this are looked into; a store that is named itself may have any name."""
MAX_FILES = 200_000
"""Of a folder with more, the rest is left out, and the page says so."""
MAX_NAME_BYTES = 200
MAX_SENT = 8
"""Stores that pages sent and that are kept; the oldest goes first."""
ID_DIGITS = 16
PATIENCE = 0.5
"""Seconds that the first page waits to know whether there is anything in a folder."""


@dataclass(frozen=True, slots=True)
class ServedFile:
    """Hold one file that may be opened."""

    id: str
    path: Path
    """Below what was given; it may be a link by now, so it is opened with care."""
    name: str
    """What people see: the path below what was given."""
    bytes: int
    changed: float
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Hold what there was when the folders were last looked through."""

    files: dict[str, ServedFile] = field(default_factory=dict)
    stores: dict[str, ServedFile] = field(default_factory=dict)
    """Both by id, in order."""
    troubles: tuple[str, ...] = ()
    """Folders that could not be looked into."""
    cut: bool = False
    """Whether there are more files than are listed."""


class ServedFiles:
    """Hold what was given, and what is there now."""

    def __init__(self, given: Sequence[Path]) -> None:
        self.given = tuple(Path(path).resolve() for path in given)
        self._sent: list[Path] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._found: Listing | None = None
        self._looking = threading.Lock()

    async def find(self, *, again: bool = False) -> Listing:
        """Return what there is, looking if that was not done yet or is to be done again; never in the event loop."""
        known = self._found
        if known is not None and not again:
            return known
        return await asyncio.to_thread(self._look, known)

    async def has(self) -> tuple[bool, bool]:
        """Return whether there are files, and whether there are stores; both if that takes too long to find out."""
        if not self.given:
            return False, False
        looking = asyncio.ensure_future(self.find())
        done, _ = await asyncio.wait({looking}, timeout=PATIENCE)
        if not done:
            return True, True
        found = looking.result()
        return bool(found.files), bool(found.stores)

    def take_store(self, name: str, data: bytes) -> str:
        """Keep a store that was sent, beside a few others; return its id, or raise BadOption if it is none."""
        if not data.startswith(STORE_BEGINNING):
            raise BadOption("expected a store of results, as `solvent validate` keeps them, found something else")
        if not name.isprintable() or len(os.fsencode(name)) > MAX_NAME_BYTES:
            raise BadOption(f"expected a file name of at most {MAX_NAME_BYTES} bytes, found {show_value(name)}")
        with self._looking:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="solvent-stores-")
            place = Path(tempfile.mkdtemp(dir=self._folder.name)).resolve()
            path = place / (os.path.basename(name).strip(". ") or "results.db")
            path.write_bytes(data)
            self._sent.append(path)
            while len(self._sent) > MAX_SENT:
                oldest = self._sent.pop(0)
                self.given = tuple(each for each in self.given if each != oldest)
                shutil.rmtree(oldest.parent, ignore_errors=True)
            self.given = (*self.given, path)
            self._found = list_files(self.given)
            return next(store.id for store in self._found.stores.values() if store.path == path)

    def close(self) -> None:
        """Remove what was sent."""
        if self._folder is not None:
            self._folder.cleanup()

    def _look(self, known: Listing | None) -> Listing:
        with self._looking:
            if self._found is None or self._found is known:  # else another request looked while this one waited
                self._found = list_files(self.given)
            return self._found


def list_files(given: Sequence[Path]) -> Listing:
    """List everything that was given."""
    files: dict[str, ServedFile] = {}
    stores: dict[str, ServedFile] = {}
    troubles: list[str] = []
    cut = False
    seen = Seen(keeps_files=len(given) > 1)
    for root in given:
        for file in _below(root, seen, troubles, several=len(given) > 1):
            if is_store(file.path, named=file.path == root):
                stores[file.id] = file
            elif len(files) >= MAX_FILES:
                cut = True
                break
            elif file.path == root or not is_ours(str(file.path)):
                files[file.id] = file
    return Listing(files, stores, tuple(troubles), cut)


def is_store(path: Path, *, named: bool) -> bool:
    """Return whether a file is a database, by what it holds; opening it says whether it is one of results."""
    if not named and not path.name.lower().endswith(STORE_ENDINGS):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(STORE_BEGINNING)) == STORE_BEGINNING
    except OSError:
        return False


def _below(root: Path, seen: Seen, troubles: list[str], *, several: bool) -> Iterator[ServedFile]:
    if not root.is_dir():
        if seen.take_named(str(root)):
            with contextlib.suppress(OSError):
                yield _served_file(root, root.name)
        return
    for found in files_below(str(root), seen, within=str(root)):
        relative = os.path.relpath(found.path, root)
        name = f"{root.name}/{relative}" if several else relative
        if found.problem is not None:
            troubles.append(f"{name_of_path(name if relative != '.' else root.name)}: {found.problem}")
            continue
        with contextlib.suppress(OSError, RuntimeError):  # gone again, or a link to itself
            yield _served_file(Path(found.path), name)


def _served_file(path: Path, name: str) -> ServedFile:
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise OSError("not a file")
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()  # the same whatever else is served
    return ServedFile(digest[:ID_DIGITS], path, name_of_path(name), about.st_size, about.st_mtime)
