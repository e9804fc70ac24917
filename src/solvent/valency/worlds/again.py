"""Which rectangles around seams are drawn again, so that nothing is left of the strips that a library repeats."""

from __future__ import annotations

from msgspec import Struct


class Rim(Struct, frozen=True):
    """Hold a rectangle with its frame, in cells from the upper left of the chunk that the seam belongs to."""

    left: int
    top: int
    width: int
    height: int


def plan_redraws(width: int, height: int) -> tuple[Rim, Rim, Rim] | None:
    """Return what is drawn again for each chunk: along its left, along its top, and where those cross.

    Those along sides never touch each other's frames, and no two crossings do, so each is drawn without knowing of the
    others. Crossings come last and reach over the ends of those along sides. None where chunks are too small. Tops are
    even, as rows of hexagons need them.
    """
    side = min(width, height)
    reach = max(1, side // 6)
    reach -= 1 - reach % 2  # odd, so that tops are even
    end = reach + 2
    if 2 * end + 2 >= side:
        return None
    over = end + 2 if 2 * (end + 2) + 2 < side else end
    down = Rim(-reach - 1, end - 1, 2 * reach + 3, height - 2 * end + 3)
    across = Rim(end - 1, -reach - 1, width - 2 * end + 3, 2 * reach + 3)
    crossing = Rim(-over - 1, -over - 1, 2 * over + 3, 2 * over + 3)
    return down, across, crossing
