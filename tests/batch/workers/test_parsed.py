"""A worker asks about what it read, as long as that is what the store keeps."""

from __future__ import annotations

import pytest

import solvent
from solvent.batch.records import Source, Task
from solvent.batch.settings import Settings
from solvent.batch.workers import parsed, work

BOARD = solvent.format(solvent.generate("harmony", rows=3, cols=3, swaps=4, seed=1))


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "_kept", {})
    monkeypatch.setattr(parsed, "_length", 0)
    return


def read(text: str, **rules: str) -> Task:
    order = work.ReadOrder((Source(0, "a", text=text, domain="harmony"),), rules, 60.0, 1000.0)
    (reading,) = work.read_batch(order)
    assert reading.instance is not None
    return Task("key", reading.instance, "solvable", "a", "1")


def solve(task: Task) -> tuple[object, ...]:
    (outcome,) = work.solve_batch(work.SolveOrder((task,), Settings(), 1000.0))
    return outcome.verdict, outcome.certificate


def test_what_was_read_is_asked_about_once() -> None:
    task = read(BOARD)
    first = solve(task)
    assert parsed.take(task.instance.hash) is None
    assert solve(task) == first  # parsed again


def test_another_spelling_is_parsed_from_what_is_stored() -> None:
    task = read(f"# a remark\n{BOARD}")
    assert task.instance.hash == read(BOARD).instance.hash
    parsed.take(task.instance.hash)
    read(f"# a remark\n{BOARD}")
    assert parsed.take(task.instance.hash) is None


def test_the_oldest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "MAX_TEXT", 2 * len(BOARD))
    boards = [solvent.format(solvent.generate("harmony", rows=3, cols=3, swaps=4, seed=seed)) for seed in range(4)]
    hashes = [read(board).instance.hash for board in boards]
    assert parsed.take(hashes[0]) is None
    assert parsed.take(hashes[-1]) is not None
