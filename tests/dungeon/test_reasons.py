"""Reasons: known ones word for word, random ones against brute force, and none without a proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.instances.dungeon import make_den, make_dungeon, make_room_graph, make_tree
from torture.judges.dungeon import TooLarge

import solvent
from dungeon.dungeons import dungeon_of
from dungeon.editor_dungeons import wild_dungeon
from dungeon.reason_judge import can_finish, judge_reasons
from dungeon.strategies import random_dungeon
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Finding
from solvent.core.budget import UNLIMITED, Budget
from solvent.core.domain import Request
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.explaining import explain, make_questions
from solvent.dungeon.explaining.land import look_at
from solvent.dungeon.explaining.reach import explore_reach
from solvent.dungeon.explaining.why import explain_why
from solvent.dungeon.model import Dungeon, Floor, Gate, Rules, Switch, Way

MAX_STATES = 3_000


def reasons_of(dungeon: Dungeon, **limits: Any) -> tuple[list[str], dict[str, Any]]:
    """Say why a dungeon cannot be finished or can be lost; every certificate is checked."""
    questions = make_questions(Request("solvable", Budget(**limits)))
    findings: dict[str, Finding] = {name: questions.ask(dungeon, name) for name in ("solvable", "losable")}
    land = look_at(dungeon, questions.meter)
    lines, data, proofs = explain_why(land, explore_reach(land, questions), questions, findings)
    for problem, certificate in proofs:
        assert DOMAIN.check(problem, certificate, UNLIMITED) == []
    if data:
        claims = {verdict for cause in data["causes"] for verdict in (line["solvable"] for line in cause["proof"])}
        assert claims <= {certificate["verdict"] for _, certificate in proofs}
        if findings["losable"].certificate is not None and data["of"] == "losable":
            data = {**data, "walk": findings["losable"].certificate["walk"]}
    return lines, data


def rooms(names: str, *ways: str, gates: tuple[Gate, ...] = (), **more: Any) -> Dungeon:
    """Make rooms of a single tile; `AB` is a door from A to B, `AB0` one with gate 0. The last is the goal."""
    places = {name: (number, 0, 0) for number, name in enumerate(names)}
    doors = [Way(places[way[0]], places[way[1]], "door", int(way[2]) if way[2:] else None) for way in ways]
    return Dungeon(
        tuple(Floor(name, (".",)) for name in names),
        places[names[0]],
        (places[names[-1]],),
        gates=gates,
        ways=tuple(sorted(doors, key=lambda way: (way.source, way.target))),
        **more,
    )


A_KEY_WOULD_DO = "It could be finished with one more key in hand."
KNOWN: dict[str, tuple[Dungeon, list[str]]] = {
    "plain keys are short, not red ones": (
        dungeon_of("#r.L@kL.RG#"),
        [
            "As things are, every way to the goal opens the plain locks at row 0, column 3 "
            "and at row 0, column 6, but there is only one plain key.",
            "It could be finished with one more plain key in hand.",
            "Or with one more red key in hand.",
        ],
    ),
    "a door that leads only the other way": (
        rooms("ABC", "AB", "BA", "CB"),
        [
            "The door leads only from C to B, and no other way leads to C.",
            "It could be finished with the door from C to B leading both ways.",
        ],
    ),
    "a barrier whose plate is out of reach": (
        rooms("ABC", "AB", "AC0", "CA0", gates=(Gate("barrier", ("lever",)),), switches=(Switch((2, 0, 0), "lever"),)),
        [
            "The barrier of lever from A to C stays shut: no plate of it can be reached.",
            "It could be finished without the barrier of lever from A to C.",
        ],
    ),
    "no key at all": (
        dungeon_of("@LG"),
        ["Every way to the goal opens the lock at row 0, column 1, and there is no key.", A_KEY_WOULD_DO],
    ),
    "the key behind its own lock": (
        dungeon_of("@LkG"),
        [
            "Every way to the goal opens the lock at row 0, column 1, "
            "and the only key is out of reach at row 0, column 2.",
            A_KEY_WOULD_DO,
        ],
    ),
    "one of two locks, either way": (
        dungeon_of("@L.LG/.###./.L.L."),
        [
            "Every way to the goal opens at least two locks, and there is no key.",
            "It could be finished with two more keys in hand.",
        ],
    ),
    "two ways, each barred by something else": (
        dungeon_of("@L.G/.##./..T.", strict=False),
        [
            "As things are, every way to the goal opens the lock at row 0, column 1, "
            "and there is no key.",
            A_KEY_WOULD_DO,
            "Or with the torch in hand.",
        ],
    ),
    "walls": (dungeon_of("@.#G"), ["The goal is walled off."]),
    "a gap": (dungeon_of("#@ G#"), ["Gaps are in the way."]),
    "floors that nothing joins": (dungeon_of("@.", ".G"), ["No way leads from floor 0 to floor 1, where the goal is."]),
    "walls behind a gate": (dungeon_of("@LB#G"), ["The goal is walled off, even with every gate open."]),
    "wide water, after a leap": (
        dungeon_of("l@~.~~G", rules=Rules(crossing="one"), played="WEE"),
        ["Water too wide to leap is in the way."],
    ),
    "rooms that nothing joins": (rooms("ABC", "AB", "BA"), ["Nothing leads to the goal."]),
    "bombs": (
        dungeon_of("b@BBG", rules=Rules(bombs_per_pickup=1)),
        [
            "Every way to the goal blasts the cracked walls at row 0, column 2 and at row 0, column 3, "
            "but there is only one bomb.",
            "It could be finished with one more bomb in hand.",
        ],
    ),
    "an item that lies behind its own gate": (
        dungeon_of("@TtG"),
        [
            "Every way to the goal leads through the gate for torch at row 0, column 1, which needs the torch, "
            "and the torch is out of reach at row 0, column 2.",
            "It could be finished with the torch in hand.",
        ],
    ),
    "water": (
        dungeon_of("@~G"),
        [
            "Every way to the goal crosses water, which takes the ladder, and there is no ladder.",
            "It could be finished with the ladder in hand.",
        ],
    ),
    "water too wide": (
        dungeon_of("l@~~G", rules=Rules(crossing="one")),
        [
            "One step crosses one tile of water: wider water stops you, and what lies on water stays there.",
            "It could be finished if water of any width could be crossed.",
        ],
    ),
    "a one-way tile": (
        dungeon_of("@.<.G"),
        [
            "The one-way tile at row 0, column 2 points the wrong way, west.",
            "It could be finished with the one-way tile at row 0, column 2 leading both ways.",
        ],
    ),
    "a block": (
        dungeon_of("@oG"),
        ["The block at row 0, column 1 is in the way.", "It could be finished without the block at row 0, column 1."],
    ),
    "a monster that cannot be beaten": (
        dungeon_of("@#m/.##/SG.", rooms={"den": ((0, 0, 0), 2, 3)}),
        [
            "The shutter of den at row 2, column 0 keeps you in den: the monster at row 0, column 2 (den) is out of "
            "reach, and while it lives you cannot leave.",
            "It could be finished without the shutter of den at row 2, column 0.",
        ],
    ),
    "a door that falls shut": (
        dungeon_of("GT@St", rooms={"den": ((0, 0, 0), 1, 1)}, rules=Rules(soft="shut")),
        [
            "The shutter of den at row 0, column 3 falls shut behind you, and you need to go through it again.",
            "It could be finished without the shutter of den at row 0, column 3.",
            "Or with the torch in hand.",
        ],
    ),
    "a key and two items": (
        dungeon_of("@LT~G", strict=False),
        [
            "Three things are in the way, and all of them must be fixed:",
            "1. Every way to the goal opens the lock at row 0, column 1, and there is no key.",
            "2. Every way to the goal crosses water, which takes the ladder, and there is no ladder.",
            "3. Every way to the goal leads through the gate for torch at row 0, column 2, which needs the torch, "
            "and there is no torch.",
            "It could be finished with one more key in hand, with the ladder in hand and with the torch in hand.",
        ],
    ),
    "a gate with a name": (
        dungeon_of("@.G", gates=(Gate("lock", ("",), ((0, 0, 1),), name="Old Gate"),)),
        ["Every way to the goal opens Old Gate, and there is no key.", A_KEY_WOULD_DO],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_reasons(name: str):
    dungeon, words = KNOWN[name]
    lines, data = reasons_of(dungeon)
    assert lines == words
    judge_reasons(dungeon, data)


def test_gates_of_one_name_are_told_apart():
    gates = tuple(Gate("lock", ("",), ((0, 0, column),), name="Door") for column in (1, 3))
    lines, _ = reasons_of(dungeon_of("@...G", gates=gates))
    assert "Door at row 0, column 1" in lines[0]
    assert "Door at row 0, column 3" in lines[0]


def random_levels(seed: int) -> Iterator[Dungeon]:
    """Yield one dungeon of each make."""
    dice = Random(seed)
    yield make_dungeon(dice)
    yield make_tree(dice)
    yield make_room_graph(dice)
    yield make_den(dice)
    yield random_dungeon(seed)


def judge_many(seeds: range) -> Counter[str]:
    """Have the reasons of every dungeon that cannot be finished judged by brute force; count them by kind."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        for dungeon in random_levels(seed):
            try:
                if can_finish(dungeon, MAX_STATES):
                    continue
                _, data = reasons_of(dungeon)
                assert data["of"] == "solvable"
                counts[judge_reasons(dungeon, data)] += 1
            except TooLarge:
                counts["too large to judge"] += 1
            counts["NO"] += 1
    return counts


