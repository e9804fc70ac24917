"""Small random tasks for hypothesis: any cluster, any bonds, every field of the model, always without faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from hypothesis import strategies as st

from solvent.valency.model import (
    CUBIC_ORBITALS,
    HEX_ORBITALS,
    ORBITAL_SETS,
    SQUARE8_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Cluster,
    Connected,
    Constraint,
    Count,
    Graph,
    Lattice,
    Layer,
    Look,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Pick,
    Region,
    Rules,
    Separation,
    Staging,
    Transform,
)
from solvent.valency.validation import find_faults

# Quotes, brackets, tags and stars are letters like any other in a name.
names = st.text('ab#*"\\é 1.[', min_size=1, max_size=4)
numbers = st.one_of(st.integers(-5, 5).map(float), st.floats(-1e9, 1e9, allow_nan=False))
vectors = st.tuples(numbers, numbers, numbers)
weights = st.one_of(st.just(1.0), st.floats(0.01, 1000))
values = st.one_of(st.text("xyé\n\t", max_size=5), st.integers(-(2**62), 2**62), numbers, st.booleans())
properties = st.dictionaries(names, values, max_size=3).map(lambda said: tuple(sorted(said.items())))


def one_pixel() -> bytes:
    """Return the smallest picture there is."""
    from PIL import Image

    file = BytesIO()
    Image.new("RGB", (1, 1), "#336699").save(file, "PNG")
    return file.getvalue()


looks = st.builds(
    Look,
    colour=st.sampled_from(("", "#a0b1c2")),
    glyph=st.sampled_from(("", "x", "é", '"')),
    picture=st.sampled_from((b"", one_pixel())),
    quarter_turns=st.integers(0, 3),
    mirrored=st.booleans(),
)


@st.composite
def lattices(draw: st.DrawFn) -> tuple[Lattice, list[OrbitalSet]]:
    """Draw a lattice and the orbital sets that it may have."""
    kind = draw(st.sampled_from(("square", "square", "hex")))
    wraps = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()))
    width, height, depth = draw(st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 2)))
    if kind == "hex":
        return Lattice(width, 2 * height, 1, kind, wraps), [HEX_ORBITALS]
    return Lattice(width, height, depth, kind, wraps), [SQUARE_ORBITALS, SQUARE8_ORBITALS, CUBIC_ORBITALS]


@st.composite
def orbital_sets(draw: st.DrawFn) -> OrbitalSet:
    """Draw orbitals for a graph: a known set, or some of one's own, with or without directions."""
    threshold = draw(st.sampled_from((22.5, 45.0, 0.0, 12.25)))
    if draw(st.booleans()):
        return replace(draw(st.sampled_from(list(ORBITAL_SETS.values()))), threshold_degrees=threshold)
    called = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    directions = st.one_of(st.none(), st.sampled_from(((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.1, -0.3, 2.5))))
    return OrbitalSet(tuple(Orbital(name, draw(directions)) for name in called), threshold)


@st.composite
def graphs(draw: st.DrawFn, layers: Sequence[Layer]) -> Graph:
    """Draw a graph of a few nodes whose edges say their orbitals, or do not."""
    nodes = draw(st.integers(1, 5))
    pairs = [(one, other) for one in range(nodes) for other in range(nodes) if one < other]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=5)) if pairs else []
    edges = [pair if draw(st.booleans()) else pair[::-1] for pair in edges]
    positions = draw(st.one_of(st.just([(0.0, 0.0, 0.0)] * nodes), st.lists(vectors, min_size=nodes, max_size=nodes)))
    called = draw(st.one_of(st.just([]), st.lists(names, min_size=nodes, max_size=nodes, unique=True)))
    if draw(st.booleans()):
        return Graph(positions, edges, names=tuple(called))
    taken: set[tuple[int, int, int]] = set()
    orbitals = []
    for pair in edges:
        row = []
        for number, layer in enumerate(layers):
            ends = draw(st.tuples(*[st.integers(0, len(layer.orbital_set.orbitals) - 1)] * 2))
            keys = {(number, node, end) for node, end in zip(pair, ends, strict=True)}
            free = not keys & taken and draw(st.booleans())
            taken |= keys if free else set()
            row.append(ends if free else (-1, -1))
        orbitals.append(row)
    return Graph(positions, edges, orbitals, tuple(called))


