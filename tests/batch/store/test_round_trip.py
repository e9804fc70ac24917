"""What is kept in a store is what comes out of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields, replace

from batch.store.making import (
    SETTINGS,
    add,
    begin,
    edit,
    find,
    make_instance,
    make_outcome,
    make_reading,
    make_task,
)
from solvent.batch.columns import COLUMNS, STORED
from solvent.batch.records import Outcome, ReadAs, Reading, Source, Task, pack
from solvent.batch.rows import Row
from solvent.batch.store import Store
from solvent.batch.store import reading as read
from solvent.batch.store.coherence import loose_links
from solvent.batch.store.evidence import answers
from solvent.batch.store.paging import tally
from solvent.batch.store.seals import SEALED
from solvent.core.errors import StoreError

TABLES = ("run", "machine", "instance", "item", "answer", "run_answer")
ODD_NAME = "caf\udce9 \ud83d.txt"
"""What a file name in another encoding than UTF-8 looks like to Python, and half a character."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results" / "validation.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


FULL_OUTCOME = Outcome(
    key="k" * 64,
    question="mate",
    verdict="UNKNOWN",
    cause="KILLED",
    detail="over 400 MB",
    because="It is hard – “very”.",
    form="plan",
    certificate=b"\x00\xff packed",
    stats={"expanded": 12, "share": 0.25, "tests": {"a": {"hits": 3}}, "words": ["é", None, True]},
    expanded=12,
    length=7,
    seconds=1.5,
    cpu_seconds=1.25,
    peak_megabytes=33.5,
    error="Traceback …\n  line\n",
    attempts=2,
    machine="another machine",
    finished=1_700_000_000.125,
)
FULL_READING = Reading(
    Source(3, "shown name", path="folder/a b.txt", line=9),
    ReadAs.INSTANCE,
    replace(make_instance(5), size=81),
    message="",
    remarks=("assumed one thing", "and “another”"),
    seconds=0.0625,
)


def test_every_field_of_an_answer(path: Path) -> None:
    defaults = Outcome("", "", None)
    same = [
        field.name for field in fields(Outcome) if getattr(FULL_OUTCOME, field.name) == getattr(defaults, field.name)
    ]
    assert not same, "each field has a value of its own, or losing it would pass unseen"
    assert FULL_READING.instance is not None
    task = Task(FULL_OUTCOME.key, FULL_READING.instance, "mate", "somebody", "2.0+beef")
    with Store.open(path) as store:
        run = begin(store)
        store.add_reading(run, FULL_READING)
        store.add_outcome(run, task, FULL_OUTCOME)
        store.link(run, FULL_READING.source, task.key)
        store.commit()
        assert find(store, task) == FULL_OUTCOME
    with Store.open(path, read_only=True) as store:
        assert find(store, task) == FULL_OUTCOME
        (row,) = read.rows(store, run.id)
        assert row == Row(
            number=3,
            name="shown name",
            path="folder/a b.txt",
            line=9,
            read_as="instance",
            message="",
            remarks=("assumed one thing", "and “another”"),
            reading_seconds=0.0625,
            instance=FULL_READING.instance.hash,
            domain="chess",
            size=81,
            answer=1,
            question="mate",
            verdict="UNKNOWN",
            cause="KILLED",
            detail="over 400 MB",
            because="It is hard – “very”.",
            certified=True,
            form="plan",
            expanded=12,
            length=7,
            stats=FULL_OUTCOME.stats,
            seconds=1.5,
            cpu_seconds=1.25,
            peak_megabytes=33.5,
            attempts=2,
            error="Traceback …\n  line\n",
            solver="2.0+beef",
            machine="another machine",
            finished=1_700_000_000.125,
            certificate_bytes=len(b"\x00\xff packed"),
        )
        assert read.instance_text(store, FULL_READING.instance.hash) == "board 5"
        (stored,) = answers(store)
        assert stored.certificate == FULL_OUTCOME.certificate
        assert stored.instance.packed == FULL_READING.instance.packed
        assert (stored.id, stored.instance.name) == (1, "shown name")
        assert stored.instance.hash == FULL_READING.instance.hash
        assert stored.budget == '{"seconds":60.0,"nodes":null,"megabytes":null,"proof":true,"options":{}}'


