"""Same board and seed, same bytes; budgets and cancelling; many threads at once."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import solvent
from harmony.boards import lopsided_near_miss, near_miss, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Answer, Cause, Reason, Verdict
from solvent.core.budget import Budget
from solvent.core.events import ignore
from solvent.harmony.generator import generate
from solvent.harmony.model import Board
from solvent.harmony.solver import race
from solvent.harmony.solver.annealing import AnnealingResult
from solvent.harmony.solver.escalation import OrderResult, Refutation
from solvent.harmony.solver.race import _winner, head_start
from solvent.harmony.solver.reduction import live_components
from solvent.proof.certificate import encode_certificate

NODES = 5_000_000
PARTS = ("portfolio", "dfs", "annealing", "order", "layers")


def mixed_boards() -> list[Board]:
    """Return boards that every part of the portfolio decides some of."""
    return [
        *(generate(rows=6, cols=6, swaps=30, seed=seed) for seed in range(3)),
        *(generate(rows=4, cols=4, swaps=10, seed=seed) for seed in range(3)),
        generate(rows=8, cols=8, swaps=40, seed=0),
        near_miss(4, 4, 12, 0),
        near_miss(5, 5, 20, 1),
        near_miss(6, 6, 15, 9),
        lopsided_near_miss(6, 6, 50, 14),
        near_miss(3, 3, 5, 2),
    ]


def digest(answer: Answer) -> str:
    assert answer.certificate is not None
    return hashlib.sha256(encode_certificate(answer.certificate)).hexdigest()


def fingerprints() -> list[str]:
    return [digest(solvent.ask(board, nodes=NODES, seed=seed)) for board in mixed_boards() for seed in (0, 7)]


HOG = "while True: pass"
CHILD = "from harmony.test_race import fingerprints; print(*fingerprints(), sep='\\n')"


def environment(project: Path) -> dict[str, str]:
    path = os.pathsep.join(str(project / folder) for folder in ("src", "tests"))
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "99"}


@pytest.mark.slow
def test_two_processes_and_a_busy_machine_give_the_same_bytes(project: Path):
    here = fingerprints()
    assert here == fingerprints()
    hogs = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(2)]
    try:
        run = subprocess.run(
            [sys.executable, "-c", CHILD],
            env=environment(project),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == here


def test_what_was_counted_repeats_too():
    """Seconds aside, and where no part is stopped half-way by the other."""
    for board in mixed_boards()[:6]:
        first, second = (solvent.ask(board, nodes=NODES).stats for _ in range(2))
        for key in ("answered_by", "nodes", "boards"):
            assert first.get(key) == second.get(key)


def test_threads_give_equal_certificates():
    boards = mixed_boards()
    alone = [digest(solvent.ask(board, nodes=NODES)) for board in boards]
    with ThreadPoolExecutor(max_workers=4) as pool:
        together = list(pool.map(lambda board: digest(solvent.ask(board, nodes=NODES)), boards * 2))
    assert together == alone * 2


def test_the_head_start_grows_with_the_others_work():
    assert head_start(0) > 0
    assert head_start(1000) > head_start(0)


PLAN = ((0, 1),)
RUNNING = SimpleNamespace(done=False, error=None, result=None)


def ended(result: AnnealingResult | OrderResult) -> SimpleNamespace:
    return SimpleNamespace(done=True, error=None, result=result, take=lambda: result)


def annealed(plan: tuple[tuple[int, int], ...] | None) -> SimpleNamespace:
    return ended(AnnealingResult(plan, None, 1, 0))


@pytest.mark.parametrize(
    ("annealing", "order", "extra", "winner"),
    [
        (RUNNING, RUNNING, 0, None),
        (annealed(PLAN), RUNNING, 0, "annealing"),
        (annealed(PLAN), RUNNING, 1, None),  # the other one may still end with a right to it
        (annealed(None), RUNNING, 0, None),
        (RUNNING, ended(OrderResult(refutation=Refutation(1, "0\n"), nodes=50)), 0, "order"),
        (annealed(None), ended(OrderResult(refutation=Refutation(1, "0\n"), nodes=50)), 1, "order"),
        (RUNNING, ended(OrderResult(plan=PLAN, nodes=50)), 0, None),
        (RUNNING, ended(OrderResult(plan=PLAN, nodes=50)), 1, "order"),
        (annealed(PLAN), ended(OrderResult(plan=PLAN, nodes=50)), 0, "annealing"),
        (annealed(PLAN), ended(OrderResult(plan=PLAN, nodes=50)), 1, "order"),
        (annealed(None), ended(OrderResult(plan=PLAN, nodes=50)), 0, "order"),
        (annealed(PLAN), ended(OrderResult(reason=Reason(Cause.NODES))), 1, "annealing"),
        (RUNNING, ended(OrderResult(reason=Reason(Cause.NODES))), 1, None),
        (annealed(None), ended(OrderResult(reason=Reason(Cause.NODES))), 1, None),
    ],
)
def test_who_wins_depends_on_work_alone(
    annealing: SimpleNamespace, order: SimpleNamespace, extra: int, winner: str | None
):
    """`extra` is how many proposals annealing has made beyond its head start over the other's 50 nodes."""
    meter = SimpleNamespace(nodes=head_start(50) + extra)
    assert _winner(annealing, order, meter, 50) == winner


