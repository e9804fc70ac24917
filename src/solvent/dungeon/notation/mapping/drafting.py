"""Write a mapping from the names in some maps: every name with how often and samples, the obvious ones guessed.

Each name is one line of TOML, so that lines can be moved and compared. What is undecided stands on top. A mapping that
there is already stays as it is, comments and all; what is new is put before it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.domain import MappingDraft
from solvent.core.errors import NotRecognised, ParseError
from solvent.drawing.phrases import counted
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.notation.editor.inventory import ClassSeen, Inventory, Seen
from solvent.dungeon.notation.editor.names import Names
from solvent.dungeon.notation.editor.objects import CLASSES
from solvent.dungeon.notation.editor.vocabulary import LENIENT, PROPERTIES, decides
from solvent.dungeon.notation.mapping.guessing import guess_class, guess_property, guess_terrain
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED, NameMapping
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS, parse_mapping

_HEADING = """\
# What the names of this project mean to Solvent. It lies beside the maps, or in a folder above them.
# Each line gives one name a meaning; "?" is still undecided, and "ignore" leaves it out.
# 'solvent mapping' adds names that are new, and changes nothing else.
"""
_THINGS = f"# A class can be: {', '.join(sorted(CLASSES))};\n# or terrain: {', '.join(TERRAIN_WORDS)}; or ignore.\n"
_TERRAIN = f"# Tiles, values and layers can be: {', '.join(TERRAIN_WORDS)}; or ignore.\n"
_MOST_IDS = 40


class Line(Struct, frozen=True):
    """Hold one line of a mapping."""

    key: tuple[str, ...]
    meaning: str
    comment: str

    def __str__(self) -> str:
        text = f'{".".join(map(_quoted, self.key))} = "{self.meaning}"'
        return f"{text}  # {self.comment}" if self.comment else text


def draft(texts: Sequence[tuple[str, Path | None]], known: str, source: str) -> MappingDraft:
    """Return a mapping with every name in these maps."""
    before = parse_mapping(known, source)
    lines: dict[tuple[str, ...], Line] = {}
    lacks_start = lacks_goal = lacks_walls = False
    for text, path in texts:
        seen = _survey(text, path, before)
        for line in _lines(seen):
            held = lines.get(line.key)
            if held is None or (held.meaning == UNDECIDED and line.meaning != UNDECIDED):
                lines[line.key] = line
        lacks_start |= not seen.has_start
        lacks_goal |= not seen.has_goal
        lacks_walls |= not seen.says_wall
    flat = dict(_flatten(before.raw))
    new = [line for line in lines.values() if line.key not in flat and line.key[:2] not in _shorthands(before.raw)]
    open_before = [key for key, value in flat.items() if value == UNDECIDED and not _is_settled(key, before)]
    notes = _notes(before, lacks_start, lacks_goal, lacks_walls)
    body = _compose(new, known, before, notes if new or not known.strip() else "")
    parse_mapping(body, source)  # what is written can be read
    undecided = [*(".".join(key) for key in open_before), *(".".join(x.key) for x in new if x.meaning == UNDECIDED)]
    return MappingDraft(body, len(flat) + len(new), undecided, len(new))


def _is_settled(key: tuple[str, ...], mapping: NameMapping) -> bool:
    """Tell whether a name needs no decision, since its class is left out."""
    if len(key) < 3 or key[0] not in ("classes", "names"):
        return False
    meaning = mapping.names.get(key[1]) if key[0] == "names" else mapping.classes.get(key[1])
    return meaning is not None and meaning.is_ == IGNORE and key[2] == "properties"


def _survey(text: str, path: Path | None, mapping: NameMapping) -> Inventory:
    """Return the names in one map; a map that cannot be built yet can be looked through all the same."""
    from solvent.dungeon.notation.ldtk.reading import read_ldtk_file
    from solvent.dungeon.notation.tiled.reading import read_tiled_file

    names = Names(mapping, path)
    read = read_ldtk_file if FORMATS.find(text) == "ldtk" else read_tiled_file
    try:
        read(text, path, names)
    except NotRecognised:
        pass  # a level of a project that cannot be played alone; its names were met all the same
    except ParseError as error:
        raise error if path is None else error.in_source(str(path)) from None
    return names.seen


def _compose(new: Sequence[Line], known: str, before: NameMapping, notes: str) -> str:
    if not known.strip():
        return _HEADING + notes + _blocks(new)
    if not new:
        return known
    added = "# New names\n" + notes + _blocks(new) + "\n"
    try:
        tomllib.loads(added + known.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:  # names of one table in two places: all is written anew, decisions kept
        kept = [Line(key, str(value), "") for key, value in _flatten(before.raw)]
        return _HEADING + notes + _blocks([*new, *kept]) + _tables(before.raw)
    return added + known.removeprefix("\ufeff")


def _blocks(lines: Sequence[Line]) -> str:
    """Return lines, the undecided ones first."""
    undecided = [line for line in lines if line.meaning == UNDECIDED]
    decided = [line for line in lines if line.meaning != UNDECIDED]
    text = ""
    if undecided:
        text += f'\n# Undecided ({len(undecided)}): give each a meaning in place of "?".\n'
        if any(line.key[0] in ("classes", "names") and line.key[-1] == "is" for line in undecided):
            text += _THINGS
        if any(line.key[0] in ("tiles", "wang", "layers", "int_grid", "map") for line in undecided):
            text += _TERRAIN
        text += "".join(f"{line}\n" for line in undecided)
    if decided:
        text += "\n# Decided, by our own words or by a guess: change what is wrong.\n"
        text += "".join(f"{line}\n" for line in decided)
    return text


def _notes(before: NameMapping, lacks_start: bool, lacks_goal: bool, lacks_walls: bool) -> str:
    """Return advice for maps that lack something, as comments."""
    placed = {rule.is_ for rule in before.places} | {rule.meaning.is_ for rule in before.objects}
    placed |= {meaning.is_ for meaning in before.names.values()}
    text = ""
    for word, lacks in (("start", lacks_start), ("goal", lacks_goal)):
        if lacks and word not in placed:
            text += (
                f"#\n# No {word} was found. Make a class or an object of a certain name one, such as\n"
                f'#   names."the name of the object".is = "{word}"\n'
                f"# or put one on a tile, at the end of this file:\n"
                f'#   [[place]]\n#   is = "{word}"\n#   row = 3\n#   column = 7\n'
            )
    if lacks_walls and before.walls is None:
        text += '#\n# Nothing is a wall yet. If that is meant, write:  map.walls = "none"\n'
    return text


# Lines


def _lines(seen: Inventory) -> Iterator[Line]:
    for name, account in seen.classes.items():
        yield from _class_lines(name, account)
    for layer, values in seen.int_grids.items():
        for name, one in values.items():
            meaning = one.meaning or guess_terrain(name) or UNDECIDED
            yield Line(("int_grid", layer, name), meaning, counted(one.count, "cell"))
    for (_, name), account in seen.nameless.items():
        if name and account.must_be_decided and account.meaning is None:
            yield Line(("names", name, "is"), UNDECIDED, f"{counted(account.count, 'object')} without a class")
            for word, one in account.properties.items():
                yield Line(("names", name, "properties", word), UNDECIDED, f"{_values(one)}; after what it is")
    yield from _layer_lines(seen)
    yield from _tile_lines(seen)
    if seen.lacks_tiles:
        yield Line(("map", "empty"), "floor", "there is no tile layer: cells in which nothing was drawn")
    if seen.collision_shapes.count:
        cells = counted(seen.collision_shapes.count, "cell")
        yield Line(("map", "collision_shapes"), "wall", f"tiles with shapes of the collision editor, {cells}")


def _class_lines(name: str, account: ClassSeen) -> Iterator[Line]:
    kind = account.meaning or guess_class(name, account)
    called = f": {', '.join(account.samples)}" if account.samples else ""
    yield Line(("classes", name, "is"), kind, f"{counted(account.count, 'object')}{called}")
    if kind in (IGNORE, UNDECIDED):
        if kind == UNDECIDED:
            for word, one in account.properties.items():
                yield Line(("classes", name, "properties", word), UNDECIDED, f"{_values(one)}; after its class")
        return
    for word, one in account.properties.items():
        meaning = one.meaning or guess_property(kind, word, one)
        if meaning == UNDECIDED and (kind in LENIENT or kind in TERRAIN_WORDS) and not decides(word):
            meaning = IGNORE
        choices = ", ".join(_spelt(each) for each in ("name", *PROPERTIES.get(kind, ()))) + ", ignore"
        comment = _values(one) + (f"; {choices}" if meaning == UNDECIDED else "")
        yield Line(("classes", name, "properties", word), _spelt(meaning), comment)


def _layer_lines(seen: Inventory) -> Iterator[Line]:
    for name, layer in seen.layers.items():
        if layer.kind == "image":
            yield Line(("layers", name), IGNORE, "an image layer")
        elif layer.kind == "objects" and not layer.has_classes and layer.meaning is None:
            inside = [(called, one) for (where, called), one in seen.nameless.items() if where == name]
            if inside:
                meaning = UNDECIDED if any(one.must_be_decided for _, one in inside) or decides(name) else IGNORE
                count = sum(one.count for _, one in inside)
                called = ", ".join([called for called, _ in inside if called][:4])
                comment = f"{counted(count, 'object')} without a class{f': {called}' if called else ''}"
                yield Line(("layers", name), meaning, comment)
        elif layer.meaning is not None and layer.kind in ("tiles", "objects"):
            yield Line(("layers", name), layer.meaning, "tiles that say nothing themselves")
        elif layer.kind == "tiles" and layer.tiles_without_meaning:
            cells = sum(layer.tiles_without_meaning.values())
            meaning = guess_terrain(name) or UNDECIDED
            comment = f"{counted(cells, 'cell')} whose tiles say nothing; or decide by tiles, below"
            yield Line(("layers", name), meaning, comment)


def _tile_lines(seen: Inventory) -> Iterator[Line]:
    for name, values in seen.tile_properties.items():
        for value, one in values.items():
            meaning = one.meaning or (UNDECIDED if one.must_be_decided else IGNORE)
            yield Line(("tile_properties", name, value), meaning, counted(one.count, "cell"))
    for name, tiles in seen.tile_sets.items():
        blank = {id: one for id, one in tiles.ids.items() if one.meaning is None}
        if blank:
            ids = ", ".join(f"{id} ({one.count})" for id, one in sorted(blank.items())[:_MOST_IDS])
            more = f" and {len(blank) - _MOST_IDS} more" if len(blank) > _MOST_IDS else ""
            yield Line(("tiles", name, "rest"), UNDECIDED, f'ids and cells: {ids}{more}; "0-4, 9" names some')
        if tiles.colours and not any(one.meaning for one in tiles.colours.values()):
            for colour, one in tiles.colours.items():
                meaning = guess_terrain(colour) or UNDECIDED
                yield Line(("wang", name, colour), meaning, f"terrain of {counted(one.count, 'cell')}")
            yield Line(("wang", name, "mixed"), UNDECIDED, "tiles of several meanings")


def _values(one: Seen) -> str:
    return f"{counted(one.count, 'time')}: {', '.join(one.samples)}"


def _spelt(word: str) -> str:
    return {"openedby": "opened_by", "twoway": "two_way", "partof": "part_of", "waysonly": "ways_only"}.get(word, word)


# TOML


def _quoted(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return name
    return '"' + "".join(_escaped(letter) for letter in name) + '"'


def _escaped(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def _flatten(raw: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested tables with its key; lists of tables are left out."""
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from _flatten(value, (*at, name))
        elif not isinstance(value, list):
            yield (*at, name), value


def _shorthands(raw: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """Return the classes that are decided as a whole, in short."""
    classes = raw.get("classes", {})
    names = raw.get("names", {})
    return {("classes", name) for name, value in classes.items() if isinstance(value, str)} | {
        ("names", name) for name, value in names.items() if isinstance(value, str)
    }


def _tables(raw: Mapping[str, Any]) -> str:
    text = ""
    for section in ("objects", "place"):
        for one in raw.get(section, []):
            text += f"\n[[{section}]]\n"
            text += "".join(f"{_quoted(name)} = {_inline(value)}\n" for name, value in one.items())
    return text


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_quoted(name)} = {_inline(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else '"' + "".join(map(_escaped, str(value))) + '"'
