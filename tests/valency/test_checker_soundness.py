"""The checker accepts exactly the fills that brute force finds, and no fill contradicts any formula it writes down.

The rules are stated here a second time, one node and one clause at a time, in plain Python; the checker is not asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver
from solvent.proof.certificate import make_certificate
from solvent.valency.checker import violations
from solvent.valency.checker.certificate_schema import read_refutation
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.formula import Formula
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import make_formula
from solvent.valency.model import (
    HEX,
    HEX_ORBITALS,
    SQUARE8_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Connected,
    Constraint,
    Count,
    Graph,
    Lattice,
    Layer,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Pick,
    Rules,
    Separation,
    Staging,
)

HOW_MANY = 1200
LINE_ORBITALS = OrbitalSet((Orbital("left", (-1, 0, 0)), Orbital("right", (1, 0, 0))))
SKEWED_ORBITALS = OrbitalSet(
    (Orbital("east", (2, 1, 0)), Orbital("west", (-1, 0, 0)), Orbital("south", (0, 1, 0)), Orbital("off", (1, -2, 0))),
    threshold_degrees=50,
)
PLAIN_ORBITALS = OrbitalSet((Orbital("a"), Orbital("b"), Orbital("c")))
Edge = tuple[int, int, int, int, int]
"""Layer, node, orbital there, other node, orbital there."""


# The rules, plainly


class Plain:
    """Know a staging, node by node."""

    def __init__(self, staging: Staging) -> None:
        self.staging = staging
        self.rules = staging.rules
        self.modules = range(len(staging.rules.modules))
        cluster = staging.cluster
        if isinstance(cluster, Lattice):
            self.size = cluster.width * cluster.height * cluster.depth
        else:
            self.size = len(cluster.positions)
        self.edges: list[Edge] = []
        for layer in range(len(self.rules.layers)):
            self.edges += self.lattice_edges(layer) if isinstance(cluster, Lattice) else self.graph_edges(layer)
        self.masks = [[0] * self.size for _ in self.rules.layers]
        for layer, v, o, w, r in self.edges:
            self.masks[layer][v] |= 1 << o
            self.masks[layer][w] |= 1 << r
        self.open = [v for v in range(self.size) if any(masks[v] for masks in self.masks)]
        self.picked = {pick.node: found for pick in staging.picks if (found := self.meaning(pick))}

    def lattice_edges(self, layer: int) -> Iterator[Edge]:
        lattice = self.staging.cluster
        orbitals = self.rules.layers[layer].orbital_set.orbitals
        for o in range(len(orbitals)):
            for v in range(self.size):
                w = self.cell_beside(lattice, orbitals, o, v)
                opposite = tuple(-part for part in orbitals[o].direction)
                r = next(r for r, orbital in enumerate(orbitals) if all(map(math.isclose, orbital.direction, opposite)))
                if w is not None and o < r:
                    yield layer, v, o, w, r

    def cell_beside(self, lattice: Lattice, orbitals: Any, o: int, v: int) -> int | None:
        x, y, z = v % lattice.width, v // lattice.width % lattice.height, v // (lattice.width * lattice.height)
        if lattice.kind == HEX:
            name, odd = orbitals[o].name, y % 2
            dy = {"d": 1, "u": -1}.get(name[0], 0)
            dx = {"right": 1, "left": -1}[name.split("-")[-1]]
            if dy:  # a half step to the side
                dx = (dx + 1) // 2 if odd else (dx - 1) // 2
            target = [x + dx, y + dy, z]
        else:
            target = [int(at + step) for at, step in zip((x, y, z), orbitals[o].direction, strict=True)]
        for axis, size in enumerate((lattice.width, lattice.height, lattice.depth)):
            if lattice.periodic[axis]:
                target[axis] %= size
            elif not 0 <= target[axis] < size:
                return None
        return target[0] + lattice.width * (target[1] + lattice.height * target[2])

    def graph_edges(self, layer: int) -> Iterator[Edge]:
        graph = self.staging.cluster
        if graph.orbitals is not None:
            for (a, b), row in zip(graph.edges.tolist(), graph.orbitals.tolist(), strict=True):
                if row[layer][0] >= 0:
                    yield layer, a, row[layer][0], b, row[layer][1]
            return
        orbital_set = self.rules.layers[layer].orbital_set
        matched = []
        for number, (a, b) in enumerate(graph.edges.tolist()):
            d = [q - p for p, q in zip(graph.positions[a].tolist(), graph.positions[b].tolist(), strict=True)]
            one, other = best_orbital(d, orbital_set), best_orbital([-part for part in d], orbital_set)
            if one is not None and other is not None:
                rank = -math.floor(1e9 * min(one[0], other[0]) + 0.5)
                matched.append((rank, number, a, one[1], b, other[1]))
        taken: set[tuple[int, int]] = set()
        kept = []
        for _, number, a, p, b, q in sorted(matched):
            if not taken & {(a, p), (b, q)}:
                taken |= {(a, p), (b, q)}
                kept.append((number, a, p, b, q))
        for _, a, p, b, q in sorted(kept):
            yield layer, a, p, b, q

    def fits(self, m: int, v: int) -> bool:
        for layer, bonds in enumerate(self.rules.modules[m].bonds):
            mask = self.masks[layer][v]
            for o in range(64):
                there = bool(mask >> o & 1)
                if (bonds.orbital_mask | bonds.wildcard_mask) >> o & 1 and not there:
                    return False
                if bonds.boundary_mask >> o & 1 and there:
                    return False
        return True

    def meaning(self, pick: Pick) -> set[int]:
        if pick.node not in self.open:
            return set()
        modules = self.rules.modules
        candidates = [m for m in self.modules if modules[m].key == pick.name]
        candidates = candidates or [m for m in self.modules if modules[m].name == pick.name]
        eligible = [m for m in candidates if self.fits(m, pick.node)]
        if not eligible and self.staging.pick_misfit == "force":
            eligible = candidates
        if not eligible or self.staging.pick_selection == "weighted":
            return set(eligible)
        if self.staging.pick_selection == "first":
            return {eligible[0]}

        def shared(m: int) -> int:
            pairs = zip(modules[m].bonds, self.masks, strict=True)
            return sum((bonds.orbital_mask & masks[pick.node]).bit_count() for bonds, masks in pairs)

        return {max(eligible, key=lambda m: (shared(m), -m))}

    def placeable(self, v: int) -> set[int]:
        free = {m for m in self.modules if self.rules.modules[m].placement != "excluded" and self.fits(m, v)}
        return free | self.picked.get(v, set())

    def agree(self, edge: Edge, m: int, n: int) -> bool:
        layer, _, o, _, r = edge
        return self.accepts(layer, m, o, n) and self.accepts(layer, n, r, m)

    def accepts(self, layer: int, m: int, o: int, n: int) -> bool:
        neighbours = self.rules.modules[m].bonds[layer].neighbours
        return o >= len(neighbours) or neighbours[o] is None or bool(neighbours[o] >> n & 1)

    def distance(self, v: int, w: int) -> float:
        front, steps, seen = {v}, 0, {v}
        while w not in seen:
            beside = {b for _, a, _, b, _ in self.edges if a in front} | {
                a for _, a, _, b, _ in self.edges if b in front
            }
            front, steps = beside - seen, steps + 1
            if not front:
                return math.inf
            seen |= front
        return steps

    def joined(self, edge: Edge, constraint: Connected | Path, fill: dict[int, int]) -> bool:
        layer, v, o, w, r = edge
        for node, orbital in ((v, o), (w, r)):
            module = fill.get(node, -1)
            if module < 0 or not constraint.modules >> module & 1:
                return False
            if constraint.exits and not constraint.exits[layer][module] >> orbital & 1:
                return False
        return True

    def reached(self, start: int, constraint: Connected | Path, fill: dict[int, int]) -> set[int]:
        seen: set[int] = set()
        fresh = {start}
        joins = [edge for edge in self.edges if self.joined(edge, constraint, fill)]
        while fresh:
            seen |= fresh
            fresh = {w for _, v, _, w, _ in joins if v in seen} | {v for _, v, _, w, _ in joins if w in seen}
            fresh -= seen
        return seen

    def keeps(self, fill: dict[int, int], *, complete: bool = True) -> bool:
        """Tell whether a fill keeps every rule but the one about fillers."""
        for v, m in fill.items():
            if m not in self.placeable(v) or m not in self.picked.get(v, {m}):
                return False
        for edge in self.edges:
            if edge[1] in fill and edge[3] in fill and not self.agree(edge, fill[edge[1]], fill[edge[3]]):
                return False
        counts = Counter(fill.values())
        for m, module in enumerate(self.rules.modules):
            if (complete and counts[m] < module.least) or (module.most is not None and counts[m] > module.most):
                return False
        return all(self.meets(constraint, fill, complete) for constraint in self.staging.constraints)

    def meets(self, constraint: Constraint, fill: dict[int, int], complete: bool) -> bool:
        held = [v for v, m in fill.items() if constraint.modules >> m & 1]
        if isinstance(constraint, Count):
            count = sum(v in constraint.nodes or not constraint.nodes for v in held)
            if complete and count < constraint.least:
                return False
            return constraint.most is None or count <= constraint.most
        if isinstance(constraint, Separation):
            return all(self.distance(v, w) >= constraint.distance for v in held for w in held if v < w)
        if not complete:
            return True
        if isinstance(constraint, Connected):
            return not held or set(held) <= self.reached(held[0], constraint, fill)
        ends = {constraint.start, constraint.end}
        return ends <= set(held) and constraint.end in self.reached(constraint.start, constraint, fill)

    def is_fill(self, fill: dict[int, int]) -> bool:
        """Tell whether a fill keeps every rule."""
        if not self.keeps(fill):
            return False
        modules = self.rules.modules
        for v, m in fill.items():
            if modules[m].placement == "filler" and v not in self.picked:
                for n in self.modules:
                    if modules[n].placement == "normal" and self.keeps({**fill, v: n}):
                        return False
        return True

    def all_fills(self) -> Iterator[dict[int, int]]:
        """Yield everything that could stand on the open nodes, rules or no rules."""
        for held in product(self.modules, repeat=len(self.open)):
            yield dict(zip(self.open, held, strict=True))

    def as_list(self, fill: dict[int, int]) -> list[int]:
        return [fill.get(v, -3 if v in self.open else -2) for v in range(self.size)]


def best_orbital(d: list[float], orbital_set: OrbitalSet) -> tuple[float, int] | None:
    if not any(d):
        return None
    found = []
    for number, orbital in enumerate(orbital_set.orbitals):
        if orbital.direction is not None:
            ox, oy, oz = orbital.direction
            length = math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * math.sqrt(ox * ox + oy * oy + oz * oz)
            found.append(((d[0] * ox + d[1] * oy + d[2] * oz) / length, -number))
    if not found or max(found)[0] < math.cos(math.radians(orbital_set.threshold_degrees)) - 1e-9:
        return None
    alignment, number = max(found)
    return alignment, -number


# The formula, clause by clause


def plain_formula(
    plain: Plain, nodes: list[int], elements: list[dict[str, Any]], cuts: list[dict[str, Any]]
) -> tuple[list[list[int]], int]:
    """Return the clauses that the rule book asks for, and the number of variables."""
    rules, constraints, modules = plain.rules, plain.staging.constraints, plain.modules
    size, bits = len(modules), max(1, (len(modules) - 1).bit_length())
    x = {(v, m): i * size + m + 1 for i, v in enumerate(nodes) for m in modules}
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

    def joins(constraint: Connected | Path) -> dict[int, int]:
        names = {}
        within = [k for k, e in enumerate(plain.edges) if e[1] != e[3] and e[1] in nodes and e[3] in nodes]
        for k in within:
            names[k] = new()
        for k in within:
            layer, v, o, w, r = plain.edges[k]
            for node, orbital in ((v, o), (w, r)):
                able = [m for m in modules if constraint.modules >> m & 1]
                if constraint.exits:
                    able = [m for m in able if constraint.exits[layer][m] >> orbital & 1]
                clauses.append([-names[k], *(x[node, m] for m in able)])
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
            members = [m for m in modules if constraints[j].modules >> m & 1]
            clauses.extend([-x[v, m], -x[w, n]] for m in members for n in members)
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
                y = {v: new() for v in nodes}
                clauses.extend([-x[v, m], y[v]] for v in nodes for m in members)
                names = joins(constraint)
                clauses.extend([-y[c["from"]], -y[c["to"]], *crossing(names, c["inside"])] for c in mine)
            else:
                names = joins(constraint)
                clauses.extend([x[v, m] for m in members] for v in (constraint.start, constraint.end))
                clauses.extend(crossing(names, c["inside"]) for c in mine)
    return clauses, last


def turned(edge: Edge) -> Edge:
    layer, v, o, w, r = edge
    return layer, w, r, v, o


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


# Random stagings


def random_staging(seed: int) -> Staging:
    """Return a tiny staging with a bit of everything."""
    dice = Random(seed)
    layers = 1 if dice.random() < 0.6 else 2
    sort = dice.choice(["square", "square", "hex", "graph", "graph", "directed"])
    sets = {
        "square": [SQUARE_ORBITALS, LINE_ORBITALS],
        "hex": [HEX_ORBITALS],
        "graph": [PLAIN_ORBITALS, LINE_ORBITALS],
        "directed": [SQUARE_ORBITALS, SQUARE8_ORBITALS, LINE_ORBITALS, SKEWED_ORBITALS],
    }[sort]
    used = [dice.choice(sets) for _ in range(layers)]
    cluster = random_cluster(dice, sort, used)
    size = cluster.width * cluster.height * cluster.depth if isinstance(cluster, Lattice) else len(cluster.positions)
    kinds = dice.randrange(1, 5)
    modules = tuple(random_module(dice, number, kinds, used) for number in range(kinds))
    rules = Rules(tuple(Layer(f"layer {n}", orbital_set) for n, orbital_set in enumerate(used)), modules)
    names = [f"key {m}" for m in range(kinds)] + ["red", "blue", "nobody"]
    picks = tuple(Pick(v, dice.choice(names)) for v in range(size) if dice.random() < 0.15)
    staging = Staging(
        rules,
        cluster,
        picks,
        pick_selection=dice.choice(["weighted", "first", "best"]),
        pick_misfit=dice.choice(["skip", "force"]),
    )
    plain = Plain(staging)
    constraints = []
    for _ in range(dice.choice([0, 1, 1, 2])):
        mask = dice.randrange(1 << kinds)
        exits = random_exits(dice, used, kinds) if dice.random() < 0.4 else ()
        kind = dice.choice(["count", "connected", "path", "separation"])
        if kind == "count":
            nodes = tuple(v for v in range(size) if dice.random() < 0.5) if dice.random() < 0.5 else ()
            constraints.append(Count(mask, dice.choice([0, 0, 1, 2]), dice.choice([None, 0, 1, 2, 3]), nodes))
        elif kind == "connected":
            constraints.append(Connected(mask, exits))
        elif kind == "separation":
            constraints.append(Separation(mask, dice.randrange(5)))
        elif plain.open:
            constraints.append(Path(dice.choice(plain.open), dice.choice(plain.open), mask, exits))
    return Staging(
        rules,
        cluster,
        picks,
        pick_selection=staging.pick_selection,
        pick_misfit=staging.pick_misfit,
        constraints=tuple(constraints),
    )


def random_cluster(dice: Random, sort: str, used: list[OrbitalSet]) -> Lattice | Graph:
    periodic = (dice.random() < 0.4, dice.random() < 0.3, dice.random() < 0.3)
    if sort == "square":
        width, height, depth = dice.choice(
            [(1, 1, 1), (2, 1, 1), (3, 1, 1), (5, 1, 1), (2, 2, 1), (1, 3, 1), (2, 1, 2)]
        )
        return Lattice(width, height, depth, periodic=periodic)
    if sort == "hex":
        width, height = dice.choice([(2, 2), (1, 4), (1, 2), (2, 1), (1, 3)])
        return Lattice(width, height, kind=HEX, periodic=(periodic[0], periodic[1] and height % 2 == 0, False))
    size = dice.randrange(1, 6)
    pairs = [(v, w) for v in range(size) for w in range(size) if v < w]
    dice.shuffle(pairs)
    pairs = [dice.choice([pair, pair[::-1]]) for pair in pairs[: dice.randrange(7)]]
    if sort == "directed":
        places = [[dice.randrange(3), dice.randrange(3), 0] for _ in range(size)]
        return Graph(positions=places, edges=pairs)
    taken: set[tuple[int, int, int]] = set()
    edges, orbitals = [], []
    for pair in pairs + pairs[:1]:
        row = []
        for layer, orbital_set in enumerate(used):
            free = [[o for o in range(len(orbital_set.orbitals)) if (layer, node, o) not in taken] for node in pair]
            if dice.random() < 0.2 or not all(free):
                row.append((-1, -1))
            else:
                row.append((dice.choice(free[0]), dice.choice(free[1])))
                taken |= {(layer, node, o) for node, o in zip(pair, row[-1], strict=True)}
        edges.append(pair)
        orbitals.append(row)
    return Graph(positions=[[0, 0, 0]] * size, edges=edges, orbitals=orbitals if edges else None)


def random_module(dice: Random, number: int, kinds: int, used: list[OrbitalSet]) -> Module:
    bonds = []
    for orbital_set in used:
        orbitals = range(len(orbital_set.orbitals))
        wanted = sum(1 << o for o in orbitals if dice.random() < 0.08)
        unwanted = sum(1 << o for o in orbitals if dice.random() < 0.04 and not wanted >> o & 1)
        wild = sum(1 << o for o in orbitals if dice.random() < 0.4 and wanted >> o & 1)
        neighbours = [None if dice.random() < 0.6 else dice.randrange(1, 1 << kinds) for _ in orbitals]
        bonds.append(Bonds(wanted, unwanted, wild, tuple(neighbours[: dice.randrange(len(neighbours) + 1)])))
    return Module(
        f"key {number}",
        dice.choice(["red", "blue"]),
        tuple(bonds),
        least=dice.choice([0] * 8 + [1, 2]),
        most=dice.choice([None] * 6 + [0, 1, 2]),
        placement=dice.choice(["normal"] * 4 + ["filler", "filler", "excluded"]),
    )


def random_exits(dice: Random, used: list[OrbitalSet], kinds: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(dice.randrange(1 << len(orbital_set.orbitals)) | dice.randrange(4) for _ in range(kinds))
        for orbital_set in used
    )


@cache
def known(seed: int) -> tuple[Staging, Plain, list[dict[int, int]]]:
    """Return a staging and all its fills, those with needless fillers too."""
    staging = random_staging(seed)
    plain = Plain(staging)
    return staging, plain, [fill for fill in plain.all_fills() if plain.keeps(fill)]


def satisfiable(formula: ClauseList) -> bool:
    with SatSolver(formula, with_proof=False) as solver:
        verdict, _ = solver.solve(Budget().start())
    assert verdict is not None
    return verdict


def formula_of(
    staging: Staging, nodes: list[int], elements: list[dict[str, Any]], cuts: list[dict[str, Any]]
) -> ClauseList:
    body = {"nodes": nodes, "elements": elements, "cuts": cuts, "proof": "0\n"}
    made = make_formula(Placing(staging), read_refutation(body), CheckingLimits())
    assert isinstance(made, Formula), made
    return made.clauses.formula()


def named_nodes(plain: Plain, element: dict[str, Any]) -> set[int]:
    """Return the nodes that must be in W for an element."""
    ((kind, value),) = element.items()
    if kind in ("node", "pick"):
        return {value}
    if kind == "apart":
        return set(value[1:])
    if kind == "edge":
        return {edge[3] for edge in [*plain.edges, *map(turned, plain.edges)] if list(edge[:3]) == value} | {value[1]}
    constraint = plain.staging.constraints[value] if kind == "constraint" else None
    return {constraint.start, constraint.end} if isinstance(constraint, Path) else set()


def random_question(plain: Plain, dice: Random) -> tuple[list[int], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return some nodes, elements about them, and cuts."""
    nodes = [v for v in plain.open if dice.random() < dice.choice([0.5, 0.9, 1.0])]
    elements = [e for e in all_elements(plain) if named_nodes(plain, e) <= set(nodes) and dice.random() < 0.7]
    for element in elements:
        if "edge" in element and dice.random() < 0.5:  # the same edge, named from its other end
            edge = next(edge for edge in plain.edges if list(edge[:3]) == element["edge"])
            element["edge"] = list(turned(edge)[:3])
    dice.shuffle(elements)
    cuts = list(all_cuts(plain, nodes, elements))
    return nodes, elements, dice.sample(cuts, min(len(cuts), dice.randrange(20)))


