"""Areas that need as many stars as blocks cover them: `tiling`, `squeeze`, `composite shape`, `set differential`."""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.starbattle.checker.steps.areas import area_of, tiling_findings
from solvent.starbattle.checker.steps.board import Board, Findings, NotShown, names, unit_name, unit_on_board
from solvent.starbattle.checker.steps.certificate_schema import Blocks, Tiles, Unit


class OneUnit(msgspec.Struct):
    """Hold the witness of `tiling`."""

    unit: Unit
    blocks: Blocks


class TwoLines(msgspec.Struct):
    """Hold the witness of `squeeze`."""

    lines: tuple[Unit, Unit]
    blocks: Blocks


def tiling(board: Board, witness: dict[str, Any]) -> Findings:
    """The open cells of one unit are covered by as many blocks as it needs stars."""
    body = msgspec.convert(witness, OneUnit)
    return tiling_findings(board, area_of(board, [body.unit]), body.blocks)


def squeeze(board: Board, witness: dict[str, Any]) -> Findings:
    """The open cells of two neighbouring lines are covered by as many blocks as the two need stars."""
    body = msgspec.convert(witness, TwoLines)
    (kind, number), (other_kind, other_number) = (unit_on_board(board, line) for line in body.lines)
    if kind != other_kind or kind == "region" or abs(number - other_number) != 1:
        one, other = map(unit_name, body.lines)
        raise NotShown(f"{one} and {other} are not two neighbouring rows or columns")
    return tiling_findings(board, area_of(board, body.lines), body.blocks)


def composite_shape(board: Board, witness: dict[str, Any]) -> Findings:
    """What is left of some units without others that lie inside is covered by as many blocks as it needs stars."""
    body = msgspec.convert(witness, Tiles)
    area = area_of(board, body.plus, body.minus)
    if not body.minus:
        raise NotShown("nothing is taken away")
    if area.outside:
        raise NotShown(f"what is taken away has open cells outside: {names(area.outside)}")
    return tiling_findings(board, area, body.blocks)


def set_differential(board: Board, witness: dict[str, Any]) -> Findings:
    """The cells that only `plus` has are covered by as many blocks as it needs more stars than `minus`."""
    body = msgspec.convert(witness, Tiles)
    return tiling_findings(board, area_of(board, body.plus, body.minus), body.blocks)
