"""Units that need as many stars as others: `undercounting`, `overcounting`, `fish` and `finned count`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.stars import Number
from solvent.starbattle.checker.steps.areas import Area, area_of, needed
from solvent.starbattle.checker.steps.board import Board, Findings, NotShown, excludes, names, on_board
from solvent.starbattle.checker.steps.certificate_schema import Cells, Unit, Units
from solvent.starbattle.model import LARGEST_SIZE

Lines = Annotated[list[Any], msgspec.Meta(max_length=3 * LARGEST_SIZE)]
"""Lines of one kind, each by its number or as a unit.

They are converted one by one: msgspec reads past its memory on a union of a bounded number and a tuple.
"""


class LinesAndRegions(msgspec.Struct):
    """Hold the witness of `undercounting` and `overcounting`."""

    lines: Units
    regions: Units


class RowsAndColumns(msgspec.Struct):
    """Hold the witness of `fish`."""

    rows: Lines
    """Rows by their numbers or as units; either way they say the same."""
    columns: Lines
    base: Literal["rows", "columns"]


class Finned(msgspec.Struct):
    """Hold the witness of `finned count`."""

    plus: Units
    minus: Units
    fins: Cells


def undercounting(board: Board, witness: dict[str, Any]) -> Findings:
    """Regions that lie inside lines and need as many stars leave none for the rest of the lines."""
    body = _lines_and_regions(witness)
    return _rest(board, outer=body.lines, inner=body.regions)


def overcounting(board: Board, witness: dict[str, Any]) -> Findings:
    """Lines that lie inside regions and need as many stars leave none for the rest of the regions."""
    body = _lines_and_regions(witness)
    return _rest(board, outer=body.regions, inner=body.lines)


def fish(board: Board, witness: dict[str, Any]) -> Findings:
    """Rows whose open cells lie in columns that need as many stars leave none for the rest, or the reverse."""
    body = msgspec.convert(witness, RowsAndColumns)
    rows, columns = _named_lines(body.rows, "row"), _named_lines(body.columns, "column")
    if body.base == "rows":
        return _rest(board, outer=columns, inner=rows)
    return _rest(board, outer=rows, inner=columns)


def finned_count(board: Board, witness: dict[str, Any]) -> Findings:
    """With as many stars inside as outside, a star inside comes with one on a fin; so no fin may exclude it."""
    body = msgspec.convert(witness, Finned)
    area = _balanced(board, body.plus, body.minus)
    fins = on_board(board, body.fins)
    if not fins or set(fins) != area.outside:
        raise NotShown(f"expected the fins {names(area.outside)}, found {names(fins)}")
    return Findings(crosses=frozenset(cell for cell in area.inside if all(excludes(board, fin, cell) for fin in fins)))


def _lines_and_regions(witness: dict[str, Any]) -> LinesAndRegions:
    body = msgspec.convert(witness, LinesAndRegions)
    if _kinds(body.lines) not in ({"row"}, {"column"}) or _kinds(body.regions) != {"region"}:
        raise NotShown("expected rows or columns as lines, and regions")
    return body


def _rest(board: Board, *, outer: Sequence[Unit], inner: Sequence[Unit]) -> Findings:
    """Return what the outer units have beyond the inner ones, once it is known to be empty."""
    area = _balanced(board, outer, inner)
    if area.outside:
        raise NotShown(f"open cells lie outside: {names(area.outside)}")
    return Findings(crosses=area.inside)


def _balanced(board: Board, plus: Sequence[Unit], minus: Sequence[Unit]) -> Area:
    """Return what only one of two lists of units has, once it is known that both need as many stars."""
    kinds, others = _kinds(plus), _kinds(minus)
    if len(kinds) != 1 or len(others) != 1 or kinds == others:
        raise NotShown("expected rows, columns or regions on one side, and another of these on the other")
    area = area_of(board, plus, minus)
    if area.count != 0:
        one, other = needed(board, plus), needed(board, minus)
        raise NotShown(f"one side needs {counted(one, 'star')}, the other {other}")
    return area


def _named_lines(lines: Sequence[Any], kind: Literal["row", "column"]) -> list[Unit]:
    units: list[Unit] = []
    for line in lines:
        if isinstance(line, list | tuple):
            unit = msgspec.convert(line, Unit)
            if unit[0] != kind:
                raise NotShown(f"expected {kind}s, found a {unit[0]}")
            units.append(unit)
        else:
            units.append((kind, msgspec.convert(line, Number)))
    return units


def _kinds(units: Sequence[Unit]) -> set[str]:
    return {kind for kind, _ in units}
