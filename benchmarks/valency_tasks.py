"""What is filled: public tile sets, our own rules, a graph without any order, patterns of a drawn sample, examples."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import solvent
from benchmarks.machine import PROJECT
from solvent.core.answer import Verdict
from solvent.valency.generator import read_rules
from solvent.valency.model import SQUARE8_ORBITALS, Bonds, Graph, Lattice, Layer, Module, Rules, Staging, mask_of
from solvent.valency.notation.samples import learn_overlapping, parse_sample
from solvent.valency.notation.tileset_xml import parse_tileset

BUNDLED = ("terrain", "pipes", "rooms")
"""Examples whose rules are used on grids of any size, without the constraints of the example."""
PUBLIC = {"Knots": "Standard", "Circles": None, "Rooms": None, "FloorPlan": None, "Castle": None}
"""Public tile sets, and the subset that is taken of each."""

SAMPLE = """\
....................
..#####......####...
..#...#......#..#...
..#...+~~~~~~+..#...
..#...#......#..#...
..###+#......##+#...
.....~.........~....
.....~....##...~....
.....~~~~~##~~~~....
..........##........
....................
...####+####........
...#.......#...oo...
...#.......+~~.oo...
...#.......#.~......
...#########.~......
.............~......
.....oo......~......
.....oo~~~~~~~......
....................
"""
"""Houses, ponds and the paths between them."""


@dataclass(frozen=True, slots=True)
class TaskClass:
    """Hold one task, and the seeds from which it is filled."""

    name: str
    staging: Staging
    seeds: tuple[int, ...]
    expected: Verdict | None = None
    """The verdict, where it is known beforehand."""


def default_folder() -> Path:
    """Return where public tile sets are looked for: in `SOLVENT_CORPORA`, or beside the project."""
    return Path(os.environ.get("SOLVENT_CORPORA") or PROJECT.parent / "shared" / "data") / "tilesets"


def load_rules(name: str, folder: Path) -> Rules | None:
    """Return the rules of an example or a public tile set by name; None if the folder does not have it."""
    if name in BUNDLED:
        return read_rules(name, [])
    path = folder / f"{name}.xml"
    if not path.is_file():
        return None
    return parse_tileset(path.read_text(encoding="utf-8"), subset=PUBLIC.get(name), name=name)


def tile_class(name: str, size: int, seeds: Sequence[int], folder: Path) -> TaskClass | None:
    """Return rules on a square grid that does not wrap around; None if there are no such rules."""
    rules = load_rules(name, folder)
    if rules is None:
        return None
    return TaskClass(f"{name} {size}²", Staging(rules, Lattice(size, size)), tuple(seeds))


def delaunay_class(nodes: int, seeds: Sequence[int]) -> TaskClass | None:
    """Return jittered points joined to a mesh, to be filled with 85 modules of open sides; None without scipy.

    Edges go to the nearest of eight directions. A module has no open side, or two or three; a side is open if and only
    if the other side is, and none may lead where there is no neighbour.
    """
    if find_spec("scipy") is None:
        return None
    from scipy.spatial import Delaunay  # type: ignore[import-untyped, unused-ignore]

    side = round(nodes**0.5)
    random = np.random.default_rng(20_240)
    grid = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    points = grid + random.uniform(-0.3, 0.3, grid.shape)
    corners = Delaunay(points).simplices
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]]), axis=1)
    edges = np.unique(pairs, axis=0)
    positions = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
    staging = Staging(_mesh_rules(), Graph(positions, edges))
    return TaskClass(f"mesh of {len(points)}", staging, tuple(seeds))


def _mesh_rules() -> Rules:
    sides = np.array([mask for mask in range(256) if mask.bit_count() in (0, 2, 3)])
    modules = []
    for mask in sides.tolist():
        beside = tuple(_same_openness(sides, mask, orbital, orbital ^ 2) for orbital in range(8))
        weight = 1.0 if mask else 4.0
        modules.append(Module(f"open {mask:08b}", "open", (Bonds(mask, 0, 0, beside),), weight))
    return Rules((Layer("mesh", SQUARE8_ORBITALS),), tuple(modules), "mesh")


def _same_openness(sides: np.ndarray[tuple[int, ...], np.dtype[np.int64]], mask: int, orbital: int, back: int) -> int:
    """Return the modules, given the open sides of each, whose side `back` is as open as side `orbital` of a mask."""
    return mask_of(np.flatnonzero((sides >> back & 1) == (mask >> orbital & 1)).tolist())


def pattern_class(pattern: int, symmetry: int, size: int, seeds: Sequence[int]) -> TaskClass:
    """Return the patterns of a drawn sample on a grid that wraps around."""
    rules = learn_overlapping(parse_sample(SAMPLE), pattern=pattern, symmetry=symmetry, name="sample")
    staging = Staging(rules, Lattice(size, size, periodic=(True, True, False)))
    return TaskClass(f"{len(rules.modules)} patterns {size}²", staging, tuple(seeds))


def example_classes() -> list[TaskClass]:
    """Return the tasks that come with Solvent, each with its own seed."""
    found = []
    for example in solvent.examples("valency"):
        staging = solvent.parse(example.text, domain="valency")
        found.append(TaskClass(example.name, staging, (staging.seed,), example.expected.get("solvable")))
    return found
