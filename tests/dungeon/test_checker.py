"""The checker accepts what is right, rejects each small change to it, and says in plain words why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from dungeon.dungeons import KNOWN, dungeon_of
from solvent import asking
from solvent.dungeon.checker import FORMS, violations
from solvent.dungeon.checker.certificate_schema import RulesBody
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Rules, Switch, Way
from solvent.proof.certificate import make_certificate

OLDER = ("solvable", "losable")
"""The questions that are asked here; test_questions.py has the others."""


def certificate(dungeon: Dungeon, form: str, **body: Any) -> dict[str, Any]:
    [(question, verdict)] = [(q, v) for (q, known), (v, _) in FORMS.items() if known == form and q in OLDER]
    rules = asdict(dungeon.rules)
    rules["keys"] = [list(key) for key in rules["keys"]]
    rules["items"] = list(rules["items"])
    return make_certificate("dungeon", question, verdict, form, rules=rules, **body)


def found(dungeon: Dungeon, form: str, **body: Any) -> list[str]:
    """Return the violations as whoever asks sees them; malformed data is one."""
    return asking.find_violations(DOMAIN, dungeon, certificate(dungeon, form, **body))


def known(name: str) -> Dungeon:
    return KNOWN[name].dungeon


LOST = dungeon_of("k@LG/.L##")
"""With the wrong lock opened, the other one stays shut."""
LOST_END = {"at": [0, 0, 1], "taken": [0], "opened": [1]}
TWO_ROOMS = dungeon_of("k@L.LG/###k##")
"""A key, a lock, a key, a lock, a goal."""
TWO_ROOMS_STATES = [
    {"at": [0, 0, 1], "taken": [0]},
    {"at": [0, 0, 3], "taken": [0, 1], "opened": [0]},
    {"at": [0, 0, 4], "taken": [0, 1], "opened": [0, 1]},
]
SHUT = dungeon_of("k@L.LG")
SHUT_STATES = [{"at": [0, 0, 1], "taken": [0]}, {"at": [0, 0, 3], "taken": [0], "opened": [0]}]

RIGHT: dict[str, tuple[Dungeon, str, dict[str, Any]]] = {
    "a plan": (known("key and lock"), "plan", {"plan": ["W", "E", "E", "E"]}),
    "a plan by a way": (known("a locked way"), "plan", {"plan": ["W", "E", "E", "0", "E"]}),
    "no moves needed": (known("standing on the goal"), "plan", {"plan": []}),
    "a closed set": (SHUT, "closed set", {"states": SHUT_STATES}),
    "a closed set of one": (known("a wall"), "closed set", {"states": [{"at": [0, 0, 1]}]}),
    "a lost walk": (
        LOST,
        "lost walk",
        {"walk": ["W", "S", "E"], "states": [LOST_END], "rescue": ["N", "E", "E", "E"]},
    ),
    "lost from the start": (
        SHUT,
        "lost walk",
        {"walk": [], "states": SHUT_STATES, "rescue": []},
    ),
    "safe": (TWO_ROOMS, "safe", {"states": TWO_ROOMS_STATES, "ranks": [2, 1, 0]}),
    "safe, step by step": (
        TWO_ROOMS,
        "safe, step by step",
        {
            "states": [
                {"at": [0, 0, 1]},
                *TWO_ROOMS_STATES[:1],
                {"at": [0, 0, 3], "taken": [0], "opened": [0]},
                *TWO_ROOMS_STATES[1:],
            ],
            "ranks": [4, 3, 2, 1, 0],
        },
    ),
    "nothing left to lose": (known("standing on the goal"), "safe", {"states": [], "ranks": []}),
}
"""The lost walk loses at its last move: until then the key is still in hand."""


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_accepted(name: str):
    dungeon, form, body = RIGHT[name]
    assert found(dungeon, form, **body) == []


def test_every_form_is_shown_right_once():
    elsewhere = {"surplus", "within reach", "plan from home"}  # in files of their own
    forms = {form for question, form in FORMS if question in OLDER}
    assert {form for _, form, _ in RIGHT.values()} == forms - elsewhere


# Small changes


def changes(value: Any) -> Iterator[Any]:
    """Yield the value with one thing left out, repeated, swapped or changed, at any depth."""
    if isinstance(value, list):
        for index, part in enumerate(value):
            yield value[:index] + value[index + 1 :]
            yield [*value[: index + 1], *value[index:]]
            for changed in changes(part):
                yield [*value[:index], changed, *value[index + 1 :]]
        if len(value) > 1 and value != value[::-1]:
            yield value[::-1]
    elif isinstance(value, dict):
        for key, part in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            for changed in changes(part):
                yield {**value, key: changed}
    elif isinstance(value, str):
        yield from ("X", "", "99", "-1", "007", "N" * 5000, "9" * 5000)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -1, 1 << 70, None, "0", True, 0.5)


def meaning(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body without what may be said in several ways: the order of situations, and where in a region one is."""
    states = [{part: value for part, value in state.items() if part != "at"} for state in body.get("states", ())]
    return {**body, "states": sorted(states, key=str), "ranks": len(body.get("ranks", ()))}