# The tests


@pytest.fixture(
    scope="module", params=[range(200), *slow([range(200, up_to(600, deep=HOW_MANY))])], ids=["some", "many"]
)
def seeds(request: pytest.FixtureRequest) -> range:
    """Return the seeds of the stagings."""
    return request.param


def test_the_random_stagings_are_worth_it(seeds: range):
    fills = [known(seed)[2] for seed in seeds]
    assert sum(not found for found in fills) > len(seeds) // 6
    assert sum(bool(found) for found in fills) > len(seeds) // 4
    needless = sum(not known(seed)[1].is_fill(fill) for seed in seeds for fill in known(seed)[2][:20])
    assert needless > 100 * len(seeds) // HOW_MANY
    kinds = Counter(type(c).__name__ for seed in seeds if known(seed)[2] for c in known(seed)[0].constraints)
    assert min(kinds[kind] for kind in ("Count", "Connected", "Path", "Separation")) > 20 * len(seeds) // HOW_MANY
    assert sum(bool(known(seed)[1].picked) for seed in seeds if known(seed)[2]) > 40 * len(seeds) // HOW_MANY


def assignments_to_try(plain: Plain, fills: list[dict[int, int]], dice: Random) -> Iterator[dict[int, int]]:
    """Yield fills, fills with one module changed, and anything at all."""
    if not plain.open:
        yield {}
        return
    some = dice.sample(fills, min(len(fills), 12))
    yield from some
    for fill in some[:6]:
        yield {**fill, dice.choice(plain.open): dice.choice(plain.modules)}
    for _ in range(4):
        yield {v: dice.choice(plain.modules) for v in plain.open}


