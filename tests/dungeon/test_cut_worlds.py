"""A map that is cut into levels at random, and joined again by an editor's world, is the map it was."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solvent
from dungeon.test_ldtk import entity
from dungeon.test_ldtk_worlds import placed, world
from dungeon.tiled.maps import thing
from dungeon.tiled.projects import map_of
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ldtk.reading import parse_ldtk

KINDS = {"@": "start", "G": "goal", "k": "key", "L": "lock", "b": "bombs", "B": "cracked", "m": "monster"}
Piece = tuple[int, int, tuple[str, ...]]
"""The row and column of its corner, and its rows."""


def random_map(dice: Random) -> list[str]:
    height, width = dice.randint(2, 9), dice.randint(2, 12)
    rows = [[dice.choice("##....~") for _ in range(width)] for _ in range(height)]
    cells = [(row, column) for row in range(height) for column in range(width)]
    dice.shuffle(cells)
    for glyph in "@G" + "".join(dice.choice("kLbBm") for _ in range(dice.randint(0, 5))):
        if cells:
            row, column = cells.pop()
            rows[row][column] = glyph
    made = ["".join(row) for row in rows]
    return made if "#" in "".join(made) else random_map(dice)  # a map without walls is one that says nothing


def cut(rows: list[str], dice: Random) -> list[Piece]:
    """Cut a map into bands of columns, and each of those into rows of its own."""
    pieces: list[Piece] = []
    for left, right in _stretches(len(rows[0]), dice):
        for top, bottom in _stretches(len(rows), dice):
            pieces.append((top, left, tuple(row[left:right] for row in rows[top:bottom])))
    dice.shuffle(pieces)
    return pieces


def _stretches(length: int, dice: Random) -> list[tuple[int, int]]:
    edges = sorted({0, length, *(dice.randint(0, length) for _ in range(dice.randint(0, 3)))})
    return list(pairwise(edges))


def things_of(piece: Piece) -> list[tuple[str, int, int]]:
    rows = piece[2]
    return [
        (KINDS[glyph], row, column)
        for row, line in enumerate(rows)
        for column, glyph in enumerate(line)
        if glyph in KINDS
    ]


def ground_of(piece: Piece) -> tuple[str, ...]:
    return tuple("".join("." if glyph in KINDS else glyph for glyph in row) for row in piece[2])


def as_it_was(rows: list[str]) -> Dungeon:
    """Read the whole map; each tile of a gate is a gate of its own, as objects are."""
    dungeon: Any = solvent.parse("dungeon:\n\nmap:\n" + "\n".join(rows) + "\n")
    gates = sorted(
        (replace(gate, cells=(cell,)) for gate in dungeon.gates for cell in gate.cells), key=lambda gate: gate.cells
    )
    return replace(dungeon, gates=tuple(gates))


@pytest.mark.parametrize("seed", range(40))
def test_ldtk_worlds(seed: int):
    dice = Random(seed)
    rows = random_map(dice)
    pieces = cut(rows, dice)
    left, top, side = dice.randint(-9, 9) * 16, dice.randint(-9, 9) * 16, 16
    levels = [
        placed(
            f"Level_{number}",
            ground_of(piece),
            left + piece[1] * side,
            top + piece[0] * side,
            *(entity(kind, column, row, iid=f"{number} {row} {column}") for kind, row, column in things_of(piece)),
        )
        for number, piece in enumerate(pieces)
    ]
    read = parse_ldtk(json.dumps(world(*levels)), None)
    assert replace(read, rooms=()) == as_it_was(rows)
    assert len(read.rooms) == (len(pieces) if len(pieces) > 1 else 0)


@pytest.mark.parametrize("seed", range(25))
def test_tiled_worlds(seed: int, tmp_path: Path):
    dice = Random(seed)
    rows = [row.replace("~", "#") for row in random_map(dice)]
    pieces = cut(rows, dice)
    maps = []
    for number, piece in enumerate(pieces):
        objects = [thing(kind, column, row, id=at) for at, (kind, row, column) in enumerate(things_of(piece), 1)]
        (tmp_path / f"m{number}.tmj").write_text(json.dumps(map_of(ground_of(piece), *objects)))
        maps.append({"fileName": f"m{number}.tmj", "x": piece[1] * 16, "y": piece[0] * 16})
    (tmp_path / "all.world").write_text(json.dumps({"maps": maps, "type": "world"}))
    assert replace(solvent.load(tmp_path / "all.world"), rooms=()) == as_it_was(rows)
