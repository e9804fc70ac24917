"""Explanations: spheres, what can never be reached, what if keys were no issue, and how budgets cut them short."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from torture.judges.dungeon import all_states, first_state

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from helpers.depth import up_to
from helpers.examples import load_example
from helpers.marks import slow
from solvent.core.budget import UNLIMITED, Budget, Cancellation
from solvent.core.domain import Request
from solvent.core.explanation import Explanation
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.explaining import explain
from solvent.dungeon.model import Dungeon, Gate, Rules, Way

HEADINGS = [
    "In short",
    "Why",
    "Spheres",
    "What can be had",
    "Never reachable",
    "If keys were no issue",
    "Points of interest",
    "Fixes",
]


def explained(dungeon: Dungeon, **limits: Any) -> Explanation:
    """Explain, and have every certificate checked."""
    explanation = explain(dungeon, Request("solvable", Budget(**limits)))
    for problem, certificate in explanation.certificates:
        assert DOMAIN.check(problem, certificate, UNLIMITED) == []
    return explanation


example = partial(load_example, "dungeon")


def section(explanation: Explanation, heading: str) -> list[str]:
    return list(dict(explanation.sections)[heading])


def test_the_domain_explains():
    assert DOMAIN.explain is not None
    explanation = DOMAIN.explain(example("first_door"), Request("losable"))
    assert [heading for heading, _ in explanation.sections] == HEADINGS
    assert all(lines for _, lines in explanation.sections)


class TestSpheres:
    def test_one_after_the_other(self):
        assert section(explained(example("red_and_blue")), "Spheres") == [
            "Sphere 0 (at once): area 1 (from row 1, column 1); finds the red key at row 3, column 4.",
            "Sphere 1 (opening the red lock): area 2 (from row 1, column 7); finds the blue key at row 3, column 10.",
            "Sphere 2 (opening the blue lock): area 3 (from row 1, column 13); finds the goal at row 1, column 17.",
        ]

    def test_items_and_named_gates(self):
        assert section(explained(example("across_the_moat")), "Spheres") == [
            "Sphere 0 (at once): area 1 (from row 1, column 1); finds the ladder at row 4, column 3.",
            "Sphere 1 (with ladder): area 2 (from row 2, column 12); finds the boss key at row 3, column 13.",
            "Sphere 2 (opening throne room): area 3 (from row 7, column 10); finds the goal at row 8, column 17.",
        ]

    def test_too_few_keys_for_the_locks_in_reach(self):
        explanation = explained(example("rooms_on_paper"))
        assert section(explanation, "Spheres") == [
            "Sphere 0 (at once): Gatehouse, Courtyard; finds a key in Courtyard.",
            "Keys so far: 1, locks in reach: 2: you choose which to open.",
            "Sphere 1 (opening a lock (2 of them), as you choose): Chapel, Crypt, Armoury; finds a key in Crypt.",
            "Keys so far: 2, locks in reach: 3: you choose which to open.",
            "Sphere 2 (opening golden door, as you choose): Treasury; finds the goal in Treasury.",
            "As you choose: some play gets to each part of these spheres, but one play may not get to all.",
        ]
        assert [sphere["certain"] for sphere in explanation.data["spheres"]] == [True, False, False]
        assert explanation.data["spheres"][1]["short"] == [{"of": "key", "so_far": 1, "gates": 2}]

    def test_a_choice_by_which_nothing_is_lost(self):
        lines = section(explained(dungeon_of("##k##/##L##/#k@##/##L##/##kG#")), "Spheres")
        assert lines[1] == "Keys so far: 1, locks in reach: 2: you choose which to open first, and no choice loses."
        assert lines[2].startswith("Sphere 1 (opening a lock (2 of them)): ")

    def test_switches_lead_on_and_monsters_do_not_count(self):
        lines = section(explained(example("two_plates")), "Spheres")
        assert lines[1].startswith("Sphere 1 (with portcullis): ")
        assert len(section(explained(example("the_den")), "Spheres")) == 1

    def test_what_is_in_hand_and_open_by_now_counts(self):
        dungeon = dungeon_of("k@LrRG", played="WEE")
        assert section(explained(dungeon), "Spheres")[0] == (
            "Sphere 0 (at once): area 1 (from row 0, column 0), area 2 (from row 0, column 3); "
            "finds the red key at row 0, column 3."
        )

    @pytest.mark.parametrize("seeds", [range(50), *slow([range(50, 150)])], ids=str)
    def test_together_they_are_what_can_be_reached(self, seeds: range):
        """Every tile that the twin stands on is in one sphere, and no other."""
        from solvent.dungeon.explaining import make_questions
        from solvent.dungeon.explaining.land import look_at
        from solvent.dungeon.explaining.passages import Passages
        from solvent.dungeon.explaining.reach import explore_reach
        from solvent.dungeon.explaining.spheres import cells_of, find_spheres
        from solvent.dungeon.solver.flags import chosen

        several = 0
        for seed in seeds:
            dungeon = random_dungeon(seed)
            if random_truth(seed).plan == 0:
                continue
            land = look_at(dungeon)
            reach = explore_reach(land, make_questions(Request("solvable")))
            assert reach.exact
            spheres = find_spheres(Passages(land), reach.areas, reach.never_missed)
            cells = [cell for sphere in spheres for cell in chosen(cells_of(land, sphere.areas))]
            assert len(cells) == len(set(cells))
            places = {state.place for state in all_states(dungeon)}
            assert {land.ground.place(cell) for cell in cells} == places, seed
            assert places <= {land.ground.place(cell) for cell in chosen(reach.at_most)}
            several += len(spheres) > 2
        assert several > 5


class TestNeverReachable:
    def test_a_treasure_nobody_needs(self):
        explanation = explained(example("the_walled_up_harp"))
        assert section(explanation, "Never reachable") == [
            "The golden harp at row 2, column 13, area 3 (from row 1, column 11): walls all around."
        ]
        assert explanation.data["never_reachable"][0]["gates"] == []

    @pytest.mark.parametrize(
        ("dungeon", "words"),
        [
            (dungeon_of("#@ G#"), "gaps all around."),
            (dungeon_of("@.", ".G"), "no way leads from floor 0 to floor 1."),
            (dungeon_of("#@o.G#"), "a block at row 0, column 2."),
        ],
    )
    def test_what_is_around(self, dungeon: Dungeon, words: str):
        (line,) = section(explained(dungeon), "Never reachable")
        assert line.endswith(f": {words}")

    def test_nothing_to_try(self):
        (line,) = section(explained(dungeon_of("@.", ".G")), "Fixes")
        assert line == "No change that is known here can be made to it, so none was tried."

    def test_the_gate_in_the_way(self):
        explanation = explained(example("the_lamp_in_the_dark"))
        (part,) = explanation.data["never_reachable"]
        assert part["missing"] == ["lamp"]
        assert part["because"] == ["dark arch at row 2, column 6, and no lamp within reach"]

    def test_only_what_can_truly_not_be_reached(self):
        """Both rooms can be reached, though not by one player."""
        assert section(explained(example("the_wrong_door")), "Never reachable") == [
            "Nothing: every place and thing can be reached."
        ]

    def test_one_of_two_is_not_both(self):
        """The goal needs what lies behind two locks: each can be opened, but not both."""
        gates = (Gate("item", ("ladder", "torch"), ((0, 1, 3),)),)
        dungeon = dungeon_of("tLk@Ll/###.##/###G##", gates=gates)
        explanation = explained(dungeon)
        assert explanation.data["solvable"] == "NO"
        assert section(explanation, "Never reachable") == [
            "The goal at row 2, column 3, area 4 (from row 2, column 3): "
            "the gate for ladder and torch at row 1, column 3."
        ]

    def test_behind_the_goal_the_game_is_over(self):
        assert section(explained(dungeon_of("@Gt")), "Never reachable") == [
            "The torch at row 0, column 2, more of area 1 (from row 0, column 0): "
            "the goal at row 0, column 1, where the game ends."
        ]

    @pytest.mark.parametrize("seeds", [range(20), *slow([range(20, 80)])], ids=str)
    def test_things_against_the_twin(self, seeds: range):
        hidden = 0
        for seed in seeds:
            dungeon = random_dungeon(seed)
            if random_truth(seed).plan == 0:
                continue
            places = {state.place for state in all_states(dungeon)}
            data = explained_data(dungeon)
            told = [tuple(thing["at"]) for part in data["never_reachable"] for thing in part["things"]]
            taken = first_state(dungeon).taken
            lying = [pickup for number, pickup in enumerate(dungeon.pickups) if number not in taken]
            things = {pickup.place for pickup in lying if pickup.kind != "monster"}
            things |= {switch.place for switch in dungeon.switches} | set(dungeon.goals)
            found = {tuple(thing["at"]) for sphere in data["spheres"] for thing in sphere["things"]}
            assert found <= places
            assert not set(told) & places, seed
            assert things - places == set(told), seed
            hidden += len(told)
        assert hidden > 12


def explained_data(dungeon: Dungeon) -> dict[str, Any]:
    return dict(explain(dungeon, Request("solvable")).data)


class TestIfKeysWereNoIssue:
    def test_what_else_would_be_within_reach(self):
        explanation = explained(example("one_bomb_short"))
        assert section(explanation, "If keys were no issue") == [
            "It could be finished.",
            "It could not be lost.",
            "Then also within reach: the goal at row 2, column 15, area 3 (from row 1, column 12).",
        ]

    def test_nothing_to_count(self):
        assert section(explained(example("the_crate")), "If keys were no issue") == [
            "No lock takes a key and no wall takes a bomb, so nothing changes."
        ]

    def test_the_answers_are_those_under_the_other_rules(self):
        asked = 0
        for seed in range(up_to(20, deep=60)):
            dungeon = random_dungeon(seed)
            if random_truth(seed).plan == 0:
                continue
            data = explained_data(dungeon)["if_keys_were_no_issue"]
            if data:
                free = DOMAIN.rules.apply(dungeon, {"keys_counted": False, "bombs": "unlimited"})
                for question in ("solvable", "losable"):
                    assert data[question] == solvent.ask(free, question).verdict.value, seed
                asked += 1
        assert asked > 4


class TestBudgets:
    def test_nothing_is_claimed_without_having_been_looked_at(self):
        for seed in range(up_to(15, deep=40)):
            for nodes in (0, 1, 5, 30):
                dungeon, known = random_dungeon(seed), random_truth(seed)
                if known.plan == 0:
                    continue
                data = explained(dungeon, nodes=nodes).data
                assert data["solvable"] in ("UNKNOWN", "NO" if known.plan is None else "YES")
                assert data["losable"] in ("UNKNOWN", "NO" if known.lost is None else "YES")
                places = {state.place for state in all_states(dungeon)}
                for part in data["never_reachable"]:
                    assert not {tuple(thing["at"]) for thing in part["things"]} & places

    def test_it_says_where_it_stopped(self):
        explanation = explained(example("the_wrong_door"), nodes=0)
        assert section(explanation, "In short") == [
            "Whether it can be finished is not known: out of nodes (limit 0).",
            "Whether it can be lost is not known: out of nodes (limit 0).",
        ]
        assert section(explanation, "Fixes") == ["Whether there is something to fix is not known."]
        last = [section(explained(example("the_wrong_door"), nodes=nodes), "Fixes")[-1] for nodes in range(12, 40, 2)]
        assert sum(line.startswith("Stopped after ") and "out of nodes" in line for line in last) > 2

    def test_who_cancels_is_heard(self):
        cancellation = Cancellation()
        cancellation.cancel()
        explanation = explained(example("the_wrong_door"), cancellation=cancellation)
        assert "cancelled" in " ".join(section(explanation, "In short"))


def test_on_the_goal_there_is_nothing_to_say():
    explanation = explained(KNOWN["standing on the goal"].dungeon)
    assert explanation.sections == (("In short", ("The goal is reached: the game is over.",)),)


def test_the_same_dungeon_has_the_same_explanation():
    for seed in range(12):
        assert explain(random_dungeon(seed), Request("solvable")) == explain(random_dungeon(seed), Request("solvable"))


def test_keys_in_rooms_of_a_single_tile():
    dungeon = dungeon_of(
        "@", "G", ways=(Way((0, 0, 0), (1, 0, 0), "door", 0),), gates=(Gate("lock", ("",)),), rules=Rules()
    )
    assert section(explained(dungeon), "Fixes")[1:] == [
        "1. Put a key in floor 0; then it cannot be lost.",
        "2. Take away the lock from floor 0 to floor 1; then it cannot be lost.",
    ]


@pytest.mark.corpus
def test_a_large_dungeon(corpora: Path):
    path = corpora / "vglc-zelda" / "Processed" / "tloz6_1.txt"
    if not path.is_file():
        pytest.skip(f"no {path}")
    explanation = explained(solvent.load(path))
    assert (explanation.data["solvable"], explanation.data["losable"]) == ("YES", "YES")
    assert explanation.data["exact"]
    assert explanation.data["fixes"]
