"""Fixes: each keeps its promise, and none is larger than it must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from helpers.depth import up_to
from helpers.examples import load_example
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.domain import Request
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.explaining import explain
from solvent.dungeon.explaining.changes import Change, change_dungeon, same_move
from solvent.dungeon.model import FLOOR, ONE_WAYS, STEPS, Dungeon, Gate, Rules, Way

example = partial(load_example, "dungeon")


def fixes_of(dungeon: Dungeon) -> list[dict[str, Any]]:
    """Return the fixes, once each has been found to do what it promises."""
    explanation = explain(dungeon, Request("solvable"))
    for problem, certificate in explanation.certificates:
        assert DOMAIN.check(problem, certificate, UNLIMITED) == []
    proved = {(problem, proof["question"], proof["verdict"]) for problem, proof in explanation.certificates}
    for fix in explanation.data["fixes"]:
        fixed = DOMAIN.parse(fix["text"])
        assert fixed != dungeon
        assert (fixed, fix["question"], fix["verdict"]) in proved
        assert solvent.ask(fixed, fix["question"]).verdict.value == fix["verdict"]
        if fix["losable"] != "UNKNOWN":
            assert solvent.ask(fixed, "losable").verdict.value == fix["losable"]
    return list(explanation.data["fixes"])


def words_of(dungeon: Dungeon) -> list[str]:
    return [fix["words"] for fix in fixes_of(dungeon)]


EXPECTED = {
    "the_wrong_door": [
        "put a key in area 3 (from row 2, column 7), at row 4, column 8",
        "put a key in area 1 (from row 1, column 1), at row 2, column 3",
        "take away the lock at row 2, column 6",
        "take away the lock at row 2, column 10",
    ],
    "the_ledge": [
        "put a key in area 2 (from row 5, column 1), at row 6, column 4",
        "make the 2 one-way tiles at row 4, column 4 (leading south) two-way",
        "take away the lock at row 6, column 8",
    ],
    "one_bomb_short": [
        "put a bomb in area 1 (from row 1, column 1), at row 2, column 4",
        "put a bomb in area 2 (from row 1, column 8), at row 2, column 9",
        "take away the cracked wall at row 2, column 7",
        "take away the cracked wall at row 2, column 11",
    ],
    "the_crate": ["take away the block at row 2, column 5"],
    "the_lamp_in_the_dark": [
        "put the lamp in area 1 (from row 1, column 1), at row 2, column 3",
        "take away dark arch at row 2, column 6",
    ],
    "falling_doors": [
        "take away east door at row 2, column 6 and take away south door at row 4, column 3",
        "take away east door at row 2, column 6 and take away trapdoor at row 4, column 8",
        "take away south door at row 4, column 3 and take away trapdoor at row 4, column 8",
    ],
    "too_late": [
        "put a key in area 1 (from row 1, column 1), at row 1, column 3",
        "take away the lock at row 2, column 6",
        "take away the lock at row 4, column 6",
    ],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_examples(name: str):
    assert words_of(example(name)) == EXPECTED[name]


def test_nothing_to_fix():
    for each in DOMAIN.examples():
        if each.expected == {"solvable": Verdict.YES, "losable": Verdict.NO}:
            explanation = explain(DOMAIN.parse(each.text), Request("solvable"))
            lines = dict(explanation.sections)["Fixes"]
            assert lines == ("Nothing to fix: it can be finished, and it cannot be lost.",)
            assert explanation.data["fixes"] == []


class TestKinds:
    def test_walls(self):
        assert words_of(dungeon_of("@.#G")) == [
            "lay floor at row 0, column 2, between area 1 (from row 0, column 0) and area 2 (from row 0, column 3)"
        ]

    def test_a_one_way_way(self):
        dungeon = dungeon_of("G@.", "..", ways=(Way((0, 0, 2), (1, 0, 0), "stairs"),))
        assert "let the stairs from floor 0, row 0, column 2 to floor 1, row 0, column 0 lead back as well" in words_of(
            dungeon
        )

    def test_two_keys(self):
        assert (
            words_of(dungeon_of("@LLG"))[0] == "put a key in area 1 (from row 0, column 0), at row 0, column 0, twice"
        )

    def test_a_key_that_can_be_missed_is_put_where_it_cannot(self):
        """Only on the very tile before the drop, or below it, is it sure to be taken."""
        assert all("row 0, column 1" not in words for words in words_of(KNOWN["a drop past the key"].dungeon))

    def test_a_thorough_player_needs_less(self):
        dungeon = dungeon_of("@../##v/GL.", rules=Rules(player="thorough"), strict=False)
        assert words_of(dungeon)[0].startswith("put a key in ")

    def test_three_changes_are_not_looked_for(self):
        explanation = explain(dungeon_of("@LRBG", strict=False), Request("solvable"))
        (line,) = dict(explanation.sections)["Fixes"]
        assert line.startswith("No one or two changes are enough: ")


class TestRandomDungeons:
    def test_every_fix_keeps_its_promise(self):
        sizes: Counter[tuple[str, int]] = Counter()
        for seed in range(up_to(16, deep=60)):
            for fix in fixes_of(random_dungeon(seed)):
                sizes[fix["question"], len(fix["kind"])] += 1
        assert {("solvable", 1), ("losable", 1), ("losable", 2)} <= set(sizes)

    def test_there_is_no_smaller_one(self):
        """Where pairs are offered, or nothing, every single change was tried here too, and none does."""
        looked_at = 0
        for seed in range(up_to(35, deep=60)):
            dungeon, known = random_dungeon(seed), random_truth(seed)
            if known.lost is None:
                continue
            fixes = explain(dungeon, Request("solvable")).data["fixes"]
            if fixes and len(fixes[0]["kind"]) == 1:
                continue
            question, wanted = ("losable", Verdict.NO) if known.plan is not None else ("solvable", Verdict.YES)
            for change in single_changes(dungeon):
                changed = change_dungeon(dungeon, change)
                if changed is not None:
                    answer = solvent.ask(changed, question, proof=False, shortest=False)
                    assert answer.verdict is not wanted, (seed, change)
            looked_at += 1
        assert looked_at > 4


def single_changes(dungeon: Dungeon) -> Iterator[Change]:
    """Yield every single change of the kinds offered, on every tile."""
    yield from (Change("one-way", group) for group in one_way_groups(dungeon))
    joined = {(way.source, way.target) for way in dungeon.ways}
    for number, way in enumerate(dungeon.ways):
        if (way.target, way.source) not in joined:
            yield Change("one-way", (way.source,), number=number)
    yield from (Change("block", (block.place,)) for block in dungeon.blocks)
    yield from (Change("gate", gate.cells, number=number) for number, gate in enumerate(dungeon.gates))
    things = {("item", dungeon.rules.water)}
    for gate in dungeon.gates:
        kind = {"lock": "key", "cracked": "bombs", "item": "item"}.get(gate.kind)
        if kind is not None:
            things.update((kind, name) for name in gate.needs or ("",))
    taken = {block.place for block in dungeon.blocks} | {cell for gate in dungeon.gates for cell in gate.cells}
    for floor, storey in enumerate(dungeon.floors):
        for row, line in enumerate(storey.terrain):
            for column, letter in enumerate(line):
                place = (floor, row, column)
                if letter == FLOOR and place not in taken and place not in dungeon.goals:
                    yield from (Change(kind, (place,), name) for kind, name in sorted(things))


def one_way_groups(dungeon: Dungeon) -> Iterator[tuple[tuple[int, int, int], ...]]:
    letters = {
        (floor, row, column): letter
        for floor, storey in enumerate(dungeon.floors)
        for row, line in enumerate(storey.terrain)
        for column, letter in enumerate(line)
        if letter in ONE_WAYS
    }
    while letters:
        place, letter = next(iter(letters.items()))
        group = [place]
        del letters[place]
        for floor, row, column in group:  # grows while it is walked through
            for down, right in STEPS.values():
                near = (floor, row + down, column + right)
                if letters.get(near) == letter:
                    group.append(near)
                    del letters[near]
        yield tuple(group)


class TestChanges:
    def test_a_gate_is_taken_away_everywhere(self):
        gates = (Gate("lock", ("",), ((0, 0, 2),)), Gate("lock", ("red",)))
        ways = (Way((0, 0, 0), (1, 0, 0), "door", 1), Way((1, 0, 0), (0, 0, 0), "door", 1))
        dungeon = dungeon_of("@..", "rG", gates=gates, ways=ways)
        without = change_dungeon(dungeon, Change("gate", (), number=0))
        assert without is not None
        assert [gate.needs for gate in without.gates] == [("red",)]
        assert [way.gate for way in without.ways] == [0, 0]
        assert change_dungeon(without, Change("gate", (), number=0)) == dungeon_of(
            "@..", "rG", ways=[Way(way.source, way.target, way.kind) for way in ways]
        )

    def test_moves_played_are_renumbered(self):
        ways = (Way((0, 0, 1), (0, 0, 3), "warp"), Way((0, 0, 3), (0, 0, 2), "warp"))
        dungeon = dungeon_of("@...#G", ways=ways, played=["E", "0", "1"])
        back = change_dungeon(dungeon, Change("one-way", ((0, 0, 3),), number=1))
        assert back is not None
        assert back.played == ("E", "0", "2")
        assert [(way.source, way.target) for way in back.ways] == [
            ((0, 0, 1), (0, 0, 3)),
            ((0, 0, 2), (0, 0, 3)),
            ((0, 0, 3), (0, 0, 2)),
        ]
        assert [same_move(move, back, dungeon) for move in ("N", "0", "1", "2")] == ["N", "0", None, "1"]

    def test_a_change_that_the_moves_played_forbid(self):
        """A key where the block was pushed to would have been in its way."""
        dungeon = dungeon_of("@o..G/#...#", played="E")
        assert change_dungeon(dungeon, Change("key", ((0, 0, 2),))) is None
        assert change_dungeon(dungeon, Change("key", ((0, 1, 2),))) is not None
