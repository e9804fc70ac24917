"""What a certificate holds, in words: short lines, moves that can be read back."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon
from helpers.examples import load_example
from solvent.dungeon.describe_certificate import WIDTH, describe_certificate, format_run
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.events import parse_run
from solvent.dungeon.model import AnyOf, Dungeon, Floor, Have, Pickup, Rules, Way

EXAMPLES = {example.name: example for example in DOMAIN.examples()}


def told(dungeon: Dungeon, question: str, **options) -> list[str]:
    """Return what is said about the certificate of an answer."""
    certificate = solvent.ask(dungeon, question, **options).certificate
    assert certificate is not None
    return describe_certificate(dungeon, certificate)


example = partial(load_example, "dungeon")


def moves_in(lines: list[str]) -> list[str]:
    """Read the moves of numbered lines back; lines that go on are joined before."""
    text = "\n".join(lines)
    text = re.sub(r"\n +(?=[^ \d]|\d+ |\d+$)", " ", text)
    return [move for run in re.findall(r"^ +\d+\. ([NESW\d ]+)", text, re.MULTILINE) for move in parse_run(run)]


class TestPlan:
    def test_a_line_for_each_event(self):
        assert told(example("red_and_blue"), "solvable") == [
            "The plan, 24 moves:",
            "  1. EEESS: take the red key",
            "  2. NNEE: open the red lock",
            "  3. EEEESS: take the blue key",
            "  4. NNEE: open the blue lock",
            "  5. EEEEE: reach the goal",
        ]

    def test_rooms_are_named(self):
        assert "  1. EEEEENEE: beat a monster (den)" in told(example("the_den"), "solvable")

    def test_nothing_to_do(self):
        assert told(KNOWN["standing on the goal"].dungeon, "solvable") == ["The goal is reached already."]

    def test_the_moves_can_be_read_back(self):
        looked = 0
        for seed in range(80):
            certificate = solvent.ask(random_dungeon(seed)).certificate
            assert certificate is not None
            if certificate["form"] == "plan":
                looked += bool(certificate["plan"])
                assert moves_in(describe_certificate(random_dungeon(seed), certificate)) == certificate["plan"]
        assert looked > 20

    def test_a_long_walk_is_broken_into_lines(self):
        corridor = "/".join("@" + "." * 98 if row == 0 else "." * 98 + "G" for row in range(2))
        certificate = solvent.ask(dungeon_of(corridor)).certificate
        assert certificate is not None
        lines = describe_certificate(dungeon_of(corridor), certificate)
        assert len(lines) > 2
        assert max(map(len, lines)) <= WIDTH
        assert moves_in(lines) == certificate["plan"]


class TestLoss:
    def test_the_walk_and_the_moment_of_no_return(self):
        lines = told(example("the_wrong_door"), "losable")
        assert lines[:3] == ["A walk that loses, 4 moves:", "  1. S: take a key", "  2. NWW: open a lock"]
        text = " ".join(lines)
        assert "The last move, W from row 2, column 7, is the moment of no return. Before it, 10 moves" in text
        assert "EEEEEESSSS" in text
        assert lines[-1] == "Still closed: a lock at row 2, column 10."

    def test_a_step_without_an_event_can_be_the_last(self):
        assert "  1. EEESSS: no way back" in told(example("the_ledge"), "losable")

    def test_lost_already(self):
        lines = told(example("too_late"), "losable")
        assert lines[0] == "It is lost already: the goal cannot be reached from here."
        assert lines[1] == "Still closed: a lock at row 4, column 6."

    def test_gates_on_ways_are_named_by_their_ends(self):
        dungeon = example("rooms_on_paper")
        assert told(dungeon, "losable")[-1].endswith("Still closed: a lock from Courtyard to Chapel.")


class TestProofs:
    def test_a_closed_set(self):
        assert told(example("one_bomb_short"), "solvable") == [
            "2 situations are possible, and no move from any of them reaches a goal.",
            "Still closed: a cracked wall at row 2, column 11.",
        ]

    def test_what_never_appears(self):
        gem = Pickup((0, 0, 1), "item", "gem", rule=AnyOf(()))
        dungeon = Dungeon((Floor("", ("...",)),), (0, 0, 0), ((0, 0, 2),), pickups=(gem,))
        assert told(dungeon, "accessible")[-1] == "The gem at row 0, column 1 never appears."
        asking = replace(gem, rule=Have("item", "bow"))
        lines = " ".join(told(replace(dungeon, pickups=(asking,)), "accessible"))
        assert lines.endswith("is never there when you are: it needs the bow.")
        assert "Still closed" not in lines
        assert "*" not in lines

    def test_a_closed_set_of_one(self):
        lines = told(KNOWN["a wall"].dungeon, "solvable")
        assert lines == ["Only one situation is possible, and no move from it reaches a goal."]

    def test_safe(self):
        assert " ".join(told(example("two_plates"), "losable")) == (
            "From each of the 10 situations a player can get into, a way leads to the goal. "
            "It passes through at most 6 others."
        )

    def test_surplus(self):
        (first, *_) = describe_certificate(example("first_door"), {"question": "losable", "form": "surplus"})
        assert first.startswith("Every move can be undone")

    def test_safe_from_the_goal(self):
        assert told(KNOWN["standing on the goal"].dungeon, "losable") == [
            "The goal is reached already: there is nothing to lose."
        ]

    def test_safe_step_by_step_says_so(self):
        for seed in range(300):
            certificate = solvent.ask(random_dungeon(seed), "losable").certificate
            assert certificate is not None
            if certificate["form"] == "safe, step by step" and len(certificate["states"]) > 1:
                assert " ".join(describe_certificate(random_dungeon(seed), certificate)).endswith("a move of its own.")
                return
        pytest.fail("no such dungeon among them")


@pytest.mark.parametrize("question", ["solvable", "losable"])
def test_every_line_fits(question: str):
    for dungeon in (*map(example, EXAMPLES), *map(random_dungeon, range(100))):
        lines = told(dungeon, question)
        assert lines
        assert max(map(len, lines)) <= WIDTH
        assert not any(line != line.rstrip() for line in lines)


class TestRuns:
    @pytest.mark.parametrize(
        "moves",
        [[], ["N"], list("EEES"), ["12", "N", "3", "4"], list("E" * 200), list("EESSEENN" * 30), ["0"] * 50],
    )
    def test_a_run_can_be_read_back(self, moves: list[str]):
        assert parse_run(format_run(moves)) == moves

    def test_it_is_broken_where_the_direction_changes(self):
        assert format_run(list("E" * 20 + "S" * 20)) == "E" * 20 + " " + "S" * 20

    def test_numbers_stand_apart(self):
        assert format_run(["E", "E", "12", "3", "N"]) == "EE 12 3 N"


def test_ways_by_number_are_told():
    dungeon = dungeon_of("k@.", ".G", ways=(Way((0, 0, 2), (1, 0, 0)),), rules=Rules())
    assert "E 0 E" in told(dungeon, "solvable")[1]
