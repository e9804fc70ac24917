"""Draw lattices of several floors as cubes, one picture that shows how high things stand."""

from __future__ import annotations

from solvent.drawing.paper import draw_paper
from solvent.drawing.shapes import path
from solvent.valency.drawing.captions import lettering_for
from solvent.valency.drawing.cubes import ACROSS, stack_cubes
from solvent.valency.drawing.looks import choose_looks
from solvent.valency.drawing.marks import define_marks
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.drawing.sheet import WIDEST
from solvent.valency.model import Lattice

LARGEST_CUBE = 18.0
"""Half the width of a cube, in pixels."""


def draw_depth(overlay: Overlay, lattice: Lattice, *, bare: bool = False) -> str:
    """Draw what stands on each cell as a cube."""
    half = min(LARGEST_CUBE, WIDEST / (lattice.width + lattice.height))
    cubes = stack_cubes(overlay.staging, overlay.fill, overlay.over_budget, half / ACROSS)
    looks = choose_looks(overlay, detailed=True)
    sides = (
        path(
            "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in side.corners) + "z",
            fill=side.paint,
            stroke=(0, 0, 0),
            stroke_opacity=0.18,
            stroke_width=0.6,
        )
        for side in cubes.sides
    )
    return draw_paper(
        cubes.size,
        sides,
        lettering_for(overlay, looks.legend, captions=list(overlay.captions)),
        definitions=define_marks(looks.prefix),
        bare=bare,
    )