def test_an_assignment_is_accepted_if_and_only_if_it_is_a_fill(seeds: range):
    accepted = rejected = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        for fill in assignments_to_try(plain, fills, Random(seed)):
            certificate = make_certificate(
                "valency", "solvable", Verdict.YES, "assignment", modules=plain.as_list(fill)
            )
            truth = plain.is_fill(fill)
            assert (violations(staging, certificate) == []) == truth, (seed, fill)
            accepted += truth
            rejected += not truth
    assert accepted > 1000 * len(seeds) // HOW_MANY
    assert rejected > 4000 * len(seeds) // HOW_MANY


def test_a_partial_fill_is_accepted_if_and_only_if_it_keeps_what_more_modules_cannot_mend(seeds: range):
    accepted = rejected = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        dice = Random(seed)
        for fill in assignments_to_try(plain, fills[:3], dice):
            part = {v: m for v, m in fill.items() if dice.random() < 0.6}
            left_out = [{"node": v} for v in plain.open if v not in part]
            certificate = make_certificate(
                "valency", "partial", Verdict.YES, "partial", modules=plain.as_list(part), left_out=left_out
            )
            truth = plain.keeps(part, complete=False)
            assert (violations(staging, certificate) == []) == truth, (seed, part)
            accepted += truth
            rejected += not truth
    assert accepted > 400 * len(seeds) // HOW_MANY
    assert rejected > 200 * len(seeds) // HOW_MANY


