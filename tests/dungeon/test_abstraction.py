"""The abstract graph: its distances are those of tiles with every gate open, and its paths can be walked."""

from __future__ import annotations

import functools
import json
from xml.etree import ElementTree

import pytest

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from helpers.examples import load_example
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.dungeon import Abstraction
from solvent.dungeon.abstraction import TooLarge, abstraction_data, building, data
from solvent.dungeon.drawing import draw_svg
from solvent.dungeon.events import parse_run
from solvent.dungeon.model import STEPS, Dungeon, Place, Way
from solvent.dungeon.rules import Game
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.points import FAR, distances_to


@functools.cache
def some_dungeons() -> list[Dungeon]:
    return [random_dungeon(seed) for seed in range(60)] + [known.dungeon for known in KNOWN.values()]


def walk(dungeon: Dungeon, place: Place, moves: str) -> Place:
    """Return where moves lead with every gate open."""
    game = Game(dungeon)
    for move in parse_run(moves):
        if move in STEPS:
            found = game.landing(place, move)
            assert found is not None
            place = found[0]
        else:
            assert dungeon.ways[int(move)].source == place
            place = dungeon.ways[int(move)].target
    return place


def test_distances_to_the_goal_are_those_of_tiles():
    for dungeon in some_dungeons():
        found, ground = Abstraction(dungeon), ground_level(dungeon)
        away = distances_to(ground, (ground.cell(goal) for goal in dungeon.goals))
        for point in found.points:
            left = away[ground.cell(point.place)]
            assert point.distance_to_goal == (None if left >= FAR else left), (dungeon, point)


def test_they_never_exceed_the_shortest_plan():
    for seed in range(60):
        known, found = random_truth(seed), Abstraction(random_dungeon(seed))
        left = found.points[found.start].distance_to_goal
        if known.plan is not None:
            assert left is not None
            assert left <= known.plan


def test_paths_are_walks_of_the_length_in_the_table():
    for dungeon in some_dungeons()[::2]:
        found = Abstraction(dungeon)
        for zone, room in zip(found.zones, found.rooms, strict=True):
            for row, source in enumerate(room.points):
                paths = found.paths(source, zone)
                for column, target in enumerate(room.points):
                    length = room.distances[row][column]
                    assert (length is None) == (target not in paths and target != source)
                    if target in paths:
                        assert len(parse_run(paths[target])) == length
                        assert walk(dungeon, found.points[source].place, paths[target]) == found.points[target].place


def test_the_plan_leads_from_the_start_to_a_goal():
    for dungeon in some_dungeons():
        found = Abstraction(dungeon)
        if found.plan is None:
            assert solvent.ask(dungeon).verdict is Verdict.NO
            continue
        place = found.points[found.start].place
        for leg in found.plan:
            assert found.points[leg.source].place == place
            assert len(parse_run(leg.moves)) == leg.cost
            place = walk(dungeon, place, leg.moves)
            assert found.points[leg.target].place == place
        assert place in dungeon.goals
        assert sum(leg.cost for leg in found.plan) == found.points[found.start].distance_to_goal


def test_edges_cross_no_other_point():
    for dungeon in some_dungeons()[::3]:
        found = Abstraction(dungeon)
        at = {point.place: point.number for point in found.points}
        for edge in found.edges:
            path = found.path(edge.source, edge.target)
            assert path is not None
            moves = parse_run(path)
            assert len(moves) == edge.cost
            place = found.points[edge.source].place
            for move in moves[:-1]:
                place = walk(dungeon, place, move)
                assert place not in at


def test_points_have_kinds_names_and_rooms():
    found = Abstraction(dungeon_of("k@LG", rooms={"hall": ((0, 0, 0), 1, 2)}))
    named = [(point.kinds, point.names, point.room, point.distance_to_goal) for point in found.points]
    assert named == [
        (("key",), ("a key",), "hall", 3),
        (("start",), ("start",), "hall", 2),
        (("lock",), ("a lock",), "", 1),
        (("goal",), ("goal",), "area 1", 0),
    ]
    assert [(edge.source, edge.target, edge.cost) for edge in found.edges if edge.source < edge.target] == [
        (0, 1, 1),
        (1, 2, 1),
        (2, 3, 1),
    ]