def test_every_field_of_a_source_without_an_instance(store: Store) -> None:
    run = begin(store)
    broken = Source(0, "x", path="x", line=4)
    for number, read_as in enumerate(ReadAs):
        source = replace(broken, number=number)
        store.add_reading(run, Reading(source, read_as, message=f"because of {number}", seconds=0.5))
    store.commit()
    found = list(read.rows(store, run.id))
    assert [(row.number, row.read_as, row.message) for row in found] == [
        (number, read_as.value, f"because of {number}") for number, read_as in enumerate(ReadAs)
    ]
    row = found[1]
    assert (row.instance, row.domain, row.size, row.answer, row.question, row.verdict) == (None,) * 6
    assert (row.certified, row.stats, row.remarks, row.certificate_bytes, row.error) == (False, {}, (), 0, "")
    assert (row.line, row.path, row.reading_seconds) == (4, "x", 0.5)


def test_text_that_is_not_unicode_and_numbers_that_are_too_large(store: Store) -> None:
    run = store.begin_run(SETTINGS, token=ODD_NAME, command=ODD_NAME, solver="1", machine="m")
    instance = make_instance(1)
    task = make_task(instance)
    outcome = make_outcome(
        task, expanded=2**70, length=-(2**63), stats={ODD_NAME: 2**70, "n": 1}, because=ODD_NAME, error=ODD_NAME
    )
    source = Source(0, ODD_NAME, path=ODD_NAME)
    store.add_reading(run, Reading(source, ReadAs.INSTANCE, instance, message=ODD_NAME, remarks=(ODD_NAME,)))
    store.add_outcome(run, task, outcome)
    store.link(run, source, task.key)
    store.commit()
    (row,) = read.rows(store, run.id)
    assert (row.name, row.path, row.message, row.remarks) == (ODD_NAME, ODD_NAME, ODD_NAME, (ODD_NAME,))
    assert (row.because, row.error) == (ODD_NAME, ODD_NAME)
    assert row.stats == {ODD_NAME: 2**70, "n": 1}
    assert row.length == -(2**63)
    assert row.expanded == float(2**70), "rounded, because SQLite has no such numbers"
    assert find(store, task) == replace(outcome, expanded=row.expanded)
    assert read.newest_run(store).command == ODD_NAME


def test_text_with_a_zero_byte(store: Store) -> None:
    run = begin(store)
    store.add_reading(run, Reading(Source(0, "a\0b"), ReadAs.UNREADABLE, message="c\0d"))
    (row,) = read.rows(store, run.id)
    assert (row.name, row.message) == ("a\0b", "c\0d")


def test_the_same_content_is_one_instance_and_one_answer(store: Store) -> None:
    run = begin(store)
    first, second = make_reading(0, content=7), make_reading(1, content=7)
    assert first.instance is not None
    task = make_task(first.instance)
    for reading in (first, second):
        store.add_reading(run, reading)
    assert find(store, task) is None
    store.add_outcome(run, task, make_outcome(task))
    for reading in (first, second):
        store.link(run, reading.source, task.key)
    store.commit()
    rows = list(read.rows(store, run.id))
    assert [row.number for row in rows] == [0, 1]
    assert {row.answer for row in rows} == {1}
    assert len({row.instance for row in rows}) == 1
    assert len(list(answers(store))) == 1


def test_the_first_answer_under_a_key_wins(store: Store) -> None:
    run = begin(store)
    task = make_task(make_instance(1))
    store.add_outcome(run, task, make_outcome(task, "YES"))
    store.add_outcome(run, task, make_outcome(task, "NO"))
    found = find(store, task)
    assert found is not None
    assert found.verdict == "YES"


