"""Limits hold for dungeons of any size: whatever takes long is done in pieces, and what it costs is counted.

No clock is looked at. A cancellation that counts how often it is asked tells how often the budget was looked at, and
stops the work at any point of it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest

import solvent
from dungeon.large_levels import FAMILIES, item_chain_home, maze, one_way_snake, pile
from dungeon.strategies import random_dungeon
from helpers.depth import DEEP, up_to
from solvent.core.answer import Cause, Reason, Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.play import lay_out
from solvent.dungeon.checker.situations import find_region, find_regions
from solvent.dungeon.explaining import explain
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game

TILES = 2_000
NODES = 300


class Counted(Cancellation):
    """Count how often it is asked whether to stop, and say yes after so many times."""

    def __init__(self, after: int = 1 << 60) -> None:
        super().__init__()
        self.after = after
        self.looks = 0

    @property
    def requested(self) -> bool:
        self.looks += 1
        return self.looks > self.after

    def child(self) -> Cancellation:
        return self


def points(looks: int) -> Iterator[int]:
    """Yield when to stop: at once, soon, and at several moments of the whole."""
    parts = up_to(4, deep=7)
    yield from {0, 1, 2, *(looks * part // parts for part in range(1, parts)), looks - 1}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_part_can_be_stopped(name: str):
    dungeon = FAMILIES[name](400)
    for question in ("solvable", "losable"):
        whole = Counted()
        answer = solvent.ask(dungeon, question, nodes=NODES, cancellation=whole)
        for after in range(whole.looks) if DEEP else points(whole.looks):
            stopped = solvent.ask(dungeon, question, nodes=NODES, cancellation=Counted(after))
            assert stopped.verdict is Verdict.UNKNOWN, f"{question}, stopped at look {after} of {whole.looks}"
            assert stopped.reason.cause in (Cause.CANCELLED, Cause.NODES)
        # A part that may be stopped early gives the same answer if it is not.
        assert solvent.ask(dungeon, question, nodes=NODES, cancellation=Counted()).certificate == answer.certificate


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("keys_then_locks", "solvable"),
        ("keys_then_locks", "losable"),
        ("locked_rooms", "solvable"),
        ("locked_rooms", "losable"),
        ("wide_lock", "losable"),
        ("lakes", "losable"),
    ],
)
def test_the_budget_is_looked_at_more_often_in_larger_dungeons(name: str, question: str):
    looks = []
    for tiles in (TILES // 2, 4 * TILES):
        counted = Counted()
        solvent.ask(FAMILIES[name](tiles), question, nodes=NODES, cancellation=counted)
        looks.append(counted.looks)
    # Before, preparing and checking were a single piece each, however large the dungeon.
    assert looks[1] > looks[0] + 4 * TILES // 1000


def test_checks_can_be_stopped():
    for dungeon, question in ((maze(900), "losable"), (one_way_snake(400), "losable"), (maze(900), "solvable")):
        certificate = solvent.ask(dungeon, question).certificate
        whole = Counted()
        solvent.check(dungeon, certificate, cancellation=whole)
        for after in range(whole.looks) if DEEP else points(whole.looks):
            with pytest.raises(solvent.NotChecked):
                solvent.check(dungeon, certificate, cancellation=Counted(after))


class TestNodes:
    def test_what_one_situation_takes_counts_as_well(self):
        """Finding the first situation of this dungeon takes a walk about it for each of its items."""
        dungeon = item_chain_home(3_000)
        answer = solvent.ask(dungeon, "solvable", nodes=100)
        assert str(answer.reason) == "out of nodes (limit 100)"
        answer = solvent.ask(dungeon, "solvable", shortest=False)
        assert answer.verdict is Verdict.YES
        assert answer.stats["nodes"] > 10 * answer.stats["expanded"]

    def test_small_dungeons_take_a_node_for_each_situation_or_state(self):
        for seed in range(30):
            stats = solvent.ask(random_dungeon(seed), "solvable").stats
            assert stats["nodes"] == stats.get("expanded", 0)

    @pytest.mark.parametrize("question", ["solvable", "losable"])
    @pytest.mark.parametrize("name", ["lock_fan", "blocks", "switches", "pile", "falling_doors"])
    def test_one_limit_for_the_whole_answer(self, name: str, question: str):
        for nodes in (0, 1, 50):
            stats = solvent.ask(FAMILIES[name](up_to(1_000, deep=3_000)), question, nodes=nodes).stats
            assert stats.get("nodes", 0) <= nodes


class TestDeepDungeons:
    def test_a_chain_of_items_longer_than_calls_can_be_deep(self):
        answer = solvent.ask(item_chain_home(4_200), "losable")
        assert (answer.verdict, answer.certificate["form"]) == (Verdict.NO, "surplus")
        assert len(answer.certificate["items"]) > sys.getrecursionlimit()

    def test_a_corridor_in_which_every_tile_is_a_place_of_its_own(self):
        """Each of these situations once cost a walk over all that follow it."""
        dungeon = one_way_snake(6_000)
        broken = solvent.ask(dungeon, "losable")
        assert broken.verdict is Verdict.NO
        assert len(broken.certificate["states"]) > 2_500
        whole = Counted()
        solvent.check(dungeon, broken.certificate, cancellation=whole)
        assert whole.looks < 12 * len(broken.certificate["states"])

    def test_many_things_on_one_tile(self):
        dungeon = pile(6_000)
        assert len(Game(dungeon).pickups_at[0, 0, 1]) == 3_000
        assert solvent.ask(dungeon, "solvable").verdict is Verdict.YES


def test_regions_are_the_same_one_by_one_and_all_at_once():
    for seed in range(60):
        dungeon = random_dungeon(seed)
        maze_of = build_maze(lay_out(dungeon), step_by_step=seed % 2 == 1)
        dice = Random(seed)
        bits = dice.getrandbits(1 + len(maze_of.ledger.items) + len(maze_of.ledger.pickups) + 6)
        areas = dice.sample(range(maze_of.areas.count), maze_of.areas.count)
        chosen = areas[: 1 + len(areas) // 2]
        assert find_regions(maze_of, chosen, bits) == {area: find_region(maze_of, area, bits) for area in chosen}


class TestHintsAndExplanations:
    @pytest.mark.parametrize("name", ["locked_rooms", "one_way_field", "places", "falling_doors"])
    def test_hints_end_with_a_word(self, name: str):
        dungeon = FAMILIES[name](300)
        whole = Counted()
        next(iter(solvent.hints(dungeon, nodes=NODES, cancellation=whole)))
        for after in range(whole.looks) if DEEP else points(whole.looks):
            reason = first_reason(dungeon, Counted(after))
            assert reason is None or reason.cause is Cause.CANCELLED
            assert reason is not None or after > whole.looks // 2, "what cannot be checked is not shown"

    @pytest.mark.parametrize("name", ["locked_rooms", "one_way_field", "places", "wide_lock"])
    def test_explanations_say_what_was_left_out(self, name: str):
        dungeon = FAMILIES[name](200)
        whole = Counted()
        explain(dungeon, request_of(whole))
        for after in range(whole.looks) if DEEP else points(whole.looks):
            explanation = explain(dungeon, request_of(Counted(after)))
            text = " ".join(line for _, lines in explanation.sections for line in lines)
            assert "cancelled" in text, f"stopped at look {after} of {whole.looks}"
            assert explanation.sections[0][0] == "In short"
            assert set(explanation.data) >= {"solvable", "losable", "spheres", "never_reachable", "fixes"}


def first_reason(dungeon: Dungeon, cancellation: Cancellation) -> Reason | None:
    """Return why there is no hint, or None if there is one."""
    try:
        return next(iter(solvent.hints(dungeon, nodes=NODES, cancellation=cancellation))).reason
    except LimitReached as limit:
        return limit.reason


def request_of(cancellation: Cancellation) -> Request:
    """Return a request for an explanation."""
    return Request("solvable", Budget(nodes=NODES, cancellation=cancellation))


MEASURED = """
import resource, sys
import solvent
from dungeon.large_levels import FAMILIES
import solvent.dungeon.checker.lost_walk, solvent.dungeon.checker.safe, solvent.dungeon.checker.surplus
import solvent.dungeon.solver.losable, solvent.dungeon.solver.obstacles, solvent.dungeon.solver.surplus_proof
name, tiles, question, more = sys.argv[1:]
dungeon = FAMILIES[name](int(tiles))
with open("/proc/self/statm") as statm:
    size = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + int(more) * 1_000_000,) * 2)
