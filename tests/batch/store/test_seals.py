"""A seal fits what was stored and nothing else; what it does not fit is neither believed nor in the way."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from batch.store.answered import keep_answers
from batch.store.making import SETTINGS, add, begin, edit, find, forge, make_outcome, make_reading, make_task
from helpers.examples import load_example
from solvent.batch.checking import check_store
from solvent.batch.records import Instance, Outcome, Task
from solvent.batch.store import Store
from solvent.batch.store import reading as read
from solvent.batch.store.evidence import answers
from solvent.core.errors import StoreError

READING = make_reading(0)
assert READING.instance is not None
TASK = make_task(READING.instance)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the place of a store with one answer of a run that finished."""
    place = tmp_path / "validation.db"
    with Store.open(place) as store:
        run = begin(store)
        add(store, run, 0, stats={"swaps": 3}, seconds=0.1, expanded=12)
        store.end_run(run, "finished", seconds=1, sources=1)
    return place


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a store with a YES, a NO and an UNKNOWN."""
    place = tmp_path_factory.mktemp("whole") / "validation.db"
    with Store.open(place) as store:
        keep_answers(store, [(name, load_example("harmony", name)) for name in ("first_swaps", "dead_tile")])
        keep_answers(store, [("six", load_example("harmony", "six_by_six"))], nodes=0, token="another")
    return place


def is_found(path: Path) -> bool:
    """Tell whether checking a store finds something wrong with it."""
    try:
        with Store.open(path, read_only=True) as store:
            return any(not checked.accepted for checked in check_store(store))
    except StoreError:
        return True


def columns_of(path: Path, table: str) -> list[str]:
    connection = sqlite3.connect(path)
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return names


def changes(value: Any) -> list[Any]:
    """Return values that a column could be changed to, whatever it holds."""
    if isinstance(value, bytes):
        return [value[:-1], value + b"\0", bytes([value[0] ^ 1]) + value[1:], None]
    if isinstance(value, str):
        return [value + " ", value[:-1] if value else "x", "x", "\xff", value.encode() + b"\xff"]
    if value is None:
        return [0, 1, "", "x", b""]
    return [value + 1, -value if value else 0.5, "x", value + 0.001]


@pytest.mark.parametrize("table", ["answer", "instance"])
def test_whatever_is_changed_in_a_row_is_found(whole: Path, tmp_path: Path, table: str) -> None:
    """There is no exception: even the numbers of rows, which no seal covers, are known from who refers to them."""
    path = tmp_path / "validation.db"
    tried = set()
    for column in columns_of(whole, table):
        connection = sqlite3.connect(whole)
        held = connection.execute(f"SELECT id, {column} FROM {table}").fetchall()
        connection.close()
        for number, value in held:
            for changed in changes(value):
                shutil.copy(whole, path)
                try:
                    edit(path, f"UPDATE {table} SET {column} = ? WHERE id = ?", changed, number)
                except sqlite3.IntegrityError:
                    continue  # SQLite itself keeps it out
                assert is_found(path), (table, column, value, changed)
                tried.add(column)
    assert tried == set(columns_of(whole, table))


def test_a_machine_that_was_changed_is_found(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "validation.db"))
    assert not is_found(path)
    edit(path, "UPDATE machine SET description = 'a faster one' WHERE id = (SELECT machine FROM answer)")
    assert is_found(path)


def test_an_answer_that_was_superseded_is_checked_too(whole: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(whole, tmp_path / "validation.db"))
    with Store.open(path) as store:
        first = next(answers(store))
        (row,) = store.query("SELECT key, packed, hash FROM answer JOIN instance ON instance.id = instance LIMIT 1")
        key, packed, hash = row
        task = Task(key, Instance(hash, "harmony", None, packed), first.question, "x", "1")
        known = find(store, task)
        assert known is not None
        store.replace_outcome(begin(store, "again"), task, known)
        store.commit()
    assert not is_found(path)
    edit(path, "UPDATE answer SET expanded = 1000 WHERE superseded = 1")
    assert is_found(path)


def test_a_seal_can_be_computed_by_anybody(path: Path) -> None:
    """From what the documentation says, and nothing else."""
    connection = sqlite3.connect(path)
    *facts, certificate, seal = connection.execute(
        "SELECT hash, description, key, question, verdict, cause, detail, because, certified, form, expanded, length,"
        " seconds, cpu_seconds, peak_megabytes, attempts, finished, solver, budget, stats, error, certificate,"
        " answer.seal FROM answer JOIN instance ON instance.id = answer.instance"
        " JOIN machine ON machine.id = answer.machine"
    ).fetchone()
    *about, packed, its_seal = connection.execute("SELECT hash, domain, size, packed, seal FROM instance").fetchone()
    connection.close()
    assert seal == hashlib.sha256(json.dumps([*facts, len(certificate)]).encode() + certificate).digest()
    assert its_seal == hashlib.sha256(json.dumps([*about, len(packed)]).encode() + packed).digest()


@pytest.mark.parametrize(
    "odd",
    [
        {"expanded": 2**64, "length": -(2**70)},
        {"expanded": 10**400},
        {"seconds": 3, "cpu_seconds": -0.0, "finished": 1_700_000_000, "peak_megabytes": 4},
        {"seconds": math.inf, "peak_megabytes": math.nan},
        {"seconds": 0.1 + 0.2, "cpu_seconds": 5e-324, "peak_megabytes": 1e300},
        {"because": "caf\udce9 \ud83d", "error": "\0 and on", "detail": "“…” \u2028"},
        {"stats": {"caf\udce9": 2**70, "nested": {"x": [1, None, 2.5]}}},
        {"expanded": True},
    ],
    ids=lambda odd: " ".join(odd),
)
def test_the_seal_of_odd_values_fits_what_comes_back(tmp_path: Path, odd: dict[str, Any]) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        add(store, run, 0, **odd)
        store.end_run(run, "finished", seconds=1)
        assert find(store, TASK) is not None
        assert [answer.sealed and answer.instance.sealed for answer in answers(store)] == [True]


SPOILED = (
    "verdict = 'NO'",
    "seconds = 0.2",
    "stats = '{'",
    "certificate = x'00'",
    "expanded = 13",
    "because = CAST(x'ff' AS TEXT)",
    "detail = x'ff'",
    "seal = x''",
    "machine = 99",
)


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_broken_answer_is_asked_for_again_and_superseded(path: Path, spoiled: str) -> None:
    edit(path, f"UPDATE answer SET {spoiled}")
    with Store.open(path) as store:
        assert find(store, TASK) is None
        run = begin(store, "another")
        store.add_reading(run, READING)
        for _ in range(2):  # whoever is interrupted writes all of it again
            store.add_outcome(run, TASK, make_outcome(TASK, seconds=7.0))
            store.link(run, READING.source, TASK.key)
        store.end_run(run, "finished", seconds=1)
        found = find(store, TASK)
        assert found is not None
        assert found.seconds == 7.0
        rows = list(store.query("SELECT id, superseded FROM answer ORDER BY id"))
        assert rows == [(1, 1), (2, 0)], "the broken one is kept for the run that has it"
        assert [row.answer for row in read.rows(store, run.id)] == [2]


def test_a_broken_answer_stays_refused_if_the_new_one_is_lost(path: Path) -> None:
    edit(path, "UPDATE answer SET verdict = 'NO'")
    with Store.open(path) as store:
        run = begin(store, "another")
        store.add_reading(run, READING)
        assert find(store, TASK) is None
        store.add_outcome(run, TASK, make_outcome(TASK))
        store._roll_back()
        store.add_outcome(run, TASK, make_outcome(TASK, seconds=7.0))
        store.commit()
        found = find(store, TASK)
        assert found is not None
        assert found.seconds == 7.0


def test_a_sound_answer_stays_although_a_broken_one_stood_there_before(path: Path) -> None:
    """Another process may have replaced it meanwhile."""
    edit(path, "UPDATE answer SET verdict = 'NO'")
    with Store.open(path) as store, Store.open(path) as other:
        assert find(store, TASK) is None
        assert find(other, TASK) is None
        other.add_outcome(begin(other, "other"), TASK, make_outcome(TASK, seconds=5.0))
        other.commit()
        store.add_outcome(begin(store, "one"), TASK, make_outcome(TASK, seconds=7.0))
        store.commit()
        found = find(store, TASK)
        assert found is not None
        assert found.seconds == 5.0


def test_keys_that_were_swapped_are_not_believed(path: Path) -> None:
    reading = make_reading(1)
    assert reading.instance is not None
    other = make_task(reading.instance)
    with Store.open(path) as store:
        add(store, begin(store, "another"), 1)
        store.commit()
    for number, key in ((1, "x"), (2, TASK.key), (1, other.key)):
        edit(path, "UPDATE answer SET key = ? WHERE id = ?", key, number)
    with Store.open(path) as store:
        assert find(store, TASK) is None
        assert find(store, other) is None
    forge(path, "UPDATE answer SET attempts = attempts")
    with Store.open(path) as store:
        assert find(store, TASK) is None, "it is about another instance"
        assert store.outcome(other.key, instance=TASK.instance.hash, question="mate") is not None
        assert store.outcome(other.key, instance=TASK.instance.hash, question="stalemate") is None


def test_a_verdict_without_a_certificate_is_known_only_to_who_wants_no_proof(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        run = begin(store)
        store.add_outcome(run, TASK, Outcome(TASK.key, "mate", "NO"))
        other = make_task(TASK.instance, salt="unknown")
        store.add_outcome(run, other, Outcome(other.key, "mate", "UNKNOWN", cause="TIME"))
        assert find(store, TASK, proof=False) is not None
        assert find(store, TASK) is None
        assert find(store, other) is not None, "who gave up has nothing to prove"


@pytest.mark.parametrize("spoiled", ["packed = x'00'", "size = 99", "domain = 'go'", "seal = x''"])
def test_a_broken_instance_is_mended_when_it_is_read_again(path: Path, spoiled: str) -> None:
    edit(path, f"UPDATE instance SET {spoiled}")
    with Store.open(path) as store:
        run = begin(store, "another")
        store.add_reading(run, READING)
        store.commit()
        (row,) = read.rows(store, run.id)
        assert (row.domain, row.size) == ("chess", 0)
        assert read.instance_text(store, row.instance or "") == "board 0"
        assert [answer.instance.sealed for answer in answers(store)] == [True]


def test_a_sound_instance_is_left_alone(path: Path) -> None:
    """Another version may measure another size; what was sealed first stays."""
    assert READING.instance is not None
    other = replace(READING.instance, size=1234)
    with Store.open(path) as store:
        run = begin(store, "another")
        store.add_reading(run, replace(READING, instance=other))
        assert [row.size for row in read.rows(store, run.id)] == [0]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE answer SET stats = '{'", "stats of answer 1 cannot be read: "),
        ("UPDATE answer SET stats = '[]'", "stats of answer 1 cannot be read: expected a JSON object, found list"),
        ("UPDATE answer SET stats = x'ff'", "stats of answer 1 cannot be read: "),
        ("UPDATE answer SET expanded = 'many'", "expanded of answer 1 cannot be read: "),
        ("UPDATE answer SET expanded = 9e999", "expanded of answer 1 cannot be read: "),
        ("UPDATE answer SET seconds = 'long'", "seconds of answer 1 cannot be read: expected a number, found bytes"),
        ("UPDATE answer SET detail = x'ff'", "detail of answer 1 cannot be read: "),
        ("UPDATE answer SET detail = CAST(x'ff' AS TEXT)", "detail of answer 1 cannot be read: "),
        ("UPDATE item SET remarks = '['", "remarks of source 0 of run 1 cannot be read: "),
        (
            "UPDATE item SET remarks = '{}'",
            "remarks of source 0 of run 1 cannot be read: expected a JSON list of texts",
        ),
        ("UPDATE instance SET size = 'x'", "size of source 0 of run 1, its instance, cannot be read: "),
    ],
)
def test_damage_is_told_by_row_and_column(path: Path, statement: str, words: str) -> None:
    edit(path, statement)
    with Store.open(path, read_only=True) as store, pytest.raises(StoreError) as told:
        list(read.rows(store, 1))
    assert f"validation.db is damaged: {words}" in str(told.value)


@pytest.mark.parametrize("settings", ["{", "[]", "7", "\udcff", "[" * 100_000])
def test_settings_that_were_damaged(path: Path, settings: str) -> None:
    edit(path, "UPDATE run SET settings = ?", settings.encode("utf-8", "surrogateescape"))
    with Store.open(path, read_only=True) as store:
        for look in (lambda: read.runs(store), lambda: read.newest_run(store), lambda: read.run_row(store, 1)):
            with pytest.raises(StoreError, match="is damaged: settings of run 1 cannot be read: "):
                look()


def test_a_run_knows_when_it_first_began(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        first = begin(store)
        assert first.started == read.newest_run(store).began
        store.end_run(first, "interrupted", seconds=1)
    edit(tmp_path / "validation.db", "UPDATE run SET began = 1700000000.5")
    with Store.open(tmp_path / "validation.db") as store:
        again = begin(store)
        assert (again.id, again.continued, again.started) == (first.id, True, 1_700_000_000.5)
        store.end_run(again, "finished", seconds=1, sources=0)
        assert begin(store, settings=SETTINGS).started > 1_700_000_000.5


def test_how_large_its_table_was_is_kept_once_a_run_finished(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:

        def noted() -> tuple[Any, ...]:
            return next(store.query("SELECT sources, answers FROM run ORDER BY id DESC LIMIT 1"))

        run = begin(store)
        for number in range(3):
            add(store, run, number)
        store.add_reading(run, make_reading(3))
        store.end_run(run, "interrupted", seconds=1)
        assert noted() == (None, None)
        run = begin(store)
        store.end_run(run, "finished", seconds=1, sources=4)
        assert noted() == (4, 3)
        run = begin(store, "nothing")
        store.end_run(run, "finished", seconds=1)
        assert noted() == (0, 0)
