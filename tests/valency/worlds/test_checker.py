"""The checker of seams and chunks: what is right is accepted, and whatever is changed is rejected."""

from __future__ import annotations

import copy
import functools
import random
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.answer import Certificate, Verdict
from solvent.core.errors import BadOption, CertificateRejected
from solvent.proof.certificate import make_certificate
from solvent.valency.checker.world_chunk import ChunkChecker
from solvent.valency.model import Bonds, Count, Lattice, Layer, Module, Orbital, OrbitalSet, Pick, Rules, Staging
from solvent.valency.worlds import ChunkTask, World, open_world
from solvent.valency.worlds.opening import read_chunk_task, world_of
from valency.worlds.small_rules import chunk_task, make_rules

CHESS = make_rules(2, frozenset({(0, 1), (1, 0)}), frozenset({(0, 1), (1, 0)}), name="chess")


@functools.cache
def world(rules: str = "pipes", chunk: str = "10x10") -> World:
    return open_world(rules, chunk=chunk, seed=3)


def proof() -> tuple[Staging, Certificate]:
    staging, certificate = world().proof
    return staging, copy.deepcopy(certificate)


def rejected(staging: Staging, certificate: Any) -> str:
    with pytest.raises(CertificateRejected) as error:
        solvent.check(staging, certificate)
    return str(error.value)


def test_seams_are_accepted() -> None:
    staging, certificate = proof()
    assert certificate["form"] == "seams"
    assert len(certificate["fills"]) == 256
    solvent.check(staging, certificate)


def test_each_way_needs_its_fill() -> None:
    staging, certificate = proof()
    certificate["fills"].pop(100)
    assert "no fill has the strips" in rejected(staging, certificate)
    certificate["fills"].append(certificate["fills"][0])
    assert "two fills" in rejected(staging, certificate)


def test_strips_must_cross_in_the_same_cell() -> None:
    staging, certificate = proof()
    strip = certificate["down"][1][0]
    strip[0] = (strip[0] + 1) % len(staging.rules.modules)
    assert "strips differ where they cross" in rejected(staging, certificate)


def test_a_fill_begins_with_its_strips() -> None:
    staging, certificate = proof()
    one, other = certificate["fills"][0], certificate["fills"][-1]
    one["modules"], other["modules"] = other["modules"], one["modules"]
    assert "does not begin with its strips" in rejected(staging, certificate)


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.update(across=[]),
        lambda body: body.update(down="x"),
        lambda body: body["fills"][3].update(strips=[0, 0, 0, 9]),
        lambda body: body["fills"][3].update(modules=[0]),
        lambda body: body["fills"][3]["modules"].__setitem__(5, 999),
        lambda body: body["fills"][3]["modules"].__setitem__(5, -1),
        lambda body: body["across"][0][0].append(0),
        lambda body: body["across"][0][0].__setitem__(3, 1 << 40),
        lambda body: body["fills"][0].update(other=1),
    ],
)
def test_malformed_seams_are_rejected(change: Any) -> None:
    staging, certificate = proof()
    change(certificate)
    rejected(staging, certificate)


def test_changed_cells_are_rejected_wherever_neighbours_mind() -> None:
    """In a chessboard every cell depends on its neighbours, so no cell can be changed."""
    staging, certificate = world_of(ChunkTask(chunk_task(CHESS, 6, 6)), 0).proof
    solvent.check(staging, certificate)
    for cell in range(36):
        changed = copy.deepcopy(certificate)
        changed["fills"][0]["modules"][cell] ^= 1
        rejected(staging, changed)


def test_seams_are_for_grids_that_wrap_around() -> None:
    staging, certificate = proof()
    flat = staging.__class__(staging.rules, staging.cluster.__class__(10, 10))
    assert "wraps around in x and y" in rejected(flat, certificate)