def test_the_formula_is_that_of_the_rule_book(seeds: range):
    for seed in seeds:
        staging, plain, _ = known(seed)
        nodes, elements, cuts = random_question(plain, Random(seed))
        formula = formula_of(staging, nodes, elements, cuts)
        clauses, variables = plain_formula(plain, nodes, elements, cuts)
        assert formula.variables == variables, seed
        assert Counter(tuple(sorted(c)) for c in formula) == Counter(tuple(sorted(c)) for c in clauses), seed


def test_every_fill_satisfies_every_formula(seeds: range):
    tried = 0
    for seed in seeds:
        staging, plain, fills = known(seed)
        dice = Random(seed)
        for _ in range(2 if fills else 0):
            nodes, elements, cuts = random_question(plain, dice)
            formula = formula_of(staging, nodes, elements, cuts)
            for fill in dice.sample(fills, min(3, len(fills))):
                kinds = len(plain.modules)
                units = [[i * kinds + m + 1 if fill[v] == m else -(i * kinds + m + 1)]
                         for i, v in enumerate(nodes) for m in plain.modules]  # fmt: skip
                assert satisfiable(ClauseList.of([*formula, *units], variables=formula.variables)), (seed, fill)
                tried += 1
    assert tried > 600 * len(seeds) // HOW_MANY


