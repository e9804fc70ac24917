"""Tell what is odd about a constraint that was built by hand: no file could say it."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.budget import Meter
from solvent.valency.model import (
    HALF_TURN,
    MAX_ORBITALS,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    SQUARE,
    Acyclic,
    Connected,
    Consecutive,
    Constraint,
    Count,
    Lattice,
    Only,
    Parity,
    Path,
    Separation,
    Staging,
    Symmetry,
)


def odd_constraint(constraint: Constraint, which: str, staging: Staging, nodes: int, meter: Meter) -> Iterator[str]:
    """Yield what is odd about a constraint, called by its name; there are so many nodes."""
    if constraint.modules < 0:
        yield f"{which} has a mask of modules below 0"
    if isinstance(constraint, Count | Only | Parity):
        if any(not 0 <= node < nodes for node in meter.each(constraint.nodes)):
            yield f"{which} names no node"
    elif isinstance(constraint, Path | Connected | Acyclic):
        yield from _odd_join(constraint, which, staging, nodes)
    elif isinstance(constraint, Separation):
        if constraint.others < 0 or constraint.others & constraint.modules:
            yield f"{which} keeps modules apart from themselves"
    elif isinstance(constraint, Consecutive):
        yield from _odd_row(constraint, which, staging)
    elif isinstance(constraint, Symmetry):
        yield from _odd_symmetry(constraint, which, staging)
    else:
        yield f"{which} is of no kind there is"


def _odd_join(join: Connected | Path | Acyclic, which: str, staging: Staging, nodes: int) -> Iterator[str]:
    rules = staging.rules
    wide = len(join.exits) == len(rules.layers)
    if join.exits and not (wide and all(len(row) == len(rules.modules) for row in join.exits)):
        yield f"{which} has not one mask of exits for each layer and module"
    elif any(mask < 0 or mask >> MAX_ORBITALS for row in join.exits for mask in row):
        yield f"{which} has a mask of orbitals that do not exist"
    if isinstance(join, Path) and not (0 <= join.start < nodes and 0 <= join.end < nodes):
        yield f"{which} names no node"


def _odd_row(consecutive: Consecutive, which: str, staging: Staging) -> Iterator[str]:
    layers = staging.rules.layers
    if consecutive.most < 1:
        yield f"{which} allows fewer than 1 in a row"
    for layer, orbital in consecutive.along:
        if not 0 <= layer < len(layers) or not 0 <= orbital < len(layers[layer].orbital_set.orbitals):
            yield f"{which} names an orbital that does not exist"


def _odd_symmetry(symmetry: Symmetry, which: str, staging: Staging) -> Iterator[str]:
    lattice, modules = staging.cluster, len(staging.rules.modules)
    if not isinstance(lattice, Lattice) or lattice.kind != SQUARE:
        yield f"{which} is a symmetry of something that is no square lattice"
    elif symmetry.kind == QUARTER_TURN and lattice.width != lattice.height:
        yield f"{which} turns a lattice by 90 degrees that is not as wide as it is high"
    if symmetry.kind not in (MIRROR_X, MIRROR_Y, HALF_TURN, QUARTER_TURN):
        yield f"{which} is a symmetry of no kind there is"
    if len(symmetry.images) != modules or any(not -1 <= image < modules for image in symmetry.images):
        yield f"{which} has not one image for each module"