@pytest.mark.parametrize("name", RIGHT)
def test_each_small_change_is_rejected(name: str):
    dungeon, form, body = RIGHT[name]
    tried = 0
    for changed in changes(body):
        if changed != body and not found(dungeon, form, **changed):
            assert meaning(changed) == meaning(body)
        tried += 1
    assert tried >= len(body)


@pytest.mark.parametrize("name", RIGHT)
def test_a_certificate_is_for_one_question_verdict_and_form(name: str):
    dungeon, form, body = RIGHT[name]
    right = certificate(dungeon, form, **body)
    opposite = {"YES": "NO", "NO": "YES"}[right["verdict"]]
    other = {"solvable": "losable", "losable": "solvable"}[right["question"]]
    assert violations(dungeon, {**right, "verdict": opposite}) != []
    assert violations(dungeon, {**right, "question": other}) != []
    assert violations(dungeon, {**right, "form": "oracle"}) != []


def test_rules_are_compared_one_by_one():
    assert set(RulesBody.__struct_fields__) == {field.name for field in fields(Rules)}
    dungeon = known("key and lock")
    right = certificate(dungeon, "plan", plan=["W", "E", "E", "E"])
    other = replace(dungeon, rules=Rules(bombs=None, keys=(("red", 2),), items=("torch",)))
    assert violations(other, right) == [
        "made under other rules: keys=(), the dungeon has keys=(('red', 2),)",
        "made under other rules: bombs=0, the dungeon has bombs=None",
        "made under other rules: items=(), the dungeon has items=('torch',)",
    ]
    came_later = {"blocks", "home", "collect", "accessibility"}  # older certificates do not have them
    for key in right["rules"]:
        without = {name: value for name, value in right["rules"].items() if name != key}
        faults = asking.find_violations(DOMAIN, dungeon, {**right, "rules": without})
        assert bool(faults) == (key not in came_later)
    returning = replace(dungeon, rules=Rules(home="always"))
    older = {name: value for name, value in right["rules"].items() if name not in came_later}
    assert violations(returning, {**right, "rules": older}) == [
        "made under other rules: home='never', the dungeon has home='always'"
    ]
    assert asking.find_violations(DOMAIN, dungeon, {**right, "rules": {**right["rules"], "lives": 3}})


# Words