print(solvent.ask(dungeon, question, nodes=2_000).verdict)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited and measured as Linux does it")
@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize(("name", "tiles"), [("open_floor", 90_000), ("keys_then_locks", 20_000), ("lakes", 20_000)])
def test_little_memory_is_unknown_and_never_a_traceback(name: str, tiles: int, question: str, project):
    for more in (5, 12, 20, 30, 60) if DEEP else (5, 20):
        run = subprocess.run(
            [sys.executable, "-c", MEASURED, name, str(tiles), question, str(more)],
            capture_output=True,
            text=True,
            cwd=project,
            env={"PYTHONPATH": f"{project / 'tests'}:{project}"},
        )
        assert run.returncode == 0, run.stderr
        assert "Traceback" not in run.stderr
        assert run.stdout.strip() in ("YES", "NO", "UNKNOWN")
        if more == 5:
            assert run.stdout.strip() == "UNKNOWN"


@pytest.mark.parametrize("megabytes", [1, 8])
def test_a_limit_of_megabytes_ends_it(megabytes: int):
    answer = solvent.ask(FAMILIES["open_floor"](250_000), "solvable", megabytes=megabytes)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason.cause is Cause.MEMORY


def test_a_situation_that_is_no_situation_is_named_by_its_number():
    dungeon: Dungeon = one_way_snake(60)
    certificate = dict(solvent.ask(dungeon, "losable").certificate)
    certificate["states"] = [*certificate["states"][:2], {"at": [0, "x", 0]}]
    certificate["ranks"] = certificate["ranks"][:3]
    with pytest.raises(solvent.CertificateRejected, match=r"at `\$\.states\[2\]\.at\[1\]`"):
        solvent.check(dungeon, certificate)
