"""Where the pictures of modules come from, so that a fill can be written for the editor that drew them.

Tiles are numbered as in a Tiled map: each tileset begins at a number of its own, 0 is no tile, and the highest bits say
how a tile is flipped.
"""

from __future__ import annotations

from msgspec import Struct, structs

ORTHOGONAL, ISOMETRIC, STAGGERED, HEXAGONAL = "orthogonal", "isometric", "staggered", "hexagonal"
"""How a map shows its grid."""
ORIENTATIONS = (ORTHOGONAL, ISOMETRIC, STAGGERED, HEXAGONAL)
TILED, GODOT = "tiled", "godot"
"""Whose tilesets these are."""

FLIPPED_ACROSS, FLIPPED_DOWN, FLIPPED_DIAGONALLY = 0x80000000, 0x40000000, 0x20000000
"""Bits of a cell: mirrored left to right, mirrored top to bottom, and before both swapped along the main diagonal."""
FLIPS = 0xF0000000
SIXTHS = 0x30000000
"""Of hexagons, the bits that turn a tile by 60 and by 120 degrees."""
_TURNS = (
    0,
    FLIPPED_DIAGONALLY | FLIPPED_DOWN,
    FLIPPED_ACROSS | FLIPPED_DOWN,
    FLIPPED_DIAGONALLY | FLIPPED_ACROSS,
)


class TileSheet(Struct, frozen=True):
    """Name a tileset and say how its picture is cut into tiles."""

    first: int = 1
    """The number of its tile 0."""
    name: str = ""
    source: str = ""
    """The file of the tileset, relative to the file that names it; empty where a map holds the tileset itself."""
    image: str = ""
    """The file of its picture, relative to the tileset; empty where each tile has its own."""
    image_size: tuple[int, int] = (0, 0)
    tile_size: tuple[int, int] = (0, 0)
    margin: int = 0
    spacing: int = 0
    columns: int = 0
    count: int = 0
    """How many tiles there are; 0 if it does not say."""
    offset: tuple[int, int] = (0, 0)
    """By how many pixels tiles are drawn to the right and further down."""
    pictures: tuple[tuple[int, str], ...] = ()
    """Tiles that have a picture of their own, and its file."""
    number: int = 0
    """Which source of a Godot tileset it is."""


class Art(Struct, frozen=True, eq=False):
    """Say how a map of these modules looks and which tilesets it is drawn from."""

    orientation: str = ORTHOGONAL
    cell_size: tuple[int, int] = (16, 16)
    """Width and height of a cell of the map, in pixels."""
    hex_side: int = 0
    """Pixels of the straight side of a hexagon."""
    stagger_axis: str = "y"
    """Along which axis every second row or column is shifted: `y` shifts rows, `x` columns."""
    layers: tuple[str, ...] = ("modules",)
    """The tile layers of the map; each module has a tile for each."""
    sheets: tuple[TileSheet, ...] = ()
    editor: str = TILED
    folder: str | None = None
    """The folder that files are relative to, where it is known; no part of what is equal, and never written."""

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, Art) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[object, ...]:
        return structs.astuple(structs.replace(self, folder=None))


def turn_bits(quarter_turns: int, mirrored: bool) -> int:
    """Return how a cell says that its picture is turned, anticlockwise, and then mirrored."""
    return _TURNS[quarter_turns % 4] ^ (FLIPPED_ACROSS if mirrored else 0)


def read_turns(gid: int) -> tuple[int, bool]:
    """Return how often the picture of a cell is turned anticlockwise, and whether it is then mirrored."""
    bits = gid & (FLIPPED_ACROSS | FLIPPED_DOWN | FLIPPED_DIAGONALLY)
    for turns in range(4):
        for mirrored in (False, True):
            if turn_bits(turns, mirrored) == bits:
                return turns, mirrored
    raise AssertionError("eight ways to turn a square, and eight combinations of three bits")
