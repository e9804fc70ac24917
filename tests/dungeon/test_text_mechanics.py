"""Our text format with requirements, levers, dials and the like: what it says and refuses, and that it is whole."""

from __future__ import annotations

import pytest

from dungeon.editor_dungeons import wild_dungeon, with_moves
from dungeon.rich_dungeons import enriched
from helpers.depth import up_to
from solvent.core.errors import ParseError
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dial, Gate, Have, Not, Pickup, Switch, SwitchAt
from solvent.dungeon.notation.text import format_text, parse_text
from solvent.dungeon.notation.text.lines import Line
from solvent.dungeon.notation.text.things import Thing, format_thing, parse_thing

EVERYTHING = """\
dungeon: New things
rules: bombs=1, push=on, blocks=reset, home=always, collect=bow + medallion
goal: needs medallion >= 3 & !cleared den

map hall:
###########
#@....s...#
#.o.p.....#
#...r.m...#
####N##g###
#.G.l.....#
####a######

places:
  Vault: item medallion x2 + lever water sets high needs bow + lever water sets low
  Attic: item bow when switch water is low

legend:
  s = bombs x4 renewing
  p = held switch plate
  r = key red when cleared den
  N = needs bow | bombs >= 2 & (lamp | red key) (north door)
  g = wall + lever gate from sight needs bow
  l = item lamp + item medallion x2 + switch water sets middle
  a = wall + lever gate from hall 5,2; hall 5,4

switches:
  water = high, middle, low

rooms:
  den = hall 1,1 3x9

ways:
  Vault <-> Attic: door, needs bow | lamp
  Vault <-> Attic: door, needs switch plate
  Vault <-> Attic: stairs

moves: Er
"""


def test_everything_in_one_text():
    dungeon = parse_text(EVERYTHING)
    bow, lamp = Have("item", "bow"), Have("item", "lamp")
    rule = AnyOf((bow, AllOf((Have("bombs", "", 2), AnyOf((lamp, Have("key", "red")))))))
    assert dungeon.gates == (
        Gate("rule", (), ((0, 4, 4),), name="north door", rule=rule),
        Gate("rule", rule=AnyOf((bow, lamp))),
        Gate("rule", rule=SwitchAt("plate")),
    )
    assert dungeon.goal_rule == AllOf((Have("item", "medallion", 3), Not(Cleared("den"))))
    assert dungeon.dials == (Dial("water", ("high", "middle", "low")),)
    assert dungeon.switches == (
        Switch((0, 2, 4), "plate", "held"),
        Switch((0, 4, 7), "gate", "lever", reach=((0, 1, 7), (0, 2, 7), (0, 3, 7), (0, 5, 7)), rule=bow),
        Switch((0, 5, 4), "water", sets="middle"),
        Switch((0, 6, 4), "gate", "lever", reach=((0, 5, 2), (0, 5, 4))),
        Switch((1, 0, 0), "water", "lever", "high", ((1, 0, 0),), bow),
        Switch((1, 0, 0), "water", "lever", "low", ((1, 0, 0),)),
    )
    assert {
        Pickup((0, 1, 6), "bombs", count=4, renews=True),
        Pickup((0, 3, 4), "key", "red", rule=Cleared("den")),
        Pickup((1, 0, 0), "item", "medallion", 2),
        Pickup((2, 0, 0), "item", "bow", rule=SwitchAt("water", "low")),
    } <= set(dungeon.pickups)
    assert len(dungeon.ways) == 6
    assert dungeon.played == ("E", "r")
    assert format_text(dungeon) == EVERYTHING


def test_gates_end_the_view_of_a_lever():
    text = "dungeon:\n\nmap:\n#l#\n#.#\n#L#\n#@#\n#G#\n\nlegend:\n  l = wall + lever a from sight\n"
    assert parse_text(text).switches[0].reach == ((0, 1, 1), (0, 2, 1))


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("item medallion x2", Thing("item", ("medallion",), 2)),
        ("item x2", Thing("item", ("x2",))),
        ('item "medallion x2"', Thing("item", ("medallion x2",))),
        ("key red x2 renewing when cleared den", Thing("key", ("red",), 2, rule=Cleared("den"), renews=True)),
        ("key renewing", Thing("key", renews=True)),
        ('key "renewing"', Thing("key", ("renewing",))),
        ("monster when !cleared den", Thing("monster", rule=Not(Cleared("den")))),
        ("switch water sets low", Thing("switch", ("water",), sets="low")),
        ("switch sets", Thing("switch", ("sets",))),
        ("held switch gate", Thing("held switch", ("gate",))),
        ("held plate gate", Thing("held switch", ("gate",))),
        ("lever gate, from sight, needs bow", Thing("lever", ("gate",), rule=Have("item", "bow"), reach=("sight",))),
        ("lever gate from beside", Thing("lever", ("gate",))),
        ('lever "a from b" sets "from c"', Thing("lever", ("a from b",), sets="from c")),
        ("needs: bow (door #2)", Thing("needs", called="door", number=2, rule=Have("item", "bow"))),
        ("needs (bow)", Thing("needs", rule=Have("item", "bow"))),
    ],
)
def test_words_for_things(text: str, thing: Thing):
    assert parse_thing(Line(1, 1, text)) == thing
    assert parse_thing(Line(1, 1, format_thing(thing))) == thing


