"""The techniques that weigh sets of units against each other: what they find, and that all of it is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate
from solvent.starbattle.cells import parse_cell
from solvent.starbattle.checker import violations
from solvent.starbattle.hints.application import Application, OutOfWork, Work, pairs
from solvent.starbattle.hints.counting import Containment, _containment, _share_out, need_of, needing
from solvent.starbattle.hints.flow import Sharing
from solvent.starbattle.hints.position import Position, cells_in, position_of, set_of
from solvent.starbattle.hints.techniques import (
    composite_shape,
    finned_count,
    fish,
    overcounting,
    set_differential,
    squeeze,
    undercounting,
)
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.brute_force import solutions

TECHNIQUES: tuple[ModuleType, ...] = (
    undercounting,
    overcounting,
    squeeze,
    composite_shape,
    finned_count,
    set_differential,
    fish,
)


def cells(text: str, size: int) -> int:
    return set_of(parse_cell(cell, size) for cell in text.split())


def rejected(puzzle: Puzzle, one: Application) -> list[str]:
    certificate = make_certificate(
        "starbattle",
        "forced",
        Verdict.YES,
        "explained step",
        technique=one.technique,
        stars=pairs(one.stars, puzzle.size),
        crosses=pairs(one.crosses, puzzle.size),
        witness=one.witness,
    )
    return violations(puzzle, certificate)


def only_with(technique: ModuleType, puzzle: Puzzle, **witness: object) -> Application:
    """Return the one application whose witness has these entries."""
    found = [
        one
        for one in technique.find(position_of(puzzle), Work())
        if all(one.witness[name] == value for name, value in witness.items())
    ]
    assert len(found) == 1
    assert rejected(puzzle, found[0]) == []
    return found[0]


def rows(*numbers: int) -> list[list[object]]:
    return [["row", number] for number in numbers]


def columns(*numbers: int) -> list[list[object]]:
    return [["column", number] for number in numbers]


def regions(*numbers: int) -> list[list[object]]:
    return [["region", number] for number in numbers]


# --- each technique on a board made for it ----------------------------------------------------------------------------


def test_undercounting_clears_the_rest_of_the_rows():
    puzzle = puzzle_of("AABBC AABCC DDCCC DDEEC DEEEE", 1)
    one = only_with(undercounting, puzzle, lines=rows(0, 1), regions=regions(0, 1))
    assert (one.stars, one.crosses) == (0, cells("r1c5 r2c4 r2c5", 5))
    assert (
        one.because
        == "Regions A and B have room for their two stars only in rows 1 and 2, which need no more than that."
    )
    assert one.proof == (
        "Regions A and B still need two stars.",
        "All their open cells lie in rows 1 and 2.",
        "These rows need two stars too, so all of them lie in regions A and B.",
    )
    assert [why.one for why in one.reasons] == ["No star is left for {cells}, the rest of these rows."]


def test_overcounting_clears_the_rest_of_the_regions():
    puzzle = puzzle_of("AAABB AABBB AACCB DDCCB DEEEE", 1)
    one = only_with(overcounting, puzzle, lines=rows(0, 1), regions=regions(0, 1))
    assert (one.stars, one.crosses) == (0, cells("r3c1 r3c2 r3c5 r4c5", 5))


def test_a_fish_clears_the_rest_of_the_columns():
    puzzle = puzzle_of("AABBC AABCC DDCCC DDEEC DEEEE", 1, ".xx.x ..... .xx.x ..... .....")
    one = only_with(fish, puzzle, rows=rows(0, 2), columns=columns(0, 3), base="rows")
    assert (one.stars, one.crosses) == (0, cells("r2c1 r4c1 r5c1 r2c4 r4c4 r5c4", 5))


def test_squeezes_leave_every_other_column_of_an_odd_strip():
    board = "AAAABBBB AAAABBBB CCCCDDDD CCCCDDDD EEEEFFFF EEEEFFFF GGGGHHHH GGGGHHHH"
    position = position_of(puzzle_of(board, 2, "x....... x....... " + "........ " * 6))
    strip = position.geometry.cells_of((0, 1))
    crossed = 0
    while True:
        found = [one for one in squeeze.find(position, Work()) if one.witness["lines"] == rows(0, 1)]
        if not found:
            break
        assert rejected(position.puzzle, found[0]) == []
        assert found[0].stars == 0
        crossed |= found[0].crosses
        position = position.marked(crosses=cells_in(found[0].crosses))
    assert crossed & strip == cells("r1c3 r2c3 r1c5 r2c5 r1c7 r2c7", 8)


def test_a_squeezed_star_has_a_block_to_itself():
    board = "AAAABBBB AAAABBBB CCCCDDDD CCCCDDDD EEEEFFFF EEEEFFFF GGGGHHHH GGGGHHHH"
    puzzle = puzzle_of(board, 2, "......xx xxx...x. " + "........ " * 6)
    found = [one for one in squeeze.find(position_of(puzzle), Work()) if one.witness["lines"] == rows(0, 1)]
    assert len(found) == 1
    assert found[0].stars == cells("r2c8", 8)
    assert found[0].crosses == cells("r3c7 r3c8", 8)
    assert rejected(puzzle, found[0]) == []


def test_a_composite_shape_is_what_a_region_leaves_of_two_rows():
    puzzle = puzzle_of("AAABB AAABB CCDBB CDDEE CDEEE", 1, "...xx ..... ..... ..... .....")
    one = only_with(composite_shape, puzzle, plus=rows(0, 1), minus=regions(0))
    assert len(one.witness["blocks"]) == 1
    assert one.crosses == cells("r3c4 r3c5", 5)
    assert one.because == "Rows 1 and 2 without region A have one star left, and one block covers the rest."


def test_a_fin_clears_what_it_touches():
    puzzle = puzzle_of("AAABB ACCCB DCCEB DDEEE DDEEE", 1)
    one = only_with(finned_count, puzzle, plus=rows(0, 1), minus=regions(0, 1), fins=[[2, 4]])
    assert one.crosses == cells("r2c4", 5)
    assert one.because.startswith("Except for r3c5, regions A and B have room only in rows 1 and 2")
    assert one.reasons[0].one == "Otherwise a star on r3c5 would touch {cells}."


def test_a_set_differential_clears_what_sticks_out():
    puzzle = puzzle_of("AAAAB AAAAB ACCCB DDCEE DDEEE", 1)
    one = only_with(set_differential, puzzle, plus=rows(0, 1), minus=regions(0))
    assert one.stars == 0
    assert one.crosses == cells("r3c1 r1c4 r2c4", 5)
    assert one.proof[0] == "Rows 1 and 2 need two stars, region A needs one: one fewer."
    assert one.proof[2] == "The 2×2 block at r1c5 covers all open cells of rows 1 and 2 outside region A."


# --- all that is found is true ----------------------------------------------------------------------------------------

SMALL = ((4, 1, 30), (5, 1, 60), (6, 1, 50), (8, 2, 8))


def played(random: Random, puzzle: Puzzle, solution: frozenset[int], share: float) -> Puzzle:
    """Mark cells as they are in a solution, each with this chance."""
    right = (STAR if cell in solution else CROSS for cell in range(puzzle.size**2))
    return replace(puzzle, marks="".join(mark if random.random() < share else UNKNOWN for mark in right))


def small_positions() -> list[tuple[Puzzle, list[frozenset[int]]]]:
    random = Random(5)
    made = []
    for size, stars, count in SMALL:
        for number in range(count):
            bare = solvable_puzzle(random, size, stars, connected=number % 3 > 0)
            every = solutions(bare)
            for share in (0.0, 0.15, 0.35):
                puzzle = played(random, bare, random.choice(every), share)
                fixed = [(cell, mark) for cell, mark in enumerate(puzzle.marks) if mark != UNKNOWN]
                kept = [one for one in every if all((cell in one) == (mark == STAR) for cell, mark in fixed)]
                made.append((puzzle, kept))
    return made


@pytest.fixture(scope="module")
def positions() -> list[tuple[Puzzle, list[frozenset[int]]]]:
    return small_positions()


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda technique: technique.__name__.rpartition(".")[2])
def test_what_is_found_holds_in_every_solution(
    technique: ModuleType, positions: list[tuple[Puzzle, list[frozenset[int]]]]
):
    applied: Counter[str] = Counter()
    for puzzle, every in positions:
        position = position_of(puzzle)
        found = list(technique.find(position, Work()))
        assert found == list(technique.find(position, Work()))
        assert len({(one.stars, one.crosses) for one in found}) == len(found)
        for one in found:
            decided = one.stars | one.crosses
            assert decided
            assert not decided & ~position.unknown
            assert all(cell in stars for stars in every for cell in cells_in(one.stars)), (puzzle, one)
            assert not any(cell in stars for stars in every for cell in cells_in(one.crosses)), (puzzle, one)
            assert rejected(puzzle, one) == [], (puzzle, one)
            applied["steps"] += 1
            applied["stars"] += one.stars.bit_count()
    assert applied["steps"] >= 20
    if technique in (squeeze, composite_shape, set_differential):
        assert applied["stars"] >= 20


def test_counting_misses_no_set(positions: list[tuple[Puzzle, list[frozenset[int]]]]):
    """Compare with all sets of regions and lines there are."""
    compared = 0
    for puzzle, _ in positions:
        if puzzle.size > 5:
            continue
        position = position_of(puzzle)
        geometry = position.geometry
        for lines, others, techniques in (
            (geometry.rows, geometry.regions, (undercounting, overcounting)),
            (geometry.columns, geometry.regions, (undercounting, overcounting)),
            (geometry.rows, geometry.columns, (fish,)),
        ):
            found = 0
            for technique in techniques:
                for one in technique.find(position, Work()):
                    found |= one.crosses
            missed = crossed_by_any_set(position, lines, others) & ~found
            assert not missed, (puzzle, list(cells_in(missed)))
            compared += found.bit_count()
    assert compared > 500


def crossed_by_any_set(position: Position, some: range, others: range) -> int:
    crossed = 0
    for inner, outer in ((some, others), (others, some)):
        for count in range(1, len(inner) + 1):
            for base in combinations(inner, count):
                inside = position.open & position.geometry.cells_of(base)
                cover = [unit for unit in outer if position.open_in(unit) & inside]
                if need_of(position, base) == need_of(position, cover):
                    crossed |= position.open & position.geometry.cells_of(cover) & ~inside
    return crossed


def shortfall(position: Position, base: Sequence[int], cover: Sequence[int]) -> Containment | None:
    """Return base units that lie in cover units which need fewer stars than they do, or None if no such set exists."""
    bases, covers = needing(position, base), needing(position, cover)
    sharing = _share_out(position, bases, covers, Work())
    return None if isinstance(sharing, Sharing) else _containment(bases, covers, sharing)


def test_a_shortfall_means_there_is_no_solution():
    random = Random(11)
    short = 0
    for _ in range(150):
        puzzle = random_puzzle(random, 5, 1, marks=6)
        position = position_of(puzzle)
        if min(position.needs) < 0:
            continue
        geometry = position.geometry
        for base, cover in ((geometry.rows, geometry.regions), (geometry.regions, geometry.columns)):
            found = shortfall(position, base, cover)
            if found is not None:
                short += 1
                inside, room = (geometry.cells_of(units) for units in (found.base, found.cover))
                assert not position.open & inside & ~room
                assert need_of(position, found.base) > need_of(position, found.cover)
                assert solutions(puzzle, most=1) == []
    assert short > 10


def test_steps_in_a_lost_position_still_follow_from_their_witness():
    random = Random(17)
    applied: Counter[str] = Counter()
    for number in range(120):
        size, stars = ((5, 1), (6, 1), (8, 2))[number % 3]
        puzzle = random_puzzle(random, size, stars, connected=number % 2 == 0, marks=size * size // 4)
        for technique in TECHNIQUES:
            for one in technique.find(position_of(puzzle), Work()):
                applied[one.technique] += 1
                assert not one.stars & one.crosses
                assert rejected(puzzle, one) == [], (puzzle, one)
    assert set(applied) == {technique.NAME for technique in TECHNIQUES}


def test_a_search_for_fins_tells_what_it_found_before_it_ran_out():
    puzzle = puzzle_of("AAABB ACCCB DCCEB DDEEE DDEEE", 1)
    every = list(finned_count.find(position_of(puzzle), work := Work()))
    search = finned_count.find(position_of(puzzle), Work(work.spent - 1))
    assert next(search) == every[0]
    with pytest.raises(OutOfWork):
        list(search)


def test_a_search_stops_when_it_is_out_of_work():
    puzzle = solvable_puzzle(Random(2), 8, 2)
    for technique in TECHNIQUES:
        work = Work(3)
        with pytest.raises(OutOfWork):
            list(technique.find(position_of(puzzle), work))
        assert work.spent <= 3 + 100


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["8-1", "10-2", "14-3"])
def test_what_is_found_on_real_boards_agrees_with_their_solution(folder: str, corpora: Path):
    from solvent.starbattle.formats import FORMATS
    from solvent.starbattle.solver.counting import count_solutions

    files = sorted((corpora / "starbattle" / folder).glob("*.txt"))[:4]
    if not files:
        pytest.skip(f"no Star Battle boards in {corpora}")
    random = Random(3)
    applied = 0
    for path in files:
        bare = FORMATS.parse(path.read_text(encoding="utf-8"))
        counted = count_solutions(bare, most=2)
        if counted.count != 1:
            continue
        solution = frozenset(counted.solutions[0])
        for share in (0.0, 0.2, 0.4):
            puzzle = played(random, bare, solution, share)
            for technique in TECHNIQUES:
                for one in technique.find(position_of(puzzle), Work()):
                    applied += 1
                    assert all(cell in solution for cell in cells_in(one.stars)), (path.name, one)
                    assert not any(cell in solution for cell in cells_in(one.crosses)), (path.name, one)
                    assert rejected(puzzle, one) == [], (path.name, one)
    assert applied > 20
