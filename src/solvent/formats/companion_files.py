"""Files that another file names, or that lie beside it: found and read with bounds, and only where that is allowed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.core.file_access import may_open

LARGEST_BYTES = 16 << 20
MAX_ENTRIES_LOOKED_AT = 2_000
"""How much of a folder is looked through."""

Where = Mapping[str, Any]
"""Where something stands in a file: the keyword arguments of ParseError."""
NOWHERE: Where = {}


class Companion(Struct, frozen=True):
    """Describe a kind of file that another one names."""

    what: str
    """What it is, for messages: "tileset"."""
    endings: tuple[str, ...]
    largest_bytes: int = LARGEST_BYTES
    in_folder_only: bool = False
    """Whether it must lie in the folder of the file that names it, or below."""

    def find(self, path: Path | None, relative: str, where: Where) -> Path:
        """Return the path of a regular file, or raise ParseError; `path` is the file that names it as `relative`."""
        what = self.what
        if path is None:
            raise ParseError(f"a file on disk, since its {what} is in another", relative, **where)
        require_relative(relative, what, where)
        if PurePosixPath(relative).suffix.lower() not in self.endings:
            raise ParseError(f"a {what} in a file that ends in {' or '.join(self.endings)}", relative, **where)
        beside = path.parent / relative.replace("\\", "/")
        try:
            if self.in_folder_only:
                beside = beside.resolve()
                if not beside.is_relative_to(path.parent.resolve()):
                    raise ParseError(f"a {what} in the folder of the file or below it", relative, **where)
            if not may_open(beside):
                raise ParseError(f"a {what} among the files that may be opened here", relative, **where)
            if not beside.is_file():
                raise ParseError(f"the {what} beside the file, but there is no such file", relative, **where)
        except (OSError, RuntimeError) as error:
            raise ParseError(f"the {what} beside the file ({error})", relative, **where) from None
        return beside

    def read(self, path: Path | None, relative: str, where: Where) -> str:
        """Read a text file of bounded size, or raise ParseError."""
        found = self.find(path, relative, where)
        return decode(read_bytes(found, self.what, relative, where, self.largest_bytes), self.what, relative, where)


def require_relative(name: str, what: str, where: Where) -> None:
    """Raise ParseError for a path that does not begin at the file that names it, on any system."""
    if PurePosixPath(name.replace("\\", "/")).is_absolute() or PureWindowsPath(name).anchor or "\0" in name:
        raise ParseError(f"a path of the {what} relative to the file", name, **where)


def is_there(path: Path) -> bool:
    """Tell whether there is such a file, and it may be opened."""
    try:
        return may_open(path) and path.is_file()
    except (OSError, ValueError):  # a name that is too long or has a zero byte, a folder that cannot be entered
        return False


def files_with_ending(folder: Path, *endings: str) -> list[Path]:
    """Return the files of a folder that have one of the endings and may be opened, by name; [] if it cannot be read."""
    try:
        if not may_open(folder):
            return []
        with os.scandir(folder) as entries:
            names = [entry.name for _, entry in zip(range(MAX_ENTRIES_LOOKED_AT), entries, strict=False)]
    except (OSError, ValueError):
        return []
    wanted = (folder / name for name in sorted(names) if name.lower().endswith(endings))
    return [path for path in wanted if is_there(path)]


def read_bytes(path: Path, what: str, name: str, where: Where = NOWHERE, largest_bytes: int = LARGEST_BYTES) -> bytes:
    """Read a file up to a fixed size, or raise ParseError, which calls it by `name`."""
    try:
        with path.open("rb") as file:
            data = file.read(largest_bytes + 1)
    except (OSError, ValueError) as error:  # a value: a path with a zero byte in it
        raise ParseError(
            f"a {what} that can be read ({getattr(error, 'strerror', None) or error})", name, **where
        ) from None
    if len(data) > largest_bytes:
        raise ParseError(f"a {what} of at most {largest_bytes >> 20} MB", name, **where)
    return data


def decode(data: bytes, what: str, name: str, where: Where = NOWHERE) -> str:
    """Return the text that a file holds, or raise ParseError, which calls it by `name`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError(f"a {what} in UTF-8", name, **where) from None


def read_text(path: Path, what: str) -> str:
    """Read a text file of bounded size that lies beside another, or raise ParseError."""
    return decode(read_bytes(path, what, path.name), what, path.name)