def test_without_a_fill_all_elements_and_cuts_together_are_refuted(seeds: range):
    refuted = 0
    for seed in seeds[::3]:
        staging, plain, fills = known(seed)
        elements = all_elements(plain)
        cuts = list(all_cuts(plain, plain.open, elements))
        formula = formula_of(staging, plain.open, elements, cuts)
        assert satisfiable(formula) == bool(fills), seed
        if not fills:
            with SatSolver(formula, with_proof=True) as solver:
                solver.solve(Budget().start())
                proof = solver.proof()
            certificate = make_certificate(
                "valency",
                "solvable",
                Verdict.NO,
                "refutation",
                nodes=plain.open,
                elements=elements,
                cuts=cuts,
                proof=proof,
                minimal=False,
            )
            assert violations(staging, certificate) == [], seed
            refuted += 1
    assert refuted > 60 * len(seeds) // HOW_MANY


def test_what_makes_a_node_impossible_leaves_no_way_to_fill_it_with_the_others(seeds: range):
    """Rules that more modules cannot mend refute all nodes together just if no fill keeps those rules."""
    impossible = 0
    for seed in seeds[::2]:
        staging, plain, _ = known(seed)
        if not plain.open or any(plain.keeps(fill, complete=False) for fill in plain.all_fills()):
            continue
        elements = [
            element
            for element in all_elements(plain)
            if "least" not in element
            and ("constraint" not in element or isinstance(staging.constraints[element["constraint"]], Count))
        ]
        counts = tuple(Count(c.modules, 0, c.most, c.nodes) if isinstance(c, Count) else c for c in staging.constraints)
        mild = Staging(
            staging.rules,
            staging.cluster,
            staging.picks,
            pick_selection=staging.pick_selection,
            pick_misfit=staging.pick_misfit,
            constraints=counts,
        )
        with SatSolver(formula_of(mild, plain.open, elements, []), with_proof=True) as solver:
            assert solver.solve(Budget().start())[0] is False, seed
            proof = solver.proof()
        first, *others = plain.open
        reason = {"node": first, "nodes": plain.open, "elements": elements, "proof": proof}
        body = {"modules": plain.as_list({}), "left_out": [reason, *({"node": v} for v in others)]}
        assert violations(staging, make_certificate("valency", "partial", Verdict.YES, "partial", **body)) == [], seed
        body["left_out"] = [*({"node": v} for v in others), reason]
        wrong = violations(staging, make_certificate("valency", "partial", Verdict.YES, "partial", **body))
        assert bool(wrong) == bool(others), seed
        impossible += 1
    assert impossible > 15 * len(seeds) // HOW_MANY
