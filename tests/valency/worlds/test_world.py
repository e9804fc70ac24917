"""Worlds: the same bytes however chunks are visited, seams that agree, files for other programs."""

from __future__ import annotations

import functools
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solvent
from helpers.command import Run
from helpers.marks import slow
from solvent.core.budget import UNLIMITED, Budget
from solvent.core.errors import BadOption
from solvent.formats.tiled.world import read_world
from solvent.valency import page
from solvent.valency.model import Count, Lattice, Pick, Staging, mask_of
from solvent.valency.worlds import World, open_world
from solvent.valency.worlds.again import plan_redraws
from solvent.valency.worlds.files import pixel_of
from solvent.valency.worlds.sharing import make_chunk, make_chunks, plan_of
from solvent.valency.worlds.world import _Kept
from valency.worlds.small_rules import make_rules

SETS = ["pipes", "rooms", *slow(["village", "terrain", "hexes", "bridges", "flower_beds"])]


@functools.cache
def opened(rules: str, chunk: str = "16x16") -> World:
    return open_world(rules, chunk=chunk, seed=11)


def anew(rules: str, chunk: str = "16x16") -> World:
    """Return the same world with nothing made yet."""
    world = opened(rules, chunk)
    return World(world.task, world.library, world.seed)


@pytest.mark.parametrize("rules", SETS)
def test_chunks_do_not_depend_on_the_order_of_visits(rules: str) -> None:
    places = [(x, y) for y in range(-3, 2) for x in range(7, 12)]
    orders = [places, places[::-1], random.Random(4).sample(places, len(places))]
    made = [{(c.x, c.y): c.tobytes() for c in anew(rules).visit(order)} for order in orders]
    assert made[0] == made[1] == made[2]
    assert len(set(made[0].values())) == len(places)
    assert anew(rules).chunk(9, -1).tobytes() == made[0][9, -1]  # alone


@pytest.mark.parametrize("rules", SETS)
def test_every_seam_is_right(rules: str) -> None:
    world = anew(rules)
    for y in range(3):
        for x in range(3):
            world.check(1000 - x, -5 + y)


def test_another_process_makes_the_same_bytes() -> None:
    world = anew("pipes")
    plan = pickle.dumps(plan_of(world))
    script = (
        "import pickle, sys; from solvent.valency.worlds.sharing import make_chunks; "
        "plan = pickle.loads(sys.stdin.buffer.read()); "
        "sys.stdout.buffer.write(b''.join(make_chunks(plan, [(3, -4), (-7, 0)])))"
    )
    made = subprocess.run([sys.executable, "-c", script], input=plan, capture_output=True, check=True).stdout
    assert made == world.chunk(3, -4).tobytes() + world.chunk(-7, 0).tobytes()
    again = pickle.loads(plan)
    assert make_chunk(again, 3, -4) == make_chunks(again, [(3, -4)])[0] == world.chunk(3, -4).tobytes()


def test_another_seed_makes_another_world_from_the_same_seams() -> None:
    world = anew("pipes")
    _, seams = world.proof
    other = open_world("pipes", chunk="16x16", seed=12, seams=seams)
    assert other.chunk(0, 0).tobytes() != world.chunk(0, 0).tobytes()
    same = open_world("pipes", chunk="16x16", seed=11, seams=seams)
    assert same.chunk(5, 6).tobytes() == world.chunk(5, 6).tobytes()
    with pytest.raises(solvent.CertificateRejected):
        open_world("pipes", chunk="12x12", seams=seams)


def test_a_part_that_takes_too_long_is_filled_as_was_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.valency.worlds.world.FILL_BUDGET", Budget(nodes=1))
    world, other = anew("pipes"), anew("pipes")
    made = {(chunk.x, chunk.y): chunk.tobytes() for chunk in world.chunks((-1, 4), (2, 2))}
    assert other.chunk(0, 5).tobytes() == made[0, 5]
    proved = [fill.astype("<i2").tobytes() for fill in world.library.fills.values()]
    assert all(data in proved for data in made.values())
    world.check(0, 5)


