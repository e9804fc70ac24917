"""A limit holds for everything a question or a check takes: one account of nodes, and looks at the clock all along."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import solvent
from harmony.boards import board_of, lopsided_near_miss, near_miss, tiny_boards
from helpers.looks import CountedLooks
from helpers.marks import slow
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.budget import Budget
from solvent.core.errors import LimitReached, NotChecked
from solvent.engine.arrays import SHORT, new_row
from solvent.engine.sat import SatSolver
from solvent.harmony.checker import closed_set, invariant, refutation, violations
from solvent.harmony.checker.tiles import tiles_of
from solvent.harmony.generator import COLOUR_NAMES, generate
from solvent.harmony.model import MAX_COLS, MAX_ROWS, Board
from solvent.harmony.positions import format_cell
from solvent.harmony.solver import annealing, certificates, escalation
from solvent.harmony.solver.annealing import Annealer
from solvent.harmony.solver.formula_account import NODES_PER_CONFLICT
from solvent.harmony.solver.invariants import find_broken_invariant
from solvent.harmony.solver.order import FormulaDraft, about_clauses, build_formula
from solvent.harmony.solver.order_kernel import OrderClauses
from solvent.harmony.solver.reachable_cells_kernel import ReachableCells
from solvent.harmony.solver.reduction import live_components, reduce_board
from solvent.proof.certificate import make_certificate

CELLS = MAX_ROWS * MAX_COLS
OVERRUN = 2_000 * NODES_PER_CONFLICT
"""A SAT solver looks at its limit when it restarts."""


def home_board(rows: int, cols: int, moves: tuple[int, ...]) -> Board:
    """Return a board with every tile home and these moves."""
    return Board(rows, cols, COLOUR_NAMES[:rows], tuple(cell // cols for cell in range(rows * cols)), moves)


def unlucky_board() -> Board:
    """Return a solvable board of 7×7 that nothing decides quickly: far too many moves to follow."""
    return generate(rows=7, cols=7, swaps=196, seed=1)


# One account of nodes


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the size of each formula that a SAT solver gets."""
    sizes: list[int] = []
    begin = SatSolver.__init__

    def note(self: SatSolver, clauses: Any, *, with_proof: bool) -> None:
        sizes.append(len(clauses))
        begin(self, clauses, with_proof=with_proof)

    monkeypatch.setattr(SatSolver, "__init__", note)
    return sizes


@pytest.mark.parametrize("nodes", [1_000, 30_000, 300_000])
@pytest.mark.parametrize("make", [unlucky_board, lambda: near_miss(8, 8, 60, 4), lambda: near_miss(7, 7, 45, 200)])
def test_all_parts_together_keep_one_limit(written: list[int], make: Any, nodes: int):
    """Boards, proposals, clauses and conflicts: what each part did adds up to no more than the limit."""
    answer = solvent.ask(make(), nodes=nodes)
    stats = answer.stats
    done = stats.get("boards", 0) + stats.get("proposals", 0) + sum(written)
    done += NODES_PER_CONFLICT * stats.get("conflicts", 0)
    assert done <= nodes + OVERRUN * bool(stats.get("conflicts"))
    assert stats["nodes"] <= nodes + OVERRUN
    if answer.verdict is Verdict.UNKNOWN:
        assert str(answer.reason) == f"out of nodes (limit {nodes})"


@pytest.mark.parametrize("part", ["order", "layers"])
def test_a_formula_that_costs_too_much_is_not_written(written: list[int], part: str):
    answer = solvent.ask(near_miss(6, 6, 25, 27), solver=part, nodes=1_000)
    assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.NODES)
    assert sum(written) <= 1_000


def answers_with(board: Board, **limits: Any) -> Iterator[tuple[Any, ...]]:
    for _ in range(3):
        answer = solvent.ask(board, **limits)
        yield answer.verdict, answer.certificate, str(answer.reason)


def two_components() -> Board:
    """Return a board of two live components that the race decides, one after the other."""
    one, other = (generate(rows=5, cols=5, swaps=30, seed=seed) for seed in (2, 3))
    colours, moves = [], []
    for row in range(10):
        for col in range(10):
            board, inside = (one, True) if row < 5 and col < 5 else (other, row >= 5 and col >= 5)
            cell = (row % 5) * 5 + col % 5
            colours.append(board.colours[cell] + 5 * (row >= 5) if inside else row)
            moves.append(board.moves[cell] if inside else 0)
    return Board(10, 10, COLOUR_NAMES[:10], tuple(colours), tuple(moves))


@pytest.mark.parametrize("nodes", [2_500, 40_000, 150_000, 2_000_000])
def test_the_same_nodes_give_the_same_answer(nodes: int):
    boards = [near_miss(5, 5, 20, 11), generate(rows=6, cols=6, swaps=40, seed=3), two_components()]
    for board in boards:
        assert len(set(map(repr, answers_with(board, nodes=nodes)))) == 1


