"""Every format of dungeons, to and from the model. Which one a text is in is told from the text itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.errors import ParseError
from solvent.dungeon.detection import format_of, sniff

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from solvent.dungeon.model import Dungeon

__all__ = ["format_dungeon", "parse_dungeon", "parse_file", "sniff"]


def parse_dungeon(text: str) -> Dungeon:
    """Read a dungeon that is complete in one text."""
    return _parse(text, None)


def parse_file(text: str, path: str | os.PathLike[str]) -> Dungeon:
    """Read a dungeon from a file that may need others beside it."""
    if format_of(text) == "text":  # complete in itself
        return _parse(text, None)
    from pathlib import Path

    return _parse(text, Path(path))


def format_dungeon(dungeon: Dungeon, format: str) -> str:
    """Write a dungeon in one of the formats; raises BadOption where the format cannot hold it."""
    if format == "text":
        from solvent.dungeon.notation.text.writing import format_text

        return format_text(dungeon)
    if format in ("tmj", "tmx"):
        from solvent.dungeon.notation import tiled

        return tiled.format_tmj(dungeon) if format == "tmj" else tiled.format_tmx(dungeon)
    if format == "ldtk":
        from solvent.dungeon.notation.ldtk import format_ldtk

        return format_ldtk(dungeon)
    from solvent.dungeon.notation import vglc

    return vglc.format_graph(dungeon) if format == "dot" else vglc.format_map(dungeon)


def _parse(text: str, path: Path | None) -> Dungeon:
    format = format_of(text)
    if format == "text":
        from solvent.dungeon.notation.text.reading import parse_text

        return parse_text(text)
    if format in ("tmj", "tmx"):
        from solvent.dungeon.notation import tiled

        return tiled.parse_tmj(text, path) if format == "tmj" else tiled.parse_tmx(text, path)
    if format == "ldtk":
        from solvent.dungeon.notation.ldtk import parse_ldtk

        return parse_ldtk(text, path)
    if format == "dot":
        from solvent.dungeon.notation import vglc

        return vglc.parse_graph(text)
    if format == "vglc":
        from solvent.dungeon.notation import vglc

        return vglc.parse_map_file(text, path)
    raise ParseError(
        "a dungeon: a text that begins with 'dungeon:', a Tiled or LDtk map, or a VGLC map or graph", text[:40]
    )
