"""The clauses of a clash, stated a second time, one by one, beside those that the checker writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from solvent.core.budget import Budget
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver
from solvent.valency.checker.certificate_schema import read_refutation
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.formula import Formula
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import make_formula
from solvent.valency.model import (
    Acyclic,
    Connected,
    Consecutive,
    Count,
    Loop,
    Only,
    Parity,
    Path,
    Separation,
    Staging,
    Symmetry,
)
from valency.plain_rules import Edge, Plain, turned


def plain_formula(
    plain: Plain,
    nodes: list[int],
    elements: list[dict[str, Any]],
    cuts: list[dict[str, Any]],
    cycles: list[dict[str, Any]],
) -> tuple[list[list[int]], int]:
    """Return the clauses that the rule book asks for, and the number of variables."""
    rules, constraints, modules = plain.rules, plain.staging.constraints, plain.modules
    size, bits = len(modules), max(1, (len(modules) - 1).bit_length())
    x = {(v, m): i * size + m + 1 for i, v in enumerate(nodes) for m in modules}
    bit = {(v, j): len(nodes) * size + i * bits + j + 1 for i, v in enumerate(nodes) for j in range(bits)}
    clauses: list[list[int]] = []
    for i, v in enumerate(nodes):
        for m in modules:
            for j in range(bits):
                b = len(nodes) * size + i * bits + j + 1
                clauses.append([-x[v, m], b if m >> j & 1 else -b])
            if m not in plain.placeable(v):
                clauses.append([-x[v, m]])
    last = len(nodes) * (size + bits)

    def new() -> int:
        nonlocal last
        last += 1
        return last

    def at_most(literals: list[int], k: int) -> None:
        n = len(literals)
        if k >= n:
            return
        s = {(i, j): new() for i in range(1, n + 1) for j in range(1, k + 1)}
        for i, literal in enumerate(literals, start=1):
            if k == 0:
                clauses.append([-literal])
                continue
            clauses.append([-literal, s[i, 1]])
            if i > 1:
                clauses.extend([-s[i - 1, j], s[i, j]] for j in range(1, k + 1))
                clauses.extend([-literal, -s[i - 1, j - 1], s[i, j]] for j in range(2, k + 1))
                clauses.append([-literal, -s[i - 1, k]])

    def at_least(literals: list[int], k: int) -> None:
        n = len(literals)
        if k <= 0:
            return
        if k > n:
            clauses.append([])
            return
        s = {(i, j): new() for i in range(1, n + 1) for j in range(1, k + 1)}
        for (i, j), name in s.items():
            clauses.append([-name, literals[i - 1]] + ([s[i - 1, j]] if i > 1 else []))
            if j >= 2:
                clauses.append([-name] + ([s[i - 1, j], s[i - 1, j - 1]] if i > 1 else []))
        clauses.append([s[n, k]])

    def able_to_leave(constraint: Connected | Path | Acyclic, layer: int, orbital: int) -> list[int]:
        able = [m for m in modules if constraint.modules >> m & 1]
        return [m for m in able if not constraint.exits or constraint.exits[layer][m] >> orbital & 1]

    def holders(members: list[int], *, both_ways: bool) -> dict[int, int]:
        y = {v: new() for v in nodes}
        clauses.extend([-x[v, m], y[v]] for v in nodes for m in members)
        if both_ways:
            clauses.extend([-y[v], *(x[v, m] for m in members)] for v in nodes)
        return y

    def half_edges(constraint: Acyclic | Loop, *, both_ways: bool) -> dict[tuple[int, int, int], int]:
        """Return the variable of each end of an edge, by layer, node and orbital."""
        ends = [e[:3] for pair in within_nodes() for e in (pair, turned(pair))]
        a = {end: new() for end in ends}
        for (layer, v, o), name in a.items():
            able = able_to_leave(constraint, layer, o)
            clauses.extend([-x[v, m], name] for m in able)
            if both_ways:
                clauses.append([-name, *(x[v, m] for m in able)])
        return a

    def within_nodes() -> list[Edge]:
        return [e for e in plain.edges if e[1] in nodes and e[3] in nodes]

    def two_joins(constraint: Loop, y: dict[int, int]) -> None:
        a = half_edges(constraint, both_ways=True)
        edges = within_nodes()
        opens = [new() for _ in edges]
        for e, name in zip(edges, opens, strict=True):
            one, other = a[e[:3]], a[turned(e)[:3]]
            clauses.extend([[-name, one], [-name, other], [name, -one, -other]])
        for v in nodes:
            own = [name for e, name in zip(edges, opens, strict=True) for end in (e[1], e[3]) if end == v]
            least = 2 - sum(v in (e[1], e[3]) for e in plain.edges if e not in edges)
            found = {tuple(sorted({-one for one in some})) for some in combinations(own, 3)}
            if least > 0:
                found |= {(-y[v], *sorted(set(some))) for some in combinations(own, max(0, len(own) + 1 - least))}
            clauses.extend(map(list, found))

    def parity(constraint: Parity, members: list[int]) -> None:
        y = holders(members, both_ways=True)
        among = [v for v in plain.open if v in constraint.nodes or not constraint.nodes]
        if any(plain.placeable(v) & set(members) for v in among if v not in nodes):
            return
        counted = [y[v] for v in nodes if v in among]
        if not counted:
            clauses.extend([[]] if constraint.odd else [])
            return
        total, *rest = counted
        for one in rest:
            before, total = total, new()
            for odd in product((False, True), repeat=2):  # total is what the sum of both is
                signs = (-before if odd[0] else before, -one if odd[1] else one)
                clauses.append([total if odd[0] != odd[1] else -total, *signs])
        clauses.append([total if constraint.odd else -total])

    def joins(constraint: Connected | Path) -> dict[int, int]:
        names = {}
        within = [k for k, e in enumerate(plain.edges) if e[1] != e[3] and e[1] in nodes and e[3] in nodes]
        for k in within:
            names[k] = new()
        for k in within:
            layer, v, o, w, r = plain.edges[k]
            for node, orbital in ((v, o), (w, r)):
                clauses.append([-names[k], *(x[node, m] for m in able_to_leave(constraint, layer, orbital))])
        return names

    def crossing(names: dict[int, int], inside: list[int]) -> list[int]:
        return [names[k] for k, e in enumerate(plain.edges) if (e[1] in inside) != (e[3] in inside)]

    for element in elements:
        ((kind, value),) = element.items()
        if kind == "node":
            clauses.append([x[value, m] for m in sorted(plain.placeable(value))])
        elif kind == "pick":
            clauses.append([x[value, m] for m in sorted(plain.picked[value])])
        elif kind == "edge":
            layer, v, o = value
            edge = next(edge for edge in [*plain.edges, *map(turned, plain.edges)] if edge[:3] == (layer, v, o))
            w = edge[3]
            if v == w:
                clauses.extend([-x[v, m]] for m in modules if not plain.agree(edge, m, m))
            else:
                clauses.extend([-x[v, m], *(x[w, n] for n in modules if plain.agree(edge, m, n))] for m in modules)
                clauses.extend([-x[w, n], *(x[v, m] for m in modules if plain.agree(edge, m, n))] for n in modules)
        elif kind == "apart":
            j, v, w = value
            one, two = (
                [m for m in modules if mask >> m & 1] for mask in (constraints[j].modules, constraints[j].others)
            )
            clauses.extend([-x[v, m], -x[w, n]] for m in one for n in two or one)
            clauses.extend([-x[v, n], -x[w, m]] for m in one for n in two)
        elif kind == "most":
            at_most([x[v, value] for v in nodes], rules.modules[value].most)
        elif kind == "least":
            outside = sum(value in plain.placeable(v) for v in plain.open if v not in nodes)
            at_least([x[v, value] for v in nodes], rules.modules[value].least - outside)
        else:
            constraint = constraints[value]
            members = [m for m in modules if constraint.modules >> m & 1]
            mine = [cut for cut in cuts if cut["constraint"] == value]
            if isinstance(constraint, Count):
                among = constraint.nodes or plain.open
                literals = [x[v, m] for v in nodes if v in among for m in members]
                if constraint.most is not None:
                    at_most(literals, constraint.most)
                beyond = [v for v in plain.open if v in among and v not in nodes]
                at_least(literals, constraint.least - sum(bool(plain.placeable(v) & set(members)) for v in beyond))
            elif isinstance(constraint, Connected):
                y = holders(members, both_ways=False)
                names = joins(constraint)
                clauses.extend([-y[c["from"]], -y[c["to"]], *crossing(names, c["inside"])] for c in mine)
                if isinstance(constraint, Loop):
                    two_joins(constraint, y)
            elif isinstance(constraint, Only):
                clauses.extend([-x[v, m]] for v in nodes if v in constraint.nodes for m in modules if m not in members)
            elif isinstance(constraint, Consecutive):
                y = holders(members, both_ways=False)
                rows = [row for row in plain.rows(constraint, nodes) if set(row) <= set(nodes)]
                clauses.extend([-y[v] for v in set(row)] for row in rows)
            elif isinstance(constraint, Symmetry):
                for v, (m, image) in product(nodes, enumerate(constraint.images)):
                    w = plain.image(constraint, v)
                    if image < 0:
                        clauses.append([-x[v, m]])
                    elif w in nodes:
                        clauses.extend([-x[v, m], (1 if image >> j & 1 else -1) * bit[w, j]] for j in range(bits))
            elif isinstance(constraint, Parity):
                parity(constraint, members)
            elif isinstance(constraint, Acyclic):
                a = half_edges(constraint, both_ways=False)
                for cycle in (cycle for cycle in cycles if cycle["constraint"] == value):
                    edges = [e for e in [*plain.edges, *map(turned, plain.edges)] if list(e[:3]) in cycle["edges"]]
                    clauses.append([-a[end] for e in edges for end in (e[:3], turned(e)[:3])])
            else:
                names = joins(constraint)
                clauses.extend([x[v, m] for m in members] for v in (constraint.start, constraint.end))
                clauses.extend(crossing(names, c["inside"]) for c in mine)
    return clauses, last


def all_elements(plain: Plain) -> list[dict[str, Any]]:
    """Return everything that a refutation may rest on."""
    found: list[dict[str, Any]] = [{"node": v} for v in plain.open]
    found += [{"pick": v} for v in plain.picked]
    found += [{"edge": list(edge[:3])} for edge in plain.edges]
    for m, module in enumerate(plain.rules.modules):
        found += [{"least": m}] if module.least else []
        found += [{"most": m}] if module.most is not None else []
    for j, constraint in enumerate(plain.staging.constraints):
        if isinstance(constraint, Separation):
            close = [(v, w) for v in plain.open for w in plain.open if v < w]
            found += [{"apart": [j, v, w]} for v, w in close if plain.distance(v, w) < constraint.distance]
        else:
            found.append({"constraint": j})
    return found


def all_cuts(plain: Plain, nodes: list[int], elements: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every cut that may be made within some nodes."""
    for element in elements:
        j = element.get("constraint", -1)
        constraint = plain.staging.constraints[j] if j >= 0 else None
        if not isinstance(constraint, Connected | Path):
            continue
        for choice in product((False, True), repeat=len(nodes)):
            inside = [v for v, chosen in zip(nodes, choice, strict=True) if chosen]
            out = [e for e in plain.edges if (e[1] in inside) != (e[3] in inside)]
            if any(e[1] not in nodes or e[3] not in nodes for e in out):
                continue
            outside = [v for v in nodes if v not in inside]
            if isinstance(constraint, Connected):
                for u, w in product(inside, outside):
                    yield {"constraint": j, "inside": inside, "from": u, "to": w}
            elif constraint.start in inside and constraint.end in outside:
                yield {"constraint": j, "inside": inside}


