"""Graphs in the DOT language: nodes, edges and what is said of them. What it means is for the domains to say.

Read are `graph` and `digraph`, `strict`, chains (`a -> b -> c`), subgraphs (`{a b} -> c`), ports, default attributes
(`node [...]`, `edge [...]`, for what comes after them in their braces), comments, and all four kinds of names: words,
numbers, quoted text (joined by `+`) and `<...>`. How a graph is drawn is kept as attributes and otherwise ignored.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field

from solvent.core.errors import ParseError

_TOKEN = re.compile(
    r"(?P<blank>\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|^#[^\n]*+)"
    r"|(?P<arrow>->|--)"
    r"|(?P<word>-?+(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?+)(?![\w.])|[\w.]++)"
    r"|(?P<mark>[\[\]{}:;,=+])"
    r'|"(?P<text>[^"\\]*+(?:\\.[^"\\]*+)*+)"'
    r"|(?P<markup><)",
    re.DOTALL | re.MULTILINE,
)
_ANGLE = re.compile(r"[<>]")
_DRAWING = re.compile(
    r"_\w+|arrow(head|size|tail)|(edge|head|label|tail)?(href|target|tooltip|url)|(head|tail)(clip|port|_lp)"
    r"|(bg|fill|font|labelfont|pen)?color|(label)?font(name|size)|label(angle|distance|float|just|loc)|same(head|tail)"
    r"|image(pos|scale)?|(node|rank)sep|area|bb|class|colorscheme|comment|constraint|decorate|distortion|fixedsize"
    r"|gradientangle|group|height|id|layer|len|lhead|lp|ltail|margin|minlen|nojustify|ordering|orientation|penwidth"
    r"|peripheries|pin|pos|rank|rects|regular|root|samplepoints|shape|shapefile|showboxes|sides|size|skew|sortv|style"
    r"|vertices|weight|width|xlp|z"
)
_MAX_DEPTH = 60
"""Braces within braces."""
_MAX_ATTRIBUTES = 60
"""Attributes of one node or edge, or of all by default."""

Attributes = Mapping[str, str]


class DotNode(Struct, frozen=True):
    """Hold a node."""

    name: str
    attributes: Attributes
    """What is said of it, by small names; defaults among them."""
    line: int
    """Where it is first described, or else first named."""
    described: bool
    """Whether it stands in a line of its own, and not only in edges."""


class DotEdge(Struct, frozen=True):
    """Hold an edge."""

    source: str
    target: str
    attributes: Attributes
    line: int


class DotAttribute(Struct, frozen=True):
    """Hold an attribute of a subgraph."""

    name: str
    value: str
    line: int


class DotGraph(Struct, frozen=True):
    """Hold a graph."""

    title: str
    directed: bool
    nodes: Mapping[str, DotNode]
    """By name, in the order in which they are first named."""
    edges: tuple[DotEdge, ...]
    """In the order of the text; the same two nodes may have several."""
    subgraph_attributes: tuple[DotAttribute, ...] = ()
    """Those of all subgraphs, by small names; those of the whole graph are not kept."""


class DotLimits(Struct, frozen=True):
    """Say how large a graph may be."""

    nodes: int
    edges: int


def read_dot(text: str, limits: DotLimits) -> DotGraph:
    """Read a graph, or raise ParseError."""
    return _Reader(_Tokens(text), limits).read()


def says_how_to_draw(attribute: str) -> bool:
    """Tell whether Graphviz has an attribute of this name that only says how a node or edge is drawn."""
    return _DRAWING.fullmatch(attribute) is not None


class _Token(Struct, frozen=True):
    kind: str
    """`word`, `text` (in quotes), `markup` (in angle brackets), `mark`, `arrow` or `end`."""
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("word", "text", "markup")

    def is_keyword(self, *words: str) -> bool:
        """Tell whether it is one of these words, in any case and without quotes."""
        return self.kind == "word" and self.text.lower() in words


class _Tokens:
    """Hand out the tokens of a text one by one."""

    def __init__(self, text: str) -> None:
        self._rest = _tokens(text)  # read no further than it is needed: what is too large is refused before its end
        self._next = next(self._rest)

    def peek(self) -> _Token:
        return self._next

    def take(self) -> _Token:
        token = self._next
        self._next = next(self._rest, token)  # behind the end there is nothing but the end
        return token

    def take_mark(self, *marks: str) -> bool:
        """Take the next token if it is one of these marks."""
        found = self._next.kind in ("mark", "arrow") and self._next.text in marks
        if found:
            self.take()
        return found

    def take_value(self, meaning: str) -> _Token:
        """Take a name of any kind; quoted ones may be joined by `+`."""
        token = self.take()
        if not token.is_name:
            raise ParseError(meaning, token.text or "the end", line=token.line)
        if token.kind != "text" or self._next.text != "+":
            return token
        parts = [token.text]
        while self.take_mark("+"):
            following = self.take()
            if following.kind != "text":
                raise ParseError("text in quotes after +", following.text or "the end", line=following.line)
            parts.append(following.text)
        return _Token("text", "".join(parts), token.line)

    def take_name(self, meaning: str) -> _Token:
        """Take a name that is not empty."""
        token = self.take_value(meaning)
        if not token.text.strip():
            raise ParseError(meaning, token.text, line=token.line)
        return token


class _Scope(Struct):
    """Hold the defaults between two braces, and the nodes named there."""

    node: Attributes = field(default_factory=dict)
    edge: Attributes = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)


class _Reader:
    def __init__(self, tokens: _Tokens, limits: DotLimits) -> None:
        self.tokens, self.limits = tokens, limits
        self.directed = self.strict = False
        self.nodes: dict[str, DotNode] = {}
        self.edges: list[DotEdge] = []
        self.first_edge: dict[tuple[str, str], int] = {}
        """In a strict graph: the number of the edge between two nodes."""
        self.subgraph_attributes: list[DotAttribute] = []
        self.depth = 0
        self.statements = 0

    def read(self) -> DotGraph:
        tokens = self.tokens
        if tokens.peek().is_keyword("strict"):
            tokens.take()
            self.strict = True
        opening = tokens.take()
        if not opening.is_keyword("graph", "digraph"):
            raise ParseError("digraph or graph at the beginning", opening.text or "the end", line=opening.line)
        self.directed = opening.text.lower() == "digraph"
        title = ""
        if tokens.peek().is_name:
            title = tokens.take_value("the name of the graph").text
        if not tokens.take_mark("{"):
            found = tokens.peek()
            raise ParseError(f"{{ after {opening.text.lower()}", found.text or "the end", line=found.line)
        self._read_statements(_Scope())
        rest = tokens.take()
        if rest.kind != "end":
            raise ParseError("nothing after the graph", rest.text, line=rest.line)
        return DotGraph(title, self.directed, self.nodes, tuple(self.edges), tuple(self.subgraph_attributes))

    def _read_statements(self, scope: _Scope) -> None:
        """Read up to the closing brace."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise ParseError(f"at most {_MAX_DEPTH} braces within each other", line=self.tokens.peek().line)
        while not self.tokens.take_mark("}"):
            if not self.tokens.take_mark(";", ","):
                self._read_statement(scope)
        self.depth -= 1

    def _read_statement(self, scope: _Scope) -> None:
        tokens = self.tokens
        first = tokens.peek()
        self.statements += 1
        if self.statements > self.limits.nodes + self.limits.edges:
            raise ParseError(f"at most {self.limits.nodes + self.limits.edges} statements", line=first.line)
        if first.is_keyword("node", "edge", "graph"):
            self._read_defaults(scope)
            return
        ends, names_node = self._read_end(scope)
        if names_node and tokens.take_mark("="):  # an attribute of the whole graph, or of a subgraph
            value = tokens.take_value("a value after =")
            self._keep_of_subgraph({ends[0].lower(): _plain(value)}, first.line)
            return
        if names_node:
            self._name(ends[0], scope, first.line)
        path = [ends]
        while tokens.peek().kind == "arrow":
            self._take_arrow()
            line = tokens.peek().line
            ends, single = self._read_end(scope)
            if single:
                self._name(ends[0], scope, line)
            path.append(ends)
        given = self._read_attributes()
        if len(path) > 1:
            for sources, targets in pairwise(path):
                self._add_edges(sources, targets, scope.edge, given, first.line)
        elif names_node:
            self._describe(ends[0], given, first.line)

    def _read_defaults(self, scope: _Scope) -> None:
        kind = self.tokens.take()
        if self.tokens.take_mark("="):
            raise ParseError(f"[...] after {kind.text}", "=", line=kind.line)
        given = self._read_attributes()
        # Defaults are shared by all that comes after them, so they are never changed in place.
        if kind.is_keyword("node"):
            scope.node = _merged(scope.node, given, kind.line)
        elif kind.is_keyword("edge"):
            scope.edge = _merged(scope.edge, given, kind.line)
        else:
            self._keep_of_subgraph(given, kind.line)

    def _keep_of_subgraph(self, given: Attributes, line: int) -> None:
        if self.depth > 1:
            self.subgraph_attributes += [DotAttribute(name, value, line) for name, value in given.items()]

    def _take_arrow(self) -> None:
        arrow = self.tokens.take()
        right = "->" if self.directed else "--"
        if arrow.text != right:
            kind = "digraph" if self.directed else "graph"
            raise ParseError(f"{right} between the nodes of a {kind}", arrow.text, line=arrow.line)

    def _read_end(self, scope: _Scope) -> tuple[list[str], bool]:
        """Read a node or a subgraph; returns the nodes, and whether it was a single one."""
        tokens = self.tokens
        if tokens.peek().is_keyword("subgraph"):
            tokens.take()
            if tokens.peek().is_name:
                tokens.take_value("the name of the subgraph")
            if tokens.peek().text != "{" or tokens.peek().kind != "mark":
                raise ParseError("{ after subgraph", tokens.peek().text or "the end", line=tokens.peek().line)
        if tokens.take_mark("{"):
            within = _Scope(scope.node, scope.edge)
            self._read_statements(within)
            scope.names.update(within.names)
            return list(within.names), False
        name = tokens.take_name("a node, an edge or } at the end of the graph")
        while tokens.take_mark(":"):
            tokens.take_value("a port after :")
        return [name.text], True

    def _name(self, name: str, scope: _Scope, line: int) -> None:
        """Make a node that is named for the first time."""
        scope.names[name] = None
        if name not in self.nodes:
            self.nodes[name] = DotNode(name, scope.node, line, False)
            if len(self.nodes) > self.limits.nodes:
                raise ParseError(f"at most {self.limits.nodes} nodes", line=line)

    def _describe(self, name: str, given: Attributes, line: int) -> None:
        node = self.nodes[name]
        if node.described and "label" in given and given["label"] != node.attributes.get("label"):
            raise ParseError("one label for each node", f"a second one for {name}", line=line)
        first_line = node.line if node.described else line
        self.nodes[name] = DotNode(name, _merged(node.attributes, given, line), first_line, True)

    def _add_edges(
        self, sources: list[str], targets: list[str], defaults: Attributes, given: dict[str, str], line: int
    ) -> None:
        if len(self.edges) + len(sources) * len(targets) > self.limits.edges:
            raise ParseError(f"at most {self.limits.edges} edges", line=line)
        attributes = _combined(given, defaults)
        for source in sources:
            for target in targets:
                pair = (source, target) if self.directed or source <= target else (target, source)
                known = self.first_edge.get(pair) if self.strict else None
                if known is None:
                    self.first_edge[pair] = len(self.edges)
                    self.edges.append(DotEdge(source, target, attributes, line))
                else:  # a strict graph has one edge here: what is given later is added to it
                    edge = self.edges[known]
                    merged = _merged(edge.attributes, given, line)
                    self.edges[known] = DotEdge(edge.source, edge.target, merged, edge.line)

    def _read_attributes(self) -> dict[str, str]:
        """Read `[name=value, ...]`, as often as there is one."""
        tokens = self.tokens
        given: dict[str, str] = {}
        while tokens.take_mark("["):
            while not tokens.take_mark("]"):
                if tokens.take_mark(",", ";"):
                    continue
                name = tokens.take_name("an attribute or ]").text.lower()
                value = tokens.take_value("a value after =") if tokens.take_mark("=") else None
                given[name] = "true" if value is None else _plain(value)
        return given


