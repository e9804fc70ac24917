"""Which borders may be moved: what a changed board must keep of the board it came from."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from solvent.starbattle.rules import sides_of


class Borders:
    """Hold the regions of a board, and tell which other regions a repair may give it.

    Every region keeps at least one of its cells, falls into no more pieces than before, and each of its pieces holds a
    cell that it had before. So a region in one piece stays in one piece, and grows only from its own border.
    """

    def __init__(self, size: int, regions: Sequence[int]) -> None:
        self.size = size
        self.regions = tuple(regions)
        self.sides = sides_of(size)
        self.pieces = [len(_pieces(self.sides, self.regions, region)) for region in range(size)]
        self.distances = [self._distances(region) for region in range(size)]
        """For each region and cell, how many steps the cell is from the region; 0 within it."""

    def _distances(self, region: int) -> list[int]:
        far = len(self.regions)
        found = [0 if own == region else far for own in self.regions]
        waiting = deque(cell for cell, own in enumerate(self.regions) if own == region)
        while waiting:
            cell = waiting.popleft()
            for side in self.sides[cell]:
                if found[side] == far:
                    found[side] = found[cell] + 1
                    waiting.append(side)
        return found

    def targets(self, cell: int, changes: Mapping[int, int], left: int) -> list[int]:
        """Return the regions that a cell may go to if at most `left` cells change beside it and those changed so far.

        A cell hangs together with its new region by cells that were in it before or are changed too.
        """
        return [
            region
            for region in range(self.size)
            if region != self.regions[cell]
            and self.distances[region][cell] <= 1 + left + sum(new == region for new in changes.values())
        ]

    def with_changes(self, changes: Mapping[int, int]) -> tuple[int, ...]:
        """Return the regions of the changed board, by their old numbers."""
        regions = list(self.regions)
        for cell, region in changes.items():
            regions[cell] = region
        return tuple(regions)

    def allow(self, changes: Mapping[int, int], regions: Sequence[int]) -> bool:
        """Tell whether these changes, which lead to these regions, keep what has to be kept."""
        touched = {self.regions[cell] for cell in changes} | set(changes.values())
        for region in touched:
            pieces = _pieces(self.sides, regions, region)
            if not 1 <= len(pieces) <= self.pieces[region]:
                return False
            if not all(any(self.regions[cell] == region for cell in piece) for piece in pieces):
                return False
        return True


def _pieces(sides: Sequence[Sequence[int]], regions: Sequence[int], region: int) -> list[list[int]]:
    """Return the connected parts of a region."""
    left = {cell for cell, own in enumerate(regions) if own == region}
    pieces = []
    while left:
        piece = [left.pop()]
        for cell in piece:  # grows while it is gone through
            beside = [side for side in sides[cell] if side in left]
            left.difference_update(beside)
            piece += beside
        pieces.append(piece)
    return pieces
