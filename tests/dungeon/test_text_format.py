"""Our text format: what it says, what it refuses and where, and that every dungeon can be written in it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from helpers.depth import up_to
from helpers.examples import examples_of
from solvent.core.errors import ParseError
from solvent.dungeon.formats import sniff_text
from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Place, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.ruling import with_rules
from solvent.dungeon.notation.text import format_text, parse_text
from solvent.dungeon.notation.text.lines import Line
from solvent.dungeon.notation.text.things import Thing, format_thing, parse_thing
from solvent.dungeon.rules import Game

EVERYTHING = """\
dungeon: All at once
rules: keys=1 + red 2, bombs=2, soft=open

map cellar:
#######_
#@k.LGr_
#b.sRR#_
#1~mB<o_
###DD___

map attic:
T1#

places:
  Hall: key x2 + monster
  map: goal
  Pit:

legend:
  1 = stairs
  r = key red x3
  s = bombs x3 + switch lever
  R = lock red
  D = barrier lever open (drawbridge)
  T = soft corner

rooms:
  corner = cellar 0,0 3x3: dark, boss
  top = attic 0,0 1x2

ways:
  cellar 1,1 <-> Hall: door, lock red (old oak)
  Hall -> map: passage, barrier lever open (drawbridge)
  Pit -> Hall: warp

moves: EE 1
"""


def test_everything_in_one_text():
    dungeon = parse_text(EVERYTHING.replace(" 1\n", "W\n"))
    assert [floor.name for floor in dungeon.floors] == ["cellar", "attic", "Hall", "map", "Pit"]
    assert dungeon.floors[0].terrain == ("####### ", "#...... ", "#.....# ", "#.~..<. ", "###..   ")
    assert (dungeon.title, dungeon.start, dungeon.goals) == ("All at once", (0, 1, 1), ((0, 1, 5), (3, 0, 0)))
    assert dungeon.rules == Rules(keys=(("", 1), ("red", 2)), bombs=2, soft="open")
    assert dungeon.pickups == (
        Pickup((0, 1, 2), "key"),
        Pickup((0, 1, 6), "key", "red", 3),
        Pickup((0, 2, 1), "bombs", count=0),
        Pickup((0, 2, 3), "bombs", count=3),
        Pickup((0, 3, 3), "monster"),
        Pickup((2, 0, 0), "key", count=2),
        Pickup((2, 0, 0), "monster"),
    )
    assert dungeon.gates == (
        Gate("lock", ("",), ((0, 1, 4),)),
        Gate("lock", ("red",), ((0, 2, 4), (0, 2, 5))),
        Gate("cracked", (), ((0, 3, 4),)),
        Gate("barrier", ("lever",), ((0, 4, 3), (0, 4, 4)), True, "drawbridge"),
        Gate("soft", ("corner",), ((1, 0, 0),)),
        Gate("lock", ("red",), (), name="old oak"),
    )
    assert dungeon.ways == (
        Way((0, 1, 1), (2, 0, 0), "door", 5),
        Way((0, 3, 1), (1, 0, 1), "stairs"),
        Way((1, 0, 1), (0, 3, 1), "stairs"),
        Way((2, 0, 0), (0, 1, 1), "door", 5),
        Way((2, 0, 0), (3, 0, 0), "passage", 3),
        Way((4, 0, 0), (2, 0, 0), "warp"),
    )
    assert dungeon.switches == (Switch((0, 2, 3), "lever"),)
    assert dungeon.blocks == (Block((0, 3, 6)),)
    assert dungeon.rooms == (Room("corner", (0, 0, 0), 3, 3, ("dark", "boss")), Room("top", (1, 0, 0), 1, 2))
    assert dungeon.played == ("E", "E", "W")
    assert parse_text(format_text(dungeon)) == dungeon


def test_what_is_written_is_what_a_person_would_write():
    text = """\
dungeon: Locks and levers
rules: bombs=1, soft=open

map:
########
#@.kr#G#
#.l..R.#
#1~~~###
########
#1o.t.E#
########

