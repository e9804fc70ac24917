"""The shapes of a configuration. What DeBroglie does not know is refused, and so is what it knows and we do not."""

from __future__ import annotations

from typing import Any

import msgspec

Word = str | int
"""A tile: a colour, or a number."""
Factor = str | float
"""A number, or a share such as "50%"."""


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """Refuse keys that mean nothing."""


class ModelShape(Shape, frozen=True, kw_only=True):
    type: str = "adjacent"
    n: int = 2
    nx: int | None = msgspec.field(default=None, name="nX")
    ny: int | None = msgspec.field(default=None, name="nY")
    nz: int | None = msgspec.field(default=None, name="nZ")


class TileShape(Shape, frozen=True, kw_only=True):
    value: Word
    multiply_frequency: Factor | None = None
    change_frequency: Factor | None = None
    tile_symmetry: str | None = None
    reflect_x: Word | None = None
    reflect_y: Word | None = None
    rotate_cw: Word | None = None
    rotate_ccw: Word | None = None
    rotation_treatment: str | None = None
    src: str | None = None


class AdjacencyShape(Shape, frozen=True, kw_only=True):
    left: list[Word] | None = None
    right: list[Word] | None = None
    up: list[Word] | None = None
    down: list[Word] | None = None
    above: list[Word] | None = None
    below: list[Word] | None = None
    src: list[Word] | None = None
    dest: list[Word] | None = None
    direction: str | None = None
    x: int = 0
    y: int = 0
    z: int = 0


class ConfigurationShape(Shape, frozen=True, kw_only=True):
    schema: str | None = msgspec.field(default=None, name="$schema")
    src_type: str | None = None
    src: str
    dest: str | None = None
    base_directory: str = ""
    model: ModelShape = ModelShape()
    periodic_input: bool = False
    periodic_input_x: bool | None = None
    periodic_input_y: bool | None = None
    periodic_input_z: bool | None = None
    periodic: bool = False
    periodic_x: bool | None = None
    periodic_y: bool | None = None
    periodic_z: bool | None = None
    width: int = 48
    height: int = 48
    depth: int = 48
    ground: Word | None = None
    symmetry: int | None = None
    rotational_symmetry: int | None = None
    reflectional_symmetry: bool | None = None
    rotation_treatment: str | None = None
    backtrack: bool | None = None
    animate: bool | None = None
    auto_adjacency: bool = False
    auto_adjacency_tolerance: float | None = None
    pad_tile: Word | None = None
    tiles: list[TileShape] = []
    adjacencies: list[AdjacencyShape] = []
    constraints: list[dict[str, Any]] = []


class PointShape(Shape, frozen=True, kw_only=True):
    x: int
    y: int
    z: int = 0


class BorderShape(Shape, frozen=True, kw_only=True):
    type: str
    tile: Word | None = None
    tiles: list[Word] | None = None
    sides: str | None = None
    exclude_sides: str | None = None
    invert_area: bool = False
    ban: bool = False


class FixedTileShape(Shape, frozen=True, kw_only=True):
    type: str
    tile: Word | None = None
    tiles: list[Word] | None = None
    point: PointShape | None = None


class PathShape(Shape, frozen=True, kw_only=True):
    type: str
    tile: Word | None = None
    tiles: list[Word] | None = None
    path_tiles: list[Word] | None = None
    end_points: list[PointShape] | None = None
    end_point_tiles: list[Word] | None = None


class EdgedPathShape(Shape, frozen=True, kw_only=True):
    type: str
    exits: dict[str, list[str]]
    end_points: list[PointShape] | None = None
    end_point_tiles: list[Word] | None = None


class PathSpecShape(Shape, frozen=True, kw_only=True):
    type: str = "path"
    tiles: list[Word] | None = None
    exits: dict[str, list[str]] | None = None
    relevant_tiles: list[Word] | None = None
    relevant_cells: list[PointShape] | None = None


class ConnectedShape(Shape, frozen=True, kw_only=True):
    type: str
    path_spec: PathSpecShape
    use_pick_heuristic: bool | None = None


class CountShape(Shape, frozen=True, kw_only=True):
    type: str
    tiles: list[Word]
    comparison: str = "exactly"
    count: int
    eager: bool | None = None


class SeparationShape(Shape, frozen=True, kw_only=True):
    type: str
    tiles: list[Word]
    min_distance: int


class PairSeparationShape(Shape, frozen=True, kw_only=True):
    type: str
    tiles1: list[Word]
    tiles2: list[Word]
    min_distance: int


class MaxConsecutiveShape(Shape, frozen=True, kw_only=True):
    type: str
    tile: Word | None = None
    tiles: list[Word] | None = None
    max_count: int = 3
    axes: list[str] | None = None


class MirrorShape(Shape, frozen=True, kw_only=True):
    type: str
