"""Valency by brute force: every fill one by one. Restates the rules plainly; shares nothing but the model."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from solvent.valency.model import (
    BEST,
    EXCLUDED,
    FILLER,
    FIRST,
    FORCE,
    HALF_TURN,
    HEX,
    MIRROR_X,
    MIRROR_Y,
    NORMAL,
    NULL_SLOT,
    QUARTER_TURN,
    Acyclic,
    Cluster,
    Connected,
    Consecutive,
    Count,
    Graph,
    Lattice,
    Loop,
    Module,
    Only,
    Parity,
    Path,
    Separation,
    Staging,
    Symmetry,
    Vector,
)

Fill = Mapping[int, int]
"""The module on each filled node."""


class Edge(NamedTuple):
    """Hold one edge of one layer: its two nodes, and the orbital that each of them sees it on."""

    layer: int
    node: int
    orbital: int
    other: int
    back: int


class Twin:
    """Know everything about one staging that does not depend on the fill."""

    def __init__(self, staging: Staging) -> None:
        self.staging = staging
        self.modules = staging.rules.modules
        self.size = node_count(staging.cluster)
        self.edges = [edge for layer in range(len(staging.rules.layers)) for edge in edges_of(staging, layer)]
        """In canonical order."""
        self.masks = [[0] * self.size for _ in staging.rules.layers]
        """For each layer and node the mask of orbitals that have a neighbour."""
        for edge in self.edges:
            self.masks[edge.layer][edge.node] |= 1 << edge.orbital
            self.masks[edge.layer][edge.other] |= 1 << edge.back
        self.open = [v for v in range(self.size) if any(masks[v] for masks in self.masks)]
        """Nodes to be filled: all but the null slots."""
        self.edges_at: list[list[Edge]] = [[] for _ in range(self.size)]
        for edge in self.edges:
            for node in {edge.node, edge.other}:
                self.edges_at[node].append(edge)
        self.picked: dict[int, set[int]] = {}
        """The modules that the pick on a node allows; nodes whose pick is ignored are missing."""
        for pick in staging.picks:
            chosen = self._resolve(pick.node, pick.name) if pick.node in self.open else set()
            if chosen:
                self.picked[pick.node] = chosen
        self.free: list[set[int]] = [
            {m for m, module in enumerate(self.modules) if module.placement != EXCLUDED and self.fits(m, v)}
            for v in range(self.size)
        ]
        """The modules that may stand on a node without a pick."""
        self.placeable = [self.free[v] | self.picked.get(v, set()) for v in range(self.size)]

    def fits(self, m: int, v: int) -> bool:
        """Tell whether the node has the neighbours that the module asks for, and none that it forbids."""
        for bonds, masks in zip(self.modules[m].bonds, self.masks, strict=True):
            mask = masks[v]
            if bonds.orbital_mask & mask != bonds.orbital_mask or bonds.wildcard_mask & mask != bonds.wildcard_mask:
                return False
            if bonds.boundary_mask & mask:
                return False
        return True

    def _resolve(self, v: int, name: str) -> set[int]:
        """Return the modules that a pick allows; none if it is to be ignored."""
        named = [m for m, module in enumerate(self.modules) if module.key == name]
        named = named or [m for m, module in enumerate(self.modules) if module.name == name]
        meant = [m for m in named if self.fits(m, v)]
        if not meant and self.staging.pick_misfit == FORCE:
            meant = named
        if not meant:
            return set()
        if self.staging.pick_selection == FIRST:
            return {meant[0]}
        if self.staging.pick_selection == BEST:
            return {max(meant, key=lambda m: (self._in_common(self.modules[m], v), -m))}
        return set(meant)

    def _in_common(self, module: Module, v: int) -> int:
        pairs = zip(module.bonds, self.masks, strict=True)
        return sum((bonds.orbital_mask & masks[v]).bit_count() for bonds, masks in pairs)

    def candidates(self, v: int) -> list[int]:
        """Return what a right fill may have on an open node, by that node alone."""
        return sorted(self.picked.get(v, self.free[v]))

    def accepts(self, layer: int, m: int, orbital: int, n: int) -> bool:
        """Tell whether module m, for its part, lets n stand on its orbital."""
        neighbours = self.modules[m].bonds[layer].neighbours
        allowed = neighbours[orbital] if orbital < len(neighbours) else None
        return allowed is None or bool(allowed >> n & 1)

    def agree(self, edge: Edge, m: int, n: int) -> bool:
        """Tell whether m at the first node and n at the second node of an edge both accept each other."""
        return self.accepts(edge.layer, m, edge.orbital, n) and self.accepts(edge.layer, n, edge.back, m)

    def bonds_hold_at(self, v: int, fill: Fill) -> bool:
        """Tell whether v agrees with those of its neighbours that are filled."""
        return all(
            self.agree(edge, fill[edge.node], fill[edge.other])
            for edge in self.edges_at[v]
            if edge.node in fill and edge.other in fill
        )

    @cached_property
    def distance(self) -> list[dict[int, int]]:
        """For each node how many edges, of any layers, lead to each node that can be reached."""
        beside: list[set[int]] = [set() for _ in range(self.size)]
        for edge in self.edges:
            beside[edge.node].add(edge.other)
            beside[edge.other].add(edge.node)
        return [_distances(beside, v) for v in range(self.size)]


def node_count(cluster: Cluster) -> int:
    """Return how many nodes there are."""
    if isinstance(cluster, Lattice):
        return cluster.width * cluster.height * cluster.depth
    return len(cluster.positions)


def _distances(beside: Sequence[set[int]], start: int) -> dict[int, int]:
    far = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in beside[node] - far.keys():
            far[other] = far[node] + 1
            queue.append(other)
    return far


def edges_of(staging: Staging, layer: int) -> Iterator[Edge]:
    """Yield the edges of a layer in canonical order."""
    if isinstance(staging.cluster, Graph):
        yield from _graph_edges(staging, staging.cluster, layer)
    elif staging.cluster.kind == HEX:
        yield from _hex_edges(staging.cluster, layer)
    else:
        yield from _square_edges(staging, staging.cluster, layer)


def _square_edges(staging: Staging, lattice: Lattice, layer: int) -> Iterator[Edge]:
    directions = [orbital.direction for orbital in staging.rules.layers[layer].orbital_set.orbitals]
    for number, direction in enumerate(directions):
        assert direction is not None
        back = directions.index((-direction[0], -direction[1], -direction[2]))
        if number < back:
            step = (int(direction[0]), int(direction[1]), int(direction[2]))
            yield from _steps(lattice, layer, number, back, partial(_always, step))


def _always(step: tuple[int, int, int], _: int) -> tuple[int, int, int]:
    return step


def _hex_edges(lattice: Lattice, layer: int) -> Iterator[Edge]:
    # right and left; down-right and up-left; down-left and up-right
    yield from _steps(lattice, layer, 0, 3, lambda _: (1, 0, 0))
    yield from _steps(lattice, layer, 1, 4, lambda y: (y % 2, 1, 0))
    yield from _steps(lattice, layer, 2, 5, lambda y: (y % 2 - 1, 1, 0))


def _steps(
    lattice: Lattice, layer: int, orbital: int, back: int, step_from: Callable[[int], tuple[int, int, int]]
) -> Iterator[Edge]:
    """Yield one edge for each cell from which a step stays in the lattice."""
    sizes = (lattice.width, lattice.height, lattice.depth)
    for z in range(lattice.depth):
        for y in range(lattice.height):
            for x in range(lattice.width):
                target = [a + b for a, b in zip((x, y, z), step_from(y), strict=True)]
                for axis in range(3):
                    if lattice.periodic[axis]:
                        target[axis] %= sizes[axis]
                if all(0 <= at < size for at, size in zip(target, sizes, strict=True)):
                    here, there = (at[0] + sizes[0] * (at[1] + sizes[1] * at[2]) for at in ((x, y, z), target))
                    yield Edge(layer, here, orbital, there, back)


def _graph_edges(staging: Staging, graph: Graph, layer: int) -> Iterator[Edge]:
    if graph.orbitals is not None:
        for (a, b), orbitals in zip(graph.edges.tolist(), graph.orbitals.tolist(), strict=True):
            if orbitals[layer] != [-1, -1]:
                yield Edge(layer, a, orbitals[layer][0], b, orbitals[layer][1])
        return
    orbital_set = staging.rules.layers[layer].orbital_set
    directions = [(o, orbital.direction) for o, orbital in enumerate(orbital_set.orbitals) if orbital.direction]
    closest = math.cos(math.radians(orbital_set.threshold_degrees)) - 1e-9
    matched = []
    for number, (a, b) in enumerate(graph.edges.tolist()):
        along = [float(there - here) for here, there in zip(graph.positions[a], graph.positions[b], strict=True)]
        if not any(along) or not directions:
            continue
        forth = [(alignment(along, direction), -o) for o, direction in directions]
        back = [(alignment([-part for part in along], direction), -o) for o, direction in directions]
        worst = min(max(forth)[0], max(back)[0])
        if worst >= closest:
            matched.append((-math.floor(1e9 * worst + 0.5), number, Edge(layer, a, -max(forth)[1], b, -max(back)[1])))
    taken: set[tuple[int, int]] = set()
    kept = []
    for _, number, edge in sorted(matched):
        ends = {(edge.node, edge.orbital), (edge.other, edge.back)}
        if not ends & taken:
            taken |= ends
            kept.append((number, edge))
    yield from (edge for _, edge in sorted(kept))


def alignment(along: Sequence[float], direction: Vector) -> float:
    """Return the cosine of the angle between an edge and an orbital."""
    dot = along[0] * direction[0] + along[1] * direction[1] + along[2] * direction[2]
    return dot / (_length(along) * _length(direction))


def _length(v: Sequence[float]) -> float:
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


# What must hold of a fill as a whole.


def maximums_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether no count is above its bound; also means something of a fill with nodes left out."""
    for m, module in enumerate(twin.modules):
        if module.most is not None and sum(held == m for held in fill.values()) > module.most:
            return False
    for rule in twin.staging.constraints:
        if isinstance(rule, Count) and rule.most is not None and len(counted(rule, fill)) > rule.most:
            return False
    return True