def all_cycles(plain: Plain, nodes: list[int], elements: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every circle within some nodes that passes no node twice."""
    numbers = [element["constraint"] for element in elements if "constraint" in element]
    edges = [e for e in plain.edges if e[1] in nodes and e[3] in nodes]
    found: dict[frozenset[Edge], None] = {}

    def go_on(start: int, at: int, path: list[Edge], seen: set[int]) -> None:
        for e in edges:
            for _, v, _, w, _ in (e, turned(e)):
                if v == at and e not in path and w >= start:
                    if w == start:
                        found[frozenset([*path, e])] = None
                    elif w not in seen:
                        go_on(start, w, [*path, e], seen | {w})

    if any(isinstance(plain.staging.constraints[j], Acyclic) for j in numbers):
        for start in nodes:
            go_on(start, start, [], {start})
    for j in numbers:
        if isinstance(plain.staging.constraints[j], Acyclic):
            yield from ({"constraint": j, "edges": [list(e[:3]) for e in circle]} for circle in found)


def satisfiable(formula: ClauseList) -> bool:
    with SatSolver(formula, with_proof=False) as solver:
        verdict, _ = solver.solve(Budget().start())
    assert verdict is not None
    return verdict


def formula_of(
    staging: Staging,
    nodes: list[int],
    elements: list[dict[str, Any]],
    cuts: list[dict[str, Any]],
    cycles: Sequence[dict[str, Any]] = (),
) -> ClauseList:
    body = {"nodes": nodes, "elements": elements, "cuts": cuts, "cycles": list(cycles), "proof": "0\n"}
    made = make_formula(Placing(staging), read_refutation(body), CheckingLimits())
    assert isinstance(made, Formula), made
    return made.clauses.formula()
