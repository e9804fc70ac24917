"""Look at the write-ahead log that SQLite keeps beside a store, before SQLite does.

A process that is killed leaves its last commits in the log. Each frame there has a checksum, and SQLite takes the first
that does not fit for the end: one flipped byte and all commits behind it are gone, without a word. A frame that does
not fit is no damage if the process was killed while it wrote it. It is damage if a commit of the same log stands behind
it, or if the index of the log, which SQLite keeps in a third file, counts it among those that were committed.
"""

from __future__ import annotations

import struct
import sys
import time
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

SUFFIX = "-wal"
"""How the name of a store goes on in that of its log."""
_INDEX_SUFFIX = "-shm"
_INDEX_VERSION = 3007000
_INDEX_HEADER_BYTES = 48
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
    committed = count_committed(path)
    try:
        for frame in read_log(path):
            if not frame.is_whole:
                broken = broken or frame.number
            if broken is not None and (broken <= committed or (frame.is_whole and frame.ends_transaction)):
                return f"the checksum of frame {broken} of its log {name} does not fit, and it was committed"
    except LogHeaderDamaged:
        return f"the beginning of its log {name} is none"
    return None


def count_committed(path: Path) -> int:
    """Return how many frames of a log are known to be committed; 0 if nothing is known.

    The index is in memory that processes share, and survives them in a file. A power cut may keep it and lose frames,
    which is no damage: what was written before the machine was started says nothing.
    """
    try:
        place = path.with_name(path.name + _INDEX_SUFFIX)
        with place.open("rb") as file:
            header, copy = file.read(_INDEX_HEADER_BYTES), file.read(_INDEX_HEADER_BYTES)
        written, started = place.stat().st_mtime, _machine_started()
    except OSError:
        return 0
    if header != copy or len(copy) < _INDEX_HEADER_BYTES or started is None or written < started:
        return 0
    numbers = struct.unpack("=12I", header)  # as this machine has them in memory
    # Salts stand there as they do in the log, byte for byte.
    if numbers[0] != _INDEX_VERSION or header[32:40] != _header_of(path)[16:24]:
        return 0
    little = sys.byteorder == "little"
    return numbers[4] if _checksum(header[:40], little) == numbers[10:] else 0


def _machine_started() -> float | None:
    """Return when the machine was started, in seconds since 1970; None where the system does not tell."""
    try:
        return time.time() - float(Path("/proc/uptime").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
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


def read_log_pages(path: Path, page_size: int) -> Iterator[bytes]:
    """Yield the pages in a log whose beginning is damaged, so that nobody can tell what they replace."""
    with log_of(path).open("rb") as file:
        file.seek(_HEADER_BYTES)
        while len(frame := file.read(_FRAME_HEADER_BYTES + page_size)) == _FRAME_HEADER_BYTES + page_size:
            yield frame[_FRAME_HEADER_BYTES:]


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