def minimums_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether no count is below its bound."""
    held = list(fill.values())
    if any(held.count(m) < module.least for m, module in enumerate(twin.modules)):
        return False
    counts = [rule for rule in twin.staging.constraints if isinstance(rule, Count)]
    return all(len(counted(rule, fill)) >= rule.least for rule in counts)


def counted(rule: Count | Parity, fill: Fill) -> list[int]:
    """Return the nodes that a count counts."""
    return [v for v, m in fill.items() if rule.modules >> m & 1 and (not rule.nodes or v in rule.nodes)]


def separations_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether modules that must keep apart do."""
    for rule in twin.staging.constraints:
        if isinstance(rule, Separation):
            held = [v for v, m in fill.items() if rule.modules >> m & 1]
            others = [v for v, m in fill.items() if (rule.others or rule.modules) >> m & 1]
            for v in held:
                for w in others:
                    if v != w and twin.distance[v].get(w, math.inf) < rule.distance:
                        return False
    return True


def nothing_is_forbidden(twin: Twin, fill: Fill) -> bool:
    """Tell whether the constraints hold that only ever forbid; also means something with nodes left out."""
    return separations_hold(twin, fill) and all(
        FORBIDDING[type(rule)](twin, rule, fill) for rule in twin.staging.constraints if type(rule) in FORBIDDING
    )


