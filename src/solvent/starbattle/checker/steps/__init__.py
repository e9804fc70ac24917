"""Check explained steps: that what a step says of its cells follows from its witness, by the rules alone.

A step says that in every solution which keeps the marks some cells are stars and some are empty. Its witness names the
few units, cells and 2×2 blocks that show it. Each technique has one statement, restated here with the reason why it is
true; the checker works out all that follows from a witness and looks whether the step says no more.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.starbattle.checker.steps import hypothesis, searching, uniqueness
from solvent.starbattle.checker.steps.board import board_of
from solvent.starbattle.checker.steps.stepping import StepBody, step_violations
from solvent.starbattle.checker.steps.techniques import PLAIN, Check
from solvent.starbattle.model import Puzzle

TECHNIQUES: Mapping[str, Check] = {
    **PLAIN,
    "hypothesis": hypothesis.hypothesis,
    "nested hypothesis": hypothesis.nested_hypothesis,
    "search": searching.search,
    "uniqueness": uniqueness.uniqueness,
}
"""Each technique and what checks its witness."""


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the step does not follow, or an empty list."""
    meter.checkpoint()
    return step_violations(board_of(puzzle, meter), msgspec.convert(certificate, StepBody), TECHNIQUES)