def test_memory_does_not_grow() -> None:
    kept: _Kept[int] = _Kept(lambda x, y: x * 100 + y, 10)
    for x in range(50):
        assert kept(x, 1) == x * 100 + 1
        assert len(kept._parts) <= 10


@pytest.mark.parametrize("width", range(4, 70))
def test_what_is_drawn_again_covers_each_seam_and_touches_nothing_else(width: int) -> None:
    """Stated cell by cell: rectangles along sides keep off each other's frames, crossings off each other's."""
    height = width + width % 5
    plan = plan_redraws(width, height)
    if plan is None:
        assert width < 9
        return
    down, across, crossing = plan

    def cells(rim: Any, column: int, row: int, *, frame: bool) -> set[tuple[int, int]]:
        inset = 0 if frame else 1
        left, top = rim.left + column * width, rim.top + row * height
        return {
            (x, y)
            for x in range(left + inset, left + rim.width - inset)
            for y in range(top + inset, top + rim.height - inset)
        }

    sides = [(down, c, r) for c in range(3) for r in range(2)] + [(across, c, r) for c in range(2) for r in range(3)]
    crossings = [(crossing, c, r) for c in range(3) for r in range(3)]
    for layer in (sides, crossings):
        for number, one in enumerate(layer):
            for other in layer[number + 1 :]:
                assert not cells(*one, frame=True) & cells(*other, frame=False)
                assert not cells(*one, frame=False) & cells(*other, frame=True)
    drawn = set().union(*(cells(*one, frame=False) for one in (*sides, *crossings)))
    assert {(width, y) for y in range(height)} <= drawn
    assert {(x, height) for x in range(width)} <= drawn
    assert all(rim.top % 2 == 0 for rim in plan)


def test_seams_hardly_repeat() -> None:
    """The library has a few strips, but hardly a seam looks like one of them, or like another."""
    world = anew("pipes")
    seams = [chunk.modules[0, :, 0].tobytes() for chunk in world.chunks((0, 0), (8, 8))]
    strips = {strip[0].tobytes() for strip in world.library.down}
    assert len(set(seams)) == len(seams)
    assert not strips & set(seams)


def test_picks_and_counts_hold_in_each_chunk_of_a_task(tmp_path: Path) -> None:
    rules = opened("village").task.rules
    houses = [number for number, module in enumerate(rules.modules) if "house" in module.key]
    count = Count(mask_of(houses[:1]), 2, 5)
    task = Staging(rules, Lattice(14, 12), picks=(Pick(30, "well"),), constraints=(count,))
    file = tmp_path / "village.json"
    file.write_text(solvent.format(task))
    world = open_world(str(file), seed=2)
    for chunk in world.chunks((-1, -1), (3, 3)):
        assert rules.modules[chunk.rows[2][2]].name == "well"
        assert 2 <= int((chunk.modules == houses[0]).sum()) <= 5
        world.check(chunk.x, chunk.y)


def test_floors_go_on_together() -> None:
    world = open_world("tower", chunk="10x10x3", seed=1)
    assert world.chunk(2, 2).modules.shape == (3, 10, 10)
    world.check(2, 2)


