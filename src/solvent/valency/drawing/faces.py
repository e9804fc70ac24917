"""What each module looks like in a picture, whatever the shape of its node."""

from __future__ import annotations

from msgspec import Struct

from solvent.core.paint import Paint, ink_on
from solvent.valency.drawing.colours import UNFILLED, as_hex, choose_paints
from solvent.valency.drawing.glyphs import choose_glyphs
from solvent.valency.drawing.phrases import escape
from solvent.valency.drawing.pictures import draw_pictures, mean_paint, read_pictures
from solvent.valency.drawing.strokes import draw_strokes, read_arms
from solvent.valency.model import Module, Rules

TILE = 32
"""The side of a cell in the units of a drawing."""


class Face(Struct, frozen=True):
    """Hold the look of one thing on a node, around the origin."""

    paint: Paint
    """Its colour as a whole; the ground of a glyph, or the average of a picture."""
    glyph: str = ""
    """A few characters on it; empty for none."""
    picture: str = ""
    """SVG on a square of `TILE`; empty for none."""

    @property
    def is_flat(self) -> bool:
        """Tell whether it is its colour and nothing else."""
        return not self.glyph and not self.picture

    def without_letters(self) -> Face:
        """Return it for a cell too small to read letters in; strokes can still be seen there."""
        return self if read_arms(self.glyph)[0] else Face(self.paint, "", self.picture)


def make_faces(rules: Rules, *, detailed: bool) -> list[Face]:
    """Return the face of each module; without details it is a colour only.

    A module with a colour of its own and no glyph is shown as that colour, so that learnt pictures look like one.
    """
    modules = rules.modules
    paints = module_paints(modules)
    if not detailed:
        return [Face(paint) for paint in paints]
    drawn = draw_pictures(read_pictures(modules))
    glyphs = choose_glyphs(modules)
    faces = []
    for module, paint, glyph, picture in zip(modules, paints, glyphs, drawn, strict=True):
        is_plain = bool(picture or (module.look.colour and not module.look.glyph))
        faces.append(Face(paint, "" if is_plain else glyph, picture))
    return faces


def module_paints(modules: tuple[Module, ...]) -> list[Paint]:
    """Return one colour for each module: the average of its picture, its own, or one chosen for it."""
    pictures = read_pictures(modules)
    return [
        chosen if pixels is None else mean_paint(pixels, UNFILLED)
        for chosen, pixels in zip(choose_paints(modules), pictures, strict=True)
    ]


def draw_glyph(face: Face, *, size: float = 20, reach: float = TILE / 2) -> str:
    """Draw the glyph of a face in ink that reads well on its paint; strokes that join its neighbours reach so far."""
    if not face.glyph.strip():
        return ""
    if strokes := draw_strokes(face.glyph, ink_on(face.paint), face.paint, reach):
        return strokes
    size = size if len(face.glyph) < 3 else size * 2.4 / len(face.glyph)
    return (
        f'<text y="{size * 0.36:.3g}" font-size="{size:.3g}" text-anchor="middle" fill="{as_hex(ink_on(face.paint))}">'
        f"{escape(face.glyph)}</text>"
    )


def draw_square(face: Face) -> str:
    """Draw a face on a square cell."""
    half = TILE // 2
    ground = f'<path fill="{as_hex(face.paint)}" d="M-{half}-{half}h{TILE}v{TILE}h-{TILE}z"/>'
    return face.picture or ground + draw_glyph(face)


def draw_disc(face: Face) -> str:
    """Draw a face on a node of a graph, and beside words: a disc, or its picture."""
    if face.picture:
        rim = '<rect x="-14" y="-14" width="28" height="28" fill="none" stroke="#1b1b1b" stroke-width="1.5"/>'
        return f'<g transform="scale(.875)">{face.picture}</g>{rim}'
    disc = f'<circle r="15" fill="{as_hex(face.paint)}" stroke="#1b1b1b" stroke-width="1.2"/>'
    return disc + draw_glyph(face, reach=15)