@pytest.mark.parametrize(
    ("dungeon", "plan", "words"),
    [
        (dungeon_of("@LG"), "E", "move 1, E at row 0, column 0: the door is locked and there is no key"),
        (known("colours do not mix"), "WEE", "move 3, E at row 0, column 1: the door is locked and there is no key"),
        (known("the wrong lock"), "N", "move 1, N at row 0, column 1: there is nothing"),
        (known("a wall"), "EE", "move 2, E at row 0, column 1: there is a wall"),
        (
            known("a corridor"),
            "EEEW",
            "move 4, W at row 0, column 3: the game is over, for the player stands on a goal",
        ),
        (known("a corridor"), "E", "the moves end at row 0, column 1, which is no goal"),
        (known("one bomb a pickup"), "WEEE", "move 4, E at row 0, column 2: the wall is cracked and there is no bomb"),
        (known("a torch"), "E", "move 1, E at row 0, column 1: the gate needs torch"),
        (known("water"), "E", "move 1, E at row 0, column 1: there is water, and no ladder to cross it"),
        (known("water too wide to leap"), "WEE", "move 3, E at row 0, column 1: the water is too wide for the ladder"),
        (known("a dead end one way"), "WE", "move 2, E at row 0, column 1: the tile is one-way and only leads W"),
        (known("a lever that shuts"), "EE", "move 2, E at row 0, column 1: the barrier of the switch 'lever' is shut"),
        (
            known("monsters do not let out"),
            "EEE",
            "move 3, E at row 0, column 2: the soft-locked door stays shut while there are monsters in 'den'",
        ),
        (known("a door shuts behind"), "EEW", "move 3, W at row 0, column 3: the soft-locked door has fallen shut"),
        (known("a block in the way"), "EE", "move 2, E at row 0, column 1: a block rests there"),
        (
            known("a block that never moves"),
            "E",
            "move 1, E at row 0, column 0: there is a block, and blocks cannot be pushed",
        ),
        (dungeon_of("@oG"), "E", "move 1, E at row 0, column 0: there is a block, and no bare floor behind it"),
        (known("stairs"), "7", "move 1, 7 at row 0, column 0 of floor 0: there is no such way, only 2 of them"),
        (
            known("stairs"),
            "0",
            "move 1, 0 at row 0, column 0 of floor 0: this way begins at row 0, column 1 of floor 0",
        ),
        (
            known("stairs"),
            "?",
            "move 1, '?' at row 0, column 0 of floor 0: "
            "expected N, E, S, W, the number of a way, u and the number of a lever, or r",
        ),
    ],
)
def test_a_broken_rule_is_said_in_words(dungeon: Dungeon, plan: str, words: str):
    assert found(dungeon, "plan", plan=list(plan)) == [words]


def test_names_of_gates_and_floors_are_used():
    dungeon = Dungeon(
        floors=(Floor("crypt", ("...",)),),
        start=(0, 0, 0),
        goals=((0, 0, 2),),
        gates=(Gate("lock", ("red",), ((0, 0, 1),), name="iron door"),),
    )
    assert found(dungeon, "plan", plan=["E"]) == [
        "move 1, E at row 0, column 0 of crypt: the door 'iron door' is locked and there is no red key"
    ]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"at": [1, 0, 0]}, "a player cannot stand at (1, 0, 0)"),
        ({"at": [0, 0, -1]}, "a player cannot stand at (0, 0, -1)"),
        ({"at": [0, 0, 5]}, "a player cannot stand at (0, 0, 5)"),
        ({"at": [0, 0, 1], "taken": [9]}, "taken lists 9, which is not there or does not matter"),
        ({"at": [0, 0, 1], "taken": [0, 0]}, "taken is not sorted, or lists 0 twice"),
        ({"at": [0, 0, 1], "taken": [0], "opened": [1, 0]}, "opened is not sorted, or lists 0 twice"),
        (
            {"at": [0, 0, 1], "taken": [0], "items": ["rope"]},
            "items lists 'rope', which is not there or does not matter",
        ),
        ({"at": [0, 0, 1], "taken": [0], "on": ["lever"]}, "on lists 'lever', which is not there or does not matter"),
        ({"at": [0, 0, 1], "taken": [0], "moved": [[0, "E"]]}, "moved lists 0, which is not there or does not matter"),
        ({"at": [0, 0, 1], "taken": [0], "fallen": [0]}, "fallen lists 0, which is not there or does not matter"),
    ],
)
def test_a_bad_situation_is_said_in_words(body: dict[str, Any], words: str):
    assert found(SHUT, "closed set", states=[*SHUT_STATES, body]) == [f"situation 2: {words}"]


def test_what_is_wrong_with_a_set_is_said_in_words():
    assert found(SHUT, "closed set", states=[{"at": [0, 0, 1]}]) == [
        "situation 0 leaves something that is within reach"
    ]
    assert found(SHUT, "closed set", states=[*SHUT_STATES, {**SHUT_STATES[0], "at": [0, 0, 0]}]) == [
        "situation 2 is said twice"
    ]
    assert found(SHUT, "closed set", states=SHUT_STATES[1:]) == [
        "no situation holds the state the set is to begin with, at row 0, column 1"
    ]
    assert found(SHUT, "closed set", states=SHUT_STATES[:1]) == [
        "situation 0: E at row 0, column 1 leads out of the set"
    ]
    assert found(TWO_ROOMS, "closed set", states=TWO_ROOMS_STATES) == [
        "situation 2: E at row 0, column 4 ends on a goal"
    ]


