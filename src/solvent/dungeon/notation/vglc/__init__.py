"""Dungeons as the Video Game Level Corpus has them: tile maps, graphs of their rooms, and which node is which room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.core.errors import BadOption

if TYPE_CHECKING:
    from pathlib import Path

    from solvent.dungeon.model import Dungeon

__all__ = ["format_graph", "format_map", "parse_graph", "parse_map_file"]


def parse_graph(text: str) -> Dungeon:
    """Read a graph alone as a dungeon of one tile a room, or raise ParseError."""
    from solvent.dungeon.notation.vglc import rooms_only

    return rooms_only.parse_graph(text)


def format_graph(dungeon: Dungeon) -> str:
    """Write a dungeon of one tile a room as a graph; raises BadOption for what a graph cannot say."""
    from solvent.dungeon.notation.vglc import rooms_only

    return rooms_only.format_graph(dungeon)


def parse_map_file(text: str, path: Path | None) -> Dungeon:
    """Read a tile map with the graph and the matching beside it, or raise ParseError."""
    from solvent.dungeon.notation.vglc import files

    return files.parse_map_file(text, path)


def format_map(dungeon: Dungeon) -> str:
    """Refuse to write a tile map: it could not say what lies in the rooms, nor what bars the ways."""
    del dungeon
    raise BadOption("tile maps of the VGLC are only read; write the dungeon as text, tmj, tmx or ldtk")
