"""The batch benchmark: that corpora are what they say, that figures follow from the runs, that nothing is hidden."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import batch, batch_alternative, batch_runs, batch_table
from benchmarks.__main__ import main
from benchmarks.batch import Corpus, Plan
from benchmarks.batch_runs import BatchRun, Solved, Used
from click.testing import CliRunner
from rich.console import Console

import solvent

TINY = Corpus("tiny boards", "solvable", 60, batch.make_boards)
USED = Used(
    seconds=10.0, cpu_seconds=12.0, leader_cpu_seconds=1.0, samples=[(100.0, 30.0), (104.9, 31.0), (110.0, 32.0)]
)
RUN = BatchRun(2, USED, [Solved(100.0 + number / 10, 0.15, 0.1) for number in range(101)], reading_seconds=1.01)
"""A hundred and one answers, ten a second by two workers who need 0.15 s each; the first after an instant."""
START = BatchRun(2, replace(USED, seconds=1.0, cpu_seconds=1.0, leader_cpu_seconds=0.5), [Solved(100.0, 0.1, 0.1)])


def test_boards_and_puzzles_are_solvable_and_no_two_are_alike() -> None:
    for texts, question in (
        (list(batch.make_boards(30)), "solvable"),
        (list(batch.make_puzzles(5, 1, 20)), "unique"),
    ):
        assert len(set(texts)) == len(texts)
        for text in texts:
            problem = solvent.parse(text)
            assert solvent.format(problem) == text, "it is written as the store will know it"
            assert str(solvent.ask(problem, question).verdict) == "YES"


def test_turning_and_mirroring_gives_eight() -> None:
    rows = ["ABC", "DEF", "GHI"]
    turned = list(batch._turned_and_mirrored(rows))
    assert len(set(turned)) == batch.SYMMETRIES
    assert turned[:3] == ["ABC\nDEF\nGHI", "CBA\nFED\nIHG", "GDA\nHEB\nIFC"]


def test_the_figures_of_a_run() -> None:
    assert RUN.rate == 10.1
    assert RUN.steady_rate == pytest.approx(10.0)
    shares = RUN.steady_shares
    assert shares["solving"] == pytest.approx(0.75)
    assert shares["reading"] == pytest.approx(0.05)
    assert shares["rest"] == pytest.approx(0.2)
    assert RUN.rest == pytest.approx(1 - (101 * 0.15 + 1.01) / 20)
    assert RUN.megabytes_at([0.1, 0.5, 1.0]) == [30.0, 31.0, 32.0]
    assert replace(RUN, used=replace(USED, samples=[])).megabytes_at([1.0]) is None


def test_a_row_does_not_count_what_starting_costs() -> None:
    row = batch.describe_small(TINY, RUN, START, replace(USED, cpu_seconds=2.0), replace(USED, cpu_seconds=1.0), USED)
    assert row["leader_us_an_answer"] == pytest.approx(0.5 / 100 * 1e6)
    assert row["cpu_beside_solving"] == pytest.approx(1 - 10.0 / 11.0)
    assert row["again_us_an_instance"] == pytest.approx(1.0 / 100 * 1e6)
    assert (row["peer_ratio"], row["peer_cpu_ratio"]) == (1.0, 1.0)


def test_an_answer_that_is_missing_is_told() -> None:
    row = {"corpus": "boards", "jobs": 2, "instances": 100, "answered": [100, 99]}
    results = batch.report([row], [{**row, "answered": [100]}])
    assert results["wrong"] == ["boards with 2 at once: 100 instances, 99 answers"]


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match=r"exit code 3: no such luck"):
        batch_runs.measure([sys.executable, "-c", "import sys; sys.stderr.write('no such luck'); sys.exit(3)"])


def test_processor_time_counts_what_the_command_starts() -> None:
    spin = "import time\nwhile time.process_time() < 0.3: pass"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"
    used = batch_runs.measure([sys.executable, "-c", start])
    assert used.cpu_seconds >= 0.3
    assert used.leader_cpu_seconds is None or used.leader_cpu_seconds < used.cpu_seconds


def test_what_the_machine_gives_is_counted_over_all_processes() -> None:
    assert batch_runs.spin(2, 0.05) > 0


def test_the_peer_answers_the_same(tmp_path: Path) -> None:
    folder = batch.write_corpus(TINY, tmp_path / "corpus", 5)
    assert batch_alternative.ask_about_all(folder, "solvable", 1) == 5


def test_a_run_is_measured_from_outside_and_from_its_store(tmp_path: Path) -> None:
    folder = batch.write_corpus(TINY, tmp_path / "corpus", 12)
    run = batch_runs.validate(folder, "solvable", 1, tmp_path / "validation.db")
    assert len(run.solved) == 12
    assert run.reading_seconds > 0
    assert 0 < run.solving_cpu_seconds < run.used.cpu_seconds
    assert [one.finished for one in run.solved] == sorted(one.finished for one in run.solved)
    assert run.rest < 1
    if sys.platform == "linux":
        assert run.used.leader_cpu_seconds is not None
        assert min(run.megabytes_at([0.5, 1.0]) or [0]) > 1


@pytest.mark.slow
def test_everything_is_measured_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real thing, small."""
    monkeypatch.setattr(batch, "FEW", 5)
    monkeypatch.setattr(batch, "SPIN_SECONDS", 0.1)
    plan = Plan(scaling=TINY, rounds=1, small=(replace(TINY, count=30),), jobs=(1, 2))
    monkeypatch.setattr(batch, "make_plan", lambda *, quick: plan)
    out = tmp_path / "batch.json"
    ran = CliRunner().invoke(main, ["batch", "--quick", "--json", str(out)])
    assert ran.exit_code == 0, ran.output
    for words in (
        "Scaling",
        "Small instances",
        "The same again",
        "Megabytes",
        "Every instance of every run was answered",
    ):
        assert words in ran.output
    results = json.loads(out.read_text())
    assert [row["jobs"] for row in results["scaling"]] == [1, 2]
    assert [row["answered"] for row in results["small"]] == [[30], [30]]
    assert results["scaling"][0]["ratio"] == 1.0
    assert results["machine"]["cores"]


def test_tables_fit_and_say_what_is_wrong() -> None:
    scaling = {
        "corpus": "Star Battle 10-2", "jobs": 2, "instances": 1_600, "answered": [1_600], "seconds": [10.3, 12.9],
        "rate": 155.1, "ratio": 1.83, "steady_ratio": 1.9, "machine_ratio": 1.97, "cpu_ms_an_answer": 12.3,
    }  # fmt: skip
    small = batch.describe_small(replace(TINY, name="Star Battle 8-1", count=10_000), RUN, START, USED, USED, USED)
    console = Console(width=100, highlight=False, file=io.StringIO())
    batch_table.show_batch(console, batch.report([scaling], [small]))
    text = console.file.getvalue()
    assert "10.3 to 12.9" in text
    assert "WRONG: Star Battle 8-1 with 2 at once: 10,000 instances, 101 answers" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 100
