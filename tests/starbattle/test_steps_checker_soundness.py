"""Whatever step the checker accepts is true in every solution: random witnesses of each technique against brute force.

The witnesses are made here, blindly: random units, random covers, random cells. Most show nothing and are refused.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest

from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import violations
from solvent.starbattle.checker.steps import TECHNIQUES
from solvent.starbattle.checker.steps.board import NotShown, board_of
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.refutation import Refutation, refute
from starbattle.boards import in_order, solvable_puzzle
from starbattle.brute_force import is_solution, solutions

Cell = tuple[int, int]
Unit = tuple[str, int]
Witness = dict[str, Any]
KINDS = ("row", "column", "region")
VALUES = ("star", "cross")


# What is true


@cache
def fillings(size: int, stars: int) -> list[frozenset[int]]:
    """Return all ways to fill the lines, whatever the regions."""
    return solutions(Puzzle(size, stars, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2))


def all_solutions(puzzle: Puzzle) -> list[frozenset[int]]:
    marked = {cell for cell, mark in enumerate(puzzle.marks) if mark == STAR}
    crossed = {cell for cell, mark in enumerate(puzzle.marks) if mark == CROSS}
    fitting = [cells for cells in fillings(puzzle.size, puzzle.stars) if marked <= cells and not crossed & cells]
    return [cells for cells in fitting if is_solution(puzzle, cells)]


class Trial:
    """Hold a board with its solutions, and read it in the test's own way."""

    def __init__(self, dice: Random, puzzle: Puzzle) -> None:
        self.dice, self.puzzle, self.size = dice, puzzle, puzzle.size
        self.board = board_of(puzzle)
        found = all_solutions(puzzle)
        assert found
        self.ever = {divmod(cell, self.size) for cells in found for cell in cells}
        self.always = {divmod(cell, self.size) for cell in frozenset.intersection(*found)}
        self.cells = [divmod(cell, self.size) for cell in range(self.size**2)]
        self.units = [(kind, number) for kind in KINDS for number in range(self.size)]
        self.stars = [cell for cell in self.cells if self.mark(cell) == STAR]
        self.needs = {unit: puzzle.stars - sum(self.has(unit, star) for star in self.stars) for unit in self.units}
        self.open = [cell for cell in self.cells if self.is_open(cell)]

    def mark(self, cell: Cell) -> str:
        return self.puzzle.marks[cell[0] * self.size + cell[1]]

    def has(self, unit: Unit, cell: Cell) -> bool:
        region = self.puzzle.regions[cell[0] * self.size + cell[1]]
        return {"row": cell[0], "column": cell[1], "region": region}[unit[0]] == unit[1]

    def is_open(self, cell: Cell) -> bool:
        near = any(max(abs(cell[0] - row), abs(cell[1] - col)) <= 1 for row, col in self.stars)
        full = any(self.needs[unit] == 0 and self.has(unit, cell) for unit in self.units)
        return self.mark(cell) == UNKNOWN and not near and not full

    def open_in(self, units: list[Unit]) -> set[Cell]:
        return {cell for cell in self.open if any(self.has(unit, cell) for unit in units)}

    def need(self, units: list[Unit]) -> int:
        return sum(self.needs[unit] for unit in units)

    def some(self, kind: str, most: int = 3) -> list[Unit]:
        numbers = self.dice.sample(range(self.size), self.dice.randint(1, min(most, self.size)))
        return [(kind, number) for number in sorted(numbers)]

    def cover(self, cells: set[Cell]) -> list[Cell]:
        """Cover cells by blocks, greedily from a random cell on; sometimes with fewer or more than it takes."""
        left, blocks = sorted(cells), []
        while left:
            row, col = self.dice.choice(left) if self.dice.randrange(3) == 0 else left[0]
            corners = [(r, c) for r in (row, row - 1) for c in (col, col - 1) if r >= 0 and c >= 0]
            self.dice.shuffle(corners)
            best = max(corners, key=lambda corner: sum(in_block(corner, cell) for cell in left))
            blocks.append(best)
            left = [cell for cell in left if not in_block(best, cell)]
        return sorted(blocks)


def in_block(corner: Cell, cell: Cell) -> bool:
    return 0 <= cell[0] - corner[0] <= 1 and 0 <= cell[1] - corner[1] <= 1


