"""The shapes of a task in JSON, as typed objects. What they mean is in `drafting` and `staging_json`."""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.valency.art import ORTHOGONAL, TILED
from solvent.valency.model import NORMAL, SKIP, SQUARE, WEIGHTED

NodeReference = int | str | list[int]
"""A node by its number, its name, or its place on a lattice."""
Selectors = str | list[str]
"""Modules: keys, names, and tags with a # before them."""


class Shape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Refuse keys that mean nothing: most are slips of the pen."""


class OrbitalShape(Shape, frozen=True, kw_only=True):
    name: str
    direction: list[float] | None = None


class LayerShape(Shape, frozen=True, kw_only=True):
    name: str = "tiles"
    orbitals: str | list[str | OrbitalShape] = "square"
    threshold: float = 22.5


class TransformShape(Shape, frozen=True, kw_only=True):
    offset: list[float] | None = None
    rotation: list[float] | None = None
    scale: list[float] | None = None


class LookShape(Shape, frozen=True, kw_only=True):
    colour: str = ""
    glyph: str = ""
    picture: bytes = b""
    turns: int = 0
    mirrored: bool = False
    sprite: str = ""
    tiles: list[int] = []


class ModuleShape(Shape, frozen=True, kw_only=True):
    name: str
    key: str | None = None
    weight: float = 1.0
    least: int = 0
    most: int | None = None
    tags: list[str] = []
    properties: dict[str, str | int | float | bool] = {}
    transforms: list[TransformShape] = []
    placement: str = NORMAL
    look: LookShape = LookShape()
    rotations: int | list[int] | None = None
    bonds: dict[str, Any] = {}
    sockets: dict[str, Any] = {}
    lists: list[int] | None = None


class SheetShape(Shape, frozen=True, kw_only=True):
    first: int = 1
    name: str = ""
    source: str = ""
    image: str = ""
    image_size: tuple[int, int] = (0, 0)
    tile_size: tuple[int, int] = (0, 0)
    margin: int = 0
    spacing: int = 0
    columns: int = 0
    count: int = 0
    offset: tuple[int, int] = (0, 0)
    pictures: dict[str, str] = {}
    number: int = 0


class ArtShape(Shape, frozen=True, kw_only=True):
    orientation: str = ORTHOGONAL
    cell_size: tuple[int, int] = (16, 16)
    hex_side: int = 0
    stagger_axis: str = "y"
    layers: tuple[str, ...] = ("modules",)
    sheets: list[SheetShape] = []
    editor: str = TILED


class RulesShape(Shape, frozen=True, kw_only=True):
    modules: list[ModuleShape] = []
    name: str = ""
    layers: list[LayerShape] | None = None
    orbitals: str | list[str | OrbitalShape] | None = None
    threshold: float | None = None
    missing: str = "any"
    one_sided: str = "refuse"
    pairs: list[list[str]] = []
    fits: dict[str, list[str]] = {}
    opposites: list[list[str]] = []
    allow: list[list[Selectors]] = []
    property_defaults: dict[str, str | int | float | bool] = {}
    art: ArtShape | None = None
    file: str | None = None
    subset: str | None = None


class LatticeShape(Shape, frozen=True, kw_only=True):
    size: list[int]
    kind: str = SQUARE
    periodic: bool | list[bool] = False


class ClusterShape(Shape, frozen=True, kw_only=True):
    lattice: LatticeShape | None = None
    graph: str | dict[str, Any] | None = None
    pick_attribute: str = "pick"
    priority_attribute: str = "priority"
    region_attribute: str = "region"
    seed_attribute: str = "seed"
    weight_attribute: str = "weight"


class PickShape(Shape, frozen=True, kw_only=True):
    node: NodeReference
    module: str


class PicksShape(Shape, frozen=True, kw_only=True):
    selection: str = WEIGHTED
    misfit: str = SKIP
    at: list[PickShape] = []


class BoxShape(Shape, frozen=True, kw_only=True):
    """All cells of a lattice between two corners, which belong to it."""

    from_: list[int] = msgspec.field(name="from")
    to: list[int]


NodeList = list[int | str | list[int] | BoxShape]


class CountShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    least: int = 0
    most: int | None = None
    nodes: NodeList | None = None


class ConnectedShape(Shape, frozen=True, kw_only=True):
    modules: Selectors | None = None
    exits: dict[str, Any] | None = None
    sockets: Selectors | None = None


class PathShape(ConnectedShape, frozen=True, kw_only=True):
    from_: NodeReference = msgspec.field(name="from")
    to: NodeReference


class SeparationShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    distance: int
    others: Selectors | None = None


class OnlyShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    nodes: NodeList


class BorderShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    sides: list[str] | None = None
    ban: bool = False


class GroundShape(Shape, frozen=True, kw_only=True):
    modules: Selectors


class ConsecutiveShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    most: int
    along: list[str] | dict[str, list[str]] | None = None


class MirrorShape(Shape, frozen=True, kw_only=True):
    axis: str
    images: dict[str, str | None] = {}


class RotationShape(Shape, frozen=True, kw_only=True):
    quarter_turns: int = 2
    images: dict[str, str | None] = {}


class ParityShape(Shape, frozen=True, kw_only=True):
    modules: Selectors
    odd: bool
    nodes: NodeList | None = None


class ConstraintShape(Shape, frozen=True, kw_only=True):
    """One of these."""

    count: CountShape | None = None
    connected: ConnectedShape | None = None
    path: PathShape | None = None
    separation: SeparationShape | None = None
    only: OnlyShape | None = None
    border: BorderShape | None = None
    ground: GroundShape | None = None
    consecutive: ConsecutiveShape | None = None
    mirror: MirrorShape | None = None
    rotation: RotationShape | None = None
    parity: ParityShape | None = None
    acyclic: ConnectedShape | None = None
    loop: ConnectedShape | None = None


class RegionShape(Shape, frozen=True, kw_only=True):
    nodes: NodeList | None = None
    seed: int | None = None
    weights: dict[str, float] = {}
    name: str = ""


class StagingShape(Shape, frozen=True, kw_only=True):
    valency: int
    rules: str | RulesShape | None = None
    cluster: ClusterShape | None = None
    picks: PicksShape = PicksShape()
    constraints: list[ConstraintShape] = []
    regions: list[RegionShape] = []
    priorities: list[float] | dict[str, float] = []
    seed: int = 0


# As much as it takes to count: what is far too large is refused before anything is made of it.


class RulesOutline(msgspec.Struct):
    modules: list[msgspec.Raw] = []


class GraphOutline(msgspec.Struct):
    nodes: int | list[msgspec.Raw] = 0


class ClusterOutline(msgspec.Struct):
    graph: str | GraphOutline | None = None


class TaskOutline(msgspec.Struct):
    rules: str | RulesOutline | None = None
    cluster: ClusterOutline | None = None
