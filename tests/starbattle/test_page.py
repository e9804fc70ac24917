"""What the page is told of a board, and what it may do with one."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torture.instances.starbattle import puzzle_of, solvable_puzzle

from helpers.colour_blindness import SIGHTS, difference
from solvent.core.domain import workbench_folder
from solvent.core.errors import BadOption, ParseError
from solvent.drawing.palette import Paint, relative_luminance
from solvent.starbattle import DOMAIN
from solvent.starbattle.drawing.colours import PAINTS
from solvent.starbattle.formats import FORMATS
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.page import DARK_PAINTS, page_data
from solvent.starbattle.page.actions import play
from solvent.starbattle.rules import units_of
from starbattle.brute_force import is_solution, solutions
from starbattle.strategies import puzzles

SQUARES = puzzle_of("AABB AABB CCDD CCDD", 1)
LIGHT_INK: Paint = (236, 234, 228)


def test_the_domain_has_a_page() -> None:
    assert DOMAIN.page is not None
    folder = workbench_folder(DOMAIN.page)
    assert folder is not None
    assert folder.parent.name == DOMAIN.name


@given(puzzles(most_size=8), st.randoms(use_true_random=False))
def test_solved_is_what_a_plain_reading_of_the_rules_calls_so(puzzle: Puzzle, random: Random) -> None:
    some = replace(puzzle, marks="".join(random.choice(".*x") for _ in puzzle.marks))
    for one in (puzzle, some):
        stars = frozenset(cell for cell, mark in enumerate(one.marks) if mark == STAR)
        assert page_data(one)["solved"] == is_solution(one, stars)


@pytest.mark.parametrize("seed", range(6))
def test_the_stars_of_a_solution_keep_to_every_limit(seed: int) -> None:
    puzzle = solvable_puzzle(Random(seed), 8, 1 + seed % 2)
    stars = solutions(puzzle, most=1)[0]
    limits = page_data(puzzle)["limits"]
    assert all(limit["least"] <= len(stars & {*limit["cells"]}) <= limit["most"] for limit in limits)
    finished = play(puzzle, {"marks": "".join(STAR if cell in stars else UNKNOWN for cell in range(64))})
    assert page_data(finished)["solved"] is True


@given(puzzles())
def test_a_scene_is_json_and_has_a_limit_for_every_unit(puzzle: Puzzle) -> None:
    told = json.loads(json.dumps(page_data(puzzle)))
    assert told["marks"] == puzzle.marks
    assert len(told["paints"]) == len(told["dark_paints"]) == puzzle.size
    units = [limit["cells"] for limit in told["limits"] if limit["unit"]]
    assert units == [list(unit.cells) for unit in units_of(puzzle)]


@pytest.mark.parametrize("sight", SIGHTS)
def test_dark_paints_stay_apart_for_every_kind_of_sight(sight: str) -> None:
    assert len(DARK_PAINTS) == len(PAINTS)
    assert min(difference(a, b, sight) for a, b in combinations(DARK_PAINTS, 2)) >= 13


@pytest.mark.parametrize("paint", DARK_PAINTS)
def test_light_ink_can_be_read_on_dark_paints(paint: Paint) -> None:
    assert (relative_luminance(LIGHT_INK) + 0.05) / (relative_luminance(paint) + 0.05) >= 6


# Playing


def test_marks_are_taken_as_they_are() -> None:
    marks = "*x.. .... .x.. ...*".replace(" ", "")
    assert play(SQUARES, {"marks": marks}).marks == marks
    assert play(SQUARES, {"marks": marks}).regions == SQUARES.regions


def test_crosses_follow_from_stars_and_full_units() -> None:
    crossed = play(SQUARES, {"marks": "." * 4 + ".*.." + "." * 8, "cross": True})
    assert crossed.marks == "xxx. x*xx xxx. .x..".replace(" ", "")


def test_crosses_go_with_the_star_that_explained_them() -> None:
    crossed = play(SQUARES, {"marks": "....*..........x", "cross": True})
    without = crossed.marks.replace(STAR, UNKNOWN)
    assert play(crossed, {"marks": without, "cross": True}).marks == "...............x"
    assert play(crossed, {"marks": without}).marks == without


def test_what_is_played_can_be_written_and_read() -> None:
    """That is why stars that break a rule are refused: no text of a puzzle has them."""
    with pytest.raises(BadOption, match=r"expected stars that do not touch, but r1c1 and r2c2 do$"):
        play(SQUARES, {"marks": "*....*.........."})
    with pytest.raises(BadOption, match=r"expected at most 1 star in row 1, but r1c1 and r1c4 are stars$"):
        play(SQUARES, {"marks": "*..*............"})
    with pytest.raises(BadOption, match=r"expected at most 1 star in region A, but r1c1 and r3c4 are stars$"):
        play(puzzle_of("AAAA BBBB CCCA DDDD", 1), {"marks": "*..........*....", "cross": True})


@given(puzzles(most_size=8), st.randoms(use_true_random=False))
def test_marks_are_refused_exactly_if_they_cannot_be_read(puzzle: Puzzle, random: Random) -> None:
    marks = "".join(random.choice("......*x") for _ in puzzle.marks)
    try:
        read = FORMATS.parse(FORMATS.format(replace(puzzle, marks=marks), "grid"))
    except ParseError:
        with pytest.raises(BadOption):
            play(puzzle, {"marks": marks})
    else:
        assert play(puzzle, {"marks": marks}) == read


@given(puzzles(most_size=9))
def test_crosses_never_take_a_solution_away(puzzle: Puzzle) -> None:
    crossed = play(puzzle, {"marks": puzzle.marks, "cross": True})
    assert all(
        old == new or (old, new) == (UNKNOWN, CROSS) for old, new in zip(puzzle.marks, crossed.marks, strict=True)
    )
    if puzzle.size <= 6:
        assert solutions(crossed, most=5) == solutions(puzzle, most=5)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({}, "marks: expected 16 marks"),
        ({"marks": "..."}, "marks: expected 16 marks, each ., \\* or x"),
        ({"marks": 7}, "marks: expected 16 marks"),
        ({"marks": "?" * 16}, r"marks: expected a mark \(\* star, x cross, \. unknown\), found '\?'"),
        ({"marks": "." * 16, "cross": 1}, "cross: expected true or false"),
        ({"marks": "." * 16, "size": 25}, "expected marks or cross, found 'size'"),
    ],
)
def test_what_is_no_action_is_refused_in_words(action: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        play(SQUARES, action)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(".*x\0é", max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["marks", "cross", "other"]), JSON | st.text(".*x", min_size=16, max_size=16)))
def test_hostile_actions_are_refused_or_done(action: dict[str, Any]) -> None:
    try:
        done = play(SQUARES, action)
    except BadOption:
        return
    assert len(done.marks) == 16
    assert page_data(done)["size"] == 4
