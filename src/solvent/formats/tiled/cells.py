"""The numbers of tiles in a layer, in every encoding, with bounds on how many there may be."""

from __future__ import annotations

import base64
import binascii
import importlib
import sys
import zlib
from array import array
from collections.abc import Sequence
from typing import Any

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Where
from solvent.formats.tiled.model import Gids
from solvent.formats.tiled.parsing import JsonElement

FLIPS = 0xF0000000
"""The bits of a tile's number that say how it is flipped and turned."""
MAX_CELLS = 6_000_000
"""The most cells of one map or layer."""
MAX_CELLS_OF_ALL_LAYERS = 24_000_000
MAX_LAYERS = 500
DEEPEST_GROUP = 20


class CellBudget:
    """Count cells as they are read, so that a small file cannot ask for much memory."""

    def __init__(self) -> None:
        self.cells = 0
        self.layers = 0

    def take(self, height: int, width: int, where: Where) -> None:
        """Count the cells of a rectangle, or raise ParseError for too many."""
        if height < 0 or width < 0 or height * width > MAX_CELLS:
            raise ParseError(f"at most {MAX_CELLS:,} cells", f"{width} x {height}", **where)
        self.cells += height * width
        if self.cells > MAX_CELLS_OF_ALL_LAYERS:
            raise ParseError(f"at most {MAX_CELLS_OF_ALL_LAYERS:,} cells in all layers", self.cells, **where)

    def take_layer(self, depth: int, where: Where) -> None:
        """Count a layer, or raise ParseError for too many, or too deep in groups."""
        self.layers += 1
        if self.layers > MAX_LAYERS or depth > DEEPEST_GROUP:
            raise ParseError(f"at most {MAX_LAYERS} layers, groups at most {DEEPEST_GROUP} deep", **where)


def read_gids(holder: Element, data: Element, height: int, width: int, *, keep_flips: bool = False) -> Gids:
    """Read the numbers in `holder`, a chunk or the data themselves, which say how they are encoded.

    The bits that say how tiles are flipped are taken off, unless they are to be kept.
    """
    numbers = _read_numbers(holder, data, height, width)
    if not keep_flips:
        numbers = _without_flips(numbers)
    return [list(numbers[row * width : (row + 1) * width]) for row in range(height)]


def _read_numbers(holder: Element, data: Element, height: int, width: int) -> Sequence[int]:
    encoding, text = data.attributes.get("encoding", ""), "".join(holder.text)
    if isinstance(holder, JsonElement) and holder.value is not None:
        return _require_numbers(holder.value, height, width, holder.where)
    if encoding == "base64":
        return _from_base64(text, data.attributes.get("compression", ""), height, width, holder.where)
    if encoding == "csv":
        return _from_csv(text, height, width, holder.where)
    if encoding:
        raise ParseError("tile layers as CSV or base64", encoding, **data.where)
    return _require_numbers([tile.integer("gid", 0) for tile in holder.all("tile")], height, width, holder.where)


def find_numbers(holder: Element, data: Element) -> Where:
    """Return where the numbers stand one by one, with commas between them; nothing if they do not."""
    if isinstance(holder, JsonElement):
        return {"path": holder.path if holder is data else f"{holder.path}.data"} if holder.value is not None else {}
    return {"line": holder.line} if data.attributes.get("encoding") == "csv" else {}


def _require_numbers(numbers: Sequence[int], height: int, width: int, where: Where) -> Sequence[int]:
    if len(numbers) != height * width:
        raise ParseError(f"{height * width} tiles in {height} rows of {width}", len(numbers), **where)
    if numbers and not 0 <= min(numbers) <= max(numbers) < 1 << 32:
        raise ParseError("numbers of tiles from 0 to 4294967295", max(numbers, key=abs), **where)
    return numbers


def _without_flips(numbers: Sequence[int]) -> Sequence[int]:
    """Take flips off, of which most maps have none."""
    flipped = {number: number & ~FLIPS for number in set(numbers) if number & FLIPS}
    return [flipped.get(number, number) for number in numbers] if flipped else numbers


def _from_csv(text: str, height: int, width: int, where: Where) -> Sequence[int]:
    words = text.split(",")
    try:
        if max(map(len, words)) > 1000:
            raise ValueError
        numbers = [int(word) for word in words]
    except ValueError:
        bad = next((word.strip() for word in words if not word.strip().isdecimal()), "")
        raise ParseError("numbers of tiles with commas between them", bad, **where) from None
    return _require_numbers(numbers, height, width, where)


def _from_base64(text: str, compression: str, height: int, width: int, where: Where) -> Sequence[int]:
    """Read numbers in base64, plain or compressed; never unpacks more than there may be."""
    size = height * width * 4
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ParseError("tiles in base64", text.strip()[:40], **where) from None
    if compression in ("zlib", "gzip"):
        unpacker = zlib.decompressobj(wbits=31 if compression == "gzip" else 15)
        try:
            data = unpacker.decompress(data, size + 1)
        except zlib.error as error:
            raise ParseError(f"tiles packed with {compression} ({error})", **where) from None
        if len(data) <= size and not unpacker.eof:
            raise ParseError(f"tiles packed with {compression}, but they end too early", **where)
    elif compression == "zstd":
        data = _unpack_zstd(data, size, where)
    elif compression:
        raise ParseError("tile layers as CSV, or base64 with no, zlib, gzip or zstd compression", compression, **where)
    if len(data) != size:
        found = f"{len(data)} bytes" if len(data) <= size else f"more than {size} bytes"
        raise ParseError(f"{height * width} tiles, which are {size} bytes", found, **where)
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def _unpack_zstd(data: bytes, size: int, where: Where) -> bytes:
    """Unpack with the library of Python 3.14 or the package `zstandard`, whichever there is."""
    for module in ("compression.zstd", "zstandard"):
        try:
            library: Any = importlib.import_module(module)
        except ImportError:
            continue
        try:
            if module == "zstandard":
                with library.ZstdDecompressor().stream_reader(data) as reader:
                    return bytes(reader.read(size + 1))
            return bytes(library.ZstdDecompressor().decompress(data, size + 1))
        except (library.ZstdError, EOFError) as error:
            raise ParseError(f"tiles packed with zstd ({error})", **where) from None
    raise ParseError(
        "tile layers packed with zlib or gzip (zstd needs the package zstandard; or choose another in Tiled, under the "
        "map's properties: Tile Layer Format)",
        "zstd",
        **where,
    )
