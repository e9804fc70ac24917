"""Tiny tasks with a bit of everything, from a seed."""

from __future__ import annotations

from random import Random

from solvent.valency.model import (
    HALF_TURN,
    HEX,
    HEX_ORBITALS,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    SQUARE8_ORBITALS,
    SQUARE_ORBITALS,
    Acyclic,
    Bonds,
    Connected,
    Consecutive,
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
    Rules,
    Separation,
    Staging,
    Symmetry,
)
from valency.plain_rules import Plain

LINE_ORBITALS = OrbitalSet((Orbital("left", (-1, 0, 0)), Orbital("right", (1, 0, 0))))

SKEWED_ORBITALS = OrbitalSet(
    (Orbital("east", (2, 1, 0)), Orbital("west", (-1, 0, 0)), Orbital("south", (0, 1, 0)), Orbital("off", (1, -2, 0))),
    threshold_degrees=50,
)

PLAIN_ORBITALS = OrbitalSet((Orbital("a"), Orbital("b"), Orbital("c")))

KINDS = (
    "count", "connected", "path", "separation", "pairs", "only", "consecutive", "symmetry", "parity", "acyclic", "loop",
)  # fmt: skip


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
    for _ in range(dice.choice([0, 1, 2, 2])):
        mask = dice.randrange(1 << kinds)
        exits = random_exits(dice, used, kinds) if dice.random() < 0.4 else ()
        kind = dice.choice([kind for kind in KINDS if kind != "symmetry" or sort == "square"])
        if kind == "count":
            nodes = tuple(v for v in range(size) if dice.random() < 0.5) if dice.random() < 0.5 else ()
            constraints.append(Count(mask, dice.choice([0, 0, 1, 2]), dice.choice([None, 0, 1, 2, 3]), nodes))
        elif kind == "connected":
            constraints.append(Connected(mask, exits))
        elif kind == "loop":
            constraints.append(Loop(mask, exits))
        elif kind == "acyclic":
            constraints.append(Acyclic(mask, exits))
        elif kind == "separation":
            constraints.append(Separation(mask, dice.randrange(5)))
        elif kind == "pairs":
            constraints.append(Separation(mask, dice.randrange(5), dice.randrange(1 << kinds) & ~mask))
        elif kind in ("only", "parity"):
            nodes = tuple(v for v in range(size) if dice.random() < 0.5)
            constraints.append(Only(mask, nodes) if kind == "only" else Parity(mask, dice.random() < 0.5, nodes))
        elif kind == "consecutive":
            ways = [(at, o) for at, orbital_set in enumerate(used) for o in range(len(orbital_set.orbitals))]
            constraints.append(Consecutive(mask, dice.randrange(1, 4), tuple(dice.sample(ways, 2))))
        elif kind == "symmetry":
            turns = [MIRROR_X, MIRROR_Y, HALF_TURN]
            turns += [QUARTER_TURN] * (cluster.width == cluster.height)
            images = tuple(dice.choice([m, m, m, m, m, dice.randrange(-1, kinds)]) for m in range(kinds))
            constraints.append(Symmetry(dice.choice(turns), images))
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
