"""From rules as people write them to rules as the model holds them.

People write sockets, rotations, names that several modules share, and leave out what goes without saying. The model
holds one module for each rotation, and for each of its orbitals the set of modules that may stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.valency.model import MAX_MODULES, Bonds, Layer, Look, Module, PropertyValue, Rules, Transform, numbers_in
from solvent.valency.notation.selectors import ModuleNames
from solvent.valency.notation.task_json.art import read_art, read_tiles
from solvent.valency.notation.task_json.layers import (
    EVERY_ORBITAL,
    by_layer,
    by_orbital,
    orbital_number,
    read_layers,
    read_vector,
    turned_orbitals,
)
from solvent.valency.notation.task_json.shapes import RulesShape
from solvent.valency.notation.task_json.sockets import LooseSockets, Opposites, do_labels_fit, fitting_labels
from solvent.valency.rules import mask_matrix

MAY, MUST, WILDCARD, BOUNDARY = "any", "needs", "wildcard", "boundary"
"""Whether an orbital may, must, must or must not have a neighbour."""
REFUSE, ACCEPT = "refuse", "accept"
"""What to do with a module that lists another which does not list it."""


class _Bond(Struct):
    """Hold what one module says about one orbital."""

    state: str
    mask: int | None = None
    """Which modules may stand there; None for any."""
    words: Sequence[str] = ()
    """The list as it was written."""
    path: str = ""
    """Where it was written."""


class _Variant(Struct):
    """Hold one rotation of a module."""

    entry: int
    """Which of the modules as written it comes from."""
    turns: int
    """Quarter turns anticlockwise."""
    key: str
    bonds: list[dict[int, _Bond]] = field(default_factory=list)
    """For each layer, by orbital; orbitals that are not mentioned are missing."""
    sockets: list[dict[int, str]] = field(default_factory=list)
    """For each layer the label on each orbital that has one."""


class ReadRules(Struct, frozen=True):
    """Hold rules together with what was said about them only while they were written."""

    rules: Rules
    names: ModuleNames
    entries: tuple[int, ...] = ()
    """For each module, which of the modules as written it comes from."""
    sockets: tuple[tuple[Mapping[int, str], ...], ...] = ()
    """For each layer and module the label on each orbital that has one."""
    loose: tuple[LooseSockets, ...] = ()
    """For each layer the sockets on orbitals of which it is not said what is at the other end."""


def known_rules(rules: Rules) -> ReadRules:
    """Return rules that were read elsewhere, so that their modules can be named."""
    names = ModuleNames()
    for number, module in enumerate(rules.modules):
        names.add(number, module.key, module.name, module.tags)
    return ReadRules(rules, names, tuple(range(len(rules.modules))), tuple(() for _ in rules.layers))


def build_rules(shape: RulesShape, path: str) -> ReadRules:
    """Make rules of what was written, or raise ParseError."""
    return _Builder(shape, path).build()


class _Builder:
    def __init__(self, shape: RulesShape, path: str) -> None:
        self.shape = shape
        self.path = path
        self.layers = read_layers(shape, path)
        self.opposites = Opposites(self.layers, shape.opposites, f"{path}.opposites")
        self.loose = [LooseSockets() for _ in self.layers]
        self.names = ModuleNames()
        self.variants: list[_Variant] = []
        self.mates: list[dict[int, int]] = []
        """For each module as written its variants, by their quarter turns."""
        self.turned: list[list[int]] = []
        """For each layer which orbital each becomes by a quarter turn; filled only if a module is rotated."""

    def build(self) -> ReadRules:
        for key, known in (("missing", (MAY, BOUNDARY, WILDCARD)), ("one_sided", (REFUSE, ACCEPT))):
            if getattr(self.shape, key) not in known:
                raise ParseError(f"one of {', '.join(known)}", getattr(self.shape, key), path=f"{self.path}.{key}")
        self._make_variants()
        for variant in self.variants:
            self._read_bonds(variant)
        self._match_sockets()
        self._read_allowed()
        self._fill_in_missing()
        if self.shape.one_sided == REFUSE:
            self._refuse_one_sided()
        modules = tuple(self._module(variant) for variant in self.variants)
        art = None if self.shape.art is None else read_art(self.shape.art, f"{self.path}.art")
        rules = Rules(self.layers, modules, self.shape.name, _properties(self.shape.property_defaults), art)
        sockets = tuple(tuple(variant.sockets[layer] for variant in self.variants) for layer in range(len(self.layers)))
        entries = tuple(variant.entry for variant in self.variants)
        return ReadRules(rules, self.names, entries, sockets, tuple(self.loose))

    # Modules and their rotations

    def _make_variants(self) -> None:
        for entry, module in enumerate(self.shape.modules):
            path = self._module_path(entry)
            turns = _turns(module.rotations, f"{path}.rotations")
            if len(turns) > 1 or turns[0]:
                if not self.turned:
                    self.turned = [turned_orbitals(layer, f"{path}.rotations") for layer in self.layers]
                for key in ("least", "most"):
                    if getattr(module, key):
                        expected = "a count constraint on its name instead, since each rotation is a module of its own"
                        raise ParseError(expected, getattr(module, key), path=f"{path}.{key}")
            base = module.name if module.key is None else module.key
            self.mates.append({})
            for turn in turns:
                self.mates[-1][turn] = len(self.variants)
                key = base if turns == [0] else f"{base} {turn}"
                if key in self.names.keys:
                    raise ParseError("a key that no other module has", key, path=path)
                self.names.add(len(self.variants), key, module.name, module.tags)
                self.variants.append(_Variant(entry, turn, key))
            if len(self.variants) > MAX_MODULES:  # masks of millions of modules would take up all memory
                break
        if not 1 <= len(self.variants) <= MAX_MODULES:
            raise ParseError(f"from 1 to {MAX_MODULES} modules, all rotations counted", path=f"{self.path}.modules")

    def _turned_modules(self, word: str, turns: int, path: str) -> int:
        """Return the modules a word stands for beside a module that was turned: a rotated one turns with it."""
        mask = self.names.find(word, path)
        if not turns or word not in self.names.keys:
            return mask
        other = self.variants[self.names.keys[word]]
        mates = self.mates[other.entry]
        if set(mates) == {0}:
            return mask  # it has no rotations: it looks the same from all sides
        wanted = (other.turns + turns) % (2 if set(mates) == {0, 1} else 4)
        if wanted not in mates:
            expected = (
                f"modules that have the rotations of their neighbour, but there is none turned {wanted * 90} degrees"
            )
            raise ParseError(expected, word, path=path)
        return 1 << mates[wanted]

    def _turn(self, layer: int, orbital: int, turns: int) -> int:
        for _ in range(turns):
            orbital = self.turned[layer][orbital]
        return orbital

    # What modules ask of their surroundings

    def _read_bonds(self, variant: _Variant) -> None:
        module, path = self.shape.modules[variant.entry], self._module_path(variant.entry)
        bonds = by_layer(module.bonds, self.layers, f"{path}.bonds")
        labels = by_layer(module.sockets, self.layers, f"{path}.sockets")
        for number, layer in enumerate(self.layers):
            variant.bonds.append({})
            variant.sockets.append({})
            for orbital, (value, at) in by_orbital(bonds[number][0], layer, bonds[number][1]).items():
                bond = self._read_bond(value, variant.turns, at)
                variant.bonds[number][self._turn(number, orbital, variant.turns)] = bond
            for orbital, (value, at) in by_orbital(labels[number][0], layer, labels[number][1]).items():
                label, state = _read_socket(value, at)
                turned = self._turn(number, orbital, variant.turns)
                if label and turned in variant.bonds[number]:
                    raise ParseError("a socket or bonds on this orbital, not both", value, path=at)
                if label:
                    variant.sockets[number][turned] = label
                    variant.bonds[number][turned] = _Bond(state, path=at)

    def _read_bond(self, value: Any, turns: int, path: str) -> _Bond:
        if isinstance(value, str):
            if value in (MAY, BOUNDARY):
                return _Bond(value)
            if value == WILDCARD:
                return _Bond(WILDCARD)
        state, listed, at = MAY, value, path
        if isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in (MUST, WILDCARD, BOUNDARY):
            state, listed = next(iter(value.items()))
            at = f"{path}.{state}"
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            expected = 'a list of modules, "any", "boundary", "wildcard" or {"needs": a list of modules}'
            raise ParseError(expected, value, path=path)
        if not listed:
            return _Bond(state)
        if not turns:
            return _Bond(state, self.names.find_all(listed, at), listed, at)
        turned = (self._turned_modules(word, turns, f"{at}[{number}]") for number, word in enumerate(listed))
        return _Bond(state, _union(turned), listed, at)

    def _match_sockets(self) -> None:
        matching = fitting_labels(self.shape.pairs, self.shape.fits, self.path)
        for number in range(len(self.layers)):
            having: dict[tuple[int, str], int] = {}
            for module, variant in enumerate(self.variants):
                for orbital, label in variant.sockets[number].items():
                    having[orbital, label] = having.get((orbital, label), 0) | 1 << module
            for variant in self.variants:
                for orbital, label in variant.sockets[number].items():
                    bond = variant.bonds[number][orbital]
                    ends, labels = self.opposites.ends(number, orbital), do_labels_fit(label, matching)
                    bond.mask = _union(having.get((end, other), 0) for end in ends for other in labels)
                    if self.opposites.of(number, orbital) < 0:
                        self.loose[number].add(orbital, label, bond.mask, having[orbital, label], labels)
                    if not bond.mask:
                        if bond.state == MUST:
                            raise ParseError("a socket that some module answers", label, path=bond.path)
                        bond.state, bond.mask = BOUNDARY, None

    def _read_allowed(self) -> None:
        for number, entry in enumerate(self.shape.allow):
            path = f"{self.path}.allow[{number}]"
            if len(entry) not in (3, 4) or (len(entry) == 3 and len(self.layers) > 1):
                raise ParseError(
                    '["module", "orbital", "module"], and the layer if there are several', entry, path=path
                )
            first, second = self.names.find_all(entry[0], f"{path}[0]"), self.names.find_all(entry[2], f"{path}[2]")
            index = 0
            if len(entry) == 4:
                known = [layer.name for layer in self.layers]
                if entry[3] not in known:
                    raise ParseError(f"a layer: {', '.join(known)}", entry[3], path=f"{path}[3]")
                index = known.index(str(entry[3]))
            layer = self.layers[index]
            for orbital in _orbitals(layer, entry[1], f"{path}[1]"):
                back = self.opposites.require(index, orbital, f"{path}[1]")
                for modules, at, others in ((first, orbital, second), (second, back, first)):
                    for module in numbers_in(modules):
                        self._allow(module, index, at, others, path)

    def _allow(self, module: int, layer: int, orbital: int, others: int, path: str) -> None:
        bond = self.variants[module].bonds[layer].setdefault(orbital, _Bond(MAY))
        if bond.state == BOUNDARY:
            name = self.layers[layer].orbital_set.orbitals[orbital].name
            expected = (
                f"an orbital on which there may be a neighbour, but {name} of {self.variants[module].key} is a boundary"
            )
            raise ParseError(expected, path=path)
        bond.mask = (bond.mask or 0) | others

    def _fill_in_missing(self) -> None:
        if self.shape.missing == MAY:
            return
        for variant in self.variants:
            for number, layer in enumerate(self.layers):
                for orbital in range(len(layer.orbital_set.orbitals)):
                    variant.bonds[number].setdefault(orbital, _Bond(self.shape.missing))

    def _refuse_one_sided(self) -> None:
        """Raise ParseError if a module lists another that never accepts it, where orbitals have an opposite."""
        for number, layer in enumerate(self.layers):
            for orbital in range(len(layer.orbital_set.orbitals)):
                back = self.opposites.of(number, orbital)
                if back < 0:
                    continue
                accepted = self._truths(number, back, lists_only=False).T
                one_sided = self._truths(number, orbital, lists_only=True) & ~accepted
                for module in np.flatnonzero(one_sided.any(axis=1)).tolist():
                    self._refuse_words(module, number, orbital, back, accepted[module])

    def _truths(self, layer: int, orbital: int, *, lists_only: bool) -> npt.NDArray[np.bool_]:
        """Return for each two modules whether the first allows the second there; or only whether it names it."""
        masks: list[int | None] = []
        for variant in self.variants:
            bond = variant.bonds[layer].get(orbital, _Bond(MAY))
            masks.append(0 if bond.state == BOUNDARY or (lists_only and not bond.words) else bond.mask)
        return mask_matrix(masks, len(masks))

    def _refuse_words(self, module: int, layer: int, orbital: int, back: int, accepted: npt.NDArray[np.bool_]) -> None:
        variant = self.variants[module]
        bond = variant.bonds[layer][orbital]
        names = [one.name for one in self.layers[layer].orbital_set.orbitals]
        for number, word in enumerate(bond.words):
            path = f"{bond.path}[{number}]"
            meant = numbers_in(self._turned_modules(word, variant.turns, path))
            if accepted[meant].any():
                continue  # a word for several modules means those of them that agree
            other = self.variants[meant[0]]
            theirs = f"{self._module_path(other.entry)}.bonds.{names[back]}"
            raise ParseError(
                f"modules that list each other: {variant.key} allows {other.key} on {names[orbital]}, "
                f"but {other.key} does not allow {variant.key} on {names[back]} (at {theirs}); "
                f'"one_sided": "accept" in the rules lets that be',
                word,
                path=path,
            )

    # Modules

    def _module(self, variant: _Variant) -> Module:
        shape, path = self.shape.modules[variant.entry], self._module_path(variant.entry)
        lengths = [len(layer.orbital_set.orbitals) for layer in self.layers]
        if shape.lists is not None:
            if len(shape.lists) != len(lengths) or any(
                not 0 <= length <= most for length, most in zip(shape.lists, lengths, strict=True)
            ):
                raise ParseError("for each layer how many orbitals have a list", shape.lists, path=f"{path}.lists")
            lengths = shape.lists
        bonds = tuple(
            _bonds(variant.bonds[number], lengths[number], f"{path}.lists") for number in range(len(self.layers))
        )
        look = shape.look
        # A picture is turned before it is mirrored: turning it the other way then comes to the same.
        turns = look.turns - variant.turns if look.mirrored else look.turns + variant.turns
        return Module(
            key=variant.key,
            name=shape.name,
            bonds=bonds,
            weight=float(shape.weight),
            least=shape.least,
            most=shape.most,
            tags=tuple(shape.tags),
            properties=_properties(shape.properties),
            transforms=tuple(
                Transform(
                    read_vector(one.offset or (0, 0, 0), f"{path}.transforms[{number}].offset"),
                    read_vector(one.rotation or (0, 0, 0), f"{path}.transforms[{number}].rotation"),
                    _scale(one.scale, f"{path}.transforms[{number}].scale"),
                )
                for number, one in enumerate(shape.transforms)
            ),
            placement=shape.placement,
            look=Look(
                look.colour,
                self._glyph(variant, f"{path}.look.glyph"),
                look.picture,
                turns % 4 if variant.turns else look.turns,
                look.mirrored,
                look.sprite,
                read_tiles(look.tiles, variant.turns, self.shape.art, f"{path}.look.tiles"),
            ),
        )

    def _glyph(self, variant: _Variant, path: str) -> str:
        """Return the character of a rotation: its own where there is one for each, else the one they share."""
        glyphs, mates = self.shape.modules[variant.entry].look.glyph, list(self.mates[variant.entry])
        if len(mates) == 1 or len(glyphs) < 2:
            return glyphs
        if len(glyphs) != len(mates):
            raise ParseError(f"one character, or one for each of the {len(mates)} rotations", glyphs, path=path)
        return glyphs[mates.index(variant.turns)]

    def _module_path(self, entry: int) -> str:
        return f"{self.path}.modules[{entry}]"


def _bonds(bonds: Mapping[int, _Bond], length: int, path: str) -> Bonds:
    for orbital, bond in bonds.items():
        if orbital >= length and bond.mask is not None:
            raise ParseError("lists for all orbitals that have one", length, path=path)
    masks = dict.fromkeys((MAY, MUST, WILDCARD, BOUNDARY), 0)
    for orbital, bond in bonds.items():
        masks[bond.state] |= 1 << orbital
    neighbours = tuple(bonds[orbital].mask if orbital in bonds else None for orbital in range(length))
    return Bonds(masks[MUST] | masks[WILDCARD], masks[BOUNDARY], masks[WILDCARD], neighbours)


def _read_socket(value: Any, path: str) -> tuple[str, str]:
    if isinstance(value, str):
        return value, MAY
    if isinstance(value, Mapping) and set(value) == {MUST} and isinstance(value[MUST], str) and value[MUST]:
        return value[MUST], MUST
    raise ParseError('a label, or {"needs": a label} where there must be a neighbour', value, path=path)


def _orbitals(layer: Layer, orbitals: str | Sequence[str], path: str) -> list[int]:
    names = [orbitals] if isinstance(orbitals, str) else list(orbitals)
    if names == [EVERY_ORBITAL]:
        return list(range(len(layer.orbital_set.orbitals)))
    return [orbital_number(layer, name, path) for name in names]


def _turns(rotations: int | Sequence[int] | None, path: str) -> list[int]:
    """Return the quarter turns in which there is a module."""
    if rotations is None:
        return [0]
    if isinstance(rotations, int):
        if rotations not in (1, 2, 4):
            raise ParseError("1, 2 or 4 rotations, or a list of degrees", rotations, path=path)
        return list(range(rotations))
    degrees = list(rotations)
    if not degrees or len(set(degrees)) != len(degrees) or any(one not in (0, 90, 180, 270) for one in degrees):
        raise ParseError("some of 0, 90, 180 and 270 degrees, each once", degrees, path=path)
    return sorted(one // 90 for one in degrees)


def _scale(numbers: Sequence[float] | None, path: str) -> tuple[float, float, float]:
    if numbers is None:
        return 1.0, 1.0, 1.0
    if len(numbers) != 3:
        raise ParseError("three numbers: along x, y and z", list(numbers), path=path)
    return float(numbers[0]), float(numbers[1]), float(numbers[2])


def _properties(properties: Mapping[str, PropertyValue]) -> tuple[tuple[str, PropertyValue], ...]:
    return tuple(sorted(properties.items()))


def _union(masks: Iterable[int]) -> int:
    together = 0
    for mask in masks:
        together |= mask
    return together