def test_a_newer_answer_wins_where_it_is_to_and_the_older_run_keeps_its_own(store: Store) -> None:
    reading = make_reading(0)
    assert reading.instance is not None
    task = make_task(reading.instance)
    old = begin(store, "one")
    store.add_reading(old, reading)
    store.add_outcome(old, task, make_outcome(task, "UNKNOWN", cause="TIME"))
    store.link(old, reading.source, task.key)
    store.end_run(old, "finished", seconds=1)
    new = begin(store, "two")
    store.add_reading(new, reading)
    for verdict in ("NO", "YES"):  # twice, as after a Ctrl-C at the wrong moment
        store.replace_outcome(new, task, make_outcome(task, verdict))
    store.link(new, reading.source, task.key)
    store.end_run(new, "finished", seconds=1)
    assert [row.verdict for row in read.rows(store, old.id)] == ["UNKNOWN"]
    assert [row.verdict for row in read.rows(store, new.id)] == ["YES"]
    found = find(store, task)
    assert found is not None
    assert found.verdict == "YES"
    assert sorted(str(answer.verdict) for answer in answers(store)) == ["UNKNOWN", "YES"], "the NO is nobody's"


def test_links(store: Store) -> None:
    run = begin(store)
    add(store, run, 4)
    task = make_task(make_instance(4))
    store.add_reading(run, make_reading(5))
    for number, key in ((4, "0" * 64), (5, task.key), (6, task.key)):  # no answer, another's, nobody's
        with pytest.raises(LookupError, match="no answer about the instance of"):
            store.link(run, Source(number, "x"), key)
    assert [(row.number, row.answer) for row in read.rows(store, run.id)] == [(4, 1), (5, None)]


def test_the_same_number_again_replaces_and_keeps_only_what_is_about_the_same_instance(store: Store) -> None:
    run = begin(store)
    for number in (0, 1, 2):
        add(store, run, number)
    store.add_reading(run, make_reading(0))
    store.add_reading(run, make_reading(1, content=99))
    store.add_reading(run, Reading(Source(2, "2.txt"), ReadAs.UNREADABLE, message="it is broken now"))
    store.commit()
    assert [(row.number, row.verdict, row.message) for row in read.rows(store, run.id)] == [
        (0, "YES", ""),
        (1, None, ""),
        (2, None, "it is broken now"),
    ]
    assert not list(loose_links(store))


def test_a_run_that_did_not_finish_is_continued(store: Store, path: Path) -> None:
    first = begin(store)
    assert not first.continued
    add(store, first, 0)
    store.end_run(first, "interrupted", seconds=2)
    row = read.newest_run(store)
    assert (row.state, row.seconds, row.settings) == ("interrupted", 2, SETTINGS)
    assert row.ended is not None

    second = store.begin_run({**SETTINGS, "nodes": 7}, token=first.token, command="again", solver="2", machine="new")
    assert (second.id, second.continued) == (first.id, True)
    row = read.newest_run(store)
    assert (row.state, row.ended, row.command, row.solver, row.machine) == ("running", None, "again", "2", "new")
    assert row.settings["nodes"] == 7
    store.end_run(second, "finished", seconds=3)
    row = read.newest_run(store)
    assert (row.state, row.seconds) == ("finished", 5)

    third = begin(store)
    assert (third.id != first.id, third.continued) == (True, False)
    other = begin(store, "another command")
    assert [run.id for run in read.runs(store)] == [first.id, third.id, other.id]


def test_a_run_whose_process_was_killed_is_continued(path: Path) -> None:
    with Store.open(path) as store:
        first = begin(store)
        add(store, first, 0)
        store.commit()
    with Store.open(path) as store:
        row = read.newest_run(store)
        assert (row.state, row.ended) == ("running", None)
        assert row.seconds is not None
        assert row.seconds > 0, "the time up to the last commit counts"
        assert begin(store).id == first.id


