"""What Valency fills: a cluster of nodes, and bonding rules that say which module may stand where.

Sets of orbitals are masks: bit o is orbital o. Sets of modules are masks too: bit m is module m. Python's whole numbers
have no largest one, so a rule set may have more than 64 modules; orbitals stop at 64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from solvent.core.source import Source
    from solvent.valency.art import Art

MAX_ORBITALS = 64
MAX_LAYERS = 8
MAX_MODULES = 4096
MAX_NODES = 4_000_000

UNSET, NULL_SLOT, UNSOLVABLE = -1, -2, -3
"""What a node holds instead of a module: nothing yet, nothing because it has no edge at all, nothing because no module
could be found for it."""

NORMAL, FILLER, EXCLUDED = "normal", "filler", "excluded"
"""When a module may be placed: freely, only where nothing else fits, or only by a fixed pick."""

WEIGHTED, FIRST, BEST = "weighted", "first", "best"
"""Which module a fixed pick means when several have its name."""

SKIP, FORCE = "skip", "force"
"""What becomes of a fixed pick that does not fit its node."""

SQUARE, HEX = "square", "hex"
"""The kinds of lattice."""

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Orbital:
    """Name one direction in which a node may have a neighbour."""

    name: str
    direction: Vector | None = None
    """Where it points, in any length; None where edges say their orbitals themselves."""


@dataclass(frozen=True, slots=True)
class OrbitalSet:
    """Hold the directions that a layer knows, up to 64."""

    orbitals: tuple[Orbital, ...]
    threshold_degrees: float = 22.5
    """How far an edge may point away from an orbital and still be matched to it."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Hold one kind of connection. A module must fit and agree in every layer."""

    name: str
    orbital_set: OrbitalSet


@dataclass(frozen=True, slots=True)
class Bonds:
    """Say what a module asks of its surroundings in one layer."""

    orbital_mask: int = 0
    """Orbitals on which the node must have a neighbour."""
    boundary_mask: int = 0
    """Orbitals on which the node must have none; apart from `orbital_mask`."""
    wildcard_mask: int = 0
    """Orbitals on which any neighbour will do; within `orbital_mask`."""
    neighbours: tuple[int | None, ...] = ()
    """For each orbital the mask of modules that may stand there; None where any may. Never 0: an orbital on which no
    module may stand is a boundary."""


@dataclass(frozen=True, slots=True)
class Transform:
    """Hold one way to place a module at its node, relative to it."""

    offset: Vector = (0.0, 0.0, 0.0)
    rotation_degrees: Vector = (0.0, 0.0, 0.0)
    scale: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Look:
    """Say how to draw a module."""

    colour: str = ""
    """As #rrggbb; empty to have one chosen."""
    glyph: str = ""
    """One character for a terminal; empty to have one chosen."""
    picture: bytes = b""
    """A PNG picture of the module before it is turned; empty if there is none."""
    quarter_turns: int = 0
    """How often the picture is turned by 90 degrees, anticlockwise, before it is shown."""
    mirrored: bool = False
    """Whether the picture is then mirrored, left to right."""
    sprite: str = ""
    """The name of a bundled picture, such as `terrain/grass`, for a module without a picture of its own."""
    tiles: tuple[int, ...] = ()
    """The tile that a map of an editor has for it, one for each layer of `Rules.art`; see `solvent.valency.art`."""


PropertyValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Module:
    """Hold one thing that may stand on a node."""

    key: str
    """Its own name, which no other module has."""
    name: str
    """What fixed picks and users call it; the variants of a module share it."""
    bonds: tuple[Bonds, ...]
    """One for each layer."""
    weight: float = 1.0
    """How often it is chosen, compared with others; one of weight 0 only where nothing else is left."""
    least: int = 0
    """How many there must be at least; fixed picks count."""
    most: int | None = None
    """How many there may be at most; None for any number."""
    tags: tuple[str, ...] = ()
    properties: tuple[tuple[str, PropertyValue], ...] = ()
    """Names and values, sorted by name; those that are missing have the value in `Rules.property_defaults`."""
    transforms: tuple[Transform, ...] = ()
    """Ways to place it, of which each node draws one by its seed; none means as it is."""
    placement: str = NORMAL
    look: Look = Look()