@st.composite
def bonds(draw: st.DrawFn, orbitals: int, modules: int) -> Bonds:
    """Draw what a module asks of its surroundings, with a list for all orbitals or just for some."""
    states = draw(
        st.lists(st.sampled_from(("may", "may", "must", "wildcard", "boundary")), min_size=orbitals, max_size=orbitals)
    )
    listed = st.one_of(st.none(), st.integers(1, 2**modules - 1))
    length = draw(st.sampled_from((orbitals, orbitals, 0, orbitals // 2)))
    return Bonds(
        sum(1 << at for at, state in enumerate(states) if state in ("must", "wildcard")),
        sum(1 << at for at, state in enumerate(states) if state == "boundary"),
        sum(1 << at for at, state in enumerate(states) if state == "wildcard"),
        tuple(draw(listed) for _ in range(length)),
    )


@st.composite
def rule_sets(draw: st.DrawFn, layers: Sequence[Layer]) -> Rules:
    """Draw modules for layers."""
    keys = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    modules = []
    for number, key in enumerate(keys):
        least = draw(st.integers(0, 2))
        modules.append(
            Module(
                key=key,
                name=draw(names),
                bonds=tuple(draw(bonds(len(layer.orbital_set.orbitals), len(keys))) for layer in layers),
                weight=draw(weights) if number else 1.5,
                least=least,
                most=draw(st.one_of(st.none(), st.integers(least, 5))),
                tags=tuple(draw(st.lists(names, max_size=2, unique=True))),
                properties=draw(properties),
                transforms=tuple(draw(st.lists(st.builds(Transform, vectors, vectors, vectors), max_size=2))),
                placement=draw(st.sampled_from(("normal", "filler", "excluded"))) if number else "normal",
                look=draw(looks),
            )
        )
    return Rules(tuple(layers), tuple(modules), draw(st.one_of(st.just(""), names)), draw(properties))


@st.composite
def constraints(draw: st.DrawFn, rules: Rules, nodes: int) -> Constraint:
    """Draw a constraint; the ends of a path may turn out to have no neighbours."""
    some = draw(st.integers(1, 2 ** len(rules.modules) - 1))
    exits = draw(
        st.one_of(
            st.just(()),
            st.tuples(
                *(
                    st.tuples(*[st.integers(0, 2 ** len(layer.orbital_set.orbitals) - 1)] * len(rules.modules))
                    for layer in rules.layers
                )
            ),
        )
    )
    node = st.integers(0, nodes - 1)
    kind = draw(st.integers(0, 3))
    if kind == 0:
        scope = draw(st.lists(node, unique=True, max_size=3))
        return Count(some, draw(st.integers(0, 2)), draw(st.one_of(st.none(), st.integers(2, 9))), tuple(scope))
    if kind == 1:
        return Connected(some, exits)
    if kind == 2:
        return Path(draw(node), draw(node), some, exits)
    return Separation(some, draw(st.integers(1, 4)))


@st.composite
def stagings(draw: st.DrawFn) -> Staging:
    """Draw a task without faults."""
    count = draw(st.integers(1, 2))
    called = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    cluster: Cluster
    if draw(st.booleans()):
        cluster, known = draw(lattices())
        layers = [Layer(name, draw(st.sampled_from(known))) for name in called]
        nodes = cluster.width * cluster.height * cluster.depth
    else:
        layers = [Layer(name, draw(orbital_sets())) for name in called]
        cluster = draw(graphs(layers))
        nodes = len(cluster.positions)
    rules = draw(rule_sets(layers))
    picked = sorted(draw(st.lists(st.integers(0, nodes - 1), unique=True, max_size=3)))
    inside = draw(st.lists(st.integers(0, nodes - 1), unique=True, min_size=1, max_size=3))
    factors = draw(st.dictionaries(st.integers(0, len(rules.modules) - 1), weights, max_size=2))
    region = Region(
        tuple(inside),
        draw(st.one_of(st.none(), st.integers(0, 2**63 - 1))),
        tuple(sorted(factors.items())),
        draw(st.one_of(st.just(""), names)),
    )
    asked = draw(st.lists(constraints(rules, nodes), max_size=2))
    staging = Staging(
        rules,
        cluster,
        picks=tuple(Pick(node, draw(names)) for node in picked),
        pick_selection=draw(st.sampled_from(("weighted", "first", "best"))),
        pick_misfit=draw(st.sampled_from(("skip", "force"))),
        constraints=tuple(one for one in asked if not isinstance(one, Path)),
        regions=draw(st.sampled_from(((), (region,)))),
        priorities=tuple(draw(st.one_of(st.just([]), st.lists(numbers, min_size=nodes, max_size=nodes)))),
        seed=draw(st.integers(0, 2**63 - 1)),
    )
    if isinstance(cluster, Graph) and find_faults(staging):  # all edges miss their orbitals, which is an error
        staging = replace(staging, cluster=Graph(cluster.positions, [], names=cluster.names))
    whole = replace(staging, constraints=tuple(asked))
    return staging if find_faults(whole) else whole