def test_leftovers_of_an_interrupted_run_are_dropped(store: Store) -> None:
    run = begin(store)
    for number in range(5):
        add(store, run, number)
    store.end_run(run, "interrupted", seconds=1)
    assert len(list(read.rows(store, run.id))) == 5
    run = begin(store)
    store.end_run(run, "finished", seconds=1, sources=3)
    assert [row.number for row in read.rows(store, run.id)] == [0, 1, 2]
    assert not list(loose_links(store))


def test_what_is_not_committed_is_seen_only_here(store: Store, path: Path) -> None:
    run = begin(store)
    add(store, run, 0)
    with Store.open(path, read_only=True) as other:
        assert len(list(read.rows(store, run.id))) == 1
        assert not list(read.rows(other, run.id))
        store.commit()
        assert len(list(read.rows(other, run.id))) == 1
        store.commit()  # nothing to do


def test_what_is_not_committed_is_dropped_by_closing(path: Path) -> None:
    with Store.open(path) as store:
        run = begin(store)
        add(store, run, 0)
        store.commit()
        add(store, run, 1)
    with Store.open(path) as store:
        assert [row.number for row in read.rows(store, run.id)] == [0]


@pytest.mark.parametrize("how", ["removed", "moved", "replaced", "folder removed"])
def test_a_store_that_is_gone_is_not_written_to_unseen(path: Path, how: str) -> None:
    with Store.open(path) as store:
        run = begin(store)
        add(store, run, 0)
        store.commit()
        add(store, run, 1)
        aside = path.with_name("aside.db")
        if how == "removed":
            path.unlink()
        elif how == "folder removed":
            shutil.rmtree(path.parent)
        else:
            path.rename(aside)
        if how == "replaced":
            shutil.copy(aside, path)
        for _ in range(2):
            with pytest.raises(StoreError, match=r"validation\.db was removed or replaced while it was written to"):
                store.end_run(run, "finished", seconds=1)


def test_a_store_stays_the_same_wherever_the_process_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open("validation.db") as store:
        (tmp_path / "below").mkdir()
        monkeypatch.chdir("below")
        add(store, begin(store), 0)
        store.commit()


def test_many_instances_are_not_all_remembered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.batch.store.store._INSTANCES_REMEMBERED", 5)
    run = begin(store)
    for number in range(20):
        add(store, run, number)
        store.commit()
        assert len(store._instances) <= 6
    assert len(list(read.rows(store, run.id, read.Filter(verdicts=["YES"])))) == 20


def test_filters_orders_and_limits(store: Store) -> None:
    run = begin(store)
    for number, (verdict, seconds) in enumerate((("YES", 1.0), ("NO", 3.0), ("UNKNOWN", 2.0), (None, 0.5))):
        add(store, run, number, verdict, seconds=seconds)
    elsewhere = make_instance(9, domain="go")
    task = make_task(elsewhere, "life")
    store.add_reading(run, Reading(Source(4, "go"), ReadAs.INSTANCE, elsewhere))
    store.add_outcome(run, task, make_outcome(task, "YES", seconds=9.0))
    store.link(run, Source(4, "go"), task.key)
    store.add_reading(run, Reading(Source(5, "licence"), ReadAs.UNRECOGNISED))
    other = begin(store, "other")
    add(store, other, 0)

    def numbers(order: Any = "number", limit: int | None = None, **filters: Any) -> list[int]:
        return [row.number for row in read.rows(store, run.id, read.Filter(**filters), order=order, limit=limit)]

    assert numbers() == [0, 1, 2, 3, 4, 5]
    assert numbers(order="seconds") == [4, 1, 2, 0, 3, 5]
    assert numbers(order="seconds", limit=2) == [4, 1]
    assert numbers(domain="chess") == [0, 1, 2, 3]
    assert numbers(question="life") == [4]
    assert numbers(verdicts={"NO", "UNKNOWN"}) == [1, 2]
    assert numbers(verdicts=[None]) == [3], "an answer without a verdict, not a source without an answer"
    assert numbers(verdicts=["YES", None], domain="chess") == [0, 3]
    assert numbers(verdicts=[]) == []
    assert numbers(read_as=["unrecognised"]) == [5]
    assert numbers(number=2) == [2]


