r"""Rule sets of turned tiles in XML: `<set>` with `<tiles>`, `<neighbors>` and `<subsets>`.

Each tile has a symmetry, which says how many orientations it has, and which is which when it is turned or mirrored:

| symmetry | orientations | mirrored left to right, it is |
| --- | --- | --- |
| X | 1 | itself |
| I | 2 | itself |
| T | 4 | itself |
| L | 4 | itself turned once |
| \ | 2 | itself turned once |
| F | 8 | another: orientations 4 to 7 are 0 to 3 mirrored |

Orientation k is the tile turned k times by 90 degrees anticlockwise. `<neighbor left="wall 1" right="tower"/>` says
that the first may stand to the left of the second, and so with both turned and mirrored together in all eight ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from msgspec import Struct

from solvent.core.errors import ParseError, unknown_name
from solvent.core.safe_xml import Element, read_elements
from solvent.valency.model import Look, Module, Rules
from solvent.valency.notation.adjacency import DOWN, LEFT, RIGHT, make_square_rules, require_module_count
from solvent.valency.notation.pictures import ReadBeside, average_colour, read_png, require_tile_size
from solvent.valency.validation.fault import LARGEST_WEIGHT, LONGEST_NAME, SMALLEST_WEIGHT

WHAT = "a rule set of tiles"
MAX_TAGS = 1_000_000
_ORIENTATIONS = tuple("01234567")


class Turn(Struct, frozen=True):
    """Hold one of the eight ways to turn a square: quarter turns anticlockwise, then perhaps a mirror image."""

    quarters: int
    mirrored: bool

    def after(self, first: Turn) -> Turn:
        """Return the turn that does the other first and then this one."""
        quarters = first.quarters + (-self.quarters if first.mirrored else self.quarters)
        return Turn(quarters % 4, self.mirrored != first.mirrored)

    def direction(self, orbital: int) -> int:
        """Return where a direction points afterwards. Orbitals count clockwise from the right."""
        turned = (orbital - self.quarters) % 4
        return (2 - turned) % 4 if self.mirrored else turned


TURNS = tuple(Turn(quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
"""All eight, in the order in which orientations are numbered."""


class Symmetry(Struct, frozen=True):
    """Say how many orientations a tile has and which one each turn gives."""

    orientations: int
    number: Callable[[int, bool], int]
    """The orientation that comes of so many quarter turns, mirrored or not."""

    def turned(self, orientation: int, turn: Turn) -> int:
        """Return which orientation another becomes by a turn."""
        whole = turn.after(TURNS[orientation])
        return self.number(whole.quarters, whole.mirrored)


SYMMETRIES = {
    "X": Symmetry(1, lambda _quarters, _mirrored: 0),
    "I": Symmetry(2, lambda quarters, _mirrored: quarters % 2),
    "T": Symmetry(4, lambda quarters, mirrored: -quarters % 4 if mirrored else quarters),
    "L": Symmetry(4, lambda quarters, mirrored: (1 - quarters) % 4 if mirrored else quarters),
    "\\": Symmetry(2, lambda quarters, mirrored: (quarters + mirrored) % 2),
    "F": Symmetry(8, lambda quarters, mirrored: quarters + 4 * mirrored),
}


class _Tile(Struct, frozen=True):
    name: str
    symmetry: Symmetry
    weight: float
    first: int
    """The number of its first module."""


def parse_tileset(
    text: str, *, subset: str | None = None, read_beside: ReadBeside | None = None, name: str = ""
) -> Rules:
    """Read a rule set: one module for each orientation of each tile.

    With a subset only its tiles are taken. With `read_beside`, modules get the pictures that are there.
    """
    tags = text.count("<")
    if tags > MAX_TAGS:  # before an element is made of each
        raise ParseError(f"{WHAT} with at most {MAX_TAGS:,} tags", tags)
    root = read_elements(text, "set", WHAT)
    every = _read_names(root)
    chosen = every if subset is None else _read_subset(root, subset, every)
    tiles = _read_tiles(chosen)
    is_unique = _read_flag(root, "unique")
    modules = [module for tile in tiles.values() for module in _make_modules(tile, is_unique, read_beside)]
    _require_own_keys(modules, root)
    if not any(module.weight for module in modules):
        raise ParseError("a tile with a weight above 0", **root.where)
    count = len(modules)
    right, down = np.zeros((count, count), dtype=np.bool_), np.zeros((count, count), dtype=np.bool_)
    neighbors = root.first("neighbors")
    if neighbors is None:
        raise ParseError("<neighbors>, but there are none", **root.where)
    for element in neighbors.all("neighbor"):
        one, other = (_read_end(element, side, every, tiles) for side in ("left", "right"))
        if one is None or other is None:
            continue
        for turn in TURNS:
            p, q = (tile.first + tile.symmetry.turned(orientation, turn) for tile, orientation in (one, other))
            direction = turn.direction(RIGHT)
            table = right if direction in (RIGHT, LEFT) else down
            table[(p, q) if direction in (RIGHT, DOWN) else (q, p)] = True
    return make_square_rules(name, modules, right, down)


def _read_names(root: Element) -> dict[str, Element]:
    tiles = root.first("tiles")
    if tiles is None or tiles.first("tile") is None:
        raise ParseError("<tiles> with at least one <tile>", **root.where)
    found: dict[str, Element] = {}
    for tile in tiles.all("tile"):
        name = tile.word("name")
        if not name.strip() or len(name) > LONGEST_NAME - 2:
            raise ParseError(f"name: the name of a tile, of 1 to {LONGEST_NAME - 2} letters", name, **tile.where)
        if name in found:
            raise ParseError("a name that no other tile has", name, **tile.where)
        found[name] = tile
    return found


def _read_subset(root: Element, subset: str, every: dict[str, Element]) -> dict[str, Element]:
    subsets = root.first("subsets")
    known = {subset.word("name"): subset for subset in subsets.all("subset")} if subsets else {}
    if subset not in known:
        raise unknown_name("subset", subset, known or ["none"])
    names = set()
    for tile in known[subset].all("tile"):
        if tile.word("name") not in every:
            raise ParseError("the name of a tile", tile.attributes["name"], **tile.where)
        names.add(tile.attributes["name"])
    if not names:
        raise ParseError("at least one tile in the subset", subset, **known[subset].where)
    return {name: tile for name, tile in every.items() if name in names}


def _read_tiles(chosen: dict[str, Element]) -> dict[str, _Tile]:
    tiles, first = {}, 0
    for name, element in chosen.items():
        letter = element.attributes.get("symmetry", "X")
        if letter not in SYMMETRIES:
            raise ParseError(f"symmetry: one of {', '.join(SYMMETRIES)}", letter, **element.where)
        weight = element.number("weight", 1.0)
        if weight and not SMALLEST_WEIGHT <= weight <= LARGEST_WEIGHT:
            raise ParseError("weight: 0, or a number from 1e-12 to 1e12", element.attributes["weight"], **element.where)
        tiles[name] = _Tile(name, SYMMETRIES[letter], weight, first)
        first += SYMMETRIES[letter].orientations
    require_module_count(first, "tiles, counting orientations")
    return tiles


def _read_flag(element: Element, name: str) -> bool:
    value = element.attributes.get(name, "false").lower()
    if value not in ("true", "false", "1", "0"):
        raise ParseError(f"{name}: True or False", element.attributes[name], **element.where)
    return value in ("true", "1")


def _make_modules(tile: _Tile, is_unique: bool, read_beside: ReadBeside | None) -> list[Module]:
    turns = TURNS[: tile.symmetry.orientations]
    if is_unique:
        looks = [_look(f"{tile.name} {number}.png", read_beside) for number in range(len(turns))]
    else:
        look = _look(f"{tile.name}.png", read_beside)
        looks = [
            replace(look, quarter_turns=turn.quarters, mirrored=turn.mirrored) if look.picture else look
            for turn in turns
        ]
    return [
        Module(tile.name if len(turns) == 1 else f"{tile.name} {number}", tile.name, (), tile.weight, look=look)
        for number, look in enumerate(looks)
    ]


def _look(file: str, read_beside: ReadBeside | None) -> Look:
    data = read_beside(file) if read_beside else None
    if data is None:
        return Look()
    pixels = read_png(data, file)
    require_tile_size(pixels, file)
    return Look(average_colour(pixels), picture=data)


def _require_own_keys(modules: list[Module], root: Element) -> None:
    keys = set()
    for module in modules:
        if module.key in keys:
            raise ParseError("tiles whose names differ from those of turned tiles", module.key, **root.where)
        keys.add(module.key)


def _read_end(
    element: Element, side: str, every: dict[str, Element], tiles: dict[str, _Tile]
) -> tuple[_Tile, int] | None:
    """Return a tile and its orientation; None if it is not in the subset."""
    reference = element.word(side).strip()
    name, _, last = reference.rpartition(" ")
    number = 0
    if reference in every:
        name = reference
    elif name in every and last in _ORIENTATIONS:
        number = int(last)
    else:
        raise ParseError(f"{side}: a tile and an orientation from 0 to 7", element.attributes[side], **element.where)
    tile = tiles.get(name)
    if tile is None:
        return None
    # Numbers beyond the orientations there are mean the turn of this number.
    turn = TURNS[number]
    return tile, tile.symmetry.number(turn.quarters, turn.mirrored)