def test_what_was_taken_is_no_point_any_more():
    found = Abstraction(dungeon_of("k@LG", played="WE"))
    assert [point.kinds for point in found.points] == [("start",), ("lock",), ("goal",)]
    assert found.points[found.start].names == ("the player",)


def test_kinds_can_be_left_out():
    dungeon = dungeon_of("k.m@LG")
    assert len(Abstraction(dungeon).points) == 5
    few = Abstraction(dungeon, kinds=["lock"])
    assert [point.kinds for point in few.points] == [("start",), ("lock",), ("goal",)]
    assert few.points[few.start].distance_to_goal == 2


def test_explain_has_it_as_data():
    dungeon = load_example("dungeon", "up_and_down")
    found = solvent.explain(dungeon)
    abstract = json.loads(json.dumps(found.data["abstract"]))
    assert abstract == json.loads(json.dumps(abstraction_data(Abstraction(dungeon))))
    assert abstract["left_out"] is None
    assert abstract["plan"]["cost"] == abstract["points"][abstract["start"]]["D_abs"]
    assert any(heading == "Points of interest" for heading, _ in found.sections)
    with_stairs = [edge for edge in abstract["edges"] if edge["way"] is not None]
    assert with_stairs
    assert all(edge["cost"] == 1 for edge in with_stairs)


def test_explain_takes_a_choice_of_points():
    dungeon = dungeon_of("k.m@LG")
    few = solvent.explain(dungeon, points="key").data["abstract"]
    assert [point["kinds"] for point in few["points"]] == [["key"], ["start"], ["goal"]]
    with pytest.raises(BadOption, match="kind of point"):
        solvent.explain(dungeon, points="dragon")


def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch):
    dungeon = load_example("dungeon", "falling_doors")
    monkeypatch.setattr(data, "MAX_PATH_MOVES", 10)
    short = abstraction_data(Abstraction(dungeon))
    assert "at most 10" in short["left_out"]
    assert {room["paths"] is None for room in short["rooms"]} == {True}
    for limit in ("MAX_TILES", "MAX_POINTS", "MAX_LOOKS"):
        with monkeypatch.context() as patched:
            patched.setattr(building, limit, 3)
            with pytest.raises(TooLarge, match="at most 3"):
                Abstraction(dungeon)
            assert "at most 3" in solvent.explain(dungeon).data["abstract"]["left_out"]
            assert "left out" in draw_svg(dungeon, view="points")


def test_the_picture_shows_points_costs_and_the_plan():
    svg = draw_svg(dungeon_of("k...@...LG"), view="points")
    ElementTree.fromstring(svg)
    assert "4 points of interest, 3 edges." in svg
    assert "point 0: a key; 9 moves to the goal" in svg
    assert "the goal is 5 moves away" in svg
    assert draw_svg(dungeon_of("k...@...LG"), view="points") == svg
    assert "No way to the goal" in draw_svg(dungeon_of("@#G"), view="points")


@pytest.mark.parametrize("seed", range(12))
def test_pictures_of_random_dungeons(seed: int):
    ElementTree.fromstring(draw_svg(random_dungeon(seed), view="points"))


def test_the_picture_of_a_room_graph_is_its_graph():
    svg = draw_svg(load_example("dungeon", "rooms_on_paper"), view="points")
    ElementTree.fromstring(svg)


def test_ways_are_edges():
    found = Abstraction(dungeon_of("@.", ".G", ways=(Way((0, 0, 1), (1, 0, 0)),)))
    assert [(edge.source, edge.target, edge.way) for edge in found.edges if edge.way is not None] == [(1, 2, 0)]
    assert found.plan is not None
    assert "".join(leg.moves for leg in found.plan) == "E0E"
