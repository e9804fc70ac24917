"""Rectangles on a plane, as worlds of levels have them: which touch by a side, and which overlap."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.core.errors import ParseError

MAX_RECTANGLES = 5_000
MAX_PAIRS = 200_000
"""Rectangles that do not overlap touch in far fewer places."""


class Rectangle(Struct, frozen=True):
    """Hold a rectangle; planes are told apart by number, and rectangles of two planes never touch."""

    plane: int
    x: int
    y: int
    width: int
    height: int


class Groups(Struct, frozen=True):
    """Hold which rectangles belong together, each known by its number."""

    groups: Sequence[Sequence[int]]
    """Those joined by sides, from one to the next, in the order of their first; no two of a group overlap."""
    overlaps: Sequence[tuple[int, int]]
    """A rectangle that is a group of its own because it overlaps an earlier one, and that one."""


def group_touching(rectangles: Sequence[Rectangle | None]) -> Groups:
    """Group the rectangles that share a part of a side, corners do not count; None touches nothing."""
    if len(rectangles) > MAX_RECTANGLES:
        raise ParseError(f"at most {MAX_RECTANGLES:,} levels", len(rectangles))
    touching, overlapping = _find_pairs(rectangles)
    apart: dict[int, int] = {}
    for one, other in sorted(overlapping):
        if one not in apart and other not in apart:
            apart[other] = one
    leader = list(range(len(rectangles)))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for one, other in touching:
        if one not in apart and other not in apart:
            first, second = sorted((find(one), find(other)))
            leader[second] = first
    groups: dict[int, list[int]] = {}
    for number in range(len(rectangles)):
        groups.setdefault(find(number), []).append(number)
    return Groups(list(groups.values()), sorted(apart.items()))


def _find_pairs(rectangles: Sequence[Rectangle | None]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return which pairs touch, and which overlap, the smaller number first; sweeps from left to right."""
    placed = [(one.plane, one.x, number, one) for number, one in enumerate(rectangles) if one is not None]
    placed.sort(key=lambda entry: entry[:3])
    touching: list[tuple[int, int]] = []
    overlapping: list[tuple[int, int]] = []
    near: list[tuple[int, Rectangle]] = []
    for plane, x, number, one in placed:
        near = [(at, other) for at, other in near if other.plane == plane and other.x + other.width >= x]
        for at, other in near:
            wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            pair = (at, number) if at < number else (number, at)
            if wide > 0 and high > 0:
                overlapping.append(pair)
            elif wide >= 0 and high >= 0 and wide + high > 0:
                touching.append(pair)
        if len(touching) + len(overlapping) > MAX_PAIRS:
            raise ParseError(f"levels that lie side by side, but more than {MAX_PAIRS:,} pairs overlap or touch")
        near.append((number, one))
    return touching, overlapping
