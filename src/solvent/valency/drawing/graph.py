"""Draw graphs: edges as lines, nodes as discs with what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from solvent.core.paint import INK
from solvent.valency.drawing.arranging import place_nodes
from solvent.valency.drawing.captions import describe, title_of
from solvent.valency.drawing.coarse import MAX_CELLS, draw_blocks
from solvent.valency.drawing.colours import FAINT_INK, LINE, UNFILLED, as_hex
from solvent.valency.drawing.cropping import crop
from solvent.valency.drawing.faces import draw_disc
from solvent.valency.drawing.looks import IDLE_DASHES, Looks, choose_looks, node_colours
from solvent.valency.drawing.marks import define_marks, draw_left_out, draw_links, draw_picks, draw_rings
from solvent.valency.drawing.overlay import MAX_EDGES, Overlay
from solvent.valency.drawing.paper import draw_paper
from solvent.valency.drawing.phrases import escape, shorten
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
    if len(points) > MAX_DOTS:
        elements = list(_draw_coarsely(overlay, points, size))
        captions.append("Too many nodes to draw each: colours are averages.")
    else:
        elements = list(_draw_nodes(overlay, graph, points, looks, radius))
    definitions = define_marks(looks.prefix)
    if detailed:
        for number in sorted({number for number in looks.of_node.tolist() if number >= 0}):
            definitions.append(f'<g id="{looks.prefix}{number}">{draw_disc(looks.faces[number])}</g>')
    return draw_paper(
        size,
        elements,
        definitions=definitions,
        title=title_of(overlay),
        captions=captions,
        sentences=overlay.reasons,
        description=describe(overlay),
        panel=looks.panel,
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


def _draw_nodes(overlay: Overlay, graph: Graph, points: Points, looks: Looks, radius: float) -> Iterator[str]:
    places = points.tolist()
    unit = radius / 16
    faded = overlay.is_clash and overlay.candidates is None

    def place(node: int) -> tuple[float, float]:
        return places[node][0] / unit, places[node][1] / unit

    yield '<g opacity=".4">' if faded else "<g>"
    if len(graph.edges) <= MAX_EDGES:
        width = min(2.5, max(0.4, radius / 8))
        idle = overlay.idle_edges
        for edges, dashes in ((graph.edges[~idle], ""), (graph.edges[idle], f' stroke-dasharray="{IDLE_DASHES}"')):
            lines = "".join(
                f"M{places[a][0]:.1f} {places[a][1]:.1f}L{places[b][0]:.1f} {places[b][1]:.1f}"
                for a, b in edges.tolist()
            )
            if lines:
                yield f'<path d="{lines}" fill="none" stroke="{as_hex(LINE)}" stroke-width="{width:.2g}"{dashes}/>'
    if len(places) > MAX_DETAILED:
        yield from _draw_dots(overlay, places, radius)
    else:
        yield f'<g transform="scale({unit:.5g})">'
        yield from _draw_discs(overlay, place, looks, range(len(places)))
        yield "</g>"
    yield "</g>"
    unit = max(unit, _SMALLEST_MARK / 16)
    yield f'<g transform="scale({unit:.5g})">'
    yield from draw_links(overlay, place)
    if faded and len(places) <= MAX_DETAILED:
        yield from _draw_discs(overlay, place, looks, overlay.ringed)
    if overlay.candidates is None:
        yield from draw_left_out(overlay, place, looks.prefix, is_round=True)
        yield from draw_picks(overlay, place, looks.prefix, is_round=True)
    yield from draw_rings(overlay, place, is_round=True)
    yield "</g>"
    if graph.names and len(places) <= MAX_NAMES:
        yield f'<g font-size="11" text-anchor="middle" fill="{as_hex(INK)}">'
        for name, (x, y) in zip(graph.names, places, strict=True):
            yield f'<text x="{x:.1f}" y="{y + radius + 11:.1f}">{escape(shorten(name, 18))}</text>'
        yield "</g>"


def _draw_discs(
    overlay: Overlay, place: Callable[[int], tuple[float, float]], looks: Looks, nodes: Iterable[int]
) -> Iterator[str]:
    for node in nodes:
        x, y = place(node)
        number = int(looks.of_node[node])
        if number >= 0:
            yield f'<use href="#{looks.prefix}{number}" x="{x:.6g}" y="{y:.6g}"/>'
        elif overlay.fill[node] == NULL_SLOT:
            rim = f'stroke="{as_hex(LINE)}" stroke-width="1.5" stroke-dasharray="3 3"'
            yield f'<circle cx="{x:.6g}" cy="{y:.6g}" r="9" fill="none" {rim}/>'
        else:
            rim = f'stroke="{as_hex(FAINT_INK)}" stroke-width="1.2"'
            yield f'<circle cx="{x:.6g}" cy="{y:.6g}" r="15" fill="{as_hex(UNFILLED)}" {rim}/>'


def _draw_dots(overlay: Overlay, places: list[list[float]], radius: float) -> Iterator[str]:
    """Yield all nodes of a colour as one path of dots."""
    dots: dict[str, list[str]] = {}
    colours = node_colours(overlay).tolist()
    for (x, y), (red, green, blue) in zip(places, colours, strict=True):
        dots.setdefault(as_hex((red, green, blue)), []).append(f"M{x:.1f} {y:.1f}h0")
    yield f'<g stroke-linecap="round" stroke-width="{2 * radius:.3g}">'
    for paint in sorted(dots):
        yield f'<path stroke="{paint}" d="{"".join(dots[paint])}"/>'
    yield "</g>"


def _draw_coarsely(overlay: Overlay, points: Points, size: tuple[float, float]) -> Iterator[str]:
    width, height = size
    side = max(2.0, (width * height / MAX_CELLS) ** 0.5)
    across, down = max(1, int(width / side)), max(1, int(height / side))
    urgent = overlay.fill == UNSOLVABLE if overlay.candidates is None else overlay.candidates == 0
    yield f'<g transform="scale({width / across:.6g} {height / down:.6g})">'
    yield from draw_blocks(points[:, 0] / width, points[:, 1] / height, node_colours(overlay), urgent, (across, down))
    yield "</g>"
