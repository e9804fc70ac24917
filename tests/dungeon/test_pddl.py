"""Plans in PDDL: the domain allows what the rules of play allow, no more and no less, and a validator follows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from torture.judges.dungeon import Twin

import solvent
from conformance.cases import answer_of
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_rich_dungeon
from helpers.depth import up_to
from helpers.examples import examples_of, load_example
from helpers.marks import slow
from helpers.pddl import Position, World, without_map
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.dungeon.checker.board import Board, State
from solvent.dungeon.checker.outside.pddl import write_domain, write_problem
from solvent.dungeon.checker.outside.pddl.actions import require_any_order
from solvent.dungeon.checker.outside.pddl.translating import facts_of
from solvent.dungeon.checker.outside.pddl.vocabulary import Vocabulary, make_vocabulary
from solvent.dungeon.checker.play import lay_out, position, take
from solvent.dungeon.model import AllOf, Dungeon, Have, Not, Pickup, Rules

if TYPE_CHECKING:
    from unified_planning.model import Problem

SEEN = 25
"""How many states of each dungeon are compared."""


def world_of(words: Vocabulary, state: State) -> World:
    domain, facts = write_domain(words)
    return World("".join(domain), "".join(write_problem([*facts_of(words, state), *facts], "(player-on nowhere)")))


def position_of(words: Vocabulary, state: State) -> Position:
    return World("(define (domain d))", "".join(write_problem(list(facts_of(words, state)), "(x)"))).first


def settled(world: World, before: Position, dice: Random) -> Position:
    """Return the position with all taken that is there, in any order; no move can be made before."""
    while True:
        steps = list(world.applicable(before))
        taking = [step for step in steps if step.startswith("take-")]
        if not taking:
            return before
        assert taking == steps
        before = world.apply(dice.choice(taking), before)


def moves_agree(dungeon: Dungeon, seed: int, *, most: int = SEEN) -> int:
    """Walk about at random, compare all moves from each state, and return how many states were seen."""
    board, dice = lay_out(dungeon), Random(seed)
    try:
        require_any_order(board)
    except BadOption:
        return 0
    words, twin = make_vocabulary(board), Twin(dungeon)
    first = position(board)
    assert isinstance(first, State)
    world = world_of(words, first)
    twins = twin.beginning()
    for move in dungeon.played:
        twins = twin.step(twins, move)
    static = world.first.facts - without_map(world.first).facts
    states, seen = [(first, twins)], {first}
    while states and len(seen) <= most:
        state, other = states.pop(dice.randrange(len(states)))
        here = position_of(words, state)
        here = Position(here.facts | static, here.numbers)
        after = dict(legal_moves(board, twin, state, other))
        steps = list(world.applicable(here))
        assert not [step for step in steps if step.startswith("take-")]
        reached = Counter(without_map(settled(world, world.apply(step, here), dice)) for step in steps)
        assert reached == Counter(position_of(words, one) for one, _ in after.values())
        for one, its_twin in after.values():
            if one not in seen:
                seen.add(one)
                states.append((one, its_twin))
    return len(seen)


def legal_moves(board: Board, twin: Twin, state: State, other: object) -> Iterator[tuple[str, tuple[State, object]]]:
    """Yield the legal moves with where they lead, by the checker and by brute force, which agree."""
    for move in twin.moves:
        after, its_twin = take(board, state, move), twin.step(other, move)
        assert isinstance(after, str) == (its_twin is None)
        if isinstance(after, State):
            yield move, (after, its_twin)


BLOCKS = [
    dungeon_of("...../@oo../....G", rules=Rules(push="on"), played="NESNESWWS"),  # one block behind the other
    dungeon_of("@o..../.....G", rules=Rules(push="on", blocks="reset"), rooms={"den": ((0, 0, 0), 2, 3)}),
]


def test_the_domain_allows_what_the_rules_allow_in_levels_made_for_it():
    assert all(moves_agree(known.dungeon, 0) for known in KNOWN.values())
    assert min(moves_agree(dungeon, 0, most=60) for dungeon in BLOCKS) > 10


@pytest.mark.parametrize("seeds", [range(10), *slow([range(10, up_to(130, deep=300))])])
def test_the_domain_allows_what_the_rules_allow(seeds: range):
    seen = [moves_agree(random_dungeon(seed), seed) for seed in seeds]
    assert all(seen)
    assert sum(seen) > 8 * len(seeds)


@pytest.mark.parametrize("seeds", [range(10), *slow([range(10, up_to(130, deep=300))])])
def test_the_domain_allows_what_rich_rules_allow(seeds: range):
    seen = [moves_agree(random_rich_dungeon(seed), seed) for seed in seeds]
    assert sum(map(bool, seen)) > 0.7 * len(seeds)
    assert sum(seen) > 8 * len(seeds)


# The validator takes a second to import, so only those who ask it do that.


def read_by_others(domain: str, problem: str) -> Problem:
    from unified_planning.io import PDDLReader

    return PDDLReader().parse_problem_string(domain, problem)


def accepted_by_others(problem: Problem, plan: str) -> bool:
    from outside_checkers import pddl_plan

    return pddl_plan.fault(problem, plan) is None


def spoiled_plans(lines: list[str], dice: Random) -> Iterator[tuple[str, list[str]]]:
    """Yield plans with something wrong; some of them are still valid."""
    for at in sorted(dice.sample(range(len(lines)), min(4, len(lines)))):
        yield "drop", lines[:at] + lines[at + 1 :]
        yield "double", [*lines[: at + 1], *lines[at:]]
        yield "cut", lines[:at]
        yield "exchange", [*lines[:at], *reversed(lines[at : at + 2]), *lines[at + 2 :]]
        yield "other", [*lines[:at], "(walk nowhere somewhere)", *lines[at + 1 :]]


def judge_example(name: str, folder: Path) -> Counter[str]:
    """Have the plan of an example checked, and spoiled ones, and count what was refused of those."""
    certificate = answer_of("dungeon", name, "solvable").certificate
    assert certificate is not None
    solvent.export_proof(load_example("dungeon", name), certificate, folder)
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    world = World(domain.read_text(), problem.read_text())
    read = read_by_others(domain.read_text(), problem.read_text())
    plan = (folder / "plan.txt").read_text()
    assert world.validates(plan)
    assert accepted_by_others(read, plan)
    lines = plan.splitlines(keepends=True)
    while lines and lines[-1].startswith("(take"):  # what lies on the goal need not be taken
        lines.pop()
    refused: Counter[str] = Counter()
    for kind, wrong in spoiled_plans(lines, Random(name)):
        is_valid = accepted_by_others(read, "".join(wrong))
        assert is_valid == world.validates("".join(wrong))
        assert not (is_valid and kind in ("drop", "cut", "other"))  # nothing of a shortest plan can be spared
        refused[kind] += not is_valid
    return refused


SOLVABLE = [each.name for each in examples_of("dungeon") if each.expected["solvable"] is Verdict.YES]
QUICK = ["the_wrong_door", "the_tide"]


@pytest.mark.slow
def test_a_validator_of_others_accepts_plans_and_refuses_spoiled_ones(tmp_path: Path):
    refused = judge_example("the_tide", tmp_path)
    assert all(refused[kind] for kind in ("drop", "double", "cut", "exchange", "other"))


@pytest.mark.slow
def test_a_validator_of_others_accepts_the_plan_of_every_example(tmp_path: Path):
    assert len(SOLVABLE) >= 35
    refused = sum((judge_example(name, tmp_path / name) for name in SOLVABLE), Counter())
    for kind in ("double", "exchange"):
        assert refused[kind] > 0.8 * refused["drop"]


def test_a_plan_for_another_level_is_refused(tmp_path: Path):
    texts = {}
    for name in QUICK:
        folder = tmp_path / name
        solvent.export_proof(load_example("dungeon", name), answer_of("dungeon", name, "solvable").certificate, folder)
        texts[name] = [(folder / file).read_text() for file in ("domain.pddl", "problem.pddl", "plan.txt")]
    for one in QUICK:
        for other in QUICK:
            assert World(*texts[one][:2]).validates(texts[other][2]) == (one == other)


@pytest.mark.parametrize("seeds", [range(14), *slow([range(14, up_to(100, deep=200))])])
def test_plans_of_random_levels_are_valid(seeds: range, tmp_path: Path):
    checked, refused = Counter[str](), 0
    for seed in seeds:
        dungeon = random_dungeon(seed) if seed % 2 else random_rich_dungeon(seed)
        for question in ("solvable", "collectable", "losable"):
            certificate = solvent.ask(dungeon, question).certificate
            if certificate is None or not certificate["form"].startswith("plan"):
                continue
            try:
                files = solvent.export_proof(dungeon, certificate, tmp_path)
            except BadOption:
                files = []
            if not any(path.suffix == ".pddl" for path in files):  # there may be files for other checkers
                refused += 1
                continue
            texts = [(tmp_path / name).read_text() for name in ("domain.pddl", "problem.pddl", "plan.txt")]
            world = World(*texts[:2])
            assert world.validates(texts[2])
            moves = [line for line in texts[2].splitlines() if not line.startswith("(take")]
            assert len(moves) == len(certificate["plan"])
            checked[question] += 1
    assert refused <= 2 + 0.05 * len(seeds)  # where it matters which of several things is taken first
    assert checked["solvable"] > len(seeds) // 3
    assert checked["collectable"] > len(seeds) // 20


def test_things_that_must_be_taken_in_order_are_refused_by_name(tmp_path: Path):
    pickups = (Pickup((0, 0, 1), "item", "lamp", rule=Not(Have("item", "bell"))), Pickup((0, 0, 1), "item", "bell"))
    dungeon = replace(dungeon_of("@.G"), pickups=pickups)
    certificate = solvent.ask(dungeon).certificate
    assert certificate is not None
    with pytest.raises(BadOption, match="several things at row 0, column 1, and it matters which is taken first"):
        solvent.export_proof(dungeon, certificate, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_names_that_pddl_does_not_allow_are_changed_and_told_apart(tmp_path: Path):
    names = ["Größe (1)", "grösse 1", "gr sse 1", "x\n(y", "GR SSE 1", "äöü"]
    pickups = tuple(Pickup((0, 0, 1 + number), "item", name) for number, name in enumerate(names))
    dungeon = replace(dungeon_of("@......G"), pickups=pickups, goal_rule=AllOf(tuple(Have("item", n) for n in names)))
    certificate = solvent.ask(dungeon).certificate
    assert certificate is not None
    solvent.export_proof(dungeon, certificate, tmp_path)
    domain, problem, plan = ((tmp_path / name).read_text() for name in ("domain.pddl", "problem.pddl", "plan.txt"))
    assert len(dict(World(domain, problem).first.numbers)) == len(names) + 1  # and the ladder
    assert World(domain, problem).validates(plan)
    assert not World(domain, problem).validates(plan.replace("(take-pickup-3)\n", ""))
    assert accepted_by_others(read_by_others(domain, problem), plan)
