"""A mapping: one small file that says what the names of a project's maps mean, `solvent-mapping.toml`.

`model` is what it says, `parsing` reads it, `finding` looks for it beside a map, `drafting` writes a first one from the
names that `editor.names` met while reading. `table` has its names one by one, each with what it may mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solvent.core.domain import MappingDraft
    from solvent.dungeon.model import Dungeon


def read_with_mapping(text: str, path: Path | None, file: Path) -> Dungeon:
    """Read a map of a level editor by the mapping in a file, or raise ParseError."""
    from solvent.core.errors import BadOption
    from solvent.core.source import Source
    from solvent.dungeon.formats import EDITOR_FORMATS, FORMATS
    from solvent.dungeon.notation.mapping.finding import load_mapping

    name = FORMATS.find(text)
    if name not in EDITOR_FORMATS:
        raise BadOption("a mapping is for maps of Tiled and LDtk; this file needs none")
    parse = FORMATS.function(FORMATS.rows[name].parse)
    source = Source(text, None if path is None else str(path), str(file))
    return FORMATS.with_source(parse(text, path, load_mapping(file)), source)


def draft_mapping(texts: Sequence[tuple[str, Path | None]], known: str, source: str) -> MappingDraft:
    """Write a mapping from the names in some maps; keeps all that `known`, the text of one, says already."""
    from solvent.dungeon.notation.mapping.drafting import draft

    return draft(texts, known, source)


def decide(known: str, decisions: Sequence[tuple[Sequence[str], str]], places: Sequence[Mapping[str, Any]]) -> str:
    """Return a mapping with other meanings, and with things put on tiles, or raise BadOption."""
    from solvent.dungeon.notation.mapping import table

    return table.decide(known, decisions, places)
