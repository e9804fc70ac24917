"""Check a closed set of boards: all that can be reached, and none of them solved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.harmony.checker.tiles import Tile, exchange, lines_at, tiles_of, unsolved_parts
from solvent.harmony.model import Board
from solvent.proof.closed_set import closed_set_violations

MAX_LOOKS = 50_000_000
"""Cells of boards that are reached by a swap, all boards and swaps together; a set that has more is refused."""

Number = Annotated[int, msgspec.Meta(ge=0, le=999_999)]


class Body(msgspec.Struct):
    """Hold the part of the certificate that is the set."""

    states: list[Any]
    """Each board as colour and moves of cell 0, of cell 1, and so on; they are looked at one by one."""


class TooLarge(Exception):
    """Say that a set takes too much work."""


def check(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the set does not show that no solution can be reached, or an empty list."""
    body = msgspec.convert(certificate, Body)
    cells, cols = board.rows * board.cols, board.cols
    states: list[tuple[Tile, ...]] = []
    for number, state in enumerate(meter.each(body.states, every=10)):
        numbers = msgspec.convert(state, list[Number])
        if len(numbers) != 2 * cells:
            return [f"state {number}: expected {2 * cells} numbers, found {len(numbers)}"]
        states.append(tuple(zip(numbers[::2], numbers[1::2], strict=True)))
    looks = 0

    def successors(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
        nonlocal looks
        for a, b in meter.each(_legal_swaps(tiles, cols), every=10):
            looks += cells
            if looks > MAX_LOOKS:
                raise TooLarge
            reached = list(tiles)
            exchange(reached, a, b)
            yield tuple(reached)

    try:
        return closed_set_violations(
            states,
            tiles_of(board),
            successors=successors,
            is_goal=lambda tiles: next(unsolved_parts(tiles, cols), None) is None,
            meter=meter,
        )
    except TooLarge:
        return [f"expected a set with at most {MAX_LOOKS:,} cells of boards that a swap leads to, found more"]


def _legal_swaps(tiles: tuple[Tile, ...], cols: int) -> Iterator[tuple[int, int]]:
    """Yield every two cells in one row or column whose tiles have moves left."""
    in_line: dict[tuple[str, int], list[int]] = {}
    for cell, (_, moves) in enumerate(tiles):
        if moves > 0:
            for line in lines_at(cell, cols):
                in_line.setdefault(line, []).append(cell)
    for members in in_line.values():
        yield from combinations(members, 2)
