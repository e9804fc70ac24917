"""Check that there is no solution, or none but the one given: by a refutation of clauses, or by cases."""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.starbattle.checker.cases import Entry, case_violations
from solvent.starbattle.checker.stars import Number, broken_rules
from solvent.starbattle.model import Puzzle


class NoSolution(msgspec.Struct):
    """Hold the body of the form `refutation`, which has one of `proof` and `cases`."""

    proof: str | None = None
    """A refutation in DRUP text."""
    cases: list[Entry] | None = None
    """Cells to tell apart, and 0 where counting ends a case."""


class OnlySolution(msgspec.Struct):
    """Hold the body of the form `only solution`, which has one of `proof` and `cases`."""

    stars: list[tuple[Number, Number]]
    """The solution."""
    proof: str | None = None
    """A refutation, in DRUP text, of every other one."""
    cases: list[Entry] | None = None
    """Cells to tell apart, and 0 where counting ends a case, or leaves only the solution."""


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the proof does not exclude a solution, or one other than the stars, or an empty list."""
    if certificate["form"] == "refutation":
        none = msgspec.convert(certificate, NoSolution)
        return proof_violations(puzzle, none.proof, none.cases, None, meter)
    body = msgspec.convert(certificate, OnlySolution)
    broken = list(broken_rules(puzzle, body.stars))
    return broken or proof_violations(puzzle, body.proof, body.cases, body.stars, meter)


def proof_violations(
    puzzle: Puzzle, proof: str | None, cases: list[int] | None, stars: list[tuple[int, int]] | None, meter: Meter
) -> list[str]:
    """Follow whichever proof there is that no solution exists, or none but these stars."""
    if cases is not None and proof is None:
        return case_violations(puzzle, cases, stars, meter)
    if proof is None or cases is not None:
        return [f"expected either a proof or cases, found {'neither' if proof is None else 'both'}"]
    from solvent.proof.rup import refutation_violations  # its kernels load only where there are clauses
    from solvent.starbattle.checker.statements_kernel import Statements

    statements = Statements(puzzle)
    if stars is not None:
        # All solutions have equally many stars, so another one lacks one of these.
        statements.add([-statements.star(*cell) for cell in stars])
    return refutation_violations(statements.formula(), proof, meter)
