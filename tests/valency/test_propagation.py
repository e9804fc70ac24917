"""Drawing consequences, against the plainest way to do it: strike what has no support, until nothing changes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from solvent.core.budget import Budget
from solvent.valency.model import SQUARE_ORBITALS, Bonds, Lattice, Layer, Module, Rules, Staging
from solvent.valency.solver.filling import Filling, count_modules
from solvent.valency.solver.network import Network, boot, pack, unpack

pytestmark = pytest.mark.modes

Table = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def random_network(seed: int, modules: int) -> Network:
    """Return a small lattice whose modules allow each other at random; 70 modules take two words, 130 three."""
    random = Random(seed)
    density = random.uniform(0.04, 0.3)

    def some() -> int:
        return sum(1 << one for one in range(modules) if random.random() < density) or 1 << random.randrange(modules)

    made = tuple(
        Module(f"m{number}", "m", (Bonds(neighbours=tuple(some() for _ in range(4))),)) for number in range(modules)
    )
    rules = Rules((Layer("tiles", SQUARE_ORBITALS),), made)
    return boot(Staging(rules, Lattice(4, 3, periodic=(bool(seed % 2), False, False))))


def struck(network: Network, possible: Table) -> Table | None:
    """Return what is left when everything without support is struck; None if a node has nothing left."""
    possible = possible.copy()
    changed = True
    while changed:
        changed = False
        for node in range(network.nodes):
            for arc in range(network.arc_start[node], network.arc_start[node + 1]):
                other, kind = network.arc_target[arc], network.arc_kind[arc]
                supported = network.agreements[kind][possible[node]].any(axis=0)
                if (possible[other] & ~supported).any():
                    possible[other] &= supported
                    changed = True
                    if not possible[other].any():
                        return None
    return possible


@pytest.mark.parametrize("modules", [5, 64, 70, 130])
@pytest.mark.parametrize("seed", range(6))
def test_consequences_are_those_of_striking(seed: int, modules: int):
    network = random_network(seed, modules)
    random = Random(seed)
    filling = Filling(network, seeds=np.zeros(1, np.uint64), order=np.empty(0, dtype=np.int32))
    expected = struck(network, unpack(network.domains, modules))
    filling.look_at_all()
    failed, _ = filling.propagate(Budget().start())
    narrowed = 0
    # Taking a few modules away at a time goes the way of removals, taking many the way of unions.
    while expected is not None:
        assert failed < 0
        assert (unpack(filling.domains, modules) == expected).all()
        assert (filling.sizes == expected.sum(axis=1)).all()
        open_nodes = np.flatnonzero(expected.sum(axis=1) > 1)
        if len(open_nodes) == 0 or narrowed == 40:
            break
        narrowed += 1
        node = int(random.choice(open_nodes.tolist()))
        held = np.flatnonzero(expected[node]).tolist()
        dropped = random.sample(held, random.choice([1, 1, 2, len(held) - 1]) if len(held) > 2 else 1)
        expected[node, dropped] = False
        filling.domains[node] = pack(expected[node : node + 1])[0]
        filling.sizes[node] = count_modules(filling.domains[node : node + 1])[0]
        filling.look_at(np.array([node]))
        failed, _ = filling.propagate(Budget().start())
        expected = struck(network, expected)
    if expected is None:
        assert failed >= 0
