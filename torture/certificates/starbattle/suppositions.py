"""Witnesses that suppose a mark and follow it to a contradiction, and those that argue with uniqueness."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from solvent.core.budget import Budget
from solvent.starbattle.checker.steps import TECHNIQUES
from solvent.starbattle.checker.steps.board import NotShown, board_of
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.refutation import Refutation, refute
from torture.certificates.starbattle import witnesses as plain
from torture.certificates.starbattle.witnesses import Cell, Position, Witness
from torture.instances.starbattle import in_order, solvable_puzzle
from torture.judges.starbattle import all_solutions

VALUES = ("star", "cross")


def contradiction(here: Position, puzzle: Puzzle) -> Witness | None:
    """Look for a unit, or the lack of one, that cannot have its stars on a board that may have no solution."""
    board = board_of(puzzle)
    for unit in here.units:
        cells = {cell for cell in board.open if here.has(unit, cell)}
        blocks = here.cover(cells)
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


def simple_steps(here: Position, puzzle: Puzzle) -> Iterator[tuple[str, Witness]]:
    board = board_of(puzzle)
    for unit in here.units:
        yield "full unit", {"unit": unit}
        yield "exact fill", {"unit": unit}
        yield "tiling", {"unit": unit, "blocks": here.cover({c for c in board.open if here.has(unit, c)})}
    yield from (("neighbour", {"star": cell}) for cell in here.cells if board.mark(cell) == STAR)


def follow(here: Position, puzzle: Puzzle, *, inner: bool) -> tuple[list[Witness], Witness | None]:
    """Take simple steps while there are any; returns them and the contradiction they end in, if they do."""
    steps: list[Witness] = []
    while True:
        end = contradiction(here, puzzle)
        if end is not None:
            return steps, end
        step = None
        if inner:
            inner = False  # one is enough to see
            left = sorted(board_of(puzzle).open)
            tries = [(cell, value) for cell in here.dice.sample(left, min(4, len(left))) for value in VALUES]
            made = (hypothesis_on(here, puzzle, cell, value) for cell, value in tries)
            step = next(filter(None, (stepped(puzzle, "hypothesis", found) for found in made if found)), None)
        if step is None:
            steps_here = (stepped(puzzle, *found) for found in simple_steps(here, puzzle))
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


def hypothesis_on(here: Position, puzzle: Puzzle, cell: Cell, value: str, *, inner: bool = False) -> Witness | None:
    supposed = marked(puzzle, [cell] if value == "star" else [], [cell] if value == "cross" else [])
    steps, end = follow(here, supposed, inner=inner)
    return None if end is None else {"cell": cell, "value": value, "steps": steps, "contradiction": end}


def hypothesis_witness(here: Position, *, inner: bool = False) -> Iterator[Witness]:
    for cell in here.dice.sample(here.open, min(3, len(here.open))):
        for value in VALUES:
            made = hypothesis_on(here, here.puzzle, cell, value, inner=inner)
            if made is not None and (not inner or any(step["technique"] == "hypothesis" for step in made["steps"])):
                yield made


def nested_witness(here: Position) -> Iterator[Witness]:
    if here.size <= 6:
        yield from hypothesis_witness(here, inner=True)


def search_witness(here: Position) -> Iterator[Witness]:
    """Refute marks, or pretend to."""
    for cell in here.dice.sample(here.open, min(4, len(here.open))):
        for value in VALUES:
            supposed = marked(here.puzzle, [cell] if value == "star" else [], [cell] if value == "cross" else [])
            refuted = refute(supposed, Budget().start())
            proof = refuted.proof if isinstance(refuted, Refutation) else "0\n"
            yield {"cell": cell, "value": value, "proof": proof}


MAKERS: dict[str, Callable[[Position], Iterator[Witness]]] = {
    "neighbour": plain.star_witness,
    "full unit": plain.unit_witness,
    "exact fill": plain.unit_witness,
    "tiling": plain.tiling_witness,
    "placements": plain.placements_witness,
    "reserved area": plain.reserved_witness,
    "exclusion": plain.exclusion_witness,
    "pressured exclusion": plain.pressured_witness,
    "undercounting": plain.undercounting_witness,
    "overcounting": plain.overcounting_witness,
    "squeeze": plain.squeeze_witness,
    "composite shape": plain.composite_witness,
    "finned count": plain.finned_witness,
    "set differential": plain.differential_witness,
    "shapes": plain.shapes_witness,
    "fish": plain.fish_witness,
    "n-rooks": plain.rooks_witness,
    "hypothesis": hypothesis_witness,
    "nested hypothesis": nested_witness,
    "search": search_witness,
}
"""What makes witnesses of each technique; `uniqueness` needs a board made for it."""


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


def uniqueness_witness(puzzle: Puzzle, star: Cell, opposite: Cell) -> Witness:
    """Argue that the cell opposite a star stays empty, with the best proof there is that there is one solution."""
    freed = without(puzzle, star)
    kept = all_solutions(puzzle)
    solution = max(all_solutions(freed), key=lambda cells: cells in kept)
    refuted = refute(freed, Budget().start(), other_than=sorted(solution))
    proof = refuted.proof if isinstance(refuted, Refutation) else "0\n"
    return {
        "rectangle": [star[0], opposite[0], star[1], opposite[1]],
        "star": star,
        "stars": [divmod(cell, puzzle.size) for cell in sorted(solution)],
        "proof": proof,
    }
