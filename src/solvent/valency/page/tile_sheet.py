"""Draw the looks of all modules on one sheet, from which a page cuts them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from solvent.drawing.markup import Markup, tag
from solvent.drawing.shapes import group, path, put
from solvent.valency.drawing.faces import TILE, Face, draw_disc, draw_glyph, draw_square
from solvent.valency.drawing.sheet import HEX_RADIUS, HEXAGON
from solvent.valency.model import HEX, Cluster, Graph

ROOMY = 40
"""The box of a hexagon or disc, which are larger than a square cell or must not touch its rim."""


def draw_sheet(faces: Sequence[Face], cluster: Cluster) -> dict[str, Any]:
    """Return the sheet as SVG, with how to find a module on it: number m stands in box m, counted by rows.

    Boxes are squares. A square cell fills its box; hexagons and discs stand in the middle of theirs.
    """
    is_round = isinstance(cluster, Graph)
    is_hex = not isinstance(cluster, Graph) and cluster.kind == HEX
    box = ROOMY if is_round or is_hex else TILE
    columns = max(1, math.ceil(math.sqrt(len(faces))))
    rows = max(1, -(-len(faces) // columns))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * box}" height="{rows * box}" '
        f'viewBox="0 0 {columns * box} {rows * box}" font-family="Helvetica, Arial, sans-serif">'
    ]
    if is_hex:
        parts.append(tag("clipPath", path(HEXAGON), id="k"))
    draw = draw_disc if is_round else _draw_hexagon if is_hex else draw_square
    for number, face in enumerate(faces):
        parts.append(put(draw(face), (number % columns + 0.5) * box, (number // columns + 0.5) * box))
    parts.append("</svg>")
    return {"svg": "".join(parts), "columns": columns, "rows": rows, "box": box}


def _draw_hexagon(face: Face) -> Markup:
    cell = path(HEXAGON, fill=face.paint)
    if not face.picture:
        return cell + draw_glyph(face, size=17)
    return cell + group(group(face.picture, transform=f"scale({2 * HEX_RADIUS / TILE:.5g})"), clip_path="url(#k)")
