"""The whole way from a position to its solution, and what it proves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from solvent.core.answer import Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.proof.certificate import make_certificate
from solvent.starbattle.hints.application import Stopped
from solvent.starbattle.hints.grading import StepEffort, effort_of_step
from solvent.starbattle.hints.position import Position, position_of
from solvent.starbattle.hints.steps import SearchRecord, Step, StepLimits, next_step
from solvent.starbattle.hints.techniques import LAST, SUPPOSING, difficulties, technique
from solvent.starbattle.hints.verifier import Verifier
from solvent.starbattle.model import Puzzle

_ENVELOPE = ("solvent", "domain", "question", "verdict", "form")


class Path:
    """Gather steps. Since each is forced, a path to the last star proves that there is exactly one solution."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.steps: list[Step] = []

    def add(self, step: Step) -> None:
        """Add the next step."""
        self.steps.append(step)

    def efforts(self) -> list[StepEffort]:
        """Return what each step takes, for grading."""
        return [effort_of_step(step.application.technique, step.application.witness) for step in self.steps]

    def certificate(self) -> dict[str, Any]:
        """Return the chain of all steps, as a certificate that the solution is unique."""
        puzzle = self.start.puzzle
        steps = [
            {key: value for key, value in step.certificate().items() if key not in _ENVELOPE} for step in self.steps
        ]
        return make_certificate(puzzle.domain, "unique", Verdict.YES, "explained chain", steps=steps)


def walk(
    start: Position,
    *,
    hardest: float = math.inf,
    stop: Callable[[], Reason | None] | None = None,
    meter: Meter | None = None,
) -> Path | None:
    """Walk from a position to its solution, all that a step proves at a time; its work is booked with the meter.

    Returns None if no step is found somewhere, or only one whose technique is harder than `hardest`, or once `stop`
    gives a reason.
    """
    known = difficulties()
    supposing = tuple(name for name in SUPPOSING if hardest >= technique(name).DIFFICULTY)
    limits = StepLimits(
        every_cell=True,
        supposing=supposing,
        searching=hardest >= technique(LAST).DIFFICULTY,
        stop=stop,
        meter=meter,
    )
    verifier = Verifier()
    path = Path(start)
    position = start
    while not position.complete:
        try:
            step = next_step(position, verifier, limits, SearchRecord())
        except Stopped:
            return None
        if step is None or known[step.application.technique] > hardest:
            return None
        path.add(step)
        position = step.taken()
    return path


def explained(puzzle: Puzzle, finding: Finding, meter: Meter) -> Finding:
    """Return the finding that a puzzle is unique with the chain of all steps as its certificate, if there is one.

    If the budget ends first, or no technique finds a step somewhere, the finding stays as it is and says so.
    """
    path = walk(position_of(puzzle), stop=meter.stop_reason, meter=meter)
    if path is None:
        why = meter.stop_reason() or "the techniques do not find every step"
        return replace(finding, because=f"There is no step-by-step proof: {why}.")
    steps = f"{len(path.steps)} steps, each forced, lead to the only solution." if path.steps else ""
    return replace(finding, certificate=path.certificate(), because=steps)
