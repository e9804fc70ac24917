"""What tiles become when a sample is turned or mirrored.

A turn mirrors left to right first, if it does, and then turns by quarters, clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.valency.notation.samples import Cells

UNCHANGED, MISSING, GENERATED = "unchanged", "missing", "generated"
"""What becomes of a tile of which nothing is said: it stays, the cell is left out, or a turned one is made."""
Step = tuple[int, int, int]


class Turn(Struct, frozen=True):
    """Hold one way to turn a sample."""

    quarters: int = 0
    """Clockwise."""
    mirrored: bool = False

    def after(self, first: Turn) -> Turn:
        """Return the turn that does the other first and then this one."""
        quarters = self.quarters + (-first.quarters if self.mirrored else first.quarters)
        return Turn(quarters % 4, self.mirrored != first.mirrored)

    def back(self) -> Turn:
        """Return the turn that undoes it."""
        return self if self.mirrored else Turn(-self.quarters % 4)

    def cells(self, cells: Cells) -> Cells:
        """Return cells turned; the last two axes are rows and columns."""
        mirrored = cells[..., ::-1] if self.mirrored else cells
        return np.rot90(mirrored, -self.quarters, axes=(-2, -1))

    def step(self, step: Step) -> Step:
        """Return where a step leads afterwards; y leads down."""
        x, y, z = step
        if self.mirrored:
            x = -x
        for _ in range(self.quarters):
            x, y = -y, x
        return x, y, z


def make_turns(rotations: int, mirrored: bool, path: str) -> list[Turn]:
    """Return the turns of a symmetry, the one that changes nothing first."""
    if rotations not in (1, 2, 4):
        raise ParseError("1, 2 or 4 rotations of squares", rotations, path=path)
    return [
        Turn(quarters, flip)
        for quarters in range(0, 4, 4 // rotations)
        for flip in ((False, True) if mirrored else (False,))
    ]


class TileTurns:
    """Know what each tile becomes by each turn, from the few cases that were written."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[Turn, int]]] = {}
        self._whole: dict[int, Mapping[Turn, int]] = {}

    def add(self, tile: int, turn: Turn, becomes: int) -> None:
        """Take note that a tile becomes another by a turn."""
        self._known.setdefault(tile, []).append((turn, becomes))
        self._known.setdefault(becomes, []).append((turn.back(), tile))

    def turned(self, tile: int, turn: Turn) -> int:
        """Return what a tile becomes; itself where that follows from nothing that was written."""
        if tile not in self._whole:
            self._whole[tile] = self._reach(tile)
        return self._whole[tile].get(turn, tile)

    def orbit(self, tiles: Iterable[int], turns: Sequence[Turn]) -> set[int]:
        """Return all that some tiles become."""
        return {self.turned(tile, turn) for tile in tiles for turn in turns}

    def _reach(self, tile: int) -> Mapping[Turn, int]:
        found = {Turn(): tile}
        open_ends = [Turn()]
        while open_ends:
            so_far = open_ends.pop()
            for turn, becomes in self._known.get(found[so_far], ()):
                whole = turn.after(so_far)
                if whole not in found:
                    found[whole] = becomes
                    open_ends.append(whole)
        return found
