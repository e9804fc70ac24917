"""MagicaVoxel models (.vox): one grid of colours, read with bounds and written.

A file is chunks with a name, of which SIZE, XYZI and RGBA hold a model; those that only say how it is shown are passed
over. Colour 0 is no voxel, and colour n has entry n - 1 of the palette.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.errors import ParseError

SIGNATURE = b"VOX "
VERSION = 150
LONGEST_SIDE = 256
MAX_MODELS = 1
"""A file with several models says where each stands; only files with one are read."""
_STEPS = (0xFF, 0xCC, 0x99, 0x66, 0x33, 0x00)
_RAMP = (0xEE, 0xDD, 0xBB, 0xAA, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11)

Colour = tuple[int, int, int]


class VoxelModel(Struct, frozen=True, eq=False):
    """Hold a model; x leads right, y away from the viewer, z up."""

    voxels: npt.NDArray[np.uint8]
    """The colour of each voxel, 0 for none, shape (depth z, length y, width x)."""
    palette: tuple[Colour, ...]
    """The colours 1 to 255."""


def read_voxels(data: bytes, name: str) -> VoxelModel:
    """Read the model of a file, or raise ParseError naming it."""
    if not data.startswith(SIGNATURE) or len(data) < 20:
        raise ParseError("a MagicaVoxel model (VOX)", data[:8], source=name)
    sizes: list[tuple[int, int, int]] = []
    models: list[bytes] = []
    palette = default_palette()
    for kind, content in _chunks(data, name):
        if kind == b"SIZE":
            if len(content) < 12:
                raise ParseError("a SIZE of 12 bytes", len(content), source=name)
            sizes.append(struct.unpack_from("<III", content))
        elif kind == b"XYZI":
            models.append(content)
        elif kind == b"RGBA":
            if len(content) < 1020:
                raise ParseError("an RGBA of 1024 bytes", len(content), source=name)
            palette = tuple((red, green, blue) for red, green, blue, _ in struct.iter_unpack("<4B", content[:1020]))
    if len(models) != MAX_MODELS or len(sizes) != len(models):
        raise ParseError(f"a file with {MAX_MODELS} model", len(models), source=name)
    width, length, depth = sizes[0]
    if not all(1 <= side <= LONGEST_SIDE for side in sizes[0]):
        raise ParseError(f"a model of 1 to {LONGEST_SIDE} voxels along each side", list(sizes[0]), source=name)
    voxels = np.zeros((depth, length, width), dtype=np.uint8)
    count = int.from_bytes(models[0][:4], "little")
    if len(models[0]) < 4 or count * 4 > len(models[0]) - 4:
        raise ParseError(f"{count} voxels of 4 bytes", len(models[0]), source=name)
    listed = np.frombuffer(models[0], dtype=np.uint8, count=4 * count, offset=4).reshape(-1, 4)
    if (listed[:, :3] >= np.array([width, length, depth])).any():
        raise ParseError("voxels inside the model", source=name)
    voxels[listed[:, 2], listed[:, 1], listed[:, 0]] = listed[:, 3]
    return VoxelModel(voxels, palette)


def write_voxels(voxels: npt.NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """Write a model, shape (z, y, x); the palette begins with colour 1 and may be short."""
    depth, length, width = voxels.shape
    z, y, x = np.nonzero(voxels)
    listed = np.stack([x, y, z, voxels[z, y, x]], axis=1).astype(np.uint8)
    colours = [*palette, *default_palette()[len(palette) :]][:255]
    table = b"".join(struct.pack("<4B", *colour, 255) for colour in colours) + bytes(4)
    inner = (
        _chunk(b"SIZE", struct.pack("<III", width, length, depth))
        + _chunk(b"XYZI", struct.pack("<I", len(listed)) + listed.tobytes())
        + _chunk(b"RGBA", table)
    )
    return SIGNATURE + struct.pack("<I", VERSION) + b"MAIN" + struct.pack("<II", 0, len(inner)) + inner


def default_palette() -> tuple[Colour, ...]:
    """Return the colours that a file without a palette has."""
    cube = [(red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS][:-1]
    ramps = [tuple(value if channel == at else 0 for at in range(3)) for channel in range(3) for value in _RAMP]
    greys = [(value, value, value) for value in _RAMP]
    return tuple((one[0], one[1], one[2]) for one in [*cube, *ramps, *greys])


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<II", len(content), 0) + content


def _chunks(data: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks inside MAIN with their contents."""
    at = 8
    while at < len(data):
        if at + 12 > len(data):
            raise ParseError("chunks that are whole, but the file ends too early", source=name)
        kind = data[at : at + 4]
        own, inner = struct.unpack_from("<II", data, at + 4)
        at += 12
        if at + own > len(data) or (kind != b"MAIN" and inner):
            raise ParseError(f"a chunk {kind!r} that is whole", source=name)
        yield kind, data[at : at + own]
        at += own  # what is inside MAIN follows it
