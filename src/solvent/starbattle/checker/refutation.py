"""Check a refutation: follow the proof that no solution satisfies what holds in every solution."""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.proof.rup import refutation_violations
from solvent.starbattle.checker.stars import Number, broken_rules
from solvent.starbattle.checker.statements_kernel import Statements
from solvent.starbattle.model import Puzzle


class NoSolution(msgspec.Struct):
    """Hold the body of the form `refutation`."""

    proof: str
    """A refutation in DRUP text."""


class OnlySolution(msgspec.Struct):
    """Hold the body of the form `only solution`."""

    stars: list[tuple[Number, Number]]
    """The solution."""
    proof: str
    """A refutation, in DRUP text, of every other one."""


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the proof does not refute a solution, or one other than the stars, or an empty list."""
    statements = Statements(puzzle)
    if certificate["form"] == "refutation":
        return refutation_violations(statements.formula(), msgspec.convert(certificate, NoSolution).proof, meter)
    body = msgspec.convert(certificate, OnlySolution)
    broken = list(broken_rules(puzzle, body.stars))
    if broken:
        return broken
    # All solutions have equally many stars, so another one lacks one of these.
    statements.add([-statements.star(*cell) for cell in body.stars])
    return refutation_violations(statements.formula(), body.proof, meter)