def test_counts(store: Store) -> None:
    run = begin(store)
    for number, verdict in enumerate(("YES", "YES", "NO", "UNKNOWN", None)):
        add(
            store, run, number, verdict, seconds=0.5, cpu_seconds=0.25, cause="KILLED" if verdict == "UNKNOWN" else None
        )
    store.add_reading(run, make_reading(5))
    store.add_reading(run, Reading(Source(6, "x"), ReadAs.UNRECOGNISED))
    store.add_reading(run, Reading(Source(7, "y"), ReadAs.UNREADABLE))
    add(store, begin(store, "another"), 0)
    found = {(count.domain, count.question, count.kind): count for count in tally(store, run.id)}
    assert {key: (count.rows, count.certified, count.seconds, count.slowest) for key, count in found.items()} == {
        ("chess", "mate", "YES"): (2, 2, 1.0, 0.5),
        ("chess", "mate", "NO"): (1, 1, 0.5, 0.5),
        ("chess", "mate", "UNKNOWN"): (1, 0, 0.5, 0.5),
        ("chess", "mate", "ERROR"): (1, 0, 0.5, 0.5),
        ("chess", None, "UNASKED"): (1, 0, 0.0, 0.0),
        (None, None, "UNRECOGNISED"): (1, 0, 0.0, 0.0),
        (None, None, "UNREAD"): (1, 0, 0.0, 0.0),
    }
    assert tally(store, 99) == []


def test_the_declared_columns_are_those_of_the_tables_and_of_a_row(store: Store) -> None:
    tables = {table: {name for _, name, *_ in store.query(f"PRAGMA table_info({table})")} for table in TABLES}
    for column in STORED:
        table, _, name = column.place.removeprefix("length(").removesuffix(")").partition(".")
        assert name in tables[table], column
    assert {column.name for column in STORED} == {field.name for field in fields(Row)}
    assert all(column.in_stats or hasattr(Row, column.name) for column in COLUMNS)
    stored_otherwise = {"id", "superseded", "instance", "machine", "certificate", "seal"}
    assert tables["answer"] == {*SEALED, *stored_otherwise}
    assert set(SEALED) <= {*Outcome.__slots__, "certified", "solver", "budget"}


def test_the_text_of_a_reason_can_be_searched(store: Store) -> None:
    run = begin(store)
    add(store, run, 0, "UNKNOWN", cause="TIME", detail="limit 5 s")
    add(store, run, 1, "UNKNOWN", cause="INCOMPLETE")
    add(store, run, 2)

    def found(text: str) -> list[int]:
        return [row.number for row in read.rows(store, run.id, read.Filter(text=text))]

    assert found("out of time") == found("(limit 5") == [0]
    assert found("incomplete") == [1]
    assert found("2.txt") == [2]


def test_what_is_not_there_is_said_so(store: Store) -> None:
    with pytest.raises(StoreError, match=r"there are no runs in .*validation\.db yet"):
        read.newest_run(store)
    with pytest.raises(StoreError, match=r"no run 1 in .*; there are none yet"):
        read.run_row(store, 1)
    run = begin(store)
    with pytest.raises(StoreError, match=r"no run 7 in .*; there are: 1"):
        read.run_row(store, 7)
    assert read.run_row(store, run.id) == read.newest_run(store)
    with pytest.raises(StoreError, match="no instance abc"):
        read.instance_text(store, "abc")
    with pytest.raises(StoreError, match="no answer 5"):
        read.certificate(store, 5)


