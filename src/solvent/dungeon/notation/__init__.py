"""Every format of dungeons, to and from the model. Which one a text is in is told from the text itself."""

from __future__ import annotations

from pathlib import Path

from solvent.core.errors import ParseError
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ruling import with_rules

__all__ = ["format_dungeon", "parse_dungeon", "parse_file", "sniff", "with_rules"]


def sniff(text: str) -> bool:
    """Tell whether the text looks like a dungeon in one of the formats."""
    return _format_of(text) is not None


def parse_dungeon(text: str) -> Dungeon:
    """Read a dungeon that is complete in one text."""
    return _parse(text, None)


def parse_file(text: str, path: Path) -> Dungeon:
    """Read a dungeon from a file that may need others beside it."""
    return _parse(text, path)


def format_dungeon(dungeon: Dungeon, format: str) -> str:
    """Write a dungeon in one of the formats; raises BadOption where the format cannot hold it."""
    if format == "text":
        from solvent.dungeon.notation.text import format_text

        return format_text(dungeon)
    if format in ("tmj", "tmx"):
        from solvent.dungeon.notation import tiled

        return tiled.format_tmj(dungeon) if format == "tmj" else tiled.format_tmx(dungeon)
    if format == "ldtk":
        from solvent.dungeon.notation.ldtk import format_ldtk

        return format_ldtk(dungeon)
    from solvent.dungeon.notation import vglc

    return vglc.format_graph(dungeon) if format == "dot" else vglc.format_map(dungeon)


def _format_of(text: str) -> str | None:
    """Return the name of the format a text looks like; each look costs little."""
    from solvent.dungeon.notation.text import sniff_text

    if sniff_text(text):
        return "text"
    first = text.lstrip()[:1]
    if first in ("{", "<"):
        from solvent.dungeon.notation import ldtk, tiled

        if first == "<":
            return "tmx" if tiled.sniff_tmx(text) else None
        return "tmj" if tiled.sniff_tmj(text) else "ldtk" if ldtk.sniff_ldtk(text) else None
    from solvent.dungeon.notation import vglc

    return "dot" if vglc.sniff_graph(text) else "vglc" if vglc.sniff_map(text) else None


def _parse(text: str, path: Path | None) -> Dungeon:
    format = _format_of(text)
    if format == "text":
        from solvent.dungeon.notation.text import parse_text

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
