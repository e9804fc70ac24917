"""Tiny random stagings with every rule there is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from solvent.valency.model import (
    BEST,
    CUBIC_ORBITALS,
    EXCLUDED,
    FILLER,
    FIRST,
    FORCE,
    HALF_TURN,
    HEX,
    HEX_ORBITALS,
    MIRROR_X,
    MIRROR_Y,
    NORMAL,
    QUARTER_TURN,
    SKIP,
    SQUARE8_ORBITALS,
    SQUARE_ORBITALS,
    WEIGHTED,
    Acyclic,
    Bonds,
    Cluster,
    Connected,
    Consecutive,
    Constraint,
    Count,
    Graph,
    Lattice,
    Layer,
    Loop,
    Module,
    Only,
    Orbital,
    OrbitalSet,
    Parity,
    Path,
    Pick,
    Region,
    Rules,
    Separation,
    Staging,
    Symmetry,
)
from solvent.valency.orbitals import has_match
from torture.judges.valency import Twin

MAX_FILLS = 60_000
"""No random staging has more ways to put modules on its nodes, right or wrong."""


def make_staging(random: Random) -> Staging:
    """Make a tiny staging: of all kinds of cluster, with one to five modules in one to three layers."""
    layers = random.choice((1, 1, 1, 2, 3))
    count = random.choice((1, 2, 2, 3, 3, 4, 4, 5, 5))
    nodes = max(2, min(8, int(math.log(MAX_FILLS) / math.log(max(2, count)))))
    cluster, orbital_sets = _cluster(random, nodes, layers)
    rules = Rules(
        tuple(Layer(f"layer {number}", orbital_set) for number, orbital_set in enumerate(orbital_sets)),
        _modules(random, count, orbital_sets, isinstance(cluster, Graph)),
    )
    bare = Staging(rules, cluster, seed=random.randrange(10))
    twin = Twin(bare)
    return Staging(
        rules,
        cluster,
        picks=_picks(random, twin),
        pick_selection=random.choice((WEIGHTED, FIRST, BEST)),
        pick_misfit=random.choice((SKIP, FORCE)),
        constraints=_constraints(random, twin),
        regions=_regions(random, twin),
        priorities=tuple(float(random.randint(0, 3)) for _ in range(twin.size)) if random.random() < 0.3 else (),
        seed=random.randrange(10),
    )


def _cluster(random: Random, nodes: int, layers: int) -> tuple[Cluster, list[OrbitalSet]]:
    kind = random.choice(("explicit", "explicit", "positions", "square", "square", "square8", "hex", "cubic", "knight"))
    if kind == "explicit":
        return _explicit_graph(random, nodes, layers)
    if kind == "positions":
        return _placed_graph(random, nodes, layers)
    return _lattice(random, kind, nodes, layers)


def _lattice(random: Random, kind: str, nodes: int, layers: int) -> tuple[Lattice, list[OrbitalSet]]:
    depth = random.randint(1, 2) if kind == "cubic" else 1
    width = random.randint(1, max(1, nodes // depth))
    height = random.randint(1, max(1, nodes // (depth * width)))
    if random.random() < 0.5:
        width, height = height, width
    around_x, around_y, around_z = (random.random() < 0.3 for _ in range(3))
    if kind == HEX:
        lattice = Lattice(width, height, 1, HEX, (around_x, around_y and height % 2 == 0, False))
        return lattice, [HEX_ORBITALS] * layers
    first = {"square8": SQUARE8_ORBITALS, "cubic": CUBIC_ORBITALS, "knight": KNIGHT_ORBITALS}.get(kind, SQUARE_ORBITALS)
    others = [random.choice((SQUARE_ORBITALS, SQUARE8_ORBITALS, ALONG_ORBITALS)) for _ in range(layers - 1)]
    return Lattice(width, height, depth, periodic=(around_x, around_y, around_z)), [first, *others]


ALONG_ORBITALS = OrbitalSet((Orbital("back", (-1.0, 0.0, 0.0)), Orbital("forth", (1.0, 0.0, 0.0))))
KNIGHT_ORBITALS = OrbitalSet(
    (
        Orbital("a", (1.0, 2.0, 0.0)),
        Orbital("b", (2.0, 1.0, 0.0)),
        Orbital("c", (-2.0, -1.0, 0.0)),
        Orbital("d", (-1.0, -2.0, 0.0)),
    )
)
"""Steps longer than one cell, and opposites in no simple order."""


def _explicit_graph(random: Random, nodes: int, layers: int) -> tuple[Graph, list[OrbitalSet]]:
    orbital_sets = []
    for _ in range(layers):
        names = "abcdef"[: random.randint(1, 6)]
        orbital_sets.append(OrbitalSet(tuple(Orbital(name) for name in names)))
    size = random.randint(2, nodes)
    used: set[tuple[int, int, int]] = set()
    seen: set[tuple[object, ...]] = set()
    edges, orbitals = [], []
    for _ in range(random.randint(1, 2 * size)):
        a, b = random.sample(range(size), 2)
        ends = []
        for layer, orbital_set in enumerate(orbital_sets):
            p, q = (random.randrange(len(orbital_set.orbitals)) for _ in range(2))
            if random.random() < 0.2 or used & {(layer, a, p), (layer, b, q)}:
                ends.append((-1, -1))
            else:
                used |= {(layer, a, p), (layer, b, q)}
                ends.append((p, q))
        if any(pair != (-1, -1) for pair in ends) and (min(a, b), max(a, b), *ends) not in seen:
            seen.add((min(a, b), max(a, b), *ends))
            edges.append((a, b))
            orbitals.append(ends)
    if not edges:
        edges, orbitals = [(0, 1)], [[(0, 0)] * layers]
    return Graph(positions=[(0.0, 0.0, 0.0)] * size, edges=edges, orbitals=orbitals), orbital_sets  # type: ignore[arg-type]


def _placed_graph(random: Random, nodes: int, layers: int) -> tuple[Graph, list[OrbitalSet]]:
    """Make a graph whose edges are matched by direction: some neatly, some askew, some crowded out."""
    size = random.randint(2, nodes)
    around = random.choice((0.0, 0.0, 0.3, 0.6))
    deep = random.choice((0, 0, 1))

    def somewhere() -> tuple[float, float, float]:
        x, y = (random.randrange(3) + random.uniform(-around, around) for _ in range(2))
        return x, y, float(random.randint(0, deep))

    positions = [somewhere() for _ in range(size)]
    pairs = [(a, b) for a in range(size) for b in range(size) if a < b]
    chosen = random.sample(pairs, min(len(pairs), random.randint(1, 2 * size)))
    edges = [pair if random.random() < 0.5 else pair[::-1] for pair in chosen]
    orbital_sets = []
    for _ in range(layers):
        base = random.choice((SQUARE_ORBITALS, SQUARE8_ORBITALS, HEX_ORBITALS, CUBIC_ORBITALS, ALONG_ORBITALS))
        orbital_sets.append(OrbitalSet(base.orbitals, random.choice((10.0, 22.5, 22.5, 45.0, 89.0))))
    graph = Graph(positions=positions, edges=edges)  # type: ignore[arg-type]
    if any(has_match(graph, orbital_set) for orbital_set in orbital_sets):
        return graph, orbital_sets
    return Graph(positions=positions, edges=[]), orbital_sets  # type: ignore[arg-type]  # all missing is an error


def _modules(random: Random, count: int, orbital_sets: Sequence[OrbitalSet], sparse: bool) -> tuple[Module, ...]:
    asking = random.choice((0.0, 0.0, 0.05, 0.15)) * (0.5 if sparse else 1.0)
    strict = random.choice((0.3, 0.5, 0.8))
    common = random.choice((0.4, 0.6, 0.75))
    modules = []
    for m in range(count):
        bonds = tuple(_bonds(random, count, len(each.orbitals), asking, strict, common) for each in orbital_sets)
        modules.append(
            Module(
                key=f"m{m}",
                name=random.choice((f"m{m}", "tree", "rock", "m0")),
                bonds=bonds,
                weight=random.choice((0.0, 0.5, 1.0, 1.0, 7.0)),
                least=random.choice((1, 2)) if random.random() < 0.07 else 0,
                most=random.randint(2, 4) if random.random() < 0.1 else None,
                placement=random.choices((NORMAL, FILLER, EXCLUDED), (7, 2, 1))[0],
            )
        )
    if not any(module.weight and module.placement != EXCLUDED for module in modules):
        modules[0] = replace(modules[0], weight=1.0, placement=NORMAL)  # rules must have something to choose from
    return tuple(modules)


def _bonds(random: Random, count: int, orbitals: int, asking: float, strict: float, common: float) -> Bonds:
    orbital_mask = boundary_mask = wildcard_mask = 0
    neighbours: list[int | None] = []
    for orbital in range(orbitals):
        fate = random.random()
        allowed = None
        if fate < asking:
            orbital_mask |= 1 << orbital
            if random.random() < 0.3:
                wildcard_mask |= 1 << orbital
        elif fate > 1 - asking / 2:
            boundary_mask |= 1 << orbital
        if not (wildcard_mask | boundary_mask) >> orbital & 1 and random.random() < strict:
            allowed = sum(1 << m for m in range(count) if random.random() < common) or 1 << random.randrange(count)
        neighbours.append(allowed)
    if random.random() < 0.1:
        while neighbours and neighbours[-1] is None:  # what is missing at the end means the same as None
            neighbours.pop()
    return Bonds(orbital_mask, boundary_mask, wildcard_mask, tuple(neighbours))


def _picks(random: Random, twin: Twin) -> tuple[Pick, ...]:
    if random.random() < 0.5:
        return ()
    names = [name for module in twin.modules for name in (module.key, module.name)]
    chosen = sorted(random.sample(range(twin.size), random.randint(1, min(2, twin.size))))
    return tuple(Pick(v, "nobody" if random.random() < 0.1 else random.choice(names)) for v in chosen)


def _constraints(random: Random, twin: Twin) -> tuple[Constraint, ...]:
    made: list[Constraint] = []
    for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
        modules = _some_modules(random, twin)
        kind = random.choice(("count", "connected", "path", "separation"))
        if kind == "count":
            nodes = random.sample(range(twin.size), random.randint(1, twin.size)) if random.random() < 0.5 else []
            least = random.choice((0, 0, 1, 1, 2))
            most = random.choice((None, least + 1, least + 2, least))
            made.append(Count(modules, least, most, tuple(sorted(nodes))))
        elif kind == "connected":
            made.append(Connected(modules, _exits(random, twin)))
        elif kind == "path" and twin.open:
            made.append(Path(random.choice(twin.open), random.choice(twin.open), modules, _exits(random, twin)))
        elif kind == "separation":
            made.append(Separation(modules, random.choice((1, 2, 2, 3))))
    return tuple(made)


LIMITS = ("only", "consecutive", "symmetry", "parity", "pairs", "acyclic", "loop")
"""The kinds of constraint that `with_limit` adds."""


def with_limit(random: Random, staging: Staging, kind: str) -> Staging | None:
    """Add a constraint of a kind to a staging; None if it has no place there."""
    twin = Twin(staging)
    made = _limit(random, twin, kind)
    return None if made is None else replace(staging, constraints=(*staging.constraints, made))


def _limit(random: Random, twin: Twin, kind: str) -> Constraint | None:
    staging, modules = twin.staging, _some_modules(random, twin)
    count = len(twin.modules)
    if kind == "only":
        return Only(modules, tuple(sorted(random.sample(range(twin.size), random.randint(1, twin.size)))))
    if kind == "consecutive":
        ways = [
            (at, o) for at, layer in enumerate(staging.rules.layers) for o in range(len(layer.orbital_set.orbitals))
        ]
        along = tuple(sorted(random.sample(ways, random.randint(1, min(3, len(ways))))))
        return Consecutive(modules, random.choice((1, 1, 2, 3)), along)
    if kind == "symmetry":
        lattice = staging.cluster
        if not isinstance(lattice, Lattice) or lattice.kind == HEX:
            return None
        kinds = [MIRROR_X, MIRROR_Y, HALF_TURN] + [QUARTER_TURN] * (lattice.width == lattice.height)
        images = list(range(count)) if random.random() < 0.4 else [random.randrange(-1, count) for _ in range(count)]
        if random.random() < 0.5:
            random.shuffle(images)
        return Symmetry(random.choice(kinds), tuple(images))
    if kind == "parity":
        some = random.sample(range(twin.size), random.randint(1, twin.size)) if random.random() < 0.5 else []
        return Parity(modules, random.random() < 0.5, tuple(sorted(some)))
    if kind in ("acyclic", "loop"):
        return (Acyclic if kind == "acyclic" else Loop)(modules, _exits(random, twin))
    others = _some_modules(random, twin) & ~modules
    return Separation(modules, random.choice((2, 2, 3)), others) if others else None


def _some_modules(random: Random, twin: Twin) -> int:
    return random.randint(1, (1 << len(twin.modules)) - 1)


def _exits(random: Random, twin: Twin) -> tuple[tuple[int, ...], ...]:
    if random.random() < 0.5:
        return ()
    sizes = [len(layer.orbital_set.orbitals) for layer in twin.staging.rules.layers]
    return tuple(tuple(random.getrandbits(size) | random.getrandbits(size) for _ in twin.modules) for size in sizes)


def _regions(random: Random, twin: Twin) -> tuple[Region, ...]:
    if random.random() < 0.8:
        return ()
    nodes = random.sample(range(twin.size), random.randint(1, twin.size))
    weights = ((random.randrange(len(twin.modules)), random.choice((0.0, 3.0))),)
    return (Region(tuple(sorted(nodes)), random.choice((None, 5)), weights, "part"),)


def perturb_staging(random: Random, staging: Staging) -> Staging:
    """Change one thing: what may stand beside a module, a count, a pick, or a constraint."""
    rules = staging.rules
    kind = random.randrange(5)
    if kind == 0 and staging.picks:
        return replace(staging, picks=staging.picks[1:])
    if kind == 1 and staging.constraints:
        kept = list(staging.constraints)
        del kept[random.randrange(len(kept))]
        return replace(staging, constraints=tuple(kept))
    number = random.randrange(len(rules.modules))
    module = rules.modules[number]
    if kind == 2:
        bound = random.randrange(3)
        changed = (
            replace(module, least=0, most=bound) if random.random() < 0.5 else replace(module, least=bound, most=None)
        )
    else:
        layer = random.randrange(len(module.bonds))
        bonds = module.bonds[layer]
        neighbours = list(bonds.neighbours)
        closed = bonds.boundary_mask | bonds.wildcard_mask
        places = [orbital for orbital in range(len(neighbours)) if not closed >> orbital & 1]
        if not places:
            return replace(staging, seed=staging.seed + 1)
        allowed = random.randrange(1 << len(rules.modules)) or None
        neighbours[random.choice(places)] = allowed
        other = replace(bonds, neighbours=tuple(neighbours))
        changed = replace(module, bonds=(*module.bonds[:layer], other, *module.bonds[layer + 1 :]))
    modules = (*rules.modules[:number], changed, *rules.modules[number + 1 :])
    return replace(staging, rules=replace(rules, modules=modules))