def test_a_part_that_ends_while_the_winner_is_judged_still_counts(monkeypatch: pytest.MonkeyPatch):
    """Judge slowly: by the time nobody has won, both parts have ended, and one of them has the answer."""
    board = near_miss(5, 5, 20, 1)
    [component] = live_components(board)
    judge = race._winner

    def judge_slowly(annealing: Any, order: Any, meter: Any, ticks: int) -> str | None:
        winner = judge(annealing, order, meter, ticks)
        deadline = time.monotonic() + 60
        while not (annealing.done and order.done) and time.monotonic() < deadline:
            time.sleep(0.01)
        return winner

    monkeypatch.setattr(race, "_winner", judge_slowly)
    monkeypatch.setattr(race, "PROPOSALS_PER_CLAUSE", 0)  # who judges this long does not send the order encoding on
    result = race.run_race(board, component, Budget(nodes=200_000).start(), seed=0, proof=False, listen=ignore)
    assert result.winner == "order"


# Budgets


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("nodes", [0, 1, 100])
def test_few_nodes_give_unknown_or_the_right_answer(part: str, nodes: int):
    unknown = 0
    for board in tiny_boards(60, seed=90):
        answer = solvent.ask(board, nodes=nodes, solver=part)
        if answer.verdict is Verdict.UNKNOWN:
            unknown += 1
            assert answer.reason.cause in (Cause.NODES, Cause.INCOMPLETE)
            assert not answer.certified
        else:
            assert answer.verdict is (Verdict.YES if is_solvable(board) else Verdict.NO)
    assert unknown > 0 or nodes == 100


def test_a_large_board_with_few_nodes_is_out_of_nodes():
    board = generate(rows=6, cols=6, swaps=40, seed=0)
    for nodes in (0, 1, 100):
        answer = solvent.ask(board, nodes=nodes)
        assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.NODES)
        assert answer.reason.detail == f"limit {nodes}"


def test_little_memory_is_unknown_or_the_right_answer():
    for board in mixed_boards()[:8]:
        answer = solvent.ask(board, megabytes=1, nodes=NODES)
        if answer.verdict is Verdict.UNKNOWN:
            assert answer.reason.cause in (Cause.MEMORY, Cause.NODES)
        else:
            assert answer.certified


@pytest.mark.parametrize(("part", "megabytes"), [("dfs", 1), ("annealing", 5)])
def test_a_part_says_what_memory_it_lacks(part: str, megabytes: int):
    answer = solvent.ask(generate(rows=26, cols=99, swaps=2000, seed=1), megabytes=megabytes, solver=part)
    assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.MEMORY)


def undecided_board() -> Board:
    """Return a board no part has ever decided: reverse-played, with a move of one tile given to another."""
    board = generate(rows=10, cols=10, swaps=80, seed=11)
    moves = list(board.moves)
    moves[69] -= 1
    moves[72] += 1
    return replace(board, moves=tuple(moves))


@pytest.mark.parametrize(
    ("part", "board"),
    [
        ("portfolio", undecided_board()),
        ("dfs", generate(rows=8, cols=8, swaps=60, seed=0)),
        ("annealing", undecided_board()),
        ("order", generate(rows=6, cols=6, swaps=70, seed=0)),
        ("layers", generate(rows=8, cols=8, swaps=60, seed=0)),
    ],
    ids=PARTS,
)
def test_cancelling_from_another_thread_stops_it(part: str, board: Board):
    """The part takes minutes, or hours, for its board: without the cancellation the thread would run on."""
    cancellation = solvent.Cancellation()
    started = threading.Event()
    answers: list[Answer] = []

    def run() -> None:
        answers.append(solvent.ask(board, solver=part, cancellation=cancellation, listen=lambda _event: started.set()))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(60)
    cancellation.cancel()
    thread.join(60)
    assert not thread.is_alive()
    [answer] = answers
    assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.CANCELLED)


def test_without_proof_a_no_is_not_certified_unless_it_costs_nothing():
    answer = solvent.ask(near_miss(4, 4, 12, 0), proof=False, nodes=NODES)
    assert (answer.verdict, answer.certified, answer.certificate) == (Verdict.NO, False, None)
    assert "not certified" in str(answer)
    assert answer.because
    plan = solvent.ask(generate(rows=4, cols=4, swaps=10, seed=0), proof=False, nodes=NODES)
    assert (plan.verdict, plan.certified) == (Verdict.YES, True)


def test_no_thread_is_left_running():
    for board in mixed_boards()[:3]:
        solvent.ask(board, nodes=NODES)
    for thread in threading.enumerate():
        if thread.name.startswith("solvent"):
            thread.join(30)
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("solvent")]
