"""What a user prefers of the search: it never changes a verdict, and what it promises is confirmed by brute force."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from functools import cache
from itertools import count
from random import Random

import pytest
from torture.judges.dungeon import State, all_states, first_state, play

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from dungeon.test_solver import assert_plan_wins, assert_right, expected_verdict
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.dungeon.interest import ALL_KINDS, EVENT_KINDS, parse_kinds, parse_penalties
from solvent.dungeon.model import ONE_WAYS, STEPS, WATER, Dungeon, Rules, Way

CHOICES = {
    "no points": {"points": "none"},
    "the start alone": {"points": "start"},
    "keys and locks": {"points": "key + lock"},
    "all but monsters": {"points": "+".join(kind for kind in EVENT_KINDS if kind != "monster")},
    "rooms too": {"points": "all"},
    "entrances alone": {"points": "entrance, stairs"},
    "one macro may fail": {"macro_tries": 1},
    "three macros may fail": {"macro_tries": 3, "points": "all"},
    "supply": {"supply": True},
    "supply without reverse": {"supply": True, "reverse": False, "areas": False},
    "one macro may fail, nothing else": {"macro_tries": 1, "dominance": False, "plan_heuristic": False},
    "monsters avoided": {"avoid": "monster 3 + water, stairs"},
    "all avoided tile by tile": {"avoid": "key + lock 5 + oneway", "macros": False},
    "all at once": {"avoid": "lock + oneway 2", "points": "key + goal", "macro_tries": 2, "supply": True},
    "weights below one": {"alpha": 0.5, "beta": 0.25},
    "no way to the next point": {"alpha": 1, "beta": 0},
    "no way from the next point": {"alpha": 0, "beta": 1},
}
"""Options that must change neither verdict nor length."""
AVOIDING = (
    {"monster": 3, "water": 1},
    {"lock": 1, "cracked": 2, "stairs": 4},
    {"oneway": 1, "key": 1, "item": 1},
    {"soft": 2, "barrier": 1, "switch": 1, "block": 3, "gate": 1, "bombs": 1},
)


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize("seeds", [range(10), *slow([range(10, up_to(60, deep=300))])], ids=str)
def test_no_preference_changes_the_answer(name: str, question: str, seeds: range):
    for seed in seeds:
        answer = solvent.ask(random_dungeon(seed), question, **CHOICES[name])
        assert answer.certified
        assert_right(random_dungeon(seed), answer, random_truth(seed))
        assert answer.verdict is Verdict.NO or answer.stats["shortest"]


@pytest.mark.parametrize("name", CHOICES)
def test_known_dungeons(name: str):
    for known in KNOWN.values():
        answer = solvent.ask(known.dungeon, "solvable", **CHOICES[name])
        assert answer.verdict is (Verdict.NO if known.plan is None else Verdict.YES)
        if answer.certificate is not None and known.plan is not None:
            assert len(answer.certificate["plan"]) == known.plan


class TestAvoid:
    """A penalty for each step onto a kind, over water or by a way decides between shortest plans, and only there."""

    @pytest.mark.parametrize("more", [{}, {"macros": False}, {"points": "key"}, {"dominance": False}], ids=str)
    @pytest.mark.parametrize("seeds", [range(15), *slow([range(15, up_to(80, deep=400))])], ids=str)
    def test_of_all_shortest_plans_the_one_with_the_least_penalty(self, more: dict[str, object], seeds: range):
        decided = 0
        for seed in seeds:
            dungeon, avoid, best, worst = judged(seed)
            spelled = " + ".join(f"{kind} {penalty}" for kind, penalty in avoid.items())
            answer = solvent.ask(dungeon, avoid=spelled, **more)
            if best is None:
                assert answer.verdict is Verdict.NO
                continue
            assert answer.certificate is not None
            plan = answer.certificate["plan"]
            assert_plan_wins(dungeon, plan)
            length, penalty = best
            assert (len(plan), penalty_of_plan(dungeon, plan, avoid)) == (length, penalty), seed
            if plan:
                assert answer.stats["penalty"] == penalty
                assert answer.stats["shortest"]
            decided += worst != penalty
        assert decided > 3, "most dungeons have but one shortest plan, yet some have a choice"

    def test_a_way_around_the_monster_of_the_same_length(self):
        dungeon = dungeon_of("@m./.#./..G")
        plan = solvent.ask(dungeon, avoid="monster").certificate["plan"]
        assert "".join(plan) == "SSEE"
        around = solvent.ask(dungeon_of("@../m#./..G"), avoid="monster").certificate["plan"]
        assert "".join(around) == "EESS"

    def test_never_a_longer_plan(self):
        dungeon = dungeon_of("@mG/...")
        answer = solvent.ask(dungeon, avoid="monster 1000")
        assert answer.stats["plan_length"] == 2
        assert answer.stats["penalty"] == 1000

    def test_with_weights_there_is_nothing_to_prefer(self):
        answer = solvent.ask(dungeon_of("@mG/..."), avoid="monster", weight=2)
        assert answer.stats["shortest"] is False
        assert "penalty" not in answer.stats

    def test_penalties_are_read(self):
        assert parse_penalties("") == {}
        assert parse_penalties("monster") == {"monster": 1}
        assert parse_penalties("monster 3 + water, monster 2") == {"monster": 5, "water": 1}
        assert parse_penalties("lock 0") == {}

    @pytest.mark.parametrize("text", ["dragon", "monster -1", "monster 1.5", "monster 1001", "lock 600 + key 600", "+"])
    def test_what_cannot_be_avoided_is_refused(self, text: str):
        for dungeon in (dungeon_of("@..G"), dungeon_of("@#G")):  # also where no search for a plan is needed
            with pytest.raises(BadOption, match="avoid"):
                solvent.ask(dungeon, avoid=text)


class TestWeights:
    """Alpha for the way from the next point to the goal, beta for the way to it."""

    @pytest.mark.parametrize("weights", [(3, 1), (1, 3), (0, 2.5), (2, 0)], ids=str)
    def test_above_one_the_plan_is_not_called_shortest(self, weights: tuple[float, float]):
        alpha, beta = weights
        for seed in range(80):
            known = random_truth(seed)
            answer = solvent.ask(random_dungeon(seed), alpha=alpha, beta=beta)
            assert answer.verdict is expected_verdict("solvable", known)
            if known.plan:
                assert answer.stats["shortest"] is False
                assert "not proved shortest" in answer.because
                assert_plan_wins(random_dungeon(seed), answer.certificate["plan"])
                assert known.plan <= len(answer.certificate["plan"]) <= max(weights) * known.plan

    def test_the_weight_counts_for_both(self):
        dungeon = random_dungeon(3)
        assert solvent.ask(dungeon, weight=4, alpha=0.25, beta=0.25).stats["shortest"]
        assert not solvent.ask(dungeon, weight=4, alpha=0.25).stats["shortest"]

    @pytest.mark.parametrize("name", ["alpha", "beta"])
    def test_weights_out_of_range_are_refused(self, name: str):
        for value in (-1, 101, float("nan"), "x"):
            with pytest.raises(BadOption, match=name):
                solvent.ask(dungeon_of("@G"), **{name: value})

    @pytest.mark.parametrize("name", ["macro_tries", "shortest_nodes"])
    def test_counts_too_large_for_the_kernels_are_refused(self, name: str):
        for dungeon in (dungeon_of("@kLG"), dungeon_of("@#G")):
            with pytest.raises(BadOption, match=f"{name}: expected at most 1000000000000, found 9223372036854775808"):
                solvent.ask(dungeon, **{name: str(2**63)})
            assert solvent.ask(dungeon, **{name: 10**12}).reason is None


class TestPoints:
    def test_kinds_are_read(self):
        assert parse_kinds("events") == frozenset(EVENT_KINDS)
        assert parse_kinds("all") == frozenset(ALL_KINDS)
        assert parse_kinds("none") == frozenset()
        assert parse_kinds("key + lock, stairs") == {"key", "lock", "stairs"}

    @pytest.mark.parametrize("text", ["", "keys", "key + none", "key lock"])
    def test_other_kinds_are_refused(self, text: str):
        for dungeon in (dungeon_of("@..G"), dungeon_of("@#G")):
            with pytest.raises(BadOption, match="kind of point"):
                solvent.ask(dungeon, points=text)

    def test_fewer_points_take_more_steps(self):
        dungeon = dungeon_of("k......@......LG")
        usual, none = solvent.ask(dungeon).stats, solvent.ask(dungeon, points="none").stats
        assert usual["plan_length"] == none["plan_length"] == 22
        assert usual["expanded"] < none["expanded"]

    def test_more_points_stop_more_macros(self):
        dungeon = dungeon_of("@...L...k", ".G", ways=(Way((0, 0, 3), (1, 0, 0)), Way((1, 0, 0), (0, 0, 3))))
        usual, more = solvent.ask(dungeon).stats, solvent.ask(dungeon, points="all").stats
        assert usual["plan_length"] == more["plan_length"] == 5
        assert usual["points"] < more["points"]

    def test_a_limit_of_tries_ends_macros_that_fail(self):
        given_up = 0
        for seed in range(60):
            stats = solvent.ask(random_dungeon(seed), macro_tries=1).stats
            given_up += stats.get("macros_given_up", 0)
            assert "macros_given_up" not in solvent.ask(random_dungeon(seed)).stats
        assert given_up > 10


@cache
def judged(seed: int) -> tuple[Dungeon, Mapping[str, int], tuple[int, int] | None, int | None]:
    """Return a dungeon, what to avoid in it, and what `least_penalty` says of that."""
    avoid = AVOIDING[seed // 3 % len(AVOIDING)]
    dungeon = random_dungeon(seed) if seed % 3 == 0 else open_field(seed)
    return dungeon, avoid, *least_penalty(dungeon, avoid)


def open_field(seed: int) -> Dungeon:
    """Make a field with things all over it, so that there are many shortest plans."""
    dice = Random(seed)
    tiles = [dice.choice("...~~>v") for _ in range(20)]
    for place in dice.sample(range(20), 6):  # few of them: each may double the number of states
        tiles[place] = dice.choice("mmmkLb")
    tiles[0], tiles[19] = "@", "G"
    rows = ["".join(tiles[row * 5 : row * 5 + 5]) for row in range(4)]
    return dungeon_of("/".join(rows), rules=Rules(items=("ladder",), keys=(("", 1),)))


# By brute force


def penalty_of_move(dungeon: Dungeon, before: State, move: str, after: State, avoid: Mapping[str, int]) -> int:
    """Return what a move counts: each kind on the tile it leads to once, what it crosses, and the way it takes."""
    words = {"item": "gate"}
    place = after.place
    kinds = {pickup.kind for pickup in dungeon.pickups if pickup.place == place}
    kinds |= {"switch" for switch in dungeon.switches if switch.place == place}
    kinds |= {"block" for block in dungeon.blocks if block.place == place}
    gates = [number for number, gate in enumerate(dungeon.gates) if place in gate.cells]
    on_tile = {words.get(dungeon.gates[number].kind, dungeon.gates[number].kind) for number in gates}
    total = sum(avoid.get(kind, 0) for kind in kinds | on_tile)
    if dungeon.floors[place[0]].terrain[place[1]][place[2]] in ONE_WAYS:
        total += avoid.get("oneway", 0)
    if move in STEPS:
        down, right = STEPS[move]
        beside = dungeon.floors[before.place[0]].terrain[before.place[1] + down][before.place[2] + right]
        return total + (avoid.get("water", 0) if beside == WATER else 0)
    gate = dungeon.ways[int(move)].gate
    if gate is not None and gate not in gates:
        kind = dungeon.gates[gate].kind
        total += avoid.get(words.get(kind, kind), 0)
    return total + avoid.get("stairs", 0)


def penalty_of_plan(dungeon: Dungeon, plan: list[str], avoid: Mapping[str, int]) -> int:
    """Return what all moves of a plan count."""
    state, total = play(dungeon, []), 0
    assert state is not None
    for made in range(1, len(plan) + 1):
        after = play(dungeon, plan[:made])
        assert after is not None
        total += penalty_of_move(dungeon, state, plan[made - 1], after, avoid)
        state = after
    return total


def least_penalty(dungeon: Dungeon, avoid: Mapping[str, int]) -> tuple[tuple[int, int] | None, int | None]:
    """Return the length and the least penalty of shortest plans, and the largest penalty of one of them."""
    states = all_states(dungeon)
    start = next(iter(states))
    ends = []
    for sign in (1, -1):
        best: dict[State, tuple[int, int]] = {start: (0, 0)}
        order = count()
        waiting = [((0, 0), next(order), start)]
        found = None
        while waiting:
            cost, _, state = heapq.heappop(waiting)
            if cost > best[state]:
                continue
            if state.place in dungeon.goals:
                found = cost
                break
            for move, after in states[state].items():
                penalty = sign * penalty_of_move(dungeon, state, move, after, avoid)
                reached = (cost[0] + 1, cost[1] + penalty)
                if after not in best or reached < best[after]:
                    best[after] = reached
                    heapq.heappush(waiting, (reached, next(order), after))
        ends.append(found)
    if ends[0] is None:
        return None, None
    assert ends[1] is not None
    return ends[0], -ends[1][1]


def test_the_first_of_all_states_is_the_one_to_begin_with():
    for seed in range(20):
        dungeon = random_dungeon(seed)
        if not dungeon.played:
            assert next(iter(all_states(dungeon))) == first_state(dungeon)
