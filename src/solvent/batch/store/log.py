"""Look at the write-ahead log that SQLite keeps beside a store, before SQLite does.

A process that is killed leaves its last commits in the log. Each frame there has a checksum, and SQLite takes the first
that does not fit for the end: one flipped byte and all commits behind it are gone, without a word. So what is behind
such a frame is looked at here. A commit of the same log there is one that would be lost.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

SUFFIX = "-wal"
"""How the name of a store goes on in that of its log."""
_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_MAGIC = 0x377F0682
"""With the last bit set, checksums are over numbers whose highest byte comes first."""
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_LOOKS = 3
_SECONDS_BETWEEN_LOOKS = 0.05
"""Another process may be writing: only what stands there still a moment later is damage."""
_MASK = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Frame:
    """Hold one frame of a log: a page as a transaction left it."""

    number: int
    """From 1, as SQLite counts."""
    page: int
    ends_transaction: bool
    is_current: bool
    """Whether it is of this log, and not left over from an earlier one in the same file."""
    is_whole: bool
    """Whether it is current and its checksum fits."""
    data: bytes


class LogHeaderDamaged(ValueError):
    """Say that the beginning of a log is none, although something follows."""


def log_of(path: Path) -> Path:
    """Return where the log of a store is, if there is one."""
    return path.with_name(path.name + SUFFIX)


def has_log(path: Path) -> bool:
    """Tell whether a store has a log with something in it."""
    try:
        return log_of(path).stat().st_size > _HEADER_BYTES
    except OSError:
        return False


def find_log_damage(path: Path) -> str | None:
    """Say what is wrong in the log of a store so that commits would be lost; None if nothing is.

    A process that was killed may leave half a transaction at the end, and half a frame. That is no damage.
    """
    found = None
    for look in range(_LOOKS):
        if look:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        before = _header_of(path)
        found = _look(path)
        if found is None or _header_of(path) != before:  # begun anew meanwhile, by a process that is at work
            return None
    return found


def _header_of(path: Path) -> bytes:
    try:
        with log_of(path).open("rb") as file:
            return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _look(path: Path) -> str | None:
    broken: int | None = None
    name = log_of(path).name
    try:
        for frame in read_log(path):
            if not frame.is_whole:
                broken = broken or frame.number
            elif broken is not None and frame.ends_transaction:
                return f"the checksum of frame {broken} of its log {name} does not fit, and commits stand behind it"
    except LogHeaderDamaged:
        return f"the beginning of its log {name} is none"
    return None


def read_log(path: Path) -> Iterator[Frame]:
    """Yield the frames of a log to its end, damaged ones and those of an earlier log included; none if there is none.

    Raises LogHeaderDamaged. A frame behind a damaged one is judged by the checksum that stands in the damaged one.
    """
    try:
        with log_of(path).open("rb") as file:
            yield from _frames(file)
    except FileNotFoundError:
        return


def _frames(file: BinaryIO) -> Iterator[Frame]:
    header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES:
        return
    magic, _, page_size, _, *salts_and_sum = _numbers(header)
    salts, checksum = salts_and_sum[:2], tuple(salts_and_sum[2:])
    little = not magic & 1
    if magic | 1 != _MAGIC | 1 or page_size not in _PAGE_SIZES or _checksum(header[:24], little) != checksum:
        if any(header) or any(file.read(_FRAME_HEADER_BYTES)):
            raise LogHeaderDamaged
        return
    number = 0
    while len(head := file.read(_FRAME_HEADER_BYTES)) == _FRAME_HEADER_BYTES:
        data = file.read(page_size)
        number += 1
        page, pages_after, *rest = _numbers(head)
        stands = (rest[2], rest[3])
        is_current = rest[:2] == salts and len(data) == page_size
        is_whole = is_current and _checksum(data, little, _checksum(head[:8], little, checksum)) == stands
        yield Frame(number, page, pages_after > 0, is_current, is_whole, data)
        checksum = stands


def _numbers(data: bytes) -> list[int]:
    return [int.from_bytes(data[start : start + 4], "big") for start in range(0, len(data), 4)]


def _checksum(data: bytes, little: bool, start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    """Return the checksum of some data behind others, as the description of SQLite's file format has it."""
    numbers = array("I", data)
    if (sys.byteorder == "little") != little:
        numbers.byteswap()
    first, second = start
    words = iter(numbers)
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & _MASK
        second = (second + odd + first) & _MASK
    return first, second
