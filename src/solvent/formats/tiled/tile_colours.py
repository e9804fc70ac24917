"""The names of the Wang colours on the tiles of a tileset, as far as a map needs them."""

from __future__ import annotations

from solvent.core.safe_xml import Element


def read_tile_colours(tileset: Element) -> dict[int, list[str]]:
    """Return the names of the colours on each tile, each once; colours without a name are called by their number."""
    holder = tileset.first("wangsets")
    found: dict[int, list[str]] = {}
    for wang_set in holder.all("wangset") if holder is not None else ():
        names = [colour.attributes.get("name") or str(at) for at, colour in enumerate(wang_set.all("wangcolor"), 1)]
        for tile in wang_set.all("wangtile"):
            colours = found.setdefault(tile.integer("tileid"), [])
            for number in _numbers(tile):
                name = names[number - 1] if 1 <= number <= len(names) else ""
                if name and name not in colours:
                    colours.append(name)
    return found


def _numbers(tile: Element) -> list[int]:
    """Return the colours of a tile's corners and edges; other notations than a list of eight are not read."""
    words = tile.attributes.get("wangid", "").split(",")
    return [int(word) for word in words if word.strip().isdecimal() and len(word) < 9]
