"""Rules learned from samples: what touches in the sample may touch, patterns agree where they overlap."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from solvent.core.budget import Budget
from solvent.core.errors import BadOption, LimitReached, ParseError
from solvent.valency.model import Rules, numbers_in
from solvent.valency.notation import samples
from solvent.valency.notation.samples import (
    find_patterns,
    learn_overlapping,
    learn_tiled,
    parse_sample,
    sample_of_picture,
    turned,
)

SIDES = ("right", "down", "left", "up")

COAST = """\
~~~~
~..~
~.#~
~~~~
"""


def beside(rules: Rules, here: int, side: str) -> set[int]:
    return set(numbers_in(rules.modules[here].bonds[0].neighbours[SIDES.index(side)] or 0))


def names_beside(rules: Rules, name: str, side: str) -> str:
    here = next(number for number, module in enumerate(rules.modules) if module.key == name)
    return "".join(sorted(rules.modules[number].name for number in beside(rules, here, side)))


def test_a_map_in_text():
    sample = parse_sample("\ufeff" + COAST.replace("\n", "\r\n") + "\n\n")
    assert [(symbol.name, symbol.look.glyph) for symbol in sample.symbols] == [("~", "~"), (".", "."), ("#", "#")]
    assert sample.cells.tolist() == [[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]
    assert [symbol.name for symbol in parse_sample("a b").symbols] == ["a", "space", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected a sample: rows of letters"),
        ("\n\n", "a sample: rows"),
        ("ab\nabc", "line 2: expected 2 letters, as in the first row, found 'abc'"),
        ("ab\n\nab", "line 2: expected 2 letters"),
        ("ab\na\t", "line 2, column 2: expected letters that can be seen"),
        ("a\0", "column 2"),
        ("a\ud800", "letters that can be seen"),
    ],
)
def test_texts_that_are_wrong(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse_sample(text)


def test_a_picture():
    pixels = np.array(
        [[[255, 0, 0, 255], [0, 0, 255, 255]], [[0, 0, 255, 255], [0, 0, 255, 128]]],
        dtype=np.uint8,
    )
    sample = sample_of_picture(pixels)
    assert [(symbol.name, symbol.look.colour) for symbol in sample.symbols] == [
        ("#ff0000", "#ff0000"),
        ("#0000ff", "#0000ff"),
        ("#0000ff80", "#0000ff"),
    ]
    assert sample.cells.tolist() == [[0, 1], [1, 2]]


def test_samples_that_are_too_large():
    with pytest.raises(ParseError, match="a sample of at most 4000000 cells, found '4001x1000'"):
        sample_of_picture(np.zeros((1000, 4001, 4), dtype=np.uint8))
    many = np.arange(5000, dtype=np.uint32).view(np.uint8).reshape(50, 100, 4)
    with pytest.raises(ParseError, match="1 to 4096 different symbols in a tiled sample"):
        learn_tiled(sample_of_picture(many))


def test_what_touches_may_touch():
    rules = learn_tiled(parse_sample(COAST), name="coast")
    assert rules.name == "coast"
    assert [(module.key, module.weight, module.look.glyph) for module in rules.modules] == [
        ("~", 12, "~"),
        (".", 3, "."),
        ("#", 1, "#"),
    ]
    assert names_beside(rules, ".", "right") == "#.~"
    assert names_beside(rules, ".", "left") == ".~"
    assert names_beside(rules, "#", "right") == "~"
    assert names_beside(rules, "#", "left") == names_beside(rules, "#", "up") == "."


def test_turned_samples():
    sample = parse_sample(COAST)
    assert names_beside(learn_tiled(sample, symmetry=2), "#", "right") == ".~"
    assert names_beside(learn_tiled(sample, symmetry=2), "#", "up") == "."
    assert names_beside(learn_tiled(sample, symmetry=8), "#", "up") == ".~"


def test_samples_that_wrap_around():
    sample = parse_sample("abc")
    alone = learn_tiled(sample)
    assert [module.bonds[0].boundary_mask for module in alone.modules] == [0b1110, 0b1010, 0b1011]
    around = learn_tiled(sample, periodic=True)
    assert names_beside(around, "c", "right") == "a"
    assert names_beside(around, "b", "down") == "b"
    assert not any(module.bonds[0].boundary_mask for module in around.modules)


def test_the_eight_ways_to_turn():
    cells = np.arange(4, dtype=np.int32).reshape(2, 2)
    ways = [way.tolist() for way in turned(cells, 8)]
    assert ways[:4] == [[[0, 1], [2, 3]], [[1, 0], [3, 2]], [[1, 3], [0, 2]], [[3, 1], [2, 0]]]
    assert len({str(way) for way in ways}) == 8


def plain_patterns(cells: list[list[int]], size: int, symmetry: int, periodic: bool) -> dict[str, int]:
    """Count patterns one by one."""
    height, width = len(cells), len(cells[0])
    counts: dict[str, int] = {}
    for y, x in product(range(height), range(width)):
        if not periodic and (y + size > height or x + size > width):
            continue
        one = [[cells[(y + j) % height][(x + i) % width] for i in range(size)] for j in range(size)]
        ways = []
        for _ in range(4):
            ways += [one, [row[::-1] for row in one]]
            one = [[one[j][size - 1 - i] for j in range(size)] for i in range(size)]  # anticlockwise
        for way in ways[:symmetry]:
            counts[str(way)] = counts.get(str(way), 0) + 1
    return counts


@pytest.mark.parametrize("symmetry", [1, 2, 5, 8])
@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_patterns_are_those_one_would_count(size: int, periodic: bool, symmetry: int):
    cells = np.random.default_rng(size).integers(0, 3, (5, 6)).astype(np.int32)
    patterns, counts = find_patterns(cells, size, symmetry, periodic)
    wanted = plain_patterns(cells.tolist(), size, symmetry, periodic)
    found = {str(pattern.tolist()): int(count) for pattern, count in zip(patterns, counts, strict=True)}
    assert list(found.items()) == list(wanted.items())


@pytest.mark.parametrize("size", [2, 3])
def test_patterns_agree_where_they_overlap(size: int):
    sample = parse_sample(COAST)
    patterns, counts = find_patterns(sample.cells, size, 8, False)
    rules = learn_overlapping(sample, pattern=size, symmetry=8, periodic=False)
    assert [module.weight for module in rules.modules] == counts.tolist()
    for number, module in enumerate(rules.modules):
        symbol = sample.symbols[patterns[number][0][0]]
        assert (module.key, module.name, module.look) == (f"pattern {number}", symbol.name, symbol.look)
    for here, there in product(range(len(patterns)), repeat=2):
        one, other = patterns[here], patterns[there]
        assert (there in beside(rules, here, "right")) == bool((one[:, 1:] == other[:, :-1]).all())
        assert (there in beside(rules, here, "left")) == bool((other[:, 1:] == one[:, :-1]).all())
        assert (there in beside(rules, here, "down")) == bool((one[1:] == other[:-1]).all())
        assert (there in beside(rules, here, "up")) == bool((other[1:] == one[:-1]).all())


def test_patterns_at_a_border_stand_at_a_border():
    rules = learn_overlapping(parse_sample("abc\nabc"), pattern=2, symmetry=1, periodic=False)
    assert [module.bonds[0].boundary_mask for module in rules.modules] == [0b0100, 0b0001]
    assert [module.bonds[0].neighbours for module in rules.modules] == [(2, 1, None, 1), (None, 2, 1, 2)]


def test_a_periodic_sample_may_be_smaller_than_its_patterns():
    rules = learn_overlapping(parse_sample("ab"), pattern=3, symmetry=1, periodic=True)
    assert [module.name for module in rules.modules] == ["a", "b"]
    assert beside(rules, 0, "right") == {1}
    with pytest.raises(BadOption, match="patterns no larger than the sample, 2x1, found 3x3"):
        learn_overlapping(parse_sample("ab"), pattern=3, symmetry=1, periodic=False)


def test_too_many_patterns():
    cells = np.random.default_rng(1).integers(0, 2**24, (70, 70), dtype=np.uint32) | np.uint32(255 << 24)
    noise = sample_of_picture(cells.view(np.uint8).reshape(70, 70, 4))
    with pytest.raises(ParseError, match=r"1 to 4096 different patterns of 3x3 cells \(with smaller patterns"):
        learn_overlapping(noise)
    wide = sample_of_picture(np.zeros((1000, 1000, 4), dtype=np.uint8))
    with pytest.raises(ParseError, match="a sample of at most 125000 cells for such patterns"):
        learn_overlapping(wide, pattern=8)


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("cells_a_band", [1, 100, 700])
def test_patterns_are_the_same_in_bands_of_any_height(
    monkeypatch: pytest.MonkeyPatch, cells_a_band: int, periodic: bool
):
    cells = np.random.default_rng(4).integers(0, 2, (9, 7), dtype=np.int32)
    patterns, counts = find_patterns(cells, 2, 8, periodic)
    monkeypatch.setattr(samples, "CELLS_A_BAND", cells_a_band)
    again, counted = find_patterns(cells, 2, 8, periodic)
    assert again.tolist() == patterns.tolist()
    assert counted.tolist() == counts.tolist()


def test_learning_patterns_stops_at_a_limit():
    cells = np.zeros((40, 40), dtype=np.int32)
    with pytest.raises(LimitReached):
        find_patterns(cells, 3, 8, True, Budget(seconds=0).start())
