"""Graphs of rooms as the Video Game Level Corpus has them, in the DOT language.

A node's label says what is in a room, an edge's label what bars the way. What is odd about a graph but can be read
becomes a remark; what decides who can go where and cannot be read is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.model import Requirement
from solvent.dungeon.notation.text.lines import Line
from solvent.dungeon.notation.text.things import PICKUPS, Things, parse_things
from solvent.dungeon.notation.vglc.labels import (
    NEEDS,
    UNEXPLAINED,
    LabelReader,
    Labels,
    is_made_of_labels,
    is_switch,
    read_needs,
)
from solvent.formats.dot import Attributes, DotEdge, DotGraph, DotLimits, DotNode, read_dot, says_how_to_draw

_LIMITS = DotLimits(nodes=20_000, edges=80_000)
_MAX_SHOWN = 12
"""How many rooms or ways a remark lists."""
_READ = frozenset({"label", "dir", "style", "needs", "has"})
_DECIDING = re.compile("lock|key|door|gate|item|switch|need|requir|open|clos|barr|one_?way|start|goal|exit|boss|bomb")
"""Parts of other names that say something about who can go where."""
_DECIDING_VALUE = re.compile(
    r"(?<![cf])lock|(?<!mon)key|gate|item|switch|need|requir|open|clos|shut|barr|one[_ -]?way|bomb|impass",
    re.IGNORECASE,
)
"""Parts of values that say so."""
_LETTERS = "what bars a way or lies in a room as letters in its label"
_TEXTS = re.compile(r"comment|class|\w*tooltip")
"""Attributes of drawings that hold words of the designer."""
_MAX_VALUE = 40
"""How many characters of a value are shown."""


class Graph(Struct, frozen=True, dict=True):
    """Hold a graph of rooms."""

    nodes: Mapping[str, Labels]
    """Each node's labels, in the order of the text."""
    edges: Mapping[tuple[str, str], tuple[Labels, ...]]
    """From a node to another: the labels of each edge, no two alike."""
    title: str = ""
    things: Mapping[str, Things] = {}
    """What lies in a room beside what its labels say."""
    goal_rule: Requirement | None = None
    """What the goals need."""
    loops: tuple[str, ...] = ()
    """Nodes with an edge to themselves, which means nothing."""
    remarks: tuple[str, ...] = ()
    """What was odd about it, and how that was read."""
    node_lines: Mapping[str, int] = {}
    """Where each node stands in the text."""
    edge_lines: Mapping[tuple[str, str], Sequence[int]] = {}
    """Where each edge from a node to another stands."""

    @cached_property
    def outside(self) -> str:
        """Return the node the player starts at."""
        return next(node for node, labels in self.nodes.items() if "s" in labels)

    @cached_property
    def goals(self) -> tuple[str, ...]:
        """Return the nodes that end the game: those labelled `t` alone, or if there are none, all with a `t`."""
        pure = tuple(node for node, labels in self.nodes.items() if labels == ("t",))
        return pure or tuple(node for node, labels in self.nodes.items() if "t" in labels)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of nodes with an edge one way or both, each once, in the order of the nodes."""
        return self._pairs

    def pairs_of(self, node: str) -> list[tuple[str, str]]:
        """Return those of the pairs that a node is in."""
        return self._pairs_by_node.get(node, [])

    @cached_property
    def _pairs_by_node(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for pair in self._pairs:
            for node in pair:
                found.setdefault(node, []).append(pair)
        return found

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        rank = {node: number for number, node in enumerate(self.nodes)}
        found = {(one, other) if rank[one] < rank[other] else (other, one) for one, other in self.edges}
        return sorted(found, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def labels_between(self, one: str, other: str) -> list[Labels]:
        """Return the labels of the edges between two nodes, of one or both directions."""
        return [labels for pair in ((one, other), (other, one)) for labels in self.edges.get(pair, ())]


def parse_dot(text: str) -> Graph:
    """Read a graph, or raise ParseError."""
    dot = read_dot(text, _LIMITS)
    reader = LabelReader()
    notes = _Notes()
    nodes = {
        name: reader.read_node(name, node.attributes.get("label", ""), node.line) for name, node in dot.nodes.items()
    }
    edges = _read_edges(dot, reader, notes)
    reader.require_known()
    notes.look_over(dot, nodes, edges)
    _require_ends(nodes)
    return Graph(
        nodes,
        edges,
        dot.title,
        things={name: _read_things(name, node) for name, node in dot.nodes.items() if "has" in node.attributes},
        goal_rule=_read_goal_rule(dot, nodes),
        loops=tuple(notes.loops),
        remarks=(*reader.remarks(), *notes.remarks()),
        node_lines={name: node.line for name, node in dot.nodes.items()},
        edge_lines=notes.lines,
    )


def _read_things(name: str, node: DotNode) -> Things:
    """Read what a room has, in the words of our text format."""
    try:
        things = parse_things(Line(node.line, 1, node.attributes["has"].strip()))
    except ParseError as error:
        found = [] if error.value is None else [error.value]
        raise ParseError(f"{error.expected} (what room {name} has)", *found, line=node.line) from None
    for thing in things:
        if thing.word not in PICKUPS:
            raise ParseError(f"{', '.join(PICKUPS)} (what room {name} has)", thing.word, line=node.line)
    return things


def _read_goal_rule(dot: DotGraph, nodes: Mapping[str, Labels]) -> Requirement | None:
    """Return what the goals need, which all of them must say alike."""
    goals = Graph(nodes, {}).goals
    rules: dict[Requirement | None, None] = {}
    for name, node in dot.nodes.items():
        text = node.attributes.get("needs")
        if text is not None and name not in goals:
            raise ParseError("needs on the goal or on ways alone", f"room {name}", line=node.line)
        if name in goals:
            rules[None if text is None else read_needs(text, f"room {name}", node.line)] = None
    if len(rules) > 1:
        raise ParseError("needs: the same on all goals", ", ".join(goals[:_MAX_SHOWN]))
    return next(iter(rules), None)


class _Notes(Struct):
    """Gather what is odd about the edges of a graph, each as words such as `3 to 4`."""

    undirected: bool = False
    loops: dict[str, None] = field(default_factory=dict)
    repeated: dict[str, None] = field(default_factory=dict)
    several: dict[str, None] = field(default_factory=dict)
    also_shut: dict[str, None] = field(default_factory=dict)
    unexplained: dict[str, None] = field(default_factory=dict)
    also_soft: dict[str, None] = field(default_factory=dict)
    turned: dict[str, None] = field(default_factory=dict)
    invisible: dict[str, None] = field(default_factory=dict)
    undescribed: dict[str, None] = field(default_factory=dict)
    attributes: dict[str, None] = field(default_factory=dict)
    no_switch: dict[str, None] = field(default_factory=dict)
    switches: bool = False
    lines: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """Where each edge stands."""

    def look_over(
        self, dot: DotGraph, nodes: Mapping[str, Labels], edges: Mapping[tuple[str, str], tuple[Labels, ...]]
    ) -> None:
        """Find what shows only once everything is read."""
        self.undirected = not dot.directed
        self.undescribed = {name: None for name, node in dot.nodes.items() if not node.described and not nodes[name]}
        for of_room, things in ((True, dot.nodes.values()), (False, dot.edges)):
            for thing in things:
                self._look_at(thing.attributes, of_room, thing.line)
        for each in dot.subgraph_attributes:
            _require_idle(each.name, each.value, each.line)
            if each.name == "label" and each.value.strip():
                self.attributes[f"label={_shown(each.value)} (of a subgraph)"] = None
        worked = {label for labels in nodes.values() for label in labels if is_switch(label)}
        self.switches = bool(worked)
        for (source, target), ways in edges.items():
            for missing in sorted({label for labels in ways for label in labels if is_switch(label)} - worked):
                self.no_switch[f"{missing} ({source} to {target})"] = None

    def _look_at(self, attributes: Attributes, of_room: bool, line: int) -> None:
        for name, value in attributes.items():
            is_drawing = says_how_to_draw(name)
            if name in _READ or (is_drawing and not _TEXTS.fullmatch(name)):
                continue
            if not is_drawing and _DECIDING.search(name):
                raise ParseError(f"{_LETTERS}, not as {name}", line=line)
            if value.strip() == attributes.get("label", "").strip():
                continue  # says once more what is read
            _require_idle(name, value, line)
            if is_made_of_labels(value, of_room):
                raise ParseError(f"{_LETTERS}, not as {name}", _shown(value), line=line)
            if not is_drawing:
                self.attributes[f"{name}={_shown(value)} (of {'a node' if of_room else 'an edge'})"] = None

    def remarks(self) -> Iterator[str]:
        from solvent.drawing.phrases import listed

        if self.undirected:
            yield "the graph has no directions: every way goes both ways"
        if self.switches:
            yield "switches (S1) stay on, and every room with a switch's label turns it on"
        for beginning, found in (
            ("no room has these switches, so the ways that need them stay shut", self.no_switch),
            (
                f"the corpus does not say what {UNEXPLAINED} means; what else bars these ways is all that was read",
                self.unexplained,
            ),
            ("soft locks on ways that something else bars too are left out", self.also_soft),
            ("edges that are there several times, barred differently, are several ways", self.several),
            ("edges that are there more than once count once", self.repeated),
            ("ways that are impassable (s) by one edge and not by another can be gone", self.also_shut),
            ("edges whose arrows are drawn another way (dir) go as drawn", self.turned),
            ("invisible edges are left out", self.invisible),
            ("nodes without a line of their own hold nothing", self.undescribed),
            ("attributes that mean nothing here", self.attributes),
        ):
            if found:
                yield f"{beginning}: {listed(list(found), most=_MAX_SHOWN)}"


def _require_idle(name: str, value: str, line: int) -> None:
    """Raise ParseError if a value that is not read sounds as if it decided who can go where."""
    if _DECIDING_VALUE.search(value):
        raise ParseError(f"{_LETTERS}, not as {name}", _shown(value), line=line)


def _shown(value: str) -> str:
    text = " ".join(value.split())
    return text if len(text) <= _MAX_VALUE else f"{text[:_MAX_VALUE]}…"


def _read_edges(dot: DotGraph, reader: LabelReader, notes: _Notes) -> dict[tuple[str, str], tuple[Labels, ...]]:
    found: dict[tuple[str, str], dict[Labels, None]] = {}
    for edge in dot.edges:
        if "invis" in edge.attributes.get("style", ""):
            notes.invisible[f"{edge.source} to {edge.target}"] = None
            continue
        for source, target in _directions(edge, dot.directed, notes):
            notes.lines.setdefault((source, target), []).append(edge.line)
            name = f"{source} to {target}"
            labels = _one_lock(_labels(edge, reader, name), name, edge.line, notes)
            if source == target:
                notes.loops[source] = None
            elif labels in found.setdefault((source, target), {}):
                notes.repeated[name] = None
            else:
                found[source, target][labels] = None
    return {pair: _passable(pair, ways, notes) for pair, ways in found.items()}


def _labels(edge: DotEdge, reader: LabelReader, name: str) -> Labels:
    """Return the labels of an edge, and as one of them what its attribute `needs` says."""
    labels = reader.read_edge(name, edge.attributes.get("label", ""), edge.line)
    needs = edge.attributes.get("needs")
    if needs is None:
        return labels
    asked = reader.read_edge(name, f"{NEEDS}{needs}", edge.line)
    return labels if labels == asked else (*labels, *asked)


def _directions(edge: DotEdge, directed: bool, notes: _Notes) -> list[tuple[str, str]]:
    """Return from where to where an edge goes."""
    there, back = (edge.source, edge.target), (edge.target, edge.source)
    drawn = edge.attributes.get("dir", "").lower()
    if edge.source == edge.target:
        return [there]
    if drawn not in ("", "forward", "back", "both", "none"):
        raise ParseError("forward, back, both or none as dir", drawn, line=edge.line)
    usual = "forward" if directed else "none"
    if drawn not in ("", usual):
        notes.turned[f"{edge.source} to {edge.target} ({drawn})"] = None
    return {"forward": [there], "back": [back]}.get(drawn or usual, [there, back])


def _one_lock(labels: Labels, name: str, line: int, notes: _Notes) -> Labels:
    """Return the labels of an edge that a single gate can hold; some are left out, with a remark."""
    if UNEXPLAINED in labels and len(labels) > 1:
        notes.unexplained[name] = None
        labels = tuple(label for label in labels if label != UNEXPLAINED)
    if "l" in labels and len(labels) > 1:
        notes.also_soft[name] = None
        labels = tuple(label for label in labels if label != "l")
    kinds = {"item" if label == "I" or is_switch(label) else label for label in labels}
    if UNEXPLAINED in kinds:
        raise ParseError(f"a switch beside {UNEXPLAINED}, whose meaning the corpus does not say", name, line=line)
    if len(kinds) > 1:
        expected = "one kind of lock on an edge, or items and switches together (for more, put a room between)"
        raise ParseError(expected, ",".join(labels), line=line)
    return labels


def _passable(pair: tuple[str, str], ways: Mapping[Labels, None], notes: _Notes) -> tuple[Labels, ...]:
    """Return the edges from a node to another without impassable ones beside ways that can be gone."""
    name = f"{pair[0]} to {pair[1]}"
    kept = tuple(labels for labels in ways if labels != ("s",))
    if kept and len(kept) < len(ways):
        notes.also_shut[name] = None
    if len(kept) > 1:
        notes.several[name] = None
    return kept or tuple(ways)


def _require_ends(nodes: Mapping[str, Labels]) -> None:
    starts = [node for node, labels in nodes.items() if "s" in labels]
    if len(starts) != 1:
        found = ", ".join(starts[:_MAX_SHOWN]) or "none"
        raise ParseError("exactly one node labelled s, where the player starts", found)
    if not any("t" in labels for labels in nodes.values()):
        raise ParseError("a node labelled t, which is the goal", "none")
