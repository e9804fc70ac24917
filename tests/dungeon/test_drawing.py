"""Drawings: what they show, that they stay within their bounds, and that signs can be told apart."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from dungeon.dungeons import dungeon_of
from helpers.colour_blindness import SIGHTS, difference
from helpers.examples import examples_of
from helpers.pictures import SVG, elements
from solvent.core.errors import BadOption, ParseError
from solvent.drawing.layout import overlap
from solvent.drawing.palette import HUES, as_hex, heat_paint
from solvent.dungeon.drawing import draw_svg, draw_text
from solvent.dungeon.drawing.colours import DANGER, PLAIN_KEY, PLAN, REACH, abbreviate
from solvent.dungeon.drawing.doors import sort_ways
from solvent.dungeon.drawing.graph import place_graph
from solvent.dungeon.drawing.graph.joins import find_room_graph
from solvent.dungeon.drawing.heat import LEVELS, draw_heat, level_of, shorten
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.rooms import room_of, rooms_of
from solvent.dungeon.rules import Game

DRAWN_WITH = {"svg", "title", "desc", "g", "rect", "path", "text", "circle"}
EXAMPLES = {example.name: FORMATS.parse(example.text) for example in examples_of("dungeon")}

KEY_AND_LOCK = dungeon_of("######/#k@L.#/####.#/####G#/######")
KEY_PLAN = {"form": "plan", "plan": ["W", "E", "E", "E", "S", "S"]}
WRONG_LOCK = dungeon_of("######/#k@LG#/#.L.##/######")
LOST_WALK = {
    "form": "lost walk",
    "walk": ["W", "S", "E"],
    "states": [{"at": [0, 2, 2], "taken": [0], "opened": [1]}],
    "rescue": ["N", "E", "E", "E"],
}
ROOMS_ON_PAPER = assemble(
    DungeonParts(
        [Floor(name, (".",)) for name in ("hall", "attic", "cellar", "vault")],
        starts=[(0, 0, 0)],
        goals=[(3, 0, 0)],
        pickups=[Pickup((1, 0, 0), "key")],
        gates=[Gate("lock", ("",))],
        ways=[
            Way((0, 0, 0), (1, 0, 0), "stairs"),
            Way((1, 0, 0), (0, 0, 0), "stairs"),
            Way((0, 0, 0), (2, 0, 0), "passage"),
            Way((2, 0, 0), (3, 0, 0), "door", 0),
        ],
    )
)


def everything() -> Dungeon:
    """Return a dungeon that has one of each thing."""
    rows = (
        "##########",
        "#........#",
        "#..>.~~..#",
        "#........#",
        "####.##.##",
        "#........#",
        "#........#",
        "##########",
    )
    return assemble(
        DungeonParts(
            [Floor("below", rows), Floor("above", ("...",))],
            starts=[(0, 1, 1)],
            goals=[(0, 6, 8)],
            pickups=[
                Pickup((0, 1, 2), "key", "red", 2),
                Pickup((0, 1, 3), "bombs", count=3),
                Pickup((0, 1, 4), "item", "ladder"),
                Pickup((0, 3, 1), "monster"),
                Pickup((1, 0, 2), "key"),
            ],
            gates=[
                Gate("lock", ("red",), ((0, 4, 4),)),
                Gate("cracked", (), ((0, 4, 7),)),
                Gate("item", ("ladder",), ((0, 5, 3), (0, 6, 3))),
                Gate("barrier", ("lever",), ((0, 5, 6),), open_at_first=True),
                Gate("soft", ("den",), ((0, 6, 6),)),
                Gate("lock", ("",)),
            ],
            switches=[Switch((0, 3, 8), "lever")],
            blocks=[Block((0, 3, 4))],
            ways=[
                Way((0, 1, 8), (1, 0, 0), "stairs"),
                Way((1, 0, 0), (0, 1, 8), "stairs"),
                Way((1, 0, 1), (0, 5, 1), "warp", 5),
            ],
            rooms=[Room("den", (0, 1, 1), 3, 8, ("lair",))],
        )
    )


EVERYTHING = everything()


def big_dungeon(across: int = 8, down: int = 8) -> Dungeon:
    """Return a dungeon of rooms of 16×11 with doors three tiles wide, as old consoles have them."""
    chance = random.Random(5)
    room = ["#" * 11] * 2 + ["##.......##"] * 12 + ["#" * 11] * 2
    rows = [list(line * across) for _ in range(down) for line in room]
    rooms = [Room(f"{r}-{c}", (0, 16 * r, 11 * c), 16, 11) for r in range(down) for c in range(across)]
    gates: list[Gate] = []
    ways: list[Way] = []

    def join(near: list[tuple[int, int]], far: list[tuple[int, int]]) -> None:
        for row, column in near + far:
            rows[row][column] = "."
        gate = chance.choice([None, None, len(gates)])
        if gate is not None:
            gates.append(Gate(*chance.choice([("lock", ("",)), ("cracked", ())])))
        for (a, b), (c, d) in zip(near, far, strict=True):
            ways.append(Way((0, a, b), (0, c, d), "door", gate))
            ways.append(Way((0, c, d), (0, a, b), "door", gate))

    for r in range(down):
        for c in range(across):
            top, left = 16 * r, 11 * c
            if r + 1 < down:
                join([(top + 14, left + i) for i in (4, 5, 6)], [(top + 17, left + i) for i in (4, 5, 6)])
            if c + 1 < across:
                join([(top + i, left + 9) for i in (7, 8)], [(top + i, left + 12) for i in (7, 8)])
    pickups = [
        Pickup((0, 16 * r + 5, 11 * c + 5), *chance.choice([("key", ""), ("monster", ""), ("bombs", "")]))
        for r in range(down)
        for c in range(across)
        if (r, c) not in ((0, 0), (down - 1, across - 1))
    ]
    return assemble(
        DungeonParts(
            [Floor("", tuple(map("".join, rows)))],
            starts=[(0, 5, 5)],
            goals=[(0, 16 * down - 11, 11 * across - 6)],
            pickups=pickups,
            gates=gates,
            ways=ways,
            rooms=rooms,
        )
    )


BIG = big_dungeon()


def tooltips(svg: str) -> Counter[str]:
    """Count what the signs on the picture are called."""
    return Counter(title.text or "" for title in elements(svg, "title"))


def words_of(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in elements(svg, "text")]


# Pictures


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("view", ["map", "graph"])
def test_every_example_gives_a_well_formed_picture_that_needs_nothing(name: str, view: str):
    svg = draw_svg(EXAMPLES[name], view=view)
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()}
    assert tags <= DRAWN_WITH
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert " id=" not in svg
    assert svg == draw_svg(EXAMPLES[name], view=view)


def test_the_map_shows_each_thing_once():
    shown = tooltips(draw_svg(EVERYTHING))
    for words in (
        "start",
        "goal",
        "2 red keys",
        "3 bombs",
        "the ladder",
        "a monster",
        "a key",
        "switch lever",
        "block",
    ):
        assert shown[words] == 1, words
    for words in ("the red lock", "a cracked wall", "the gate for ladder", "the barrier of lever", "a shutter of den"):
        assert shown[words] == 1, words
    assert shown["stairs, way 0"] == shown["stairs, way 1"] == 1
    assert sum(count for words, count in shown.items() if words.startswith("warp")) == 2


def test_the_legend_says_what_occurs_and_no_more():
    everything, simple = words_of(draw_svg(EVERYTHING)), words_of(draw_svg(KEY_AND_LOCK))
    for words in ("red key", "key", "bombs", "ladder", "monster", "stairs", "warp", "one way only", "switch lever"):
        assert words in everything
    assert "lock: takes a key" in simple
    assert not {"bombs", "monster", "stairs", "one way only"} & {*simple}


def test_a_door_between_facing_tiles_is_one_door_however_wide():
    doors, links = sort_ways(BIG)
    assert links == []
    assert len(doors) == 2 * 8 * 7
    assert {len(door.near) for door in doors} == {2, 3}
    shown = tooltips(draw_svg(BIG))
    assert shown["a lock"] == sum(gate.kind == "lock" for gate in BIG.gates)


def test_doors_tell_their_two_directions_apart():
    shutter = dungeon_of(
        "@.#.G",
        ways=(Way((0, 0, 1), (0, 0, 3), "door", 0), Way((0, 0, 3), (0, 0, 1), "door")),
        gates=(Gate("soft", ("den",)),),
        rooms={"den": ((0, 0, 0), 1, 2)},
    )
    (door,), _ = sort_ways(shutter)
    assert (door.there, door.back) == ((0,), (None,))
    one_way = dungeon_of("@.#.G", ways=(Way((0, 0, 1), (0, 0, 3), "door"),))
    (door,), _ = sort_ways(one_way)
    assert (door.there, door.back) == ((None,), ())


def test_ways_between_the_same_two_rooms_are_one_line():
    ways = [Way((0, 0, i), (1, 0, i), "warp") for i in range(3)] + [Way((1, 0, 0), (0, 0, 0), "warp")]
    named = dungeon_of("...@", "...G", ways=ways, rooms={"a": ((0, 0, 0), 1, 4), "b": ((1, 0, 0), 1, 4)})
    (link,) = sort_ways(named)[1]
    assert (link.count, link.back is not None) == (3, True)
    nameless = dungeon_of("...@", "...G", ways=ways)
    assert len(sort_ways(nameless)[1]) == 3


def test_a_plan_is_a_line_with_numbered_events():
    svg = draw_svg(KEY_AND_LOCK, certificate=KEY_PLAN)
    said = words_of(svg)
    assert "The goal in 6 moves." in said
    events = [words for words in said if words in ("take a key", "open a lock", "reach the goal")]
    assert events == ["take a key", "open a lock", "reach the goal"]
    assert said.count("1") == said.count("3") == 4, "on the map and in the list, and on both rulers"
    assert [path for path in elements(svg, "path") if path.get("stroke") == as_hex(PLAN)]


def test_a_lost_walk_warns_and_shows_where_one_is_stuck():
    svg = draw_svg(WRONG_LOCK, certificate=LOST_WALK)
    assert tooltips(svg)["stuck"] == 1
    assert "the fatal move" in words_of(svg)
    assert [path for path in elements(svg, "path") if path.get("stroke") == as_hex(DANGER)]
    reach = [path for path in elements(svg, "path") if path.get("fill") == as_hex(REACH)]
    assert len(reach) == 1
    assert not [path for path in elements(svg, "path") if path.get("stroke") == as_hex(PLAN)]


def test_a_closed_set_is_the_area_that_can_be_reached_and_the_gates_around():
    shut = dungeon_of("@..LG")
    overlay = read_overlay(shut, {"form": "closed set", "states": [{"at": [0, 0, 1]}]}, None, None)
    assert overlay.reach == {(0, 0, 0), (0, 0, 1), (0, 0, 2)}
    assert overlay.shut == {0}
    assert "what stands in the way" in words_of(
        draw_svg(shut, certificate={"form": "closed set", "states": [{"at": [0, 0, 1]}]})
    )


def test_what_was_played_is_drawn_as_it_is_now():
    fresh, played = dungeon_of("@kLo.G"), dungeon_of("@kLo.G", played="EE")
    assert "start" in words_of(draw_svg(fresh))
    svg = draw_svg(played)
    assert tooltips(svg)["the player"] == 1
    assert "the player, after 2 moves" in words_of(svg)
    assert "start" not in words_of(svg)
    assert [group for group in elements(svg, "g") if group.get("opacity") == "0.3"], "the key is gone"
    assert [rect for rect in elements(svg, "rect") if rect.get("stroke-dasharray")], "the lock is open"


def test_moves_and_highlights_are_drawn():
    svg = draw_svg(KEY_AND_LOCK, move="WE E")
    assert "open a lock" in words_of(svg)
    pointing = {"path": [[0, 1, 2], [0, 1, 3]], "danger": [[0, 1, 3]], "target": [0, 3, 4], "unknown": 3}
    said = words_of(draw_svg(KEY_AND_LOCK, highlights=pointing))
    assert {"beware", "go here"} <= {*said}


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"certificate": {"form": "plan", "plan": ["N"]}}, "plan[0]"),
        ({"certificate": {"form": "plan", "plan": [3]}}, "plan[0]"),
        ({"certificate": {"form": "plan", "plan": "W"}}, "plan"),
        ({"certificate": {"form": "lost walk", "walk": [], "states": 3}}, "states"),
        ({"certificate": {"form": "closed set", "states": [3]}}, "states[0]"),
        ({"certificate": {"form": "closed set", "states": [{}]}}, "states[0].at"),
        ({"certificate": {"form": "closed set", "states": [{"at": [0, 1, 2], "opened": [9]}]}}, "states[0].opened"),
        ({"certificate": {"form": "closed set", "states": [{"at": [0, 1, 2], "moved": [[0, "E"]]}]}}, "states[0]"),
        ({"move": "N"}, "move[0]"),
        ({"move": "sideways"}, None),
        ({"move": "99"}, "move[0]"),
        ({"highlights": {"target": [0, 99, 0]}}, "target"),
        ({"highlights": {"path": [[7, 0, 0]]}}, "path"),
    ],
)
def test_what_does_not_fit_is_an_error_that_says_where(given: dict, path: str | None):
    for draw in (draw_svg, draw_text):
        with pytest.raises(ParseError) as caught:
            draw(KEY_AND_LOCK, **given)
        assert (caught.value.path or "").startswith(path or "")


def test_an_unknown_view_is_an_error():
    with pytest.raises(BadOption, match="map"):
        draw_svg(KEY_AND_LOCK, view="sideways")


def test_words_are_escaped_and_control_characters_replaced():
    nasty = Dungeon(
        floors=(Floor("<b>", ("..",)), Floor('"&"', ("..",))),
        start=(0, 0, 0),
        goals=((1, 0, 0),),
        pickups=(Pickup((0, 0, 1), "item", "<script>"),),
        rooms=(Room("<r>", (0, 0, 0), 1, 2),),
        title="<i>\x1b[31m & \x00",
    )
    for view in ("map", "graph"):
        svg = draw_svg(nasty, view=view)
        assert "<script>" not in svg
        assert "<r>" in "".join(words_of(svg))
    assert "\x1b" not in draw_text(nasty)


def test_big_maps_make_small_files():
    counts = dict.fromkeys(room_of(BIG), 7)
    for svg in (draw_svg(BIG), draw_svg(BIG, view="graph"), draw_heat(BIG, counts)):
        assert len(svg) < 400_000
        ElementTree.fromstring(svg)
    assert len(elements(draw_svg(BIG), "rect")) < 1000, "floor and walls are joined into few shapes"


# Rooms and their graph


def test_rooms_are_the_named_ones_first_then_single_tiles_then_areas():
    rooms = rooms_of(EVERYTHING)
    assert rooms[0].name == "den"
    assert (0, 2, 5) in rooms[0].places, "water inside a named room belongs to it"
    assert [room.given for room in rooms] == [True, False, False, False, False]
    assert len({room.name for room in rooms}) == len(rooms)
    numbers = room_of(EVERYTHING)
    assert numbers[0, 1, 1] == 0
    assert (0, 4, 4) not in numbers, "a gate lies between areas"
    assert {number: tuple(sorted(p for p in numbers if numbers[p] == number)) for number in range(len(rooms))} == {
        number: room.places for number, room in enumerate(rooms)
    }


def test_rooms_on_paper_are_named_after_their_floors():
    assert [room.name for room in rooms_of(ROOMS_ON_PAPER)] == ["hall", "attic", "cellar", "vault"]


def test_areas_end_at_gates_water_and_one_way_tiles():
    assert len(rooms_of(dungeon_of("@..L..~~..>..G"))) == 4
    joins = find_room_graph(dungeon_of("@..L..~~..>..G")).joins
    assert [(join.gates, join.wet, join.both) for join in joins] == [
        ((0,), False, True),
        ((), True, True),
        ((), False, False),
    ]


def test_the_graph_joins_what_single_moves_join():
    """What a player can walk with every gate open is what the graph has, room by room."""
    for dungeon in (*EXAMPLES.values(), EVERYTHING, BIG):
        graph = find_room_graph(dungeon)
        game = Game(dungeon)
        ahead = {number: set() for number in range(len(graph.nodes))}
        for join in graph.joins:
            ahead[join.source].add(join.target)
            if join.both:
                ahead[join.target].add(join.source)
        reached, waiting = {dungeon.start}, [dungeon.start]
        for place in waiting:
            landings = [game.landing(place, direction) for direction in "NESW"]
            near = [landing[0] for landing in landings if landing]
            near += [dungeon.ways[way].target for way in game.ways_from.get(place, ())]
            for other in near:
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        start = graph.node_of[dungeon.start]
        seen, waiting_nodes = {start}, [start]
        for node in waiting_nodes:
            for other in sorted(ahead[node] - seen):
                seen.add(other)
                waiting_nodes.append(other)
        assert seen == {graph.node_of[place] for place in reached if place in graph.node_of}


@pytest.mark.parametrize("dungeon", [*EXAMPLES.values(), EVERYTHING, ROOMS_ON_PAPER, BIG], ids=lambda d: d.title)
def test_nodes_of_a_graph_never_overlap(dungeon: Dungeon):
    nodes = place_graph(dungeon, read_overlay(dungeon, None, None, None)).nodes
    for one, other in combinations(nodes, 2):
        sizes = (one.width, one.height), (other.width, other.height)
        assert overlap((one.x, one.y), sizes[0], (other.x, other.y), sizes[1], gap=4) is None


def test_single_tiles_are_drawn_as_a_graph_anyway():
    assert draw_svg(ROOMS_ON_PAPER) == draw_svg(ROOMS_ON_PAPER, view="map") == draw_svg(ROOMS_ON_PAPER, view="graph")
    assert {"hall", "attic", "cellar", "vault"} <= {*words_of(draw_svg(ROOMS_ON_PAPER))}


def test_a_graph_shows_the_walk_too():
    plan = {"form": "plan", "plan": ["0", "2", "1", "3"]}
    said = words_of(draw_svg(ROOMS_ON_PAPER, certificate=plan))
    assert "take a key (attic)" in said
    assert said.count("1") == 2


# Heat maps


def test_a_heat_map_has_totals_by_room_and_a_scale():
    svg = draw_heat(EVERYTHING, {(0, 1, 1): 900, (0, 1, 2): 350, (0, 6, 1): 1, (0, 6, 2): 0})
    said = words_of(svg)
    assert "1,251 on 3 tiles, at most 900 on one." in said
    assert {"1.2k", "1", "10", "100"} <= {*said}
    assert ElementTree.fromstring(draw_heat(EVERYTHING, {})).tag == SVG + "svg"


def test_heat_is_darker_with_every_level_and_levels_grow_with_counts():
    greys = [sum(heat_paint(level / (LEVELS - 1))) for level in range(LEVELS)]
    light = [difference(heat_paint(level / (LEVELS - 1)), (0, 0, 0), "normal") for level in range(LEVELS)]
    assert greys == sorted(greys, reverse=True)
    assert light[0] > 90
    levels = [level_of(count, 10**6) for count in (0, 1, 10, 100, 10**4, 10**6)]
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (0, LEVELS - 1)


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0"), (999, "999"), (1000, "1k"), (1250, "1.2k"), (99_950, "100k"), (3_400_000, "3.4M")]
)
def test_counts_are_shortened(count: int, shown: str):
    assert shorten(count) == shown


# Colours


def test_key_colours_and_walks_stay_apart_for_every_sight():
    for sight in SIGHTS:
        for one, other in combinations([*list(HUES.values())[:8], PLAIN_KEY], 2):
            assert difference(one, other, sight) >= 15, (one, other, sight)
        assert difference(PLAN, DANGER, sight) >= 30
        assert difference(heat_paint(0), heat_paint(1), sight) >= 60


def test_heat_levels_stay_apart_for_every_sight():
    for sight in SIGHTS:
        for level in range(0, LEVELS - 4, 4):
            one, other = heat_paint(level / (LEVELS - 1)), heat_paint((level + 4) / (LEVELS - 1))
            assert difference(one, other, sight) >= 8, (sight, level)


def test_short_names_differ():
    short = abbreviate(["red", "rose", "ruby", "r", "", "blue", "- '"])
    assert short[""] == ""
    assert short["blue"] == "B"
    assert len({*short.values()}) == len(short)


# Text


def test_text_draws_the_map_with_the_letters_of_the_text_format():
    assert draw_text(KEY_AND_LOCK) == (
        "############\n##k @ L . ##\n########. ##\n########G ##\n############\n\n@ start   G goal   k key   L lock"
    )
    assert str(KEY_AND_LOCK) == draw_text(KEY_AND_LOCK)
    assert KEY_AND_LOCK._repr_svg_() == draw_svg(KEY_AND_LOCK)


def test_text_draws_a_walk_with_numbers_and_arrows():
    assert draw_text(KEY_AND_LOCK, certificate=KEY_PLAN).splitlines() == [
        "The goal in 6 moves.",
        "",
        "############",
        "##1 @ 2 ↓ ##",
        "########↓ ##",
        "########3 ##",
        "############",
        "",
        " 1 take a key",
        " 2 open a lock",
        " 3 reach the goal",
        "",
        "@ start",
    ]


def test_text_marks_what_is_lost_and_what_stands_in_the_way():
    drawn = draw_text(WRONG_LOCK, certificate=LOST_WALK)
    assert "X" in drawn
    assert "L!" in drawn
    assert "X stuck" in drawn


def test_text_shows_what_can_be_reached():
    drawn = draw_text(dungeon_of("@..LG"), certificate={"form": "closed set", "states": [{"at": [0, 0, 0]}]})
    assert "@ + + L!G" in drawn
    assert "+ can be reached" in drawn


def test_text_shows_highlights():
    pointing = {"path": [[0, 1, 4], [0, 2, 4], [0, 3, 4]], "danger": [[0, 1, 3]], "target": [0, 3, 4]}
    lines = draw_text(KEY_AND_LOCK, highlights=pointing).splitlines()
    assert lines[1:4] == ["##k @ !L↓ ##", "########↓ ##", "########G*##"]


def test_every_sign_of_the_map_is_in_the_key():
    drawn = draw_text(EVERYTHING)
    body, _, below = drawn.rpartition("\n\n@")
    signs = {*re.sub(r"[\s#.0-9]", "", "".join(line for line in body.splitlines() if line not in ("below", "above")))}
    explained = {*re.findall(r"(?:^|\s{3}|\n)(\S) ", "@" + below)}
    assert signs <= explained


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("dungeon", [*EXAMPLES.values(), EVERYTHING, ROOMS_ON_PAPER, BIG], ids=lambda d: d.title)
def test_text_stays_within_80_columns(dungeon: Dungeon, colour: bool):
    drawn = draw_text(dungeon, colour=colour)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", drawn)
    assert max(map(len, bare.splitlines())) <= 80
    if colour:
        assert all(line.count("\x1b[48") == line.count("\x1b[0m") for line in drawn.splitlines())
        assert [line.rstrip() for line in bare.splitlines()] == draw_text(dungeon).splitlines()


def test_wide_maps_are_cut_into_even_bands():
    drawn = draw_text(BIG)
    assert "columns 0 to 43" in drawn
    assert "columns 44 to 87" in drawn


def test_wide_maps_number_events_with_one_character():
    row = "@" + "." * 40 + "kLG"
    moves = ["E"] * 43
    drawn = draw_text(dungeon_of(row), certificate={"form": "plan", "plan": moves})
    assert "→①②③" in drawn
    assert "① take a key" in drawn


def test_rooms_on_paper_are_listed_with_the_numbers_of_their_ways():
    assert draw_text(ROOMS_ON_PAPER, certificate={"form": "plan", "plan": ["0", "2", "1", "3"]}).splitlines() == [
        "The goal in 4 moves.",
        "",
        "> hall (start): >0 to attic (stairs); >1 to cellar (passage)",
        "> attic (a key): >2 to hall (stairs)",
        "> cellar: >3 to vault, a lock",
        "> vault (goal)",
        "",
        " 1 take a key (attic)",
        " 2 open a lock, reach the goal (vault)",
    ]


def test_open_shutters_and_barriers_say_so():
    falling = dungeon_of("@S..G", rules=Rules(soft="shut"), rooms={"den": ((0, 0, 0), 1, 1)}, played="EE")
    assert "≡" in draw_text(falling)
    open_barrier = dungeon_of("@sdG")
    assert "/" in draw_text(open_barrier)
