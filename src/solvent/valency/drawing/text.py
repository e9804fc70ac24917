"""Draw clusters for a terminal, at most 80 columns wide.

A cell is two characters wide where that fits, so that lattices keep their shape; wider ones have one character a cell.
Numbers of candidates take as many as the largest needs.
Of what is wider still, or very tall, the first part is shown, or the part where something clashes.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import counted, shorten
from solvent.drawing.terminal import WIDTH, Painted, Piece, plain, wrap, wrap_key, write_pieces
from solvent.valency.drawing.captions import title_of
from solvent.valency.drawing.colours import IMPOSSIBLE, OVER_BUDGET, choose_paints
from solvent.valency.drawing.glyphs import (
    IMPOSSIBLE_SIGN,
    NULL_SIGN,
    OVER_BUDGET_SIGN,
    UNFILLED_SIGN,
    choose_glyphs,
    width_of,
)
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.drawing.strokes import join_between
from solvent.valency.model import HEX, NULL_SLOT, UNSOLVABLE, Graph, Lattice
from solvent.valency.orbitals import node_name

MAX_ROWS = 100
"""Rows of a floor that are shown."""
MAX_FLOORS = 12
MAX_NODES = 40
"""Nodes of a graph that are listed."""
MAX_NAMES = 40
"""Modules that the key explains."""
MAX_SHARING = 3
"""Modules with the same sign that the key names."""
LOOK_HERE = "<"


def draw_lines(overlay: Overlay, *, colour: bool, bare: bool = False) -> str:
    """Draw all of it: title, captions, cells or nodes, the key, and what clashes; if `bare`, cells or nodes alone."""
    signs = _Signs(overlay)
    cluster = overlay.staging.cluster
    head = () if bare else (title_of(overlay), *overlay.captions)
    blocks = ["\n".join(wrap(line)) for line in head]
    if isinstance(cluster, Lattice):
        blocks += _draw_floors(overlay, cluster, signs, colour=colour)
    else:
        blocks.append("\n".join(_list_nodes(overlay, cluster, signs, colour=colour)))
    if not bare:
        blocks.append(_key(signs) if overlay.candidates is None or overlay.ringed else "")
        blocks += ["\n".join(wrap(reason, indent="  ")) for reason in overlay.reasons]
    return "\n".join(block for block in blocks if block) + "\n"


class _Signs:
    """Give each node its sign, and remember which were used."""

    def __init__(self, overlay: Overlay) -> None:
        modules = overlay.staging.rules.modules
        self.overlay = overlay
        self.modules = modules
        self.glyphs = choose_glyphs(modules)
        self.paints = choose_paints(modules)
        self.numbers = {node: number for number, node in enumerate(overlay.ringed, start=1)}
        self.used: dict[str, list[str]] = {}
        """What each sign stands for here, in the order in which it came."""
        self.most = 0 if overlay.candidates is None else int(overlay.candidates.max(initial=1))
        """The largest number of candidates; 0 where modules are shown."""
        self.widest = len(str(self.most)) if self.most else max(map(width_of, self.glyphs), default=1)
        """Columns of the widest sign."""

    def of(self, node: int) -> Painted:
        """Return the sign of a node: what it holds, or how many modules it could hold."""
        if self.overlay.candidates is not None:
            return self._count(int(self.overlay.candidates[node]))
        number = int(self.overlay.fill[node])
        if number >= 0:
            glyph = self.glyphs[number]
            self.remember(glyph, self.modules[number].name)
            return glyph, self.paints[number]
        if number == NULL_SLOT:
            return NULL_SIGN, None
        if number != UNSOLVABLE:
            return UNFILLED_SIGN, None
        sign = OVER_BUDGET_SIGN if node in self.overlay.over_budget else IMPOSSIBLE_SIGN
        self.remember(sign, self.held(node))
        return sign, OVER_BUDGET if sign == OVER_BUDGET_SIGN else IMPOSSIBLE

    def held(self, node: int) -> str:
        """Return what a node holds, or why it holds nothing; empty where there is nothing to say."""
        number = int(self.overlay.fill[node])
        if number >= 0:
            return self.modules[number].key
        if number != UNSOLVABLE:
            return ""
        return "given up on" if node in self.overlay.over_budget else "proved impossible"

    def remember(self, sign: str, meaning: str) -> None:
        """Keep what a sign stands for; several modules may share one."""
        meanings = self.used.setdefault(sign, [])
        if meaning not in meanings:
            meanings.append(meaning)

    def _count(self, number: int) -> Painted:
        if number < 0:
            return NULL_SIGN if number == NULL_SLOT else UNFILLED_SIGN, None
        from solvent.valency.drawing.looks import count_paint

        return str(number), count_paint(number, self.most)

    def mark(self, node: int) -> str:
        """Return what stands behind the sign of a node that is to be looked at: its number, if there are few."""
        number = self.numbers.get(node, 0)
        if not number:
            return ""
        return str(number) if self.are_numbered else LOOK_HERE

    @property
    def are_numbered(self) -> bool:
        """Tell whether nodes to look at have their numbers beside them; beside other numbers that could not be read."""
        return self.overlay.is_clash and len(self.numbers) < 10 and self.overlay.candidates is None


def _draw_floors(overlay: Overlay, lattice: Lattice, signs: _Signs, *, colour: bool) -> Iterator[str]:
    from solvent.valency.drawing.sheet import Window, choose_window

    window = choose_window(overlay, lattice, readable_cells=WIDTH // 2)
    needs_room = bool(signs.numbers or signs.most)  # for marks, or between numbers
    cell = max(2, signs.widest + needs_room)
    shift = cell // 2 if lattice.kind == HEX else 0
    if signs.widest == 1 and not needs_room and window.width * cell + shift > WIDTH:
        cell = 1
    across = (WIDTH - shift) // cell
    shown = Window(
        window.left, window.top, window.left + min(window.width, across), window.top + min(window.height, MAX_ROWS)
    )
    for floor in range(min(lattice.depth, MAX_FLOORS)):
        lines = [f"floor {floor}"] if lattice.depth > 1 else []
        for y in range(shown.top, shown.bottom):
            first = lattice.width * (y + lattice.height * floor)
            pieces: list[Piece] = [(" " * shift, None)] if shift and y % 2 else []
            row = [(node, *signs.of(node)) for node in range(first + shown.left, first + shown.right)]
            for (node, sign, paint), (_, after, _) in zip(row, [*row[1:], (-1, "", None)], strict=True):
                marked = sign + signs.mark(node) if cell > 1 else sign
                columns = sum(map(width_of, marked))
                pieces.append((marked + join_between(sign, after) * (cell - columns), paint))
            lines.append(write_pieces(pieces, colour=colour))
        yield "\n".join(lines)
    if lattice.depth > MAX_FLOORS:
        yield f"… and {counted(lattice.depth - MAX_FLOORS, 'more floor')}"
    if (shown.width, shown.height) != (lattice.width, lattice.height):
        yield (
            f"columns {shown.left} to {shown.right - 1} of {lattice.width}, "
            f"rows {shown.top} to {shown.bottom - 1} of {lattice.height}"
        )
    if signs.numbers and not signs.are_numbered:
        signs.remember(LOOK_HERE, "look here")


def _list_nodes(overlay: Overlay, graph: Graph, signs: _Signs, *, colour: bool) -> Iterator[str]:
    """Yield a line for each node: what it holds, and its neighbours. Nodes to look at come first."""
    nodes = len(graph.positions)
    listed = [*overlay.ringed, *(node for node in range(nodes) if node not in signs.numbers)][:MAX_NODES]
    wanted = set(listed)
    neighbours: dict[int, list[str]] = {node: [] for node in listed}
    for a, b in graph.edges[~overlay.idle_edges].tolist():
        for here, there in ((a, b), (b, a)):
            if here in wanted:
                neighbours[here].append(graph.names[there] if graph.names else str(there))
    for node in listed:
        sign, paint = signs.of(node)
        held = signs.held(node) if overlay.candidates is None else ""
        held += " (fixed)" if held and node in overlay.picks else ""
        name = shorten(plain(node_name(graph, node)), 24)
        line = f" {name}{': ' + plain(held) if held else ''} — {plain(', '.join(neighbours[node])) or 'alone'}"
        mark = f"{signs.numbers[node]:>3} " if signs.numbers and node in signs.numbers else ""
        padding = " " * (len(str(signs.most)) - len(sign)) if signs.most else ""
        left = WIDTH - len(mark) - len(padding) - sum(map(width_of, sign))
        yield write_pieces([(mark + padding, None), (sign, paint), (shorten(line, left), None)], colour=colour)
    if nodes > len(listed):
        yield f"… and {counted(nodes - len(listed), 'more node')}"


def _key(signs: _Signs) -> str:
    """Return what each sign means."""
    signs_of: dict[str, str] = {}
    for sign, names in signs.used.items():
        shown = [shorten(plain(name), 30) for name in names[:MAX_SHARING]]
        meaning = shorten(", ".join(shown + ["…"] * (len(names) > MAX_SHARING)), WIDTH - 20)
        signs_of[meaning] = signs_of.get(meaning, "") + sign
    entries = [f"{those} {meaning}" for meaning, those in signs_of.items()]
    if len(entries) > MAX_NAMES:
        entries[MAX_NAMES:] = [f"… and {len(entries) - MAX_NAMES} more"]
    return wrap_key(entries)