legend:
  1 = stairs
  r = key red
  l = item ladder
  R = lock red
  t = switch tower
  E = gate ladder (eel pond)
"""
    assert format_text(parse_text(text)) == text


def test_order_of_sections_comments_and_line_ends_do_not_matter():
    dungeon = parse_text("dungeon: X\n\nmap:\n@rR G\n\nlegend:\n  r = key red\n  R = lock red\n\nmoves: E\n")
    assert dungeon.floors[0].terrain == ("... .",)
    shuffled = (
        "\ufeff\n# a word before\n  # another\ndungeon:   X  \nmoves:\n# still none\n  E\n\n"
        "legend:\nr=key red\n\nR   =lock red\n# the map\nmap:\n@rR G"
    )
    for line_end in ("\n", "\r\n", "\r", "  \n"):
        assert parse_text(shuffled.replace("\n", line_end)) == dungeon


def test_blanks_beyond_the_longest_row_are_not_part_of_the_map():
    assert parse_text("dungeon:\nmap:\n@G   \n.    \n").floors[0].terrain == ("..", ". ")
    assert parse_text("dungeon:\nmap:\n@G _\n.___\n").floors[0].terrain == ("..  ", ".   ")


def test_gates_without_a_name_are_one_where_they_touch():
    dungeon = parse_text("dungeon:\nrules: keys=9\nmap:\n@LL.LMG\n\nlegend:\nM = lock\n")
    assert [gate.cells for gate in dungeon.gates] == [((0, 0, 1), (0, 0, 2)), ((0, 0, 4),), ((0, 0, 5),)]


def test_gates_of_one_name_are_one_wherever_they_are():
    dungeon = parse_text(
        "dungeon:\nrules: keys=9\nmap:\n@A.AG\n\nlegend:\nA = lock (oak)\n\nways:\n0,0 -> 0,4: door, lock (oak)\n"
        "0,0 -> 0,2: door, cracked (oak)\n"
    )
    assert dungeon.gates == (Gate("lock", ("",), ((0, 0, 1), (0, 0, 3)), name="oak"), Gate("cracked", name="oak"))
    assert [way.gate for way in dungeon.ways] == [1, 0]


def test_numbers_tell_gates_apart_and_are_no_part_of_their_name():
    dungeon = parse_text(
        "dungeon:\nrules: keys=9\nmap:\n@ABCG\n\nlegend:\nA = lock (#1)\nB = lock (#2)\nC = lock (oak #2)\n\n"
        "ways:\n0,0 -> 0,4: door, lock (#1)\n"
    )
    assert [(gate.name, gate.cells) for gate in dungeon.gates] == [
        ("", ((0, 0, 1),)),
        ("", ((0, 0, 2),)),
        ("oak", ((0, 0, 3),)),
    ]
    assert dungeon.ways[0].gate == 0


@pytest.mark.parametrize(
    "thing",
    [
        Thing("key", ("x3",)),
        Thing("key", ("x3",), 2),
        Thing("key", ("sea green x3",)),
        Thing("key", ("x",), 9999),
        Thing("bombs", count=0),
        Thing("bombs", count=1),
        Thing("one-way west"),
        Thing("lock"),
        Thing("lock", ("open",), called="it's-a 1"),
        Thing("cracked", called="x", number=2),
        Thing("cracked", number=7),
        Thing("gate", ("a", "b c")),
        Thing("barrier", ("open",)),
        Thing("barrier", ("open",), open_at_first=True),
        Thing("barrier", ("door open",)),
        Thing("barrier", ("door shut",)),
        Thing("barrier", ("door shut",), open_at_first=True),
        Thing("soft", ("shut",)),
        Thing("switch", ("é",)),
    ],
    ids=format_thing,
)
def test_words_for_things_that_could_be_misread(thing: Thing):
    assert parse_thing(Line(1, 1, format_thing(thing))) == thing


REFUSED = {
    "nothing": ("", "'dungeon:'", 1, None),
    "another beginning": ("hello", "'dungeon:'", 1, 1),
    "indented": ("\n dungeon: x", "left edge", 2, 2),
    "twice": ("dungeon: x\ndungeon: y", "only once", 2, 1),
    "no map": ("dungeon: x\n", "a map", 2, None),
    "no rows": ("dungeon: x\nmap:\n\n@G", "rows of a map", 2, 1),
    "ragged": ("dungeon: x\nmap:\n@.G\n..\n", "a row of 3 tiles .* has 2", 4, 3),
    "no start": ("dungeon: x\nmap:\n..G", "a start", 4, None),
    "no goal": ("dungeon: x\nmap:\n..@", "a goal", 4, None),
    "two starts": ("dungeon: x\nmap:\n@@G", "one start", 3, 2),
    "unknown glyph": ("dungeon: x\nmap:\n@xG", "legend", 3, 2),
    "no blank line after the map": ("dungeon: x\nmap:\n@.G\nlegend:\nx = key", "a row of 7", 3, 4),
    "unknown section": ("dungeon: x\nsecrets: 3", "a section", 2, 1),
    "unknown section after a legend": ("dungeon: x\nmap:\n@G\n\nlegend:\nx = key\nsecrets: 3", "a section", 7, 1),
    "junk after a map": ("dungeon: x\nmap:\n@G\n\n@G", "a section .*blank line", 5, 1),
    "words after a heading": ("dungeon: x\nmap: cellar\n@G", "nothing after 'map:'", 2, 6),
    "a name between": ("dungeon: x\nlegend two:\n", "nothing between legend", 2, 8),
    "one stairs": ("dungeon: x\nmap:\n@sG\n\nlegend:\n  s = stairs", "two tiles 's'", 6, 3),
    "three stairs": ("dungeon: x\nmap:\n@ssG\ns...\n\nlegend:\n  s = stairs", "two tiles 's'.* 3", 4, 1),
    "legend without =": ("dungeon: x\nlegend:\n  key", "a glyph", 3, 3),
    "legend of a word": ("dungeon: x\nlegend:\n  kk = key", "a glyph", 3, 3),
    "legend of a wall": ("dungeon: x\nlegend:\n  . = key", "another glyph", 3, 3),
    "legend twice": ("dungeon: x\nlegend:\n  x = key\n  x = key", "only once", 4, 3),
    "unknown thing": ("dungeon: x\nlegend:\n  x = key + dragon", "a thing", 3, 13),
    "no thing": ("dungeon: x\nlegend:\n  x = key +", "a thing", 3, 12),
    "two kinds of terrain": ("dungeon: x\nlegend:\n  x = floor + water", "one kind of terrain", 3, 15),
    "two gates": ("dungeon: x\nlegend:\n  x = lock + cracked", "one gate", 3, 14),
    "a bad name": ("dungeon: x\nlegend:\n  x = item a&b", "a name for the item", 3, 12),
    "no name": ("dungeon: x\nlegend:\n  x = switch", "a name for the switch", 3, 13),
    "too many keys": ("dungeon: x\nlegend:\n  x = key red x10000", "x1 to x9999", 3, 15),
    "no keys": ("dungeon: x\nlegend:\n  x = key x0", "x1 to x9999", 3, 11),
    "bad one-way": ("dungeon: x\nlegend:\n  x = one-way up", "north, east", 3, 15),
    "colour without a key": ("dungeon: x\nmap:\n@RG\n\nlegend:\nR = lock red", "a red key", 6, 5),
    "item that is nowhere": ("dungeon: x\nmap:\n@RG\n\nlegend:\nR = gate lamp", "lamp", 6, 5),
    "item that is not said to be missing": (
        "dungeon: x\nmissing: item torch\nmap:\n@RG\n\nlegend:\nR = gate lamp",
        "lamp",
        7,
        5,
    ),
    "missing bombs": ("dungeon: x\nmissing: item a + bombs", "an item or a coloured key", 2, 19),
    "switch that is nowhere": ("dungeon: x\nmap:\n@RG\n\nlegend:\nR = barrier lever", "lever", 6, 5),
    "room that is nowhere": ("dungeon: x\nmap:\n@RG\n\nlegend:\nR = soft den", "room", 3, 2),
    "key in a wall": ("dungeon: x\nmap:\n@xG\n\nlegend:\nx = wall + key", "stand on floor", 3, 2),
    "way without arrow": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 0,1: door", "a way", 6, 3),
    "way without kind": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> 0,1", "a way", 6, 3),
    "way of an unknown kind": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> 0,1: river", "a kind of way", 6, 15),
    "way to nowhere": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> 0,2: door", "a column below 2", 6, 10),
    "way to an unknown place": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> Hall: door", "nothing is called so", 6, 10),
    "way to a floor": ("dungeon: x\nmap a:\n@G\n\nmap b:\n..\n\nways:\n  a 0,0 -> b: door", "row and column", 9, 12),
    "way without a floor": ("dungeon: x\nmap a:\n@G\n\nmap b:\n.\n\nways:\n  0,0 -> b: door", "a floor's", 9, 3),
    "way with an unknown gate": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> 0,1: door, key", "a gate", 6, 21),
    "locked way without a key": ("dungeon: x\nmap:\n@G\n\nways:\n  0,0 -> 0,1: door, lock red", "a red key", 6, 21),
    "stairs in a place": ("dungeon: x\nplaces:\n  a: stairs", "under 'ways:'", 3, 6),
    "place without colon": ("dungeon: x\nplaces:\n  a", "a place", 3, 3),
    "two places of a name": ("dungeon: x\nplaces:\n  a: start\n  a: goal", "floor called", 4, 3),
    "room without size": ("dungeon: x\nmap:\n@G\n\nrooms:\n  a = 0,0", "a room", 6, 3),
    "room beyond the map": ("dungeon: x\nmap:\n@G\n\nrooms:\n  a = 0,0 1x3", "inside its floor", 6, 3),
    "a bad rule": ("dungeon: x\nrules: soft=open, bombs=many", "bombs", 2, 19),
    "an unknown rule": ("dungeon: x\nrules: lives=3", "rule", 2, 8),
    "a rule without value": ("dungeon: x\nrules: bombs", "a rule such as", 2, 8),
    "a rule twice": ("dungeon: x\nrules: bombs=1\nrules: bombs=2", "only once", 3, 8),
    "a bad move": ("dungeon: x\nmap:\n@G\n\nmoves: EX", "moves", 5, 9),
    "an illegal move": ("dungeon: x\nmap:\n@.G\n\nmoves: ENE", "number 2", 5, 8),
    "a way number beyond all": ("dungeon: x\nmap:\n@G\n\nmoves: 99999999999999999999", "moves", 5, 8),
}


@pytest.mark.parametrize(("text", "expected", "line", "column"), REFUSED.values(), ids=REFUSED.keys())
def test_mistakes_are_named_with_their_place(text: str, expected: str, line: int, column: int | None):
    with pytest.raises(ParseError, match=expected) as caught:
        parse_text(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_what_is_missing_can_be_said():
    text = "dungeon: x\nmissing: key red + item lamp\n\nmap:\n@RPG\n\nlegend:\n  R = lock red\n  P = gate lamp\n"
    dungeon = parse_text(text)
    assert parse_text(format_text(dungeon)) == dungeon
    assert "missing: item lamp + key red\n" in format_text(dungeon)


def test_other_rules_may_leave_a_gate_without_what_it_needs():
    dungeon = parse_text("dungeon: x\nrules: items=lamp\n\nmap:\n@DG\n\nlegend:\n  D = gate lamp\n")
    changed = with_rules(dungeon, {"items": "none"})
    assert changed.rules.items == ()
    assert parse_text(format_text(changed)) == changed


def test_titles_are_one_line_of_what_can_be_seen():
    dungeon = parse_text("dungeon: \t a\u2028b \0 # c  \nmap:\n@G\n")
    assert dungeon.title == "a b # c"
    assert parse_text(format_text(replace(dungeon, title="a\nb\r # c"))) == dungeon


def test_sniffing():
    assert sniff_text("dungeon: x")
    assert sniff_text("\ufeff# one\n\r\n\n  # two\n dungeon:")
    assert not sniff_text("# dungeon: x")
    assert not sniff_text("dungeons: x")
    assert not sniff_text("")
    assert not sniff_text("\n" * 1_000_000 + "#")


def test_a_large_map():
    rng = random.Random(5)
    rows = ["".join(rng.choices("#.~k ", (30, 60, 5, 2, 3), k=249)) + "#" for _ in range(250)]
    rows[0] = "@G" + rows[0][2:]
    dungeon = parse_text("dungeon: large\nmap:\n" + "\n".join(rows) + "\n")
    assert (len(dungeon.floors[0].terrain), len(dungeon.floors[0].terrain[0])) == (250, 250)
    assert len(dungeon.pickups) == sum(row.count("k") for row in rows)
    assert parse_text(format_text(dungeon)) == dungeon


def test_more_kinds_of_tiles_than_there_are_ascii_letters():
    pickups = [Pickup((0, 0, at), "item", f"thing {at}") for at in range(1, 600)]
    dungeon = assemble(
        DungeonParts([Floor("", ("." * 601,))], starts=[(0, 0, 0)], goals=[(0, 0, 600)], pickups=pickups)
    )
    row = format_text(dungeon).splitlines()[3]
    assert len(set(row)) == 601
    assert row.isprintable()
    assert parse_text(format_text(dungeon)) == dungeon


def test_alike_gates_that_touch_stay_two():
    gates = [Gate("lock", ("",), ((0, 0, 1),)), Gate("lock", ("",), ((0, 0, 2),))]
    dungeon = assemble(DungeonParts([Floor("", ("....",))], starts=[(0, 0, 0)], goals=[(0, 0, 3)], gates=gates))
    row = format_text(dungeon).splitlines()[3]
    assert row[1] != row[2]
    assert parse_text(format_text(dungeon)) == dungeon


def test_gates_of_ways_keep_their_order():
    floors = [Floor("a", (".",)), Floor("b", (".",))]
    ways = [Way((0, 0, 0), (1, 0, 0), "door", 1), Way((1, 0, 0), (0, 0, 0), "door", 0)]
    gates = [Gate("lock", ("",)), Gate("cracked")]
    dungeon = assemble(DungeonParts(floors, starts=[(0, 0, 0)], goals=[(1, 0, 0)], gates=gates, ways=ways))
    assert dungeon.gates == tuple(gates)
    assert parse_text(format_text(dungeon)) == dungeon


TEXTS = [example for example in examples_of("dungeon") if sniff_text(example.text)]


@pytest.mark.parametrize("example", TEXTS, ids=lambda example: example.name)
def test_examples_are_small_and_survive_writing(example):
    dungeon = parse_text(example.text)
    assert dungeon.title
    assert all(len(floor.terrain) <= 12 and len(floor.terrain[0]) <= 40 for floor in dungeon.floors)
    assert parse_text(format_text(dungeon)) == dungeon


NAMES = (
    "red",
    "blue",
    "x3",
    "sea x3",
    "door open",
    "shut",
    "open",
    "map 1",
    "rules",
    "d'or",
    "a-",
    "-",
    "Ärger",
    "9",
    "key",
    "legend",
)
PLAYED_MOST = 12


def random_dungeon(seed: int) -> Dungeon:
    """Make a dungeon with a bit of everything, valid but hardly sensible."""
    rng = random.Random(seed)
    floors = _random_floors(rng)
    dry = [
        (number, row, column)
        for number, floor in enumerate(floors)
        for row, line in enumerate(floor.terrain)
        for column, letter in enumerate(line)
        if letter not in "# ~"
    ]
    some = lambda most: [rng.choice(dry) for _ in range(rng.randrange(most + 1))]  # noqa: E731
    start, goals = rng.choice(dry), [rng.choice(dry) for _ in range(rng.randint(1, 2))]
    rooms = _random_rooms(rng, floors)
    pickups = [_random_pickup(rng, place) for place in some(8)]
    switches = [Switch(*each) for each in {(place, rng.choice(NAMES)) for place in some(4)}]
    gates = _random_gates(rng, dry, pickups, switches, rooms)
    taken = {start, *goals, *(cell for gate in gates for cell in gate.cells)}
    taken |= {thing.place for thing in (*pickups, *switches)}
    free = [place for place in dry if place not in taken and floors[place[0]].terrain[place[1]][place[2]] == "."]
    blocks = [Block(place) for place in sorted(rng.sample(free, min(len(free), rng.randrange(3))))]
    ways = _random_ways(rng, dry, len(gates))
    used = {way.gate for way in ways}
    idle = [number for number, gate in enumerate(gates) if not gate.cells and number not in used]
    if len(dry) > 1:
        ways += [Way(*rng.sample(dry, 2), "door", number) for number in idle]
    else:
        gates = [gate for number, gate in enumerate(gates) if number not in idle]
        ways = []
    dungeon = assemble(
        DungeonParts(
            floors,
            starts=[start],
            goals=goals,
            pickups=pickups,
            gates=gates,
            switches=switches,
            blocks=blocks,
            ways=ways,
            rooms=rooms,
            rules=_random_rules(rng),
            title=rng.choice(("", "A title: with + signs = fun", "#1")),
        ),
        strict=False,
    )
    game, played = Game(dungeon), []
    state = game.start_state()
    for _ in range(rng.randrange(PLAYED_MOST)):
        moves = list(game.moves(state))
        if not moves:
            break
        move, state = rng.choice(moves)
        played.append(move)
    return replace(dungeon, played=tuple(played))


def _random_floors(rng: random.Random) -> list[Floor]:
    floors = []
    count = rng.choice((1, 1, 2, 3, 5))
    for name in rng.sample(NAMES, count):
        height, width = (1, 1) if rng.random() < 0.4 else (rng.randint(1, 5), rng.randint(1, 8))
        rows = ["".join(rng.choices("#. ~^>v<", (4, 12, 2, 2, 1, 1, 1, 1), k=width)) for _ in range(height)]
        floors.append(Floor("" if count == 1 and rng.random() < 0.6 else name, tuple(rows)))
    if not any(letter not in "# ~" for floor in floors for row in floor.terrain for letter in row):
        floors[0] = Floor(floors[0].name, ("...",))
    return floors


def _random_rooms(rng: random.Random, floors: list[Floor]) -> list[Room]:
    rooms = []
    for name in rng.sample(NAMES, rng.randrange(3)):
        number = rng.randrange(len(floors))
        rows = floors[number].terrain
        top, left = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
        size = rng.randint(1, len(rows) - top), rng.randint(1, len(rows[0]) - left)
        rooms.append(Room(name, (number, top, left), *size, tuple(rng.sample(NAMES, rng.randrange(3)))))
    return rooms


def _random_pickup(rng: random.Random, place: Place) -> Pickup:
    kind = rng.choice(("key", "bombs", "item", "monster"))
    if kind == "key":
        return Pickup(place, kind, rng.choice(("", *NAMES)), rng.choice((1, 1, 2)))
    if kind == "item":
        return Pickup(place, kind, rng.choice(NAMES))
    return Pickup(place, kind, count=rng.randrange(4) if kind == "bombs" else 1)


def _random_gates(
    rng: random.Random, dry: list[Place], pickups: list[Pickup], switches: list[Switch], rooms: list[Room]
) -> list[Gate]:
    gates = []
    cells = sorted(dry)
    if rng.random() < 0.5:
        rng.shuffle(cells)
    for _ in range(rng.randrange(7)):
        kinds = ["lock", "cracked", "item", *(["barrier"] if switches else []), *(["soft"] if rooms else [])]
        kind = rng.choice(kinds)
        needs = {
            "lock": lambda: (rng.choice(("", "red", rng.choice(NAMES))),),
            "cracked": tuple,
            "item": lambda: tuple(sorted(rng.sample(NAMES, rng.randint(1, 2)))),
            "barrier": lambda: (rng.choice(switches).name,),
            "soft": lambda: (rng.choice(rooms).name,),
        }[kind]()
        size = rng.choice((0, 1, 1, 2, 3))
        mine, cells = cells[:size], cells[size:]
        name = rng.choice(("", "", "", "old oak", rng.choice(NAMES)))
        gates.append(Gate(kind, needs, tuple(mine), kind == "barrier" and rng.random() < 0.5, name))
        if rng.random() < 0.4:  # one that looks like it, often right beside it
            mine, cells = cells[:1], cells[1:]
            gates.append(replace(gates[-1], cells=tuple(mine)))
    return gates


def _random_ways(rng: random.Random, dry: list[Place], gates: int) -> list[Way]:
    ways: list[Way] = []
    for _ in range(rng.randrange(7) if len(dry) > 1 else 0):
        source, target = rng.sample(dry, 2)
        kind = rng.choice(("stairs", "stairs", "warp", "door", "passage"))
        gate = rng.randrange(gates) if gates and rng.random() < 0.5 else None
        ways.append(Way(source, target, kind, gate))
        if rng.random() < 0.7:
            ways.append(Way(target, source, kind, gate))
    return ways


def _random_rules(rng: random.Random) -> Rules:
    return Rules(
        keys=tuple(
            sorted({colour: rng.randint(1, 9) for colour in rng.sample(("", *NAMES), rng.randrange(3))}.items())
        ),
        bombs=rng.choice((0, 0, 3, None)),
        items=tuple(sorted(rng.sample(NAMES, rng.randrange(3)))),
        bombs_per_pickup=rng.choice((4, 4, 1)),
        keys_counted=rng.random() < 0.8,
        water=rng.choice(("ladder", *NAMES)),
        crossing=rng.choice(("any", "one")),
        soft=rng.choice(("open", "clear", "shut")),
        push=rng.choice(("once", "never")),
        player=rng.choice(("any", "thorough")),
    )


def test_every_dungeon_can_be_written():
    seen = {"pairs": 0, "numbers": 0, "places": 0, "moves": 0, "missing": 0, "names": 0}
    for seed in range(up_to(600, deep=1_500)):
        dungeon = random_dungeon(seed)
        text = format_text(dungeon)
        assert sniff_text(text)
        assert parse_text(text) == dungeon, text
        seen["pairs"] += " = stairs" in text or " = warp" in text
        seen["numbers"] += "(#" in text
        seen["places"] += "places:" in text
        seen["moves"] += "moves:" in text
        seen["missing"] += "missing:" in text
        seen["names"] += "(old oak" in text
    assert min(seen.values()) > 8, f"the generator must try everything: {seen}"


def read_or_refuse(text: str) -> Dungeon | ParseError:
    try:
        return parse_text(text)
    except ParseError as error:
        return error


def test_edited_examples_are_read_or_refused():
    rng = random.Random(1)
    texts = [example.text for example in TEXTS] + [EVERYTHING]
    refused = 0
    for _ in range(up_to(1_200, deep=3_000)):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(text))
            edit = rng.choice(("", "\n", ":", "+", "#", "½", " ", "x", "\t", "\u2028", "1", "(", "@"))
            text = text[:at] + edit + text[at + rng.randrange(3) :]
        read = read_or_refuse(text)
        if isinstance(read, ParseError):
            refused += 1
            assert len(str(read)) < 1000
            assert read.line is None or 1 <= read.line <= len(text.splitlines()) + 1
        else:
            assert parse_text(format_text(read)) == read
    assert 40 < refused < up_to(1_160, deep=2_900)
