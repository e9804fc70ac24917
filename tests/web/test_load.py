"""Many people at once: no wrong answer, nothing worse than a request to come back, and the page still answers.

How long it takes is measured by `python -m benchmarks web`; nothing here looks at a time.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import web
from benchmarks.__main__ import main
from benchmarks.web_load import Reply, all_tasks, find_wrong, run_load
from benchmarks.web_table import show_web
from click.testing import CliRunner
from rich.console import Console

from helpers.processes import descendants
from web.calling import serving_with


def test_two_hundred_at_once_are_answered_rightly_or_asked_back(workbench: str) -> None:
    probes, replies, _ = web.measure_busy(workbench, requests=300, at_once=200)
    assert len(replies) == 300
    assert find_wrong(replies) == []
    assert {status for _, status, _ in probes} <= {200, 503}
    assert sum(status == 200 for _, status, _ in probes) > len(web.make_probes())


@pytest.mark.slow
def test_the_server_process_does_not_grow() -> None:
    with serving_with(jobs=2) as (server, address):
        run_load(address, at_once=16, requests=200)
        held = web.measure_memory(server.pid, address, 2_000)
    assert held[-1] - held[0] < 20, held


def test_no_descriptors_or_processes_are_left_over(workbench: str) -> None:
    jobs, quick_jobs, starters = 2, 1, 2  # each of the two kinds has a process that starts its workers
    with serving_with(jobs=jobs, quick_jobs=quick_jobs) as (server, address):
        run_load(address, at_once=8, requests=40)

        def in_use() -> tuple[int, int]:
            return len(os.listdir(f"/proc/{server.pid}/fd")), len(descendants(server.pid))

        before = in_use()
        run_load(address, at_once=8, requests=80)
        after = in_use()
    assert after[0] <= before[0] + 8  # connections that are just being closed
    assert before[1] <= after[1] <= jobs + quick_jobs + starters  # a busy machine may start the last one late


def test_wrong_answers_would_be_seen() -> None:
    task = next(task for task in all_tasks() if task.verb == "ask")
    lie = b'{"verdict": "%s", "question": "%s", "certificate": {}}'
    question = task.body["question"].encode()
    other = b"NO" if task.expected == "YES" else b"YES"
    assert task.expected is not None
    for data, status in (
        (lie % (other, question), 200),
        (lie % (task.expected.encode(), question), 200),
        (b"{}", 500),
        (b'{"verdict": "UNKNOWN", "reason": "tired", "question": "%s"}' % question, 200),
    ):
        assert len(find_wrong([Reply(task, status, data, 0.0, 0)])) == 1
    hints = replace(task, verb="hints", expected=None)
    assert find_wrong([Reply(hints, 200, b'{"hints": []}', 0.0, 0)])
    assert find_wrong([Reply(hints, 200, b'{"hints": [{}]}', 0.0, 0)]) == []


def test_the_report_shows_what_was_measured() -> None:
    task = all_tasks()[0]
    replies = [Reply(task, 500, b"{}", 0.5, 2)]
    measured = [("/", 200, 0.001), ("/", 200, 0.004), ("/", 500, 0.002)]
    results = web.report(measured[:1], measured, replies, 2.0, [40.0, 41.0], at_once=3)
    assert results["summary"][0]["busy"] == {"median": 2.0, "p95": 4.0, "max": 4.0}
    assert results["load"]["turned_away"] == 2
    assert len(results["wrong"]) == 2
    console = Console(record=True, width=100, file=open(os.devnull, "w"))  # noqa: SIM115
    show_web(console, results)
    shown = console.export_text()
    assert "40 → 41" in shown
    assert "WRONG" in shown


@pytest.mark.slow
def test_the_benchmark_runs(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["web", "--quick", "--requests", "40", "--json", str(tmp_path / "web.json")])
    assert ran.exit_code == 0, ran.output
    assert "Every answer was right" in ran.output
