"""Read a mapping from TOML, with errors that say which key is wrong, and what may stand there.

| key | says |
| --- | --- |
| `map.walls = "none"` | a map without a single wall is meant |
| `map.empty` | what a cell is where nothing was drawn: terrain |
| `map.tiles` | what tiles are about which nothing else says anything: terrain |
| `map.collision_shapes` | what tiles with shapes of Tiled's collision editor are: terrain or `ignore` |
| `classes.THEIRS.is` | a class of ours, terrain, or `ignore`; `classes.THEIRS = "key"` is short for it |
| `classes.THEIRS.properties.THEIRS` | a property of ours, or `ignore`; or `{ is = …, values = { theirs = ours } }` |
| `names.THEIRS.is`, `names.THEIRS.properties.THEIRS` | the same for objects of this name, whatever their class |
| `properties.THEIRS` | the same for all classes |
| `layers.NAME` | terrain, a class or `ignore`, for what lies on it and says nothing itself |
| `levels.NAME` | `ignore` |
| `tiles.TILESET."0-4, 9"` | terrain, a class or `ignore` for these tile ids; `rest` for all others |
| `wang.TILESET.COLOUR` | terrain of tiles with this terrain colour; `mixed` for tiles of several meanings |
| `tile_properties.NAME.VALUE` | terrain, a class or `ignore` of tiles with this property |
| `int_grid.LAYER.VALUE` | terrain or `ignore`; a value by its name or number |
| `[[objects]]` | `is` and `properties` for objects with a certain `class`, `name`, `layer`, `level`, `file`, `where` |
| `[[place]]` | put a thing where there is no object: `is`, `row`, `column`, `level`, `file`, `name`, `properties` … |

`"?"` in place of a meaning means that nothing is decided yet.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from solvent.core.errors import ParseError
from solvent.dungeon.notation.editor.objects import ALIASES, CLASSES, plain_word, terrain_of
from solvent.dungeon.notation.editor.vocabulary import OUR_PROPERTIES, our_property
from solvent.dungeon.notation.mapping.model import (
    IGNORE,
    UNDECIDED,
    ClassMeaning,
    NameMapping,
    ObjectRule,
    PlacedThing,
    PropertyMeaning,
    TileSetMeaning,
)

TERRAIN_WORDS = ("wall", "floor", "water", "nothing", "north", "east", "south", "west")
SECTIONS = (
    *("map", "classes", "names", "properties", "layers", "levels", "tiles", "wang", "tile_properties", "int_grid"),
    *("objects", "place"),
)
MAX_LETTERS = 1 << 20
_MAX_ROWS = 5_000
_LARGEST_ID = 1 << 24
_MAX_IDS = 200_000

Meaning = Callable[[str], str | None]


def parse_mapping(text: str, source: str = "") -> NameMapping:
    """Read a mapping, or raise ParseError, which names `source`."""
    if len(text) > MAX_LETTERS:
        raise ParseError(f"a mapping of at most {MAX_LETTERS:,} letters", source=source or None)
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*) \(at line (\d+), column (\d+)\)$", str(error), re.DOTALL)
        if found is None:
            raise ParseError(f"a mapping as TOML ({error})", source=source or None) from None
        raise ParseError(
            f"a mapping as TOML ({found[1]})", line=int(found[2]), column=int(found[3]), source=source or None
        ) from None
    except RecursionError:
        raise ParseError("a mapping as TOML, but it is nested too deeply", source=source or None) from None
    try:
        return _Reader(raw, source).read()
    except ParseError as error:
        line = _line_of(text, error.path)
        if error.line is None:
            error.line = line
        raise (error.in_source(source) if source else error) from None


def _line_of(text: str, path: str | None) -> int | None:
    """Return the line that the last part of a key's path stands in, where only one line can be meant."""
    last = re.split(r"\.(?=[^.\"]*$|\"[^\"]*\"$)", path or "")[-1].strip('"')
    if not last or "[" in last:
        return None
    key = re.compile(rf"(^|[.\s{{,])[\"']?{re.escape(last)}[\"']?\s*=")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if key.search(line)]
    return lines[0] if len(lines) == 1 else None


def thing_or_terrain(word: str) -> str | None:
    """Return a class of ours, a name of terrain, or `ignore`; None for any other word."""
    plain = plain_word(word)
    if plain == IGNORE:
        return IGNORE
    return terrain_word(word) or (ALIASES.get(plain, plain) if ALIASES.get(plain, plain) in CLASSES else None)


def terrain_word(word: str) -> str | None:
    """Return a name of terrain as we write it, or `ignore`."""
    plain = plain_word(word)
    return plain if plain in TERRAIN_WORDS or plain == IGNORE else None


THINGS = f"{', '.join(TERRAIN_WORDS)}, {', '.join(sorted(CLASSES))} or ignore"
TERRAINS = f"{', '.join(TERRAIN_WORDS)} or ignore"


def _key(*parts: str) -> str:
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"' for part in parts)


