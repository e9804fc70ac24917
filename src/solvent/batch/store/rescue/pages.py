"""Read the rows of a damaged SQLite file page by page, whatever became of the pages that lead to them.

SQLite finds a row through a tree of pages; a flipped byte high in the tree hides everything below. Here each page is
looked at by itself, as the description of the file format has it (https://www.sqlite.org/fileformat2.html), with the
pages of the write-ahead log in place of those they replace. What is read may be wrong, and is for others to verify.
"""

from __future__ import annotations

import contextlib
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from solvent.batch.store.log import LogHeaderDamaged, count_committed, read_log, read_log_pages

PAGE_BYTES = 4096
"""What our stores have, unless they say otherwise."""
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_HEADER_BYTES = 100
_PAGE_SIZE_AT = 16
_FREE_PAGES_AT = 32
_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_PAGES_TO_GUESS_FROM = 100
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""By the type of a value, how many bytes it has."""


class FoundRow(NamedTuple):
    """Hold a row of a table or an index."""

    rowid: int | None
    """The number of a row; None in an index, and in a table without such numbers."""
    values: tuple[Any, ...] | None
    """None if it cannot be read."""


class Pages:
    """Hold the pages of a file open; a context manager. Nothing is written, and no lock is taken."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = contextlib.ExitStack()
        self._newer: dict[int, bytes] = {}
        """Pages that the log has a newer version of."""
        self._loose: list[bytes] = []
        """Pages of the log that replace none: they are damaged, or it is not certain that they were committed."""

    def __enter__(self) -> Pages:
        file = self._stack.enter_context(self._path.open("rb"))
        self._file: mmap.mmap | bytes = b""
        if self._path.stat().st_size:
            self._file = self._stack.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        self._size = self._guess_page_size()
        self._read_log()
        self._count = max(len(self._file) // self._size, *self._newer, 0)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return self._count + len(self._loose)

    @property
    def version(self) -> int:
        """Return the version of the store that the header names, right or wrong."""
        return int.from_bytes(self._page(1)[60:64], "big")

    def rows(self) -> Iterator[list[FoundRow]]:
        """Yield the rows of tables and indexes, page after page."""
        free = self._free_pages()
        for number in range(1, self._count + 1):
            page = b"" if number in free else self._page(number)
            yield self._rows_of(page, _HEADER_BYTES if number == 1 else 0)
        for page in self._loose:
            yield self._rows_of(page, 0)

    def _page(self, number: int) -> bytes:
        if number in self._newer:
            return self._newer[number]
        return self._file[(number - 1) * self._size : number * self._size]

    def _guess_page_size(self) -> int:
        """Return the size that the header names, or the usual one if more pages then begin as pages do."""
        (named,) = struct.unpack(">H", self._file[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2].rjust(2, b"\0"))
        named = 65536 if named == 1 else named

        def count_pages(size: int) -> int:
            starts = range(size, min(len(self._file), size * _PAGES_TO_GUESS_FROM), size)
            kinds = (_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF)
            return sum(self._file[start] in kinds for start in starts)

        return named if named in _PAGE_SIZES and count_pages(named) >= count_pages(PAGE_BYTES) else PAGE_BYTES

    def _read_log(self) -> None:
        """Take in what transactions left in the log; one that was committed replaces pages."""
        pending: dict[int, bytes] = {}
        committed = count_committed(self._path)
        try:
            for frame in read_log(self._path):
                if frame.is_whole and len(frame.data) == self._size:
                    pending[frame.page] = frame.data
                elif frame.is_current or frame.number <= committed:
                    self._loose.append(frame.data)
                if frame.number == committed or (frame.is_whole and frame.ends_transaction):
                    self._newer.update(pending)
                    pending = {}
        except LogHeaderDamaged:
            self._loose += read_log_pages(self._path, self._size)
        self._loose += pending.values()

    def _free_pages(self) -> set[int]:
        """Return the pages that hold nothing any more, as the header lists them; none if that list is damaged."""
        free: set[int] = set()
        following, total = struct.unpack(">II", self._page(1)[_FREE_PAGES_AT : _FREE_PAGES_AT + 8].rjust(8, b"\0"))
        while following and len(free) < total:
            trunk = self._page(following)
            if len(trunk) < self._size or following in free:
                return set()
            free.add(following)
            following, leaves = struct.unpack(">II", trunk[:8])
            if leaves > self._size // 4 - 2:
                return set()
            free.update(struct.unpack(f">{leaves}I", trunk[8 : 8 + 4 * leaves]))
        return free if len(free) == total and not following else set()

    def _rows_of(self, page: bytes, start: int) -> list[FoundRow]:
        """Return the rows of one page; none if it is a page of another kind."""
        if len(page) < self._size or page[start] not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INTERIOR):
            return []
        kind = page[start]
        (cells,) = struct.unpack(">H", page[start + 3 : start + 5])
        first = start + (12 if kind == _INDEX_INTERIOR else 8)
        found = []
        for place in range(first, min(first + 2 * cells, self._size - 1), 2):
            (offset,) = struct.unpack(">H", page[place : place + 2])
            try:
                found.append(self._row_at(page, kind, offset + (4 if kind == _INDEX_INTERIOR else 0)))
            except (IndexError, struct.error):  # it points beyond the page
                continue
        return found

    def _row_at(self, page: bytes, kind: int, place: int) -> FoundRow:
        size, place = _varint(page, place)
        rowid = None
        if kind == _TABLE_LEAF:
            rowid, place = _varint(page, place)
        try:
            return FoundRow(rowid, _values(self._payload(page, kind, place, size)))
        except (IndexError, ValueError, struct.error):
            return FoundRow(rowid, None)

    def _payload(self, page: bytes, kind: int, place: int, size: int) -> bytes:
        """Return what a cell holds, which goes on in other pages if it is too large for one."""
        if size > len(self._file) + self._size * len(self._newer):
            raise ValueError("it is larger than the file")
        most = self._size - 35 if kind == _TABLE_LEAF else (self._size - 12) * 64 // 255 - 23
        if size <= most:
            return page[place : place + size]
        least = (self._size - 12) * 32 // 255 - 23
        here = least + (size - least) % (self._size - 4)
        here = least if here > most else here
        parts = [page[place : place + here]]
        (following,) = struct.unpack(">I", page[place + here : place + here + 4])
        left = size - here
        while left > 0:
            if not 1 < following <= self._count:
                raise ValueError("it goes on in a page that is not there")
            more = self._page(following)
            (following,) = struct.unpack(">I", more[:4])
            parts.append(more[4 : 4 + left])
            left -= self._size - 4
        return b"".join(parts)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and where the next begins."""
    value = 0
    for number in range(8):
        byte = data[place + number]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + number + 1
    return value << 8 | data[place + 8], place + 9


def _values(record: bytes) -> tuple[Any, ...]:
    """Read a row; raises ValueError, or IndexError, if it is none."""
    header, place = _varint(record, 0)
    kinds = []
    while place < header:
        kind, place = _varint(record, place)
        kinds.append(kind)
    values: list[Any] = []
    place = header
    for kind in kinds:
        if kind in (10, 11):
            raise ValueError("a value of a kind that there is not")
        length = (kind - 12) // 2 if kind >= 12 else 8 if kind == 7 else _INTEGER_BYTES.get(kind, 0)
        data = record[place : place + length]
        if len(data) < length:
            raise ValueError("it ends early")
        values.append(_value(kind, data))
        place += length
    if place != len(record):
        raise ValueError("something stands behind its end")
    return tuple(values)


def _value(kind: int, data: bytes) -> Any:
    if kind >= 12:
        return data if kind % 2 == 0 else data.decode("utf-8")
    if kind == 7:
        return struct.unpack(">d", data)[0]
    if kind == 0:
        return None
    return kind - 8 if kind in (8, 9) else int.from_bytes(data, "big", signed=True)
