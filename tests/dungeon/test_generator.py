"""The generator: as many of everything as asked for, always solvable, lost only if that was the wish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption, GenerationFailed
from solvent.dungeon import generator
from solvent.dungeon.generator import generate
from solvent.dungeon.generator.layout import lay_out
from solvent.dungeon.generator.mission import plan_mission
from solvent.dungeon.generator.names import KINDS, NOUNS, name_rooms
from solvent.dungeon.generator.shapes import MAKERS, WET_MAKERS, shape_room
from solvent.dungeon.generator.zones import ROOT, Bar, Holding, Wish, Zone, draw_zone, look_ahead
from solvent.dungeon.model import FLOOR, ONE_WAYS, STEPS, WATER, Dungeon
from solvent.dungeon.rules import Game
from solvent.engine.dice import Dice

MIXES = [
    (2, 0, 0, 0),
    (2, 1, 0, 0),
    (3, 0, 1, 0),
    (4, 0, 0, 3),
    (5, 2, 1, 1),
    (8, 7, 0, 0),
    (9, 0, 4, 1),
    (12, 4, 1, 1),
    (16, 6, 2, 3),
    (24, 9, 3, 2),
    (30, 0, 0, 8),
]
"""Rooms, locks, cracked walls, items."""


def make(mix: tuple[int, int, int, int], seed: int, *, losable: bool = False) -> Dungeon:
    rooms, locks, bombs, items = mix
    return generate(seed=seed, rooms=rooms, locks=locks, bombs=bombs, items=items, losable=losable)


def count(dungeon: Dungeon) -> tuple[int, int, int, int]:
    kinds = Counter(gate.kind for gate in dungeon.gates)
    items = [pickup.name for pickup in dungeon.pickups if pickup.kind == "item"]
    assert len(items) == len(set(items))
    return len(dungeon.rooms), kinds["lock"], kinds["cracked"], len(items)


def tiles(dungeon: Dungeon) -> Iterator[str]:
    for row in dungeon.floors[0].terrain:
        yield from row


@pytest.mark.parametrize("mix", MIXES)
def test_a_dungeon_can_be_finished_and_cannot_be_lost(mix: tuple[int, int, int, int]):
    for seed in range(4):
        dungeon = make(mix, seed)
        assert count(dungeon) == mix
        assert solvent.ask(dungeon, "solvable").verdict is Verdict.YES
        assert solvent.ask(dungeon, "losable").verdict is Verdict.NO
        assert solvent.parse(solvent.format(dungeon)) == dungeon


@pytest.mark.parametrize("mix", [mix for mix in MIXES if mix not in [(2, 1, 0, 0), (4, 0, 0, 3)]])
def test_a_dungeon_can_be_lost_on_purpose(mix: tuple[int, int, int, int]):
    for seed in range(4):
        dungeon = make(mix, seed, losable=True)
        assert count(dungeon) == mix
        assert solvent.ask(dungeon, "solvable").verdict is Verdict.YES
        answer = solvent.ask(dungeon, "losable")
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        assert answer.certificate["walk"], "it was lost from the start"


def test_a_seed_always_makes_the_same_dungeon():
    made = [make((12, 4, 1, 1), seed) for seed in range(10)]
    assert made == [make((12, 4, 1, 1), seed) for seed in range(10)]
    assert len(set(made)) == 10


def test_the_dice_have_not_changed():
    dice = Dice("7/0")
    assert [dice.below(100) for _ in range(6)] == DRAWN
    assert make((3, 1, 0, 0), 7).floors[0].terrain == SMALL


DRAWN = [70, 61, 12, 91, 15, 37]
SMALL = (
    " ########### ",
    " #.........# ",
    " #.#..#..#.# ",
    " #.........# ",
    " #.#..#..#.# ",
    " #.........# ",
    " #####.##### ",
    " ##........##",
    " #..........#",
    " #..........#",
    " #..........#",
    " ##........##",
    "#######.#### ",
    "#....#....#  ",
    "#....#....#  ",
    "#....#....#  ",
    "#.........#  ",
    "#....#....#  ",
    "#....#....#  ",
    "###########  ",
)


def test_the_command_makes_a_dungeon_and_proves_it():
    dungeon = solvent.generate("dungeon", rooms=6, locks=2, bombs=0, items=1, seed=3)
    assert count(dungeon) == (6, 2, 0, 1)


def test_every_item_is_needed_somewhere():
    with_ladder = 0
    for seed in range(20):
        dungeon = make((16, 3, 1, 3), seed)
        needed = {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs}
        wet = WATER in tiles(dungeon)
        names = {pickup.name for pickup in dungeon.pickups if pickup.kind == "item"}
        assert wet == ("ladder" in names)
        assert names == needed | ({"ladder"} if wet else set())
        with_ladder += wet
    assert 0 < with_ladder < 20


def test_rooms_have_names_of_their_own_and_do_not_overlap():
    dungeon = make((60, 10, 3, 2), 1)
    assert len({room.name for room in dungeon.rooms}) == 60
    owned = Counter(
        (row, column)
        for room in dungeon.rooms
        for row in range(room.corner[1], room.corner[1] + room.height)
        for column in range(room.corner[2], room.corner[2] + room.width)
    )
    assert max(owned.values()) == 1
    assert len({(room.height, room.width) for room in dungeon.rooms}) > 20


def test_there_are_names_for_the_most_rooms():
    most = next(option for option in solvent_options() if option.name == "rooms").maximum
    assert most is not None
    names = name_rooms(Dice(1), int(most))
    assert len(set(names)) == most <= len(NOUNS) * (len(KINDS) + 1)


def solvent_options():
    from solvent.registry import get_domain

    return get_domain("dungeon").options("generate")


def test_nothing_is_walled_off():
    for seed in range(6):
        dungeon = make((30, 8, 2, 2), seed)
        ways = {way.source: way.target for way in dungeon.ways}
        rows = dungeon.floors[0].terrain
        seen = {dungeon.start}
        waiting = [dungeon.start]
        while waiting:
            floor, row, column = place = waiting.pop()
            beside = [(floor, row + down, column + right) for down, right in STEPS.values()]
            for near in [*beside, *([ways[place]] if place in ways else [])]:
                if rows[near[1]][near[2]] not in "# " and near not in seen:
                    seen.add(near)
                    waiting.append(near)
        assert len(seen) == sum(tile not in "# " for tile in tiles(dungeon))


def test_doors_lead_one_way_only_where_one_can_come_back():
    arrows = 0
    for seed in range(12):
        dungeon = make((40, 8, 3, 2), seed)
        arrows += sum(tile in ONE_WAYS for tile in tiles(dungeon))
        # Either every move can be undone, or no move gives up what was left lying.
        assert not solvent.ask(dungeon, "losable", proof=False).stats.get("step_by_step")
    assert arrows > 5


def test_stairs_stand_in_where_there_is_no_space():
    dungeons = [make((60, 16, 4, 2), seed) for seed in range(6)]
    assert any(dungeon.ways for dungeon in dungeons)
    for dungeon in dungeons:
        back = {(way.target, way.source, way.gate) for way in dungeon.ways}
        assert back == {(way.source, way.target, way.gate) for way in dungeon.ways}


@pytest.mark.parametrize(
    ("mix", "losable", "message"),
    [
        ((4, 4, 0, 0), False, r"at least 5 rooms.*\(4 \+ 0 \+ 0\).*found 4"),
        ((12, 4, 4, 4), False, r"at least 13 rooms"),
        ((3, 1, 0, 1), True, r"a room more to fall into, found 3 rooms"),
    ],
)
def test_what_cannot_be_is_refused(mix: tuple[int, int, int, int], losable: bool, message: str):
    with pytest.raises(GenerationFailed, match=message):
        make(mix, 1, losable=losable)


def test_options_out_of_bounds_are_refused():
    with pytest.raises(BadOption, match="rooms: expected at least 2, found 1"):
        solvent.generate("dungeon", rooms=1)


def test_giving_up_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(generator, "_is_as_wished", lambda *_: False)
    with pytest.raises(GenerationFailed, match="none of 40 dungeons from seed 5 cannot be lost; try another seed"):
        make((4, 1, 0, 0), 5)


# zones


RED, PLAIN = Bar("lock", ("red",)), Bar("lock", ("",))
RED_KEY, KEY = Holding("key", "red"), Holding("key")


def test_a_zone_in_line_has_nothing_to_lose():
    zone = Zone((PLAIN, PLAIN, RED), (0, 1, 2), ((0, KEY), (1, KEY), (2, RED_KEY)), ())
    outlook = look_ahead(zone)
    assert (outlook.passable, outlook.forced, outlook.losable, outlook.positions) == (True, True, False, 4)


def test_a_side_door_that_holds_the_only_other_key_loses():
    # The exit needs the red key behind bar 1 and stands behind bar 3; the key for bar 3 lies behind bar 2.
    zone = Zone((PLAIN, PLAIN, PLAIN, RED), (0, 0, 0, 3), ((0, KEY), (1, RED_KEY), (2, KEY), (2, KEY)), ())
    outlook = look_ahead(zone)
    assert (outlook.passable, outlook.forced, outlook.losable) == (True, True, True)


def test_a_bar_one_can_leave_alone_is_not_forced():
    zone = Zone((PLAIN, RED), (0, 0), ((0, KEY), (0, RED_KEY)), ())
    outlook = look_ahead(zone)
    assert (outlook.passable, outlook.forced, outlook.losable) == (True, False, False)


def test_an_exit_without_its_key_is_not_passable():
    zone = Zone((PLAIN, RED), (0, 0), ((0, KEY),), ())
    assert look_ahead(zone).passable is False


def test_an_item_passes_its_bar_once_it_was_found():
    lamp = Bar("item", ("lamp",), "lamp")
    zone = Zone((PLAIN, lamp), (0, ROOT), ((0, KEY), (1, Holding("item", "lamp"))), ())
    outlook = look_ahead(zone)
    assert (outlook.passable, outlook.forced, outlook.losable, outlook.positions) == (True, True, False, 2)


def test_zones_are_as_wished():
    bars = [PLAIN, PLAIN, Bar("cracked", ()), PLAIN, PLAIN]
    for seed in range(30):
        safe = draw_zone(Dice(seed), bars, [], Wish(last=False, flawed=False))
        assert safe is not None
        outlook = look_ahead(safe)
        assert (outlook.passable, outlook.forced, outlook.losable) == (True, True, False)
        flawed = draw_zone(Dice(seed), bars, [], Wish(last=True, flawed=True))
        assert flawed is None or look_ahead(flawed).losable


def test_most_zones_leave_a_choice():
    bars = [PLAIN] * 6
    zones = [draw_zone(Dice(seed), bars, [], Wish(last=False, flawed=False)) for seed in range(20)]
    assert sum(zone is not None and look_ahead(zone).positions > 7 for zone in zones) > 10


def test_a_lock_seen_before_has_a_colour_not_held_since():
    for seed in range(up_to(25, deep=60)):
        mission = plan_mission(Dice(seed), rooms=80, locks=30, bombs=8, items=4, flawed=False)
        assert mission is not None
        held: dict[int, set[str | None]] = {}
        for area in mission.areas[1:]:
            assert area.bar is not None
            # what lies behind an exit belongs to the next zone
            held.setdefault(area.zone, set()).add(area.bar.stock)
        for area in mission.areas[1:]:
            seen = mission.areas[area.parent].zone
            assert area.bar is not None
            if area.zone - seen > 1 and area.bar.stock is not None:
                between = set().union(*(held.get(zone, set()) for zone in range(seen + 1, area.zone - 1)))
                assert area.bar.stock not in between


# rooms


@pytest.mark.parametrize("maker", [*MAKERS, *WET_MAKERS])
def test_a_shape_stays_inside_its_room(maker):
    for height in range(4, 9):
        for width in range(5, 13):
            shape = {(row, column): FLOOR for row in range(height) for column in range(width)}
            maker(Dice(f"{height}/{width}"), height, width, shape)
            assert len(shape) == height * width


@pytest.mark.parametrize("moat", [None, "N", "E", "S", "W"])
def test_doors_of_a_room_are_joined_by_floor(moat: str | None):
    for seed in range(80):
        dice = Dice(seed)
        height, width = dice.between(5, 8), dice.between(7, 12)
        doors = {
            "N": (0, width // 2),
            "S": (height - 1, width // 2),
            "W": (height // 2, 0),
            "E": (height // 2, width - 1),
        }
        shape = shape_room(dice, height, width, list(doors.values()), wet=True, moat=moat)
        floor = {tile for tile, terrain in shape.items() if terrain == FLOOR}
        dry = [door for side, door in doors.items() if side != moat]
        seen = {dry[0]}
        waiting = [dry[0]]
        while waiting:
            row, column = waiting.pop()
            for down, right in STEPS.values():
                beside = row + down, column + right
                if beside in floor and beside not in seen:
                    seen.add(beside)
                    waiting.append(beside)
        assert seen == floor
        assert floor.issuperset(dry)
        assert moat is None or shape[doors[moat]] == WATER


def test_rooms_of_a_layout_lie_side_by_side():
    mission = plan_mission(Dice(3), rooms=50, locks=12, bombs=4, items=2, flawed=False)
    assert mission is not None
    layout = lay_out(Dice(3), mission, pit=True)
    assert len(layout.cells) == len(set(layout.cells)) == 51
    for join in layout.joins:
        (row, column), (other_row, other_column) = layout.cells[join.source], layout.cells[join.target]
        assert join.stairs or abs(row - other_row) + abs(column - other_column) == 1
    assert sorted(join.target for join in layout.joins[:50]) == list(range(1, 51))


def test_a_pit_has_no_way_out():
    dungeon = make((4, 0, 0, 1), 2, losable=True)
    game = Game(dungeon)
    walk = solvent.ask(dungeon, "losable").certificate
    assert walk is not None
    places = [state.place for state in game.walk(game.start_state(), walk["walk"])]
    terrain = [game.terrain(place) for place in places]
    assert terrain[-1] in ONE_WAYS
    assert all(abs(a[1] - b[1]) + abs(a[2] - b[2]) == 1 for a, b in pairwise(places))


@pytest.mark.slow
@pytest.mark.parametrize(("rooms", "seed"), [(160, 1), (160, 2), (640, 1)])
def test_large_dungeons_are_safe(rooms: int, seed: int):
    mix = (rooms, rooms // 4, rooms // 12, 3)
    dungeon = make(mix, seed)
    assert count(dungeon) == mix
    answer = solvent.ask(dungeon, "losable")
    assert answer.verdict is Verdict.NO
    assert answer.stats.get("situations", 0) < 5 * rooms


@pytest.mark.slow
def test_many_dungeons_are_as_wished():
    for seed in range(up_to(50, deep=150)):
        dice = Dice(seed)
        locks, bombs, items = dice.below(8), dice.below(4), dice.below(5)
        mix = (2 + locks + bombs + items + dice.below(20), locks, bombs, items)
        for losable in (False, True):
            dungeon = make(mix, seed, losable=losable)
            assert count(dungeon) == mix
            assert solvent.ask(dungeon, "losable").verdict is (Verdict.YES if losable else Verdict.NO)
