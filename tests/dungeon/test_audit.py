"""Invalidity tests on trial: sound ones survive, an unsound one is caught with a level that can be finished."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from torture.judges.dungeon import all_states, dead_states

import solvent
from dungeon.dungeons import dungeon_of
from dungeon.strategies import random_dungeon
from helpers.command import Run
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.core.trial import AuditScope, Trial
from solvent.dungeon import Game
from solvent.dungeon.audit import SCOPES, audit, level_of, maps, own_tests
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.invalidity import BoundedSupply
from solvent.dungeon.model import Dungeon, Gate, Rules, Way
from solvent.dungeon.options import MECHANICS
from solvent.dungeon.rules import State

MINE = '''
from solvent.dungeon import Game


def no_key_in_hand(dungeon):
    """A player without a key never gets through a lock."""
    state = Game(dungeon).start
    return not state.R and any(gate.kind == "lock" for gate in dungeon.gates)


def no_goal(dungeon):
    """Without a goal there is nothing to reach."""
    return not dungeon.goals
'''


class Hasty:
    """A test that is wrong: a key may still lie about."""

    name = "hasty"
    reason = "A player without a key never gets through a lock."

    def is_invalid(self, dungeon: Dungeon, /) -> bool:
        return not Game(dungeon).start.R and any(gate.kind == "lock" for gate in dungeon.gates)


def scopes(test: object, **options: object) -> list[AuditScope]:
    """Run an audit with some of its options."""
    given = {"rows": None, "cols": None, "mechanics": None} | options
    return list(audit(Trial(test), **given))  # type: ignore[arg-type]


@pytest.mark.parametrize("mechanics", MECHANICS)
@pytest.mark.parametrize("size", [(1, 4), (2, 2), *slow([((1, 5),), ((2, 3),)])], ids=str)
@pytest.mark.parametrize("test", own_tests(), ids=lambda test: test.name)
def test_our_own_tests_never_fire_on_what_can_be_won(test: object, size: tuple[int, int], mechanics: str):
    [scope] = scopes(test, rows=size[0], cols=size[1], mechanics=mechanics)
    assert scope.false_positives == 0
    assert scope.first_counterexample is None
    assert scope.examined > 20


def test_they_catch_something():
    for test in own_tests():
        [scope] = scopes(test, rows=1, cols=4, mechanics="keys")
        assert 0 < scope.caught <= scope.unsolvable


def test_an_unsound_test_is_caught_with_a_level_that_can_be_finished():
    [scope] = scopes(Hasty(), rows=1, cols=4, mechanics="keys")
    assert scope.false_positives > 0
    assert scope.first_counterexample is not None
    solution, _, text = scope.first_counterexample.partition("\n\n")
    level = solvent.parse(text)
    assert isinstance(level, Dungeon)
    assert Hasty().is_invalid(level)
    answer = solvent.ask(level)
    assert answer.verdict is Verdict.YES
    game = Game(level)
    assert game.is_goal(game.play(game.start, solution.removeprefix("Solved by ").split()))


def test_the_scopes_are_those_the_domain_offers():
    assert tuple(SCOPES) == MECHANICS
    assert [scope.label for scope in scopes(Hasty(), rows=1, cols=3)] == [f"1×3, {name}" for name in MECHANICS]


def test_every_map_once_mirror_images_aside():
    drawn = list(maps(".#", 1, 3))
    assert sorted(drawn) == sorted(set(drawn))
    assert len(drawn) == 6  # 3 places for the goal beside the start, halved, times 2 tiles
    assert {"".join(sorted(each)) for each in drawn} == {"#@G", ".@G"}


def test_levels_are_as_good_as_those_read_from_files():
    for name, mechanic in SCOPES.items():
        for count, tiles in enumerate(maps(mechanic.tiles, 2, 2)):
            level = level_of(tiles, (2, 2), mechanic.rules)
            if count % 7 == 0 and "w" not in tiles:
                assert solvent.parse(solvent.format(level)) == level, (name, tiles)


@pytest.mark.parametrize("options", [{"rows": 2}, {"rows": 4, "cols": 8}, {"rows": 1, "cols": 1}], ids=str)
def test_sizes_that_cannot_be_gone_through_are_refused(options: dict[str, int]):
    with pytest.raises(BadOption, match="expected"):
        scopes(Hasty(), **options)


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def _a_module_of_the_user(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.chdir(tmp_path)
        Path("my_dungeon_tests.py").write_text(MINE)
        path = list(sys.path)
        yield
        sys.path[:] = path
        sys.modules.pop("my_dungeon_tests", None)

    @pytest.mark.parametrize("name", ["relaxed reverse reachability", "reverse"])
    def test_the_reverse_test(self, run: Run, name: str):
        ran = run("audit", name, "--rows", "1", "--cols", "3")
        assert (ran.code, ran.err) == (0, "")
        assert "No counterexample: relaxed reverse reachability stayed silent" in " ".join(ran.out.split())

    def test_a_test_of_the_user(self, run: Run):
        words = ("--path", ".", "--as", "dungeon", "--rows", "1", "--cols", "4", "--mechanics", "keys")
        ran = run("audit", "my_dungeon_tests:no_key_in_hand", *words)
        assert ran.code == 10
        assert "Not sound: no_key_in_hand fired on" in ran.out
        assert "Solved by" in ran.out
        assert run("audit", "my_dungeon_tests:no_goal", *words).code == 0
        told = json.loads(run("audit", "my_dungeon_tests:no_key_in_hand", *words, "--json").out)
        assert told["counterexample_found"] is True
        assert told["domain"] == "dungeon"

    def test_the_domains_page_lists_them(self):
        names = ["relaxed reverse reachability", "bounded supply"]
        tests = DOMAIN.audit.tests()
        assert list(tests) == [*names, "reverse", "supply"]
        assert [tests["reverse"].name, tests["supply"].name] == names

    def test_the_domains_page_lists_each_once(self, run: Run):
        assert run("domains", "dungeon").out.count("bounded supply") == 1


class TestBoundedSupply:
    """More gates than keys: the bound, its reason, and that nothing that can be won is lost by it."""

    @pytest.mark.parametrize("seeds", [range(80), *slow([range(80, up_to(250, deep=500))])], ids=str)
    def test_no_position_that_can_be_won_is_skipped(self, seeds: range):
        skipped = 0
        for seed in seeds:
            dungeon = random_dungeon(seed)
            test = BoundedSupply(dungeon)
            hopeless = dead_states(dungeon)
            for state in all_states(dungeon):
                moved = dict(state.moved)
                pushed = tuple(moved.get(block, "") for block in range(len(dungeon.blocks)))
                if test.is_invalid(State(*state[:5], pushed)):
                    assert state in hopeless, (dungeon, state)
                    skipped += 1
        assert skipped > 0

    def test_the_bounds_say_what_they_are(self):
        bounds = BoundedSupply(dungeon_of("kK@LLL.LG", rules=Rules(keys=(("", 1),)))).bounds
        assert [bound.as_json() for bound in bounds] == [{"resource": "key", "supply": 4, "gates": 4}]
        assert not bounds[0].matters
        assert "no player ever opens more than 4 of the 4 gates" in bounds[0].reason

    def test_two_locks_in_a_row_and_one_key(self):
        test = BoundedSupply(dungeon_of("k@LLG"))
        assert [column for column in range(5) if test.is_invalid(state_in(test, column))] == [0, 1]
        around = BoundedSupply(dungeon_of("k@LLG/....#"))  # past the first lock, and only the second is left
        assert not any(around.is_invalid(state_in(around, column)) for column in range(5))

    def test_a_gate_of_many_tiles_and_ways_counts_once(self):
        gate = Gate("lock", ("",), ((0, 0, 1), (0, 0, 2)))
        ways = (Way((0, 0, 0), (0, 0, 4), "door", 0), Way((0, 0, 4), (0, 0, 0), "door", 0))
        dungeon = dungeon_of("@...G/L....", gates=(gate,), ways=ways, rules=Rules(keys=(("", 1),)))
        test = BoundedSupply(dungeon)
        assert test.bounds[0].matters
        assert not any(test.is_invalid(state_in(test, column)) for column in range(5))

    def test_it_is_counted(self):
        dungeon = dungeon_of("k@LLG/.L.../..L.G")
        stats = solvent.ask(dungeon, supply=True).stats
        assert stats["resource_bounds"] == [{"resource": "key", "supply": 1, "gates": 4}]
        assert "bounded supply" in stats["invalidity_tests"]
        assert "supply_pruned" in stats
        assert "resource_bounds" not in solvent.ask(dungeon).stats


def state_in(test: BoundedSupply, column: int) -> State:
    """Return the first state, moved to a column of the first row."""
    return replace_place(test.ground.game.start_state(), column)


def replace_place(state: State, column: int) -> State:
    """Return a state in another column."""
    return state._replace(place=(0, 0, column))


def test_positions_come_as_moves_played():
    """What a test is given can be asked about like any dungeon."""
    seen = []

    class Watching:
        name = reason = "watching"

        def is_invalid(self, dungeon: Dungeon, /) -> bool:
            seen.append(dungeon)
            return False

    scopes(Watching(), rows=1, cols=3, mechanics="keys")
    assert any(dungeon.played for dungeon in seen)
    for dungeon in seen[::5]:
        assert solvent.ask(dungeon).verdict in (Verdict.YES, Verdict.NO)
        assert replace(dungeon, played=()).start == dungeon.start
