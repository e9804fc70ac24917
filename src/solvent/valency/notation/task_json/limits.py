"""Constraints about certain nodes, distances, rows, images and parity: from JSON, and back to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solvent.core.errors import ParseError, show_value
from solvent.valency.model import (
    HALF_TURN,
    HEX,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    Consecutive,
    Constraint,
    Lattice,
    Only,
    Parity,
    Separation,
    Staging,
    Symmetry,
    numbers_in,
)
from solvent.valency.notation.module_images import find_images
from solvent.valency.notation.selectors import NodeNames
from solvent.valency.notation.task_json.layers import orbital_number
from solvent.valency.notation.task_json.rules import ReadRules
from solvent.valency.notation.task_json.shapes import (
    BorderShape,
    ConsecutiveShape,
    GroundShape,
    MirrorShape,
    OnlyShape,
    ParityShape,
    RotationShape,
    SeparationShape,
)
from solvent.valency.orbitals import back_orbital

Made = tuple[Constraint, ...]
MAX_NAMED = 5
"""How many modules an error names."""
SIDES = ("left", "right", "top", "bottom", "below", "above")
"""The sides of a lattice: along x, along y, and along z where it is deep."""


def _only(shape: OnlyShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    modules = rules.names.find_all(shape.modules, f"{path}.modules")
    return (Only(modules, nodes.find_all(shape.nodes, f"{path}.nodes")),)


def _border(shape: BorderShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    """Read what stands on the border: only these, or with `ban` none of these."""
    lattice = _lattice(nodes, path)
    sides = list(SIDES[:4]) if shape.sides is None else shape.sides
    for number, side in enumerate(sides):
        if side not in SIDES:
            raise ParseError(f"one of {', '.join(SIDES)}", side, path=f"{path}.sides[{number}]")
    if not sides:
        raise ParseError("at least one side", sides, path=f"{path}.sides")
    size = (lattice.width, lattice.height, lattice.depth)
    wanted = {(SIDES.index(side) // 2, (size[SIDES.index(side) // 2] - 1) * (SIDES.index(side) % 2)) for side in sides}
    cells = tuple(cell for cell in range(nodes.count) if _ends_at(lattice, cell) & wanted)
    modules = rules.names.find_all(shape.modules, f"{path}.modules")
    return (Only(_others(modules, rules, path) if shape.ban else modules, cells),)


def _ends_at(lattice: Lattice, cell: int) -> set[tuple[int, int]]:
    """Return the coordinates of a cell, each with its axis."""
    rest, x = divmod(cell, lattice.width)
    z, y = divmod(rest, lattice.height)
    return {(0, x), (1, y), (2, z)}


def _ground(shape: GroundShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    """Read what stands on the lowest row, and nowhere else."""
    lattice = _lattice(nodes, path)
    modules = rules.names.find_all(shape.modules, f"{path}.modules")
    lowest = [cell // lattice.width % lattice.height == lattice.height - 1 for cell in range(nodes.count)]
    ground = Only(modules, tuple(cell for cell, is_low in enumerate(lowest) if is_low))
    above = tuple(cell for cell, is_low in enumerate(lowest) if not is_low)
    return (ground, Only(_others(modules, rules, path), above)) if above else (ground,)


def _others(modules: int, rules: ReadRules, path: str) -> int:
    others = (1 << len(rules.rules.modules)) - 1 & ~modules
    if not others:
        raise ParseError("modules that leave others to stand elsewhere", path=f"{path}.modules")
    return others


def _lattice(nodes: NodeNames, path: str) -> Lattice:
    if not isinstance(nodes.cluster, Lattice):
        raise ParseError("a lattice, since only a lattice has sides", path=path)
    return nodes.cluster


def _consecutive(shape: ConsecutiveShape, rules: ReadRules, _nodes: NodeNames, path: str) -> Made:
    layers = rules.rules.layers
    along: dict[tuple[int, int], None] = {}
    if shape.along is None:
        for number, layer in enumerate(layers):
            for orbital in range(len(layer.orbital_set.orbitals)):
                if (number, back_orbital(layer.orbital_set, orbital)) not in along:
                    along[number, orbital] = None
    else:
        named = shape.along if isinstance(shape.along, Mapping) else {layers[0].name: shape.along}
        names = [layer.name for layer in layers]
        for name, orbitals in named.items():
            if name not in names:
                raise ParseError(f"a layer: {', '.join(names)}", name, path=f"{path}.along")
            at = names.index(name)
            for number, word in enumerate(orbitals):
                along[at, orbital_number(layers[at], word, f"{path}.along[{number}]")] = None
    return (Consecutive(rules.names.find_all(shape.modules, f"{path}.modules"), shape.most, tuple(along)),)


def _mirror(shape: MirrorShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    kinds = {"x": MIRROR_X, "y": MIRROR_Y}
    if shape.axis not in kinds:
        raise ParseError(
            "x, which swaps left and right, or y, which swaps top and bottom", shape.axis, path=f"{path}.axis"
        )
    return (_symmetry(kinds[shape.axis], shape.images, rules, nodes, path),)


def _rotation(shape: RotationShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    kinds = {1: QUARTER_TURN, 2: HALF_TURN}
    if shape.quarter_turns not in kinds:
        raise ParseError("1 or 2", shape.quarter_turns, path=f"{path}.quarter_turns")
    return (_symmetry(kinds[shape.quarter_turns], shape.images, rules, nodes, path),)


def _symmetry(kind: str, given: Mapping[str, str | None], rules: ReadRules, nodes: NodeNames, path: str) -> Symmetry:
    """Make a symmetry; images that are not given are found by what modules may stand beside."""
    if not isinstance(nodes.cluster, Lattice) or nodes.cluster.kind == HEX:
        raise ParseError("a square lattice to mirror or turn", path=path)
    known: dict[int, int] = {}
    for word, image in given.items():
        at = f"{path}.images.{word}"
        module = _one(rules.names.find(word, at), word, at)
        known[module] = -1 if image is None else _one(rules.names.find(image, at), image, at)
    images = find_images(rules.rules, kind, known)
    without = [module.key for module, image in zip(rules.rules.modules, images, strict=True) if image is None]
    if without:
        shown = ", ".join(show_value(key) for key in without[:MAX_NAMED])
        more = f" and {len(without) - MAX_NAMED} more" if len(without) > MAX_NAMED else ""
        expected = f"the image of {shown}{more}: say it in images, or null for a module that is not to be used"
        raise ParseError(expected, path=f"{path}.images")
    return Symmetry(kind, tuple(image for image in images if image is not None))


def _one(mask: int, word: str, path: str) -> int:
    modules = numbers_in(mask)
    if len(modules) != 1:
        raise ParseError(f"the key of one module, and {len(modules)} have this name", word, path=path)
    return modules[0]


def _parity(shape: ParityShape, rules: ReadRules, nodes: NodeNames, path: str) -> Made:
    among = () if shape.nodes is None else nodes.find_all(shape.nodes, f"{path}.nodes")
    return (Parity(rules.names.find_all(shape.modules, f"{path}.modules"), shape.odd, among),)


def _separation(shape: SeparationShape, rules: ReadRules, _nodes: NodeNames, path: str) -> Made:
    others = 0 if shape.others is None else rules.names.find_all(shape.others, f"{path}.others")
    return (Separation(rules.names.find_all(shape.modules, f"{path}.modules"), shape.distance, others),)


LIMITS: dict[str, Callable[[Any, ReadRules, NodeNames, str], Made]] = {
    "only": _only,
    "border": _border,
    "ground": _ground,
    "consecutive": _consecutive,
    "mirror": _mirror,
    "rotation": _rotation,
    "parity": _parity,
    "separation": _separation,
}
"""How each kind is read: its shape, the rules, the nodes, and where it stands."""


def write_limit(constraint: Constraint, staging: Staging) -> dict[str, Any] | None:
    """Return a constraint as JSON; None if it is of a kind that stands elsewhere."""
    rules = staging.rules

    def keys(mask: int) -> list[str]:
        return [rules.modules[number].key for number in numbers_in(mask)]

    if isinstance(constraint, Only):
        return {"only": {"modules": keys(constraint.modules), "nodes": list(constraint.nodes)}}
    if isinstance(constraint, Separation):
        others = {"others": keys(constraint.others)} if constraint.others else {}
        return {"separation": {"modules": keys(constraint.modules), "distance": constraint.distance, **others}}
    if isinstance(constraint, Consecutive):
        along: dict[str, list[str]] = {}
        for layer, orbital in constraint.along:
            known = rules.layers[layer]
            along.setdefault(known.name, []).append(known.orbital_set.orbitals[orbital].name)
        return {"consecutive": {"modules": keys(constraint.modules), "most": constraint.most, "along": along}}
    if isinstance(constraint, Parity):
        nodes = {"nodes": list(constraint.nodes)} if constraint.nodes else {}
        return {"parity": {"modules": keys(constraint.modules), "odd": constraint.odd, **nodes}}
    if isinstance(constraint, Symmetry):
        pairs = zip(rules.modules, constraint.images, strict=True)
        images = {module.key: None if image < 0 else rules.modules[image].key for module, image in pairs}
        if constraint.kind in (MIRROR_X, MIRROR_Y):
            return {"mirror": {"axis": "x" if constraint.kind == MIRROR_X else "y", "images": images}}
        return {"rotation": {"quarter_turns": 1 if constraint.kind == QUARTER_TURN else 2, "images": images}}
    return None
