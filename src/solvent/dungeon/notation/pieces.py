"""Cut sets of tiles into pieces that hang together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from solvent.dungeon.model import STEPS

Cell = TypeVar("Cell", bound=tuple[int, ...])
"""A tile whose last two numbers are its row and column."""


def pieces(cells: Collection[Cell]) -> Iterator[list[Cell]]:
    """Yield the tiles that touch by a side together; each piece begins with the first of its tiles that was given."""
    rest = set(cells)
    for first in cells:
        if first not in rest:
            continue
        rest.remove(first)
        piece: list[Any] = [first]
        for *floor, row, column in piece:  # grows while it is walked
            for down, right in STEPS.values():
                beside: Any = (*floor, row + down, column + right)
                if beside in rest:
                    rest.remove(beside)
                    piece.append(beside)
        yield piece
