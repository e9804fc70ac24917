"""What a worker does, done in this process."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import solvent
from solvent.batch.records import Outcome, ReadAs, Reading, Source, Task, is_traceback, unpack
from solvent.batch.rows import reason_from
from solvent.batch.settings import Limits, Settings, instance_hash
from solvent.batch.workers import work
from solvent.core.answer import Answer
from solvent.proof.certificate import decode_certificate
from solvent.reading import format_problem

BOARD = format_problem(solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=7))


pytestmark = pytest.mark.usefixtures("hostile_domain")


def read(*sources: Source, **rules: str) -> list[Reading]:
    return work.read_batch(work.ReadOrder(sources, rules, 60.0, 1_000.0))


def read_text(text: str, domain: str | None = None) -> Reading:
    return read(Source(0, "a name", text=text, domain=domain))[0]


def task(text: str, question: str = "solvable") -> Task:
    reading = read_text(text)
    assert reading.instance is not None
    return Task(f"key of {text}", reading.instance, question, "a name", "1.0")


def solve(*tasks: Task, settings: Settings = Settings(limits=Limits(seconds=5))) -> list[Outcome]:  # noqa: B008
    return work.solve_batch(work.SolveOrder(tasks, settings, 1_000.0))


# Reading


def test_an_instance_is_read_into_its_first_format() -> None:
    reading = read_text(f"\n{BOARD}\n\n")
    assert (reading.read_as, reading.message) == (ReadAs.INSTANCE, "")
    assert reading.instance is not None
    assert (reading.instance.domain, reading.instance.size) == ("harmony", 6)
    assert unpack(reading.instance.packed).decode() == BOARD
    assert reading.instance.hash == instance_hash("harmony", BOARD)


def test_two_texts_that_say_the_same_are_one_instance() -> None:
    assert read_text(BOARD).instance == read_text(BOARD.replace("\n", "\r\n")).instance


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(BOARD)
    (reading,) = read(Source(3, "board", path=str(path)))
    assert reading.source.number == 3
    assert reading.instance == read_text(BOARD).instance


@pytest.mark.parametrize(
    ("source", "read_as", "message"),
    [
        (Source(0, "n", text="my notes"), ReadAs.UNRECOGNISED, "an instance of one of"),
        (Source(0, "n", text=" \n"), ReadAs.UNRECOGNISED, "empty"),
        (Source(0, "n", text="HOSTILE dance"), ReadAs.UNREADABLE, "n, line 1: expected a behaviour, found 'dance'"),
        (Source(0, "n", text="my notes", domain="harmony"), ReadAs.UNREADABLE, "n, line 1: expected a section"),
        (Source(0, "n", path="/nowhere/at/all.txt"), ReadAs.UNREADABLE, "No such file"),
        (Source(0, "n", problem="line 3: expected JSON"), ReadAs.UNREADABLE, "line 3: expected JSON"),
        (Source(0, "n", text="HOSTILE read-bug"), ReadAs.BUG, "Traceback"),
        (Source(0, "n", text="HOSTILE read-recurse"), ReadAs.UNREADABLE, "nested too deeply"),
    ],
    ids=lambda value: value.text or value.path or value.problem if isinstance(value, Source) else "",
)
def test_what_cannot_be_read_is_told(source: Source, read_as: ReadAs, message: str) -> None:
    (reading,) = read(source)
    assert (reading.read_as, reading.instance) == (read_as, None)
    assert message in reading.message


def test_one_that_is_broken_does_not_touch_the_others() -> None:
    texts = ["HOSTILE yes", "HOSTILE read-bug", "prose", BOARD]
    readings = read(*(Source(number, "n", text=text) for number, text in enumerate(texts)))
    assert [reading.source.number for reading in readings] == [0, 1, 2, 3]
    assert [reading.instance is not None for reading in readings] == [True, False, False, True]


def test_running_out_of_memory_is_left_to_the_guard() -> None:
    with pytest.raises(MemoryError):
        read_text("HOSTILE read-memory-error")
    with pytest.raises(MemoryError):
        solve(task("HOSTILE memory-error"))


def test_a_message_is_always_valid_text() -> None:
    (reading,) = read(Source(0, "n", path="/nowhere/\udcff.txt"))
    reading.message.encode()


def test_rules_go_to_the_domains_that_have_them() -> None:
    dungeon = next(iter(solvent.examples("dungeon"))).text
    as_it_is, with_keys = (read(Source(0, "n", text=dungeon), **rules)[0].instance for rules in ({}, {"keys": "3"}))
    assert as_it_is is not None
    assert with_keys is not None
    assert as_it_is.hash != with_keys.hash
    assert "keys=3" in unpack(with_keys.packed).decode()
    (board,) = read(Source(0, "n", text=BOARD), keys="3")
    assert board.instance == read_text(BOARD).instance


# Solving


def test_an_outcome_holds_all_of_the_answer() -> None:
    asked = task(BOARD)
    (outcome,) = solve(asked)
    answer = solvent.ask(solvent.parse(BOARD))
    assert (outcome.key, outcome.question, outcome.verdict) == (asked.key, "solvable", "YES")
    assert outcome.certificate is not None
    certificate = decode_certificate(unpack(outcome.certificate))
    assert certificate == answer.certificate
    solvent.check(solvent.parse(BOARD), certificate)
    assert (outcome.form, outcome.certified) == (certificate["form"], True)
    assert (outcome.cause, outcome.detail, outcome.error) == (None, "", "")
    assert outcome.length == len(certificate["plan"])
    assert outcome.seconds > 0
    assert outcome.cpu_seconds > 0
    assert outcome.finished > 0
    assert "cores" in outcome.machine


def test_unknown_comes_with_its_cause_and_its_reason() -> None:
    (outcome,) = solve(task("HOSTILE soft"), settings=Settings(limits=Limits(seconds=None, nodes=3)))
    assert (outcome.verdict, outcome.cause, outcome.certified) == ("UNKNOWN", "NODES", False)
    assert reason_from(outcome.cause, outcome.detail) == solvent.ask(solvent.parse("HOSTILE soft"), nodes=3).reason


def test_options_and_proof_reach_the_solver() -> None:
    settings = Settings(limits=Limits(seconds=5), options={"hostile": {"manner": "fancy"}, "harmony": {"solver": "x"}})
    (outcome,) = solve(task("HOSTILE no"), settings=settings)
    assert outcome.stats["manner"] == "fancy"
    assert outcome.because == "It says no."


@pytest.mark.parametrize(
    ("behaviour", "word"),
    [("bug", "KeyError"), ("lie", "UnsoundAnswer"), ("check-bug", "KeyError"), ("recurse", "Rec")],
)
def test_a_bug_is_told_with_its_traceback_and_is_no_verdict(behaviour: str, word: str) -> None:
    outcomes = solve(task(f"HOSTILE {behaviour}"), task("HOSTILE yes"))
    assert [outcome.verdict for outcome in outcomes] == [None, "YES"]
    assert is_traceback(outcomes[0].error)
    assert word in outcomes[0].error


def test_an_option_that_the_solver_refuses_is_no_bug() -> None:
    settings = Settings(limits=Limits(seconds=5), options={"hostile": {"pace": 3}})
    (outcome,) = solve(task("HOSTILE yes"), settings=settings)
    assert outcome.verdict is None
    assert outcome.error
    assert not is_traceback(outcome.error)


def test_orders_and_results_travel() -> None:
    order = work.SolveOrder((task(BOARD), task("HOSTILE bug")), Settings(), 1_000.0)
    assert pickle.loads(pickle.dumps(order)) == order
    outcomes = work.solve_batch(order)
    assert pickle.loads(pickle.dumps(outcomes)) == outcomes
    readings = read(Source(0, "n", text=BOARD), Source(1, "n", text="prose"))
    assert pickle.loads(pickle.dumps(readings)) == readings


# Loading


def test_a_solver_is_loaded_once_for_each_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_loaded", set())
    asked: list[tuple[str, bool]] = []
    ask = work.asking.ask

    def note(problem: object, question: str, **more: Any) -> Answer:
        asked.append((question, more["budget"].nodes == work.NODES_TO_LOAD))
        return ask(problem, question, **more)

    monkeypatch.setattr(work.asking, "ask", note)
    solve(task("HOSTILE yes"), task("HOSTILE no"))
    assert asked == [("solvable", True), ("solvable", False), ("solvable", False)]
    solve(task("HOSTILE yes", "unique"))
    assert asked[3:] == [("unique", True), ("unique", False)]


def test_an_example_that_breaks_its_solver_keeps_nobody_from_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_loaded", set())
    ask = work.asking.ask
    tried: list[str] = []

    def fail_at_first(problem: object, question: str, **more: Any) -> Answer:
        tried.append(question)
        if len(tried) == 1:
            raise KeyError("a bug")
        return ask(problem, question, **more)

    monkeypatch.setattr(work.asking, "ask", fail_at_first)
    assert solve(task("HOSTILE yes", "unique"))[0].verdict == "YES"
    assert tried == ["unique", "unique"], "the example, then the instance"