def test_the_command_writes_a_world(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "world"
    options = ["generate", "valency", "pipes", "--chunks", "2x1", "--chunk", "12x10", "--at", "10,-3", "--seed", "7"]
    result = run(*options, "-o", f"{folder}/")
    assert result.code == 0, result.err
    placed = read_world((folder / "world.world").read_text(), folder / "world.world")
    side = json.loads((folder / "chunk_10_-3.tmj").read_text())["tilewidth"]
    assert [(one.name, one.x, one.y) for one in placed] == [
        ("chunk_10_-3.tmj", 120 * side, -30 * side),
        ("chunk_11_-3.tmj", 132 * side, -30 * side),
    ]
    world = open_world("pipes", chunk="12x10", seed=7)
    data = json.loads((folder / "chunk_11_-3.tmj").read_text())["layers"][0]["data"]
    numbers = (np.array(data) & 0x0FFFFFFF) - 1
    assert numbers.tolist() == world.chunk(11, -3).modules.reshape(-1).tolist()
    assert (folder / "modules.png").is_file()
    for task, certificate in (("task", "task"), ("part", "chunk_10_-3"), ("part", "chunk_11_-3")):
        checked = run("check", str(folder / f"{task}.json"), str(folder / f"{certificate}.certificate.json"))
        assert checked.code == 0, checked.err
    first = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert run(*options, "-o", f"{folder}/").code == 0
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == first


def test_a_refusal_comes_with_its_proof(run: Run, tmp_path: Path) -> None:
    rules = make_rules(3, frozenset({(0, 1), (1, 2)}), frozenset({(0, 0), (1, 1), (2, 2)}))
    file = tmp_path / "never.json"
    file.write_text(solvent.format(Staging(rules, Lattice(5, 5))))
    made = run("generate", "valency", str(file), "--chunk", "5x5", "-o", f"{tmp_path}/world/")
    assert made.code == 20, made.err
    assert "there is no world by these rules" in " ".join(made.err.split())
    checked = run("check", f"{tmp_path}/world/refused-1.json", f"{tmp_path}/world/refused-1.certificate.json")
    assert checked.code == 0, checked.err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--chunks", "4"], "chunks: expected columns x rows, such as 4x4, found '4'"),
        (["--chunks", "0x4"], "chunks: expected from 1 to"),
        (["--at", "here"], "at: expected column, row"),
        (["--chunks", "2x2", "--grid", "9x9"], "grid: expected none where chunks of a world are made"),
        (["--chunks", "1x1", "--chunk-files", "doc"], "chunk_files: expected one of"),
        (["--chunk", "2x2"], "chunk: expected at least 4x4 cells"),
    ],
)
def test_wishes_that_mean_nothing(run: Run, tmp_path: Path, options: list[str], why: str) -> None:
    result = run("generate", "valency", "pipes", *options, "-o", f"{tmp_path}/w/")
    assert result.code == 2, result.err
    assert why in " ".join(result.err.split())


def test_a_world_needs_a_folder(run: Run) -> None:
    assert "give a folder" in run("generate", "valency", "pipes", "--chunks", "2x2").err
    with pytest.raises(BadOption, match="open_world"):
        solvent.generate("valency", chunks="2x2")


def test_cells_begin_where_maps_show_them() -> None:
    frame = {"tilewidth": 10, "tileheight": 6, "orientation": "isometric"}
    assert pixel_of(frame, 3, 1) == (10, 12)
    hexagons = {"tilewidth": 10, "tileheight": 6, "orientation": "hexagonal", "hexsidelength": 2, "staggeraxis": "y"}
    assert pixel_of(hexagons, 4, 8) == (40, 32)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", ["Castle", "FloorPlan", "Rooms", "Knots", "Circles"])
def test_public_tile_sets_are_cut(corpora: Path, name: str) -> None:
    world = open_world(str(corpora / "tilesets" / f"{name}.xml"), chunk="32x32", seed=1)
    for x in range(4):
        world.check(x, -x)


def test_the_page_gets_the_chunks_that_everyone_gets() -> None:
    task = Staging(opened("pipes").task.rules, Lattice(9, 9), seed=4)
    made = page.part(task, {"places": [[3, -2], [4, -2]], "seed": 11, "chunk": "16x16"}, UNLIMITED)
    world = opened("pipes")
    assert [chunk["modules"] for chunk in made["chunks"]] == [
        world.chunk(x, -2).modules[0].reshape(-1).tolist() for x in (3, 4)
    ]
    assert made["ways"] == len(world.library.fills)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ({"places": []}, "places: expected from 1 to 64 chunks, found 0"),
        ({"places": [[0, 1 << 60]]}, "expected chunks within"),
        ({"places": [[0, 0]], "seed": -1}, "seed: expected 0 or more"),
        ({"places": [[0, 0]], "chunk": "9"}, "expected width x height"),
        ({"places": "all"}, "a part of a world"),
    ],
)
def test_what_the_page_cannot_wish_for(action: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        page.part(Staging(opened("pipes").task.rules, Lattice(9, 9)), action, UNLIMITED)
