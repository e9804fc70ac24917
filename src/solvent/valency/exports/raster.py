"""Write fills as PNG pictures: cells from the modules' pictures or colours, graphs as discs on lines."""

from __future__ import annotations

import io
import math

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.drawing.palette import PAPER
from solvent.valency.drawing.colours import IMPOSSIBLE, LINE, OVER_BUDGET, UNFILLED
from solvent.valency.drawing.faces import module_paints
from solvent.valency.drawing.pictures import Pixels, read_pictures
from solvent.valency.drawing.sheet import place_nodes
from solvent.valency.model import HEX, Graph, Lattice, Staging

Numbers = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint8]
"""Shape (…, 3)."""

FLAT_CELL = 8
"""Pixels of a cell where no module has a picture; smaller pictures are enlarged until they have as many."""
_SMALLEST_HEXAGON = 16
MAX_PIXELS = 16_000_000
"""Of a picture; larger ones have smaller cells."""


class Tiles(Struct, frozen=True, eq=False):
    """Hold what stands on cells as squares of pixels, opaque."""

    pixels: Colours
    """Shape (tiles, side, side, 3): the modules, then an impossible node, one given up on, and an empty one."""
    paints: Colours
    """The average colour of each."""

    @property
    def side(self) -> int:
        """Return the pixels along a tile."""
        return int(self.pixels.shape[1])


class Canvas(Struct, frozen=True, eq=False):
    """Hold where the nodes of a cluster are painted."""

    size: tuple[int, int]
    """Width and height in pixels."""
    centres: npt.NDArray[np.float64]
    """Shape (nodes, 2); for squares their upper left corners."""
    side: int
    """Of a square cell, or the width of a hexagon or disc."""
    is_square: bool
    hexagons: bool
    edges: tuple[tuple[int, int], ...] = ()


