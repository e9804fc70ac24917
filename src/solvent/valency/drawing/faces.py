"""What each module looks like in a picture, whatever the shape of its node."""

from __future__ import annotations

from msgspec import Struct

from solvent.drawing.markup import Markup
from solvent.drawing.palette import INK, Paint, ink_on
from solvent.drawing.shapes import circle, group, label, path, rect
from solvent.valency.drawing.colours import UNFILLED, choose_paints
from solvent.valency.drawing.glyphs import choose_glyphs
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
    picture: Markup = Markup("")
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


def draw_glyph(face: Face, *, size: float = 20, reach: float = TILE / 2) -> Markup:
    """Draw the glyph of a face in ink that reads well on its paint; strokes that join its neighbours reach so far."""
    if not face.glyph.strip():
        return Markup("")
    if strokes := draw_strokes(face.glyph, ink_on(face.paint), face.paint, reach):
        return strokes
    size = size if len(face.glyph) < 3 else size * 2.4 / len(face.glyph)
    return label(face.glyph, 0, size * 0.36, size, text_anchor="middle", fill=ink_on(face.paint))


def draw_square(face: Face) -> Markup:
    """Draw a face on a square cell."""
    half = TILE // 2
    ground = path(f"M-{half}-{half}h{TILE}v{TILE}h-{TILE}z", fill=face.paint)
    return face.picture or ground + draw_glyph(face)


def draw_disc(face: Face) -> Markup:
    """Draw a face on a node of a graph, and in a legend: a disc, or its picture."""
    if face.picture:
        rim = rect(-14, -14, 28, 28, fill="none", stroke=INK, stroke_width=1.5)
        return group(face.picture, transform="scale(.875)") + rim
    return circle(0, 0, 15, fill=face.paint, stroke=INK, stroke_width=1.2) + draw_glyph(face, reach=15)
