"""Draw maps whose art is isometric, staggered or hexagonal as they are drawn in Tiled, tile by tile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solvent.drawing.markup import Markup, join, tag
from solvent.drawing.palette import WHITE
from solvent.drawing.paper import draw_paper
from solvent.drawing.shapes import Point, group, path
from solvent.valency.drawing.captions import lettering_for
from solvent.valency.drawing.colours import LINE, UNFILLED
from solvent.valency.drawing.cubes import EMPTY
from solvent.valency.drawing.faces import TILE, Face, draw_glyph
from solvent.valency.drawing.looks import Looks, choose_looks
from solvent.valency.drawing.marks import define_marks, draw_left_out, draw_links, draw_picks, draw_rings, use
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.drawing.pictures import read_pictures
from solvent.valency.drawing.projection import Projection, picture_offset
from solvent.valency.drawing.sheet import WIDEST

LARGEST_SCALE = 3.0
"""How far small tiles are enlarged."""


def draw_projected(overlay: Overlay, projection: Projection, *, bare: bool = False) -> str:
    """Draw a map with all that is on it."""
    looks = choose_looks(overlay, detailed=True)
    scale = min(LARGEST_SCALE, WIDEST / projection.size[0], WIDEST / projection.size[1])
    above = _overhang(overlay, projection)
    width, height = projection.size
    drawn = group(_draw_cells(overlay, projection, looks), transform=f"translate(0 {above * scale:g}) scale({scale:g})")
    return draw_paper(
        (width * scale, (height + above) * scale),
        [drawn],
        lettering_for(overlay, looks.legend, captions=list(overlay.captions)),
        definitions=join([define_marks(looks.prefix), *_define(overlay, projection, looks)]),
        bare=bare,
    )


def _overhang(overlay: Overlay, projection: Projection) -> float:
    """Return how far pictures reach above their cells."""
    pictures = read_pictures(overlay.staging.rules.modules)
    return max((0.0, *(float(one.shape[0] - projection.cell[1]) for one in pictures if one is not None)))


def _draw_cells(overlay: Overlay, projection: Projection, looks: Looks) -> Iterator[Markup]:
    faded = overlay.is_clash and overlay.candidates is None
    yield group(_draw_tiles(projection, looks, projection.order.tolist()), opacity=0.45 if faded else None)
    if faded:
        yield from _draw_tiles(
            projection, looks, [node for node in projection.order.tolist() if node in overlay.ringed]
        )
    unit = min(projection.cell) / TILE
    middle = np.array(projection.cell) / 2

    def place(node: int) -> Point:
        x, y = ((projection.corners[node] + middle) / unit).tolist()
        return x, y

    marks: list[Markup] = []
    if overlay.candidates is None:
        marks += draw_left_out(overlay, place, looks.prefix, is_round=True)
    marks += draw_rings(overlay, place, is_round=True)
    if overlay.candidates is None:
        marks += draw_picks(overlay, place, looks.prefix, is_round=True)
    marks += draw_links(overlay, place)
    yield group(marks, transform=f"scale({unit:.5g})")


def _draw_tiles(projection: Projection, looks: Looks, nodes: list[int]) -> Iterator[Markup]:
    for node in nodes:
        number = int(looks.of_node[node])
        x, y = projection.corners[node].tolist()
        yield use(f"{looks.prefix}{number if number >= 0 else 'e'}", x, y)


def _define(overlay: Overlay, projection: Projection, looks: Looks) -> Iterator[Markup]:
    """Yield what stands in a cell for each face, from the upper left corner of its box."""
    outline = "M" + "L".join(f"{x:g} {y:g}" for x, y in projection.outline) + "z"
    yield group(path(outline, fill=UNFILLED, stroke=LINE, stroke_width=0.7), id=f"{looks.prefix}e")
    modules, art = overlay.staging.rules.modules, overlay.staging.rules.art
    assert art is not None, "only maps with art are drawn here"
    pictures = read_pictures(modules)
    shows_modules = overlay.candidates is None
    for number in sorted({int(one) for one in looks.of_node if one >= 0}):
        face = looks.faces[number]
        if shows_modules and face.picture and (pixels := pictures[number]) is not None:
            x, y = picture_offset(art, modules[number].look.tiles)
            high, wide = pixels.shape[:2]
            move = f"translate({x + wide / 2:g} {y + projection.cell[1] - high / 2:g})"
            drawn = group(face.picture, transform=f"{move} scale({wide / TILE:.5g} {high / TILE:.5g})")
            yield tag("symbol", drawn, id=f"{looks.prefix}{number}", overflow="visible")
        elif shows_modules and EMPTY in modules[number].tags:  # a tile beside it may reach over it
            yield group(path(outline, fill="none", stroke=LINE, stroke_width=0.3), id=f"{looks.prefix}{number}")
        else:
            yield group(_draw_plain(face, outline, projection), id=f"{looks.prefix}{number}")


def _draw_plain(face: Face, outline: str, projection: Projection) -> Iterator[Markup]:
    yield path(outline, fill=face.paint, stroke=WHITE, stroke_width=0.6)
    unit = min(projection.cell) / TILE
    middle = f"translate({projection.cell[0] / 2:g} {projection.cell[1] / 2:g}) scale({unit:.5g})"
    yield group(draw_glyph(face, size=17, reach=TILE / 2), transform=middle)
