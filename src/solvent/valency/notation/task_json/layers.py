"""Layers and their orbitals in JSON, and how orbitals turn into each other when a module is rotated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.errors import ParseError
from solvent.valency.model import MAX_LAYERS, MAX_ORBITALS, ORBITAL_SETS, Layer, Orbital, OrbitalSet, Vector
from solvent.valency.notation.task_json.shapes import LayerShape, OrbitalShape, RulesShape
from solvent.valency.orbitals import back_orbital

EVERY_ORBITAL = "*"
"""Stands for each orbital that is not named beside it."""


def read_layers(shape: RulesShape, path: str) -> tuple[Layer, ...]:
    """Return the layers of rules; `orbitals` beside `modules` is short for one layer."""
    if shape.layers is None:
        threshold = 22.5 if shape.threshold is None else shape.threshold
        only = LayerShape(orbitals="square" if shape.orbitals is None else shape.orbitals, threshold=threshold)
        return (_read_layer(only, path),)
    for key, value in (("orbitals", shape.orbitals), ("threshold", shape.threshold)):
        if value is not None:
            raise ParseError(f"layers, or {key} of the only layer, not both", value, path=f"{path}.{key}")
    if not 1 <= len(shape.layers) <= MAX_LAYERS:
        raise ParseError(f"from 1 to {MAX_LAYERS} layers", len(shape.layers), path=f"{path}.layers")
    return tuple(_read_layer(layer, f"{path}.layers[{number}]") for number, layer in enumerate(shape.layers))


def read_vector(numbers: Sequence[float], path: str) -> Vector:
    """Return two or three numbers as a vector; z is 0 unless it is said."""
    if len(numbers) not in (2, 3):
        raise ParseError("two or three numbers: x, y and perhaps z", list(numbers), path=path)
    # Adding 0.0 turns -0.0 into 0.0, which is equal but written differently.
    return float(numbers[0]) + 0.0, float(numbers[1]) + 0.0, float(numbers[2]) + 0.0 if len(numbers) == 3 else 0.0


def orbital_number(layer: Layer, name: Any, path: str) -> int:
    """Return the number of an orbital by its name, or raise ParseError."""
    names = [orbital.name for orbital in layer.orbital_set.orbitals]
    if name not in names:
        shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        raise ParseError(f"an orbital of layer {layer.name}: {shown}", name, path=path)
    return names.index(name)


def back_of(layer: Layer, orbital: int, path: str) -> int:
    """Return the orbital that points the other way, or raise ParseError if there is none."""
    back = back_orbital(layer.orbital_set, orbital)
    if back < 0:
        name = layer.orbital_set.orbitals[orbital].name
        raise ParseError(f"an orbital with an opposite one, but {name} of layer {layer.name} has none", path=path)
    return back


def turned_orbitals(layer: Layer, path: str) -> list[int]:
    """Return for each orbital which one it becomes by a quarter turn anticlockwise, as seen with y downwards."""
    orbitals = layer.orbital_set.orbitals
    numbers = {orbital.direction: number for number, orbital in reversed(list(enumerate(orbitals)))}
    turned = []
    for orbital in orbitals:
        if orbital.direction is not None:
            x, y, z = orbital.direction
            found = numbers.get((y, 0.0 - x, z))
            if found is not None:
                turned.append(found)
                continue
        expected = (
            f"orbitals that turn into each other by 90 degrees, but {orbital.name} of layer {layer.name} does not"
        )
        raise ParseError(expected, path=path)
    return turned


def by_layer(values: Mapping[str, Any], layers: Sequence[Layer], path: str) -> list[tuple[Mapping[str, Any], str]]:
    """Return for each layer what is said about its orbitals, and where.

    With one layer its name may be left out: the keys are orbitals at once.
    """
    if len(layers) == 1:
        orbitals = {orbital.name for orbital in layers[0].orbital_set.orbitals} | {EVERY_ORBITAL}
        if (
            set(values) != {layers[0].name}
            or layers[0].name in orbitals
            or not isinstance(values[layers[0].name], Mapping)
        ):
            return [(values, path)]
    names = [layer.name for layer in layers]
    for name, inner in values.items():
        if name not in names:
            raise ParseError(f"a layer: {', '.join(names)}", name, path=path)
        if not isinstance(inner, Mapping):
            raise ParseError("an object with orbitals as its keys", inner, path=f"{path}.{name}")
    return [(values.get(name, {}), f"{path}.{name}") for name in names]


def by_orbital(values: Mapping[str, Any], layer: Layer, path: str) -> dict[int, tuple[Any, str]]:
    """Return what is said about each orbital by its number, and where; `*` stands for all others."""
    found: dict[int, tuple[Any, str]] = {}
    names = [orbital.name for orbital in layer.orbital_set.orbitals]
    for name, value in values.items():
        if name != EVERY_ORBITAL or EVERY_ORBITAL in names:
            found[orbital_number(layer, name, path)] = (value, f"{path}.{name}")
    if EVERY_ORBITAL in values and EVERY_ORBITAL not in names:
        for number in range(len(names)):
            found.setdefault(number, (values[EVERY_ORBITAL], f"{path}.{EVERY_ORBITAL}"))
    return found


def _read_layer(shape: LayerShape, path: str) -> Layer:
    if isinstance(shape.orbitals, str):
        if shape.orbitals not in ORBITAL_SETS:
            known = ", ".join(ORBITAL_SETS)
            raise ParseError(f"{known}, or a list of orbitals", shape.orbitals, path=f"{path}.orbitals")
        orbitals = ORBITAL_SETS[shape.orbitals].orbitals
    elif len(shape.orbitals) > MAX_ORBITALS:
        raise ParseError(f"at most {MAX_ORBITALS} orbitals", len(shape.orbitals), path=f"{path}.orbitals")
    else:
        orbitals = tuple(
            _read_orbital(orbital, f"{path}.orbitals[{number}]") for number, orbital in enumerate(shape.orbitals)
        )
    return Layer(shape.name, OrbitalSet(orbitals, float(shape.threshold)))


def _read_orbital(shape: str | OrbitalShape, path: str) -> Orbital:
    if isinstance(shape, str):
        return Orbital(shape)
    return Orbital(shape.name, None if shape.direction is None else read_vector(shape.direction, f"{path}.direction"))