def raced_boards() -> list[Board]:
    return [
        near_miss(5, 5, 20, 1),
        lopsided_near_miss(6, 6, 50, 14),
        generate(rows=6, cols=6, swaps=40, seed=3),
        generate(rows=8, cols=8, swaps=40, seed=0),
        two_components(),
    ]


def test_what_an_answer_took_is_enough_to_get_it_again():
    for board in raced_boards():
        first = solvent.ask(board)
        again = solvent.ask(board, nodes=first.stats["nodes"])
        assert (again.verdict, again.certificate) == (first.verdict, first.certificate)
        assert again.stats["nodes"] <= first.stats["nodes"]


def test_annealing_goes_on_with_what_the_order_encoding_leaves(monkeypatch: pytest.MonkeyPatch):
    """Where the order encoding ends with too many moves to follow, what it did not use is annealing's too."""
    monkeypatch.setattr(escalation, "MAX_EVENTS", 10)
    board = generate(rows=7, cols=7, swaps=600, seed=0)
    proposals = solvent.ask(board, solver="annealing").stats["nodes"]
    written = solvent.ask(board, solver="order").stats["nodes"]
    boards = solvent.ask(board, nodes=10_000).stats["boards"]
    found = solvent.ask(board, nodes=boards + proposals + written)
    assert found.verdict is Verdict.YES
    assert found.stats["proposals"] == proposals > (proposals + written) // 2


def test_a_proof_after_a_full_search_keeps_the_limit():
    """Trying every line is quick on these boards; the proof takes more, and has to be paid for."""
    spent = []
    for board in tiny_boards(200, seed=91):
        free = solvent.ask(board)
        if free.stats.get("answered_by") != "dfs" or free.verdict is not Verdict.NO:
            continue
        for nodes in (free.stats["boards"], free.stats["nodes"] - 1):
            answer = solvent.ask(board, nodes=nodes)
            assert answer.stats["nodes"] <= nodes + OVERRUN
            if answer.verdict is Verdict.UNKNOWN:
                spent.append(str(answer.reason))
    assert len(spent) > 10
    assert all(reason.startswith("out of nodes") for reason in spent)


# However the work is cut


@pytest.mark.parametrize("limit", [1, 100, 10_000])
def test_a_formula_is_the_same_however_its_writing_is_cut(limit: int):
    board = near_miss(4, 4, 12, 0)
    [component] = live_components(board)
    whole = build_formula(board, component, 4)
    tiles = [cell for cell in component if board.moves[cell] <= 4]
    owners = [index for index, tile in enumerate(tiles) for _ in range(board.moves[tile])]
    writer = OrderClauses(ReachableCells(board, component, tiles), owners, len(tiles) == len(component))
    calls = run_to_end(writer, limit)
    literals, starts = new_row(writer.literal_count, SHORT), new_row(writer.clause_count + 1)
    writer.begin_writing(literals, starts)
    assert run_to_end(writer, limit) * limit <= 10 * calls * limit
    assert (literals.tolist(), starts.tolist()) == (whole.clauses.literals.tolist(), whole.clauses.starts.tolist())
    assert calls > len(whole.clauses.literals) // (limit + 10_000)


def run_to_end(writer: OrderClauses, limit: int) -> int:
    calls = 1
    while not writer.run(limit):
        calls += 1
    return calls


@pytest.mark.parametrize("step", [700, 33_333])
def test_annealing_is_the_same_however_it_is_cut(step: int, monkeypatch: pytest.MonkeyPatch):
    board = generate(rows=6, cols=6, swaps=30, seed=5)
    whole = Annealer(board, seed=3).run(Budget(nodes=3_000_000).start())
    assert whole.plan is not None
    monkeypatch.setattr(annealing, "FIRST_PLACES", 7)  # the tables are filled a little at a time
    in_pieces = Annealer(board, seed=3)
    result = in_pieces.run(Budget(nodes=step).start())
    while result.plan is None:
        assert result.reason.cause is Cause.NODES
        result = in_pieces.run(Budget(nodes=step).start())
    assert result == whole


# Looks at the clock


@functools.cache
def large_boards() -> dict[str, Board]:
    """Return boards whose preparation alone takes a while."""
    return {
        "dense": home_board(MAX_ROWS, MAX_COLS, (3,) * CELLS),
        "many swaps": generate(rows=26, cols=99, swaps=4_000, seed=1),
        "few swaps": near_miss(26, 99, 70, 208),
    }