def _only_holds(_twin: Twin, rule: Only, fill: Fill) -> bool:
    return all(rule.modules >> fill[v] & 1 for v in rule.nodes if v in fill)


def _rows_hold(twin: Twin, rule: Consecutive, fill: Fill) -> bool:
    """Walk from each node along each orbital, for as long as what stands there counts."""
    beside = {(edge.layer, edge.node, edge.orbital): edge.other for edge in twin.edges}
    beside |= {(edge.layer, edge.other, edge.back): edge.node for edge in twin.edges}
    for layer, orbital in rule.along:
        for start in range(twin.size):
            v: int | None = start
            for length in range(rule.most + 1):
                if v is None or v not in fill or not rule.modules >> fill[v] & 1:
                    break
                if length == rule.most:
                    return False
                v = beside.get((layer, v, orbital))
    return True


def _symmetry_holds(twin: Twin, rule: Symmetry, fill: Fill) -> bool:
    lattice = twin.staging.cluster
    assert isinstance(lattice, Lattice)
    for v, m in fill.items():
        x, y, z = v % lattice.width, v // lattice.width % lattice.height, v // (lattice.width * lattice.height)
        to = {
            MIRROR_X: (lattice.width - 1 - x, y),
            MIRROR_Y: (x, lattice.height - 1 - y),
            HALF_TURN: (lattice.width - 1 - x, lattice.height - 1 - y),
            QUARTER_TURN: (lattice.height - 1 - y, x),
        }[rule.kind]
        image = to[0] + lattice.width * (to[1] + lattice.height * z)
        if rule.images[m] < 0 or (image in fill and fill[image] != rule.images[m]):
            return False
    return True


