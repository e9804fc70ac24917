"""One step: cells without a mark, and a technique from whose witness they follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from solvent.core.errors import show_value
from solvent.starbattle.checker.steps.board import Board, NotShown, name, on_board
from solvent.starbattle.checker.steps.certificate_schema import Cell, Cells
from solvent.starbattle.checker.steps.techniques import Check
from solvent.starbattle.model import UNKNOWN


class StepBody(msgspec.Struct):
    """Hold a step as it is written."""

    technique: str
    stars: Cells
    crosses: Cells
    witness: dict[str, Any]
    """What it rests on; each technique has its own parts."""


def step_violations(board: Board, step: StepBody, techniques: Mapping[str, Check]) -> list[str]:
    """Return why the step does not follow on this board by one of these techniques, or an empty list."""
    if step.technique not in techniques:
        return [f"expected one of the techniques {', '.join(techniques)}, found {show_value(step.technique)}"]
    try:
        unmarked = [*_unmarked(board, step.stars), *_unmarked(board, step.crosses)]
        on_board(board, unmarked)  # no cell is both
    except NotShown as reason:
        return [str(reason)]
    if not unmarked:
        return ["the step marks no cell"]
    try:
        findings = techniques[step.technique](board, step.witness)
    except NotShown as reason:
        return [f"{step.technique}: {reason}"]
    except msgspec.ValidationError as error:
        return [f"{step.technique}: in the witness: {error}"]
    return [
        f"{step.technique}: it does not follow that {name(cell)} is {what}"
        for cells, follow, what in ((step.stars, findings.stars, "a star"), (step.crosses, findings.crosses, "empty"))
        for cell in cells
        if cell not in follow
    ]


def _unmarked(board: Board, cells: Iterable[Cell]) -> list[Cell]:
    """Return cells that were named, once they are known to be in order and without a mark."""
    named = on_board(board, cells)
    if named != sorted(named):
        raise NotShown("the cells are not in order")
    for cell in named:
        if board.mark(cell) != UNKNOWN:
            raise NotShown(f"{name(cell)} is marked already")
    return named
