"""Proofs by cases: each counting rule alone against every way to place stars, and whole proofs, true and changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.certificates.forging import mutate
from torture.instances.starbattle import random_puzzle, solvable_puzzle

import solvent
from helpers.marks import slow
from solvent.asking import find_violations
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.errors import LimitReached
from solvent.engine.arrays import SHORT, row_of
from solvent.starbattle import checker
from solvent.starbattle.checker import violations
from solvent.starbattle.checker.cases import case_violations
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.solver import placements_kernel
from solvent.starbattle.solver.counting import Ending, Search
from starbattle.brute_force import Cells, solutions

LETTERS = ".*x"
"""What is known of a cell, by its number in the checker."""


@cache
def plain() -> Any:
    """Return the checker's kernel as plain Python, whose rules can be taken one at a time."""
    loader = SourceFileLoader("plain_cases_kernel", str(Path(checker.__file__).with_name("cases_kernel.py")))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def counting(puzzle: Puzzle) -> Any:
    """Return what the checker knows of a puzzle before it counts."""
    return plain().Cases(puzzle, row_of([0], SHORT), 1, None)


def claim(puzzle: Puzzle, cases: list[int], stars: Cells | None = None) -> dict[str, Any]:
    """Claim that there is no solution, or none but the stars, by cases."""
    if stars is None:
        body: dict[str, Any] = {"question": "solvable", "verdict": "NO", "form": "refutation"}
    else:
        pairs = [list(divmod(cell, puzzle.size)) for cell in sorted(stars)]
        body = {"question": "unique", "verdict": "YES", "form": "only solution", "stars": pairs}
    return {"solvent": 1, "domain": "starbattle", **body, "cases": cases}


@cache
def random_boards(count: int) -> list[tuple[Puzzle, list[Cells]]]:
    """Return puzzles with all their solutions; marks may be many, and wrong."""
    return list(_random_boards(Random(7), count))


