"""Terrains of a Godot tileset (.tres) as rules: two tiles may touch if their peering bits agree where they meet.

A terrain set matches sides, corners, or both. Where a tile has no terrain on a bit, its neighbour must have none
either, unless `unset_is_any`. Squares, isometric diamonds and hexagons are read; alternative tiles are modules too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
from msgspec import Struct

from solvent.core.errors import ParseError, unknown_name
from solvent.formats.companion_files import is_there, read_bytes
from solvent.formats.godot import Call, Section, pair, read_resource
from solvent.valency.art import GODOT, HEXAGONAL, ISOMETRIC, ORTHOGONAL, STAGGERED, Art, TileSheet, turn_bits
from solvent.valency.model import HEX_ORBITALS, SQUARE_ORBITALS, Layer, Look, Module, Rules
from solvent.valency.notation.adjacency import make_rules, require_module_count
from solvent.valency.notation.pictures import (
    LONGEST_TILE_SIDE,
    Pixels,
    average_colour,
    read_png,
    write_png,
)
from solvent.valency.notation.wang import touching

WHAT = "a Godot tileset"
BOTH, CORNERS, SIDES = 0, 1, 2
"""The modes of a terrain set."""
SQUARE_SHAPE, ISOMETRIC_SHAPE, HEX_SHAPE = 0, 1, 3
STACKED, DIAMOND_DOWN = 0, 5
"""Layouts: rows of which every second is shifted, and axes that lead down to both sides."""
ALTERNATIVE = "godot_alternative"
"""The property of a module that is an alternative of a tile."""
MAX_PARENTS = 8
"""How far above the tileset a project is looked for."""
COLUMNS = 1 << 14
"""Tiles are numbered by row and column as if each picture had so many columns."""

_PLACES = ("top", "top_right", "right", "bottom_right", "bottom", "bottom_left", "left", "top_left")
# What bits are called on each shape, in the terms of a square: its sides, then the corners after each of them.
_SQUARE_BITS = {f"{place}_{'corner' if at % 2 else 'side'}": place for at, place in enumerate(_PLACES)}
_DIAMOND_BITS = {
    "top_right_side": "top",
    "bottom_right_side": "right",
    "bottom_left_side": "bottom",
    "top_left_side": "left",
    "right_corner": "top_right",
    "bottom_corner": "bottom_right",
    "left_corner": "bottom_left",
    "top_corner": "top_left",
}
_SQUARE_PAIRS = (
    (("top_right", "top_left"), ("right", "left"), ("bottom_right", "bottom_left")),
    (("bottom_left", "top_left"), ("bottom", "top"), ("bottom_right", "top_right")),
)
_HEX_PLACES = (
    *(f"{place}_side" for place in ("right", "bottom_right", "bottom_left", "left", "top_left", "top_right")),
    *(f"{place}_corner" for place in ("top", "top_right", "bottom_right", "bottom", "bottom_left", "top_left")),
)
_HEX_PAIRS = (
    (
        ("right_side", "left_side"),
        ("top_right_corner", "top_left_corner"),
        ("bottom_right_corner", "bottom_left_corner"),
    ),
    (
        ("bottom_right_side", "top_left_side"),
        ("bottom_right_corner", "top_corner"),
        ("bottom_corner", "top_left_corner"),
    ),
    (
        ("bottom_left_side", "top_right_side"),
        ("bottom_corner", "top_right_corner"),
        ("bottom_left_corner", "top_corner"),
    ),
)
# Hexagons in columns are those in rows with x and y exchanged.
_EXCHANGED = {
    "bottom_side": "right_side",
    "bottom_right_side": "bottom_right_side",
    "top_right_side": "bottom_left_side",
    "top_side": "left_side",
    "top_left_side": "top_left_side",
    "bottom_left_side": "top_right_side",
    "left_corner": "top_corner",
    "bottom_left_corner": "top_right_corner",
    "bottom_right_corner": "bottom_right_corner",
    "right_corner": "bottom_corner",
    "top_right_corner": "bottom_left_corner",
    "top_left_corner": "top_left_corner",
}

Remark = Callable[[str], None]


class _Tile(Struct, frozen=True):
    """Hold one tile of a terrain set."""

    source: int
    column: int
    row: int
    alternative: int
    properties: Mapping[str, object]
    line: int


def parse_godot(
    text: str,
    path: Path | None,
    *,
    subset: str | None = None,
    remark: Remark = lambda _message: None,
    unset_is_any: bool = False,
    name: str = "",
) -> Rules:
    """Read the terrain set with this number, or the first there is, which is then remarked on if there are others."""
    sections = read_resource(text, WHAT)
    resource = next((one for one in sections if one.kind == "resource"), None)
    if not sections or sections[0].attributes.get("type") != "TileSet" or resource is None:
        raise ParseError(f'{WHAT}: [gd_resource type="TileSet"] with a [resource]', line=1)
    modes = _terrain_sets(resource)
    if not modes:
        raise ParseError("a tileset with a terrain set (terrain_set_0/mode), but there is none", line=resource.line)
    names = [str(number) for number in modes]
    if subset is not None and subset not in names:
        raise unknown_name("terrain set", subset, names)
    chosen = int(names[0] if subset is None else subset)
    if subset is None and len(names) > 1:
        remark(f"The terrain set {chosen} is used; there are also: {', '.join(names[1:])}.")
    atlases = _atlases(sections, resource, remark)
    tiles = [tile for number, atlas in atlases.items() for tile in _tiles(number, atlas, chosen)]
    require_module_count(len(tiles), "tiles in a terrain set")
    art = _art(resource, atlases, path)
    places, bits, pairs, layer = _geometry(art)
    colours = np.zeros((len(tiles), len(places)), dtype=np.int16)
    for number, tile in enumerate(tiles):
        for key, value in tile.properties.items():
            if key.startswith("terrains_peering_bit/"):
                bit = bits.get(key.partition("/")[2])
                if bit is None or not isinstance(value, int) or not -1 <= value < 1 << 14:
                    raise ParseError(f"a peering bit of such tiles: {', '.join(bits)}", key, line=tile.line)
                colours[number, places.index(bit)] = value + 1
    corners = [place for place in places if _is_corner(place)]
    wanted = {BOTH: places, CORNERS: corners, SIDES: [one for one in places if one not in corners]}
    if modes[chosen] not in wanted:
        raise ParseError("mode: 0 (corners and sides), 1 (corners) or 2 (sides)", modes[chosen], line=resource.line)
    tables = []
    for along in pairs:
        counted = [(places.index(a), places.index(b)) for a, b in along if a in wanted[modes[chosen]]]
        tables.append(touching(colours, counted, unset_is_any))
    modules = _modules(tiles, art, _Pictures(sections, path, remark), resource, chosen)
    both = [*tables, *(table.T for table in tables)]
    return replace(make_rules(name or "tileset", modules, layer, both), art=art)


def _is_corner(place: str) -> bool:
    return place.endswith("_corner") or (place in _PLACES and _PLACES.index(place) % 2 == 1)


def _geometry(
    art: Art,
) -> tuple[Sequence[str], Mapping[str, str], Sequence[Sequence[tuple[str, str]]], Layer]:
    """Return the places of colours, which bit is which, what meets along each orbital, and the layer."""
    if art.orientation == HEXAGONAL:
        bits = _EXCHANGED if art.stagger_axis == "x" else {place: place for place in _HEX_PLACES}
        return _HEX_PLACES, bits, _HEX_PAIRS, Layer("tiles", HEX_ORBITALS)
    bits = _SQUARE_BITS if art.orientation == ORTHOGONAL else _DIAMOND_BITS
    return _PLACES, bits, _SQUARE_PAIRS, Layer("tiles", SQUARE_ORBITALS)


def _terrain_sets(resource: Section) -> dict[int, int]:
    """Return the mode of each terrain set by its number; a set is there if anything is said about it."""
    found: dict[int, int] = {}
    for key, value in resource.properties.items():
        word = key.partition("/")[0]
        number = word.removeprefix("terrain_set_")
        if word.startswith("terrain_set_") and number.isascii() and number.isdigit() and len(number) < 5:
            found.setdefault(int(number), BOTH)
            if key == f"{word}/mode":
                found[int(number)] = value if isinstance(value, int) else -1
    return dict(sorted(found.items()))


def _atlases(sections: Sequence[Section], resource: Section, remark: Remark) -> dict[int, Section]:
    """Return the atlases of the tileset by the number of their source."""
    by_id = {one.attributes.get("id", ""): one for one in sections if one.kind == "sub_resource"}
    found: dict[int, Section] = {}
    for key, value in resource.properties.items():
        number = key.removeprefix("sources/")
        if not key.startswith("sources/") or not number.isdigit() or len(number) > 5:
            continue
        if not isinstance(value, Call) or value.name != "SubResource" or value.arguments[:1] == ():
            raise ParseError(f"sources of the file itself: {key} = SubResource(…)", line=resource.line)
        section = by_id.get(str(value.arguments[0]))
        if section is None:
            raise ParseError("a source that the file has", str(value.arguments[0]), line=resource.line)
        if section.attributes.get("type") != "TileSetAtlasSource":
            remark(f"The source {number} is a {section.attributes.get('type')}, and its tiles are left out.")
            continue
        found[int(number)] = section
    if not found:
        raise ParseError("a tileset with an atlas (TileSetAtlasSource), but there is none", line=resource.line)
    return dict(sorted(found.items()))


def _tiles(number: int, atlas: Section, chosen: int) -> Iterator[_Tile]:
    """Yield the tiles of an atlas that are in a terrain set."""
    gathered: dict[tuple[int, int, int], dict[str, object]] = {}
    for key, value in atlas.properties.items():
        words = key.split("/", 2)
        place = words[0].split(":")
        if len(place) != 2 or len(words) < 3 or not words[1].isdigit() or len(words[1]) > 5:
            continue
        if not all(part.isascii() and part.isdigit() and int(part[:6]) < COLUMNS for part in place):
            raise ParseError(f"tiles at columns and rows from 0 to {COLUMNS - 1}", key, line=atlas.line)
        gathered.setdefault((int(place[0]), int(place[1]), int(words[1])), {})[words[2]] = value
    for (column, row, alternative), properties in gathered.items():
        if properties.get("terrain_set") == chosen:
            yield _Tile(number, column, row, alternative, properties, atlas.line)


def _art(resource: Section, atlases: Mapping[int, Section], path: Path | None) -> Art:
    shape, layout = resource.properties.get("tile_shape", 0), resource.properties.get("tile_layout", 0)
    if shape not in (SQUARE_SHAPE, ISOMETRIC_SHAPE, HEX_SHAPE):
        raise ParseError("tile_shape: 0 (square), 1 (isometric) or 3 (hexagon)", shape, line=resource.line)
    if layout not in ((STACKED, DIAMOND_DOWN) if shape == ISOMETRIC_SHAPE else (STACKED,)) and shape != SQUARE_SHAPE:
        raise ParseError("tile_layout: 0 (stacked), or 5 (diamond down) of isometric tiles", layout, line=resource.line)
    orientation = {SQUARE_SHAPE: ORTHOGONAL, HEX_SHAPE: HEXAGONAL}.get(shape, ISOMETRIC)
    if orientation == ISOMETRIC and layout == STACKED:
        orientation = STAGGERED
    width, height = pair(resource.properties.get("tile_size"), (16, 16))
    axis = "x" if resource.properties.get("tile_offset_axis", 0) == 1 else "y"
    sheets = []
    for at, (number, atlas) in enumerate(atlases.items()):
        sheets.append(
            TileSheet(
                first=1 + at * COLUMNS * COLUMNS,
                name=f"source {number}",
                source="" if path is None else path.name,
                tile_size=pair(atlas.properties.get("texture_region_size"), (16, 16)),
                margin=pair(atlas.properties.get("margins"), (0, 0))[0],
                spacing=pair(atlas.properties.get("separation"), (0, 0))[0],
                columns=COLUMNS,
                number=number,
            )
        )
    side = {"x": width, "y": height}[axis] // 2
    return Art(
        orientation=orientation,
        cell_size=(max(1, width), max(1, height)),
        hex_side=max(0, side) if orientation == HEXAGONAL else 0,
        stagger_axis=axis,
        layers=("tiles",),
        sheets=tuple(sheets),
        editor=GODOT,
        folder=None if path is None else str(path.parent),
    )


def _modules(tiles: Sequence[_Tile], art: Art, pictures: _Pictures, resource: Section, chosen: int) -> list[Module]:
    firsts = {sheet.number: sheet.first for sheet in art.sheets}
    modules = []
    for tile in tiles:
        weight = tile.properties.get("probability", 1.0)
        if not isinstance(weight, int | float) or not 0 <= weight <= 1e9:
            raise ParseError("probability: a number that is not below 0", weight, line=tile.line)
        terrain = tile.properties.get("terrain", -1)
        called = resource.properties.get(f"terrain_set_{chosen}/terrain_{terrain}/name")
        key = f"{tile.column}:{tile.row}" + (f"/{tile.alternative}" if tile.alternative else "")
        key = f"{tile.source}:{key}" if len(art.sheets) > 1 else key
        turns, mirrored = _flips(tile)
        gid = firsts[tile.source] + tile.row * COLUMNS + tile.column
        pixels = pictures.cut(tile, next(sheet for sheet in art.sheets if sheet.number == tile.source))
        look = Look(
            colour="" if pixels is None else average_colour(pixels),
            picture=b"" if pixels is None else write_png(pixels),
            quarter_turns=turns,
            mirrored=mirrored,
            tiles=(gid,),
        )
        properties = ((ALTERNATIVE, tile.alternative),) if tile.alternative else ()
        named = str(called) if isinstance(called, str) and called else key
        modules.append(Module(key, named, (), float(weight), properties=properties, look=look))
    if not any(module.weight for module in modules):
        raise ParseError("a tile whose probability is above 0", line=resource.line)
    pictures.remark_missing()
    return modules


def _flips(tile: _Tile) -> tuple[int, bool]:
    """Return how an alternative tile is turned, anticlockwise, and whether it is then mirrored."""
    across, down, diagonal = (tile.properties.get(name) is True for name in ("flip_h", "flip_v", "transpose"))
    bits = (0x80000000 if across else 0) | (0x40000000 if down else 0) | (0x20000000 if diagonal else 0)
    return next(
        (turns, mirrored) for turns in range(4) for mirrored in (False, True) if turn_bits(turns, mirrored) == bits
    )


class _Pictures:
    """Find the textures of atlases, in the project of the tileset or beside it, and cut tiles out of them."""

    def __init__(self, sections: Sequence[Section], path: Path | None, remark: Remark) -> None:
        self.textures = {
            one.attributes.get("id", ""): one.attributes.get("path", "")
            for one in sections
            if one.kind == "ext_resource"
        }
        self.path, self.remark = path, remark
        self.missing: set[str] = set()
        self._read: dict[str, Pixels | None] = {}
        self._of_source: dict[int, str] = {}
        for section in sections:
            if section.kind == "resource":
                for key, value in section.properties.items():
                    if key.startswith("sources/") and isinstance(value, Call) and value.arguments:
                        self._note(key.removeprefix("sources/"), str(value.arguments[0]), sections)

    def _note(self, number: str, wanted: str, sections: Sequence[Section]) -> None:
        for section in sections:
            texture = section.properties.get("texture")
            is_it = section.attributes.get("id") == wanted and number.isdigit()
            if is_it and isinstance(texture, Call) and texture.arguments:
                self._of_source[int(number)] = self.textures.get(str(texture.arguments[0]), "")

    def cut(self, tile: _Tile, sheet: TileSheet) -> Pixels | None:
        """Return the picture of a tile; None if it is not there."""
        name = self._of_source.get(tile.source, "")
        if not name or self.path is None:
            return None
        if name not in self._read:
            self._read[name] = self._open(name, self.path)
        pixels = self._read[name]
        if pixels is None:
            self.missing.add(name)
            return None
        width, height = sheet.tile_size
        x = sheet.margin + tile.column * (width + sheet.spacing)
        y = sheet.margin + tile.row * (height + sheet.spacing)
        if not (0 < width <= LONGEST_TILE_SIDE and 0 < height <= LONGEST_TILE_SIDE):
            raise ParseError(f"tiles of 1 to {LONGEST_TILE_SIDE} pixels", f"{width}x{height}", line=tile.line)
        if min(x, y) < 0 or y + height > pixels.shape[0] or x + width > pixels.shape[1]:
            raise ParseError(f"a texture that holds the tile {tile.column}:{tile.row}", name, line=tile.line)
        return pixels[y : y + height, x : x + width]

    def _open(self, name: str, path: Path) -> Pixels | None:
        relative = PurePosixPath(name.removeprefix("res://"))
        if ".." in relative.parts or relative.is_absolute() or relative.suffix.lower() != ".png":
            return None
        places = [path.parent / relative, path.parent / relative.name]
        if name.startswith("res://"):
            for folder in list(path.resolve().parents)[:MAX_PARENTS]:
                if is_there(folder / "project.godot"):
                    places.insert(0, folder / relative)
                    break
        for place in places:
            if is_there(place):
                return read_png(read_bytes(place, "picture", name), name)
        return None

    def remark_missing(self) -> None:
        """Remark on textures that are not there."""
        if self.missing:
            self.remark(f"Modules have no pictures, for lack of a PNG file: {', '.join(sorted(self.missing)[:5])}.")
