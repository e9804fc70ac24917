"""`solvent.validate`: many instances from Python."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import solvent
from batch.faults_corpus import write_files
from batch.hostile.hostile_domain import Hostility
from helpers.processes import children_of, looking
from solvent.batch.library import sources_of
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run, rows, runs
from solvent.core.answer import Cause
from solvent.core.errors import BadOption, StoreError

TEXTS = [f"HOSTILE yes #{number}" for number in range(6)]


@pytest.fixture(autouse=True)
def _hostile(hostile_domain: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    before = set(children_of(os.getpid()))
    yield
    for _ in looking():
        left = set(children_of(os.getpid())) - before
        if not left:
            return
    raise AssertionError(f"workers go on when nobody wants them: {left}")


def test_problems_files_and_folders_each_get_their_answer(tmp_path: Path) -> None:
    boards = [solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=seed) for seed in range(3)]
    write_files(tmp_path / "levels", ["HOSTILE yes", "HOSTILE no", "HOSTILE dance", "my notes", "HOSTILE bug"])
    file = tmp_path / "alone.txt"
    file.write_text("HOSTILE unknown\n")
    results = list(solvent.validate([*boards[:2], "levels", file, boards[2]], jobs=1, seconds=20))
    by_number = {result.number: result for result in results}
    assert sorted(by_number) == list(range(9))
    assert [by_number[number].name for number in (0, 1, 2, 8)] == ["#0", "#1", "levels/0000.txt", "#8"]
    assert by_number[7].name == str(file)
    found = {
        number: None if result.answer is None else str(result.answer.verdict) for number, result in by_number.items()
    }
    assert found == {
        0: "YES", 1: "YES", 2: "YES", 3: "NO", 4: None, 5: None, 6: None, 7: "UNKNOWN", 8: "YES",
    }  # fmt: skip
    assert "expected a behaviour, found 'dance'" in (by_number[4].error or "")
    assert "an instance of one of" in (by_number[5].error or "")
    assert "KeyError" in (by_number[6].error or "")
    assert all(result.error is None for number, result in by_number.items() if number not in (4, 5, 6))
    for number, board in ((0, boards[0]), (1, boards[1]), (8, boards[2])):
        answer = by_number[number].answer
        assert answer is not None
        assert answer.certificate is not None
        solvent.check(board, answer.certificate)
        assert answer.certificate == solvent.ask(board).certificate
        assert answer.status == solvent.ask(board).status


def instances() -> list[Hostility]:
    """Return six that answer at once."""
    return [solvent.parse(text) for text in TEXTS]


def test_a_store_keeps_the_answers_and_knows_them_the_next_time(tmp_path: Path) -> None:
    given = [*instances(), instances()[0]]
    first = list(solvent.validate(given, jobs=1, store="kept.db"))
    again = list(solvent.validate(given, jobs=1, store=Path("kept.db")))
    assert not any(result.known for result in first if result.number < 6)
    assert all(result.known for result in again)
    for one, other in zip(*(sorted(each, key=lambda result: result.number) for each in (first, again)), strict=True):
        assert one.answer == other.answer
    with Store.open("kept.db", read_only=True) as store:
        assert [run.state for run in runs(store)] == ["finished", "finished"]
        assert sum(1 for _ in rows(store, newest_run(store).id)) == 7


def test_what_kills_its_worker_is_unknown_and_says_why() -> None:
    expected = {
        "HOSTILE crash": "killed (worker died twice: SIGSEGV)",
        "HOSTILE yes": "None",
        "HOSTILE exit 5": "killed (worker died twice: exit code 5)",
    }
    results = list(solvent.validate(map(solvent.parse, expected), jobs=2))
    # Alone, since on a busy machine the others might take as long.
    (endless,) = solvent.validate([solvent.parse("HOSTILE loop")], jobs=1, seconds=1, kill_after=1.5)
    answers = [result.answer for result in [*sorted(results, key=lambda result: result.number), endless]]
    assert [str(answer.verdict) for answer in answers] == ["UNKNOWN", "YES", "UNKNOWN", "UNKNOWN"]
    assert [str(answer.reason) for answer in answers] == [*expected.values(), "killed (over 1.5 s)"]
    assert {answer.reason.cause for answer in answers if answer.reason} == {Cause.KILLED}


def test_questions_limits_and_options_are_passed_on() -> None:
    given = [solvent.parse("HOSTILE soft"), solvent.parse("HOSTILE yes")]
    results = list(solvent.validate(given, ask="unique,solvable", seconds=None, nodes=2, jobs=1, manner="fancy"))
    assert {(result.number, result.answer.question) for result in results} == {
        (number, question) for number in (0, 1) for question in ("unique", "solvable")
    }
    reasons = {str(result.answer.reason) for result in results if result.number == 0}
    assert reasons == {str(solvent.ask(given[0], nodes=2).reason)}
    assert {result.answer.stats["manner"] for result in results if result.number == 1} == {"fancy"}


def test_they_come_while_others_are_still_being_made() -> None:
    """A source without end is no obstacle, and whoever has seen enough just leaves."""
    made = itertools.count()
    endless = (solvent.parse(f"HOSTILE yes #{number}") for number in made)
    for count, result in enumerate(solvent.validate(endless, jobs=2), start=1):
        assert str(result.answer.verdict) == "YES"
        if count == 100:
            break
    assert next(made) < 20_000


def test_leaving_early_keeps_what_was_answered() -> None:
    results = solvent.validate(instances(), jobs=1, store="kept.db")
    next(results)
    results.close()
    with Store.open("kept.db", read_only=True) as store:
        assert newest_run(store).state == "interrupted"
        assert any(row.verdict == "YES" for row in rows(store, newest_run(store).id))
    again = list(solvent.validate(instances(), jobs=1, store="kept.db"))
    assert any(result.known for result in again)
    assert len(again) == len(TEXTS)


def test_another_corpus_does_not_continue_an_interrupted_run() -> None:
    results = solvent.validate([*instances(), solvent.parse("HOSTILE slow 60")], jobs=1, store="kept.db")
    next(results)
    results.close()
    with Store.open("kept.db", read_only=True) as store:
        before = [(row.name, row.instance, row.verdict) for row in rows(store, newest_run(store).id)]
    list(solvent.validate([solvent.parse("HOSTILE no")], jobs=1, store="kept.db"))
    with Store.open("kept.db", read_only=True) as store:
        first, second = sorted(run.id for run in runs(store))
        assert [(row.name, row.instance, row.verdict) for row in rows(store, first)] == before
        assert [row.verdict for row in rows(store, second)] == ["NO"]


def test_what_goes_wrong_where_instances_come_from_is_raised_and_costs_nothing() -> None:
    def broken() -> Iterator[Hostility]:
        yield from instances()
        raise KeyError("a generator of mine")

    with pytest.raises(KeyError, match="a generator of mine"):
        list(solvent.validate(broken(), jobs=1, store="kept.db"))
    with Store.open("kept.db", read_only=True) as store:
        assert newest_run(store).state == "interrupted"


def test_a_strict_run_raises_at_its_end_unless_all_passed(tmp_path: Path) -> None:
    good = list(solvent.validate([Hostility("yes")], jobs=1, strict=True))
    assert [result.error for result in good] == [None]
    run = solvent.validate([Hostility("yes"), Hostility("no"), Hostility("unknown")], jobs=1, strict=True)
    seen = []
    with pytest.raises(solvent.ValidationFailed, match=r"^1 answer did not pass, 1 answer UNKNOWN$") as failure:
        seen.extend(run)
    assert (len(seen), failure.value.failed) == (3, ("fail", "unknown"))
    with pytest.raises(solvent.ValidationFailed, match=r"^no level was found$"):
        list(solvent.validate([], jobs=1, strict=True))
    with pytest.raises(BadOption, match="no instance here has the question 'losable'; hostile has: "):
        list(solvent.validate([Hostility("yes")], ask="losable", jobs=1, strict=True))


def test_it_may_be_called_from_a_thread() -> None:
    results: list[solvent.Result] = []
    thread = threading.Thread(target=lambda: results.extend(solvent.validate(instances()[:2], jobs=1)))
    thread.start()
    thread.join()
    assert [str(result.answer.verdict) for result in results if result.answer is not None] == ["YES", "YES"]


SCRIPT = """
import solvent