def test_an_instance_by_the_beginning_of_its_hash(store: Store) -> None:
    run = begin(store)
    for number in range(40):
        add(store, run, number)
    whole = make_instance(3).hash
    assert read.find_instance(store, whole) == whole
    assert read.find_instance(store, whole[:12].upper()) == whole
    with pytest.raises(StoreError, match="several instances"):
        read.find_instance(store, next(digit for digit in "0123456789abcdef" if _begin_with(digit) > 1))
    for wrong in ("", "*", "xyz", "abc*"):
        with pytest.raises(StoreError, match="expected a hash"):
            read.find_instance(store, wrong)
    with pytest.raises(StoreError, match="no instance"):
        read.find_instance(store, "0" * 64)


def _begin_with(digit: str) -> int:
    return sum(make_instance(number).hash.startswith(digit) for number in range(40))


def test_certificates(store: Store, path: Path) -> None:
    run = begin(store)
    add(store, run, 0, "YES", certificate=pack(b'{"plan":[1,2]}'))
    add(store, run, 1, "UNKNOWN")
    store.commit()
    first, second = (row.answer for row in read.rows(store, run.id))
    assert first is not None
    assert second is not None
    assert read.certificate(store, first) == {"plan": [1, 2]}
    assert read.certificate(store, second) is None
    whole = pack(b'{"plan":[1,2]}')
    for damaged in (whole[:-3], whole[:5] + b"!" + whole[6:], whole + b"more", b"", pack(b"[1]"), pack(b"{"), "text"):
        edit(path, "UPDATE answer SET certificate = ? WHERE id = ?", damaged, first)
        with pytest.raises(StoreError, match=r"is damaged: the certificate of answer 1 cannot be read: "):
            read.certificate(store, first)
    edit(path, "UPDATE instance SET packed = ?", pack(b"\xff"))
    with pytest.raises(StoreError, match="is damaged"):
        read.instance_text(store, make_instance(0).hash)


def test_what_unfolds_to_too_much_is_refused() -> None:
    assert read.unfold(pack(b"x" * 1000), megabytes=0.001) == b"x" * 1000
    with pytest.raises(ValueError, match=r"more than 0\.001 MB"):
        read.unfold(pack(b"x" * 1001), megabytes=0.001)


def test_a_certificate_that_no_store_can_hold_is_refused_and_harms_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvent.batch.store.store.LARGEST_BLOB_BYTES", 10)
    run = begin(store)
    add(store, run, 0, "UNKNOWN")
    with pytest.raises(StoreError, match="expected at most 10 bytes, found 22"):
        add(store, run, 1, "YES")
    store.commit()
    assert len(list(answers(store))) == 1


def test_options_of_the_domain_are_kept_with_its_answers(store: Store) -> None:
    run = begin(store, settings={**SETTINGS, "proof": False, "options": {"chess": {"depth": 3}, "go": {"komi": 1}}})
    add(store, run, 0)
    (answer,) = answers(store)
    assert answer.budget == '{"seconds":60.0,"nodes":null,"megabytes":null,"proof":false,"options":{"depth":3}}'


@pytest.mark.parametrize("poorer", ["UNKNOWN", None])
def test_of_two_runs_at_once_the_one_that_found_out_counts(tmp_path: Path, poorer: str | None):
    """In whichever order they write."""
    with Store.open(tmp_path / "validation.db") as one, Store.open(tmp_path / "validation.db") as other:
        first, second = begin(one, token="first"), begin(other, token="second")
        add(one, first, 0, poorer)
        one.commit()
        add(other, second, 0, "YES")
        other.commit()
        add(one, first, 1, "YES")
        one.commit()
        add(other, second, 1, poorer)
        other.commit()
        assert [row.verdict for row in read.rows(one, first.id)] == [poorer, "YES"]
        assert [row.verdict for row in read.rows(one, second.id)] == ["YES", "YES"]
