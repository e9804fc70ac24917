"""Instances of any size, made quickly; sizes count cells or nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isqrt
from random import Random
from typing import Any

import numpy as np

import solvent
from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup, Place, Rules
from solvent.harmony.model import Board
from solvent.starbattle.model import Puzzle, most_stars
from solvent.valency.model import Bonds, Graph, Lattice, Layer, Module, Orbital, OrbitalSet, Staging
from solvent.valency.model import Rules as ValencyRules
from torture.instances.starbattle import random_puzzle

SIZES: Mapping[str, tuple[int, ...]] = {
    "dungeon": (12, 300, 10_000, 100_000, 1_000_000),
    "harmony": (9, 49, 100, 400, 26 * 99),
    "starbattle": (16, 100, 289, 625),
    "valency": (16, 400, 10_000, 100_000, 1_000_000),
}


def make_large(domain: str, size: int, dice: Random) -> Any:
    """Make an instance of about this size."""
    return _MAKERS[domain](size, dice)


def _dungeon(size: int, dice: Random) -> Dungeon:
    shape = dice.choice(("corridor", "hall", "noise", "maze", "rooms"))
    width = size if shape == "corridor" else max(3, isqrt(size))
    height = max(1, size // width)
    rows = [_row(shape, row, width, dice) for row in range(height)]
    rows[0] = "." + rows[0][1:]
    rows[-1] = rows[-1][:-1] + "."
    free: list[Place] = []
    for _ in range(60):
        row, column = dice.randrange(height), dice.randrange(width)
        if rows[row][column] == ".":
            free.append((0, row, column))
    things = sorted(set(free) - {(0, 0, 0), (0, height - 1, width - 1)})
    dice.shuffle(things)
    count = dice.choice((0, 1, 3, 8, 14))
    return Dungeon(
        floors=(Floor("", tuple(rows)),),
        start=(0, 0, 0),
        goals=((0, height - 1, width - 1),),
        pickups=tuple(Pickup(place, "key") for place in sorted(things[:count])),
        gates=tuple(Gate("lock", ("",), (place,)) for place in sorted(things[count : 2 * count])),
        rules=Rules(player=dice.choice(("any", "thorough"))),
    )


def _row(shape: str, row: int, width: int, dice: Random) -> str:
    if shape in ("corridor", "hall"):
        return "." * width
    if shape == "noise":
        return "".join("#" if dice.random() < 0.25 else "." for _ in range(width))
    if shape == "rooms":
        if row % 8 == 0 and row:
            door = dice.randrange(width)
            return "".join("." if column % 11 == door % 11 else "#" for column in range(width))
        return "".join("#" if column % 12 == 11 and dice.random() < 0.9 else "." for column in range(width))
    if row % 2:
        return "".join("." if column % 2 == 0 and dice.random() < 0.6 else "#" for column in range(width))
    return "".join("." if column % 2 == 0 or dice.random() < 0.6 else "#" for column in range(width))


def _harmony(size: int, dice: Random) -> Board:
    rows = min(26, max(2, isqrt(size)))
    cols = min(99, max(2, size // rows))
    cells = rows * cols
    colours, moves = [cell // cols for cell in range(cells)], [0] * cells
    for _ in range(dice.choice((cells // 2, cells, 3 * cells))):
        one = dice.randrange(cells)
        row, col = divmod(one, cols)
        other = row * cols + dice.randrange(cols) if dice.random() < 0.5 else dice.randrange(rows) * cols + col
        if one != other:
            colours[one], colours[other] = colours[other], colours[one]
            moves[one], moves[other] = moves[other] + 1, moves[one] + 1
    if dice.random() < 0.6:
        one, other = dice.sample(range(cells), 2)
        colours[one], colours[other] = colours[other], colours[one]
    return Board(rows, cols, tuple(f"C{row}" for row in range(rows)), tuple(colours), tuple(moves))


def _starbattle(size: int, dice: Random) -> Puzzle:
    side = isqrt(size)
    stars = dice.randint(1, most_stars(side))
    return random_puzzle(dice, side, stars, connected=dice.random() < 0.7)


def _valency(size: int, dice: Random) -> Staging:
    if dice.random() < 0.25:
        return _graph(min(size, 100_000), dice)
    tasks = (solvent.parse(example.text, domain="valency") for example in solvent.examples("valency"))
    flat = [task for task in tasks if isinstance(task.cluster, Lattice) and task.cluster.depth == 1]
    staging = dice.choice(flat)
    side = max(2, isqrt(size))
    lattice = replace(staging.cluster, width=side, height=side, periodic=(False, False, False))
    return Staging(staging.rules, lattice, seed=dice.randrange(100))


def _graph(size: int, dice: Random) -> Staging:
    """Colour a ring with chords: with two colours it often cannot be done."""
    count = max(size, 4)
    nodes = np.arange(count, dtype=np.int32)
    ring = np.stack([nodes, (nodes + 1) % count], axis=1)
    half = nodes[: count // 2]
    chords = np.stack([half, half + count // 2], axis=1) if dice.random() < 0.7 else half[:0].reshape(0, 2)
    orbitals = np.concatenate(
        [
            np.tile(np.array([[[0, 1]]], np.int16), (count, 1, 1)),
            np.tile(np.array([[[2, 3]]], np.int16), (len(chords), 1, 1)),
        ]
    )
    graph = Graph(np.zeros((count, 3)), np.concatenate([ring, chords]), orbitals)
    colours = dice.choice((2, 3, 4))
    everything = (1 << colours) - 1
    modules = tuple(
        Module(f"c{number}", f"c{number}", (Bonds(neighbours=(everything & ~(1 << number),) * 4),))
        for number in range(colours)
    )
    layer = Layer("beside", OrbitalSet(tuple(Orbital(name) for name in "abcd")))
    return Staging(ValencyRules((layer,), modules), graph, seed=dice.randrange(100))


_MAKERS: Mapping[str, Callable[[int, Random], Any]] = {
    "dungeon": _dungeon,
    "harmony": _harmony,
    "starbattle": _starbattle,
    "valency": _valency,
}
