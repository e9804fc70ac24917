"""What stands on the maps of level editors: objects of a class, with properties. Tiled and LDtk share these words.

Classes, properties and terrain are read in any case and with or without blanks, `_` and `-`: `OneWay`, `one_way` and
`oneway` are the same word. In names `_` means a blank and a leading `#` is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, NOTHING, WALL, WATER, Place, Requirement
from solvent.dungeon.notation.requirements import parse_requirement
from solvent.formats.companion_files import Where
from solvent.formats.tiled.model import ObjectLink, Record

GATE_CLASSES = ("lock", "cracked", "gate", "barrier", "soft")
WAY_CLASSES = ("stairs", "warp", "door", "passage", "way")
CLASSES = (
    *(
        "start",
        "goal",
        "key",
        "bombs",
        "item",
        "monster",
        "block",
        "switch",
        "lever",
        "relay",
        "oneway",
        "room",
        "place",
    ),
    *GATE_CLASSES,
    *WAY_CLASSES,
)
ALIASES: Mapping[str, str] = {
    "player": "start",
    "playerstart": "start",
    "spawn": "start",
    "spawnpoint": "start",
    "exit": "goal",
    "finish": "goal",
    "smallkey": "key",
    "bomb": "bombs",
    "enemy": "monster",
    "pushblock": "block",
    "crate": "block",
    "plate": "switch",
    "pressureplate": "switch",
    "button": "switch",
    "lockeddoor": "lock",
    "crackedwall": "cracked",
    "bombablewall": "cracked",
    "stair": "stairs",
    "teleport": "warp",
    "teleporter": "warp",
    "portal": "warp",
}
"""Other words people use for a class."""

DIRECTIONS: Mapping[str, str] = {
    **dict.fromkeys(("north", "n", "up"), "^"),
    **dict.fromkeys(("east", "e", "right"), ">"),
    **dict.fromkeys(("south", "s", "down"), "v"),
    **dict.fromkeys(("west", "w", "left"), "<"),
}
_TERRAIN: Mapping[str, str] = {
    **dict.fromkeys(("wall", "walls", "solid", "collision", "collisions"), WALL),
    **dict.fromkeys(("floor", "floors", "ground", "walkable"), FLOOR),
    **dict.fromkeys(("water", "lava"), WATER),
    **dict.fromkeys(("nothing", "void", "empty"), NOTHING),
    **{word: DIRECTIONS[word] for word in ("north", "east", "south", "west")},
    **{f"oneway{word}": letter for word, letter in DIRECTIONS.items() if len(word) > 1},
}
TERRAIN_NAMES: Mapping[str, str] = {
    WALL: "wall",
    FLOOR: "floor",
    WATER: "water",
    "^": "north",
    ">": "east",
    "v": "south",
    "<": "west",
}
"""What the terrain letters are called when written. NOTHING is an empty cell."""


class Spot(Struct, frozen=True):
    """Hold a link to a tile of the same floor."""

    row: int
    column: int


class EditorFloor(Struct):
    """Hold a floor while it is read: one-way objects and gates still change its terrain."""

    name: str
    grid: list[list[str]]
    where: Where


class PlacedObject(Struct, frozen=True, eq=False):
    """Hold one object on a floor, measured in tiles."""

    id: str
    kind: str
    """Its class, one of CLASSES; while it is read, terrain too."""
    name: str
    floor: int
    corner: tuple[int, int]
    height: int
    width: int
    centre: tuple[int, int]
    """The tile it stands on, for classes that stand on one tile only."""
    properties: Mapping[str, Any] = field(default_factory=dict)
    """By `plain_word`; those without a value are left out."""
    where: Where = field(default_factory=dict)
    editor_id: str = ""
    """What the editor identifies it by; empty for what the editor has as tiles, or not at all."""
    layer: str = ""
    """The name of the layer it is on."""

    @property
    def place(self) -> Place:
        """Return the one tile it stands on."""
        return self.floor, *self.centre

    def cells(self) -> Iterator[Place]:
        """Yield the tiles it covers."""
        top, left = self.corner
        for row in range(top, top + self.height):
            for column in range(left, left + self.width):
                yield self.floor, row, column

    def find(self, *words: str) -> Any:
        """Return the first of some properties that there is, or None."""
        for word in words:
            value = self.properties.get(plain_word(word))
            if value is not None:
                return value
        return None

    def text(self, *words: str, otherwise: str = "") -> str:
        """Return a property as a name."""
        value = self.find(*words)
        if value is None:
            return otherwise
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.error(f"{words[0]}: a text", value)
        return clean_name(str(value))

    def rule(self, word: str) -> Requirement | None:
        """Return a property as a requirement."""
        value = self.find(word)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.error(f"{word}: a requirement, such as bow | bombs >= 2", value)
        text = str(value).replace("_", " ").strip()
        try:
            return parse_requirement(text)
        except ParseError as error:
            raise self.error(f"{word}: {error.expected} at letter {error.column}", text) from None

    def names(self, *words: str) -> list[str]:
        """Return a property as a list of names, which stand between commas."""
        value = self.find(*words)
        if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
            value = ",".join(map(str, value))
        if value is not None and not isinstance(value, str):
            raise self.error(f"{words[0]}: names with commas between them", value)
        return [name for name in map(clean_name, (value or "").split(",")) if name]

    def number(self, word: str, otherwise: int) -> int:
        """Return a property as a whole number."""
        value = self.find(word)
        if value is None:
            return otherwise
        text = str(int(value)) if isinstance(value, float) and abs(value) < 1e9 and value == int(value) else str(value)
        if isinstance(value, bool) or not re.fullmatch(r"\s*[0-9]{1,9}\s*", text, re.ASCII):
            raise self.error(f"{word}: a whole number", value)
        return int(text)

    def flag(self, word: str, otherwise: bool) -> bool:
        """Return a property as true or false."""
        value = self.find(word)
        if value is None:
            return otherwise
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if str(value).lower() not in known:
            raise self.error(f"{word}: true or false", value)
        return known[str(value).lower()]

    def error(self, expected: str, *value: object) -> ParseError:
        """Make the error that something about this object is not as expected."""
        called = f"{self.kind} {self.name!r}" if self.name else self.kind
        return ParseError(f"{expected} ({called})", *(shown(part) for part in value), **self.where)


class TileSource(Struct, frozen=True):
    """Say where a tile layer keeps its tiles in the file of its map."""

    layer: str
    corner: tuple[int, int]
    """The row and column of its first tile, as the editor counts."""
    rows: Sequence[Sequence[int]]
    """What is on each tile; 0 for nothing."""
    where: Where
    """Where all of them stand, row by row: a line of XML, or the path of a list in JSON; empty if not one by one."""


class MapPatch(Struct, frozen=True):
    """Say which part of a floor is which part of which map in the editor."""

    floor: int
    corner: tuple[int, int]
    """The row and column of its first tile on the floor."""
    size: tuple[int, int]
    """Its height and width, in tiles."""
    map_corner: tuple[int, int]
    """The row and column of its first tile on the map, as the editor counts."""
    map: str = ""
    """What the map is called, where there are several."""
    tiles: Sequence[TileSource] = ()
    """The tiles on it, the topmost first."""


class EditorMap(Struct):
    """Hold what a file of a level editor gave, whichever editor wrote it."""

    where: Where
    settings: dict[str, Any] = field(default_factory=dict)
    """The properties of the whole, by `plain_word`."""
    floors: list[EditorFloor] = field(default_factory=list)
    objects: list[PlacedObject] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    levels: dict[str, tuple[int, int, int, int, int]] = field(default_factory=dict)
    """Where each level lies, by the name that the editor has for it: floor, top row, left column, height, width."""
    left_out: set[str] = field(default_factory=set)
    """The ids of objects that were left out; links to them lead nowhere."""
    patches: list[MapPatch] = field(default_factory=list)
    """Where on its floors each map lies."""


def plain_word(text: str) -> str:
    """Return a word as it is compared: small letters, nothing between them."""
    return re.sub(r"[\s_\-]+", "", text).lower()


def clean_name(text: str) -> str:
    """Return a name as dungeons have them."""
    return text.replace("_", " ").strip().removeprefix("#").strip()


def find_class(text: str) -> str | None:
    """Return which class of ours a word means, if it means one."""
    word = plain_word(text)
    word = ALIASES.get(word, word)
    return word if word in CLASSES else None


def terrain_of(text: str) -> str | None:
    """Return the terrain letter a word means, if it means one."""
    return _TERRAIN.get(plain_word(text))


def plain_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties that have a value, by plain word; the first of two spellings counts."""
    found: dict[str, Any] = {}
    for name, value in properties.items():
        if value is not None and value != "" and value != []:
            found.setdefault(plain_word(name), value)
    return found


def shown(value: object) -> object:
    """Return a value as an error message should show it."""
    if isinstance(value, ObjectLink):
        return f"a link to {value.id}"
    if isinstance(value, Record):
        return f"a record {value.kind}".strip()
    if isinstance(value, list):
        return [shown(one) for one in value]
    return "a tile" if isinstance(value, Spot) else value


def covered(low: float, high: float) -> tuple[int, int]:
    """Return the first tile and the number of tiles whose middles lie between two edges, both in tiles.

    What is too small to cover a middle covers the tile its own middle lies in.
    """
    from math import ceil, floor

    first, end = ceil(low - 0.5), ceil(high - 0.5)
    return (first, end - first) if end > first else (floor((low + high) / 2), 1)