KINDS = {"keys", "item", "one-way", "walls", "no single cause"}


QUICK = [range(40)]
THOROUGH = [range(40, up_to(240, deep=1_920))]


@pytest.mark.parametrize("seeds", [*QUICK, *slow(THOROUGH)], ids=str)
def test_random_reasons_against_brute_force(seeds: range):
    counts = judge_many(seeds)
    assert counts["NO"] > len(seeds) * 1.2
    assert counts["too large to judge"] + counts["not established"] < counts["NO"] / 50
    assert set(counts) >= KINDS


@pytest.mark.parametrize("seeds", [range(40), *slow([range(40, up_to(120, deep=400))])], ids=str)
def test_random_losses_against_brute_force(seeds: range):
    """After the walk that loses, what is said to bar the way does."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        for dungeon in random_levels(seed):
            try:
                if not can_finish(dungeon, MAX_STATES):
                    continue
                _, data = reasons_of(dungeon)
                if not data:
                    continue
                assert data["of"] == "losable"
                before = replace(dungeon, played=(*dungeon.played, *data["walk"][:-1]))
                lost = replace(dungeon, played=(*dungeon.played, *data["walk"]))
                assert can_finish(before)
                counts[judge_reasons(lost, data)] += 1
                counts[data["loss"]["kind"]] += 1
            except TooLarge:
                counts["too large to judge"] += 1
    assert counts["spent"] > len(seeds) / 20
    assert set(counts) >= {"spent", "went", "keys"}


@pytest.mark.parametrize("seeds", [range(30), *slow([range(30, up_to(120, deep=600))])], ids=str)
def test_reasons_of_dungeons_as_odd_as_files_allow(seeds: range):
    counts: Counter[str] = Counter()
    for seed in seeds:
        dungeon = wild_dungeon(seed)
        if dungeon.start in dungeon.goals:
            continue
        try:
            if not can_finish(dungeon, MAX_STATES):
                counts[judge_reasons(dungeon, reasons_of(dungeon)[1])] += 1
                counts["NO"] += 1
        except TooLarge:
            counts["too large to judge"] += 1
    assert counts["NO"] > len(seeds) / 5


def test_without_a_budget_there_is_no_guess():
    stated = 0
    for seed in range(up_to(4, deep=12)):
        for dungeon in random_levels(seed):
            for nodes in (5, 15, 40, 100):
                data = explain(dungeon, Request("solvable", Budget(nodes=nodes))).data
                reasons = data.get("reasons")
                if reasons and data["solvable"] == "NO":
                    judge_reasons(dungeon, reasons)
                    stated += reasons["established"]
    assert stated > 5


def test_it_says_that_the_budget_was_too_small():
    lines, data = reasons_of(KNOWN["a key and two items"][0], nodes=12)
    assert not data["established"]
    assert lines == ["The reason was not established: out of nodes (limit 12)."]


CORPUS_REASONS = {
    "LA_2": ("one-way", {}),
    "LttP_3": ("keys", {"exist": 1, "within_reach": 1, "needed": 2, "missing": 1}),
    "LttP_5": ("one-way", {}),
}
"""A directed edge that is missing, and one key for two locks."""


@pytest.mark.corpus
@pytest.mark.parametrize("name", CORPUS_REASONS)
def test_reasons_of_room_graphs_from_the_corpus(corpora: Path, name: str):
    path = corpora / "vglc-zelda-more" / f"{name}.dot"
    if not path.is_file():
        pytest.skip(f"no {path}")
    _, data = reasons_of(solvent.load(path))
    assert data["of"] == "solvable"
    assert (data["causes"][0]["kind"], data["causes"][0]["numbers"]) == CORPUS_REASONS[name]


def test_a_proof_too_long_to_check_is_no_proof(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("solvent.dungeon.explaining.reasons.trials.CHECKED_A_SECOND", 0.5)
    lines, data = reasons_of(dungeon_of("@LG"))
    assert not data["established"]
    assert lines == ["The reason was not established: the proof would take too long to check."]


def test_too_many_situations_are_said_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("solvent.dungeon.explaining.reasons.trials.MAX_NODES", 0)
    lines, data = reasons_of(dungeon_of("@LT~G", strict=False))
    assert not data["established"] or data["causes"][0]["kind"] != "walls"
    assert lines == ["The reason was not established: there are too many situations."]
