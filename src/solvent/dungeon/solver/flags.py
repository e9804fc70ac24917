"""Sets of tiles or areas as flags: a byte for each, 1 for those in the set.

Kernels read and write them as they are. The functions here go over all bytes at once, so that a set of a million tiles
is no trouble to Python either.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from solvent.core.budget import UNLIMITED, Meter

Flags = bytearray


def flags_of(chosen: Iterable[int], count: int) -> Flags:
    """Return the flags of `count` things, set for those chosen."""
    flags = bytearray(count)
    for number in chosen:
        flags[number] = 1
    return flags


def chosen(flags: Flags) -> list[int]:
    """Return the numbers of those that are set, rising."""
    return list(compress(range(len(flags)), flags))


def both(one: Flags, other: Flags) -> Flags:
    """Return what is set in both."""
    return _joined(int.from_bytes(one, "little") & int.from_bytes(other, "little"), len(one))


def either(one: Flags, other: Flags) -> Flags:
    """Return what is set in one or the other."""
    return _joined(int.from_bytes(one, "little") | int.from_bytes(other, "little"), len(one))


def opposite(flags: Flags) -> Flags:
    """Return what is not set."""
    return flags.translate(_FLIP)


def only_in(one: Flags, other: Flags) -> Flags:
    """Return what is set in one and not in the other."""
    return both(one, opposite(other))


def overlap(one: Flags, other: Flags) -> bool:
    """Tell whether something is set in both."""
    return bool(int.from_bytes(one, "little") & int.from_bytes(other, "little"))


def is_within(one: Flags, other: Flags) -> bool:
    """Tell whether all that is set in one is set in the other."""
    return not overlap(one, opposite(other))


def join_pairs(count: int, pairs: Iterable[tuple[int, int]], meter: Meter = UNLIMITED) -> list[int]:
    """Return for each of `count` things the smallest one that pairs join it with."""
    head = list(range(count))

    def find(thing: int) -> int:
        while head[thing] != thing:
            head[thing] = head[head[thing]]
            thing = head[thing]
        return thing

    for pair in meter.each(pairs):
        low, high = sorted(map(find, pair))
        head[high] = low
    return [find(thing) for thing in meter.each(range(count))]


def _joined(bits: int, count: int) -> Flags:
    return bytearray(bits.to_bytes(count, "little"))


_FLIP = bytes([1]) + bytes(255)
