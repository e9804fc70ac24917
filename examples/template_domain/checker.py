"""Check certificates, slowly and obviously, with the rules stated anew. Imports neither the rules nor the solver.

A lamp changes when it, or a lamp beside it, is pressed. Solved means that every lamp is lit.
"""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError
from solvent.proof.closed_set import MAX_VIOLATIONS_LISTED, closed_set_violations
from solvent.proof.replay import replay_violations
from template_domain.model import Grid
from template_domain.notation import DARK, LIT, format_lamps, parse_cell

Lamps = tuple[bool, ...]


class Plan(msgspec.Struct, frozen=True):
    """The body of a YES: which lamps to press, in order."""

    plan: list[str]


class ClosedSet(msgspec.Struct, frozen=True):
    """The body of a NO: every state that presses can lead to, each as the lamps of all rows in one line."""

    states: list[str]


def violations(grid: Grid, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return every violation in a certificate's body; an empty list accepts it.

    `msgspec.convert` raises for a body of the wrong shape, naming the place; `solvent.check` makes that a violation.
    """
    claim = (certificate["question"], certificate["verdict"], certificate["form"])
    if claim == ("solvable", "YES", "plan"):
        return _plan_violations(grid, msgspec.convert(certificate, Plan), meter)
    if claim == ("solvable", "NO", "closed set"):
        return _closed_set_violations(grid, msgspec.convert(certificate, ClosedSet), meter)
    # Whatever is not known to be proof is none: a form of one verdict must never pass as a form of the other.
    return [f"a {claim[2]!r} is no proof of {claim[0]}: {claim[1]}"]


def _plan_violations(grid: Grid, body: Plan, meter: Meter) -> list[str]:
    def take(lamps: Lamps, press: str) -> Lamps | str:
        try:
            return _after(grid, lamps, parse_cell(grid, press))
        except ParseError as error:
            return str(error)

    def goal_violations(lamps: Lamps) -> list[str]:
        dark = lamps.count(False)
        return [f"at the end {dark} of {len(lamps)} lamps are dark: {format_lamps(lamps)}"] if dark else []

    return replay_violations(grid.lit, body.plan, take=take, goal_violations=goal_violations, meter=meter)


def _closed_set_violations(grid: Grid, body: ClosedSet, meter: Meter) -> list[str]:
    found = [
        f"states[{index}]: expected {len(grid.lit)} marks of {LIT!r} or {DARK!r}, found {state!r}"
        for index, state in enumerate(body.states)
        if len(state) != len(grid.lit) or not set(state) <= {LIT, DARK}
    ]
    if found:
        return found[:MAX_VIOLATIONS_LISTED]
    return closed_set_violations(
        (tuple(mark == LIT for mark in state) for state in body.states),
        grid.lit,
        successors=lambda lamps: (_after(grid, lamps, cell) for cell in range(len(lamps))),
        is_goal=all,
        show=format_lamps,
        meter=meter,
    )


def _after(grid: Grid, lamps: Lamps, pressed: int) -> Lamps:
    """Return the lamps after a press."""
    return tuple(lamp != _touch(grid, cell, pressed) for cell, lamp in enumerate(lamps))


def _touch(grid: Grid, a: int, b: int) -> bool:
    """Tell whether two cells are the same or side by side: at most one step apart."""
    return abs(a // grid.cols - b // grid.cols) + abs(a % grid.cols - b % grid.cols) <= 1