@dataclass(frozen=True, slots=True)
class Rules:
    """Hold bonding rules: modules, and the layers in which they bond."""

    layers: tuple[Layer, ...]
    modules: tuple[Module, ...]
    name: str = ""
    property_defaults: tuple[tuple[str, PropertyValue], ...] = ()
    """Properties that every module has, with the value it has if it says none; sorted by name."""
    art: Art | None = None
    """The tilesets of an editor that the modules are tiles of; None where they are not."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Hold a cluster whose nodes are the cells of a grid.

    Cell (x, y, z) is node x + width * (y + height * z); y grows downwards, as in pictures. On a square lattice orbital
    o leads from a cell to the one at its direction, which must be whole numbers. On a hexagonal one, rows with odd y
    stand half a cell to the right, and the layer's orbitals are those of `HEX_ORBITALS`.
    """

    width: int
    height: int
    depth: int = 1
    kind: str = SQUARE
    periodic: tuple[bool, bool, bool] = (False, False, False)
    """Along which axes the last cell is a neighbour of the first."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Graph:
    """Hold a cluster of any shape. Lists are accepted for every array, and arrays must not be changed afterwards."""

    positions: npt.NDArray[np.float64]
    """Where each node stands, shape (nodes, 3); all 0 where none is given."""
    edges: npt.NDArray[np.int32]
    """The two nodes of each edge, shape (edges, 2)."""
    orbitals: npt.NDArray[np.int16] | None = None
    """For each edge and layer the orbital at its first and at its second node, shape (edges, layers, 2); -1 for none.
    None where edges are matched to orbitals by their direction."""
    names: tuple[str, ...] = ()
    """The name of each node; empty where nodes only have numbers."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", _frozen_array(self.positions, np.float64, (-1, 3)))
        object.__setattr__(self, "edges", _frozen_array(self.edges, np.int32, (-1, 2)))
        if self.orbitals is not None:
            shape = (len(self.edges), -1 if len(self.edges) else 0, 2)
            object.__setattr__(self, "orbitals", _frozen_array(self.orbitals, np.int16, shape))

    def _facts(self) -> tuple[object, ...]:
        orbitals = None if self.orbitals is None else self.orbitals.tolist()
        return self.positions.tolist(), self.edges.tolist(), orbitals, self.names

    def __eq__(self, other: object) -> bool:
        return self._facts() == other._facts() if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.positions.tobytes(), self.edges.tobytes(), self.names))

    def __repr__(self) -> str:
        parts = zip(fields(self), self._facts(), strict=True)
        return f"Graph({', '.join(f'{part.name}={value!r}' for part, value in parts)})"


