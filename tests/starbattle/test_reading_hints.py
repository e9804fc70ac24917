"""Hints as a player reads them: a reason for each cell, nothing said twice, nothing listed that can be excluded."""

from __future__ import annotations

import re

import pytest

import solvent
from helpers.marks import slow
from solvent.core.hints import Hint
from solvent.starbattle.cells import format_cell
from solvent.starbattle.generator import generate
from solvent.starbattle.hints.application import Work
from solvent.starbattle.hints.chains import Chain, Contradiction
from solvent.starbattle.hints.chains.explaining import explain
from solvent.starbattle.hints.chains.rules import Memory
from solvent.starbattle.hints.phrases import describe_room, name_units
from solvent.starbattle.hints.position import cells_in, position_of, set_of
from solvent.starbattle.hints.techniques import BASIC, SUPPOSING, technique
from solvent.starbattle.model import Puzzle

KINDS = [(6, 1, 3), (8, 1, 5), (9, 2, 2), (10, 2, 3), *slow([(10, 2, 8), (11, 2, 5), (12, 2, 1), (14, 3, 1)])]
WAYS = 4


def steps_of(puzzle: Puzzle) -> list[Hint]:
    return [hint for hint in solvent.hints(puzzle, path=True) if hint.move is not None]


def names_of(cells: list[list[int]], size: int) -> set[str]:
    return {format_cell(row * size + col, size) for row, col in cells}


@pytest.mark.parametrize(("size", "stars", "seed"), KINDS)
def test_a_hint_reads_like_a_teacher(size: int, stars: int, seed: int):
    for hint in steps_of(generate(size=size, stars=stars, seed=seed)):
        lines = hint.proof.splitlines()
        assert len(lines) == len(set(lines)), hint.proof
        reasons, conclusion = " ".join(lines[:-1]), lines[-1]
        marked = names_of(hint.data["stars"] + hint.data["crosses"], size)
        assert marked == set(re.findall(r"r\d+c\d+", conclusion))
        assert marked <= set(re.findall(r"r\d+c\d+", reasons)), hint.proof
        for line in lines:
            assert line.count(";") < WAYS, line  # the ways of a list are parted by semicolons
        assert len(hint.data["witness"].get("placements", ())) <= WAYS
        assert not re.search(r"\b(any of|None|\{|\})", reasons), hint.proof


def test_a_supposition_lists_what_it_removes():
    seen = 0
    for seed in (12, 13):
        puzzle = generate(size=10, stars=2, seed=seed)
        position = position_of(puzzle)
        for hint in steps_of(puzzle):
            if hint.data["technique"] == "hypothesis" and hint.data["crosses"]:
                seen += 1
                [[row, col]] = hint.data["crosses"]
                around = position.geometry.touching[row * 10 + col] & position.open
                first = hint.proof.splitlines()[0]
                assert first.startswith(f"Suppose that {format_cell(row * 10 + col, 10)} is a star")
                removed = {cell for cell in range(100) if around >> cell & 1}
                assert {format_cell(cell, 10) for cell in removed} <= set(re.findall(r"r\d+c\d+", first))
            cells = {mark: [row * 10 + col for row, col in hint.data[mark]] for mark in ("stars", "crosses")}
            position = position.marked(stars=cells["stars"], crosses=cells["crosses"])
    assert seen > 3


def test_what_excludes_comes_before_what_lists():
    order = [*BASIC, *SUPPOSING]
    assert order.index("exclusion") < order.index("placements")
    assert order.index("reserved_area") < order.index("exclusion") < order.index("pressured_exclusion")
    assert order.index("pressured_exclusion") < order.index("shapes")


def test_a_count_is_called_a_count():
    position = position_of(generate(size=10, stars=2, seed=3))
    short = next(iter(technique("exclusion").find(position, Work())))
    [unit], cell = short.highlights.units, next(cells_in(short.crosses))
    counted = explain(position, Chain(cell, True, (), Contradiction((unit,))), Memory(), technique="hypothesis")
    assert counted.title == "Exclusion by counting"
    assert "in the end" not in counted.because


def test_lines_in_a_row_are_named_by_the_first_and_the_last():
    position = position_of(generate(size=8, stars=1, seed=1))
    assert name_units(position, (2,)) == "row 3"
    assert name_units(position, (2, 3)) == "rows 3 and 4"
    assert name_units(position, (2, 3, 4, 5)) == "rows 3 to 6"
    assert name_units(position, (2, 3, 5)) == "rows 3, 4 and 6"
    assert name_units(position, (0, 2, 3, 4, 6, 7)) == "rows 1, 3 to 5, 7 and 8"
    assert name_units(position, (8, 9, 10, 16, 17, 18)) == "columns 1 to 3 and regions A, B and C"


def test_what_is_left_is_named_as_plainly_as_can_be():
    position = position_of(generate(size=8, stars=1, seed=1))
    assert describe_room(position, 0, ()) == "no cell"
    assert describe_room(position, set_of([9]), (0,)) == "only r2c2"
    assert describe_room(position, set_of([8, 9]), (0,)) == "only r2c1 and r2c2, which touch"
    assert describe_room(position, set_of([0, 8, 9]), (0,)) == "only r1c1, r2c1 and r2c2, which all touch"
    assert describe_room(position, set_of([0, 4, 5]), (0, 4)) == "only r1c1, r1c5 and r1c6, where two fit at most"
    cells = set_of([0, 1, 8, 4, 5])
    assert describe_room(position, cells, (0, 4)) == "only cells of two 2×2 blocks, at r1c1 and r1c5"
    assert describe_room(position, cells, (0, 4), brief=True) == "only cells of two 2×2 blocks, at r1c1 and r1c5"
    assert describe_room(position, cells, range(5), brief=True) == "only cells of five 2×2 blocks"
