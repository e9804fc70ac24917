"""Graphs of rooms as the Video Game Level Corpus has them, in a small part of the DOT language.

A node's label says what is in a room, an edge's label what bars the way; both are lists with commas. The corpus has its
quirks: labels that run over a line's end, commas left out (`ep`) or doubled, edges from a node to itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from solvent.core.errors import ParseError

NODE_LABELS = {
    "s": "start",
    "t": "triforce",
    "b": "boss",
    "m": "mini-boss",
    "e": "enemy",
    "p": "puzzle",
    "k": "key",
    "K": "boss key",
    "I": "key item",
    "i": "minor item",
}
"""What each letter says of a room. Beside these, `S` with or without a number is a switch."""
EDGE_LABELS = {
    "l": "soft lock",
    "b": "bombable",
    "k": "locked",
    "K": "locked, boss key",
    "I": "needs a key item",
    "s": "visible but impassable",
}
"""What each letter says of a way. Beside these, `S` with or without a number needs a switch."""

_SWITCH = re.compile(r"S[0-9]*")
_TOKEN = re.compile(
    r'(?P<blank>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|^#[^\n]*)|(?P<arrow>->)|(?P<mark>[\[\]{};,=])|"(?P<text>(?:[^"\\]|\\.)*)"'
    r"|(?P<word>[A-Za-z0-9_.]+)",
    re.DOTALL | re.MULTILINE,
)
_MAX_NODES = 20_000
_MAX_EDGES = 4 * _MAX_NODES


class Graph(Struct, frozen=True):
    """Hold a graph of rooms."""

    nodes: Mapping[str, tuple[str, ...]]
    """Each node's labels, in the order of the text."""
    edges: Mapping[tuple[str, str], tuple[str, ...]]
    """The labels of each edge from a node to another."""
    title: str = ""
    loops: tuple[str, ...] = ()
    """Nodes with an edge to themselves, which means nothing."""

    @property
    def outside(self) -> str:
        """Return the node the player starts at."""
        return next(node for node, labels in self.nodes.items() if "s" in labels)

    @property
    def goals(self) -> tuple[str, ...]:
        """Return the nodes that end the game: those labelled `t` alone, or if there are none, all with a `t`."""
        pure = tuple(node for node, labels in self.nodes.items() if labels == ("t",))
        return pure or tuple(node for node, labels in self.nodes.items() if "t" in labels)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of nodes with an edge one way or both, each once, in the order of the nodes."""
        rank = {node: number for number, node in enumerate(self.nodes)}
        found = {(one, other) if rank[one] < rank[other] else (other, one) for one, other in self.edges}
        return sorted(found, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def labels_between(self, one: str, other: str) -> list[tuple[str, ...]]:
        """Return the labels of the edges between two nodes, of one or both directions."""
        return [self.edges[pair] for pair in ((one, other), (other, one)) if pair in self.edges]


class _Token(Struct, frozen=True):
    kind: str
    """`word`, `text` (it stood in quotes), `mark`, `arrow` or `end`."""
    text: str
    line: int


class _Tokens:
    """Hand out the words of a text one by one."""

    def __init__(self, text: str) -> None:
        self._rest = _tokens(text)  # read no further than it is needed: what is too large is refused before its end
        self._next = next(self._rest)

    def peek(self) -> _Token:
        return self._next

    def take(self) -> _Token:
        token = self._next
        self._next = next(self._rest, token)  # behind the end there is nothing but the end
        return token

    def take_mark(self, mark: str) -> bool:
        """Take the next word if it is this mark or arrow."""
        token = self.peek()
        if token.kind in ("mark", "arrow") and token.text == mark:
            self.take()
            return True
        return False

    def take_name(self, meaning: str) -> _Token:
        token = self.take()
        if token.kind not in ("word", "text") or not token.text.strip():
            raise ParseError(meaning, token.text or "the end", line=token.line)
        return token


def is_switch(label: str) -> bool:
    """Tell whether a label names a switch, such as `S1`."""
    return _SWITCH.fullmatch(label) is not None


def parse_dot(text: str) -> Graph:
    """Read a graph, or raise ParseError."""
    tokens = _Tokens(text)
    if tokens.peek().text == "strict":
        tokens.take()
    opening = tokens.take()
    if opening.text != "digraph":
        raise ParseError("a directed graph, which begins with digraph", opening.text, line=opening.line)
    title = "" if tokens.peek().kind == "mark" else tokens.take_name("the name of the graph or {").text
    if not tokens.take_mark("{"):
        raise ParseError("{ after digraph", tokens.peek().text, line=tokens.peek().line)
    nodes: dict[str, tuple[str, ...]] = {}
    edges: dict[tuple[str, str], tuple[str, ...]] = {}
    loops: dict[str, None] = {}
    declared: set[str] = set()
    while not tokens.take_mark("}"):
        if tokens.take_mark(";"):
            continue
        first = tokens.take_name("a node, an edge or } at the end of the graph")
        if tokens.take_mark("="):  # an attribute of the whole graph, which says how to draw it
            tokens.take_name("a value after =")
            continue
        path = [first.text]
        while tokens.take_mark("->"):
            path.append(tokens.take_name("the node an edge leads to").text)
        label = _read_attributes(tokens)
        if len(path) > 1:
            _add_edges(path, _read_labels(label, EDGE_LABELS, "a way", first.line), edges, loops, first.line)
            for node in path:
                nodes.setdefault(node, ())
        elif first.kind == "text" or first.text not in ("node", "edge", "graph"):
            if first.text in declared:
                raise ParseError("each node once", first.text, line=first.line)
            declared.add(first.text)
            nodes[first.text] = _read_labels(label, NODE_LABELS, "a room", first.line)
        if len(nodes) > _MAX_NODES:
            raise ParseError(f"at most {_MAX_NODES} nodes", line=first.line)
        if len(edges) > _MAX_EDGES:
            raise ParseError(f"at most {_MAX_EDGES} edges", line=first.line)
    rest = tokens.take()
    if rest.kind != "end":
        raise ParseError("nothing after the graph", rest.text, line=rest.line)
    _require_ends(nodes)
    return Graph(nodes, edges, title, tuple(loops))


def _tokens(text: str) -> Iterator[_Token]:
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ParseError("a graph in DOT", text[position], line=line)
        kind = str(match.lastgroup)
        found = match[kind]
        if kind == "text":
            found = re.sub(r'\\(["\\])', r"\1", found)
        if kind != "blank":
            yield _Token(kind, found, line)
        line += match[0].count("\n")
        position = match.end()
    yield _Token("end", "", line)


def _read_attributes(tokens: _Tokens) -> str:
    """Read `[label="..." ...]`, if there is one; returns the label and skips what else is said."""
    label = ""
    while tokens.take_mark("["):
        while not tokens.take_mark("]"):
            if tokens.take_mark(",") or tokens.take_mark(";"):
                continue
            name = tokens.take_name("an attribute or ]")
            value = ""
            if tokens.take_mark("="):
                token = tokens.take()
                if token.kind not in ("word", "text"):
                    raise ParseError("a value after =", token.text or "the end", line=token.line)
                value = token.text
            if name.text == "label":
                label = value
    return label


def _read_labels(text: str, known: Mapping[str, str], what: str, line: int) -> tuple[str, ...]:
    """Read a list of labels; what is not known as a whole is taken for labels whose comma was left out."""
    labels = []
    for word in re.split(r"[,\s]+|\\[nlr]", text):
        if word in known or is_switch(word):
            labels.append(word)
        elif all(letter in known for letter in word):
            labels.extend(word)
        else:
            listed = ", ".join(f"{letter} ({meaning})" for letter, meaning in known.items())
            raise ParseError(f"labels of {what}: {listed}, S1 (switch)", word, line=line)
    return tuple(labels)


def _add_edges(
    path: list[str],
    labels: tuple[str, ...],
    edges: dict[tuple[str, str], tuple[str, ...]],
    loops: dict[str, None],
    line: int,
) -> None:
    kinds = {"item" if label == "I" or is_switch(label) else label for label in labels}
    if len(kinds) > 1:
        raise ParseError("one kind of lock on an edge, or items and switches together", ",".join(labels), line=line)
    labels = tuple(sorted(set(labels)))
    for source, target in pairwise(path):
        if source == target:
            loops[source] = None
        elif edges.setdefault((source, target), labels) != labels:
            raise ParseError("one edge from a node to another", f"a second one from {source} to {target}", line=line)


def _require_ends(nodes: Mapping[str, tuple[str, ...]]) -> None:
    starts = [node for node, labels in nodes.items() if "s" in labels]
    if len(starts) != 1:
        raise ParseError("exactly one node labelled s, where the player starts", ", ".join(starts) or "none")
    if not any("t" in labels for labels in nodes.values()):
        raise ParseError("a node labelled t, which is the goal", "none")