def _frozen_array(values: Any, kind: type, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.array(values, dtype=kind).reshape(shape)
    array.setflags(write=False)
    return array


Cluster = Lattice | Graph


@dataclass(frozen=True, slots=True)
class Pick:
    """Fix what stands on a node before anything is chosen."""

    node: int
    name: str
    """The key of a module, or a name that several may have. One that no module has is ignored, and remarked on."""


@dataclass(frozen=True, slots=True)
class Region:
    """Give some nodes a seed or weights of their own. A node belongs to at most one region."""

    nodes: tuple[int, ...]
    seed: int | None = None
    """Where their choices come from; None for the seed of the whole."""
    weights: tuple[tuple[int, float], ...] = ()
    """Modules and by how much their weight is multiplied here; sorted by module."""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """Ask that the nodes holding certain modules be at least and at most so many."""

    modules: int
    """A mask of modules."""
    least: int = 0
    most: int | None = None
    nodes: tuple[int, ...] = ()
    """Among which nodes; empty for all."""


@dataclass(frozen=True, slots=True)
class Connected:
    """Ask that all nodes holding certain modules hang together."""

    modules: int
    """A mask of modules."""
    exits: tuple[tuple[int, ...], ...] = ()
    """For each layer and module the mask of orbitals through which one gets in and out; empty for all orbitals. Two
    neighbours hang together if each has an exit to the other."""


@dataclass(frozen=True, slots=True)
class Path:
    """Ask that two nodes hold certain modules and hang together through nodes that hold such modules."""

    start: int
    end: int
    modules: int
    """A mask of modules."""
    exits: tuple[tuple[int, ...], ...] = ()
    """As in `Connected`."""


@dataclass(frozen=True, slots=True)
class Separation:
    """Ask that any two nodes holding certain modules be so many edges apart."""

    modules: int
    """A mask of modules."""
    distance: int
    """The least number of edges, in any layers, on the way from one to the other."""
    others: int = 0
    """A second mask: then a node of the one and a node of the other are kept apart, and two of the same are not."""


@dataclass(frozen=True, slots=True)
class Only:
    """Ask that certain nodes hold none but certain modules."""

    modules: int
    """A mask of modules."""
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Consecutive:
    """Ask that no more than so many nodes in a row hold certain modules.

    A row that closes to a ring has no end: if all of it holds such modules, it is too long.
    """

    modules: int
    """A mask of modules."""
    most: int
    """How many there may be, one behind the other."""
    along: tuple[tuple[int, int], ...]
    """Layers and orbitals along which rows go; the opposite ones need not be named."""


MIRROR_X, MIRROR_Y, HALF_TURN, QUARTER_TURN = "mirror x", "mirror y", "half turn", "quarter turn"
"""The kinds of symmetry: left is right, top is bottom, turned by 180 degrees, turned by 90 degrees clockwise."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Ask that a square lattice look the same when it is mirrored or turned."""

    kind: str
    images: tuple[int, ...]
    """For each module the one that stands at the image of its cell; -1 if it has none, and cannot be used."""

    @property
    def modules(self) -> int:
        """Return the mask of all modules: the constraint is about each of them."""
        return (1 << len(self.images)) - 1


@dataclass(frozen=True, slots=True)
class Parity:
    """Ask that the number of nodes holding certain modules be even, or odd."""

    modules: int
    """A mask of modules."""
    odd: bool
    nodes: tuple[int, ...] = ()
    """Among which nodes; empty for all."""


@dataclass(frozen=True, slots=True)
class Acyclic:
    """Ask that nodes holding certain modules do not hang together in a circle.

    Each edge counts by itself: two neighbours that are joined along two edges are a circle, and so is a node that is
    joined to itself.
    """

    modules: int
    """A mask of modules."""
    exits: tuple[tuple[int, ...], ...] = ()
    """As in `Connected`."""


@dataclass(frozen=True, slots=True)
class Loop(Connected):
    """Ask that all nodes holding certain modules form one loop: they hang together, and each has two joins.

    Each edge counts by itself: two nodes that are joined along two edges are a loop, and so is a node that is joined
    to itself. No node at all is fine too.
    """


Constraint = Count | Connected | Path | Separation | Only | Consecutive | Symmetry | Parity | Acyclic | Loop


@dataclass(frozen=True, slots=True)
class Staging:
    """Hold one task: fill this cluster by these rules."""

    rules: Rules
    cluster: Cluster
    picks: tuple[Pick, ...] = ()
    """Sorted by node; at most one a node."""
    pick_selection: str = WEIGHTED
    pick_misfit: str = SKIP
    constraints: tuple[Constraint, ...] = ()
    regions: tuple[Region, ...] = ()
    priorities: tuple[float, ...] = ()
    """One for each node, for solvers that go by them; empty where there are none."""
    seed: int = 0
    """Where choices come from, unless another seed is asked for."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """What reading it left out or assumed, one sentence each; no part of what is equal."""
    source: Source | None = field(default=None, compare=False, repr=False)
    """What it was read from; no part of what is equal."""

    domain: ClassVar[str] = "valency"

    def __str__(self) -> str:
        from solvent.valency.drawing import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        from solvent.valency.drawing import draw_svg

        return draw_svg(self)


def mask_of(numbers: Iterable[int]) -> int:
    """Return the mask with these bits."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def numbers_in(mask: int) -> list[int]:
    """Return the bits of a mask, rising."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def _set(*orbitals: tuple[str, Sequence[float]]) -> OrbitalSet:
    return OrbitalSet(tuple(Orbital(name, (float(at[0]), float(at[1]), float(at[2]))) for name, at in orbitals))


_FOUR = (("right", (1, 0, 0)), ("down", (0, 1, 0)), ("left", (-1, 0, 0)), ("up", (0, -1, 0)))
_DIAGONALS = (
    ("down-right", (1, 1, 0)),
    ("down-left", (-1, 1, 0)),
    ("up-left", (-1, -1, 0)),
    ("up-right", (1, -1, 0)),
)
_HALF_ROOT_OF_THREE = 0.8660254037844386

SQUARE_ORBITALS = _set(*_FOUR)
SQUARE8_ORBITALS = _set(*_FOUR, *_DIAGONALS)
CUBIC_ORBITALS = _set(*_FOUR, ("above", (0, 0, 1)), ("below", (0, 0, -1)))
HEX_ORBITALS = _set(
    ("right", (1, 0, 0)),
    ("down-right", (0.5, _HALF_ROOT_OF_THREE, 0)),
    ("down-left", (-0.5, _HALF_ROOT_OF_THREE, 0)),
    ("left", (-1, 0, 0)),
    ("up-left", (-0.5, -_HALF_ROOT_OF_THREE, 0)),
    ("up-right", (0.5, -_HALF_ROOT_OF_THREE, 0)),
)
ORBITAL_SETS = {
    "square": SQUARE_ORBITALS,
    "square8": SQUARE8_ORBITALS,
    "hex": HEX_ORBITALS,
    "cubic": CUBIC_ORBITALS,
}
"""The orbital sets that have a name of their own."""
