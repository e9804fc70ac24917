"""Put what the solvers find into certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate
from solvent.starbattle.model import Puzzle


def stars_certificate(puzzle: Puzzle, stars: Sequence[int]) -> dict[str, Any]:
    """Certify that the puzzle is solvable, by the cells of the stars."""
    return make_certificate(puzzle.domain, "solvable", Verdict.YES, "stars", stars=_pairs(puzzle, stars))


def only_solution_certificate(puzzle: Puzzle, stars: Sequence[int], **proof: Any) -> dict[str, Any]:
    """Certify that the solution is unique, by its stars and what proves that there is no other: `proof` or `cases`."""
    return make_certificate(puzzle.domain, "unique", Verdict.YES, "only solution", stars=_pairs(puzzle, stars), **proof)


def two_solutions_certificate(puzzle: Puzzle, one: Sequence[int], other: Sequence[int]) -> dict[str, Any]:
    """Certify that the solution is not unique, by two of them."""
    solutions = sorted([_pairs(puzzle, one), _pairs(puzzle, other)])
    return make_certificate(puzzle.domain, "unique", Verdict.NO, "two solutions", solutions=solutions)


def refutation_certificate(puzzle: Puzzle, question: str, **proof: Any) -> dict[str, Any]:
    """Certify that the puzzle is not solvable, and so not unique either, by `proof` or `cases`."""
    return make_certificate(puzzle.domain, question, Verdict.NO, "refutation", **proof)


def _pairs(puzzle: Puzzle, cells: Sequence[int]) -> list[list[int]]:
    """Write cells as [row, col] from 0, in order."""
    return [list(divmod(cell, puzzle.size)) for cell in sorted(cells)]
