"""Uniqueness: a rectangle that could be filled in two ways, on a board that has one solution.

A star stands on one corner. Suppose the opposite corner has one too, and the other two corners lie in the same two
regions. If nothing else around those two corners can then be a star, both stars could move there: every row, column and
region keeps its number, and nothing touches. That would be a second solution. There is none, so the opposite corner
stays empty.

This argues from a fact the rules do not give, so it is offered only to those who ask, and only where it is proved that
the puzzle has one solution even without the mark on the star that would move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from msgspec import Struct

from solvent.core.budget import Budget, Meter
from solvent.starbattle.hints.application import Application, Highlights, Work, pairs
from solvent.starbattle.hints.phrases import name_cells
from solvent.starbattle.hints.position import Position, cells_in, set_of
from solvent.starbattle.model import UNKNOWN, Puzzle

NAME = "uniqueness"
TITLE = "Uniqueness"
DIFFICULTY = 18.0


class OnlySolution(Struct, frozen=True):
    """Hold the one solution of a puzzle and the proof that there is no other."""

    stars: tuple[int, ...]
    proof: str
    """A refutation, in DRUP text, of every other solution."""


Prover = Callable[[Puzzle], OnlySolution | None]
"""Prove that a puzzle has one solution, or return None if it has not, or if that cannot be shown."""


def prove_only_solution(
    puzzle: Puzzle, *, budget: Budget | None = None, meter: Meter | None = None
) -> OnlySolution | None:
    """Prove that a puzzle has one solution; None if it has more, or none, or the budget does not suffice.

    Give either a budget or a running meter.
    """
    from solvent.starbattle.solver.counting import count_solutions
    from solvent.starbattle.solver.refutation import Refutation, refute

    meter = meter or (budget or Budget()).start()
    seen = count_solutions(puzzle, most=2, meter=meter)
    if not seen.complete or seen.count != 1:
        return None
    found = refute(puzzle, meter, other_than=seen.solutions[0])
    return OnlySolution(seen.solutions[0], found.proof) if isinstance(found, Refutation) else None


def find(position: Position, work: Work, *, only_solution: Prover | None = None) -> Iterator[Application]:
    """Yield rectangles, by their star and then their opposite corner; nothing without a way to prove uniqueness."""
    if only_solution is None:
        return
    concluded = 0
    for star in cells_in(position.stars):
        proved: OnlySolution | None = None
        for opposite in cells_in(position.open & ~concluded):
            work.spend()
            if not _could_move(position, star, opposite):
                continue
            if proved is None:
                proved = only_solution(_without_mark(position.puzzle, star))
            if proved is None:
                break
            if opposite not in proved.stars:
                concluded |= 1 << opposite
                yield _application(position, star, opposite, proved)


def _corners(position: Position, star: int, opposite: int) -> tuple[int, int]:
    """Return the other two corners: one in the row of the star, one in its column."""
    (row, col), (other_row, other_col) = divmod(star, position.size), divmod(opposite, position.size)
    return row * position.size + other_col, other_row * position.size + col


def _could_move(position: Position, star: int, opposite: int) -> bool:
    """Tell whether stars on two opposite corners could as well stand on the other two."""
    geometry, regions = position.geometry, position.puzzle.regions
    if star // position.size == opposite // position.size or star % position.size == opposite % position.size:
        return False
    one, other = _corners(position, star, opposite)
    if sorted((regions[star], regions[opposite])) != sorted((regions[one], regions[other])):
        return False
    bits = 1 << one | 1 << other
    if position.unknown & bits != bits or geometry.touching[one] >> other & 1:
        return False
    supposed = position.marked(stars=[opposite])
    around = (geometry.touching[one] | geometry.touching[other]) & ~(1 << star | 1 << opposite)
    return not (supposed.open & (around | bits)) and not (position.stars & around)


def _without_mark(puzzle: Puzzle, cell: int) -> Puzzle:
    return replace(puzzle, marks=puzzle.marks[:cell] + UNKNOWN + puzzle.marks[cell + 1 :])


def _application(position: Position, star: int, opposite: int, proved: OnlySolution) -> Application:
    size = position.size
    others = set_of(_corners(position, star, opposite))
    (row, col), (other_row, other_col) = divmod(star, size), divmod(opposite, size)
    corner, far = name_cells(position, 1 << star), name_cells(position, 1 << opposite)
    return Application(
        technique=NAME,
        stars=0,
        crosses=1 << opposite,
        witness={
            "rectangle": [*sorted((row, other_row)), *sorted((col, other_col))],
            "star": [row, col],
            "stars": pairs(proved.stars, size),
            "proof": proved.proof,
        },
        because=f"With stars on {corner} and {far} there would be a second solution.",
        proof=(
            f"Suppose {far} is a star, opposite the one on {corner}.",
            f"The other two corners, {name_cells(position, others)}, lie in the same rows, columns and regions.",
            "Nothing else around these two corners can be a star.",
            "So both stars could move there, to a second solution.",
            "But it is proved that there is only one.",
        ),
        highlights=Highlights(causes=1 << star | others, units=()),
    )
