"""What the names in a file of a level editor mean: by the project's mapping, and by our own words.

Readers ask a `Names` about every class, property, tile, value and layer. It never stops at the first name it does not
know: names that may decide a verdict are collected and refused all at once, with the command that writes a mapping;
others are left out, and one remark for each kind of name says which.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from solvent.core.errors import ParseError, UndecidedNames
from solvent.dungeon.model import FLOOR, NOTHING, WALL
from solvent.dungeon.notation.editor.inventory import ClassSeen, Inventory, LayerSeen, Seen, TileSetSeen, sample_of
from solvent.dungeon.notation.editor.objects import (
    EditorMap,
    PlacedObject,
    clean_name,
    find_class,
    plain_word,
)
from solvent.dungeon.notation.editor.raw import (
    Decided,
    RawObject,
    RawTile,
    TileMeaning,
    given_properties,
    ground_properties,
    is_about_ground,
    own_tile_property,
    terrain_word,
)
from solvent.dungeon.notation.editor.vocabulary import (
    LENIENT,
    PROPERTIES,
    decides,
    is_like_a_class,
    understood,
)
from solvent.dungeon.notation.mapping.model import (
    IGNORE,
    NO_MAPPING,
    ClassMeaning,
    NameMapping,
    PropertyMeaning,
)
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS, letter_of
from solvent.formats.companion_files import Where

_MOST_LISTED = 12
_COVERING = (*TERRAIN_WORDS, "goal", "switch", "oneway", "room", "lock", "cracked", "gate", "barrier", "soft", "door")
"""What covers tiles, so that the outline of an object matters."""
_OUTLINES = ("polygon", "polyline")


class Names:
    """Decide what names mean, and keep account of them."""

    def __init__(self, mapping: NameMapping = NO_MAPPING, path: Path | None = None) -> None:
        self.mapping = mapping
        self.path = path
        """The file that was asked for, for messages."""
        self.file = path
        """The file that is read just now."""
        self.seen = Inventory()
        self._alike = {plain_word(name): meaning for name, meaning in mapping.classes.items()}
        self.left_out: set[str] = set()
        """The ids of objects that were left out; links to them lead nowhere."""

    @contextlib.contextmanager
    def reading(self, path: Path) -> Iterator[None]:
        """Read one of several files meanwhile; ids of objects that it leaves out are its own."""
        whole, left_out = self.path, self.left_out
        self.file, self.left_out = path, set()
        try:
            yield
        finally:
            self.file, self.left_out = whole, left_out

    # Objects

    def object(self, raw: RawObject) -> Decided | None:
        """Return what an object is; None for one that is left out, which is kept account of."""
        layer = self.mapping.layers.get(raw.layer)
        if raw.kind:
            account = self.seen.classes.setdefault(raw.kind, ClassSeen())
            self.seen.layers.setdefault(raw.layer, LayerSeen(kind="objects")).has_classes = True
        else:
            account = self.seen.nameless.setdefault((raw.layer, raw.name), ClassSeen())
        account.note(raw.name or None)
        if layer == IGNORE:
            account.meaning = account.meaning or IGNORE
            return None
        meanings = self._meanings_of(raw)
        kind = next((meaning.is_ for meaning in meanings if meaning.is_ is not None), None)
        if kind is None and raw.kind:
            kind = find_class(raw.kind) or terrain_word(raw.kind)
        if kind is None and raw.tile is not None and raw.tile[0] in self.mapping.tiles:
            kind = self.mapping.tiles[raw.tile[0]].ids.get(raw.tile[1])
        if kind is None:
            kind = layer
        if kind is None:
            self._unknown(raw, account)
            return None
        account.meaning = kind
        if kind == IGNORE:
            return None
        if raw.shape in _OUTLINES and kind in _COVERING:
            called = f"{raw.kind or 'object'} {raw.name!r}" if raw.name else raw.kind or "object"
            self.seen.outlines.append(called)
        name, properties = self._properties(raw, kind, meanings, account)
        self.seen.has_start = self.seen.has_start or kind == "start"
        self.seen.has_goal = self.seen.has_goal or kind == "goal"
        return Decided(kind, name, properties)

    def object_of_tile(self, raw: RawObject, kind: str) -> Decided:
        """Return what a tile is that stands for an object of this class of ours."""
        if raw.kind:
            account = self.seen.classes.setdefault(raw.kind, ClassSeen())
        else:
            account = self.seen.nameless.setdefault((raw.layer, "tiles"), ClassSeen())
        account.note()
        account.meaning = kind
        raw = replace(raw, properties={n: v for n, v in raw.properties.items() if not is_about_ground(n)})
        mapped = self._class_meaning(raw.kind)
        name, properties = self._properties(raw, kind, [] if mapped is None else [mapped], account)
        self.seen.has_start = self.seen.has_start or kind == "start"
        self.seen.has_goal = self.seen.has_goal or kind == "goal"
        return Decided(kind, name, properties)

    def _meanings_of(self, raw: RawObject) -> list[ClassMeaning]:
        given = {plain_word(name): value for name, value in raw.properties.items()}
        found = [
            rule.meaning
            for rule in self.mapping.objects
            if rule.kind in (None, raw.kind)
            and rule.name in (None, raw.name)
            and rule.layer in (None, raw.layer)
            and rule.level in (None, raw.level)
            and self._is_this_file(rule.file)
            and all(name in given and sample_of(given[name]) == sample_of(v) for name, v in rule.where.items())
        ]
        by_name = self.mapping.names.get(raw.name) if raw.name else None
        by_class = self._class_meaning(raw.kind)
        return [*found, *(meaning for meaning in (by_name, by_class) if meaning is not None)]

    def _class_meaning(self, kind: str) -> ClassMeaning | None:
        """Return what the mapping says of a class; one that is spelt alike will do."""
        return self.mapping.classes.get(kind) or self._alike.get(plain_word(kind)) if kind else None

    def _is_this_file(self, name: str | None) -> bool:
        return name is None or any(path is not None and path.match(name) for path in (self.file, self.path))

    def _unknown(self, raw: RawObject, account: ClassSeen) -> None:
        """Keep account of an object whose class we do not know."""
        matters = decides(raw.kind or raw.name) or is_like_a_class(raw.kind or raw.name)
        matters = matters or (not raw.kind and decides(raw.layer))
        for name, value in given_properties(raw.properties).items():
            seen = account.properties.setdefault(name, Seen())
            seen.note(value)
            matters = matters or decides(name)
        account.must_be_decided = account.must_be_decided or matters

    def _properties(
        self, raw: RawObject, kind: str, meanings: Sequence[ClassMeaning], account: ClassSeen
    ) -> tuple[str, dict[str, Any]]:
        called = clean_name(raw.name)
        found: dict[str, Any] = {}
        theirs: dict[str, str] = {}
        for name, value in given_properties(raw.properties).items():
            seen = account.properties.setdefault(name, Seen())
            seen.note(value)
            word, value = self._property(kind, name, value, meanings)
            seen.meaning = word if word is not None else seen.meaning
            if word == IGNORE:
                continue
            if word is None:
                is_lenient = kind in LENIENT or kind in TERRAIN_WORDS
                seen.must_be_decided = seen.must_be_decided or not is_lenient or decides(name)
                continue
            if word in found and found[word] != value:
                both = f"{theirs[word]} and {name}"
                raise ParseError(f"one {word} ({raw.kind}), but {both} differ", sample_of(value), **raw.where)
            found[word], theirs[word] = value, name
        given = found.pop("name", None)
        if given is not None and (isinstance(given, bool) or not isinstance(given, str | int)):
            raise ParseError(f"name: a text ({raw.kind})", sample_of(given), **raw.where)
        if given is not None and (not called or kind == "item"):
            called = clean_name(str(given))
        return called, found

    def _property(self, kind: str, name: str, value: Any, meanings: Iterable[ClassMeaning]) -> tuple[str | None, Any]:
        """Return which of our properties a property is, and the value it then has."""
        plain = plain_word(name)
        for meaning in (*(each.properties for each in meanings), self.mapping.properties):
            if plain not in meaning:
                continue
            mapped = meaning[plain]
            if mapped.is_ in (IGNORE, "name") or mapped.is_ in PROPERTIES.get(kind, ()):
                return mapped.is_, _translated(value, mapped)
            if meaning is not self.mapping.properties:
                known = ", ".join(("name", *PROPERTIES.get(kind, ())))
                raise ParseError(
                    f"a property that a {kind} has for {name}: {known}", mapped.is_, source=self.mapping.source or None
                )
        return understood(kind, plain), value

    # Layers

    def layer(self, name: str, kind: str, *, is_hidden: bool = False, own: str | None = None) -> str | None:
        """Return what the mapping, or else the file, says of a layer: terrain, a class, IGNORE or None."""
        seen = self.seen.layers.setdefault(name, LayerSeen(kind=kind))
        seen.note()
        seen.is_hidden = seen.is_hidden or is_hidden
        seen.meaning = self.mapping.layers.get(name) or own or seen.meaning
        return self.mapping.layers.get(name) or own

    def layer_properties(self, properties: Mapping[str, Any], known: Iterable[str]) -> None:
        """Keep account of properties of layers beside those that are known, by plain word."""
        for name, value in given_properties(properties).items():
            if plain_word(name) not in known:
                self.seen.layer_properties.setdefault(name, Seen()).note(value)

    def settings(self, properties: Mapping[str, Any], known: Iterable[str]) -> None:
        """Keep account of properties of a map or level beside those that are known, by plain word."""
        for name, value in given_properties(properties).items():
            if plain_word(name) not in known:
                self.seen.settings.setdefault(name, Seen()).note(value)

    # Tiles

    def tile(self, raw: RawTile, layer: str, usual: str | None, cells: int) -> TileMeaning:
        """Return what a tile is; `usual` is what its layer says of tiles that say nothing themselves."""
        known = self.seen.tile_sets.setdefault(raw.tile_set, TileSetSeen())
        seen = known.ids.setdefault(raw.id, Seen())
        seen.note(count=cells)
        for colour in raw.colours:
            known.colours.setdefault(colour, Seen()).note(count=cells)
        meaning = self._tile(raw, known, cells)
        if meaning is None:
            meaning = usual
        given = self.mapping.tiles.get(raw.tile_set)
        if meaning is None:
            meaning = (given.rest if given is not None else None) or self.mapping.tiles_otherwise
        seen.meaning = meaning
        if meaning is None:
            account = self.seen.layers.setdefault(layer, LayerSeen())
            account.tiles_without_meaning[raw.tile_set, raw.id] += cells
            return TileMeaning()
        if meaning == IGNORE:
            return TileMeaning(is_ignored=True)
        letter = letter_of(meaning)
        if letter is None:  # an object, whose tile may say as well what lies under it
            below = self._tile_property(ground_properties(raw.properties), cells)
            return TileMeaning(letter_of(below or ""), meaning)
        self.seen.says_wall = self.seen.says_wall or letter == WALL
        return TileMeaning(letter)

    def _tile(self, raw: RawTile, known: TileSetSeen, cells: int) -> str | None:
        """Return what a tile's own set and the mapping say of it."""
        mapping = self.mapping
        given = mapping.tiles.get(raw.tile_set)
        if given is not None and raw.id in given.ids:
            return given.ids[raw.id]
        is_object = self._class_of_tile(raw)
        properties = given_properties(raw.properties)
        found = None if is_object is not None else self._tile_property(properties, cells)
        if found is not None:
            return found
        if is_object is not None:
            return is_object
        if raw.has_shapes:
            self.seen.collision_shapes.note(count=cells)
            if mapping.collision_shapes not in (None, IGNORE):
                return mapping.collision_shapes
        return self._wang(raw, known)

    def _class_of_tile(self, raw: RawTile) -> str | None:
        if not raw.kind:
            return None
        mapped = self._class_meaning(raw.kind)
        kind = mapped.is_ if mapped is not None and mapped.is_ is not None else None
        own = find_class(raw.kind)
        kind = kind or (None if own is None else own)
        if kind in PROPERTIES or kind == IGNORE:
            # What it has in common with objects of its class is kept account of where it is placed.
            self.seen.classes.setdefault(raw.kind, ClassSeen()).meaning = kind
            return kind
        kind = kind or terrain_word(raw.kind)
        account = self.seen.classes.setdefault(raw.kind, ClassSeen())
        account.note()
        account.meaning = kind
        if kind is None:
            account.must_be_decided = account.must_be_decided or decides(raw.kind) or is_like_a_class(raw.kind)
        # A tile's own properties come before its class, so that terrain is left to the caller.
        return None if kind is None or self._says_terrain(raw.properties) else kind

    def _says_terrain(self, properties: Mapping[str, Any]) -> bool:
        return any(
            plain_word(name) in ("terrain", "walk") or plain_word(name) in self.mapping.tile_properties
            for name in given_properties(properties)
        )

    def _tile_property(self, properties: Mapping[str, Any], cells: int) -> str | None:
        found: str | None = None
        for name, value in properties.items():
            plain, shown = plain_word(name), sample_of(value)
            seen = self.seen.tile_properties.setdefault(name, {}).setdefault(shown, Seen())
            seen.note(count=cells)
            mapped = {
                _plain_value(key): meaning for key, meaning in self.mapping.tile_properties.get(plain, {}).items()
            }
            meaning = mapped.get(_plain_value(shown))
            if meaning is None:
                meaning = own_tile_property(plain, shown)
            if meaning is None:
                seen.must_be_decided = decides(name) or plain in ("terrain", "walk")
            seen.meaning = meaning
            if meaning is not None and meaning != IGNORE and found is None:
                found = meaning
        return found

    def _wang(self, raw: RawTile, known: TileSetSeen) -> str | None:
        given = self.mapping.wang.get(raw.tile_set)
        if not given or not raw.colours:
            return None
        meanings = set()
        for colour in raw.colours:
            known.colours[colour].meaning = given.get(colour)
            meanings.add(given.get(colour))
        if len(meanings) == 1:
            return meanings.pop()
        return given.get("mixed")

    # IntGrid

    def int_value(self, layer: str, value: int, identifier: str | None, cells: int, *, is_defined: bool = True) -> str:
        """Return the terrain letter of a value of an IntGrid layer; FLOOR for one that is still to be decided.

        A value that the project does not define is not what its layer is called.
        """
        called = identifier or str(value)
        seen = self.seen.int_grids.setdefault(layer, {}).setdefault(called, Seen())
        seen.note(count=cells)
        given = self.mapping.int_grid.get(layer, {})
        meaning = given.get(called) or given.get(str(value)) or self.mapping.layers.get(layer)
        if meaning is None and is_defined:
            own = terrain_word(identifier or "") or terrain_word(layer)
            if own is not None and terrain_word(identifier or "") is None and identifier and decides(identifier):
                own = None  # a ladder in a layer called Collisions is not a wall for certain
            meaning = own
            seen.is_by_layer = own is not None and bool(identifier) and terrain_word(identifier or "") is None
        seen.meaning = meaning
        if meaning is None:
            seen.must_be_decided = seen.must_be_decided or cells > 0
            return FLOOR
        if meaning == IGNORE:
            return ""
        letter = letter_of(meaning)
        if letter is None:
            raise ParseError("terrain for the values of an IntGrid layer", meaning, source=self.mapping.source or None)
        if cells:
            self.seen.says_wall = self.seen.says_wall or letter == WALL
        return letter

    # The end of reading

    def finish(self, found: EditorMap) -> None:
        """Lay down what the mapping adds; refuse what is undecided, all at once, and say what was left out."""
        from solvent.dungeon.notation.editor.account import describe_ground, remarks_of, undecided_of

        found.left_out |= self.left_out
        _paint_objects(found)
        self._put_places(found)
        names = undecided_of(self.seen, self.mapping)
        has_walls = self._has_walls(found)
        lacking = [
            word
            for word in ("start", "goal")
            if found.floors and not any(thing.kind == word for thing in found.objects)
        ]
        if names or not has_walls:
            ground = [] if has_walls else ["no wall anywhere", *describe_ground(self.seen)]
            raise UndecidedNames(
                [*names, *ground, *(f"no {word}" for word in lacking)],
                self.command(),
                mapping=self.mapping.source,
                expected="" if names else "something that says where the walls are, but nothing on this map does",
            )
        if lacking:
            advice = f"'{self.command()}' writes a mapping, which can name one"
            raise ParseError(f"a {lacking[0]}, but there is none ({advice})", **found.where)
        found.remarks[:0] = remarks_of(self.seen, self.mapping)

    def placed_kinds(self, found: EditorMap) -> set[str]:
        """Return the classes of things that the mapping puts on this map."""
        known = {None, *found.levels, *(floor.name for floor in found.floors)}
        return {place.is_ for place in self.mapping.places if self._is_this_file(place.file) and place.level in known}

    def command(self) -> str:
        """Return what to type to get a mapping."""
        import shlex

        return f"solvent mapping {shlex.quote(str(self.path)) if self.path is not None else 'FILE'}"

    def _put_places(self, found: EditorMap) -> None:
        for place in self.mapping.places:
            if not self._is_this_file(place.file):
                continue
            where: Where = {"path": place.path, "source": self.mapping.source or None}
            floor, top, left, height, width = _find_level(found, place.level, where)
            row, column = top + place.row, left + place.column
            if place.row + place.height > height or place.column + place.width > width:
                expected = f"a place inside its level of {height} rows and {width} columns"
                raise ParseError(expected, f"row {place.row}, column {place.column}", **where)
            letter = letter_of(place.is_)
            if letter is not None:
                for line in found.floors[floor].grid[row : row + place.height]:
                    line[column : column + place.width] = [letter] * place.width
                self.seen.says_wall = self.seen.says_wall or letter == WALL
                continue
            known = PROPERTIES[place.is_]
            for word in place.properties:
                if word not in known:
                    raise ParseError(f"a property that a {place.is_} has: {', '.join(known) or 'none'}", word, **where)
            self.seen.has_start = self.seen.has_start or place.is_ == "start"
            self.seen.has_goal = self.seen.has_goal or place.is_ == "goal"
            found.objects.append(
                PlacedObject(
                    id=f"mapping {place.path}",
                    kind=place.is_,
                    name=clean_name(place.name),
                    floor=floor,
                    corner=(row, column),
                    height=place.height,
                    width=place.width,
                    centre=(row + place.height // 2, column + place.width // 2),
                    properties=dict(place.properties),
                    where=where,
                )
            )

    def _has_walls(self, found: EditorMap) -> bool:
        """Tell whether something is a wall, or it is said that nothing is; else answers would be about nothing."""
        grids = [floor.grid for floor in found.floors if len(floor.grid) * len(floor.grid[0] if floor.grid else ()) > 1]
        letters = set().union(*(row for grid in grids for row in grid))
        if not grids or WALL in letters:
            return True
        if str(found.settings.get("walls", "")).lower() == "none" or self.mapping.walls == "none":
            by = "the file" if self.mapping.walls is None else f"the mapping ({self.mapping.source})"
            found.remarks.append(f"Nothing on this map is a wall; {by} says that this is meant.")
            return True
        undecided = any(layer.tiles_without_meaning for layer in self.seen.layers.values())
        if NOTHING in letters and not undecided:
            found.remarks.append("Nothing on this map is a wall; only cells without a tile keep a player in.")
            return True
        return False


def read_mapped(mapping: NameMapping | None, path: Path | None) -> Names:
    """Return the names for reading a file: by a mapping that is given, or by the one that lies beside the file."""
    from solvent.dungeon.notation.mapping.finding import mapping_for

    return Names(mapping_for(path) if mapping is None else mapping, path)


def _translated(value: Any, meaning: PropertyMeaning) -> Any:
    if isinstance(value, list):
        return [_translated(one, meaning) for one in value]
    return meaning.values.get(sample_of(value), value)


def _plain_value(text: str) -> str:
    return text.strip().lower()


def _paint_objects(found: EditorMap) -> None:
    """Lay down objects that are terrain."""
    kept = []
    for thing in found.objects:
        letter = letter_of(thing.kind)
        if letter is None:
            kept.append(thing)
            continue
        for floor, row, column in thing.cells():
            found.floors[floor].grid[row][column] = letter
    found.objects[:] = kept


def _find_level(found: EditorMap, level: str | None, where: Where) -> tuple[int, int, int, int, int]:
    """Return the floor of a level, where on it the level begins, and its size."""
    if level is not None and level in found.levels:
        return found.levels[level]
    whole = [
        (number, 0, 0, len(floor.grid), len(floor.grid[0]) if floor.grid else 0)
        for number, floor in enumerate(found.floors)
        if level is None or floor.name == clean_name(level)
    ]
    if level is None and len(whole) > 1:
        raise ParseError("level: which one is meant, since there are several", **where)
    if not whole:
        known = ", ".join([*found.levels, *(floor.name for floor in found.floors if floor.name)][:_MOST_LISTED])
        raise ParseError(f"the name of a level{': ' if known else ''}{known}", level, **where)
    return whole[0]
