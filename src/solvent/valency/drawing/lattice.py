"""Draw lattices: squares or hexagons, floors side by side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from solvent.drawing.markup import Child, Markup, join, tag
from solvent.drawing.palette import FAINT_INK, WHITE
from solvent.drawing.paper import draw_paper
from solvent.drawing.shapes import group, label, path
from solvent.valency.drawing.captions import lettering_for
from solvent.valency.drawing.coarse import MAX_CELLS, draw_blocks, draw_runs
from solvent.valency.drawing.colours import LINE, UNFILLED
from solvent.valency.drawing.faces import TILE, draw_glyph, draw_square
from solvent.valency.drawing.looks import Looks, choose_looks, node_colours
from solvent.valency.drawing.marks import define_marks, draw_left_out, draw_links, draw_picks, draw_rings, use
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.drawing.sheet import HEX_RADIUS, HEXAGON, Sheet, lay_out
from solvent.valency.model import HEX, UNSOLVABLE, Lattice
from solvent.valency.slices import distinct

MAX_DETAILED = 40_000
"""Cells that are drawn with their pictures and glyphs."""
MAX_FLAT = 160_000
"""Cells that are drawn one by one; of more, several share a block."""
MAX_NAMED_FLOORS = 400
_SMALLEST_GLYPH = 9.0
"""Pixels of a cell below which letters could not be read."""
_SMALLEST_OUTLINE = 5.0


def draw_lattice(overlay: Overlay, lattice: Lattice, *, bare: bool = False) -> str:
    """Draw a lattice with all that is on it."""
    sheet = lay_out(overlay, lattice)
    shown = len(sheet.nodes)
    detailed = shown <= MAX_DETAILED
    looks = choose_looks(overlay, detailed=detailed)
    captions = list(overlay.captions)
    if shown > MAX_FLAT:
        drawn = _draw_coarsely(overlay, sheet, lattice)
        captions.append("Too many cells to draw each: colours are averages.")
    else:
        faces = looks.faces
        if sheet.cell < _SMALLEST_GLYPH:
            faces = [face.without_letters() for face in faces]
        cells = _draw_cells(overlay, sheet, lattice, Looks(faces, looks.of_node, looks.legend, looks.prefix))
        drawn = group(cells, transform=f"scale({sheet.scale:.6g})")
    window = sheet.window
    if (window.width, window.height) != (lattice.width, lattice.height):
        captions.append(
            f"Columns {window.left} to {window.right - 1} of {lattice.width}, "
            f"rows {window.top} to {window.bottom - 1} of {lattice.height}."
        )
    faces_used = _define(looks, lattice, _used(sheet, looks)) if shown <= MAX_FLAT else ()
    return draw_paper(
        sheet.size,
        [drawn],
        lettering_for(overlay, looks.legend, captions=captions),
        definitions=join([define_marks(looks.prefix), *faces_used]),
        bare=bare,
    )


def _draw_cells(overlay: Overlay, sheet: Sheet, lattice: Lattice, looks: Looks) -> Iterator[Markup]:
    is_hex = lattice.kind == HEX
    index = {node: number for number, node in enumerate(sheet.nodes.tolist())}

    def place(node: int) -> tuple[float, float] | None:
        at = index.get(node)
        return None if at is None else (float(sheet.centres[at, 0]), float(sheet.centres[at, 1]))

    yield from _name_floors(sheet)
    faded = overlay.is_clash and overlay.candidates is None
    draw = _draw_hexagons if is_hex else _draw_squares
    cells = draw(sheet, looks, np.arange(len(sheet.nodes)), outline=sheet.cell >= _SMALLEST_OUTLINE)
    yield group(cells, opacity=0.45 if faded else None)
    if faded:
        clashing = np.array(sorted(index[node] for node in overlay.ringed if node in index), dtype=np.int64)
        yield from draw(sheet, looks, clashing, outline=False)
    if overlay.candidates is None:
        yield from draw_left_out(overlay, place, looks.prefix, is_round=is_hex)
    yield from draw_rings(overlay, place, is_round=is_hex)
    if overlay.candidates is None and (sheet.cell >= _SMALLEST_GLYPH or len(overlay.picks) < 1000):
        yield from draw_picks(overlay, place, looks.prefix, is_round=is_hex)
    yield from draw_links(overlay, place)


def _name_floors(sheet: Sheet) -> Iterator[Markup]:
    if 1 < len(sheet.floors) <= MAX_NAMED_FLOORS:
        size = max(13 / sheet.scale, 0.45 * TILE)
        for floor, (column, row) in enumerate(sheet.floors):
            yield label(f"floor {floor}", column * TILE, row * TILE - size * 0.4, size, fill=FAINT_INK)


def _draw_squares(sheet: Sheet, looks: Looks, chosen: npt.NDArray[np.int64], *, outline: bool) -> Iterator[Markup]:
    """Yield colours as runs, and over them a picture or glyph for each cell that has one."""
    of_node = looks.of_node[sheet.nodes[chosen]]
    columns, rows = sheet.columns[chosen], sheet.rows[chosen]
    # Pictures that can be seen through stand on the ground of an empty cell, as everywhere.
    is_picture = np.array([*(bool(face.picture) for face in looks.faces), True], dtype=np.bool_)
    grounds = np.where(is_picture[of_node], len(looks.faces), of_node)
    yield from draw_runs(columns, rows, grounds, [*looks.paints, UNFILLED], TILE)
    if outline and (of_node < 0).any():
        bare = of_node < 0
        steps = "".join(
            f"M{TILE * column} {TILE * row}h{TILE}v{TILE}h-{TILE}z"
            for column, row in zip(columns[bare].tolist(), rows[bare].tolist(), strict=True)
        )
        yield path(steps, stroke=LINE, stroke_width=0.7 / sheet.scale)
    for number, column, row in zip(of_node.tolist(), columns.tolist(), rows.tolist(), strict=True):
        if number >= 0 and not looks.faces[number].is_flat:
            yield use(f"{looks.prefix}{number}", TILE * (column + 0.5), TILE * (row + 0.5))


def _draw_hexagons(sheet: Sheet, looks: Looks, chosen: npt.NDArray[np.int64], *, outline: bool) -> Iterator[Markup]:
    """Yield a hexagon for each cell, face by face."""
    of_node = looks.of_node[sheet.nodes[chosen]]
    for number in distinct(of_node).tolist():
        paint = UNFILLED if number < 0 or looks.faces[number].picture else looks.faces[number].paint
        rim, width = (LINE, 0.7) if number < 0 else (WHITE, 0.6) if outline else (None, 0.0)
        name = looks.prefix + (str(number) if number >= 0 and not looks.faces[number].is_flat else "c")
        cells = (use(name, x, y) for x, y in sheet.centres[chosen[of_node == number]].tolist())
        yield group(cells, fill=paint, stroke=rim, stroke_width=width / sheet.scale)


def _used(sheet: Sheet, looks: Looks) -> set[int]:
    used = {int(number) for number in distinct(looks.of_node[sheet.nodes])}
    return {number for number in used if number >= 0}


def _define(looks: Looks, lattice: Lattice, used: set[int]) -> Iterator[Markup]:
    """Yield the definition of each face that is more than a colour."""
    is_hex = lattice.kind == HEX
    if is_hex:
        yield path(HEXAGON, id=f"{looks.prefix}c")
        yield tag("clipPath", path(HEXAGON), id=f"{looks.prefix}k")
    for number in sorted(used):
        face = looks.faces[number]
        if face.is_flat:
            continue
        drawn: Child = draw_square(face) if face.picture else draw_glyph(face)
        if is_hex and face.picture:
            cover = group(face.picture, transform=f"scale({2 * HEX_RADIUS / TILE:.5g})")
            drawn = [path(HEXAGON), group(cover, clip_path=f"url(#{looks.prefix}k)", stroke="none")]
        elif is_hex:
            drawn = [path(HEXAGON), group(draw_glyph(face, size=17), stroke="none")]
        # A symbol is a picture of something, which keeps its colours on a dark ground.
        name = f"{looks.prefix}{number}"
        yield tag("symbol", drawn, id=name, overflow="visible") if face.picture else group(drawn, id=name)


def _draw_coarsely(overlay: Overlay, sheet: Sheet, lattice: Lattice) -> Markup:
    """Draw blocks of cells in their average colours; a block with a cell that could not be filled is red."""
    columns, rows = int(sheet.columns.max()) + 1, int(sheet.rows.max()) + 1
    side = max(1, int(np.ceil(np.sqrt(columns * rows / MAX_CELLS))))
    across, down = -(-columns // side), -(-rows // side)
    x, y = (sheet.columns // side + 0.5) / across, (sheet.rows // side + 0.5) / down
    colours = node_colours(overlay)[sheet.nodes]
    urgent = (
        (overlay.fill == UNSOLVABLE)[sheet.nodes]
        if overlay.candidates is None
        else overlay.candidates[sheet.nodes] == 0
    )
    block = side * sheet.cell
    # Rows of hexagons stand a little closer; a coarse drawing only has to keep the proportions.
    height = block * (sheet.size[1] / (rows * sheet.cell) if lattice.kind == HEX else 1)
    blocks = draw_blocks(x, y, colours, urgent, (across, down))
    return group(blocks, transform=f"scale({block:.6g} {height:.6g})")
