"""Suppose a mark, follow it step by step to where stars have no room, and conclude the opposite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.steps.areas import area_of, parts
from solvent.starbattle.checker.steps.board import Board, Findings, NotShown, open_cell, with_marks
from solvent.starbattle.checker.steps.certificate_schema import MAX_CELLS, Cell, Tiles
from solvent.starbattle.checker.steps.stepping import StepBody, step_violations
from solvent.starbattle.checker.steps.techniques import PLAIN, Check

MAX_STEPS = 5_000
"""How many steps the hypotheses inside a nested one may have together, so that checking ends."""


class Hypothesis(msgspec.Struct):
    """Hold the witness of `hypothesis` and `nested hypothesis`."""

    cell: Cell
    value: Literal["star", "cross"]
    steps: Annotated[list[StepBody], msgspec.Meta(max_length=MAX_CELLS)]
    contradiction: Tiles
    """An area that needs more stars than there are blocks to cover it."""


def hypothesis(board: Board, witness: dict[str, Any]) -> Findings:
    """Return the opposite of a mark from which a contradiction follows by plain steps."""
    return _opposite(board, msgspec.convert(witness, Hypothesis), PLAIN)


def nested_hypothesis(board: Board, witness: dict[str, Any]) -> Findings:
    """Return the opposite of a mark from which a contradiction follows by plain steps and plain hypotheses."""
    body = msgspec.convert(witness, Hypothesis)
    inner = [step.witness.get("steps") for step in body.steps]
    count = sum(len(steps) for steps in inner if isinstance(steps, list | tuple))
    if count > MAX_STEPS:
        raise NotShown(f"expected at most {MAX_STEPS} steps inside, found {count}")
    return _opposite(board, body, {**PLAIN, "hypothesis": hypothesis})


def _opposite(board: Board, body: Hypothesis, techniques: Mapping[str, Check]) -> Findings:
    supposed = frozenset([open_cell(board, body.cell)])
    if body.value == "star":
        board = with_marks(board, stars=supposed)
    else:
        board = with_marks(board, crosses=supposed)
    for number, step in enumerate(board.meter.each(body.steps, every=1), start=1):
        violations = step_violations(board, step, techniques)
        if violations:
            raise NotShown(f"step {number}: {'; '.join(violations)}")
        board = with_marks(board, stars=step.stars, crosses=step.crosses)
    end = body.contradiction
    area = area_of(board, end.plus, end.minus)
    parts(board, end.blocks, area.inside)
    if len(end.blocks) >= area.count:
        blocks = counted(len(end.blocks), "block")
        raise NotShown(f"at the end there is still room for {counted(area.count, 'star')} in {blocks}")
    return Findings(crosses=supposed) if body.value == "star" else Findings(stars=supposed)