def test_what_is_wrong_with_ranks_is_said_in_words():
    for ranks, words in (
        ([2, 1, 1], "situation 2: its rank is 1, but no move leads to a smaller one"),
        ([2, 0, 0], "situation 1: its rank is 0, but no move ends on a goal"),
        ([2, 1, -1], "situation 2: -1 is no rank"),
        ([2, 1], "expected a rank for each of 3 situations, found 2 ranks"),
    ):
        assert found(TWO_ROOMS, "safe", states=TWO_ROOMS_STATES, ranks=ranks)[-1] == words


def test_no_more_violations_are_listed_than_anybody_reads():
    words = found(SHUT, "closed set", states=[{"at": [0, 0, 1]}] * 500)
    assert len(words) < 50
    assert words[-1] == "and more"


# What one can step back from, and has lost something all the same


@pytest.mark.parametrize(
    ("name", "states"),
    [
        (
            "past the lever without the key",
            [
                {"at": [0, 0, 0], "taken": [0]},
                {"at": [0, 0, 1], "taken": [0], "on": ["lever"]},
                {"at": [0, 0, 4], "taken": [0], "on": ["lever"]},
                {"at": [0, 0, 5], "taken": [0], "opened": [1], "on": ["lever"]},
            ],
        ),
        ("a drop past the key", [{"at": [0, 0, 1], "taken": [0]}]),
    ],
)
def test_what_can_be_left_behind_for_good_is_not_safe(name: str, states: list[dict[str, Any]]):
    words = found(known(name), "safe", states=states, ranks=[3, 2, 1, 0][-len(states) :])
    assert words != []


def test_the_thorough_do_not_leave_things_behind():
    thorough = known("a drop past the key, for the thorough")
    states = [
        {"at": [0, 0, 1], "taken": [0]},
        {"at": [0, 1, 2], "taken": [0]},
        {"at": [0, 2, 2], "taken": [0]},
        {"at": [0, 2, 1], "taken": [0], "opened": [0]},
    ]
    assert found(thorough, "safe", states=states, ranks=[3, 2, 1, 0]) == []
    lost = {"at": [0, 1, 2]}, {"at": [0, 2, 2]}
    anybody = replace(thorough, rules=Rules())
    walk = {"walk": ["E", "S"], "states": list(lost), "rescue": ["W", "W", "E", "E", "S", "S", "W", "W"]}
    assert found(anybody, "lost walk", **walk) == []
    assert found(thorough, "lost walk", **walk) == [
        "the walk: move 2 at row 0, column 2 leaves something behind that a thorough player would take"
    ]
    words = found(anybody, "safe", states=states, ranks=[3, 2, 1, 0])
    assert words == ["situation 0: S at row 0, column 2 may leave something behind, and what then is not in the list"]


def test_what_is_left_behind_may_be_listed():
    """With a key in hand nobody needs those before the drop; the list then says what is below, whichever are left."""
    without = dungeon_of("kk@./###v/#GL.")
    carried = replace(without, rules=Rules(keys=(("", 1),)))
    above: list[dict[str, Any]] = [{"at": [0, 0, 2], "taken": [0, 1]}]

    def below(taken: list[int]) -> list[dict[str, Any]]:
        places: list[dict[str, Any]] = [{"at": [0, 1, 3]}, {"at": [0, 2, 3]}, {"at": [0, 2, 2], "opened": [0]}]
        return [{**place, "taken": taken} for place in places]

    both = above + below([0, 1])
    everything = both + below([0]) + below([1]) + below([])
    ranks = [3, *[2, 1, 0] * 4]
    assert found(carried, "safe", states=everything, ranks=ranks) == []
    assert found(carried, "safe", states=both, ranks=ranks[:4]) == [
        "situation 0: S at row 0, column 3 may leave something behind, and what then is not in the list"
    ]
    assert found(without, "safe", states=everything, ranks=ranks) != []
    assert found(without, "safe", states=everything[:-1], ranks=ranks[:-1]) == [
        "situation 11: its rank is 1, but no move leads to a smaller one"
    ]


