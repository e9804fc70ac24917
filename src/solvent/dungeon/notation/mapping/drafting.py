"""Write a mapping from the names in some maps: every name with how often and samples, the obvious ones guessed.

Each name is one line of TOML, so that lines can be moved and compared. What is undecided stands on top. A mapping that
there is already stays as it is, comments and all; what is new is put before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from solvent.core.domain import MappingDraft
from solvent.core.errors import NotRecognised, ParseError
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.notation.editor.inventory import Inventory
from solvent.dungeon.notation.editor.names import Names
from solvent.dungeon.notation.editor.objects import CLASSES
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED, NameMapping
from solvent.dungeon.notation.mapping.name_lines import guess_missing, lines_of
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS, parse_mapping
from solvent.dungeon.notation.mapping.table import rows_of
from solvent.dungeon.notation.mapping.toml_lines import Line, as_comment, flatten, shorthands, write_tables

_HEADING = """\
# What the names of this project mean to Solvent.
# This file lies beside the maps, or in a folder above them. Each line gives
# one name a meaning: "?" is still undecided, and "ignore" leaves it out.
# 'solvent mapping' adds names that are new, and changes nothing else.
"""
_THINGS = as_comment(f"A class can be: {', '.join(sorted(CLASSES))};") + as_comment(
    f"or terrain: {', '.join(TERRAIN_WORDS)}; or ignore."
)
_TERRAIN = as_comment(f"Tiles, values and layers can be: {', '.join(TERRAIN_WORDS)}; or ignore.")


class _Lacking(Struct):
    """Hold what some map has none of, and what it is then to know."""

    things: list[str]
    """`start`, `goal`."""
    walls: bool = False
    levels: Sequence[str] = ()
    """The levels of such a map, if it has several."""


def draft(texts: Sequence[tuple[str, Path | None]], known: str, source: str) -> MappingDraft:
    """Return a mapping with every name in these maps."""
    before = parse_mapping(known, source)
    lines: dict[tuple[str, ...], Line] = {}
    lacking = _Lacking([])
    for text, path in texts:
        seen, levels = _survey(text, path, before)
        found = list(lines_of(seen))
        found += guess_missing(seen, found)
        _note_lacking(lacking, seen, found, levels)
        for line in found:
            held = lines.get(line.key)
            if held is None or (held.meaning == UNDECIDED and line.meaning != UNDECIDED):
                lines[line.key] = line
    flat = dict(flatten(before.raw))
    new = [line for line in lines.values() if line.key not in flat and line.key[:2] not in shorthands(before.raw)]
    open_before = [key for key, value in flat.items() if value == UNDECIDED and not _is_settled(key, before)]
    notes = _notes(before, lacking)
    body = _compose(new, known, before, notes if new or not known.strip() else "")
    after = parse_mapping(body, source)  # what is written can be read
    undecided = [*(".".join(key) for key in open_before), *(".".join(x.key) for x in new if x.meaning == UNDECIDED)]
    rows = rows_of(after, {line.key: line.comment for line in lines.values()}, set(undecided))
    missing = [*_unplaced(before, lacking), *(["walls"] if lacking.walls and before.walls is None else [])]
    return MappingDraft(body, len(flat) + len(new), undecided, len(new), rows, missing, lacking.levels)


def _is_settled(key: tuple[str, ...], mapping: NameMapping) -> bool:
    """Tell whether a name needs no decision, since its class is left out."""
    if len(key) < 3 or key[0] not in ("classes", "names"):
        return False
    meaning = mapping.names.get(key[1]) if key[0] == "names" else mapping.classes.get(key[1])
    return meaning is not None and meaning.is_ == IGNORE and key[2] == "properties"


def _note_lacking(lacking: _Lacking, seen: Inventory, lines: Sequence[Line], levels: Sequence[str]) -> None:
    """Keep account of what a map has none of, even if all guesses are right."""
    for word, is_there in (("start", seen.has_start), ("goal", seen.has_goal)):
        if not is_there and not any(line.meaning == word for line in lines):
            lacking.levels = lacking.levels or levels
            if word not in lacking.things:
                lacking.things.append(word)
    says_wall = seen.says_wall or any(line.meaning == "wall" and line.key[0] != "int_grid" for line in lines)
    lacking.walls = lacking.walls or not says_wall


def _survey(text: str, path: Path | None, mapping: NameMapping) -> tuple[Inventory, Sequence[str]]:
    """Return the names in one map, and of its levels if it has several.

    A map that cannot be built yet can be looked through all the same.
    """
    from solvent.dungeon.notation.ldtk.reading import read_ldtk_file
    from solvent.dungeon.notation.tiled.reading import read_tiled_file

    names = Names(mapping, path)
    read = read_ldtk_file if FORMATS.find(text) == "ldtk" else read_tiled_file
    levels: list[str] = []
    try:
        levels = list(read(text, path, names).levels)
    except NotRecognised:
        pass  # a level of a project that cannot be played alone; its names were met all the same
    except ParseError as error:
        raise error if path is None else error.in_source(str(path)) from None
    return names.seen, levels if len(levels) > 1 else []


def _compose(new: Sequence[Line], known: str, before: NameMapping, notes: str) -> str:
    if not known.strip():
        return _HEADING + notes + _blocks(new)
    if not new:
        return known
    added = "# New names\n" + notes + _blocks(new) + "\n"
    try:
        tomllib.loads(added + known.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:  # names of one table in two places: all is written anew, decisions kept
        kept = [Line(key, str(value), "") for key, value in flatten(before.raw)]
        return _HEADING + notes + _blocks([*new, *kept]) + write_tables(before.raw)
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
        text += "\n# Decided by our own words, or guessed: change what is wrong.\n"
        text += "".join(f"{line}\n" for line in decided)
    return text


def _unplaced(before: NameMapping, lacking: _Lacking) -> list[str]:
    """Return what some map has none of and the mapping puts nowhere either."""
    placed = {rule.is_ for rule in before.places} | {rule.meaning.is_ for rule in before.objects}
    placed |= {meaning.is_ for meaning in (*before.names.values(), *before.classes.values())}
    return [word for word in lacking.things if word not in placed]


def _notes(before: NameMapping, lacking: _Lacking) -> str:
    """Return advice for maps that lack something, as comments."""
    missing = _unplaced(before, lacking)
    text = ""
    if missing:
        word = missing[0]
        level = f'#   level = "{lacking.levels[0]}"\n' if lacking.levels and lacking.levels[0].isprintable() else ""
        text += (
            f"#\n# There is no {' and no '.join(missing)} yet. Make a class one, or objects of some name:\n"
            f'#   names."the name of the object".is = "{word}"\n'
            f"# or put one on a tile, at the end of this file; rows and columns count from 0:\n"
            f'#   [[place]]\n#   is = "{word}"\n{level}#   row = 3\n#   column = 7\n'
        )
    if lacking.walls and before.walls is None:
        text += '#\n# Nothing is a wall yet. If that is meant, write:  map.walls = "none"\n'
    return text
