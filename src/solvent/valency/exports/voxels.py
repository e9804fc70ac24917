"""Write fills for programs that show them in three dimensions: MagicaVoxel (VOX), and meshes of cubes (OBJ).

A module with the tag `empty` leaves its cell empty. A graph, whose nodes are no cells, has no voxels; as a mesh it is a
cube at each node.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.drawing.palette import Paint
from solvent.valency.drawing.faces import module_paints
from solvent.valency.exports.module_data import ModuleData
from solvent.valency.model import HEX, Graph, Lattice, Module, Rules
from solvent.valency.notation.magicavoxel import LONGEST_SIDE, default_palette, write_voxels
from solvent.valency.notation.samples import EMPTY
from solvent.valency.orbitals import node_positions

MAX_COLOURS = 255
MAX_FACES = 4_000_000
CUBE, CUBE_OF_A_NODE = 1.0, 0.6
"""The side of a cube, in cells: they touch on a lattice, and stand apart on other clusters."""
# The corners of a cube, and its six faces: towards which neighbour, and which corners, anticlockwise from outside.
_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_FACES = (
    ((1, 0, 0), (1, 2, 6, 5)),
    ((-1, 0, 0), (0, 4, 7, 3)),
    ((0, 1, 0), (2, 3, 7, 6)),
    ((0, -1, 0), (0, 1, 5, 4)),
    ((0, 0, 1), (4, 5, 6, 7)),
    ((0, 0, -1), (0, 3, 2, 1)),
)


def is_empty(module: Module) -> bool:
    """Tell whether a module stands for nothing."""
    return EMPTY in module.tags


def write_vox(data: ModuleData) -> bytes:
    """Write a square lattice as a voxel model, one voxel a cell in the colour of its module."""
    lattice = data.staging.cluster
    if isinstance(lattice, Graph) or lattice.kind == HEX:
        raise BadOption("a voxel model holds cells of squares and cubes only; write this as obj, json or csv")
    if max(lattice.width, lattice.height, lattice.depth) > LONGEST_SIDE:
        raise BadOption(f"a voxel model has at most {LONGEST_SIDE} voxels along a side")
    numbers, palette = _colours(data.staging.rules)
    filled = data.modules.reshape(lattice.depth, lattice.height, lattice.width)
    voxels = np.where(filled >= 0, numbers[filled], 0).astype(np.uint8)
    return write_voxels(voxels[:, ::-1, :], palette)


def _colours(rules: Rules) -> tuple[npt.NDArray[np.uint8], tuple[Paint, ...]]:
    """Return the colour of each module by number, 0 for none, and the palette.

    A module that is called like a colour, as those learned from a model are, keeps its number.
    """
    modules, paints = rules.modules, module_paints(rules.modules)
    seen = [number for number, module in enumerate(modules) if not is_empty(module)]
    chosen: dict[Paint, int] = {}
    palette = list(default_palette())
    kept = {int(modules[number].name): paints[number] for number in seen if _is_colour(modules[number].name)}
    for colour, paint in kept.items():
        palette[colour - 1] = paint
        chosen.setdefault(paint, colour)
    free = iter(colour for colour in range(1, MAX_COLOURS + 1) if colour not in kept)
    numbers = np.zeros(len(modules), dtype=np.uint8)
    for number in seen:
        paint = paints[number]
        if paint not in chosen:
            colour = next(free, 0)
            if not colour:
                raise BadOption(f"a voxel model has at most {MAX_COLOURS} colours, and these modules have more")
            chosen[paint] = colour
            palette[colour - 1] = paint
        name = modules[number].name
        numbers[number] = int(name) if _is_colour(name) and kept.get(int(name)) == paint else chosen[paint]
    return numbers, tuple(palette)


def _is_colour(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 3 and 1 <= int(name) <= MAX_COLOURS


def write_obj(data: ModuleData) -> bytes:
    """Write a mesh with a cube for each cell, without the faces between two of them, and an object for each module.

    Colours stand after the corners, as many programs read them. z leads up in a lattice and y in a mesh.
    """
    lines = [f"# Solvent: {data.staging.rules.name or 'a fill'}, seed {data.seed}".replace("\n", " ")]
    modules, paints = data.staging.rules.modules, module_paints(data.staging.rules.modules)
    corners, faces, held = _mesh(data)
    if len(faces) > MAX_FACES:
        raise BadOption(f"a mesh has at most {MAX_FACES:,} faces, and this would have {len(faces):,}")
    count = 0
    for number in sorted(set(held.tolist())):
        mine = faces[held == number]
        used, places = np.unique(mine, return_inverse=True)
        red, green, blue = (part / 255 for part in paints[number])
        lines.append(f"o {_plain_name(modules[number].key)}")
        for x, y, z in corners[used].tolist():
            lines.append(f"v {x:g} {z:g} {y:g} {red:.4f} {green:.4f} {blue:.4f}")
        for row in (places.reshape(-1, 4) + count + 1).tolist():
            lines.append("f " + " ".join(map(str, row)))
        count += len(used)
    return ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")


def _plain_name(key: str) -> str:
    return "_".join(key.split()) or "module"


def _mesh(data: ModuleData) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return corners, faces as numbers of corners, and the module of each face."""
    modules, cluster = data.staging.rules.modules, data.staging.cluster
    visible = np.array([*(not is_empty(module) for module in modules), False])[np.maximum(data.modules, -1)]
    nodes = np.flatnonzero(visible)
    is_lattice = isinstance(cluster, Lattice) and cluster.kind != HEX
    size = CUBE if is_lattice else CUBE_OF_A_NODE
    corners = node_positions(cluster)[nodes][:, None, :] + (np.array(_CORNERS) - 0.5)[None] * size
    faces, held = [], []
    for direction, square in _FACES:
        shown = np.ones(len(nodes), dtype=np.bool_) if not is_lattice else ~_is_behind(data, visible, direction)[nodes]
        faces.append(np.flatnonzero(shown)[:, None] * len(_CORNERS) + np.array(square)[None, ::-1])
        held.append(data.modules[nodes[shown]])
    return corners.reshape(-1, 3), np.concatenate(faces), np.concatenate(held)


def _is_behind(
    data: ModuleData, visible: npt.NDArray[np.bool_], direction: tuple[int, int, int]
) -> npt.NDArray[np.bool_]:
    """Tell for each cell whether its neighbour in a direction can be seen, and hides what is between them."""
    lattice = data.staging.cluster
    assert isinstance(lattice, Lattice)
    grid = np.pad(visible.reshape(lattice.depth, lattice.height, lattice.width), 1)
    x, y, z = direction
    moved = np.roll(grid, (-z, -y, -x), axis=(0, 1, 2))[1:-1, 1:-1, 1:-1]
    return moved.reshape(-1)