FORBIDDING: dict[type, Callable[..., bool]] = {
    Only: _only_holds,
    Consecutive: _rows_hold,
    Symmetry: _symmetry_holds,
}


def _no_circle(twin: Twin, rule: Acyclic, fill: Fill) -> bool:
    """Merge what each join joins: one that joins what hangs together already closes a circle."""
    group = list(range(twin.size))
    for edge in twin.edges:
        if joins(rule, edge, fill):
            if group[edge.node] == group[edge.other]:
                return False
            old, new = group[edge.node], group[edge.other]
            group = [new if one == old else one for one in group]
    return True


FORBIDDING[Acyclic] = _no_circle


def loops_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether all that must form a loop have two joins; that they hang together is asked elsewhere."""
    for rule in twin.staging.constraints:
        if isinstance(rule, Loop):
            ends = [end for edge in twin.edges if joins(rule, edge, fill) for end in (edge.node, edge.other)]
            if any(ends.count(v) != 2 for v, m in fill.items() if rule.modules >> m & 1):
                return False
    return True


def parities_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether what must be even or odd is."""
    rules = [rule for rule in twin.staging.constraints if isinstance(rule, Parity)]
    return all(len(counted(rule, fill)) % 2 == rule.odd for rule in rules)


def hang_together_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether what must be connected is, and whether each path is there."""
    for rule in twin.staging.constraints:
        if isinstance(rule, Connected):
            held = [v for v, m in fill.items() if rule.modules >> m & 1]
            if held and not reached(twin, rule, held[0], fill).issuperset(held):
                return False
        if isinstance(rule, Path):
            held = [v for v, m in fill.items() if rule.modules >> m & 1]
            if rule.start not in held or rule.end not in reached(twin, rule, rule.start, fill):
                return False
    return True


def reached(twin: Twin, rule: Connected | Path, start: int, fill: Fill) -> set[int]:
    """Return the nodes to which joined edges lead."""
    beside: list[set[int]] = [set() for _ in range(twin.size)]
    for edge in twin.edges:
        if joins(rule, edge, fill):
            beside[edge.node].add(edge.other)
            beside[edge.other].add(edge.node)
    return set(_distances(beside, start))


def joins(rule: Connected | Path | Acyclic, edge: Edge, fill: Fill) -> bool:
    """Tell whether one gets from one end of an edge to the other."""
    ends = ((edge.node, edge.orbital), (edge.other, edge.back))
    for node, orbital in ends:
        if node not in fill or not rule.modules >> fill[node] & 1:
            return False
        if rule.exits and not rule.exits[edge.layer][fill[node]] >> orbital & 1:
            return False
    return True


def rules_hold(twin: Twin, fill: Fill) -> bool:
    """Tell whether a fill of all open nodes keeps every rule but that of the fillers."""
    return (
        set(fill) == set(twin.open)
        and all(m in twin.candidates(v) and twin.bonds_hold_at(v, fill) for v, m in fill.items())
        and maximums_hold(twin, fill)
        and minimums_hold(twin, fill)
        and nothing_is_forbidden(twin, fill)
        and parities_hold(twin, fill)
        and loops_hold(twin, fill)
        and hang_together_hold(twin, fill)
    )


def fillers_are_needed(twin: Twin, fill: Fill) -> bool:
    """Tell whether no unpicked filler could give way to a normal module, all else staying as it is."""
    normal = [m for m, module in enumerate(twin.modules) if module.placement == NORMAL]
    return not any(
        rules_hold(twin, {**fill, v: m})
        for v, held in fill.items()
        if twin.modules[held].placement == FILLER and v not in twin.picked
        for m in normal
    )


def fills(staging: Staging, *, any_filler: bool = False) -> Iterator[dict[int, int]]:
    """Yield every right fill; with `any_filler`, also those in which a filler takes the place of something else."""
    twin = Twin(staging)
    for fill in _extensions(twin, twin.open, {}):
        if rules_hold(twin, fill) and (any_filler or fillers_are_needed(twin, fill)):
            yield fill


def _extensions(twin: Twin, nodes: Sequence[int], fill: dict[int, int]) -> Iterator[dict[int, int]]:
    if not nodes:
        yield dict(fill)
        return
    for m in twin.candidates(nodes[0]):
        fill[nodes[0]] = m
        if twin.bonds_hold_at(nodes[0], fill):
            yield from _extensions(twin, nodes[1:], fill)
        del fill[nodes[0]]


def count_fills(staging: Staging) -> int:
    """Return how many right fills there are."""
    return sum(1 for _ in fills(staging))


def is_solvable(staging: Staging) -> bool:
    """Tell whether there is a right fill.

    A filler that gives way leaves a fill with one filler less, and that ends: the rule of the fillers never takes the
    last fill away.
    """
    return next(fills(staging, any_filler=True), None) is not None


def as_list(twin: Twin, fill: Fill) -> list[int]:
    """Return a fill as certificates hold it."""
    return [fill.get(v, NULL_SLOT) for v in range(twin.size)]


def is_right_partially(twin: Twin, fill: Fill) -> bool:
    """Tell whether the filled nodes keep the rules that hold where nodes may be left out."""
    return (
        all(m in twin.candidates(v) and twin.bonds_hold_at(v, fill) for v, m in fill.items())
        and maximums_hold(twin, fill)
        and nothing_is_forbidden(twin, fill)
    )


def most_filled(twin: Twin, nodes: Sequence[int] | None = None) -> int:
    """Return how many of these nodes, or of all open ones, can be filled at once if the others may stay empty."""
    best = 0

    def extend(nodes: Sequence[int], fill: dict[int, int]) -> None:
        nonlocal best
        best = max(best, len(fill))
        if len(fill) + len(nodes) <= best:
            return
        for m in twin.candidates(nodes[0]):
            fill[nodes[0]] = m
            if twin.bonds_hold_at(nodes[0], fill) and maximums_hold(twin, fill) and nothing_is_forbidden(twin, fill):
                extend(nodes[1:], fill)
            del fill[nodes[0]]
        extend(nodes[1:], fill)

    extend(twin.open if nodes is None else nodes, {})
    return best