def _random_boards(dice: Random, count: int) -> Iterator[tuple[Puzzle, list[Cells]]]:
    for number in range(count):
        size, stars = ((4, 1), (5, 1), (6, 1), (7, 1), (6, 1), (7, 1), (8, 2))[number % 7]
        make = random_puzzle if dice.random() < 0.5 else solvable_puzzle
        marks = dice.randrange(size**2 // (1 if make is solvable_puzzle else 4))
        puzzle = make(dice, size, stars, connected=dice.random() < 0.7, marks=marks)
        yield puzzle, solutions(puzzle)


# Each rule alone


def rules(cases: Any, size: int) -> dict[str, Any]:
    return {
        "quota": lambda: [cases.count_unit(unit) for unit in range(3 * size)],
        "two lines": lambda: [cases.count_two_lines(line) for line in range(2 * size) if (line + 1) % size],
        "placements": lambda: [cases.count_placements(2 * size + region) for region in range(size)],
        "shares": lambda: [cases.count_shares(lines, odd) for lines in (0, size) for odd in (False, True)],
        "bands": lambda: [cases.count_bands(0), cases.count_bands(size)],
    }


@pytest.mark.parametrize("rule", ["quota", "two lines", "placements", "shares", "bands"])
@pytest.mark.parametrize("count", [120, *slow([1500])])
def test_what_a_rule_finds_out_holds_in_every_solution(rule: str, count: int):
    said = refuted = 0
    for puzzle, expected in random_boards(count):
        cases = counting(puzzle)
        if not cases.broken:
            before = bytes(cases.known)
            rules(cases, puzzle.size)[rule]()
            said += bytes(cases.known) != before
        if cases.broken:
            assert expected == []
            refuted += 1
            continue
        for stars in expected:
            assert all((LETTERS[mark] == "*") == (cell in stars) for cell, mark in enumerate(cases.known) if mark)
    assert said > count // 10
    assert refuted > count // 20


@pytest.mark.parametrize("every", [41, *slow([1])])
def test_two_lines_are_exact(every: int):
    """All that can be known of two lines of five cells, one star each: what is concluded is what all fillings share."""
    size = 5
    fillings = [(one, other) for one, other in product(range(size), repeat=2) if abs(one - other) > 1]
    empty = Puzzle(size, 1, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2)
    for code in range(0, 3 ** (2 * size), every):
        known = [code // 3**place % 3 for place in range(2 * size)]
        stars = [place for place in range(2 * size) if known[place] == 1]
        if any(abs(a % size - b % size) <= 1 and known[b] != 2 for a in stars for b in range(2 * size) if a != b):
            continue  # a star has crosses around it by then
        cases = counting(empty)
        for place, mark in enumerate(known):
            cases.known[place] = mark
            if mark == 1:
                cases.note_star(place)
        left = [
            {one, size + other}
            for one, other in fillings
            if all((mark == 1) == (place in (one, size + other)) for place, mark in enumerate(known) if mark)
        ]
        cases.count_two_lines(0)
        assert cases.broken is (not left)
        for place in range(2 * size if left else 0):
            here = {place in filling for filling in left}
            assert cases.known[place] == (0 if len(here) == 2 else 1 if here == {True} else 2)


@pytest.mark.parametrize("stars", [1, 2])
def test_placements_are_exact(stars: int):
    """All regions within 3×3 cells of a board of five rows: their own cells, and those around them."""
    size = 5
    block = [row * size + col for row in (1, 2, 3) for col in (1, 2, 3)]
    for code in range(1, 2**9):
        region = [cell for place, cell in enumerate(block) if code >> place & 1]
        others = iter(range(size**2))
        regions = tuple(0 if cell in region else 1 + next(others) % (size - 1) for cell in range(size**2))
        cases = counting(Puzzle(size, stars, regions, UNKNOWN * size**2))
        ways = [way for way in _ways(region, stars, size) if len(way) == stars]
        cases.count_placements(2 * size)
        assert cases.broken is (not ways)
        for cell in range(size**2 if ways else 0):
            near = [any(_touch(cell, star, size) for star in way) for way in ways]
            holds = [cell in way for way in ways]
            cross = all(near) or (cell in region and not any(holds))
            assert cases.known[cell] == (1 if all(holds) else 2 if cross else 0)


def _touch(one: int, other: int, size: int) -> bool:
    return one != other and abs(one // size - other // size) <= 1 and abs(one % size - other % size) <= 1


def _ways(cells: list[int], most: int, size: int) -> list[list[int]]:
    """Return all ways to choose up to so many of the cells that do not touch."""
    ways: list[list[int]] = [[]]
    for cell in cells:
        ways += [[*way, cell] for way in ways if len(way) < most and not any(_touch(cell, star, size) for star in way)]
    return ways


def test_the_checker_lists_all_placements_that_the_solver_lists():
    assert plain().MAX_BEGUN >= placements_kernel.MAX_BEGUN


@pytest.mark.parametrize("width", [5, 6])
def test_what_follows_from_a_full_share_is_exact(width: int):
    """All sets of cells on two lines: what all ways to put as many stars there as fit have in common."""
    size = width
    cells = range(2 * width)
    empty = Puzzle(size, 1, tuple(1 + cell % (size - 1) for cell in range(size**2)), UNKNOWN * size**2)
    for code in range(1, 1 << 2 * width, 1 if width == 5 else 7):
        own = [cell for cell in cells if code >> cell & 1]
        regions = tuple(0 if cell in own else region for cell, region in enumerate(empty.regions))
        cases = counting(Puzzle(size, 1, regions, empty.marks))
        cases.first_line, cases.odd, cases.pairs = 0, False, (size + 1) // 2
        ways = _ways(own, len(own), size)
        most = max(map(len, ways))
        ways = [way for way in ways if len(way) == most]
        cases.measure(0)
        assert cases.fit[0] == most
        cases.fill_shared(0, 0)
        assert not cases.broken
        for cell in cells:
            holds = [cell in way for way in ways]
            near = [any(_touch(cell, star, size) for star in way) for way in ways]
            assert cases.known[cell] == (1 if all(holds) else 2 if not any(holds) and all(near) else 0), (own, cell)


@pytest.mark.parametrize("odd", [False, True])
def test_shares_are_those_of_every_way_to_share(odd: bool):
    dice = Random(21)
    broken = crossed = 0
    for puzzle, expected in [pair for pair in random_boards(240) if pair[0].size <= 6]:
        cases = counting(puzzle)
        if cases.broken:
            continue
        for cell in dice.sample(range(puzzle.size**2), dice.randrange(3 * puzzle.size)):
            if cases.known[cell] == 0:
                cases.known[cell] = 2  # whatever is known, what follows must be true of it
        known = bytes(cases.known)
        left = [stars for stars in expected if all((m == 1) == (c in stars) for c, m in enumerate(known) if m)]
        cases.count_shares(dice.choice((0, puzzle.size)), odd)
        if cases.broken:
            broken += 1
            assert left == []
            continue
        crossed += bytes(cases.known) != known
        for stars in left:
            assert all((mark == 1) == (cell in stars) for cell, mark in enumerate(cases.known) if mark)
    assert min(broken, crossed) > 3


def test_how_many_placements_are_begun_is_how_many_ways_there_are():
    """So it never grows as more is known, and the checker concludes whatever the solver did."""
    dice = Random(6)
    for _ in range(60):
        size, stars = dice.choice(((6, 1), (8, 2), (12, 3)))
        puzzle = random_puzzle(dice, size, stars)
        cases = counting(puzzle)
        cases.count_placements(2 * size)
        ways = len(_ways([cell for cell, region in enumerate(puzzle.regions) if region == 0], stars, size)) - 1
        assert cases.begun == min(ways, plain().MAX_BEGUN + 1)


# Whole proofs


@pytest.mark.parametrize("count", [120, *slow([1500])])
def test_what_counting_alone_refutes_has_no_solution(count: int):
    refuted = unique = 0
    for puzzle, expected in random_boards(count):
        if violations(puzzle, claim(puzzle, [0])) == []:
            assert expected == []
            refuted += 1
        for stars in expected[:2]:
            if violations(puzzle, claim(puzzle, [0], stars)) == []:
                assert expected == [stars]
                unique += 1
    assert refuted > count // 10
    assert unique > count // 10


@cache
def proved() -> list[tuple[Puzzle, list[Cells], dict[str, Any]]]:
    """Return puzzles with their solutions and a proof of several cases."""
    dice, found = Random(8), []
    while len(found) < 40:
        size = dice.choice((6, 7))
        make = random_puzzle if dice.random() < 0.5 else solvable_puzzle
        puzzle = make(dice, size, 1, connected=dice.random() < 0.3, marks=dice.randrange(4))
        answer = solvent.ask(puzzle, "unique")
        if answer.certificate is not None and len(answer.certificate.get("cases", [])) > 1:
            found.append((puzzle, solutions(puzzle), dict(answer.certificate)))
    return found


def test_the_solver_and_brute_force_agree():
    verdicts = set()
    for puzzle, expected in random_boards(120):
        answer = solvent.ask(puzzle, "unique")
        assert answer.verdict is (Verdict.YES if len(expected) == 1 else Verdict.NO)
        verdicts.add((answer.verdict, "cases" in (answer.certificate or {})))
    assert verdicts == {(Verdict.YES, True), (Verdict.NO, True), (Verdict.NO, False)}


@pytest.mark.parametrize("copies", [25, *slow([500])])
def test_no_changed_proof_of_what_is_false_is_accepted(copies: int):
    dice, accepted, rejected = Random(10), 0, 0
    for puzzle, expected, certificate in proved():
        for _ in range(copies):
            changed = mutate(dice, certificate, [])
            if find_violations(solvent.registry.get_domain("starbattle"), puzzle, changed):
                rejected += 1
                continue
            accepted += 1
            if changed["form"] == "refutation":
                assert (changed["verdict"], expected) == ("NO", [])
            else:
                stars = frozenset(row * puzzle.size + col for row, col in changed["stars"])
                assert (changed["form"], expected) == ("only solution", [stars])
    assert rejected > accepted > 0


def test_cases_of_one_board_prove_nothing_false_of_another():
    proofs = [certificate["cases"] for _, _, certificate in proved()]
    for puzzle, expected, _ in proved():
        if expected:
            assert all(violations(puzzle, claim(puzzle, cases)) for cases in proofs)


def test_missing_and_left_over_cases_are_told_apart():
    puzzle, _, certificate = next(found for found in proved() if len(found[2]["cases"]) > 4)
    cases = certificate["cases"]
    for count in range(len(cases)):
        [found] = violations(puzzle, {**certificate, "cases": cases[:count]})
        assert "too early" in found or "does not end" in found
    assert violations(puzzle, {**certificate, "cases": [*cases, 0]}) == [
        f"cases, entry {len(cases)}: there are entries behind the last case"
    ]
    assert violations(puzzle, {**certificate, "cases": [puzzle.size**2 + 1, 0, 0]})[0].startswith("cases: expected num")
    both = {**certificate, "proof": "0\n"}
    assert violations(puzzle, both) == ["expected either a proof or cases, found both"]
    neither = {key: value for key, value in certificate.items() if key != "cases"}
    assert violations(puzzle, neither) == ["expected either a proof or cases, found neither"]


@pytest.mark.parametrize("stars", [2, 3, 4, 5, 6, 8, 9])
def test_no_case_loses_a_solution_of_the_narrowest_board(stars: int):
    """Beyond 6 stars, which only a board built by hand can want, the checker counts nothing."""
    dice, size = Random(stars), 4 * stars + 1
    for number in range(4):
        placed = {row * size + (2 * row + 4 * star) % size for row in range(size) for star in range(stars)}
        assert len({cell % size for cell in placed}) == size
        shuffled = dice.sample(sorted(placed), len(placed))
        region = {cell: place // stars for place, cell in enumerate(shuffled)}
        regions = tuple(region.get(cell, dice.randrange(size)) for cell in range(size**2))
        marks = "".join("*" if cell in placed and dice.random() < number / 3 else "." for cell in range(size**2))
        [found] = case_violations(Puzzle(size, stars, regions, marks), [0], None)
        assert ("does not end this case" in found) is (stars <= 6)


def test_boards_beyond_what_files_can_hold_are_refused():
    """Sets of lines and regions are kept as bits, which end somewhere; no count may come near that."""
    size = 33
    puzzle = Puzzle(size, 1, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2)
    assert case_violations(puzzle, [0], None) == ["cases: expected at most 25 rows, found 33"]
    with pytest.raises(ValueError, match="expected a board of up to 25×25"):
        violations(puzzle, claim(puzzle, [0]))


def test_endless_cases_within_each_other_are_refused():
    puzzle = Puzzle(4, 1, (0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3), UNKNOWN * 16)
    [found] = violations(puzzle, claim(puzzle, [2] * 100_000))
    assert found == "cases, entry 17: there are more cases within each other than the board has cells"


def test_a_check_of_many_cases_can_be_stopped():
    puzzle, _, certificate = proved()[0]
    meter = Budget(seconds=0).start()
    with pytest.raises(LimitReached):
        violations(puzzle, certificate, meter)


def test_compiled_or_not_the_search_writes_the_same_and_both_are_followed():
    for puzzle, _, certificate in proved()[:12]:
        search = Search(puzzle, by_cases=True)
        assert search.run(2, Budget().start()) is Ending.EXHAUSTED
        assert search.cases() == certificate["cases"]
        stars = certificate.get("stars")
        known = None if stars is None else [row * puzzle.size + col for row, col in stars]
        entries = certificate["cases"]
        cases = plain().Cases(puzzle, row_of(entries, SHORT), len(entries), known)
        assert cases.follow(1 << 30) == plain().FINISHED
        assert json.loads(json.dumps(entries)) == entries
