"""Dress the ground of levels from elsewhere: a fill in which some tiles may hold only some modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solvent.core.answer import Answer, Verdict
from solvent.core.errors import BadOption
from solvent.core.judging import Tile
from solvent.proof.certificate import make_certificate
from solvent.valency.exports.module_data import gather
from solvent.valency.exports.tiled import write_tiled
from solvent.valency.generator import read_rules
from solvent.valency.model import EXCLUDED, Lattice, Only, Rules, Staging, mask_of


def palette(source: str) -> tuple[Sequence[str], bytes]:
    """Return the keys of the modules of a rule set, and a map that has each of them once, in one row.

    What stands side by side there need not fit: it is for reading what each tile means.
    """
    rules = _rules(source)
    count = len(rules.modules)
    staging = Staging(rules, Lattice(count, 1))
    body = make_certificate("valency", "solvable", Verdict.YES, "assignment", modules=list(range(count)))
    answer = Answer("valency", "solvable", Verdict.YES, body, None, {}, 0.0)
    return [module.key for module in rules.modules], write_tiled(gather(staging, answer))


def stage(source: str, size: tuple[int, int], allowed: Mapping[Tile, frozenset[str]], seed: int) -> Staging:
    """Return the task to fill a map of this width and height, with only some modules on some tiles."""
    rules = _rules(source)
    numbers = {module.key: number for number, module in enumerate(rules.modules)}
    usable = {module.key for module in rules.modules if module.placement != EXCLUDED}
    groups: dict[frozenset[str], list[int]] = {}
    for (column, row), keys in allowed.items():
        groups.setdefault(keys & usable, []).append(column + size[0] * row)
    constraints = tuple(
        Only(mask_of(numbers[key] for key in keys), tuple(sorted(nodes))) for keys, nodes in groups.items()
    )
    return Staging(rules, Lattice(*size), constraints=constraints, seed=seed)


def _rules(source: str) -> Rules:
    rules = read_rules(source, [])
    orbitals = [orbital.direction for layer in rules.layers for orbital in layer.orbital_set.orbitals]
    if any(direction is None or not np.isclose(direction[2], 0) for direction in orbitals):
        raise BadOption(f"{source} is no rule set for a flat map of squares")
    return rules
