"""Draw graphs: edges as lines, nodes as discs with what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from solvent.drawing.markup import Markup, join, tag
from solvent.drawing.palette import FAINT_INK, INK, Paint
from solvent.drawing.paper import draw_paper
from solvent.drawing.phrases import shorten
from solvent.drawing.shapes import Point, circle, group, path, write_point
from solvent.valency.drawing.captions import lettering_for
from solvent.valency.drawing.coarse import MAX_CELLS, draw_blocks
from solvent.valency.drawing.colours import LINE, UNFILLED
from solvent.valency.drawing.cropping import crop
from solvent.valency.drawing.faces import draw_disc
from solvent.valency.drawing.looks import IDLE_DASHES, Looks, choose_looks, node_colours
from solvent.valency.drawing.marks import define_marks, draw_left_out, draw_links, draw_picks, draw_rings, use
from solvent.valency.drawing.overlay import MAX_EDGES, Overlay
from solvent.valency.drawing.sheet import place_nodes
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Graph

Points = npt.NDArray[np.float64]

MAX_DETAILED = 3_000
"""Nodes that are drawn with their pictures and glyphs; more are dots."""
MAX_DOTS = 60_000
"""Nodes that are drawn at all; of more, average colours are."""
MAX_NAMES = 60
"""Nodes whose names are written beside them."""
_WIDEST, _LARGEST_DISC, _SMALLEST_DISC, _SMALLEST_MARK = 860.0, 22.0, 1.2, 6.0


def draw_graph(overlay: Overlay, graph: Graph, *, bare: bool = False) -> str:
    """Draw a graph with all that is on it."""
    overlay, graph, points = crop(overlay, graph, place_nodes(graph))
    points, radius, size = _scale(points, graph)
    detailed = len(points) <= MAX_DETAILED
    looks = choose_looks(overlay, detailed=detailed)
    captions = list(overlay.captions)
    elements: Iterable[Markup]
    if len(points) > MAX_DOTS:
        elements = [_draw_coarsely(overlay, points, size)]
        captions.append("Too many nodes to draw each: colours are averages.")
    else:
        elements = _draw_nodes(overlay, graph, points, looks, radius)
    used = sorted({number for number in looks.of_node.tolist() if number >= 0}) if detailed else []
    discs = (group(draw_disc(looks.faces[number]), id=f"{looks.prefix}{number}") for number in used)
    return draw_paper(
        size,
        elements,
        lettering_for(overlay, looks.legend, captions=captions),
        definitions=join([define_marks(looks.prefix), *discs]),
        bare=bare,
    )


def _scale(points: Points, graph: Graph) -> tuple[Points, float, tuple[float, float]]:
    """Return the points in pixels, the radius of a disc, and the size of the drawing."""
    if not len(points):
        return points, _LARGEST_DISC, (200.0, 80.0)
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    scale = _WIDEST / max(float(extent.max()), 1e-12)
    lengths = np.hypot(*(points[graph.edges[:, 0]] - points[graph.edges[:, 1]]).T) * scale
    lengths = lengths[lengths > 0]
    typical = (
        float(np.quantile(lengths, 0.1 if len(points) <= MAX_DETAILED else 0.4))
        if len(lengths)
        else _WIDEST / max(1.0, len(points) ** 0.5)
    )
    if typical > 5 * _LARGEST_DISC:  # few nodes far apart: a smaller drawing shows them as well
        scale *= max(5 * _LARGEST_DISC / typical, 200.0 / _WIDEST)
        typical = 5 * _LARGEST_DISC
    radius = min(_LARGEST_DISC, max(_SMALLEST_DISC, 0.36 * typical))
    edge = radius * 1.6 + 6
    width, height = (extent * scale + 2 * edge).tolist()
    return (points - low) * scale + edge, radius, (width, height)


def _draw_nodes(overlay: Overlay, graph: Graph, points: Points, looks: Looks, radius: float) -> Iterator[Markup]:
    places: list[Point] = [(x, y) for x, y in points.tolist()]
    unit = radius / 16
    faded = overlay.is_clash and overlay.candidates is None

    def place(node: int) -> Point:
        return places[node][0] / unit, places[node][1] / unit

    detailed = len(places) <= MAX_DETAILED
    nodes = _draw_discs(overlay, place, looks, range(len(places))) if detailed else _draw_dots(overlay, places)
    look = {"transform": f"scale({unit:.5g})"} if detailed else {"stroke_linecap": "round", "stroke_width": 2 * radius}
    edges = _draw_edges(overlay, graph, places, radius)
    yield group(edges, group(nodes, **look), opacity=0.4 if faded else None)
    unit = max(unit, _SMALLEST_MARK / 16)
    marks = [*draw_links(overlay, place)]
    if faded and detailed:
        marks += _draw_discs(overlay, place, looks, overlay.ringed)
    if overlay.candidates is None:
        marks += draw_left_out(overlay, place, looks.prefix, is_round=True)
        marks += draw_picks(overlay, place, looks.prefix, is_round=True)
    marks += draw_rings(overlay, place, is_round=True)
    yield group(marks, transform=f"scale({unit:.5g})")
    if graph.names and len(places) <= MAX_NAMES:
        names = (
            tag("text", shorten(name, 18), x=x, y=y + radius + 11)
            for name, (x, y) in zip(graph.names, places, strict=True)
        )
        yield group(names, font_size=11, text_anchor="middle", fill=INK)


def _draw_edges(overlay: Overlay, graph: Graph, places: list[Point], radius: float) -> Iterator[Markup]:
    if len(graph.edges) > MAX_EDGES:
        return
    width = min(2.5, max(0.4, radius / 8))
    idle = overlay.idle_edges
    for edges, dashes in ((graph.edges[~idle], None), (graph.edges[idle], IDLE_DASHES)):
        lines = "".join(f"M{write_point(places[a])}L{write_point(places[b])}" for a, b in edges.tolist())
        if lines:
            yield path(lines, stroke=LINE, stroke_width=width, stroke_dasharray=dashes)


def _draw_discs(
    overlay: Overlay, place: Callable[[int], Point], looks: Looks, nodes: Iterable[int]
) -> Iterator[Markup]:
    for node in nodes:
        number = int(looks.of_node[node])
        if number >= 0:
            yield use(f"{looks.prefix}{number}", *place(node))
        elif overlay.fill[node] == NULL_SLOT:
            yield circle(*place(node), 9, fill="none", stroke=LINE, stroke_width=1.5, stroke_dasharray="3 3")
        else:
            yield circle(*place(node), 15, fill=UNFILLED, stroke=FAINT_INK, stroke_width=1.2)


def _draw_dots(overlay: Overlay, places: list[Point]) -> Iterator[Markup]:
    """Yield all nodes of a colour as one path of dots."""
    dots: dict[Paint, list[str]] = {}
    for point, (red, green, blue) in zip(places, node_colours(overlay).tolist(), strict=True):
        dots.setdefault((red, green, blue), []).append(f"M{write_point(point)}h0")
    for paint in sorted(dots):
        yield path("".join(dots[paint]), stroke=paint)


def _draw_coarsely(overlay: Overlay, points: Points, size: tuple[float, float]) -> Markup:
    width, height = size
    side = max(2.0, (width * height / MAX_CELLS) ** 0.5)
    across, down = max(1, int(width / side)), max(1, int(height / side))
    urgent = overlay.fill == UNSOLVABLE if overlay.candidates is None else overlay.candidates == 0
    x, y = points[:, 0] / width, points[:, 1] / height
    blocks = draw_blocks(x, y, node_colours(overlay), urgent, (across, down))
    return group(blocks, transform=f"scale({width / across:.6g} {height / down:.6g})")
