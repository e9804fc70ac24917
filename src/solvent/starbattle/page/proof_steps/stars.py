"""Solutions as steps: row by row where the stars stand, and where two solutions differ."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import counted, listed, plural
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle

MAX_NAMED = 12


def solution_steps(puzzle: Puzzle, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Place the stars row by row, then say that they are enough everywhere."""
    marks = list(puzzle.marks)
    for row in range(puzzle.size):
        meter.checkpoint()
        cells = sorted(row * puzzle.size + col for at, col in certificate["stars"] if at == row)
        names = listed([format_cell(cell, puzzle.size) for cell in cells])
        regions = sorted({puzzle.regions[cell] for cell in cells})
        where = f"{plural(len(regions), 'region')} {listed([format_region(region) for region in regions])}"
        text = f"Row {row + 1} has its {counted(len(cells), 'star')} on {names}, in {where}."
        pairs = [list(divmod(cell, puzzle.size)) for cell in cells]
        yield ProofStep(text=text, marks={"position": "".join(marks), "rows": [row], "stars": pairs})
        for cell in cells:
            marks[cell] = STAR
    everywhere = f"Every row, column and region now has {counted(puzzle.stars, 'star')}, and no two touch: a solution."
    yield ProofStep(text=everywhere, marks={"position": "".join(marks)})


def two_solutions_steps(puzzle: Puzzle, certificate: Certificate, _meter: Meter) -> Iterator[ProofStep]:
    """Show one solution, the other, and where they differ."""
    solutions = [sorted(map(tuple, stars)) for stars in certificate["solutions"]]
    bare = UNKNOWN * len(puzzle.marks)
    for name, stars in zip(("One solution", "Another solution"), solutions, strict=True):
        pairs = [list(cell) for cell in stars]
        text = (
            f"{name}: {counted(len(stars), 'star')}, as many as wanted in every row, column and region, none touching."
        )
        yield ProofStep(text=text, marks={"position": bare, "stars": pairs})
    one, other = map(set, solutions)
    differing = sorted(one ^ other)
    names = listed([format_cell(row * puzzle.size + col, puzzle.size) for row, col in differing], MAX_NAMED)
    marks = "".join(STAR if divmod(cell, puzzle.size) in one & other else UNKNOWN for cell in range(len(bare)))
    rings = [list(cell) for cell in differing]
    yield ProofStep(
        text=f"They differ on {names}. So there is more than one.", marks={"position": marks, "rings": rings}
    )