class _Reader:
    def __init__(self, raw: Mapping[str, Any], source: str) -> None:
        self.raw = raw
        self.source = source

    def read(self) -> NameMapping:
        for name in self.raw:
            if name not in SECTIONS:
                raise ParseError(f"a section of a mapping: {', '.join(SECTIONS)}", name, path=_key(name))
        whole = self._table("map")
        self._only("map", whole, ("walls", "empty", "tiles", "collision_shapes"))
        walls = whole.get("walls")
        if walls not in (None, "none", UNDECIDED):
            raise ParseError('"none", where a map without walls is meant', walls, path="map.walls")
        return NameMapping(
            source=self.source,
            walls=None if walls == UNDECIDED else walls,
            empty=self._optional(whole, "map", "empty"),
            tiles_otherwise=self._optional(whole, "map", "tiles"),
            collision_shapes=self._optional(whole, "map", "collision_shapes"),
            classes={name: self._class(value, ("classes", name)) for name, value in self._table("classes").items()},
            names={name: self._class(value, ("names", name)) for name, value in self._table("names").items()},
            properties=self._properties(self._table("properties"), ("properties",)),
            layers=self._meanings(("layers",), self._table("layers"), thing_or_terrain, THINGS),
            levels=self._meanings(("levels",), self._table("levels"), _only_ignore, '"ignore"'),
            tiles={name: self._tiles(name, part) for name, part in self._tables("tiles")},
            wang={
                name: self._meanings(("wang", name), part, terrain_word, TERRAINS)
                for name, part in self._tables("wang")
            },
            tile_properties={
                plain_word(name): self._meanings(("tile_properties", name), part, thing_or_terrain, THINGS)
                for name, part in self._tables("tile_properties")
            },
            int_grid={
                name: self._meanings(("int_grid", name), part, terrain_word, TERRAINS)
                for name, part in self._tables("int_grid")
            },
            objects=[self._object(one, f"objects[{at}]") for at, one in enumerate(self._list("objects"))],
            places=[self._place(one, f"place[{at}]") for at, one in enumerate(self._list("place"))],
            raw=self.raw,
        )

    def _table(self, name: str) -> Mapping[str, Any]:
        return self._as_table(self.raw.get(name, {}), (name,))

    def _as_table(self, value: Any, at: tuple[str, ...]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise ParseError("a table of names", value, path=_key(*at))
        return value

    def _tables(self, name: str) -> list[tuple[str, Mapping[str, Any]]]:
        return [(inner, self._as_table(value, (name, inner))) for inner, value in self._table(name).items()]

    def _list(self, name: str) -> list[Mapping[str, Any]]:
        found = self.raw.get(name, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise ParseError(f"tables that begin with [[{name}]]", path=name)
        if len(found) > _MAX_ROWS:
            raise ParseError(f"at most {_MAX_ROWS:,} tables", len(found), path=name)
        return found

    def _only(self, at: str, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                raise ParseError(f"one of {', '.join(known)}", name, path=f"{at}.{_key(name)}")

    def _optional(self, table: Mapping[str, Any], at: str, name: str) -> str | None:
        return self._meaning(table[name], f"{at}.{name}", terrain_word, TERRAINS) if name in table else None

    def _meaning(self, value: Any, path: str, read: Meaning, choices: str) -> str | None:
        if value == UNDECIDED:
            return None
        found = read(value) if isinstance(value, str) else None
        if found is None:
            raise ParseError(f"one of {choices}", value, path=path)
        return found

    def _meanings(self, at: tuple[str, ...], table: Mapping[str, Any], read: Meaning, choices: str) -> dict[str, str]:
        found = {name: self._meaning(value, _key(*at, name), read, choices) for name, value in table.items()}
        return {name: meaning for name, meaning in found.items() if meaning is not None}

    def _class(self, value: Any, at: tuple[str, ...]) -> ClassMeaning:
        if isinstance(value, str):
            return ClassMeaning(self._meaning(value, _key(*at), thing_or_terrain, THINGS))
        table = self._as_table(value, at)
        self._only(_key(*at), table, ("is", "properties"))
        return self._thing(table, _key(*at))

    def _thing(self, table: Mapping[str, Any], at: str) -> ClassMeaning:
        is_ = self._meaning(table["is"], f"{at}.is", thing_or_terrain, THINGS) if "is" in table else None
        given = table.get("properties", {})
        if not isinstance(given, dict):
            raise ParseError("a table of properties", given, path=f"{at}.properties")
        return ClassMeaning(is_, self._properties(given, (at, "properties"), raw_first=True))

    def _properties(
        self, table: Mapping[str, Any], at: tuple[str, ...], *, raw_first: bool = False
    ) -> dict[str, PropertyMeaning]:
        found = {}
        for name, value in table.items():
            path = f"{at[0]}.{_key(*at[1:], name)}" if raw_first else _key(*at, name)
            meaning = self._property(value, path)
            if meaning is not None:
                found[plain_word(name)] = meaning
        return found

    def _property(self, value: Any, path: str) -> PropertyMeaning | None:
        values: Any = {}
        if isinstance(value, dict):
            self._only(path, value, ("is", "values"))
            value, values = value.get("is"), value.get("values", {})
            if not isinstance(values, dict):
                raise ParseError("a table: theirs = ours", values, path=f"{path}.values")
            for name, one in values.items():
                if not isinstance(one, str | int | bool):
                    raise ParseError("a text, a whole number, true or false", one, path=f"{path}.values.{_key(name)}")
        if value == UNDECIDED:
            return None
        if isinstance(value, str):
            word = IGNORE if plain_word(value) == IGNORE else our_property(value)
            if word is not None:
                return PropertyMeaning(word, {str(name): one for name, one in values.items()})
        raise ParseError(f"one of {', '.join(OUR_PROPERTIES)} or ignore", value, path=path)

    def _tiles(self, name: str, table: Mapping[str, Any]) -> TileSetMeaning:
        ids: dict[int, str] = {}
        rest = None
        for key, value in table.items():
            path = _key("tiles", name, key)
            meaning = self._meaning(value, path, thing_or_terrain, THINGS)
            if plain_word(key) == "rest":
                rest = meaning
                continue
            for id in _ids(key, path):
                if meaning is not None and ids.setdefault(id, meaning) != meaning:
                    raise ParseError(f"one meaning for tile {id}, but it has another already", key, path=path)
        return TileSetMeaning(ids, rest)

    def _object(self, table: Mapping[str, Any], at: str) -> ObjectRule:
        self._only(at, table, ("is", "properties", "class", "name", "layer", "level", "file", "where"))
        for name in ("class", "name", "layer", "level", "file"):
            self._text(table, name, at)
        where = table.get("where", {})
        if not isinstance(where, dict):
            raise ParseError("where: a table of properties and their values", where, path=f"{at}.where")
        if not table.keys() & {"class", "name", "layer", "level", "where"}:
            raise ParseError("which objects are meant: class, name, layer, level or where", path=at)
        return ObjectRule(
            self._thing(table, at),
            table.get("class"),
            table.get("name"),
            table.get("layer"),
            table.get("level"),
            table.get("file"),
            {plain_word(name): value for name, value in where.items()},
            at,
        )

    def _place(self, table: Mapping[str, Any], at: str) -> PlacedThing:
        self._only(at, table, ("is", "row", "column", "level", "height", "width", "name", "file", "properties"))
        for name in ("level", "name", "file"):
            self._text(table, name, at)
        for name in ("row", "column", "height", "width"):
            value = table.get(name, 1 if name in ("height", "width") else None)
            least = 1 if name in ("height", "width") else 0
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 1 << 24:
                raise ParseError(f"{name}: a whole number from {least}", value, path=f"{at}.{name}")
        meaning = self._meaning(table.get("is"), f"{at}.is", thing_or_terrain, THINGS)
        if meaning is None or meaning == IGNORE:
            raise ParseError(f"is: one of {THINGS.removesuffix(' or ignore')}", table.get("is"), path=f"{at}.is")
        properties = table.get("properties", {})
        if not isinstance(properties, dict):
            raise ParseError("a table of our properties", properties, path=f"{at}.properties")
        given: dict[str, Any] = {}
        for name, value in properties.items():
            word = our_property(name)
            if word is None:
                raise ParseError(f"one of {', '.join(OUR_PROPERTIES)}", name, path=f"{at}.properties.{_key(name)}")
            if isinstance(value, dict) or not isinstance(value, str | int | bool | list):
                raise ParseError("a text, a whole number, true or false", value, path=f"{at}.properties.{_key(name)}")
            given[word] = value
        return PlacedThing(
            meaning,
            table["row"],
            table["column"],
            table.get("level"),
            table.get("height", 1),
            table.get("width", 1),
            table.get("name", ""),
            table.get("file"),
            given,
            at,
        )

    def _text(self, table: Mapping[str, Any], name: str, at: str) -> None:
        if name in table and not isinstance(table[name], str):
            raise ParseError(f"{name}: a text", table[name], path=f"{at}.{name}")


def _only_ignore(word: str) -> str | None:
    return IGNORE if plain_word(word) == IGNORE else None


def _ids(text: str, path: str) -> list[int]:
    """Read tile ids such as `0-4, 9`."""
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", part, re.ASCII)
        if match is None:
            raise ParseError("tile ids such as 0-4, 9, or rest", text, path=path)
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < _LARGEST_ID or len(found) + last - first >= _MAX_IDS:
            raise ParseError(f"tile ids in order, below {_LARGEST_ID:,}, at most {_MAX_IDS:,}", text, path=path)
        found.extend(range(first, last + 1))
    return found


def letter_of(meaning: str) -> str | None:
    """Return the terrain letter of a meaning that is terrain."""
    return terrain_of(meaning) if meaning in TERRAIN_WORDS else None
