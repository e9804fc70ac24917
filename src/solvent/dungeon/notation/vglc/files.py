"""Find the graph and the matching that belong to a tile map, by the names of files.

In the corpus, `Processed/tlozN_Q.txt` is dungeon N of quest Q and its graph is `Graph Processed/LoZ_N.dot`, or
`LoZ2_N.dot` in quest 2. Elsewhere a graph stands beside its map: with the same name, or as the only one in the folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.errors import BadOption, ParseError
from solvent.core.file_access import may_open
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.vglc.building import build_dungeon
from solvent.dungeon.notation.vglc.embedding import embed
from solvent.dungeon.notation.vglc.graph import Graph, parse_dot
from solvent.dungeon.notation.vglc.matching import Matching, read_matching, reference_matching
from solvent.dungeon.notation.vglc.tiles import TileMap, parse_tiles
from solvent.formats.companion_files import is_there, read_text
from solvent.formats.typed_json import read_json

_CORPUS_NAME = re.compile(r"tloz([1-9])_([12])")


class _MapFolder(Struct, frozen=True):
    """Find the files around a map."""

    path: Path

    @property
    def number(self) -> tuple[int, int] | None:
        """Return dungeon and quest, if the map is named as in the corpus."""
        match = _CORPUS_NAME.fullmatch(self.path.stem)
        return (int(match[1]), int(match[2])) if match else None

    def graph(self) -> Path:
        """Return the file with the graph, or raise ParseError saying where it could be."""
        folder, tried = self.path.parent, []
        if self.number is not None:
            dungeon, quest = self.number
            tried.append(folder.parent / "Graph Processed" / f"LoZ{'2' if quest == 2 else ''}_{dungeon}.dot")
        tried.append(self.path.with_suffix(".dot"))
        for candidate in tried:
            if is_there(candidate):
                return candidate
        others = [other for other in sorted(folder.glob("*.dot")) if may_open(other)]
        if len(others) == 1:
            return others[0]
        found = f"{len(others)} other .dot files" if others else "no .dot file"
        raise ParseError(f"the graph of the tile map beside it, as {self.path.stem}.dot", found)

    def matching(self) -> tuple[Path, Any, str] | None:
        """Return the file with the matching, the part of it that is meant, and the path to that part."""
        own = self.path.with_name(f"{self.path.stem}.matching.json")
        if is_there(own):
            return own, _read_json(own), ""
        if self.number is not None:
            dungeon, quest = self.number
            key = f"{quest}-{dungeon}"
            for shared in (self.path.parent / "embedding.json", self.path.parent.parent / "embedding.json"):
                if is_there(shared):
                    values = _read_json(shared)
                    if isinstance(values, dict) and key in values:
                        return shared, values[key], key
        return None

    def title(self) -> str:
        """Return what to call the dungeon."""
        return self.path.stem if self.number is None else f"quest {self.number[1]}, dungeon {self.number[0]}"


def parse_map(text: str, path: Path | None) -> Dungeon:
    """Read a tile map with the graph and the matching beside it, or raise ParseError."""
    tiles = parse_tiles(text)
    if path is None:
        raise ParseError(
            "the graph of the tile map: keep the map in a file and its graph beside it, with the same name and .dot, "
            "or drop both on the page"
        )
    folder = _MapFolder(path)
    graph_path = folder.graph()
    graph_text = read_text(graph_path, "graph")
    try:
        graph = parse_dot(graph_text)
    except ParseError as error:
        raise error.in_source(graph_path.name) from None
    matching = _find_matching(folder, text, graph_text, tiles, graph)
    return build_dungeon(tiles, graph, matching, title=folder.title())


def _find_matching(folder: _MapFolder, map_text: str, graph_text: str, tiles: TileMap, graph: Graph) -> Matching:
    given = folder.matching()
    if given is not None:
        file, values, path = given
        try:
            return _noted(read_matching(values, tiles, graph, path=path), f"{file.name} says which node is which room")
        except ParseError as error:
            raise error.in_source(file.name) from None
    known = reference_matching(map_text, graph_text)
    if known is not None:
        return _noted(read_matching(known, tiles, graph), "which node is which room is known for this map and graph")
    return embed(tiles, graph, walls=folder.number is not None and folder.number[1] == 2)


def _noted(matching: Matching, remark: str) -> Matching:
    return Matching(matching.rooms, matching.basements, matching.parts, (remark,))


def _read_json(path: Path) -> Any:
    try:
        return read_json(read_text(path, "matching"), Any, "a matching")
    except ParseError as error:
        raise error.in_source(path.name) from None


def format_map(dungeon: Dungeon) -> str:
    """Refuse to write a tile map: it could not say what lies in the rooms, nor what bars the ways."""
    del dungeon
    raise BadOption("tile maps of the VGLC are only read; write the dungeon as text, tmj, tmx or ldtk")