def far(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1


# Witnesses, one maker a technique


def star_witness(trial: Trial) -> Iterator[Witness]:
    yield from ({"star": star} for star in trial.stars)


def unit_witness(trial: Trial) -> Iterator[Witness]:
    yield from ({"unit": unit} for unit in trial.units)


def tiling_witness(trial: Trial) -> Iterator[Witness]:
    yield from ({"unit": unit, "blocks": trial.cover(trial.open_in([unit]))} for unit in trial.units)


def placements_witness(trial: Trial) -> Iterator[Witness]:
    for unit in trial.units:
        ways = combinations(sorted(trial.open_in([unit])), trial.needs[unit])
        fitting = [list(way) for way in ways if all(far(one, other) for one, other in combinations(way, 2))]
        yield {"unit": unit, "placements": fitting}


def reserved_witness(trial: Trial) -> Iterator[Witness]:
    for into in trial.units:
        for kind in KINDS:
            units = [unit for unit in trial.some(kind, trial.dice.randint(1, 3)) if unit != into]
            if kind != into[0] and units:
                yield {
                    "into": into,
                    "from": [
                        {"unit": unit, "blocks": trial.cover(trial.open_in([unit]) - trial.open_in([into]))}
                        for unit in units
                    ],
                }


def exclusion_witness(trial: Trial, most: int = 1) -> Iterator[Witness]:
    for cell in trial.open:
        for _ in range(4):
            units = trial.some(trial.dice.choice(KINDS), most)
            room = {other for other in trial.open_in(units) if far(cell, other)}
            if most > 1:
                filled = [unit for unit in trial.units if trial.needs[unit] == 1 and trial.has(unit, cell)]
                room -= trial.open_in(filled)
            yield {"cell": cell, "plus": units, "blocks": trial.cover(room)}


def pressured_witness(trial: Trial) -> Iterator[Witness]:
    yield from exclusion_witness(trial, most=3)


def counting_pairs(trial: Trial, one: str, other: str) -> Iterator[tuple[list[Unit], list[Unit]]]:
    """Yield units of one kind, and those of another kind whose open cells lie in them."""
    for _ in range(12):
        outer = trial.some(one, trial.size - 1)
        inside = [(other, number) for number in range(trial.size)]
        inner = [unit for unit in inside if trial.open_in([unit]) <= trial.open_in(outer)]
        inner = [unit for unit in inner if trial.needs[unit]] if trial.dice.randrange(2) else inner
        if inner:
            yield outer, inner


def undercounting_witness(trial: Trial) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for lines, regions in counting_pairs(trial, kind, "region"):
            yield {"lines": lines, "regions": regions}


def overcounting_witness(trial: Trial) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for regions, lines in counting_pairs(trial, "region", kind):
            yield {"lines": lines, "regions": regions}


def fish_witness(trial: Trial) -> Iterator[Witness]:
    for columns, rows in counting_pairs(trial, "column", "row"):
        yield {"rows": rows, "columns": [number for _, number in columns], "base": "rows"}
    for rows, columns in counting_pairs(trial, "row", "column"):
        yield {"rows": [number for _, number in rows], "columns": columns, "base": "columns"}


def squeeze_witness(trial: Trial) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for number in range(trial.size - 1):
            lines = [(kind, number), (kind, number + 1)]
            yield {"lines": lines, "blocks": trial.cover(trial.open_in(lines))}


def two_kinds(trial: Trial) -> tuple[str, str]:
    one, other = trial.dice.sample(KINDS, 2)
    return one, other


def composite_witness(trial: Trial) -> Iterator[Witness]:
    for _ in range(3):
        for plus, minus in counting_pairs(trial, *two_kinds(trial)):
            inside = trial.open_in(plus) - trial.open_in(minus)
            yield {"plus": plus, "minus": minus, "blocks": trial.cover(inside)}


def finned_witness(trial: Trial) -> Iterator[Witness]:
    for _ in range(80):
        one, other = two_kinds(trial)
        plus, minus = trial.some(one), trial.some(other)
        yield {"plus": plus, "minus": minus, "fins": sorted(trial.open_in(minus) - trial.open_in(plus))}


def differential_witness(trial: Trial) -> Iterator[Witness]:
    for _ in range(60):
        one, other = two_kinds(trial)
        plus, minus = trial.some(one), trial.some(other) if trial.dice.randrange(6) else []
        inside = trial.open_in(plus) - trial.open_in(minus)
        yield {"plus": plus, "minus": minus, "blocks": trial.cover(inside)}


def known_areas(trial: Trial) -> Iterator[Witness]:
    for unit in trial.units:
        cells = trial.open_in([unit])
        yield {"plus": [unit], "minus": [], "blocks": [], "cells": sorted(cells), "count": trial.needs[unit]}
    for maker in (composite_witness, differential_witness):
        for witness in maker(trial):
            cells = trial.open_in(witness["plus"]) - trial.open_in(witness["minus"])
            count = trial.need(witness["plus"]) - trial.need(witness["minus"])
            yield {**witness, "blocks": [], "cells": sorted(cells), "count": max(count, 0)}
            if len(witness["blocks"]) == count:
                for block in witness["blocks"]:
                    yield {**witness, "cells": sorted(cell for cell in cells if in_block(block, cell)), "count": 1}


def shapes_witness(trial: Trial) -> Iterator[Witness]:
    small = [area for area in known_areas(trial) if 0 < len(area["cells"]) <= 8 and area["count"]]
    pairs = [(a, b) for a, b in combinations(small, 2) if not set(a["cells"]) & set(b["cells"])]
    for pair in trial.dice.sample(pairs, min(20, len(pairs))):
        yield {"areas": list(pair), "shape": trial.dice.choice(["kissing Ls", "M", "pressured T", "pair"])}


def rooks_witness(trial: Trial) -> Iterator[Witness]:
    bands = range(trial.size // 2)
    starred = {(row // 2, col // 2) for row, col in trial.stars}
    for base in ("rows", "columns"):
        for chosen in [list(some) for count in (1, 2) for some in combinations(bands, count)]:
            lacking = [[j for j in bands if ((i, j) if base == "rows" else (j, i)) not in starred] for i in chosen]
            cover = sorted({j for found in lacking for j in found})
            for across in (cover, trial.dice.sample(bands, len(chosen)), []):
                rows, columns = (chosen, across) if base == "rows" else (across, chosen)
                for name in ("full", "empty"):
                    # one block at a time, so that one that is not shown does not spoil the others
                    for block in [(i, j) for i in bands for j in bands]:
                        yield {"rows": rows, "columns": columns, "base": base, "full": [], "empty": [], name: [block]}


def contradiction(trial: Trial, puzzle: Puzzle) -> Witness | None:
    """Look for a unit, or the lack of one, that cannot have its stars on a board that may have no solution."""
    board = board_of(puzzle)
    for unit in trial.units:
        cells = {cell for cell in board.open if trial.has(unit, cell)}
        blocks = trial.cover(cells)
        if len(blocks) < board.needs[unit]:
            return {"plus": [unit], "minus": [], "blocks": blocks}
        if board.needs[unit] < 0:
            return {"plus": [], "minus": [unit], "blocks": []}
    return None


def marked(puzzle: Puzzle, stars: Any, crosses: Any) -> Puzzle:
    marks = list(puzzle.marks)
    for cells, mark in ((stars, STAR), (crosses, CROSS)):
        for row, col in cells:
            marks[row * puzzle.size + col] = mark
    return replace(puzzle, marks="".join(marks))


def simple_steps(trial: Trial, puzzle: Puzzle) -> Iterator[tuple[str, Witness]]:
    board = board_of(puzzle)
    for unit in trial.units:
        yield "full unit", {"unit": unit}
        yield "exact fill", {"unit": unit}
        yield "tiling", {"unit": unit, "blocks": trial.cover({c for c in board.open if trial.has(unit, c)})}
    yield from (("neighbour", {"star": cell}) for cell in trial.cells if board.mark(cell) == STAR)


def follow(trial: Trial, puzzle: Puzzle, *, inner: bool) -> tuple[list[Witness], Witness | None]:
    """Take simple steps while there are any; returns them and the contradiction they end in, if they do."""
    steps: list[Witness] = []
    while True:
        end = contradiction(trial, puzzle)
        if end is not None:
            return steps, end
        step = None
        if inner:
            inner = False  # one is enough to see
            left = sorted(board_of(puzzle).open)
            tries = [(cell, value) for cell in trial.dice.sample(left, min(4, len(left))) for value in VALUES]
            made = (hypothesis_on(trial, puzzle, cell, value) for cell, value in tries)
            step = next(filter(None, (stepped(puzzle, "hypothesis", found) for found in made if found)), None)
        if step is None:
            steps_here = (stepped(puzzle, *found) for found in simple_steps(trial, puzzle))
            step = next(filter(None, steps_here), None)
        if step is None:
            return steps, None
        steps.append(step)
        puzzle = marked(puzzle, step["stars"], step["crosses"])


def stepped(puzzle: Puzzle, technique: str, witness: Witness) -> Witness | None:
    """Write down all that a witness shows as a step, if it shows anything new."""
    board = board_of(puzzle)
    try:
        found = TECHNIQUES[technique](board, witness)
    except NotShown:
        return None
    stars, crosses = ([c for c in sorted(cells) if board.mark(c) == UNKNOWN] for cells in (found.stars, found.crosses))
    if (not stars and not crosses) or set(stars) & set(crosses):
        return None
    return {"technique": technique, "stars": stars, "crosses": crosses, "witness": witness}


def hypothesis_on(trial: Trial, puzzle: Puzzle, cell: Cell, value: str, *, inner: bool = False) -> Witness | None:
    supposed = marked(puzzle, [cell] if value == "star" else [], [cell] if value == "cross" else [])
    steps, end = follow(trial, supposed, inner=inner)
    return None if end is None else {"cell": cell, "value": value, "steps": steps, "contradiction": end}


def hypothesis_witness(trial: Trial, *, inner: bool = False) -> Iterator[Witness]:
    for cell in trial.dice.sample(trial.open, min(3, len(trial.open))):
        for value in VALUES:
            made = hypothesis_on(trial, trial.puzzle, cell, value, inner=inner)
            if made is not None and (not inner or any(step["technique"] == "hypothesis" for step in made["steps"])):
                yield made


def nested_witness(trial: Trial) -> Iterator[Witness]:
    if trial.size <= 6:
        yield from hypothesis_witness(trial, inner=True)


MAKERS: dict[str, Callable[[Trial], Iterator[Witness]]] = {
    "neighbour": star_witness,
    "full unit": unit_witness,
    "exact fill": unit_witness,
    "tiling": tiling_witness,
    "placements": placements_witness,
    "reserved area": reserved_witness,
    "exclusion": exclusion_witness,
    "pressured exclusion": pressured_witness,
    "undercounting": undercounting_witness,
    "overcounting": overcounting_witness,
    "squeeze": squeeze_witness,
    "composite shape": composite_witness,
    "finned count": finned_witness,
    "set differential": differential_witness,
    "shapes": shapes_witness,
    "fish": fish_witness,
    "n-rooks": rooks_witness,
    "hypothesis": hypothesis_witness,
    "nested hypothesis": nested_witness,
}

SIZES = ((4, 1), (5, 1), (6, 1), (6, 1), (7, 1), (8, 2), (8, 1), (9, 2))


def trials(seed: int, count: int) -> Iterator[Trial]:
    """Make boards with a solution and marks that agree with it, regions connected or not."""
    dice = Random(seed)
    for number in range(count):
        size, stars = SIZES[number % len(SIZES)]
        marks = dice.randrange(size**2 * 2 // 3)
        yield Trial(dice, solvable_puzzle(dice, size, stars, connected=dice.randrange(3) > 0, marks=marks))


def spoilt(dice: Random, witness: Witness, size: int) -> Witness:
    """Change one thing somewhere in a witness: a number, a word, a list that loses or repeats a part."""
    changed = msgspec.json.decode(msgspec.json.encode(witness))
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [changed]
    while waiting:
        value = waiting.pop()
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], dict | list):
                waiting.append(value[key])
    holder, key = dice.choice(places)
    value = holder[key]
    if isinstance(value, int):
        holder[key] = dice.choice([value + 1, max(0, value - 1), dice.randrange(size)])
    elif isinstance(value, str):
        words = ("row", "column", "region", "rows", "columns", "star", "cross", "tiling", "exact fill")
        holder[key] = dice.choice(words)
    elif isinstance(value, list) and value and dice.randrange(2):
        value.pop(dice.randrange(len(value)))
    elif isinstance(value, list) and value:
        value.insert(dice.randrange(len(value) + 1), copy.deepcopy(dice.choice(value)))
    return changed


def assert_true_if_accepted(trial: Trial, technique: str, witness: Witness) -> bool:
    """See that all a witness shows is true; returns whether it shows anything."""
    try:
        found = TECHNIQUES[technique](trial.board, witness)
    except (NotShown, msgspec.ValidationError):
        return False
    shown = (trial.puzzle, technique, witness)
    assert found.stars <= trial.always, shown
    assert not found.crosses & trial.ever, shown
    step = stepped(trial.puzzle, technique, witness)
    if step is None:
        return False
    assert (
        violations(trial.puzzle, make_certificate("starbattle", "forced", Verdict.YES, "explained step", **step)) == []
    )
    return True


def run(technique: str, seed: int, boards: int, most: int = 400) -> Counter[str]:
    """Try witnesses on boards, as they are and spoilt, until so many were accepted."""
    counts: Counter[str] = Counter()
    for trial in trials(seed, boards):
        for witness in MAKERS[technique](trial):
            counts["tried"] += 1
            if assert_true_if_accepted(trial, technique, witness):
                counts["accepted"] += 1
                for _ in range(3):
                    counts["spoilt"] += 1
                    changed = spoilt(trial.dice, witness, trial.size)
                    counts["spoilt and accepted"] += assert_true_if_accepted(trial, technique, changed)
        if counts["accepted"] >= most:
            break
    return counts


def test_every_technique_has_a_maker():
    assert set(MAKERS) | {"uniqueness"} == set(TECHNIQUES)


def test_the_fillings_agree_with_brute_force():
    for trial in trials(3, 10):
        if trial.size < 8:
            assert set(all_solutions(trial.puzzle)) == set(solutions(trial.puzzle))
        assert trial.open == sorted(trial.board.open)
        assert trial.needs == dict(trial.board.needs)


@pytest.mark.parametrize("technique", MAKERS)
def test_what_is_accepted_is_true(technique: str):
    least = 20 if "hypothesis" in technique else 50
    counts = run(technique, 11, 160, most=least)
    assert counts["accepted"] >= least
    assert counts["spoilt"] - counts["spoilt and accepted"] >= least


@pytest.mark.slow
@pytest.mark.parametrize("technique", MAKERS)
def test_what_is_accepted_is_true_on_many_boards(technique: str):
    least = 100 if "hypothesis" in technique else 250
    counts = run(technique, 12, 800, most=4 * least)
    assert counts["accepted"] >= least


# Uniqueness: the only technique whose witness takes a refutation


def rectangle_puzzle(dice: Random, size: int, stars: int) -> tuple[Puzzle, Cell, Cell]:
    """Make a board with a marked star and a cell opposite, the other corners in their regions, most crosses marked.

    The cell opposite may be a star as well: then the stars can often move, and there are two solutions.
    """
    puzzle = solvable_puzzle(dice, size, stars, connected=False)
    placed = {divmod(cell, size) for cell in all_solutions(puzzle)[0]}
    star = dice.choice(sorted(placed))
    cells = [(row, col) for row in range(size) for col in range(size) if row != star[0] and col != star[1]]
    opposite = dice.choice([cell for cell in cells if dice.randrange(2) or cell in placed])
    regions = list(puzzle.regions)
    pairs = [(star, (star[0], opposite[1])), (opposite, (opposite[0], star[1]))]
    for kept, corner in pairs:
        if corner not in placed:
            regions[corner[0] * size + corner[1]] = regions[kept[0] * size + kept[1]]
    corners = {opposite, *(corner for _, corner in pairs)}
    marks = ""
    for cell in (divmod(number, size) for number in range(size**2)):
        known = cell == star or (cell not in corners and dice.randrange(5) < (1 if cell in placed else 4))
        marks += UNKNOWN if not known else STAR if cell in placed else CROSS
    return Puzzle(size, stars, in_order(regions), marks), star, opposite


def without(puzzle: Puzzle, cell: Cell) -> Puzzle:
    place = cell[0] * puzzle.size + cell[1]
    return replace(puzzle, marks=puzzle.marks[:place] + UNKNOWN + puzzle.marks[place + 1 :])


def run_uniqueness(seed: int, boards: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    dice = Random(seed)
    for number in range(boards):
        size, stars = ((4, 1), (5, 1), (6, 1), (9, 2))[number % 4]
        puzzle, star, opposite = rectangle_puzzle(dice, size, stars)
        trial = Trial(dice, puzzle)
        freed = without(puzzle, star)
        found = all_solutions(freed)
        solution = max(found, key=lambda cells: cells in all_solutions(puzzle))
        refuted = refute(freed, Budget().start(), other_than=sorted(solution))
        proof = refuted.proof if isinstance(refuted, Refutation) else "0\n"
        corners = [star[0], opposite[0], star[1], opposite[1]]
        stars_of = [divmod(cell, size) for cell in sorted(solution)]
        witness = {"rectangle": corners, "star": star, "stars": stars_of, "proof": proof}
        shown = assert_true_if_accepted(trial, "uniqueness", witness)
        assert not shown or len(found) == 1
        counts["accepted"] += shown
        counts["accepted with two stars"] += shown and stars == 2
        counts["of several"] += len(found) > 1
        for _ in range(3):
            counts["spoilt and accepted"] += assert_true_if_accepted(trial, "uniqueness", spoilt(dice, witness, size))
    return counts


def test_what_uniqueness_shows_is_true():
    counts = run_uniqueness(21, 200)
    assert counts["accepted"] >= 7
    assert counts["of several"] >= 5


@pytest.mark.slow
def test_what_uniqueness_shows_is_true_on_many_boards():
    counts = run_uniqueness(22, 8_000)
    assert counts["accepted"] >= 300
    assert counts["accepted with two stars"] >= 1