def _combined(given: dict[str, str], defaults: Attributes) -> Attributes:
    """Return what an edge says before the defaults, without a copy of these for every edge."""
    if not given or not defaults:
        return given or defaults
    return ChainMap(given, defaults)  # type: ignore[arg-type]  # nothing is written to it


def _merged(known: Attributes, given: Attributes, line: int) -> Attributes:
    """Return what is known with what is given now, which comes first."""
    if not given:
        return known
    merged = {**known, **given}
    if len(merged) > _MAX_ATTRIBUTES:
        raise ParseError(f"at most {_MAX_ATTRIBUTES} attributes of a node or edge", line=line)
    return merged


def _plain(value: _Token) -> str:
    """Return a value as text: of markup, what stands outside its tags."""
    if value.kind != "markup":
        return value.text
    from html import unescape

    return unescape(re.sub(r"<[^<>]*>", " ", value.text)).strip()


def _tokens(text: str) -> Iterator[_Token]:
    position, line = (1 if text.startswith("\ufeff") else 0), 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            unclosed = {'"': "a quote that is closed", "/": "a comment that is closed"}
            raise ParseError(unclosed.get(text[position], "a graph in DOT"), text[position], line=line)
        kind, position = str(match.lastgroup), match.end()
        found = match[kind]
        if kind == "text":
            found = re.sub(r'\\(?:\r?\n|(["\\]))', lambda escape: escape[1] or "", found)
        elif kind == "markup":
            end = _end_of_markup(text, position, line)
            found, position = text[position:end], end + 1
        if kind != "blank":
            yield _Token(kind, found, line)
        line += text.count("\n", match.start(), position)
    yield _Token("end", "", line)


def _end_of_markup(text: str, position: int, line: int) -> int:
    """Return where the bracket is that closes the one before a position."""
    depth = 1
    for angle in _ANGLE.finditer(text, position):
        depth += 1 if angle[0] == "<" else -1
        if depth == 0:
            return angle.start()
    raise ParseError("a < that is closed", "<", line=line)
