"""Tiny stagings: random ones from a seed, with every rule there is, and a few whose number of fills is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from torture.instances.valency import make_staging
from torture.judges.valency import is_solvable

from solvent import asking
from solvent.core.explanation import Explanation
from solvent.valency.model import (
    SQUARE_ORBITALS,
    Bonds,
    Graph,
    Lattice,
    Layer,
    Module,
    Orbital,
    OrbitalSet,
    Rules,
    Staging,
)


@cache
def random_staging(seed: int) -> Staging:
    """Make a tiny staging: of all kinds of cluster, with one to five modules in one to three layers."""
    return make_staging(Random(seed))


@cache
def random_truth(seed: int) -> bool:
    """Tell whether a random staging can be filled."""
    return is_solvable(random_staging(seed))


@cache
def random_explanation(seed: int) -> Explanation:
    """Explain a random staging, once for all tests."""
    return asking.explain(random_staging(seed))


# Stagings whose fills are known.


def plain_modules(count: int, layers: int = 1, **settings: object) -> tuple[Module, ...]:
    """Make modules that go anywhere beside anything."""
    return tuple(Module(f"m{m}", f"m{m}", (Bonds(),) * layers, **settings) for m in range(count))  # type: ignore[arg-type]


def colours(count: int, orbitals: int) -> tuple[Module, ...]:
    """Make two or more modules that may not stand beside themselves."""
    everything = (1 << count) - 1
    return tuple(
        Module(f"c{m}", f"c{m}", (Bonds(neighbours=(everything & ~(1 << m),) * orbitals),)) for m in range(count)
    )


def colouring(nodes: int, edges: Sequence[tuple[int, int]], count: int) -> Staging:
    """Stage the proper colourings of a graph."""
    degree = [0] * nodes
    orbitals = []
    for a, b in edges:
        orbitals.append([(degree[a], degree[b])])
        degree[a] += 1
        degree[b] += 1
    layer = Layer("beside", OrbitalSet(tuple(Orbital(str(o)) for o in range(max(degree)))))
    graph = Graph(positions=[(0, 0, 0)] * nodes, edges=list(edges), orbitals=orbitals)  # type: ignore[arg-type]
    return Staging(Rules((layer,), colours(count, max(degree))), graph)


def on_square(width: int, height: int, modules: Sequence[Module], periodic: str = "", **settings: object) -> Staging:
    """Stage modules on a square lattice with four neighbours."""
    around = ("x" in periodic, "y" in periodic, False)
    rules = Rules((Layer("beside", SQUARE_ORBITALS),), tuple(modules))
    return Staging(rules, Lattice(width, height, periodic=around), **settings)  # type: ignore[arg-type]


def on_row(length: int, modules: Sequence[Module], **settings: object) -> Staging:
    """Stage modules on a row: orbital 0 leads right, orbital 2 leads left."""
    return on_square(length, 1, modules, **settings)  # type: ignore[arg-type]
