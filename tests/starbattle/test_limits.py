"""A limit holds for everything that a question, a hint or a check takes."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solvent
from helpers.looks import CountedLooks
from helpers.marks import slow
from solvent.core.answer import Cause
from solvent.core.budget import Budget
from solvent.core.errors import NotChecked
from solvent.starbattle.checker.steps.board import touches
from solvent.starbattle.checker.steps.placements import ways_to_place
from solvent.starbattle.generator import generate
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.refutation import Refutation, refute


@cache
def board() -> Puzzle:
    return generate(size=10, stars=2, seed=3)


@cache
def chain() -> dict[str, Any]:
    certificate = solvent.ask(board(), "unique", explain=True).certificate
    assert certificate is not None
    assert certificate["form"] == "explained chain"
    return dict(certificate)


def told(nodes: int) -> list[str]:
    return [str(hint.move or hint.reason) for hint in islice(solvent.hints(board(), path=True, nodes=nodes), 500)]


def test_looking_and_verifying_count_as_nodes():
    """Whether the marks are right takes few nodes here; all the rest is looking for steps and verifying them."""
    diagnosed = solvent.ask(board(), "unique").stats
    few = diagnosed["positions"] + diagnosed["conflicts"] + 2_000
    assert told(few)[-1] == f"out of nodes (limit {few})"
    assert "out of nodes" not in told(5_000_000)[-1]


def test_more_nodes_show_more_of_the_same_steps():
    everything = told(5_000_000)
    lengths = []
    for nodes in (500, 1_000, 2_000, 4_000, 8_000):
        shown = told(nodes)
        assert shown == told(nodes)
        assert shown[:-1] == everything[: len(shown) - 1]
        lengths.append(len(shown))
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]


def test_explaining_shares_the_nodes_of_the_search():
    found = solvent.ask(board(), "unique", nodes=2_000, explain=True)
    assert found.certificate is not None
    assert found.certificate["form"] == "only solution"
    assert found.because == "There is no step-by-step proof: out of nodes (limit 2000)."


def test_a_chain_is_checked_with_a_look_at_the_clock_for_each_step():
    looks = CountedLooks()
    solvent.check(board(), chain(), cancellation=looks)
    assert looks.looks > 2 * len(chain()["steps"])
    for allowed in (0, 3, len(chain()["steps"]), looks.looks - 3):
        with pytest.raises(NotChecked) as caught:
            solvent.check(board(), chain(), cancellation=CountedLooks(allowed))
        assert caught.value.reason.cause is Cause.CANCELLED


def test_trimming_a_proof_looks_at_the_clock():
    """The last looks are those of the trimming: a cancellation there is a reason, not a proof."""
    stars = [row * 10 + col for row, col in solvent.ask(board(), "solvable").certificate["stars"]]
    looks = CountedLooks()
    assert isinstance(refute(board(), Budget(cancellation=looks).start(), other_than=stars), Refutation)
    late = refute(board(), Budget(cancellation=CountedLooks(looks.looks - 1)).start(), other_than=stars)
    assert not isinstance(late, Refutation | tuple)
    assert late.cause is Cause.CANCELLED


def test_ways_to_place_are_all_there_are():
    dice = Random(4)
    for _ in range(60):
        cells = frozenset((dice.randrange(6), dice.randrange(6)) for _ in range(dice.randrange(1, 12)))
        for count in range(4):
            every = [
                chosen
                for chosen in combinations(sorted(cells), count)
                if not any(touches(one, other) for one, other in combinations(chosen, 2))
            ]
            assert ways_to_place(cells, count) == every


CHILD = """
import resource, sys
import solvent
from starbattle.test_limits import board
from solvent.starbattle.model import Puzzle
from random import Random

dice = Random(1)
stars = [20 * row + 5 * number + 2 * row % 5 for row in range(20) for number in range(4)]  # none touches another
dice.shuffle(stars)
region_of = {star: number // 4 for number, star in enumerate(stars)}
large = Puzzle(20, 4, tuple(region_of.get(cell, dice.randrange(20)) for cell in range(400)), "." * 400)
solvent.ask(board(), "unique", explain=True)
next(solvent.hints(board()))
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]) * 1_000_000,) * 2)
for puzzle in (board(), large):
    for question, options in (("solvable", {}), ("unique", {}), ("unique", {"explain": True})):
        answer = solvent.ask(puzzle, question, nodes=20_000, **options)
        print(answer.verdict.value, "" if answer.reason is None else answer.reason.cause.name)
    hint = next(solvent.hints(puzzle, nodes=20_000))
    print("HINT", "" if hint.reason is None else hint.reason.cause.name)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("megabytes", [5, *slow([30])])
def test_a_small_address_space_is_unknown_or_no_matter(project: Path, megabytes: int):
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(megabytes)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(project / folder) for folder in ("src", "tests", "."))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    told_causes = [line.split(" ") for line in run.stdout.splitlines()]
    assert len(told_causes) == 8
    assert {cause for _, cause in told_causes} <= {"", "MEMORY", "NODES", "INCOMPLETE"}
