"""Which paint each region of a board gets in a drawing, so that regions side by side never look alike."""

from __future__ import annotations

from solvent.drawing.palette import Paint
from solvent.starbattle.model import Puzzle

CROSS_OUT: Paint = (178, 58, 0)
"""What an argument rules out; far from `BLUE` for every kind of sight."""

# Every two of these stay apart by at least 13 in CIE 1976 colour difference, for normal sight and for each of the three
# kinds of colour blindness (a test simulates them), and all are light enough for dark ink. Six are enough: regions
# side by side make a planar graph if each is connected, and every planar graph has a corner with five neighbours or
# fewer, which can wait until the others have their paints.
PAINTS: tuple[Paint, ...] = (
    (169, 203, 242),  # blue
    (248, 238, 173),  # yellow
    (243, 188, 202),  # pink
    (202, 242, 202),  # green
    (213, 192, 160),  # brown
    (241, 248, 242),  # white
)


def choose_paints(puzzle: Puzzle) -> list[Paint]:
    """Choose a paint for each region, another than any region beside it has.

    Regions that are not connected can all be neighbours of each other; when six paints are not enough for them, a
    region shares the paint that is rarest around it.
    """
    beside, corner = _neighbours(puzzle)
    chosen: dict[int, int] = {}
    for region in _colouring_order(beside):
        near = [chosen[other] for other in beside[region] if other in chosen]
        touching = [chosen[other] for other in corner[region] if other in chosen]
        used = list(chosen.values())
        # Among paints that fit, prefer one that no region at a corner has, then the rarest: a lively, even board.
        chosen[region] = min(
            range(len(PAINTS)), key=lambda paint: (near.count(paint), touching.count(paint), used.count(paint), paint)
        )
    return [PAINTS[chosen[region]] for region in range(puzzle.size)]


def _neighbours(puzzle: Puzzle) -> tuple[list[set[int]], list[set[int]]]:
    """Return for each region those that share a side with it, and those that touch it at a corner only."""
    size, regions = puzzle.size, puzzle.regions
    beside: list[set[int]] = [set() for _ in range(size)]
    corner: list[set[int]] = [set() for _ in range(size)]
    for row in range(size):
        for col in range(size):
            here = regions[row * size + col]
            for found, down, right in ((beside, 0, 1), (beside, 1, 0), (corner, 1, 1), (corner, 1, -1)):
                if row + down < size and 0 <= col + right < size:
                    there = regions[(row + down) * size + col + right]
                    if there != here:
                        found[here].add(there)
                        found[there].add(here)
    return beside, [touching - near for touching, near in zip(corner, beside, strict=True)]


def _colouring_order(beside: list[set[int]]) -> list[int]:
    """Return the regions in an order in which each has few neighbours before it.

    The one with the fewest neighbours among those left is taken out, again and again; the first out comes last.
    """
    left = set(range(len(beside)))
    order = []
    while left:
        fewest = min(left, key=lambda region: (len(beside[region] & left), region))
        left.remove(fewest)
        order.append(fewest)
    return order[::-1]