@pytest.mark.parametrize(("step", "depth", "empty"), [(1, 1, 0), (2, 3, 1)])
def test_seams_prove_nothing_about_cells_without_neighbours(step: int, depth: int, empty: int) -> None:
    """Such cells stay empty, so what stands there cannot be the one of a module that there must be."""
    layer = Layer("floors", OrbitalSet((Orbital("up", (0, 0, step)), Orbital("down", (0, 0, -step)))))
    modules = (Module("a", "a", (Bonds(),)), Module("b", "b", (Bonds(boundary_mask=3),), least=1))
    staging = Staging(Rules((layer,), modules), Lattice(4, 4, depth, periodic=(True, True, False)))
    floors = [int(floor == empty) for floor in range(depth)]
    strip = [[module] * 4 for module in floors]
    cells = [module for module in floors for _ in range(16)]
    body = {"across": [strip], "down": [strip], "fills": [{"strips": [0, 0, 0, 0], "modules": cells}]}
    assert solvent.ask(staging).verdict is Verdict.NO
    found = rejected(staging, make_certificate("valency", "solvable", Verdict.YES, "seams", **body))
    assert "a cell has no neighbour and stays empty" in found
    rimmed = np.pad(np.reshape(cells, (depth, 4, 4)), ((0, 0), (1, 1), (1, 1)), mode="wrap")
    assert "stays empty" in ChunkChecker(staging).violations(rimmed)[0]
    with pytest.raises(BadOption, match=f"leads from floor {empty} of a chunk"):
        ChunkTask(staging)


@pytest.mark.parametrize(("rules", "chunk"), [("pipes", "10x10"), ("hexes", "12x10")])
def test_a_chunk_is_checked_with_every_cell_around_it(rules: str, chunk: str) -> None:
    """Whatever the checker accepts after one cell was changed, brute force accepts too, and the other way round."""
    made = world(rules, chunk)
    checker = ChunkChecker(made.task.staging)
    cells = made.with_rim(-2, 5)
    assert checker.violations(cells) == []
    draw = random.Random(1)
    accepted = denied = 0
    count = len(made.task.rules.modules)
    for _ in range(60):
        changed = cells.copy()
        row, column = draw.randrange(cells.shape[1]), draw.randrange(cells.shape[2])
        changed[0, row, column] = draw.randrange(count)
        right = all_agree(made, changed[0])
        assert (checker.violations(changed) == []) is right
        accepted, denied = accepted + right, denied + (not right)
    assert denied > 20
    assert accepted > 0


def all_agree(made: World, cells: np.ndarray) -> bool:
    """Tell cell by cell whether neighbours accept each other, from the rules as they are written."""
    modules, hexagons = made.task.rules.modules, made.task.kind == "hex"
    steps = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    for row in range(cells.shape[0]):
        for column in range(cells.shape[1]):
            if hexagons:  # the first row is an odd one
                shift = 1 if (row + 1) % 2 else 0
                steps = [(1, 0), (shift, 1), (shift - 1, 1), (-1, 0), (shift - 1, -1), (shift, -1)]
            for orbital, (x, y) in enumerate(steps):
                if not (0 <= row + y < cells.shape[0] and 0 <= column + x < cells.shape[1]):
                    continue
                allowed = modules[cells[row, column]].bonds[0].neighbours
                mask = allowed[orbital] if orbital < len(allowed) else None
                if mask is not None and not mask >> int(cells[row + y, column + x]) & 1:
                    return False
    return True


def test_picks_and_counts_are_checked_in_each_chunk() -> None:
    plain = read_chunk_task("terrain", "10x10")
    sand = next(number for number, module in enumerate(plain.rules.modules) if "sand" in module.key)
    key = plain.rules.modules[sand].key
    staging = plain.__class__(
        plain.rules, plain.cluster, picks=(Pick(44, key),), constraints=(Count(1 << sand, 3, 30),)
    )
    made = world_of(ChunkTask(staging), 9)
    checker = ChunkChecker(staging)
    for x in range(3):
        rimmed = made.with_rim(x, 0)
        assert checker.violations(rimmed) == []
        assert rimmed[0, 5, 5] == sand
        assert 3 <= (rimmed[0, 1:-1, 1:-1] == sand).sum() <= 30
    fewer = ChunkChecker(plain.__class__(plain.rules, plain.cluster, constraints=(Count(1 << sand, 0, 0),)))
    assert any("at most 0" in violation for violation in fewer.violations(rimmed))
    other = plain.rules.modules[(sand + 1) % len(plain.rules.modules)].key
    picked = ChunkChecker(plain.__class__(plain.rules, plain.cluster, picks=(Pick(44, other),)))
    assert any("is picked to hold" in violation for violation in picked.violations(rimmed))
