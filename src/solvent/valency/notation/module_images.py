"""Find which module is the mirror image of another, or the other turned, by what may stand beside them.

The image of a module asks on the image of each orbital what the module asks on the orbital itself: whether there must
be a neighbour, and which modules may stand there, variants of one module counting as one. It is looked for among the
modules of the same name, which the variants of a module share.
"""

from __future__ import annotations

from collections.abc import Mapping

from solvent.valency.model import HALF_TURN, MIRROR_X, MIRROR_Y, Bonds, OrbitalSet, Rules, Vector, numbers_in

Asked = tuple[bool, bool, bool, frozenset[str] | None]


def find_images(rules: Rules, kind: str, known: Mapping[int, int]) -> list[int | None]:
    """Return the image of each module, with those that are known as they are; None where none is found."""
    moved = [_moved_orbitals(layer.orbital_set, kind) for layer in rules.layers]
    found: list[int | None] = []
    for number, module in enumerate(rules.modules):
        if number in known:
            found.append(known[number])
            continue
        fitting = [
            other
            for other, candidate in enumerate(rules.modules)
            if candidate.name == module.name
            and all(
                to is not None
                and _asks(rules, candidate.bonds[layer], to) == _asks(rules, module.bonds[layer], orbital)
                for layer, orbitals in enumerate(moved)
                for orbital, to in enumerate(orbitals)
            )
        ]
        found.append(number if number in fitting else fitting[0] if fitting else None)
    return found


def _moved_orbitals(orbital_set: OrbitalSet, kind: str) -> list[int | None]:
    """Return for each orbital the one it becomes; None if there is none."""
    directions = [orbital.direction for orbital in orbital_set.orbitals]
    numbers = {direction: number for number, direction in enumerate(directions) if direction is not None}
    return [None if direction is None else numbers.get(_moved(direction, kind)) for direction in directions]


def _moved(direction: Vector, kind: str) -> Vector:
    x, y, z = direction
    if kind == MIRROR_X:
        return (0.0 - x, y, z)
    if kind == MIRROR_Y:
        return (x, 0.0 - y, z)
    if kind == HALF_TURN:
        return (0.0 - x, 0.0 - y, z)
    return (0.0 - y, x, z)  # clockwise, with y downwards


def _asks(rules: Rules, bonds: Bonds, orbital: int) -> Asked:
    mask = bonds.neighbours[orbital] if orbital < len(bonds.neighbours) else None
    names = None if mask is None else frozenset(rules.modules[number].name for number in numbers_in(mask))
    masks = (bonds.orbital_mask, bonds.boundary_mask, bonds.wildcard_mask)
    needs, bounds, wild = (bool(one >> orbital & 1) for one in masks)
    return needs, bounds, wild, names
