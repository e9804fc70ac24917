"""The public boards: all but one can be solved, and that one is a wrong transcription."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from harmony.brute_force import plan_solves
from solvent.core.answer import Verdict

pytestmark = pytest.mark.corpus

NODES = 20_000_000
MISCOUNTED = "puzzle_404"


@pytest.fixture(scope="module")
def boards(corpora: Path) -> dict[str, Path]:
    files = {path.stem: path for path in sorted((corpora / "harmony").glob("*.txt"))}
    if not files:
        pytest.skip(f"no Harmony boards in {corpora}")
    return files


def test_every_board_is_solved_with_a_plan(boards: dict[str, Path]):
    for name, path in boards.items():
        if name == MISCOUNTED:
            continue
        board = solvent.load(path)
        answer = solvent.ask(board, nodes=NODES)
        assert answer.verdict is Verdict.YES, name
        assert len(answer.certificate["plan"]) == board.swaps
        assert plan_solves(board, answer.certificate["plan"]), name


def test_the_board_with_miscounted_colours_is_refused_for_that(boards: dict[str, Path]):
    if MISCOUNTED not in boards:
        pytest.skip(f"no {MISCOUNTED} among the Harmony boards")
    answer = solvent.ask(solvent.load(boards[MISCOUNTED]), nodes=0)
    assert answer.verdict is Verdict.NO
    assert (answer.certificate["form"], answer.certificate["rule"]) == ("invariant", "colour count")
