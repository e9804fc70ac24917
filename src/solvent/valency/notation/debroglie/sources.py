"""What a configuration is learned from: a picture, a table of words, a Tiled map or tileset, or a voxel model.

Tiles are called by colours, words or numbers; those of Tiled may also be called by their property `name`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import numpy as np
from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Companion, decode, read_bytes
from solvent.formats.tiled.parsing import TERRAIN_LISTS, read_tiled
from solvent.formats.tiled.terrain_sets import read_terrain_sets
from solvent.valency.art import Art
from solvent.valency.model import Look
from solvent.valency.notation.debroglie.shapes import Word
from solvent.valency.notation.map_samples import PictureCutter, make_art, make_symbol, read_map_sample
from solvent.valency.notation.pictures import beside, read_png
from solvent.valency.notation.samples import EMPTY, SQUARES, Cells, Sample, Symbol, sample_of_picture

SOURCE = Companion("sample", (".png", ".csv", ".tmx", ".tmj", ".tsx", ".tsj", ".vox"), 64 << 20)
_MAPS, _TILESETS = (".tmx", ".tmj"), (".tsx", ".tsj")
MAX_TILE = 1 << 28


class Source(Struct):
    """Hold a sample and its tiles; tiles that it does not show are added when they are asked for."""

    grid: str
    cells: Cells | None
    """None where there is no sample, only tiles."""
    symbols: list[Symbol]
    values: dict[str, int]
    """The number of each symbol by the word that configurations call it."""
    make: Callable[[str], Symbol] | None = None
    """Make a symbol that the sample does not show; None if there are no others."""
    art: Art | None = None
    names: dict[str, str] = {}
    """Other words for the same tiles."""
    is_flipped: bool = False
    """Whether y leads the other way than in the configuration."""

    def number(self, word: Word, path: str) -> int:
        """Return the number of the symbol that a word stands for, or raise ParseError."""
        value = str(word).strip()
        if "!" in value:
            raise ParseError(
                "a tile without a turn after it: tiles that are made by turning are not supported yet", value, path=path
            )
        value = self.names.get(value, value.lower() if value.startswith("#") else value)
        if value not in self.values:
            if self.make is None:
                known = ", ".join(list(self.values)[:8])
                raise ParseError(f"a tile of the sample: {known}", value, path=path)
            if not (value.isascii() and value.isdigit() and int(value) < MAX_TILE):
                raise ParseError("the number of a tile in the tileset", value, path=path)
            try:
                self.symbols.append(self.make(value))
            except ParseError as error:
                raise ParseError(f"a tile of the tileset ({error})", value, path=path) from None
            self.values[value] = len(self.symbols) - 1
        return self.values[value]

    def sample(self, cells: Cells | None = None) -> Sample:
        """Return the sample with all symbols that were asked for."""
        shown = cells if cells is not None else self.cells if self.cells is not None else np.zeros((1, 1), np.int32)
        return Sample(tuple(self.symbols), shown, self.grid, self.art)


def read_source(name: str, path: Path | None, remark: Callable[[str], None]) -> Source:
    """Read what a configuration at `path` names, or raise ParseError."""
    where = {"path": "$.src"}
    file = SOURCE.find(path, name, where)
    data = read_bytes(file, "sample", name, where, SOURCE.largest_bytes)
    ending = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    try:
        if ending == ".png":
            return _from_picture(data, name)
        if ending == ".vox":
            return _from_voxels(data, name)
        text = decode(data, "sample", name, where)
        if ending == ".csv":
            return _from_words(text)
        return _from_tiled(text, file, ending, remark)
    except ParseError as error:
        raise error.in_source(name) from None


def _from_picture(data: bytes, name: str) -> Source:
    sample = sample_of_picture(read_png(data, name))
    return Source(SQUARES, sample.cells, list(sample.symbols), _by_name(sample))


def _from_voxels(data: bytes, name: str) -> Source:
    from solvent.valency.notation.voxels import sample_of_voxels

    sample = sample_of_voxels(data, name)
    values = {"0" if EMPTY in symbol.tags else symbol.name: at for at, symbol in enumerate(sample.symbols)}
    return Source(sample.grid, sample.cells, list(sample.symbols), values, is_flipped=True)


def _by_name(sample: Sample) -> dict[str, int]:
    return {symbol.name: number for number, symbol in enumerate(sample.symbols)}


def _from_words(text: str) -> Source:
    rows = [[word.strip() for word in line.split(",")] for line in text.strip().splitlines()]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ParseError(f"{len(rows[0])} words, as in the first row", len(row), line=number)
        for word in row:
            if not word or not word.isprintable():
                raise ParseError("words with commas between them", word, line=number)
    values = {word: at for at, word in enumerate(dict.fromkeys(word for row in rows for word in row))}
    cells = np.array([[values[word] for word in row] for row in rows], dtype=np.int32)
    return Source(SQUARES, cells, [Symbol(word, Look()) for word in values], values)


def _from_tiled(text: str, file: Path, ending: str, remark: Callable[[str], None]) -> Source:
    tilesets = read_terrain_sets(text, file)
    cutter = PictureCutter(tilesets, beside(file, follows_parents=True))

    def make(word: str) -> Symbol:
        return make_symbol((int(word),), tilesets, cutter)

    names = _named_tiles(text, file, ending)
    if ending in _TILESETS:
        art = make_art(read_tiled(text, ("tileset",), "a Tiled tileset", TERRAIN_LISTS), tilesets, file)
        return Source(SQUARES, None, [], {}, make, art, names)
    sample = read_map_sample(text, file, read_beside=beside(file, follows_parents=True), remark=remark)
    if any(len(symbol.look.tiles) != 1 for symbol in sample.symbols):
        raise ParseError("a map with one tile layer: several are not supported yet in a configuration")
    values = {str(symbol.look.tiles[0]): number for number, symbol in enumerate(sample.symbols)}
    return Source(sample.grid, sample.cells, list(sample.symbols), values, make, sample.art, names)


def _named_tiles(text: str, file: Path, ending: str) -> dict[str, str]:
    """Return the numbers of tiles by their property `name`."""
    if not re.search(r"\bname\b", text) or ending not in _MAPS:
        return {}
    from solvent.formats.tiled.maps import read_map

    return {
        str(tile.properties["name"]): str(tileset.first + number)
        for tileset in read_map(text, file, as_drawn=True).tilesets
        for number, tile in tileset.tiles.items()
        if "name" in tile.properties
    }
