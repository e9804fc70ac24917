"""Whatever a file may hold gets an answer or an UNKNOWN with a reason: no crash, no gigabytes, no deaf search."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import solvent
from solvent.core.answer import Answer, Cause, Verdict
from solvent.harmony.checker import violations
from solvent.harmony.generator import COLOUR_NAMES, generate
from solvent.harmony.model import MAX_COLS, MAX_MOVES, MAX_ROWS, Board
from solvent.harmony.notation import format_board, parse_board
from solvent.harmony.positions import format_cell
from solvent.proof.certificate import make_certificate

PARTS = ("portfolio", "dfs", "annealing", "order", "layers")
MEGABYTES = 800


def home_board(rows: int, cols: int, moves: tuple[int, ...]) -> Board:
    """Return a board with every tile home and these moves."""
    return Board(rows, cols, COLOUR_NAMES[:rows], tuple(cell // cols for cell in range(rows * cols)), moves)


LARGE: dict[str, Callable[[], Board]] = {
    "the largest": lambda: home_board(MAX_ROWS, MAX_COLS, (MAX_MOVES,) * (MAX_ROWS * MAX_COLS)),
    "the widest": lambda: home_board(1, MAX_COLS, (*((MAX_MOVES,) * (MAX_COLS - 1)), 0)),
    "the tallest": lambda: home_board(MAX_ROWS, 1, (MAX_MOVES,) * MAX_ROWS),
    "one huge count": lambda: home_board(2, 2, (MAX_MOVES, 1, 1, 1)),
    "two huge counts": lambda: home_board(2, 2, (MAX_MOVES, MAX_MOVES, 1, 1)),
    "100,000 swaps": lambda: generate(rows=26, cols=99, swaps=100_000, seed=1),
    "100,000 swaps on few cells": lambda: generate(rows=15, cols=15, swaps=100_000, seed=1),
    "many tiles, few swaps": lambda: generate(rows=26, cols=99, swaps=60, seed=1),
}


def assert_sound(answer: Answer) -> None:
    if answer.verdict is Verdict.UNKNOWN:
        assert answer.reason is not None
        assert answer.reason.cause in (Cause.NODES, Cause.TIME, Cause.MEMORY, Cause.INCOMPLETE)
    else:
        assert answer.certified


@pytest.mark.parametrize("name", LARGE)
def test_a_large_board_is_answered_or_unknown(name: str):
    assert_sound(solvent.ask(LARGE[name](), nodes=300, megabytes=MEGABYTES))


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", LARGE)
def test_every_part_survives_a_large_board(name: str, part: str):
    assert_sound(solvent.ask(LARGE[name](), nodes=2000, megabytes=MEGABYTES, solver=part))


@pytest.mark.parametrize("name", LARGE)
def test_a_large_board_can_be_written_and_read(name: str):
    board = LARGE[name]()
    assert parse_board(format_board(board)) == board


def test_what_is_plain_to_see_is_seen_on_the_largest_boards():
    moves = [0] * (MAX_ROWS * MAX_COLS)
    moves[0] = 1
    assert solvent.ask(home_board(MAX_ROWS, MAX_COLS, tuple(moves))).certificate["rule"] == "odd moves"
    moves[1] = 1
    assert solvent.ask(home_board(MAX_ROWS, MAX_COLS, tuple(moves))).certificate["plan"] == ["A1-A2"]
    assert solvent.ask(LARGE["one huge count"]()).certificate["rule"] == "component maximum"


CHILD = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (6_000_000_000, 6_000_000_000))
import solvent
from harmony.test_large_boards import LARGE, MEGABYTES
for name in ("the largest", "100,000 swaps", "many tiles, few swaps"):
    for part in ("portfolio", "order", "annealing"):
        answer = solvent.ask(LARGE[name](), nodes=200, megabytes=MEGABYTES, solver=part)
        print(name, part, answer.verdict, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000, sep=":")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does")
def test_a_limit_on_memory_is_kept(project):
    run = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(project / folder) for folder in ("src", "tests"))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = [line.split(":") for line in run.stdout.splitlines()]
    assert len(told) == 9
    assert max(int(megabytes) for *_, megabytes in told) < 3 * MEGABYTES


def test_a_certificate_that_asks_for_too_much_is_refused():
    """Rather than written down: the checker never builds what would not fit."""
    board = LARGE["the largest"]()
    cells = [format_cell(cell, MAX_COLS) for cell in range(MAX_ROWS * MAX_COLS)]
    body = {"component": cells, "forced": [], "proof": "0"}
    claim = make_certificate("harmony", "solvable", Verdict.NO, "refutation", most_moves=MAX_MOVES, **body)
    [violation] = violations(board, claim)
    assert violation.startswith("expected at most")
    moves = [2] * (MAX_ROWS * MAX_COLS)
    moves[:3] = (40, 40, 40)
    claim["most_moves"] = 40
    few = home_board(MAX_ROWS, MAX_COLS, tuple(moves))
    assert violations(few, claim)[0].startswith("expected at most")
