"""Choose what each node looks like in a drawing, and what the legend says about it."""

from __future__ import annotations

import zlib

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.drawing.legend import Entry
from solvent.drawing.markup import tag
from solvent.drawing.palette import FAINT_INK, Paint, heat_paint
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import group, path
from solvent.valency.drawing.colours import IMPOSSIBLE, OVER_BUDGET, UNFILLED
from solvent.valency.drawing.faces import Face, draw_disc, make_faces, module_paints
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE

Counts = npt.NDArray[np.int32]

NOTHING = -1
"""The look of a node that shows the bare paper."""
MAX_NAMES = 36
"""Modules named in the legend."""
IDLE_DASHES = "4 4"
"""Of edges that take no part."""


class Looks(Struct, frozen=True, eq=False):
    """Hold the faces of a drawing and which node has which."""

    faces: list[Face]
    of_node: npt.NDArray[np.int64]
    """The face of each node, or NOTHING."""
    legend: list[Entry]
    prefix: str
    """What the names inside this picture begin with, so that several can stand on one page."""

    @property
    def paints(self) -> list[Paint]:
        """Return the colour of each face."""
        return [face.paint for face in self.faces]


def choose_looks(overlay: Overlay, *, detailed: bool) -> Looks:
    """Return what each node looks like: the module it holds, or how many it could hold."""
    prefix = f"v{zlib.crc32(repr(overlay.staging.rules.name).encode() + overlay.fill.tobytes()):08x}"
    if overlay.candidates is not None:
        faces, of_node = _heat(overlay, overlay.candidates, detailed=detailed)
        return Looks(faces, of_node, _heat_legend(overlay, overlay.candidates, prefix), prefix)
    faces = make_faces(overlay.staging.rules, detailed=detailed)
    of_node = np.where(overlay.fill >= 0, overlay.fill, NOTHING).astype(np.int64)
    return Looks(faces, of_node, _module_legend(overlay, faces, prefix), prefix)


def node_colours(overlay: Overlay) -> npt.NDArray[np.uint8]:
    """Return one colour for each node, whatever it holds, shape (nodes, 3)."""
    if overlay.candidates is not None:
        faces, of_node = _heat(overlay, overlay.candidates, detailed=False)
        paints = [*(face.paint for face in faces), UNFILLED]
        return np.array(paints, dtype=np.uint8)[of_node]
    paints = [*module_paints(overlay.staging.rules.modules), IMPOSSIBLE, UNFILLED, UNFILLED]
    assert (UNSOLVABLE, NULL_SLOT, UNSET) == (-3, -2, -1), "colours of empty nodes stand at the end, in this order"
    colours: npt.NDArray[np.uint8] = np.array(paints, dtype=np.uint8)[overlay.fill]
    for node in overlay.over_budget:
        colours[node] = OVER_BUDGET
    return colours


def _heat(overlay: Overlay, candidates: Counts, *, detailed: bool) -> tuple[list[Face], npt.NDArray[np.int64]]:
    """Return a face for each number of candidates, the fewer the darker, and the face of each node."""
    most = max(1, int(candidates.max(initial=1)))
    modules = len(overlay.staging.rules.modules)
    written = detailed and modules < 1000
    faces = [Face(IMPOSSIBLE, "0" if written else "")]
    for number in range(1, most + 1):
        faces.append(Face(count_paint(number, most), str(number) if written else ""))
    return faces, np.where(candidates >= 0, candidates, NOTHING).astype(np.int64)


def count_paint(number: int, most: int) -> Paint:
    """Return the paint of a number of candidates, the darker the fewer; steps are those of logarithms."""
    if number < 1:
        return IMPOSSIBLE
    return heat_paint(1 - (float(np.log(number) / np.log(most)) if most > 1 else 0.5))


def _heat_legend(overlay: Overlay, candidates: Counts, prefix: str) -> list[Entry]:
    numbers, counts = np.unique(candidates[candidates >= 0], return_counts=True)
    shown = list(zip(numbers.tolist(), counts.tolist(), strict=True))
    if len(shown) > MAX_NAMES:
        shown = shown[:: -(-len(shown) // MAX_NAMES)]
    faces, _ = _heat(overlay, candidates, detailed=True)
    entries = [Entry(f"possible on {counted(total, 'node')}", draw_disc(faces[number])) for number, total in shown]
    return entries + _marks(overlay, prefix)


def _module_legend(overlay: Overlay, faces: list[Face], prefix: str) -> list[Entry]:
    """Return the names of the modules that are shown, with how many there are of each."""
    modules = overlay.staging.rules.modules
    numbers, counts = np.unique(overlay.fill[overlay.fill >= 0], return_counts=True)
    totals: dict[str, int] = {} if overlay.is_filled else dict.fromkeys((module.name for module in modules), 0)
    first: dict[str, int] = {}
    for number, module in enumerate(modules):
        first.setdefault(module.name, number)
    if overlay.is_filled:
        for number, total in zip(numbers.tolist(), counts.tolist(), strict=True):
            totals[modules[number].name] = totals.get(modules[number].name, 0) + total
    marks = _marks(overlay, prefix)
    names = sorted(totals, key=first.__getitem__)
    if len(names) > MAX_NAMES and all(module.look.colour for module in modules):
        return marks  # patterns learnt from a picture: their names say nothing
    entries = []
    for name in names[:MAX_NAMES]:
        text = f"{name} × {totals[name]:,}" if overlay.is_filled else name
        entries.append(Entry(text, draw_disc(faces[first[name]])))
    if len(names) > MAX_NAMES:
        entries.append(Entry(f"… and {len(names) - MAX_NAMES} more", " "))
    return entries + marks


def _marks(overlay: Overlay, prefix: str) -> list[Entry]:
    left_out = int((overlay.fill == UNSOLVABLE).sum())
    entries = []
    if overlay.idle_edges.any():
        line = path("M-15 0h30", stroke=FAINT_INK, stroke_width=3, stroke_dasharray=IDLE_DASHES)
        entries.append(Entry("edge that takes no part", line))
    if overlay.picks and overlay.candidates is None:
        flag = group(tag("use", href=f"#{prefix}p"), transform="scale(1.6) translate(10 10)")
        entries.append(Entry("fixed pick", flag))
    if left_out > len(overlay.over_budget):
        entries.append(Entry("proved impossible", tag("use", href=f"#{prefix}i")))
    if overlay.over_budget:
        entries.append(Entry("given up on", tag("use", href=f"#{prefix}o")))
    return entries