boards = [solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=seed) for seed in range(3)]
for result in solvent.validate(boards, jobs=1):
    print(result.name, result.answer.verdict)
print("the end")
"""


def test_a_script_needs_no_guard_around_its_main_part(tmp_path: Path) -> None:
    """Where workers imported the script, they would start workers of their own, and so on."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert sorted(ran.stdout.splitlines()) == ["#0 YES", "#1 YES", "#2 YES", "the end"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"ask": "winnable"}, "unknown question"),
        ({"pace": 3}, "unknown option"),
        ({"seconds": -1}, "seconds"),
        ({"jobs": 0}, "jobs"),
        ({"kill_after": 0}, "kill after"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(given: dict[str, object], problem: str) -> None:
    with pytest.raises(BadOption, match=problem):
        list(solvent.validate(instances(), **given))


def test_one_path_alone_is_refused() -> None:
    with pytest.raises(BadOption, match=r"expected several, such as \[path\], found 'levels'"):
        list(solvent.validate("levels"))


def test_a_path_that_is_not_there_is_told_and_costs_nobody_else() -> None:
    first, second = sorted(solvent.validate(["nowhere", instances()[0]], jobs=1), key=lambda result: result.number)
    assert (first.name, first.answer) == ("nowhere", None)
    assert "nowhere" in (first.error or "")
    assert second.answer is not None
    assert str(second.answer.verdict) == "YES"


def test_a_store_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("my notes")
    with pytest.raises(StoreError, match="not a store"):
        list(solvent.validate(instances(), store="notes.db"))


def test_numbers_count_every_file_of_a_folder(tmp_path: Path) -> None:
    write_files(tmp_path / "levels", ["HOSTILE yes", "HOSTILE no"])
    sources = list(sources_of([instances()[0], "levels", instances()[1]]))
    assert [source.name for source in sources] == ["#0", "levels/0000.txt", "levels/0001.txt", "#3"]