def test_a_door_that_lets_in_but_not_out_may_leave_a_monster_behind():
    """The monster is beaten from outside; whoever goes in first stays in."""
    dungeon = dungeon_of("G@../#S#./#.#m", rooms={"den": ((0, 2, 0), 1, 4)})
    assert found(dungeon, "safe", states=[{"at": [0, 0, 1], "taken": [0]}], ranks=[0]) == [
        "situation 0: S at row 1, column 1 may leave something behind, and what then is not in the list"
    ]
    walk = {"walk": ["S", "S"], "states": [{"at": [0, 2, 1]}], "rescue": ["N", "W"]}
    assert found(dungeon, "lost walk", **walk) == []


def test_a_situation_that_holds_less_is_another():
    dungeon = known("a drop past the key")
    states = [{"at": [0, 0, 1], "taken": [0]}, {"at": [0, 1, 2]}, {"at": [0, 2, 2]}]
    assert found(dungeon, "closed set", states=states) == ["situation 0: S at row 0, column 2 leads out of the set"]
    assert found(dungeon, "safe", states=states, ranks=[2, 1, 0])[0] == (
        "situation 0: S at row 0, column 2 leads out of the list"
    )


def test_who_stands_in_water_holds_the_ladder():
    dungeon = dungeon_of("l@~G/..~.")
    states = [{"at": [0, 0, 1], "items": ["ladder"]}]
    assert found(dungeon, "safe", states=states, ranks=[0]) == []


def test_items_carried_are_held_in_every_situation():
    dungeon = dungeon_of("@T.LG", rules=Rules(items=("torch",)))
    assert found(dungeon, "closed set", states=[{"at": [0, 0, 0], "items": ["torch"]}]) == []
    words = ["situation 0: 'torch' is held from the beginning, but not here"]
    assert found(dungeon, "closed set", states=[{"at": [0, 0, 0]}]) == words


# Dungeons that are none


@pytest.mark.parametrize(
    "spoilt",
    [
        {"floors": (Floor("", ("...", "..")),)},
        {"floors": (Floor("", ("..?",)),)},
        {"start": (0, 0, 9)},
        {"start": (3, 0, 0)},
        {"goals": ((0, 1, 0),)},
        {"pickups": (Pickup((0, 0, 1), "key", "", -1),)},
        {"blocks": (Block((0, 0, 1)), Block((0, 0, 1)))},
        {"blocks": (Block((0, 0, 0)),)},
        {"gates": (Gate("lock", ("",), ((0, 0, 1),)), Gate("cracked", (), ((0, 0, 1),)))},
        {"gates": (Gate("lock"),)},
        {"gates": (Gate("soft", ("den",)),)},
        {"gates": (Gate("riddle"),)},
        {"ways": (Way((0, 0, 0), (0, 0, 1), gate=0),)},
        {"switches": (Switch((0, 0, 1), "lever"), Switch((0, 0, 1), "lever"))},
        {"rules": Rules(bombs_per_pickup=-1)},
    ],
)
def test_a_dungeon_the_rules_do_not_speak_of_is_never_accepted(spoilt: dict[str, Any]):
    dungeon = Dungeon(floors=(Floor("", ("...",)),), start=(0, 0, 0), goals=((0, 0, 2),))
    assert found(dungeon, "plan", plan=["E", "E"]) == []
    words = found(replace(dungeon, **spoilt), "plan", plan=["E", "E"])
    assert words
    assert all(word.startswith("the dungeon is not one: ") for word in words)


def test_moves_played_that_cannot_be_are_a_violation():
    dungeon = Dungeon(floors=(Floor("", ("...",)),), start=(0, 0, 0), goals=((0, 0, 2),), played=("E", "N"))
    for form, body in (("plan", {"plan": ["E"]}), ("closed set", {"states": []})):
        assert found(dungeon, form, **body) == [
            "the moves played so far cannot be played: move 2, N at row 0, column 1: there is nothing"
        ]
