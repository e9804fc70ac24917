"""Where each node stands on the paper."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.drawing.layout import spring_apart
from solvent.valency.drawing.faces import TILE
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import HEX, Graph, Lattice

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

WIDEST = 900.0
"""Pixels across a drawing, heading and panel aside."""
LARGEST_CELL, LARGEST_CLASH, SMALLEST_CELL = 40.0, 56.0, 0.5
LONGEST = 3000
"""Columns and rows of a lattice that are drawn; a strip may be longer than any picture."""
_READABLE = 15.0
"""Pixels of a cell below which a drawing shows only the part that matters, if it is a small one."""
_SEEN_AT_ONCE = 16
"""Cells along a side among which a clash is found without searching."""
_AROUND = 4
"""How many cells around that part are shown."""
HEX_ROW = TILE * math.sqrt(0.75)
"""From one row of hexagons to the next; a hexagon is as wide as a square cell."""
HEX_RADIUS = TILE / math.sqrt(3)
HEXAGON = (
    f"M0 {-HEX_RADIUS:.5g}L{TILE / 2:g} {-HEX_RADIUS / 2:.5g}v{HEX_RADIUS:.5g}"
    f"L0 {HEX_RADIUS:.5g}L{-TILE / 2:g} {HEX_RADIUS / 2:.5g}v{-HEX_RADIUS:.5g}z"
)
"""Path data of a hexagon around the origin."""
_SLANT = 0.4
"""How far one step in depth moves a node of a graph on paper."""


class Window(Struct, frozen=True):
    """Hold a part of every floor of a lattice: columns and rows from the first to before the last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Return how many columns there are."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Return how many rows there are."""
        return self.bottom - self.top


class Sheet(Struct, frozen=True, eq=False):
    """Hold where the cells of a lattice stand, in units of `TILE` per cell until scaled."""

    window: Window
    nodes: Numbers
    """The nodes that are shown."""
    columns: Numbers
    """The column of each on the paper, all floors together."""
    rows: Numbers
    floors: tuple[tuple[int, int], ...]
    """The column and row of the first cell of each floor."""
    centres: Points
    """Of each shown node, shape (shown, 2), in units."""
    scale: float
    """Pixels per unit."""
    size: tuple[float, float]
    """In pixels."""

    @property
    def cell(self) -> float:
        """Return the pixels of a cell."""
        return self.scale * TILE


def lay_out(overlay: Overlay, lattice: Lattice) -> Sheet:
    """Place the floors of a lattice side by side, or the part of them that matters."""
    window = choose_window(overlay, lattice)
    gap = 1 if lattice.depth > 1 else 0
    pitch = window.width + gap, window.height + 2 * gap
    across = 1
    while across < lattice.depth and pitch[0] * (across + 1) <= 1.6 * pitch[1] * -(-lattice.depth // (across + 1)):
        across += 1
    across = min(lattice.depth, max(across, math.ceil(math.sqrt(lattice.depth * pitch[1] / pitch[0]))))
    floors = tuple((z % across * pitch[0], z // across * pitch[1] + gap) for z in range(lattice.depth))
    grids = np.meshgrid(
        np.arange(lattice.depth),
        np.arange(window.top, window.bottom),
        np.arange(window.left, window.right),
        indexing="ij",
    )
    z, y, x = (grid.ravel() for grid in grids)
    corners = np.array(floors)
    columns, rows = x - window.left + corners[z, 0], y - window.top + corners[z, 1]
    total = across * pitch[0] - gap, -(-lattice.depth // across) * pitch[1] - gap
    if lattice.kind == HEX:
        centres = np.stack([(columns + 0.5 + 0.5 * (y % 2)) * TILE, HEX_RADIUS + rows * HEX_ROW], axis=1)
        units = (total[0] + (0.5 if lattice.height > 1 else 0)) * TILE, (total[1] - 1) * HEX_ROW + 2 * HEX_RADIUS
    else:
        centres = np.stack([(columns + 0.5) * TILE, (rows + 0.5) * TILE], axis=1)
        units = total[0] * float(TILE), total[1] * float(TILE)
    largest = LARGEST_CLASH if overlay.is_clash else LARGEST_CELL
    cell = min(largest, WIDEST * TILE / units[0], WIDEST * TILE / units[1])
    cell = max(SMALLEST_CELL, math.floor(cell) if cell >= 3 else cell)
    scale = cell / TILE
    size = units[0] * scale, units[1] * scale
    nodes = x + lattice.width * (y + lattice.height * z)
    return Sheet(window, nodes, columns, rows, floors, centres, scale, size)


def choose_window(overlay: Overlay, lattice: Lattice, *, readable_cells: float | None = None) -> Window:
    """Return the whole lattice, or what surrounds the ringed nodes if the whole is too large to see them."""
    whole = Window(0, 0, min(lattice.width, LONGEST), min(lattice.height, LONGEST))
    if readable_cells is None:
        readable_cells = WIDEST / _READABLE
    small = _SEEN_AT_ONCE if overlay.is_clash else readable_cells
    if not overlay.ringed or max(whole.width, whole.height) <= small:
        return whole
    xs = [node % lattice.width for node in overlay.ringed]
    ys = [node // lattice.width % lattice.height for node in overlay.ringed]
    part = Window(
        max(0, min(xs) - _AROUND),
        max(0, min(ys) - _AROUND),
        min(lattice.width, max(xs) + _AROUND + 1),
        min(lattice.height, max(ys) + _AROUND + 1),
    )
    return part if max(part.width, part.height) <= readable_cells else whole


def place_nodes(graph: Graph) -> Points:
    """Return where the nodes of a graph stand, y growing downwards: as given, else as springs pull them.

    Depth leads up and to the right.
    """
    if len(graph.positions) and np.ptp(graph.positions, axis=0).any():
        x, y, z = graph.positions.T
        return np.stack([x + _SLANT * z, y - _SLANT * z], axis=1)
    edges = [(one, other) for one, other in graph.edges.tolist()]
    return np.array(spring_apart(len(graph.positions), edges)).reshape(-1, 2)
