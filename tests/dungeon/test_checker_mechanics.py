"""What the checker says of rules, levers, dials, held plates, things that appear or renew, blocks pushed on, returning.

Each is a small dungeon by hand, from the rule book: what moves do, which are refused and in what words, and which
certificates are right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dungeon.test_checker import changes, found, meaning
from solvent.dungeon.checker import play
from solvent.dungeon.checker.board import Board
from solvent.dungeon.checker.fitness import unfit_parts
from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Block,
    Cleared,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Have,
    Not,
    Pickup,
    Requirement,
    Room,
    Rules,
    Switch,
    SwitchAt,
    Way,
)


def corridor(text: str, **parts: Any) -> Dungeon:
    """Return a dungeon of one row: `@` the start, `G` the goal, `#` a wall."""
    terrain = "".join("." if letter in "@G" else letter for letter in text)
    goals = tuple((0, 0, column) for column, letter in enumerate(text) if letter == "G")
    return Dungeon(floors=(Floor("", (terrain,)),), start=(0, 0, text.index("@")), goals=goals, **parts)


def gate(column: int, rule: Requirement) -> Gate:
    return Gate("rule", (), ((0, 0, column),), rule=rule)


def at(column: int) -> tuple[int, int, int]:
    return 0, 0, column


def walk(dungeon: Dungeon, moves: str) -> tuple[Board, play.State]:
    """Make moves, one letter each or divided by spaces; all must be legal."""
    assert unfit_parts(dungeon) == []
    board = play.lay_out(dungeon)
    state = play.beginning(board)
    for move in moves.split() if " " in moves else moves:
        after = play.take(board, state, move)
        assert isinstance(after, play.State), after
        state = after
    return board, state


def refusal(dungeon: Dungeon, moves: str, move: str) -> str:
    board, state = walk(dungeon, moves)
    said = play.take(board, state, move)
    assert isinstance(said, str)
    return said


# Rules of gates and goals


TORCH, BOW = Have("item", "torch"), Have("item", "bow")


@pytest.mark.parametrize(
    ("rule", "moves", "words"),
    [
        (TORCH, "", "the gate needs torch"),
        (TORCH, "WE", None),
        (Not(TORCH), "", None),
        (Not(TORCH), "WE", "the gate needs not (torch)"),
        (AllOf((TORCH, BOW)), "WE", "the gate needs torch and bow"),
        (AllOf((TORCH, BOW)), "WWEE", None),
        (AnyOf((TORCH, BOW)), "WE", None),
        (AnyOf((TORCH, AllOf((BOW, Not(TORCH))))), "", "the gate needs torch or (bow and not (torch))"),
        (AllOf(()), "", None),
        (AnyOf(()), "WWEE", "the gate needs what can never be"),
        (Have("item", "torch", 3), "WE", "the gate needs 3 of torch"),
        (Have("key", "", 1), "WWEE", None),
        (Have("key", "", 2), "WWEE", "the gate needs 2 keys in hand"),
        (Have("key", "red"), "WWEE", "the gate needs 1 red key in hand"),
        (Have("bombs"), "", "the gate needs 1 bomb in hand"),
        (SwitchAt("gong"), "", "the gate needs the switch 'gong' at 'on'"),
        (SwitchAt("gong", "off"), "", None),
        (Cleared("den"), "WE", "the gate needs no monsters in 'den'"),
        (Cleared("den"), "WWEE", None),
    ],
)
def test_a_gate_is_open_while_its_rule_holds(rule: Requirement, moves: str, words: str | None):
    """Torches, two of them, lie west of the start; beyond them a bow, a key and a monster."""
    dungeon = corridor(
        "..@.G",
        gates=(gate(3, rule),),
        pickups=(
            Pickup(at(0), "item", "bow"),
            Pickup(at(0), "key"),
            Pickup(at(0), "monster"),
            Pickup(at(1), "item", "torch", 2),
        ),
        rooms=(Room("den", at(0), 1, 1),),
    )
    if words is None:
        assert walk(dungeon, moves + "E")[1].place == at(3)
    else:
        assert refusal(dungeon, moves, "E") == words


def test_items_carried_count_as_one():
    dungeon = corridor(
        ".@.G",
        gates=(gate(2, Have("item", "torch", 2)),),
        pickups=(Pickup(at(0), "item", "torch"),),
        rules=Rules(items=("torch",)),
    )
    assert refusal(dungeon, "", "E") == "the gate needs 2 of torch"
    walk(dungeon, "WEE")


def test_keys_that_are_not_counted_and_bombs_without_end_are_always_in_hand():
    dungeon = corridor(
        "@..G",
        gates=(gate(1, Have("key", "red", 9)), gate(2, Have("bombs", "", 9))),
        rules=Rules(keys_counted=False, bombs=None),
    )
    walk(dungeon, "EEE")


def test_a_rule_is_about_what_there_is_before_the_move():
    """The way takes the key, and the gate where it leads asks for it: it is still in hand."""
    dungeon = corridor(
        "@#G",
        gates=(gate(2, Have("key")), Gate("lock", ("",))),
        ways=(Way(at(0), at(2), gate=1),),
        rules=Rules(keys=(("", 1),)),
    )
    _, state = walk(dungeon, "0")
    assert state.opened == {1}


def test_no_step_leads_onto_a_goal_while_its_rule_does_not_hold():
    dungeon = corridor(".@G", pickups=(Pickup(at(0), "item", "torch"),), goal_rule=TORCH)
    assert refusal(dungeon, "", "E") == "the goal needs torch"
    walk(dungeon, "WEE")


def test_no_step_leads_onto_a_closed_tile():
    dungeon = corridor(".@.G", closed=(at(0),), ways=(Way(at(2), at(0)),), rules=Rules(home="always"))
    assert refusal(dungeon, "", "W") == "the tile there is closed"
    assert refusal(dungeon, "E", "0") == "the tile there is closed"
    assert refusal(replace(dungeon, closed=(at(1),)), "E", "r") == "the tile there is closed"


# Pickups that appear, and that renew


def test_a_pickup_is_there_only_while_its_rule_holds():
    dungeon = corridor("..@.G", pickups=(Pickup(at(0), "item", "bow"), Pickup(at(1), "key", rule=BOW)))
    assert walk(dungeon, "W")[1].taken == frozenset()
    assert walk(dungeon, "WW")[1].taken == {0}
    assert walk(dungeon, "WWE")[1].taken == {0, 1}


def test_what_is_taken_may_make_more_appear_on_the_same_tile():
    things = (Pickup(at(1), "item", "bow", rule=TORCH), Pickup(at(1), "item", "torch"))
    assert walk(corridor("@.G", pickups=things), "E")[1].taken == {0, 1}
    assert walk(corridor("@.G", pickups=things), "")[1].taken == frozenset()


def test_what_goes_when_something_is_taken_is_left():
    """They are taken in their order: the bow goes with the torch, unless it was taken before."""
    torch, bow = Pickup(at(1), "item", "torch"), Pickup(at(1), "item", "bow", rule=Not(TORCH))
    assert walk(corridor("@.G", pickups=(bow, torch)), "E")[1].taken == {0, 1}
    assert walk(corridor("@.G", pickups=(torch, bow)), "E")[1].taken == {0}


def test_a_lever_makes_things_appear_under_the_player():
    dungeon = corridor(
        "@G",
        pickups=(Pickup(at(0), "key", rule=SwitchAt("winch")),),
        switches=(Switch((0, 5, 5), "winch", "lever", reach=(at(0),)),),
    )
    assert walk(dungeon, "")[1].taken == frozenset()
    assert walk(dungeon, "u0 ")[1].taken == {0}


def test_a_rule_of_a_pickup_is_looked_at_with_the_player_on_it():
    dungeon = corridor(
        "@.G",
        pickups=(Pickup(at(1), "key", rule=SwitchAt("scale")),),
        switches=(Switch(at(1), "scale", "held"),),
    )
    assert walk(dungeon, "E")[1].taken == {0}


def test_what_renews_is_never_used_up():
    dungeon = corridor(
        ".@...G",
        pickups=(Pickup(at(0), "bombs", count=1, renews=True),),
        gates=tuple(Gate("cracked", (), (at(column),)) for column in (2, 3, 4)),
    )
    assert walk(dungeon, "")[1].stock == (("bombs", 0),)
    assert walk(dungeon, "WEW")[1].stock == (("bombs", 1),)
    assert walk(dungeon, "WEE")[1] == play.State(at(2), frozenset(), frozenset({0}), stock=(("bombs", 0),))
    assert refusal(dungeon, "WEE", "E") == "the wall is cracked and there is no bomb"
    walk(dungeon, "WEE WWEEE WWWEEEE E".replace(" ", ""))


def test_what_is_found_once_adds_to_what_renews():
    dungeon = corridor(
        "..@.G",
        pickups=(Pickup(at(0), "key", "red", 2, renews=True), Pickup(at(1), "key", "red", 3)),
        gates=(Gate("lock", ("red",), (at(3),)),),
        rules=Rules(keys=(("red", 1),)),
    )
    assert walk(dungeon, "")[1].stock == (("key red", 1),)
    assert walk(dungeon, "W")[1].stock == (("key red", 4),)
    assert walk(dungeon, "WWEW")[1].stock == (("key red", 4),)
    assert walk(dungeon, "EWWWE")[1].stock == (("key red", 3),)
    assert walk(dungeon, "W")[1].taken == {1}


# Switches


def test_a_lever_is_worked_from_its_reach_by_who_has_what_it_needs():
    lever = Switch((0, 0, 3), "winch", "lever", reach=(at(0), at(1)), rule=BOW)
    dungeon = corridor(".@.#G", switches=(lever, Switch(at(0), "gong")), pickups=(Pickup(at(0), "item", "bow"),))
    assert refusal(dungeon, "", "u0") == "the lever of 'winch' needs bow"
    assert refusal(dungeon, "E", "u0") == "the lever of 'winch' is out of reach"
    assert refusal(dungeon, "", "u1") == "there is no such lever"
    assert refusal(dungeon, "", "u2") == "there is no such lever"
    _, state = walk(dungeon, "W u0")
    assert (state.place, state.on) == (at(0), {"winch", "gong"})
    assert walk(dungeon, "W u0 u0")[1].on == {"gong"}


def test_levers_and_plates_may_set_a_state():
    switches = (Switch(at(1), "gong", sets="off"), Switch(at(2), "gong", sets="on"))
    dungeon = corridor("@..G", switches=switches)
    assert walk(dungeon, "EE")[1].on == {"gong"}
    assert walk(dungeon, "EEW")[1].on == frozenset()
    assert walk(dungeon, "EWE")[1].on == frozenset()


def test_a_dial_goes_round():
    dungeon = corridor(
        "@..G",
        switches=(Switch(at(1), "wheel"), Switch(at(2), "wheel", sets="low")),
        dials=(Dial("wheel", ("low", "middle", "high")),),
    )
    assert walk(dungeon, "E")[1].dials == {("wheel", "middle")}
    assert walk(dungeon, "EWE")[1].dials == {("wheel", "high")}
    assert walk(dungeon, "EWEWE")[1].dials == frozenset()
    assert walk(dungeon, "EE")[1].dials == frozenset()


def test_a_held_switch_is_on_while_something_is_on_a_plate():
    """The gate is judged from where the player stands before the move."""
    held = (Switch(at(1), "scale", "held"),)
    barrier = Gate("barrier", ("scale",), (at(2),))
    dungeon = corridor("@..G", switches=held, gates=(barrier,))
    walk(dungeon, "EEE")
    far = corridor(".@.G", switches=(Switch(at(0), "scale", "held"),), gates=(barrier,))
    assert refusal(far, "WE", "E") == "the barrier of the switch 'scale' is shut"
    weighed = corridor(
        "@..#.G",
        switches=(Switch(at(2), "scale", "held"),),
        blocks=(Block(at(1)),),
        gates=(gate(4, SwitchAt("scale")),),
        ways=(Way(at(1), at(4)),),
    )
    assert refusal(replace(weighed, blocks=()), "E", "0") == "the gate needs the switch 'scale' at 'on'"
    walk(weighed, "E0")
    standing = replace(weighed, blocks=(Block(at(2)),), rules=Rules(push="never"))
    walk(standing, "E0")


# Blocks


def test_blocks_may_be_pushed_on_and_back():
    dungeon = _yard("on")
    board, state = walk(dungeon, "E")
    assert state.moved == {(0, "E")}
    assert walk(dungeon, "EE")[1].moved == {(0, "EE")}
    # Round it, and back where it stood.
    assert walk(dungeon, "ESEENW")[1].moved == frozenset()
    assert play.take(board, walk(dungeon, "EE")[1], "E") == "there is a block, and no bare floor behind it"


def _yard(push: str, **rules: Any) -> Dungeon:
    """Return a block east of the start, with room for it, and ground to walk round it below."""
    return Dungeon(
        floors=(Floor("", ("....", "....", "....")),),
        start=(0, 0, 0),
        goals=((0, 2, 0),),
        blocks=(Block((0, 0, 1)),),
        rules=Rules(push=push, **rules),
    )


def test_walks_of_blocks_have_rows_before_columns():
    dungeon = replace(_yard("on"), start=(0, 1, 0), blocks=(Block((0, 1, 1)),))
    # East once, then south once from above it.
    _, state = walk(dungeon, "ENES")
    assert state.moved == {(0, "SE")}


def test_blocks_go_back_once_their_room_is_left():
    dungeon = replace(_yard("once", blocks="reset"), rooms=(Room("hall", (0, 0, 0), 2, 4),))
    assert walk(dungeon, "ES")[1].moved == {(0, "E")}
    assert walk(dungeon, "ESS")[1].moved == frozenset()
    stay = replace(dungeon, rules=Rules(push="once"))
    assert walk(stay, "ESS")[1].moved == {(0, "E")}
    elsewhere = replace(dungeon, rooms=(Room("cellar", (0, 1, 0), 1, 4),))
    assert walk(elsewhere, "ESS")[1].moved == {(0, "E")}


def test_a_block_rests_on_held_plates_but_on_no_others():
    held, plate = Switch((0, 0, 2), "scale", "held"), Switch((0, 0, 2), "gong")
    for push in ("once", "on"):
        walk(replace(_yard(push), switches=(held,)), "E")
        words = "there is a block, and no bare floor behind it"
        assert refusal(replace(_yard(push), switches=(plate,)), "", "E") == words
        assert refusal(replace(_yard(push), closed=((0, 0, 2),)), "", "E") == words


# Going back to the start


def test_a_player_may_go_back_to_the_start_where_the_rules_say_so():
    dungeon = corridor("@.>.G", rules=Rules(home="always"))
    assert walk(dungeon, "EEEr")[1].place == at(0)
    assert refusal(dungeon, "", "r") == "the player stands on the start already"
    assert refusal(dungeon, "EEEE", "r") == "the game is over, for the player stands on a goal"
    never = replace(dungeon, rules=Rules())
    assert refusal(never, "E", "r") == "the rules do not let a player go back to the start at once"


def test_going_back_passes_the_gate_and_turns_the_plates_of_the_start():
    dungeon = corridor(
        "@.G",
        gates=(Gate("item", ("torch",), (at(0),)),),
        switches=(Switch(at(0), "gong"),),
        rules=Rules(home="always"),
    )
    assert refusal(dungeon, "E", "r") == "the gate needs torch"
    assert walk(replace(dungeon, gates=()), "Er")[1].on == {"gong"}


def test_a_block_on_the_start_bars_the_way_back():
    dungeon = replace(_yard("on", home="always"), blocks=(Block((0, 1, 0)),), goals=((0, 2, 3),))
    assert refusal(dungeon, "ESSWN", "r") == "a block stands on the start"


# Certificates

RULES = corridor(
    ".@..G",
    pickups=(Pickup(at(0), "item", "torch", 2),),
    gates=(gate(2, Have("item", "torch", 2)), gate(3, Not(BOW))),
)
DIALS = corridor(
    "@..G",
    switches=(Switch(at(1), "wheel"),),
    dials=(Dial("wheel", ("low", "middle", "high")),),
    gates=(gate(2, SwitchAt("wheel", "middle")),),
)
RENEWS = corridor(
    ".@..G",
    pickups=(Pickup(at(0), "bombs", count=5, renews=True),),
    gates=(Gate("cracked", (), (at(2),)), Gate("cracked", (), (at(3),))),
)
DELICATE = corridor("@..G", pickups=(Pickup(at(1), "item", "bow"),), gates=(gate(2, Not(BOW)),))
"""The bow lies on the way, and with it the gate is shut."""
LEVER = corridor(
    "@.G", switches=(Switch(at(0), "winch", "lever", reach=(at(0),)),), gates=(gate(1, SwitchAt("winch")),)
)
BLOCK = Dungeon(
    floors=(Floor("", ("....", "##..")),),
    start=(0, 0, 0),
    goals=((0, 1, 3),),
    blocks=(Block((0, 0, 1)),),
    gates=(Gate("rule", (), ((0, 1, 2),), rule=AnyOf(())),),
    rules=Rules(push="on"),
)
"""The block can be pushed two tiles on, and back only by a player who is beyond it: none is."""

RIGHT: dict[str, tuple[Dungeon, str, dict[str, Any]]] = {
    "a plan by a lever": (LEVER, "plan", {"plan": ["u0", "E", "E"]}),
    "a plan by going back": (
        corridor(
            "@>.#G",
            ways=(Way(at(0), at(4), gate=0),),
            gates=(Gate("item", ("torch",)),),
            pickups=(Pickup(at(2), "item", "torch"),),
            rules=Rules(home="always"),
        ),
        "plan",
        {"plan": ["E", "E", "r", "0"]},
    ),
    "safe with a counted item": (
        RULES,
        "safe",
        {"states": [{"at": [0, 0, 1], "items": ["torch"], "taken": [0]}], "ranks": [0]},
    ),
    "safe with a dial": (
        DIALS,
        "safe",
        {
            "states": [
                {"at": [0, 0, 0]},
                {"at": [0, 0, 1], "dials": [["wheel", "middle"]]},
                {"at": [0, 0, 2], "dials": [["wheel", "middle"]]},
                {"at": [0, 0, 1]},
                {"at": [0, 0, 0], "dials": [["wheel", "high"]]},
                {"at": [0, 0, 1], "dials": [["wheel", "high"]]},
                {"at": [0, 0, 0], "dials": [["wheel", "middle"]]},
            ],
            "ranks": [2, 1, 0, 3, 4, 5, 6],
        },
    ),
    "safe with bombs that renew": (
        RENEWS,
        "safe, step by step",
        {
            "states": [
                {"at": [0, 0, 1]},
                {"at": [0, 0, 0], "stock": [["bombs", 2]]},
                {"at": [0, 0, 1], "opened": [0], "stock": [["bombs", 1]]},
                {"at": [0, 0, 3], "opened": [0, 1]},
            ],
            "ranks": [3, 2, 1, 0],
        },
    ),
    "a closed set with a delicate thing": (
        DELICATE,
        "closed set",
        {"states": [{"at": [0, 0, 0]}, {"at": [0, 0, 0], "items": ["bow"]}]},
    ),
    "a closed set with a block": (
        BLOCK,
        "closed set",
        {
            "states": [
                {"at": [0, 0, 0]},
                {"at": [0, 0, 0], "moved": [[0, "E"]]},
                {"at": [0, 0, 0], "moved": [[0, "EE"]]},
            ]
        },
    ),
    "a closed set with a lever": (
        corridor("@.G", switches=LEVER.switches, gates=(gate(1, AnyOf(())),)),
        "closed set",
        {"states": [{"at": [0, 0, 0]}, {"at": [0, 0, 0], "on": ["winch"]}]},
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_accepted(name: str):
    dungeon, form, body = RIGHT[name]
    assert found(dungeon, form, **body) == []


@pytest.mark.parametrize("name", RIGHT)
def test_each_small_change_is_rejected(name: str):
    dungeon, form, body = RIGHT[name]
    for changed in changes(body):
        if changed != body and not found(dungeon, form, **changed):
            assert meaning(changed) == meaning(body)


@pytest.mark.parametrize(
    ("dungeon", "body", "words"),
    [
        (DIALS, {"dials": [["wheel", "low"]]}, "dials lists ('wheel', 'low'), which is not there or does not matter"),
        (
            DIALS,
            {"dials": [["wheel", "high"], ["wheel", "high"]]},
            "dials is not sorted, or lists ('wheel', 'high') twice",
        ),
        (DIALS, {"on": ["wheel"]}, "on lists 'wheel', which is not there or does not matter"),
        (RENEWS, {"stock": [["bombs", 3]]}, "stock lists 3 of 'bombs', but only 1 to 2 can matter"),
        (RENEWS, {"stock": [["bombs", 0]]}, "stock lists 0 of 'bombs', but only 1 to 2 can matter"),
        (RENEWS, {"stock": [["bombs", 2]], "opened": [0]}, "stock lists 2 of 'bombs', but only 1 to 1 can matter"),
        (RENEWS, {"stock": [["key", 1]]}, "stock lists 'key', which does not renew or does not matter"),
        (RENEWS, {"taken": [0]}, "taken lists 0, which is not there or does not matter"),
        (RULES, {"taken": [0]}, "taken lists 0, but items does not list 'torch'"),
        (BLOCK, {"moved": [[0, "EEE"]]}, "moved lists (0, 'EEE'), which is not there or does not matter"),
        (BLOCK, {"moved": [[0, "E"], [0, "EE"]]}, "moved is not sorted, or lists 0 twice"),
        (BLOCK, {"moved": [[0, ""]]}, "moved lists (0, ''), which is not there or does not matter"),
    ],
)
def test_a_bad_situation_is_said_in_words(dungeon: Dungeon, body: dict[str, Any], words: str):
    said = found(dungeon, "closed set", states=[{"at": list(dungeon.start), **body}])
    assert said == [f"situation 0: {words}"]


def test_a_delicate_thing_is_no_richer_situation():
    """With the bow the gate is shut, but a player need not have it."""
    aside = corridor(".@..G", pickups=(Pickup(at(0), "item", "bow"),), gates=(gate(2, Not(BOW)),))
    assert found(aside, "closed set", states=[{"at": [0, 0, 1], "items": ["bow"]}]) == [
        "no situation holds the state the set is to begin with, at row 0, column 1"
    ]
    walked = {"walk": ["W"], "states": [{"at": [0, 0, 0], "items": ["bow"]}], "rescue": ["E", "E", "E"]}
    assert found(aside, "lost walk", **walked) == []


def test_what_makes_a_delicate_thing_appear_is_delicate():
    """The lens lies aside, and with it one takes the bow on the way and cannot pass."""
    dungeon = corridor(
        ".@...G",
        pickups=(Pickup(at(0), "item", "lens"), Pickup(at(2), "item", "bow", rule=Have("item", "lens"))),
        gates=(gate(4, Not(BOW)),),
    )
    assert found(dungeon, "plan", plan=list("EEEE")) == []
    richest = [{"at": [0, 0, 1], "items": ["lens"]}, {"at": [0, 0, 2], "items": ["bow", "lens"]}]
    assert found(dungeon, "closed set", states=richest) == [
        "no situation holds the state the set is to begin with, at row 0, column 1"
    ]


def test_pickups_that_go_again_are_checked_step_by_step():
    dungeon = corridor("@.G", pickups=(Pickup(at(1), "key", rule=SwitchAt("gong")),))
    assert found(dungeon, "safe", states=[{"at": [0, 0, 0]}], ranks=[0]) == [
        "there are pickups that may go again before they are taken; expected the form 'safe, step by step'"
    ]
    assert found(dungeon, "safe, step by step", states=[{"at": [0, 0, 0]}], ranks=[0]) == []


@pytest.mark.parametrize(
    "parts",
    [
        {"gates": (gate(1, AllOf(())),)},
        {"goal_rule": AllOf(())},
        {"pickups": (Pickup(at(1), "key", renews=True),)},
        {"pickups": (Pickup(at(1), "key", rule=AllOf(())),)},
        {"switches": (Switch(at(1), "winch", "lever", reach=(at(1),)),)},
        {"switches": (Switch(at(1), "scale", "held"),)},
        {"dials": (Dial("wheel", ("low", "high")),)},
        {"closed": (at(1),)},
        {"rules": Rules(home="always")},
        {"rules": Rules(push="on"), "blocks": (Block(at(1)),)},
        {"rules": Rules(blocks="reset"), "blocks": (Block(at(1)),)},
    ],
)
def test_surplus_is_for_the_mechanics_it_speaks_of(parts: dict[str, Any]):
    plain = corridor("@..G")
    body = {"goal": [0, 0, 3], "items": [], "least": []}
    assert found(plain, "surplus", **body) == []
    words = found(replace(plain, **parts), "surplus", **body)
    assert len(words) == 1
    assert words[0].startswith("does not apply: ")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"gates": (Gate("rule", (), (at(1),)),)},
        {"goal_rule": Cleared("nowhere")},
        {"goal_rule": Have("money")},
        {"pickups": (Pickup(at(1), "item", "torch", 0),)},
        {"pickups": (Pickup(at(1), "item", "torch", renews=True),)},
        {"pickups": (Pickup(at(1), "treasure"),)},
        {"switches": (Switch(at(1), "winch", "rope"),)},
        {"switches": (Switch(at(1), "winch", "lever", reach=((0, 0, 9),)),)},
        {"switches": (Switch(at(1), "gong", sets="loud"),)},
        {"switches": (Switch(at(0), "gong"), Switch(at(1), "gong", "held"))},
        {"switches": (Switch(at(0), "gong", "held"),), "dials": (Dial("gong", ("off", "on")),)},
        {"dials": (Dial("wheel", ()),)},
        {"dials": (Dial("wheel", ("low", "low")),)},
        {"dials": (Dial("wheel", ("low",)), Dial("wheel", ("high",)))},
        {"closed": ((0, 0, 9),)},
        {"rules": Rules(push="twice")},
        {"rules": Rules(blocks="sometimes")},
        {"rules": Rules(home="often")},
    ],
)
def test_a_dungeon_the_rules_do_not_speak_of_is_never_accepted(spoilt: dict[str, Any]):
    words = found(replace(corridor("@..G"), **spoilt), "plan", plan=["E", "E", "E"])
    assert words
    assert all(word.startswith("the dungeon is not one: ") for word in words)


def test_requirements_are_not_nested_without_end():
    rule: Requirement = TORCH
    for _ in range(100):
        rule = Not(Not(rule))
    deep = corridor("@..G", goal_rule=rule)
    assert found(deep, "plan", plan=["E", "E", "E"]) == [
        "the dungeon is not one: a requirement is nested more than 200 deep"
    ]
