"""Write PNG pictures whose bytes are the same everywhere: stored, since packing differs between versions of zlib."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE, RED_GREEN_BLUE_OPACITY = 3, 6
"""Kinds of pixels: numbers of a palette, or four channels of a byte each."""


def write_png(size: tuple[int, int], kind: int, rows: bytes, tables: Sequence[tuple[bytes, bytes]] = ()) -> bytes:
    """Write a picture of this width and height.

    Each row begins with a byte 0, which says that its pixels follow as they are. `tables` are chunks such as `PLTE`.
    """
    header = struct.pack(">IIBBBBB", *size, 8, kind, 0, 0, 0)
    chunks = [(b"IHDR", header), *tables, (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