SMALL = """\
dungeon: Small

map:
#####
#@aG#
#####

legend:
  a = {a}
"""


@pytest.mark.parametrize(
    ("a", "expected", "line", "column"),
    [
        ("needs bow &", "a requirement", 9, 18),
        ("needs bow", "the item 'bow' somewhere", 9, 7),
        ("needs !bow", "the item 'bow' somewhere, for the gate that it closes", 9, 7),
        ("needs medallions + item medallion", "is 'medallion' meant", 9, 7),
        ("needs boss key + item boss key", "in quotes", 9, 7),
        ("needs switch gate", "the switch 'gate' somewhere", 9, 7),
        ("needs switch gate is low + lever gate", r"a state of the switch 'gate' \(off, on\)", 9, 7),
        ("needs switch gaet + lever gate", "the switch 'gaet' somewhere, .*is 'gate' meant", 9, 7),
        ("lever gate sets onn", "is 'on' meant", 9, 7),
        ("key + lever gate + needs switch gate is ofen", r"\(off, on\)", 9, 26),
        ("needs cleared den", "an existing room", 9, 7),
        ("key when bow", "the item 'bow' somewhere", 9, 7),
        ("item bow renewing", "only keys and bombs", 5, 3),
        ("item bow x0", "x1 to x9999", 9, 16),
        ("lever gate needs bow", "the item 'bow' somewhere", 9, 7),
        ("lever gate from 0,0", "where one can stand", 5, 3),
        ("lever gate from 9,9", "a row below", 9, 3),
        ("lever gate from far", "sight, or tiles such as 3,4; 3,5, after from, found 'far'", 9, 3),
        ("needs gate is on + lever gate", "did you mean `switch gate is on`", 9, 7),
        ("switch gate sets low", "a state for 'gate'", 9, 7),
        ("held switch gate sets on", "a held plate: it cannot set a state", 9, 7),
        ("held switch gate + lever gate", "to be held, or none", 5, 3),
        ("lever gate + lever gate", "one lever of a kind", 5, 3),
        ("goal needs bow", "says what goals need", 9, 12),
    ],
)
def test_mistakes_are_named_with_their_place(a: str, expected: str, line: int, column: int):
    with pytest.raises(ParseError, match=expected) as caught:
        parse_text(SMALL.format(a=a))
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_switch_that_nothing_asks_about_is_remarked_upon():
    dungeon = parse_text(SMALL.format(a="needs switch gate + lever gate + lever gaet"))
    assert dungeon.remarks == ("nothing asks about the switch 'gaet' (is 'gate' meant?)",)


@pytest.mark.parametrize(
    ("more", "expected", "line"),
    [
        ("switches:\n  water = high, low\n", "the switch 'water' somewhere", 12),
        ("switches:\n  gate = high\n", "from 2 to", 12),
        ("switches:\n  gate = high, high\n", "each once", 12),
        ("switches:\n  gate = high, low\n  gate = a, b\n", "only once", 13),
        ("switches:\n  gate\n", "a switch and its states", 12),
        ("goal: needs bow\n", "the item 'bow' somewhere, for the goal", 11),
        ("goal: always\ngoal: needs never\n", "only once", 12),
        ("rules: home=yes\n", "home is never or always, found 'yes'$", 11),
        ("rules: collect=bow\n", "the item 'bow' somewhere, for the rule collect", 11),
        ("moves: u1\n", "moves that can be made", 11),
        ("moves: u\n", "moves: N, E, S, W, r", 11),
    ],
)
def test_mistakes_in_sections_are_named_with_their_place(more: str, expected: str, line: int):
    with pytest.raises(ParseError, match=expected) as caught:
        parse_text(SMALL.format(a="lever gate") + "\n" + more)
    assert caught.value.line == line


def test_states_that_go_without_saying():
    text = SMALL.format(a="lever gate") + "\nswitches:\n  gate = off, on\n"
    assert parse_text(text) == parse_text(SMALL.format(a="lever gate"))


def test_barriers_are_worked_by_switches_that_are_off_or_on():
    text = SMALL.format(a="lever gate + barrier gate") + "\nswitches:\n  gate = high, low\n"
    with pytest.raises(ParseError, match="needs switch gate is STATE"):
        parse_text(text)


def test_a_start_on_a_goal_that_needs_something_is_refused():
    with pytest.raises(ParseError, match="a start that is no goal"):
        parse_text("dungeon:\ngoal: needs never\n\nmap:\n@.\n\nlegend:\n  @ = start + goal\n")


def test_every_dungeon_can_be_written():
    words = (
        "needs ",
        " when ",
        " renewing",
        "lever ",
        "held switch ",
        " sets ",
        "from sight",
        "goal: ",
        "switches:",
        '"',
    )
    seen = dict.fromkeys(words, 0)
    for seed in range(up_to(200, deep=600)):
        dungeon = with_moves(enriched(wild_dungeon(seed), seed), seed)
        text = format_text(dungeon)
        assert parse_text(text) == dungeon, text
        assert format_text(parse_text(text)) == text
        for word in words:
            seen[word] += word in text
    assert min(seen.values()) > 20, f"the generator must try everything: {seen}"
