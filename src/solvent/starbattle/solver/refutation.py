"""Refute that a puzzle has a solution, or one other than given stars, with a CDCL solver."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.sat import SatSolver
from solvent.proof.trimming import trim_refutation
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.encoding import encode


class Refutation(Struct, frozen=True):
    """Hold a proof that there is no solution, or no other than the given one."""

    proof: str
    """DRUP text about the clauses of `encoding`, only the steps that matter; empty if no proof was asked for."""
    conflicts: int
    """How many conflicts it took to find."""


def refute(
    puzzle: Puzzle,
    meter: Meter,
    *,
    other_than: Sequence[int] | None = None,
    proof: bool = True,
    listen: Listener = ignore,
) -> Refutation | Reason | tuple[int, ...]:
    """Return a refutation, or the cells of the stars that show there is none, or why the search stopped.

    One conflict is one node. The proof is trimmed after the search, which takes about as long as the search did.
    """
    began = meter.nodes
    listen(Event(Kind.STAGE, "looking for a solution" if other_than is None else "looking for another solution", began))
    with SatSolver(encode(puzzle, other_than=other_than), with_proof=proof) as solver:
        satisfiable, reason = solver.solve(meter, listen=listen)
        if satisfiable is None:
            return reason or Reason(Cause.INCOMPLETE, "the SAT solver stopped")
        if satisfiable:
            stars = solver.model()[1 : puzzle.size**2 + 1]
            return tuple(cell for cell, star in enumerate(stars) if star)
        try:
            trimmed = trim_refutation(solver.clauses, solver.proof(), meter) if proof else ""
        except LimitReached as limit:
            return limit.reason
        return Refutation(trimmed, meter.nodes - began)
