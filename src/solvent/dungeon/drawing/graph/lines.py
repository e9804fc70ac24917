"""The joins of a graph as lines: what stands on each, and how it is drawn.

A join and its way back are one line, also where they ask for different things: then a small arrow beside a sign says in
which direction it bars the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.drawing.curves import Curve
from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, INK, WHITE, Paint, mix
from solvent.drawing.shapes import Outlined, Point, path, put, rect, write_outlined
from solvent.drawing.text_width import fit_text, text_width
from solvent.dungeon.drawing.colours import SEA
from solvent.dungeon.drawing.graph.joins import Join, RoomGraph
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import Names, gate_is_open
from solvent.dungeon.drawing.things import draw_end, draw_gate, edge_paint
from solvent.dungeon.drawing.walk import walk_paint
from solvent.dungeon.events import describe_need
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game

MAX_GATES = 3
"""Shown on one line in one direction."""
SIGN_STEP, _HEIGHT, _ARROW = 26.0, 26.0, 12.0
"""The room of a sign on a line, across and down, and of the arrow beside it."""

_NAME, _NAME_LINE, _WIDEST_NAME = 11, 12.0, 96.0
"""The size of the letters of a name below the signs, its line, and how wide it may be."""

Gates = tuple[int, ...]


class Line(Struct, frozen=True):
    """Hold a line between two rooms."""

    one: int
    other: int
    there: Gates | None
    """The gates from the one to the other; None if there is no way."""
    back: Gates | None
    kind: str
    wet: tuple[bool, bool] = (False, False)
    """Whether it leads over water, there and back."""

    def signs(self, dungeon: Dungeon) -> list[tuple[str | int, str]]:
        """Return what stands on it, and for which direction: empty for both, else `there` or `back`.

        A number is a gate, `water` is water, other words are the kind of the way.
        """
        there, back = self.there or (), self.back or ()
        found: list[tuple[str | int, str]] = []
        if self.there is None or self.back is None or _looks(dungeon, there) == _looks(dungeon, back):
            found.extend((gate, "") for gate in (there or back)[:MAX_GATES])
        else:
            shared = set(there) & set(back)
            for gates, direction in ((there, "there"), (back, "back")):
                found.extend((gate, direction) for gate in gates[:MAX_GATES] if gate not in shared)
            found.extend((gate, "") for gate in sorted(shared)[:MAX_GATES])
        if any(self.wet):
            one_way = self.there is None or self.back is None or all(self.wet)
            found.append(("water", "" if one_way else "there" if self.wet[0] else "back"))
        if self.kind in ("stairs", "warp"):
            found.append((self.kind, ""))
        return found

    def label_size(self, dungeon: Dungeon) -> tuple[float, float]:
        """Return how much room its signs take."""
        signs = self.signs(dungeon)
        name = self.name(dungeon)
        width = max(_row_width(signs), text_width(name, _NAME) + 4 if name else 0.0)
        return (width, _HEIGHT + (_NAME_LINE if name else 0)) if signs else (0.0, 0.0)

    def name(self, dungeon: Dungeon) -> str:
        """Return what people call its gates; empty if they have no names of their own."""
        gates = [dungeon.gates[sign].name for sign, _ in self.signs(dungeon) if isinstance(sign, int)]
        return fit_text(", ".join(dict.fromkeys(name for name in gates if name)), _WIDEST_NAME, _NAME)


def _row_width(signs: Sequence[tuple[str | int, str]]) -> float:
    return sum(SIGN_STEP + (_ARROW if direction else 0) for _, direction in signs)


def _looks(dungeon: Dungeon, gates: Gates) -> list[tuple[object, ...]]:
    """Return how gates look: shutters are alike whichever room they belong to."""
    kinds = (dungeon.gates[number] for number in gates)
    return sorted((gate.kind, *(() if gate.kind == "soft" else gate.needs), repr(gate.rule)) for gate in kinds)


def find_lines(graph: RoomGraph) -> list[Line]:
    """Return the lines of a graph: joins, each with its way back if there is one of the same kind."""
    returning: dict[tuple[int, int, str], list[Join]] = defaultdict(list)
    for join in graph.joins:
        if not join.both:
            returning[join.source, join.target, join.kind].append(join)
    used: set[int] = set()
    lines = []
    for join in graph.joins:
        if id(join) in used:
            continue
        used.add(id(join))
        back = join if join.both else None
        if not join.both:
            waiting = returning[join.target, join.source, join.kind]
            back = next((other for other in waiting if id(other) not in used), None)
            if back is not None:
                used.add(id(back))
        wet = join.wet, back is not None and back.wet
        lines.append(Line(join.source, join.target, join.gates, None if back is None else back.gates, join.kind, wet))
    return lines


class LinePainter(Struct, frozen=True):
    """Hold what all lines of a picture are drawn with."""

    game: Game
    names: Names
    overlay: Overlay

    def draw(self, line: Line, curve: Curve, middle: Point, *, walked: bool) -> Iterator[Markup]:
        """Yield a line, its signs around the middle, and an arrow if it leads one way only."""
        dungeon = self.game.dungeon
        paint = self._paint(line)
        data = curve.write()
        dashes = "7 5" if line.kind in ("stairs", "warp", "passage") else None
        if walked:
            yield path(data, stroke=walk_paint(self.overlay.lost), stroke_width=9, opacity=0.35)
        yield path(data, stroke=paint, stroke_width=2.6, stroke_dasharray=dashes)
        if line.back is None or line.there is None:
            ahead = curve if line.back is None else curve.reversed()
            (x, y), turn = ahead.along(-9)
            yield put(draw_arrow(paint), x, y, turn=turn)
        signs = line.signs(dungeon)
        name = line.name(dungeon)
        if name:
            at = Outlined(name, middle[0], middle[1] + _HEIGHT / 2 + _NAME - 6)
            yield from write_outlined([at], _NAME, fill=INK, text_anchor="middle")
            middle = middle[0], middle[1] - _NAME_LINE / 2
        turn = _turn_at(curve, middle)
        x = middle[0] - _row_width(signs) / 2
        for sign, direction in signs:
            drawn, size, title = self._sign(sign)
            yield put(drawn, x + SIGN_STEP / 2, middle[1], size=size, title=title)
            x += SIGN_STEP
            if direction:
                pointing = turn if direction == "there" else turn + 180
                yield put(draw_direction(paint), x + _ARROW / 2 - 1, middle[1], turn=pointing)
                x += _ARROW

    def _paint(self, line: Line) -> Paint:
        gates = (*(line.there or ()), *(line.back or ()))
        if gates:
            return edge_paint(self.game.dungeon.gates[gates[0]], self.names)
        return mix(SEA, (0, 60, 110), 0.6) if any(line.wet) else FAINT_INK

    def _sign(self, sign: str | int) -> tuple[Markup, float, str]:
        if isinstance(sign, int):
            gate = self.game.dungeon.gates[sign]
            opened = gate_is_open(self.game, sign, self.overlay.state)
            marked = sign in self.overlay.shut
            return draw_gate(gate, self.names, 28, 28, opened=opened, marked=marked), 0.8, describe_need(gate)
        if sign == "water":
            pool = rect(-12, -12, 24, 24, rx=4, fill=SEA, stroke="#3A7CA5")
            return pool + path("M-9 1q4.5 -6 9 0t9 0", stroke="#1D5B85"), 0.8, "water"
        return draw_end(sign), 0.7, sign


def draw_arrow(paint: Paint) -> Markup:
    """Draw the head of a line that leads one way only."""
    return path("M-9 -7L9 0L-9 7z", fill=paint, stroke=WHITE)


def draw_direction(paint: Paint) -> Markup:
    """Draw the arrow beside a sign that bars one direction only."""
    return path("M-5 -5L6 0L-5 5z", fill=paint, stroke=WHITE)


def _turn_at(curve: Curve, point: Point) -> float:
    """Return the direction of a curve at its point nearest to another, in degrees."""
    points = curve.points()
    best, distance, nearest = 0.0, 0.0, float("inf")
    for one, other in pairwise(points):
        step = ((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2) ** 0.5
        middle = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        away = (middle[0] - point[0]) ** 2 + (middle[1] - point[1]) ** 2
        if away < nearest:
            nearest, best = away, distance + step / 2
        distance += step
    return curve.along(best)[1]


def joined(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return the ends of lines."""
    return [(line.one, line.other) for line in lines]