def make_tiles(staging: Staging, most_pixels: int) -> Tiles:
    """Return the tiles of a task, as large as their pictures or smaller, so that a floor has at most so many pixels."""
    modules = staging.rules.modules
    pictures = read_pictures(modules)
    sides = [max(pixels.shape[:2]) for pixels in pictures if pixels is not None]
    side = max(sides, default=FLAT_CELL)
    side *= -(-FLAT_CELL // side)
    cells = 1
    if isinstance(staging.cluster, Lattice):
        cells = staging.cluster.width * staging.cluster.height * staging.cluster.depth
        if staging.cluster.kind == HEX:
            side = max(side, _SMALLEST_HEXAGON)
    else:
        side = 24
    while side > 1 and side * side * cells > most_pixels:
        side -= 1
    paints = np.array([*module_paints(modules), IMPOSSIBLE, OVER_BUDGET, UNFILLED], dtype=np.uint8)
    pixels = np.repeat(paints[:, None, None, :], side, axis=1).repeat(side, axis=2)
    for number, picture in enumerate(pictures):
        if picture is not None:
            pixels[number] = _fit(picture, side)
    if side >= 5:
        line = np.arange(side)
        pixels[len(modules), line, line] = pixels[len(modules), line, side - 1 - line] = 255
        pixels[len(modules) + 1, side // 4 : side - side // 4, side // 2] = 0
    return Tiles(pixels, paints)


def tile_numbers(staging: Staging, modules: Numbers, over_budget: frozenset[int]) -> Numbers:
    """Return which tile stands on each node."""
    count = len(staging.rules.modules)
    numbers = np.where(modules >= 0, modules, count + 2).astype(np.int64)
    numbers[modules == -3] = count
    numbers[[node for node in over_budget if modules[node] == -3]] = count + 1
    return numbers


def make_canvas(staging: Staging, side: int) -> Canvas:
    """Choose where each node is painted."""
    cluster = staging.cluster
    if isinstance(cluster, Graph):
        return _graph_canvas(cluster, side)
    nodes = np.arange(cluster.width * cluster.height * cluster.depth)
    x, y, z = nodes % cluster.width, nodes // cluster.width % cluster.height, nodes // (cluster.width * cluster.height)
    if cluster.kind == HEX:
        row = max(1, round(side * math.sqrt(0.75)))
        height = row * (cluster.height - 1) + math.ceil(side * 2 / math.sqrt(3))
        width = side * cluster.width + (side // 2 if cluster.height > 1 else 0)
        centres = np.stack([(x + 0.5) * side + (y % 2) * (side // 2), y * row + side / math.sqrt(3)], axis=1)
        return Canvas((width, height), centres, side, is_square=False, hexagons=True)
    across = max(1, min(cluster.depth, math.ceil(math.sqrt(cluster.depth * cluster.height / cluster.width))))
    down = -(-cluster.depth // across)
    columns, rows = x + z % across * (cluster.width + 1), y + z // across * (cluster.height + 1)
    size = across * (cluster.width + 1) - 1, down * (cluster.height + 1) - 1
    corners = np.stack([columns, rows], axis=1) * float(side)
    return Canvas((size[0] * side, size[1] * side), corners, side, is_square=True, hexagons=False)


def paint_cells(canvas: Canvas, cells: Colours) -> Colours:
    """Paint squares of pixels, shape (nodes, side, side, 3), on a canvas of squares."""
    width, height = canvas.size
    side = canvas.side
    picture = np.empty((height // side, width // side, side, side, 3), dtype=np.uint8)
    picture[:] = PAPER
    columns, rows = (canvas.centres / side).astype(np.int64).T
    picture[rows, columns] = cells
    return picture.transpose(0, 2, 1, 3, 4).reshape(height, width, 3)


def paint_shapes(canvas: Canvas, colours: Colours) -> Colours:
    """Paint hexagons, or discs on lines, one colour for each node, on a canvas of those."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", canvas.size, PAPER)
    brush = ImageDraw.Draw(image)
    places = canvas.centres.tolist()
    for a, b in canvas.edges:
        brush.line([*places[a], *places[b]], fill=LINE, width=max(1, canvas.side // 12))
    radius = canvas.side / math.sqrt(3) if canvas.hexagons else canvas.side / 2
    corners = [(radius * math.sin(k * math.pi / 3), radius * math.cos(k * math.pi / 3)) for k in range(6)]
    for (x, y), colour in zip(places, colours.tolist(), strict=True):
        paint = (colour[0], colour[1], colour[2])
        if canvas.hexagons:
            brush.polygon([(x + dx, y + dy) for dx, dy in corners], fill=paint, outline=PAPER)
        else:
            brush.ellipse([x - radius, y - radius, x + radius, y + radius], fill=paint, outline=(27, 27, 27))
    return np.array(image, dtype=np.uint8)


def _graph_canvas(graph: Graph, side: int) -> Canvas:
    points = place_nodes(graph)
    if not len(points):
        return Canvas((side, side), points, side, is_square=False, hexagons=False)
    extent = np.ptp(points, axis=0)
    lengths = np.hypot(*(points[graph.edges[:, 0]] - points[graph.edges[:, 1]]).T)
    lengths = lengths[lengths > 0]
    typical = float(np.quantile(lengths, 0.1)) if len(lengths) else 1.0
    scale = min(1.8 * side / typical, 1600 / max(float(extent.max()), 1e-12)) if extent.any() else 1.0
    side = max(3, min(side, int(typical * scale * 0.8)))
    size = tuple(math.ceil(part * scale) + 2 * side for part in extent.tolist())
    edges = tuple((a, b) for a, b in graph.edges.tolist())
    centres = (points - points.min(axis=0)) * scale + side
    return Canvas((size[0], size[1]), centres, side, is_square=False, hexagons=False, edges=edges)


def _fit(picture: Pixels, side: int) -> Colours:
    """Return a picture on a tile of some size, on the ground of empty cells where it can be seen through."""
    rows = np.arange(side) * picture.shape[0] // side
    columns = np.arange(side) * picture.shape[1] // side
    chosen = picture[rows][:, columns]
    opacity = chosen[..., 3:].astype(np.float64) / 255
    fitted: Colours = np.rint(chosen[..., :3] * opacity + np.array(UNFILLED) * (1 - opacity)).astype(np.uint8)
    return fitted


def write_png(staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int]) -> bytes:
    """Paint what stands on each node: the modules' pictures, turned and mirrored, or their colours.

    A lattice of several floors is shown as cubes, seen from above and in front.

    The pixels are the same everywhere; how they are packed may differ between versions of Pillow.
    """
    from PIL import Image

    pixels = _paint_as_drawn(staging, modules, over_budget)
    if pixels is None:
        tiles = make_tiles(staging, MAX_PIXELS)
        canvas = make_canvas(staging, tiles.side)
        numbers = tile_numbers(staging, modules.astype(np.int64), over_budget)
        if canvas.is_square:
            pixels = paint_cells(canvas, tiles.pixels[numbers])
        else:
            pixels = paint_shapes(canvas, tiles.paints[numbers])
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def _paint_as_drawn(staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int]) -> Colours | None:
    """Paint several floors as cubes, and a map as its editor draws it; None for anything else."""
    from solvent.valency.drawing.cubes import is_deep

    if is_deep(staging):
        from solvent.valency.exports.depth import paint_cubes

        return paint_cubes(staging, modules, over_budget)
    from solvent.valency.drawing.projection import project

    projection = project(staging)
    if projection is None:
        return None
    from solvent.valency.exports.projected import paint_map

    return paint_map(staging, projection, modules, over_budget)
