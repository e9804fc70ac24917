"""A square lattice looks the same when it is mirrored or turned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import HALF_TURN, MIRROR_X, MIRROR_Y, Lattice, Symmetry
from solvent.valency.slices import slices

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def image_of(lattice: Lattice, kind: str, cells: Numbers) -> Numbers:
    """Return where cells come to lie."""
    layer, within = cells // (lattice.width * lattice.height), cells % (lattice.width * lattice.height)
    x, y = within % lattice.width, within // lattice.width
    right, bottom = lattice.width - 1, lattice.height - 1
    if kind == MIRROR_X:
        x = right - x
    elif kind == MIRROR_Y:
        y = bottom - y
    elif kind == HALF_TURN:
        x, y = right - x, bottom - y
    else:
        x, y = bottom - y, x
    moved: Numbers = x + lattice.width * (y + lattice.height * layer)
    return moved


def broken(placing: Placing, symmetry: Symmetry, modules: Numbers) -> Iterator[str]:
    """Yield the nodes whose image holds something else than it should."""
    lattice = placing.staging.cluster
    assert isinstance(lattice, Lattice)
    images = np.array(symmetry.images, dtype=np.int64)
    for part in slices(len(modules), placing.meter):
        nodes = part.start + np.flatnonzero(modules[part] >= 0)
        for node in nodes[images[modules[nodes]] < 0].tolist():
            held = name_module(placing.staging, int(modules[node]))
            yield f"{name_node(placing.staging, node)} holds {held}, which has no image"
        nodes = nodes[images[modules[nodes]] >= 0]
        others = image_of(lattice, symmetry.kind, nodes)
        nodes, others = nodes[modules[others] >= 0], others[modules[others] >= 0]
        for row in np.flatnonzero(images[modules[nodes]] != modules[others]).tolist():
            node, other = int(nodes[row]), int(others[row])
            names = [name_node(placing.staging, one) for one in (node, other)]
            there = [name_module(placing.staging, int(modules[one])) for one in (node, other)]
            yield f"{names[1]} is the image of {names[0]}, but {there[1]} is not the image of {there[0]}"


def write(formula: Formula, symmetry: Symmetry) -> None:
    """What stands on the image of a node is the image of what stands on it: its bits are, if anything stands there.

    A module without an image stands nowhere.
    """
    lattice = formula.placing.staging.cluster
    assert isinstance(lattice, Lattice)
    others = image_of(lattice, symmetry.kind, formula.nodes)
    there = formula.has(others)
    here, ranks = np.flatnonzero(there), formula.rank(others[there])
    images = np.array(symmetry.images, dtype=np.int64)
    known = np.flatnonzero(images >= 0)
    for part in slices(len(here), formula.meter, width=formula.placing.modules * formula.bits):
        one, other = here[part], ranks[part]
        size = len(one) * len(known) * formula.bits
        formula.clauses.reserve(size, 2 * size)
        holds = np.broadcast_to(formula.holds[one][:, known, None], (len(one), len(known), formula.bits))
        spelt = formula.spelling(other, images[known])
        formula.clauses.add_table(np.stack([-holds.reshape(-1), spelt.reshape(-1)], axis=1))
    strangers = formula.holds[:, images < 0].reshape(-1, 1)
    formula.clauses.reserve(len(strangers), len(strangers))
    formula.clauses.add_table(-strangers)