@pytest.mark.parametrize("name", ["dense", "many swaps", "few swaps"])
@pytest.mark.parametrize("part", ["portfolio", "dfs", "annealing", "order", "layers"])
def test_a_cancellation_is_heard_at_any_look(name: str, part: str):
    board = large_boards()[name]
    for allowed in (0, 1, 2, 5, 20, 60):
        looks = CountedLooks(allowed)
        answer = solvent.ask(board, solver=part, cancellation=looks)
        if looks.looks > allowed:
            assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.CANCELLED)
        else:
            assert_ended_early(answer)


def assert_ended_early(answer: Answer) -> None:
    """Check that a search which never looked again had an answer, or a reason that takes no work."""
    assert answer.certified or answer.reason.cause in (Cause.INCOMPLETE, Cause.MEMORY)


def test_writing_a_formula_looks_at_the_clock():
    board = near_miss(26, 99, 70, 208)
    component = live_components(board)[-1]  # the largest
    looks = CountedLooks()
    draft = FormulaDraft(board, component, max(board.moves), Budget(cancellation=looks).start())
    counted = looks.looks
    assert draft.clauses > 1_000_000
    assert counted >= 3
    draft.write(Budget(cancellation=looks).start())
    assert looks.looks >= counted + 3
    for allowed in (0, 1, 2):
        with pytest.raises(LimitReached):
            FormulaDraft(board, component, max(board.moves), Budget(cancellation=CountedLooks(allowed)).start())


def test_looking_for_a_broken_invariant_looks_at_the_clock_for_each_tile():
    looks = CountedLooks()
    assert find_broken_invariant(reduce_board(large_boards()["dense"]), Budget(cancellation=looks).start()) is None
    assert looks.looks >= CELLS


def test_writing_a_long_plan_looks_at_the_clock():
    board = home_board(1, 2, (2, 2))
    looks = CountedLooks()
    certificates.plan_certificate(board, [(0, 1)] * 100_000, Budget(cancellation=looks).start())
    assert looks.looks >= 100


