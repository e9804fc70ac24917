"""The rules of a fill, stated a second time, one node at a time, in plain Python; the checker is not asked."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from solvent.valency.model import (
    HALF_TURN,
    HEX,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    Acyclic,
    Connected,
    Consecutive,
    Constraint,
    Count,
    Lattice,
    Loop,
    Only,
    OrbitalSet,
    Parity,
    Path,
    Pick,
    Separation,
    Staging,
    Symmetry,
)

Edge = tuple[int, int, int, int, int]
"""Layer, node, orbital there, other node, orbital there."""


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

    def joined(self, edge: Edge, constraint: Connected | Path | Acyclic, fill: dict[int, int]) -> bool:
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
            others = [v for v, m in fill.items() if (constraint.others or constraint.modules) >> m & 1]
            return all(self.distance(v, w) >= constraint.distance for v in held for w in others if v != w)
        if isinstance(constraint, Only):
            return all(v in held for v in constraint.nodes if v in fill)
        if isinstance(constraint, Consecutive):
            return not any(set(row) <= set(held) for row in self.rows(constraint, list(fill)))
        if isinstance(constraint, Symmetry):
            return all(
                constraint.images[m] >= 0
                and fill.get(self.image(constraint, v), constraint.images[m]) == constraint.images[m]
                for v, m in fill.items()
            )
        joins = [e for e in self.edges if isinstance(constraint, Acyclic | Loop) and self.joined(e, constraint, fill)]
        if isinstance(constraint, Acyclic):  # take away what is joined once or less, until nothing is left
            while loose := [e for e in joins if any(self.degree(joins, v) < 2 for v in (e[1], e[3]))]:
                joins = [e for e in joins if e not in loose]
            return not joins
        if not complete:
            return True
        if isinstance(constraint, Parity):
            return sum(v in constraint.nodes or not constraint.nodes for v in held) % 2 == constraint.odd
        if isinstance(constraint, Loop) and any(self.degree(joins, v) != 2 for v in held):
            return False
        if isinstance(constraint, Connected):
            return not held or set(held) <= self.reached(held[0], constraint, fill)
        ends = {constraint.start, constraint.end}
        return ends <= set(held) and constraint.end in self.reached(constraint.start, constraint, fill)

    def degree(self, edges: list[Edge], v: int) -> int:
        return sum((e[1] == v) + (e[3] == v) for e in edges)

    def rows(self, constraint: Consecutive, starts: list[int]) -> Iterator[list[int]]:
        """Yield the rows of one node too many that begin at some nodes."""
        beside = {e[:3]: e[3] for e in [*self.edges, *map(turned, self.edges)]}
        for layer, orbital in constraint.along:
            for start in starts:
                row = [start]
                while len(row) <= constraint.most and (layer, row[-1], orbital) in beside:
                    row.append(beside[layer, row[-1], orbital])
                if len(row) > constraint.most:
                    yield row

    def image(self, symmetry: Symmetry, v: int) -> int:
        lattice = self.staging.cluster
        row, x = divmod(v, lattice.width)
        z, y = divmod(row, lattice.height)
        if symmetry.kind == QUARTER_TURN:
            x, y = lattice.height - 1 - y, x
        if symmetry.kind in (MIRROR_X, HALF_TURN):
            x = lattice.width - 1 - x
        if symmetry.kind in (MIRROR_Y, HALF_TURN):
            y = lattice.height - 1 - y
        return x + lattice.width * (y + lattice.height * z)

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


def turned(edge: Edge) -> Edge:
    layer, v, o, w, r = edge
    return layer, w, r, v, o
