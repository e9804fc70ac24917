"""Rules for a part of a world that is written as a grid with edges: no module minds the edges of the part."""

from __future__ import annotations

from dataclasses import replace

from solvent.valency.model import EXCLUDED, Bonds, Layer, Module, Rules


def rules_in_world(rules: Rules, *, hexagonal: bool) -> Rules:
    """Return rules for a part of a world that is written as a grid with edges.

    In a world each cell has all its neighbours to the sides. So a module that wants none there can never stand, and
    what others ask for in that way is always there.
    """
    modules = tuple(_in_world(module, rules.layers, hexagonal=hexagonal) for module in rules.modules)
    return replace(rules, modules=modules)


def _in_world(module: Module, layers: tuple[Layer, ...], *, hexagonal: bool) -> Module:
    placement, bonds = module.placement, []
    for layer, own in zip(layers, module.bonds, strict=True):
        sides = 0
        for number, one in enumerate(layer.orbital_set.orbitals):
            direction = one.direction or (0.0, 0.0, 0.0)
            if hexagonal or direction[0] or direction[1]:
                sides |= 1 << number
        if own.boundary_mask & sides:
            placement = EXCLUDED
        orbital, boundary, wildcard = (
            mask & ~sides for mask in (own.orbital_mask, own.boundary_mask, own.wildcard_mask)
        )
        bonds.append(Bonds(orbital, boundary, wildcard, own.neighbours))
    return replace(module, bonds=tuple(bonds), placement=placement)
