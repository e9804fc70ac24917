"""Change the rules of a task on the page: which modules there are, and which may touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import msgspec

from solvent.core.errors import BadOption, ParseError, show_value, unknown_name
from solvent.drawing.phrases import counted, listed
from solvent.valency.drawing.sprites import SPRITES
from solvent.valency.model import MAX_MODULES, Bonds, Look, Module, Rules, Staging
from solvent.valency.notation.task_json.reading import parse_json
from solvent.valency.notation.task_json.writing import format_json, format_rules
from solvent.valency.page.make_task import Made, OwnRules, make

Node = Annotated[int, msgspec.Meta(ge=0)]


class Pair(msgspec.Struct, forbid_unknown_fields=True):
    """Say whether a module may have another beside it."""

    layer: Node
    orbital: Node
    module: Node
    other: Node
    allowed: bool


class NewModule(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Describe a module to add."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    sprite: str | None = None
    """The name of a bundled picture."""
    turns: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    """By how many quarter turns the picture is turned, anticlockwise."""
    colour: Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    like: str | None = None
    """The key of a module whose neighbours it may have; any may stand beside it if there is none."""


def add_module(staging: Staging, wanted: NewModule) -> Staging:
    """Return the task with one more module, which may touch what another may, or anything."""
    rules, name = staging.rules, wanted.name.strip()
    if not name or any(name in (module.key, module.name) for module in rules.modules):
        raise BadOption(f"a new module needs a name of its own, found {show_value(wanted.name)}")
    if wanted.sprite is not None and wanted.sprite not in SPRITES:
        raise unknown_name("picture", wanted.sprite, sorted(SPRITES))
    if len(rules.modules) >= MAX_MODULES:
        raise BadOption(f"a rule set has at most {MAX_MODULES:,} modules")
    like = None if wanted.like is None else _number_of(rules, wanted.like)
    new = len(rules.modules)
    look = Look(colour=wanted.colour or "", sprite=wanted.sprite or "", quarter_turns=wanted.turns)
    bonds = (Bonds(),) * len(rules.layers) if like is None else rules.modules[like].bonds
    added = Module(key=name, name=name, bonds=bonds, look=look)

    def welcome(mask: int) -> int:
        return mask | 1 << new if like is None or mask >> like & 1 else mask

    modules = tuple(_with_masks(module, welcome) for module in (*rules.modules, added))
    return _put(staging, replace(rules, modules=modules))


def remove_module(staging: Staging, key: str) -> Staging:
    """Return the task without a module, and without its pins."""
    rules = staging.rules
    gone = _number_of(rules, key)
    for module in rules.modules:
        masks = [mask for bonds in module.bonds for mask in bonds.neighbours if mask is not None]
        if module.key != key and any(mask == 1 << gone for mask in masks):
            raise BadOption(f"{module.key} may have nothing but {key} on one side: let it touch something else first")
    below = (1 << gone) - 1

    def moved(mask: int) -> int:
        return mask & below | mask >> 1 & ~below

    left = tuple(_with_masks(module, moved) for module in rules.modules if module.key != key)
    if not any(module.weight > 0 for module in left):
        raise BadOption("at least one module with a weight above 0 has to stay")
    return _put(staging, replace(rules, modules=left))


def rewrite_rules(staging: Staging, text: str) -> Staging:
    """Return the task by other rules, read from JSON; what names modules that are gone is left out, and remarked on.

    Raises ParseError for rules that cannot be read.
    """
    from solvent.valency.notation.rule_sets import parse_rules

    rules = parse_rules(text)
    if rules.layers != staging.rules.layers:  # other directions: it begins anew, on a grid of the same size
        return make(staging, Made(rules=OwnRules(ending="json", text=text)))
    return _put(staging, rules)


def _number_of(rules: Rules, key: str) -> int:
    keys = [module.key for module in rules.modules]
    if key not in keys:
        raise unknown_name("module", key, keys)
    return keys.index(key)


def _put(staging: Staging, rules: Rules) -> Staging:
    """Return a task by other rules for the same directions; what it says about modules that are gone is left out.

    It goes by way of the text, where everything names modules instead of counting them.
    """
    whole = json.loads(format_json(staging))
    whole["rules"] = json.loads(format_rules(rules))["rules"]
    gone = _names(staging.rules) - _names(rules)
    picks = whole.get("picks", {})
    pins = len(picks.get("at", []))
    picks["at"] = [pick for pick in picks.get("at", []) if pick["module"] not in gone]
    lost = {"pin": pins - len(picks["at"]), "constraint": 0}
    for key in ("constraints", "regions"):
        whole[key] = _without(whole.get(key, []), gone)
    while True:
        try:
            changed = parse_json(json.dumps(whole), None)
            break
        except ParseError as error:
            number = re.match(r"\$\.constraints\[(\d+)\]", error.path or "")
            if number is None:
                raise
            del whole["constraints"][int(number[1])]
            lost["constraint"] += 1
    listing = listed([counted(number, noun) for noun, number in lost.items() if number])
    remarks = [f"Left out, because their modules are gone: {listing}."] if listing else []
    return replace(changed, remarks=(*staging.remarks, *remarks))


def _without(value: Any, gone: set[str]) -> Any:
    """Return a JSON value without the names that are gone, in lists and as keys."""
    if isinstance(value, list):
        return [_without(part, gone) for part in value if not (isinstance(part, str) and part in gone)]
    if isinstance(value, dict):
        return {key: _without(part, gone) for key, part in value.items() if key not in gone}
    return value


def _names(rules: Rules) -> set[str]:
    return {name for module in rules.modules for name in (module.key, module.name)}


def _with_masks(module: Module, change: Callable[[int], int]) -> Module:
    """Return a module whose lists of neighbours are changed; where any may stand, any still may."""
    bonds = tuple(
        replace(one, neighbours=tuple(None if mask is None else change(mask) for mask in one.neighbours))
        for one in module.bonds
    )
    return replace(module, bonds=bonds)


def opposite(rules: Rules, layer: int, orbital: int) -> int | None:
    """Return the orbital that leads back; None if there is none, as where orbitals have no directions."""
    orbitals = rules.layers[layer].orbital_set.orbitals
    towards = orbitals[orbital].direction
    if towards is None:
        return None
    for number, other in enumerate(orbitals):
        if other.direction is not None and all(
            abs(one + two) < 1e-9 for one, two in zip(towards, other.direction, strict=True)
        ):
            return number
    return None


def may_touch(rules: Rules, layer: int, orbital: int, module: int, other: int) -> bool:
    """Tell whether two modules agree to stand beside each other that way."""
    back = opposite(rules, layer, orbital)
    there = _accepts(rules.modules[module], layer, orbital, other)
    return there and (back is None or _accepts(rules.modules[other], layer, back, module))


def _accepts(module: Module, layer: int, orbital: int, other: int) -> bool:
    bonds = module.bonds[layer]
    if bonds.boundary_mask >> orbital & 1:
        return False
    listed = bonds.neighbours[orbital] if orbital < len(bonds.neighbours) else None
    return listed is None or bool(listed >> other & 1)


def join(rules: Rules, pair: Pair) -> Rules:
    """Return the rules after two modules may, or may no longer, stand beside each other."""
    if pair.layer >= len(rules.layers) or max(pair.module, pair.other) >= len(rules.modules):
        raise BadOption("there is no such module or layer")
    if pair.orbital >= len(rules.layers[pair.layer].orbital_set.orbitals):
        raise BadOption("there is no such direction")
    modules = list(rules.modules)
    back = opposite(rules, pair.layer, pair.orbital)
    ways = [(pair.module, pair.orbital, pair.other)]
    if back is not None:
        ways.append((pair.other, back, pair.module))
    for one, orbital, other in ways:
        modules[one] = _changed(modules[one], len(modules), (pair.layer, orbital, other), pair.allowed)
    return replace(rules, modules=tuple(modules))


def _changed(module: Module, count: int, way: tuple[int, int, int], allowed: bool) -> Module:
    layer, orbital, other = way
    bonds: Bonds = module.bonds[layer]
    if bonds.boundary_mask >> orbital & 1:
        raise BadOption(f"{module.key} stands at a border on that side: nothing may be beside it there")
    everything = (1 << count) - 1
    listed = list(bonds.neighbours) + [None] * (orbital + 1 - len(bonds.neighbours))
    mask = everything if listed[orbital] is None else listed[orbital]
    assert mask is not None
    mask = mask | 1 << other if allowed else mask & ~(1 << other)
    if not mask:
        raise BadOption(f"{module.key} needs at least one module that may stand there; remove its weight instead")
    listed[orbital] = mask
    changed = list(module.bonds)
    changed[layer] = replace(bonds, neighbours=tuple(listed))
    return replace(module, bonds=tuple(changed))


MAX_PAIRS = 60_000
"""Pairs of modules of all directions that a page lists; of more it shows no table."""


def table(rules: Rules) -> list[dict[str, Any]] | None:
    """Return, for each direction, which modules may touch; of two opposite ones only the first. None if too much."""
    modules = len(rules.modules)
    directions = sum(len(layer.orbital_set.orbitals) for layer in rules.layers)
    if directions * modules * modules > MAX_PAIRS:
        return None
    tables: list[dict[str, Any]] = []
    for number, layer in enumerate(rules.layers):
        for orbital, named in enumerate(layer.orbital_set.orbitals):
            back = opposite(rules, number, orbital)
            if back is not None and back < orbital:
                continue
            rows = [
                [other for other in range(modules) if may_touch(rules, number, orbital, module, other)]
                for module in range(modules)
            ]
            name = named.name if len(rules.layers) == 1 else f"{layer.name}: {named.name}"
            tables.append(
                {"layer": number, "orbital": orbital, "name": name, "direction": named.direction, "rows": rows}
            )
    return tables
