"""The script for closed sets of dungeons: it knows the rules, accepts what is exported, and nothing that is false.

The truth comes from the brute force; Solvent's own checker is not asked.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from outside_checkers import closed_set as script
from torture.instances.rich_dungeon import make_rich_dungeon
from torture.judges.dungeon import State
from torture.judges.dungeon.rulebook import walk

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.test_checker_soundness import Known, Truth, dense_dungeon, find_truth, random_dungeon
from helpers.examples import examples_of, load_example
from helpers.marks import slow
from solvent.core.budget import UNLIMITED
from solvent.core.errors import BadOption
from solvent.dungeon.checker.outside.closed_set import describe_level
from solvent.dungeon.model import Dungeon, Floor, Have, Not, Pickup

STATEMENTS = {"replay.json", "closed_set.json", "lost_walk.json"}


def refusal(statement: Any) -> str | None:
    """Return why the script does not accept a statement, or None if it does."""
    try:
        script.check(statement)
    except (script.Wrong, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        return str(error) or type(error).__name__
    return None


@cache
def known_levels(name: str, count: int) -> Known:
    """Return small levels with all that is true of them, those left out that the script does not speak of."""
    if name == "rich":
        dungeons = [make_rich_dungeon(Random(f"rich {seed}")) for seed in range(7 * count)]
    else:
        dungeons = [known.dungeon for known in KNOWN.values()][: count // 2]
        dungeons += [make(seed) for seed in range(count) for make in (random_dungeon, dense_dungeon)]
    spoken = [dungeon for dungeon in dungeons if level_of(dungeon) is not None]
    known = [(dungeon, truth) for dungeon in spoken for truth in [find_truth(dungeon)] if truth]
    assert len(known) > count // 2
    return known


def level_of(dungeon: Dungeon) -> Any:
    try:
        return json.loads(json.dumps(describe_level(dungeon, UNLIMITED)))
    except BadOption:
        return None


def as_script_has_it(dungeon: Dungeon, state: State) -> script.State:
    """Return a state of the brute force as one of the script."""
    entries: list[tuple[str, Any, Any]] = []
    entries += [("opened", gate, True) for gate in state.opened]
    entries += [("fallen", gate, True) for gate in state.fallen]
    entries += [("switch", name, "on") for name in state.on]
    entries += [("switch", *dial) for dial in state.dials]
    entries += [("block", block, walk(dungeon.blocks[block].place, by)) for block, by in state.moved]
    return script.State(state.place, frozenset(state.taken), frozenset(entries))


def all_of(dungeon: Dungeon, truth: Truth) -> list[Any]:
    """Return every state that can come about, one by one, as a statement lists them."""
    states = [as_script_has_it(dungeon, state) for state in truth.states if not truth.twin.is_won(state)]
    return [json.loads(json.dumps({**one._asdict(), "has": [*one.has], "world": [*one.world]})) for one in states]


def statement_about(dungeon: Dungeon, states: list[Any]) -> dict[str, Any]:
    return {"game": "dungeon", "level": level_of(dungeon), "waived": [], "states": states}


@pytest.mark.parametrize(("name", "count"), [("plain", 12), ("rich", 8), *slow([("plain", 60), ("rich", 20)])])
def test_the_script_plays_by_the_rules(name: str, count: int):
    """In every state that can come about, the same moves are legal and do the same."""
    for dungeon, truth in known_levels(name, count):
        level = script.Level(script.frozen(level_of(dungeon)))
        first = script.take(level, level.start, frozenset(), frozenset())
        *_, present = script.follow(level, first, level.played, "those played")
        assert present == as_script_has_it(dungeon, truth.first)
        for state, moves in truth.states.items():
            here = as_script_has_it(dungeon, state)
            played = {move: script.play(level, here, move) for move in script.moves_at(level, here.place)}
            found = {move: after for move, after in played.items() if after is not None}
            assert found == {move: as_script_has_it(dungeon, after) for move, after in moves.items()}


@pytest.mark.parametrize(("name", "count"), [("plain", 12), ("rich", 8), *slow([("plain", 60), ("rich", 20)])])
def test_what_is_exported_is_accepted(name: str, count: int, tmp_path: Path):
    seen = dict.fromkeys(STATEMENTS, 0)
    for dungeon, truth in known_levels(name, count):
        if not all(gate.needs[0] in switched(dungeon) for gate in dungeon.gates if gate.kind == "barrier"):
            continue  # no file says that, and the solver does not read it
        for question in ("solvable", "losable"):
            answer = solvent.ask(dungeon, question, nodes=50_000)
            certificate = answer.certificate
            if certificate is None or certificate["form"] not in ("plan", "closed set", "lost walk"):
                continue
            for path in solvent.export_proof(dungeon, certificate, tmp_path):
                if path.name in STATEMENTS:
                    statement = json.loads(path.read_text())
                    assert refusal(statement) is None
                    seen[path.name] += 1
                    assert_dropped_states_are_missed(dungeon, truth, statement)
    assert min(seen.values()) > count // 10


def switched(dungeon: Dungeon) -> set[str]:
    return {switch.name for switch in dungeon.switches}


def assert_dropped_states_are_missed(dungeon: Dungeon, truth: Truth, statement: dict[str, Any]) -> None:
    """Drop states one by one: where one that can come about is not covered any more, the script must say so."""
    if statement.get("walk") or statement.get("waived") or "states" not in statement:
        return
    real = [as_script_has_it(dungeon, state) for state in truth.states]
    for number in range(min(len(statement["states"]), 6)):
        forged = {**statement, "states": statement["states"][:number] + statement["states"][number + 1 :]}
        left = [script.frozen(one) for one in forged["states"]]
        missed = any(
            not any(set(state.world) == set(one["world"]) and state.has <= set(one["has"]) for one in left)
            for state in real
        )
        if missed:
            assert refusal(forged) is not None


def spoilt(dungeon: Dungeon, dice: Random) -> Iterator[Dungeon]:
    """Yield levels that differ a little: a wall gone, a goal elsewhere, a door gone, more in a pickup or in hand."""
    free = [
        (floor, row, column)
        for floor, storey in enumerate(dungeon.floors)
        for row, line in enumerate(storey.terrain)
        for column, letter in enumerate(line)
        if letter == "."
    ]
    yield replace(dungeon, floors=tuple(_without_a_wall(floor, dice) for floor in dungeon.floors))
    yield replace(dungeon, goals=(dice.choice(free),))
    if dungeon.gates:
        place = dice.randrange(len(dungeon.gates))
        opened = replace(dungeon.gates[place], kind="item", needs=(), rule=None)
        yield replace(dungeon, gates=(*dungeon.gates[:place], opened, *dungeon.gates[place + 1 :]))
    yield replace(dungeon, pickups=tuple(replace(one, count=one.count + 1) for one in dungeon.pickups))
    yield replace(dungeon, rules=replace(dungeon.rules, keys=(("", 2), ("red", 1)), bombs=2))


def _without_a_wall(floor: Floor, dice: Random) -> Floor:
    text = "/".join(floor.terrain)
    walls = [place for place, letter in enumerate(text) if letter in "# ~"]
    if not walls:
        return floor
    place = dice.choice(walls)
    return replace(floor, terrain=tuple((text[:place] + "." + text[place + 1 :]).split("/")))


@pytest.mark.parametrize(("name", "count"), [("plain", 12), ("rich", 8), *slow([("plain", 60), ("rich", 20)])])
def test_only_what_is_true_is_accepted(name: str, count: int):
    """All states there are prove a NO; and whatever is listed, a level with a way to the goal is not refuted."""
    dice = Random(19)
    refuted = saved = 0
    for dungeon, truth in known_levels(name, count):
        states = all_of(dungeon, truth)
        if truth.solvable:
            assert_never_refuted(dungeon, states, dice)
            continue
        refuted += 1
        assert refusal(statement_about(dungeon, states)) is None
        for other in spoilt(dungeon, dice):
            changed = find_truth(other)
            if changed is None or level_of(other) is None:
                continue
            if changed.solvable:
                saved += 1
                assert refusal(statement_about(other, states)) is not None
                assert_never_refuted(other, all_of(other, changed), dice)
            else:
                assert refusal(statement_about(other, all_of(other, changed))) is None
    assert refuted > count // 10
    assert saved > count // 10


def assert_never_refuted(dungeon: Dungeon, states: list[Any], dice: Random) -> None:
    """Try lists that leave states out, mix them up or make them richer."""
    everything = list(range(len(dungeon.pickups)))
    assert refusal(statement_about(dungeon, states)) is not None
    assert refusal(statement_about(dungeon, [])) is not None
    assert refusal(statement_about(dungeon, [{**state, "has": everything} for state in states])) is not None
    assert refusal(statement_about(dungeon, dice.sample(states, len(states) // 2))) is not None
    worlds = [dice.choice(states)["world"] for _ in states]
    mixed = [{**state, "world": world} for state, world in zip(states, worlds, strict=True)]
    assert refusal(statement_about(dungeon, mixed)) is not None


def test_a_waived_gate_stands_open():
    barred = dungeon_of("k@L.R.LG", strict=False)
    states = [{"place": [0, 0, 1], "has": [0], "world": []}]
    assert refusal(statement_about(barred, states)) is not None  # the lock can be opened, and that is not listed
    assert refusal({**statement_about(barred, states), "waived": [0]}) is None
    assert refusal({**statement_about(barred, states), "waived": [0, 1, 2]}) is not None
    assert refusal({**statement_about(barred, states), "waived": [-3]}) == "there is no such gate to waive"
    asking = {**statement_about(barred, states), "waived": [0]}
    asking["level"]["goal_rule"] = ["have", "key", "", 1]
    assert refusal(asking) == "no gate can be waived"


def spoil(statement: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:
    forged = copy.deepcopy(statement)
    inner: Any = forged
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return forged


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("hidden",), 1, "unknown or missing: hidden"),
        (("level", "teleporters"), [], "unknown or missing: teleporters"),
        (("level", "rules", "lava"), "on", "unknown or missing: lava"),
        (("level", "pickups", 0, "renews"), True, "unknown or missing: renews"),
        (("level", "pickups", 0, "kind"), "wand", "unknown pickup: wand"),
        (("level", "pickups", 0, "count"), -1, "expected a whole number"),
        (("level", "gates", 0, "kind"), "portcullis", "unknown gate: portcullis"),
        (("level", "gates", 0, "rule"), ["moonlight"], "unknown requirement: moonlight"),
        (("level", "gates", 0, "rule"), ["not", ["have", "item", "lamp", 1]], "asks not to have something"),
        (("level", "rules", "push"), "pull", "unknown rule push=pull"),
        (("level", "floors"), [["..?.G.LG"]], "unknown terrain"),
        (("level", "goals"), [[0, 7]], "something is not on the map"),
        (("level", "goals"), [[0, 0, 0]], "a goal is reached"),
        (("level", "gates", 2, "cells"), [], "a goal is reached"),
        (("states", 0, "has"), [7], "something that is not there"),
        (("states", 0, "has"), [], "the set does not hold"),
        (("states", 0, "keys"), 3, "unknown or missing: keys"),
        (("states",), [], "the set does not hold"),
    ],
)
def test_what_the_script_does_not_know_it_does_not_accept(path: tuple[Any, ...], value: Any, reason: str):
    opened = [["opened", 0, True]]
    states = [{"place": [0, 0, 1], "has": [0], "world": world} for world in ([], opened)]
    statement = statement_about(dungeon_of("k@L...LG"), states)
    statement["level"]["gates"].append({**statement["level"]["gates"][1], "kind": "item", "needs": ["lamp"]})
    statement["level"]["gates"][2]["cells"], statement["level"]["gates"][1]["cells"] = [[0, 0, 6]], []
    assert refusal(statement) is None
    assert reason in str(refusal(spoil(statement, *path, value=value)))


@pytest.mark.parametrize(
    ("pickup", "reason"),
    [
        (Pickup((0, 0, 0), "key", renews=True), "keys and bombs that renew"),
        (Pickup((0, 0, 0), "key", rule=Not(Have("item", "lamp"))), "ask not to have something"),
        (Pickup((0, 0, 0), "key", rule=Not(Not(Have("item", "lamp")))), "ask not to have something"),
    ],
)
def test_what_the_script_does_not_know_is_not_exported(pickup: Pickup, reason: str, tmp_path: Path):
    dungeon = replace(dungeon_of(".@#LG"), pickups=(pickup,))
    certificate = solvent.ask(dungeon, "solvable").certificate
    assert certificate is not None
    with pytest.raises(BadOption, match=reason):
        solvent.export_proof(dungeon, certificate, tmp_path / "out")


def test_every_example_is_accepted_but_those_with_what_the_script_does_not_know(tmp_path: Path):
    """Of the examples that have a NO or a lost walk, all but one are covered."""
    seen = dict.fromkeys(STATEMENTS, 0)
    refused = set()
    for example in examples_of("dungeon"):
        dungeon = load_example("dungeon", example.name)
        for question in ("solvable", "losable"):
            certificate = solvent.ask(dungeon, question).certificate
            assert certificate is not None
            if certificate["form"] not in ("plan", "closed set", "lost walk"):
                continue
            try:
                files = solvent.export_proof(dungeon, certificate, tmp_path)
            except BadOption:
                files = []
            stated = [path for path in files if path.name in STATEMENTS]
            if not stated:  # there may be files for other checkers
                refused.add((example.name, certificate["form"]))
            for path in stated:
                assert refusal(json.loads(path.read_text())) is None
                seen[path.name] += 1
    assert refused == {
        ("three_of_five", "plan"),
        ("the_bomb_flower", "plan"),
        ("not_yet", "plan"),
        ("not_yet", "lost walk"),
    }
    assert seen["closed_set.json"] >= 3
    assert seen["lost_walk.json"] >= 11
    assert seen["replay.json"] >= 32


def test_the_script_runs_alone(tmp_path: Path):
    dungeon = load_example("dungeon", "the_wrong_door")
    certificate = solvent.ask(dungeon, "losable").certificate
    assert certificate is not None
    solvent.export_proof(dungeon, certificate, tmp_path)
    command = [sys.executable, "-I", script.__file__, str(tmp_path / "lost_walk.json")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "VERIFIED: no goal can be reached after the walk\n")
    statement = json.loads((tmp_path / "lost_walk.json").read_text())
    for key in ("walk", "rescue"):  # all of a shortest walk counts
        (tmp_path / "lost_walk.json").write_text(json.dumps({**statement, key: statement[key][:-1]}))
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        assert ran.stdout.startswith("NOT VERIFIED: ")
    (tmp_path / "lost_walk.json").write_text('{"game": "dungeon", "game": "dungeon"}')
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout == "NOT VERIFIED: a key is said twice\n"
