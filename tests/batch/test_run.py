"""The loop that leads a run, with a pool that works in this process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from solvent.batch import run as run_module
from solvent.batch.batch_size import MAX_SOURCES
from solvent.batch.progress import Progress
from solvent.batch.records import ReadAs, Source
from solvent.batch.run import Validated, Validation
from solvent.batch.settings import Limits, RunOptions, Settings
from solvent.batch.store import Store
from solvent.batch.store.paging import tally
from solvent.batch.store.reading import newest_run, rows, runs
from solvent.batch.workers import work
from solvent.batch.workers.jobs import Job, WorkerLost
from solvent.core.errors import StoreError

SETTINGS = Settings(limits=Limits(seconds=5))


pytestmark = pytest.mark.usefixtures("hostile_domain")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "validation.db") as opened:
        yield opened


def sources(*texts: str) -> list[Source]:
    return [Source(number, f"level{number}", text=text) for number, text in enumerate(texts)]


def validate(
    store: Store, given: list[Source], pool: InlinePool | None = None, settings: Settings = SETTINGS, **more: object
) -> list[Validated]:
    with Validation(given, settings, store=store, pool=pool or InlinePool(), options=RunOptions(**more)) as run:
        return list(run)


def verdicts(results: list[Validated]) -> dict[str, str | None]:
    return {result.source.name: result.outcome and result.outcome.verdict for result in results}


def test_every_source_gets_its_result_and_the_store_keeps_it(store: Store):
    results = validate(store, sources("HOSTILE yes", "HOSTILE no", "HOSTILE unknown", "my notes"))
    assert verdicts(results) == {"level0": "YES", "level1": "NO", "level2": "UNKNOWN", "level3": None}
    kept = list(rows(store, newest_run(store).id))
    assert [(row.name, row.verdict, row.certified) for row in kept] == [
        ("level0", "YES", True),
        ("level1", "NO", True),
        ("level2", "UNKNOWN", False),
        ("level3", None, False),
    ]
    assert kept[3].read_as == ReadAs.UNRECOGNISED.value
    assert newest_run(store).state == "finished"


def test_what_is_known_is_not_asked_again(store: Store):
    given = sources("HOSTILE yes #1", "HOSTILE yes #2")
    validate(store, given)
    pool = InlinePool()
    results = validate(store, given, pool)
    assert pool.solved() == []
    assert [result.known for result in results] == [True, True]
    assert [row.verdict for row in rows(store, newest_run(store).id)] == ["YES", "YES"]
    assert len(runs(store)) == 2


def test_other_limits_are_another_question(store: Store):
    given = sources("HOSTILE yes #1")
    validate(store, given)
    pool = InlinePool()
    validate(store, given, pool, Settings(limits=Limits(seconds=6)))
    assert pool.solved() == ["level0"]


def test_equal_instances_are_asked_once(store: Store):
    pool = InlinePool()
    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2", "HOSTILE yes #1"), pool)
    assert sorted(pool.solved()) == ["level0", "level1"]
    assert len(results) == 3
    assert all(result.outcome and result.outcome.verdict == "YES" for result in results)
    assert len(list(rows(store, newest_run(store).id))) == 3


def test_equal_instances_in_a_new_store_are_not_known_before(store: Store):
    """However far apart they stand."""
    texts = [f"HOSTILE yes #{number}" for number in range(300)]
    seen: list[Progress] = []
    results = validate(store, sources(*texts, *texts), listen=seen.append)
    assert len(results) == 600
    assert not any(result.known for result in results)
    assert seen[-1].known == 0


@pytest.mark.parametrize("again", ["unknown", "all"])
def test_equal_instances_are_asked_again_once(store: Store, again: str):
    texts = [f"HOSTILE unknown #{number}" for number in range(100)]
    validate(store, sources(*texts))
    pool = InlinePool()
    validate(store, sources(*texts, *texts), pool, again=again)
    assert len(pool.solved()) == 100


def test_an_answer_that_was_edited_is_asked_again(store: Store):
    given = sources("HOSTILE yes #1", "HOSTILE yes #2")
    validate(store, given)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE answer SET verdict = 'NO' WHERE id = (SELECT min(id) FROM answer)")
    connection.close()
    pool = InlinePool()
    results = validate(store, given, pool)
    assert len(pool.solved()) == 1
    assert all(result.outcome and result.outcome.verdict == "YES" for result in results)


def test_every_question_named_is_asked_where_the_domain_has_it(store: Store):
    results = validate(store, sources("HOSTILE yes"), settings=Settings(questions=("unique", "solvable", "losable")))
    assert [result.question for result in results] == ["unique", "solvable"]
    (nothing,) = validate(store, sources("HOSTILE yes"), settings=Settings(questions=("losable",)))
    assert (nothing.question, nothing.outcome) == (None, None)


def test_a_bug_is_recorded_and_takes_nobody_down(store: Store):
    results = validate(store, sources("HOSTILE bug", "HOSTILE lie", "HOSTILE yes"))
    assert verdicts(results) == {"level0": None, "level1": None, "level2": "YES"}
    errors = [result.outcome.error for result in results if result.outcome and result.outcome.verdict is None]
    assert any("UnsoundAnswer" in error for error in errors)
    assert all("Traceback" in error for error in errors)


def lose_solving(kind: str, *, which: Callable[[tuple[str, ...]], bool], times: int = 1_000) -> Callable[..., object]:
    left = [times]

    def lose(function: object, arguments: tuple[work.SolveOrder, ...]) -> WorkerLost | None:
        if function is not work.solve_batch or not which(tuple(task.name for task in arguments[0].tasks)):
            return None
        left[0] -= 1
        return WorkerLost(kind, "gone", 1.5) if left[0] >= 0 else None

    return lose


def test_a_lost_batch_is_asked_again_one_by_one(store: Store):
    given = sources(*(f"HOSTILE yes #{number}" for number in range(30)))
    lost = []

    def several(names: tuple[str, ...]) -> bool:
        if len(names) > 1:
            lost.append(names)
        return len(names) > 1

    pool = InlinePool(lose=lose_solving("died", which=several))
    results = validate(store, given, pool)
    assert lost, "the kind was measured once, so others of it travelled together"
    assert len(results) == 30
    assert all(result.outcome and result.outcome.verdict == "YES" for result in results)


def test_over_its_limit_alone_is_recorded_as_killed(store: Store):
    pool = InlinePool(lose=lose_solving("time", which=lambda names: names == ("level1",)))
    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2", "HOSTILE yes #3"), pool)
    assert verdicts(results) == {"level0": "YES", "level1": "UNKNOWN", "level2": "YES"}
    (row,) = [row for row in rows(store, newest_run(store).id) if row.name == "level1"]
    assert (row.verdict, row.cause, row.reason, row.seconds) == ("UNKNOWN", "KILLED", "killed (gone)", 1.5)


def test_a_worker_that_died_once_is_forgiven(store: Store):
    pool = InlinePool(lose=lose_solving("died", which=lambda names: names == ("level1",), times=1))
    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2"), pool)
    assert verdicts(results) == {"level0": "YES", "level1": "YES"}
    assert pool.solved().count("level1") == 2
    attempts = {row.name: row.attempts for row in rows(store, newest_run(store).id)}
    assert attempts == {"level0": 1, "level1": 2}


def test_a_worker_that_died_twice_is_recorded(store: Store):
    pool = InlinePool(lose=lose_solving("died", which=lambda names: names == ("level1",)))
    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2"), pool)
    (killed,) = [result.outcome for result in results if result.source.name == "level1"]
    assert killed
    assert (killed.cause, killed.detail) == ("KILLED", "worker died twice: gone")
    assert killed.attempts == 2


def test_what_was_killed_is_asked_again_only_under_wider_limits(store: Store):
    given = sources("HOSTILE yes #1")
    tight, wide = (Settings(limits=Limits(seconds=5, kill_after=kill, kill_above=100)) for kill in (1, 50))
    validate(store, given, InlinePool(lose=lose_solving("time", which=lambda _names: True)), tight)
    same = InlinePool()
    (killed,) = validate(store, given, same, tight)
    assert same.solved() == []
    assert killed.outcome
    assert killed.outcome.cause == "KILLED"
    wider = InlinePool()
    (answered,) = validate(store, given, wider, wide)
    assert wider.solved() == ["level0"]
    assert answered.outcome
    assert answered.outcome.verdict == "YES"
    assert [row.verdict for row in rows(store, newest_run(store).id)] == ["YES"]


def test_a_job_that_fails_in_no_known_way_is_the_bug_of_its_instance(store: Store, monkeypatch: pytest.MonkeyPatch):
    """Such as a result that cannot be sent from one process to another."""
    pool = InlinePool()
    submit = pool.submit

    def fail_sometimes(function: Callable[..., object], *arguments: object, **named: object) -> Job:
        names = [task.name for task in arguments[0].tasks] if function is work.solve_batch else []
        if "level1" in names:
            job = Job()
            job.set_exception(TypeError("cannot be sent"))
            return job
        return submit(function, *arguments, **named)

    monkeypatch.setattr(pool, "submit", fail_sometimes)
    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2", "HOSTILE yes #3"), pool)
    assert verdicts(results) == {"level0": "YES", "level1": None, "level2": "YES"}
    (row,) = [row for row in rows(store, newest_run(store).id) if row.name == "level1"]
    assert "TypeError: cannot be sent" in row.error


def test_a_source_that_kills_its_reader_is_recorded(store: Store):
    def lose(function: object, arguments: tuple[work.ReadOrder, ...]) -> WorkerLost | None:
        if function is work.read_batch and any(source.name == "level1" for source in arguments[0].sources):
            return WorkerLost("died", "SIGSEGV")
        return None

    results = validate(store, sources("HOSTILE yes #1", "HOSTILE yes #2", "HOSTILE yes #3"), InlinePool(lose=lose))
    assert verdicts(results) == {"level0": "YES", "level1": None, "level2": "YES"}
    (row,) = [row for row in rows(store, newest_run(store).id) if row.name == "level1"]
    assert row.read_as == ReadAs.KILLED.value
    assert row.message == "killed while reading (worker died twice: SIGSEGV)"


def test_leaving_early_keeps_what_is_done_and_the_next_run_goes_on(store: Store):
    given = sources(*(f"HOSTILE yes #{number}" for number in range(200)))
    pool = InlinePool()

    def leave_early() -> None:
        with Validation(given, SETTINGS, store=store, pool=pool, options=RunOptions(token="same")) as run:
            for count, _ in enumerate(run):
                if count == 20:
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave_early()
    assert pool.closed is True
    assert newest_run(store).state == "interrupted"
    kept = sum(row.verdict is not None for row in rows(store, newest_run(store).id))
    assert kept >= 20
    again = InlinePool()
    results = validate(store, given, again, token="same")
    assert len(results) == 200
    assert again.closed is False
    assert len(runs(store)) == 1
    assert newest_run(store).state == "finished"
    assert sum(result.known for result in results) == kept
    assert len(again.solved()) == 200 - kept


def test_asked_to_stop_it_ends_with_what_came_back(store: Store):
    given = sources(*(f"HOSTILE yes #{number}" for number in range(200)))
    with Validation(given, SETTINGS, store=store, pool=InlinePool()) as run:
        for count, _ in enumerate(run):
            if count == 10:
                run.stop()
    assert newest_run(store).state == "interrupted"
    assert 10 < sum(row.verdict is not None for row in rows(store, newest_run(store).id)) < 200


@pytest.mark.parametrize(("again", "asked"), [("none", []), ("unknown", ["level1"]), ("all", ["level0", "level1"])])
def test_again_asks_what_it_says(store: Store, again: str, asked: list[str]):
    given = sources("HOSTILE yes", "HOSTILE unknown")
    validate(store, given)
    pool = InlinePool()
    validate(store, given, pool, again=again)
    assert sorted(pool.solved()) == asked
    assert [row.verdict for row in rows(store, newest_run(store).id)] == ["YES", "UNKNOWN"]


def test_reading_stays_only_so_far_ahead(store: Store, monkeypatch: pytest.MonkeyPatch):
    """A generator without end is drawn from only as fast as answers come."""
    monkeypatch.setattr(run_module, "TASKS_AHEAD", 100)
    drawn = [0]

    def endless() -> Iterator[Source]:
        while True:
            yield Source(drawn[0], f"level{drawn[0]}", text=f"HOSTILE yes #{drawn[0]}")
            drawn[0] += 1

    most = 0
    with Validation(endless(), SETTINGS, store=store, pool=InlinePool()) as run:
        for count, _ in enumerate(run):
            most = max(most, drawn[0] - count)
            if count == 2_000:
                run.stop()
    assert most < 2 * 100 + 4 * MAX_SOURCES


def test_progress_counts_what_happened(store: Store):
    seen: list[Progress] = []
    validate(
        store, sources("HOSTILE yes", "HOSTILE no", "notes", "HOSTILE bug", "HOSTILE yes"), total=5, listen=seen.append
    )
    last = seen[-1]
    assert (last.total, last.done, last.answered, last.known) == (5, 5, 4, 0)
    assert last.verdicts == {"YES": 2, "NO": 1, "ERROR": 1}
    assert last.unrecognised == 1
    assert last.solving_seconds > 0


def test_a_store_that_fails_ends_the_run_and_the_pool(store: Store, monkeypatch: pytest.MonkeyPatch):
    def fail() -> None:
        raise StoreError("the disk is full")

    pool = InlinePool()

    def run_until_it_fails() -> None:
        with Validation(sources("HOSTILE yes"), SETTINGS, store=store, pool=pool) as run:
            monkeypatch.setattr(store, "commit", fail)
            list(run)

    with pytest.raises(StoreError, match="disk is full"):
        run_until_it_fails()
    assert pool.closed is True


def test_the_counts_of_a_run_add_up(store: Store):
    validate(store, sources("HOSTILE yes #1", "HOSTILE no #2", "HOSTILE yes #3", "prose"))
    found = {count.kind: (count.rows, count.certified) for count in tally(store, newest_run(store).id)}
    assert found == {"YES": (2, 2), "NO": (1, 1), "UNRECOGNISED": (1, 0)}


def test_whoever_stops_listening_loses_nothing_that_came_back(store: Store):
    given = sources(*(f"HOSTILE yes #{number}" for number in range(100)))
    pool = InlinePool()
    with Validation(given, SETTINGS, store=store, pool=pool) as run:
        for count, _ in enumerate(run):
            if count == 30:
                break
    kept = sum(row.verdict is not None for row in rows(store, newest_run(store).id))
    taken = sum(len(order[1].tasks) for order in pool.orders if order[0] is work.solve_batch)
    assert 30 < kept <= taken
    sizes = [len(order[1].tasks) for order in pool.orders if order[0] is work.solve_batch]
    assert any(sum(sizes[:cut]) == kept for cut in range(len(sizes) + 1)), "whole batches"


def test_equal_instances_that_wait_count_as_read_ahead(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run_module, "TASKS_AHEAD", 20)
    results = validate(store, sources(*["HOSTILE yes #1"] * 500))
    assert len(results) == 500
