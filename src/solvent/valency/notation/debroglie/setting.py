"""What the constraints of a configuration are about: modules, tiles, and the cells of the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.formats.typed_json import shape_error
from solvent.valency.model import Lattice, Rules
from solvent.valency.notation.debroglie.rotations import Step, TileTurns, Turn
from solvent.valency.notation.debroglie.shapes import PointShape, Word

NOT_YET = "not supported yet"
X_MIN, X_MAX, Y_MIN, Y_MAX, Z_MIN, Z_MAX = "xmin", "xmax", "ymin", "ymax", "zmin", "zmax"
SIDES = (X_MIN, X_MAX, Y_MIN, Y_MAX, Z_MIN, Z_MAX)
_DIRECTIONS: Mapping[str, Step] = {
    "x+": (1, 0, 0),
    "x-": (-1, 0, 0),
    "y+": (0, 1, 0),
    "y-": (0, -1, 0),
    "z+": (0, 0, 1),
    "z-": (0, 0, -1),
}
_LONG = {"xplus": "x+", "xminus": "x-", "yplus": "y+", "yminus": "y-", "zplus": "z+", "zminus": "z-"}

Kind = TypeVar("Kind")


class Setting(Struct, frozen=True):
    """Hold what constraints are about."""

    rules: Rules
    lattice: Lattice
    modules: Callable[[Iterable[Word], str], int]
    """Return the mask of the modules that show some tiles, named at a path."""
    turns: Sequence[Turn]
    tile_turns: TileTurns
    number: Callable[[Word, str], int]
    """Return the number of a tile."""
    mask: Callable[[int], int]
    """Return the mask of the modules that show a tile, by its number."""
    tiles: Sequence[int]
    """The number of the tile that each module shows."""
    is_flipped: bool
    """Whether y leads the other way than in the configuration."""
    remark: Callable[[str], None]

    def tile_or_tiles(self, tile: Word | None, tiles: list[Word] | None, path: str) -> int:
        """Return the mask of what is named as one tile, or as several."""
        if (tile is None) == (tiles is None):
            raise ParseError("a tile or tiles, one of them", path=path)
        if tile is not None:
            return self.modules([tile], f"{path}.tile")
        return self.modules(tiles or [], f"{path}.tiles")

    def orbitals(self) -> dict[Step, int]:
        """Return the orbitals that lead along the axes, by their steps."""
        return {
            (int(way[0]), int(way[1]), int(way[2])): number
            for number, orbital in enumerate(self.rules.layers[0].orbital_set.orbitals)
            if (way := orbital.direction) is not None and all(part == int(part) for part in way)
        }

    def node(self, point: PointShape, path: str) -> int:
        """Return the node at a point."""
        lattice = self.lattice
        if not (0 <= point.x < lattice.width and 0 <= point.y < lattice.height and 0 <= point.z < lattice.depth):
            size = f"{lattice.width} x {lattice.height} x {lattice.depth}"
            raise ParseError(f"a cell of a grid of {size}, counted from 0", [point.x, point.y, point.z], path=path)
        y = lattice.height - 1 - point.y if self.is_flipped else point.y
        return point.x + lattice.width * (y + lattice.height * point.z)

    def nodes_on(self, sides: set[str]) -> list[int]:
        """Return the nodes on some sides of the grid."""
        lattice = self.lattice
        lowest, highest = (Y_MAX, Y_MIN) if self.is_flipped else (Y_MIN, Y_MAX)
        found = []
        for z in range(lattice.depth):
            for y in range(lattice.height):
                for x in range(lattice.width):
                    on = (
                        (X_MIN in sides and x == 0)
                        or (X_MAX in sides and x == lattice.width - 1)
                        or (lowest in sides and y == 0)
                        or (highest in sides and y == lattice.height - 1)
                        or (Z_MIN in sides and z == 0)
                        or (Z_MAX in sides and z == lattice.depth - 1)
                    )
                    if on:
                        found.append(x + lattice.width * (y + lattice.height * z))
        return found

    def others(self, nodes: Iterable[int]) -> list[int]:
        """Return all other nodes."""
        lattice, without = self.lattice, set(nodes)
        return [node for node in range(lattice.width * lattice.height * lattice.depth) if node not in without]


def read_direction(word: str, path: str) -> Step:
    """Return the step that a word such as `x+` or `xplus` stands for."""
    short = _LONG.get(word.lower(), word.lower())
    if short not in _DIRECTIONS:
        raise ParseError(f"a direction: {', '.join(_DIRECTIONS)}", word, path=path)
    return _DIRECTIONS[short]


def convert(given: Mapping[str, Any], kind: type[Kind], path: str) -> Kind:
    """Read a constraint into its shape, or raise ParseError."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise shape_error(error, "a constraint", given, path) from None
