"""The tilesets of an editor in JSON, so that a task that was saved can still be written as a map of that editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import fields

from solvent.core.errors import ParseError
from solvent.formats.companion_files import require_relative
from solvent.valency.art import FLIPS, GODOT, ORIENTATIONS, TILED, Art, TileSheet, read_turns, turn_bits
from solvent.valency.notation.task_json.shapes import ArtShape, SheetShape

MAX_SIDE = 1 << 16
MAX_TILE = 1 << 28
"""Of numbers of tiles, without the bits for flips."""
MAX_LAYERS = 64


def read_art(shape: ArtShape, path: str) -> Art:
    """Return the art of rules, or raise ParseError."""
    for key, known in (("orientation", ORIENTATIONS), ("stagger_axis", ("x", "y")), ("editor", (TILED, GODOT))):
        if getattr(shape, key) not in known:
            raise ParseError(f"one of {', '.join(known)}", getattr(shape, key), path=f"{path}.{key}")
    if not 1 <= len(shape.layers) <= MAX_LAYERS:
        raise ParseError(f"from 1 to {MAX_LAYERS} layers", len(shape.layers), path=f"{path}.layers")
    sheets = tuple(_read_sheet(sheet, f"{path}.sheets[{number}]") for number, sheet in enumerate(shape.sheets))
    if [sheet.first for sheet in sheets] != sorted({sheet.first for sheet in sheets}):
        raise ParseError("tilesets in the order of their first tiles", path=f"{path}.sheets")
    return Art(
        orientation=shape.orientation,
        cell_size=_read_pair(shape.cell_size, 1, f"{path}.cell_size"),
        hex_side=_read_number(shape.hex_side, 0, f"{path}.hex_side"),
        stagger_axis=shape.stagger_axis,
        layers=tuple(shape.layers),
        sheets=sheets,
        editor=shape.editor,
    )


def read_tiles(tiles: Sequence[int], turns: int, art: ArtShape | None, path: str) -> tuple[int, ...]:
    """Return the tiles of a module that is turned by so many quarters, or raise ParseError."""
    if not tiles:
        return ()
    layers = 0 if art is None else len(art.layers)
    if len(tiles) != layers:
        raise ParseError(f"a tile for each of the {layers} layers of the art", list(tiles), path=path)
    for number, tile in enumerate(tiles):
        if not 0 <= tile < 1 << 32 or tile & ~FLIPS >= MAX_TILE:
            raise ParseError("the number of a tile, or 0 for none", tile, path=f"{path}[{number}]")
    return tuple(turned_tile(tile, turns) for tile in tiles)


def turned_tile(tile: int, turns: int) -> int:
    """Return the number of a tile that is turned further, anticlockwise."""
    if not turns or not tile:
        return tile
    before, mirrored = read_turns(tile)
    # A mirror image comes after turning: turning it the other way then comes to the same.
    return tile & ~FLIPS | turn_bits(before - turns if mirrored else before + turns, mirrored)


def write_art(art: Art) -> dict[str, Any]:
    """Return art as JSON has it; what goes without saying is left out."""
    written: dict[str, Any] = {}
    for part in fields(art):
        if part.name not in ("sheets", "folder"):
            _set(written, part.name, getattr(art, part.name), part.default)
    _set(written, "sheets", [_write_sheet(sheet) for sheet in art.sheets], [])
    return written


def _write_sheet(sheet: TileSheet) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for part in fields(sheet):
        if part.name != "pictures":
            _set(written, part.name, getattr(sheet, part.name), part.default)
    _set(written, "pictures", {str(number): name for number, name in sheet.pictures}, {})
    return written


def _set(written: dict[str, Any], key: str, value: Any, unless: Any) -> None:
    if value != unless:
        written[key] = list(value) if isinstance(value, tuple) else value


def _read_sheet(shape: SheetShape, path: str) -> TileSheet:
    for key in ("source", "image"):
        require_relative(getattr(shape, key), "file", {"path": f"{path}.{key}"})
    pictures = []
    for word, name in shape.pictures.items():
        if not (word.isascii() and word.isdigit() and len(word) < 9):
            raise ParseError("numbers of tiles as keys", word, path=f"{path}.pictures")
        require_relative(name, "picture", {"path": f"{path}.pictures.{word}"})
        pictures.append((int(word), name))
    whole = ("margin", "spacing", "columns", "count", "number")
    return TileSheet(
        first=_read_number(shape.first, 1, f"{path}.first", MAX_TILE),
        name=shape.name,
        source=shape.source,
        image=shape.image,
        image_size=_read_pair(shape.image_size, 0, f"{path}.image_size"),
        tile_size=_read_pair(shape.tile_size, 0, f"{path}.tile_size"),
        offset=_read_pair(shape.offset, -MAX_SIDE, f"{path}.offset"),
        pictures=tuple(sorted(pictures)),
        **{key: _read_number(getattr(shape, key), 0, f"{path}.{key}", MAX_TILE) for key in whole},
    )


def _read_pair(pair: Sequence[int], least: int, path: str) -> tuple[int, int]:
    if len(pair) != 2:
        raise ParseError("two whole numbers", list(pair), path=path)
    return _read_number(pair[0], least, path), _read_number(pair[1], least, path)


def _read_number(number: int, least: int, path: str, most: int = MAX_SIDE) -> int:
    if not least <= number <= most:
        raise ParseError(f"a whole number from {least} to {most}", number, path=path)
    return number
