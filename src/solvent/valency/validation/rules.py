"""What makes rules usable: layers, modules, bonds and looks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError
from solvent.valency.model import (
    EXCLUDED,
    FILLER,
    MAX_LAYERS,
    MAX_MODULES,
    MAX_ORBITALS,
    NORMAL,
    Bonds,
    Layer,
    Module,
    Rules,
)
from solvent.valency.validation.fault import (
    SHORTEST_VECTOR,
    Fault,
    Place,
    bound_faults,
    is_vector,
    is_weight,
    property_faults,
    repetition_faults,
    text_faults,
)

MAX_TRANSFORMS = 1024

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")


def find_rule_faults(rules: Rules, meter: Meter = UNLIMITED) -> list[Fault]:
    """Return everything that is wrong with rules, whatever cluster they are for."""
    found = list(_layer_faults(rules.layers))
    modules = rules.modules
    found += text_faults(("rules", "name"), rules.name, empty=True)
    found += property_faults(("rules", "property_defaults"), rules.property_defaults)
    if not 1 <= len(modules) <= MAX_MODULES:
        found.append(Fault(("rules", "modules"), f"from 1 to {MAX_MODULES} modules", len(modules)))
        return found
    first: dict[str, int] = {}
    for number, module in enumerate(meter.each(modules, every=1)):
        found += _module_faults(("rules", "modules", number), module, rules)
        if first.setdefault(module.key, number) != number:
            expected = f"a key of its own, but module {first[module.key]} has it too"
            found.append(Fault(("rules", "modules", number, "key"), expected, module.key))
    placeable = [module for module in modules if module.placement != EXCLUDED]
    if placeable and not any(module.weight > 0 for module in placeable):
        found.append(Fault(("rules", "modules"), "a weight above 0 in at least one module that is not excluded"))
    return found


def _layer_faults(layers: Sequence[Layer]) -> Iterator[Fault]:
    if not 1 <= len(layers) <= MAX_LAYERS:
        yield Fault(("rules", "layers"), f"from 1 to {MAX_LAYERS} layers", len(layers))
    yield from repetition_faults(("rules", "layers"), [layer.name for layer in layers], "name", "layer")
    for number, layer in enumerate(layers):
        place = ("rules", "layers", number)
        yield from text_faults((*place, "name"), layer.name)
        orbitals = layer.orbital_set.orbitals
        if not 1 <= len(orbitals) <= MAX_ORBITALS:
            yield Fault((*place, "orbitals"), f"from 1 to {MAX_ORBITALS} orbitals", len(orbitals))
        if not 0 <= layer.orbital_set.threshold_degrees <= 180:
            expected = "degrees from 0 to 180"
            yield Fault((*place, "threshold"), expected, layer.orbital_set.threshold_degrees)
        yield from repetition_faults((*place, "orbitals"), [orbital.name for orbital in orbitals], "name", "orbital")
        for at, orbital in enumerate(orbitals):
            yield from text_faults((*place, "orbitals", at, "name"), orbital.name)
            if orbital.direction is not None:
                inside = is_vector(orbital.direction)
                if not inside or max(map(abs, orbital.direction)) < SHORTEST_VECTOR:
                    expected = "a direction of three numbers, not all 0"
                    yield Fault((*place, "orbitals", at, "direction"), expected, orbital.direction)


def _module_faults(place: Place, module: Module, rules: Rules) -> Iterator[Fault]:
    yield from text_faults((*place, "key"), module.key)
    yield from text_faults((*place, "name"), module.name)
    if not is_weight(module.weight):
        yield Fault((*place, "weight"), "0, or a number from 1e-12 to 1e12", module.weight)
    yield from bound_faults(place, module.least, module.most)
    if module.placement not in (NORMAL, FILLER, EXCLUDED):
        yield Fault((*place, "placement"), f"{NORMAL}, {FILLER} or {EXCLUDED}", module.placement)
    for number, tag in enumerate(module.tags):
        yield from text_faults((*place, "tags", number), tag)
    yield from repetition_faults((*place, "tags"), module.tags, None, "tag")
    yield from property_faults((*place, "properties"), module.properties)
    if len(module.transforms) > MAX_TRANSFORMS:
        yield Fault((*place, "transforms"), f"at most {MAX_TRANSFORMS} transforms", len(module.transforms))
    for number, transform in enumerate(module.transforms[:MAX_TRANSFORMS]):
        for name, vector in (
            ("offset", transform.offset),
            ("rotation", transform.rotation_degrees),
            ("scale", transform.scale),
        ):
            if not is_vector(vector):
                yield Fault((*place, "transforms", number, name), "three numbers within ±1e15", vector)
    yield from _look_faults((*place, "look"), module)
    if len(module.bonds) != len(rules.layers):
        yield Fault((*place, "bonds"), f"bonds in {len(rules.layers)} layers", len(module.bonds))
        return
    for layer, bonds in zip(rules.layers, module.bonds, strict=True):
        yield from _bond_faults((*place, "bonds", layer.name), bonds, layer, len(rules.modules))


def _bond_faults(place: Place, bonds: Bonds, layer: Layer, modules: int) -> Iterator[Fault]:
    orbitals = layer.orbital_set.orbitals
    masks = {
        "orbital mask": bonds.orbital_mask,
        "boundary mask": bonds.boundary_mask,
        "wildcard mask": bonds.wildcard_mask,
    }
    for name, mask in masks.items():
        if mask < 0 or mask >> len(orbitals):
            yield Fault(place, f"as {name} a mask of {len(orbitals)} orbitals", mask)
            return
    if len(bonds.neighbours) > len(orbitals):
        yield Fault(place, f"lists for at most {len(orbitals)} orbitals", len(bonds.neighbours))
        return
    for number, orbital in enumerate(orbitals):
        bit = 1 << number
        if bonds.boundary_mask & bonds.orbital_mask & bit:
            yield Fault((*place, orbital.name), "a neighbour that there must be, or must not be, but not both")
        if bonds.wildcard_mask & ~bonds.orbital_mask & bit:
            yield Fault((*place, orbital.name), "a wildcard only where there must be a neighbour")
    for orbital, listed in zip(orbitals, bonds.neighbours, strict=False):
        if listed is not None and (listed <= 0 or listed >> modules):
            expected = f"a mask of some of the {modules} modules; where none may stand it is a boundary"
            yield Fault((*place, orbital.name), expected, listed)


def _look_faults(place: Place, module: Module) -> Iterator[Fault]:
    look = module.look
    if look.colour and not _COLOUR.match(look.colour):
        yield Fault((*place, "colour"), "a colour as #rrggbb", look.colour)
    if look.glyph and (len(look.glyph) != 1 or not look.glyph.isprintable()):
        yield Fault((*place, "glyph"), "one character that can be seen", look.glyph)
    if look.quarter_turns not in (0, 1, 2, 3):
        yield Fault((*place, "turns"), "0, 1, 2 or 3", look.quarter_turns)
    if look.picture:
        wrong = _picture_fault(look.picture)
        if wrong:
            yield Fault((*place, "picture"), wrong)


@lru_cache(maxsize=MAX_MODULES)
def _picture_fault(picture: bytes) -> str:
    """Say what was expected instead of a picture; empty if it can be drawn. Opening one takes a while."""
    from solvent.valency.notation.pictures import LONGEST_TILE_SIDE, read_png

    # The size stands in the first bytes: a large picture is refused before it is unpacked.
    if max(int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")) > LONGEST_TILE_SIDE:
        return f"a PNG picture of at most {LONGEST_TILE_SIDE} pixels along a side"
    try:
        read_png(picture, "picture")
    except ParseError as error:
        return error.expected
    return ""