def dead_corner() -> Board:
    """Return a large board of which a few tiles are live, lost, and with many lines of play."""
    colours = [cell // MAX_COLS for cell in range(CELLS)]
    moves = [0] * CELLS
    for cell, count in ((0, 2), (1, 2), (2, 2), (MAX_COLS, 2)):
        moves[cell] = count
    colours[0], colours[MAX_COLS] = 1, 0
    return Board(MAX_ROWS, MAX_COLS, COLOUR_NAMES[:MAX_ROWS], tuple(colours), tuple(moves))


def test_a_closed_set_is_never_large(monkeypatch: pytest.MonkeyPatch):
    board = dead_corner()
    certificate = certificates.closed_set_certificate(board)
    assert certificate is not None
    boards = len(certificate["states"])
    assert boards > 20
    monkeypatch.setattr(certificates, "MAX_CELLS", (boards - 1) * CELLS)
    assert certificates.closed_set_certificate(board) is None
    looks = CountedLooks()
    meter = Budget(cancellation=looks).start()
    certificates.closed_set_certificate(board, meter)
    assert looks.looks >= meter.nodes > 10


# What a check costs


def claim(form: str, **body: Any) -> dict[str, Any]:
    return make_certificate("harmony", "solvable", Verdict.NO, form, **body)


def cell_names(board: Board) -> list[str]:
    return [format_cell(cell, board.cols) for cell in range(board.rows * board.cols)]


def test_a_crowded_row_looks_for_components_once(monkeypatch: pytest.MonkeyPatch):
    board = Board(MAX_ROWS, MAX_COLS, COLOUR_NAMES[:MAX_ROWS], (0,) * CELLS, (3,) * CELLS)
    found = 0
    look_for = invariant.live_groups

    def count(*given: Any) -> Any:
        nonlocal found
        found += 1
        return look_for(*given)

    monkeypatch.setattr(invariant, "live_groups", count)
    assert violations(board, claim("invariant", rule="crowded row", cells=cell_names(board))) == []
    assert found == 1


def followed(rows: int, cols: int, tiles: int, moves: int) -> tuple[Board, dict[str, Any]]:
    """Return a board, and a claim that asks to follow so many of its tiles; there are tiles with more moves."""
    counts = [500] * (rows * cols)
    for number in range(tiles):
        counts[number * rows * cols // tiles] = moves
    board = home_board(rows, cols, tuple(counts))
    return board, claim("refutation", component=cell_names(board), most_moves=moves, proof="0", forced=[])


@pytest.mark.parametrize(("rows", "cols", "tiles", "moves"), [(13, 13, 12, 15), (20, 20, 8, 15), (26, 99, 60, 3)])
def test_a_refutation_that_asks_for_too_much_is_refused_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch, rows: int, cols: int, tiles: int, moves: int
):
    monkeypatch.setattr(refutation, "StatementWriter", None)
    board, certificate = followed(rows, cols, tiles, moves)
    [violation] = violations(board, certificate)
    assert violation.startswith("expected at most 12,000,000 clauses")


def test_the_checker_takes_whatever_the_solver_writes():
    """Both estimate the size of a formula alike, and the solver keeps within the checker's limits."""
    assert escalation.MAX_EVENTS <= refutation.MAX_EVENTS
    assert escalation.MAX_CLAUSES <= refutation.MAX_CLAUSES
    boards = [*tiny_boards(40, seed=77), near_miss(6, 6, 25, 27), near_miss(26, 99, 70, 208)]
    compared = 0
    for board in boards:
        for component in live_components(board):
            for most in sorted({board.moves[cell] for cell in component}):
                statements = refutation.Statements(tiles_of(board), list(component), most, board.cols)
                assert statements.about_clauses() == about_clauses(board, component, most)
                compared += 1
    assert compared > 60


@pytest.mark.slow
def test_writing_down_statements_looks_at_the_clock_for_each_event():
    board, certificate = followed(7, 7, 12, 15)
    looks = CountedLooks()
    found = solvent_violations(board, certificate, looks)
    assert found == ["line 1: the empty clause does not follow by unit propagation"]
    assert looks.looks > 2 * 7 * 180
    for allowed in (0, 1, 50, 200, 1_000, 2_000):
        with pytest.raises(NotChecked):
            solvent_violations(board, certificate, CountedLooks(allowed))


def solvent_violations(board: Board, certificate: dict[str, Any], looks: CountedLooks) -> list[str]:
    """Return what a check says that looks at this cancellation."""
    try:
        solvent.check(board, certificate, cancellation=looks)
    except solvent.CertificateRejected as rejected:
        return list(rejected.violations)
    return []


def states_in_a_row(count: int) -> tuple[Board, list[list[int]]]:
    """Return a large board, and a set of it and of boards that one swap leads to."""
    board = home_board(MAX_ROWS, MAX_COLS, (3,) * CELLS)
    start = [number for cell in range(CELLS) for number in (cell // MAX_COLS, 3)]
    states = [start]
    for cell in range(1, count):
        state = start.copy()
        state[1] = state[2 * cell + 1] = 2
        states.append(state)
    return board, states


def test_a_closed_set_that_takes_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch):
    board, states = states_in_a_row(60)
    certificate = claim("closed set", states=states)
    assert "a move leads" in violations(board, certificate)[0]
    monkeypatch.setattr(closed_set, "MAX_LOOKS", 50 * CELLS)
    [violation] = violations(board, certificate)
    assert violation.startswith("expected a set with at most")


def test_a_closed_set_is_looked_over_state_by_state():
    board, states = states_in_a_row(60)
    looks = CountedLooks()
    assert solvent_violations(board, claim("closed set", states=states), looks)
    assert looks.looks > 20
    with pytest.raises(NotChecked):
        solvent_violations(board, claim("closed set", states=states), CountedLooks(10))


@pytest.mark.parametrize("state", [[-1] * 8, [2**63] * 8, [10**30] * 8, [0.0] * 8, [True] * 8, "00000000", 8 * [None]])
def test_a_state_of_anything_else_is_a_reason(state: Any):
    board = board_of("0/0 1/2 | 1/0 0/2")
    with pytest.raises(solvent.CertificateRejected):
        solvent.check(board, claim("closed set", states=[state]))


# Memory


CHILD = """
import resource, sys
import solvent
from harmony.boards import near_miss
from harmony.test_limits import unlucky_board
from solvent.harmony.generator import generate

boards = [generate(rows=26, cols=99, swaps=2_500, seed=1), generate(rows=26, cols=99, swaps=80, seed=1),
          near_miss(8, 8, 85, 2), near_miss(8, 8, 50, 1), unlucky_board()]
parts = ("portfolio", "order", "annealing", "layers", "dfs")
for part in parts:  # so that everything is loaded
    solvent.ask(near_miss(4, 4, 12, 0), solver=part, nodes=100_000)
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]) * 1_000_000,) * 2)
for board in boards:
    for part in parts:
        answer = solvent.ask(board, solver=part, nodes=1_000_000)
        print(answer.verdict.value, "" if answer.reason is None else answer.reason.cause.name)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.parametrize("megabytes", [5, *slow([20, 60])])
def test_a_small_address_space_is_unknown_or_no_matter(project: Path, megabytes: int):
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(megabytes)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(project / folder) for folder in ("src", "tests"))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    told = [line.split(" ") for line in run.stdout.splitlines()]
    assert len(told) == 25
    causes = {cause for verdict, cause in told if verdict == "UNKNOWN"}
    assert "MEMORY" in causes
    assert causes <= {"MEMORY", "NODES", "INCOMPLETE"}
