"""Rectangles that touch are found as a look at every tile finds them."""

from __future__ import annotations

from random import Random

import pytest

from solvent.core.errors import ParseError
from solvent.formats import touching
from solvent.formats.touching import Rectangle, group_touching


def cells(one: Rectangle) -> set[tuple[int, int, int]]:
    return {(one.plane, x, y) for x in range(one.x, one.x + one.width) for y in range(one.y, one.y + one.height)}


def expected_groups(placed: list[Rectangle | None]) -> tuple[list[list[int]], dict[int, int]]:
    """Group by brute force: the later of two that overlap is apart, then cells beside each other join."""
    covered = [set() if one is None else cells(one) for one in placed]
    apart: dict[int, int] = {}
    for first in range(len(placed)):
        for second in range(first + 1, len(placed)):
            if first not in apart and second not in apart and covered[first] & covered[second]:
                apart[second] = first
    group = list(range(len(placed)))
    for one in range(len(placed)):
        for other in range(len(placed)):
            near = {
                (plane, x + dx, y + dy) for plane, x, y in covered[one] for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            }
            if one not in apart and other not in apart and near & covered[other]:
                low, high = sorted((group[one], group[other]))
                group = [low if label == high else label for label in group]
    return [[at for at in range(len(placed)) if group[at] == label] for label in dict.fromkeys(group)], apart


@pytest.mark.parametrize("seed", range(60))
def test_groups_are_those_of_brute_force(seed: int):
    dice = Random(seed)
    placed: list[Rectangle | None] = [
        None
        if dice.random() < 0.1
        else Rectangle(dice.randint(0, 1), *(dice.randint(-6, 6) for _ in "xy"), *(dice.randint(1, 4) for _ in "wh"))
        for _ in range(dice.randint(0, 9))
    ]
    found = group_touching(placed)
    groups, apart = expected_groups(placed)
    assert ([list(group) for group in found.groups], dict(found.overlaps)) == (groups, apart)


def test_too_many(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(touching, "MAX_RECTANGLES", 3)
    with pytest.raises(ParseError, match="at most 3 levels, found 4"):
        group_touching([None] * 4)


def test_too_many_that_overlap():
    with pytest.raises(ParseError, match="more than 200,000 pairs overlap or touch"):
        group_touching([Rectangle(0, 0, 0, 9, 9)] * 1000)
