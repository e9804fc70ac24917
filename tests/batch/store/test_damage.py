"""Flipped bytes anywhere in a store: it is refused, or they are in nothing that is used; what is intact is saved."""

from __future__ import annotations

import functools
import itertools
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from batch.store.answered import keep_answers
from batch.store.damaging import (
    FILES,
    contents,
    copy_store,
    fill,
    flip,
    make_board,
    make_store,
    make_store_with_log,
    named,
)
from batch.store.making import add, begin, edit, make_outcome, make_reading, make_task
from helpers.depth import up_to
from helpers.marks import slow
from solvent.batch.checking import check_store
from solvent.batch.library import validate_all
from solvent.batch.lost_workers import HardLimits
from solvent.batch.settings import Limits, RunOptions, Settings
from solvent.batch.store import Store
from solvent.batch.store import integrity as integrity_module
from solvent.batch.store.integrity import look_through, require_intact
from solvent.batch.store.log import find_log_damage, log_of
from solvent.batch.store.rescue import rescue
from solvent.batch.store.writer import RunWriter
from solvent.core.errors import StoreError

ROW_NUMBERS = {"id", "superseded", "instance", "machine"}
"""What a row need not have in common with the one it was copied from."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("whole") / "whole.db")


@pytest.fixture(scope="module")
def with_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store_with_log(tmp_path_factory.mktemp("with_log") / "whole.db")


def refusal(path: Path) -> str | None:
    """Return why a run would not write to a store; None if it would."""
    try:
        require_intact(path)
        Store.open(path).close()
    except StoreError as error:
        return str(error)
    return None


def assert_saved(path: Path, source: Path) -> int:
    """Make sure that a store which was saved is sound, and holds nothing that the other did not; return its answers."""
    with Store.open(path, read_only=True) as store:
        assert [checked for checked in check_store(store) if not checked.accepted] == []
    assert require_intact(path)
    for table, without in (("answer", ROW_NUMBERS), ("instance", {"id"}), ("item", {"instance"})):
        assert set(named(path, table, without)) <= set(named(source, table, without)), table
    return len(named(path, "answer", set()))


SEEDS = [range(20), *slow([range(start, start + 50) for start in range(20, up_to(70, deep=320), 50)])]


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize("where", ["store", "log", "both"])
def test_flipped_bytes_are_refused_or_in_nothing_that_is_used(
    whole: Path, with_log: Path, tmp_path: Path, where: str, seeds: range
) -> None:
    source = whole if where == "store" else with_log
    copy_store(source, tmp_path / "reference.db")
    reference = contents(tmp_path / "reference.db")
    path, saved = tmp_path / "validation.db", tmp_path / "saved.db"
    files = {"store": [path], "log": [log_of(path)], "both": [path, log_of(path)]}[where]
    came_to: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(f"{where} {seed}")
        copy_store(source, path)
        flips = chance.choice([1, 1, 2, 5, 60])
        flip(chance, files, flips)
        before = [file.read_bytes() for file in files]
        told = refusal(path)
        if told is None:
            came_to["unused"] += 1
            assert contents(path) == reference, (where, seed)
            continue
        came_to["refused"] += 1
        assert str(path) in told
        assert [file.read_bytes() for file in files] == before, (where, seed, "it was touched")
        saved.unlink(missing_ok=True)
        rescued = rescue(path, saved)
        assert [file.read_bytes() for file in files] == before, (where, seed, "it was touched")
        assert assert_saved(saved, tmp_path / "reference.db") == rescued.answers
        assert rescued.answers >= len(reference["answer"]) - 3 * flips, (where, seed, rescued)
        assert rescued.answers == len(reference["answer"]) or rescued.answers_lost, (where, seed, rescued)
    assert came_to["refused"] > len(seeds) // 3, came_to


def test_what_a_flipped_byte_in_the_name_of_a_source_is_caught_by(whole: Path, tmp_path: Path) -> None:
    """No index and no seal of a row is over it; only that of its run is."""
    path = tmp_path / "validation.db"
    path.write_bytes(whole.read_bytes().replace(b"notes-3.txt", b"nodes-3.txt", 1))
    told = refusal(path)
    assert told is not None
    assert "is damaged: the seal of run 3 does not fit" in told
    assert told.endswith(f"to save what is intact: solvent report {path} --rescue NEW_STORE")
    with Store.open(path, read_only=True) as store:
        assert [(found.name, found.violations) for found in check_store(store) if not found.accepted] == [
            ("run 3", ("its seal does not fit: something in its table was damaged or edited",))
        ]


def test_a_run_does_not_write_to_a_damaged_store(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    copy_store(whole, path)
    flip(random.Random(60), [path], 60)
    before = path.read_bytes()
    options = RunOptions(store=path, jobs=1, token="t")
    with pytest.raises(StoreError, match=r"validation\.db is damaged: .*--rescue NEW_STORE"):
        list(validate_all([make_board(0)], Settings(limits=Limits(nodes=1000)), options))
    assert path.read_bytes() == before


def test_a_store_that_was_saved_is_gone_on_with_and_nothing_is_solved_twice(whole: Path, tmp_path: Path) -> None:
    path, saved = tmp_path / "validation.db", tmp_path / "saved.db"
    copy_store(whole, path)
    edit(path, "UPDATE answer SET stats = '{}' WHERE id = 7")
    rescued = rescue(path, saved)
    assert (rescued.answers, rescued.answers_lost, rescued.runs, rescued.runs_with_gaps) == (40, 1, 3, 1)
    with Store.open(saved) as store:
        before = dict(store.query("SELECT key, id FROM answer WHERE superseded = 0"))
        keep_answers(store, [(f"{number}.txt", make_board(number)) for number in range(30)])
        after = dict(store.query("SELECT key, id FROM answer WHERE superseded = 0"))
    assert before.items() <= after.items(), "what there is stays"
    assert len(after) == len(before) + 1 == 40
    assert_saved(saved, saved)


@pytest.mark.parametrize("table", ["answer", "instance", "run", "item", "run_answer"])
def test_every_page_of_a_table_but_one_is_saved(whole: Path, tmp_path: Path, table: str) -> None:
    """The first page of a table leads to all others; SQLite finds nothing once it is gone."""
    path, saved = tmp_path / "validation.db", tmp_path / "saved.db"
    with closing(sqlite3.connect(whole)) as connection:
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchall()
    data = bytearray(whole.read_bytes())
    data[4096 * (root - 1)] = 0
    path.write_bytes(data)
    assert refusal(path) is not None
    rescued = rescue(path, saved)
    everything = len(named(whole, "answer", set()))
    assert rescued.answers == everything if table != "instance" else rescued.answers > everything // 2
    assert_saved(saved, whole)


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (0, b"PQLite"),
        (16, b"\x20\x00"),
        (18, b"\x07\x07"),
        (28, b"\xff\xff"),
        (56, b"\0\0\0\x02"),
        (60, b"\x80\0\0\3"),
        (60, b"\0\0\0\1"),
        (60, b"\0\0\0\0"),
        (68, b"XLVT"),
    ],
    ids=["magic", "page size", "format", "length", "encoding", "negative", "old", "empty", "mark"],
)
def test_a_damaged_header_costs_nothing(whole: Path, tmp_path: Path, place: int, change: bytes) -> None:
    path, saved = tmp_path / "validation.db", tmp_path / "saved.db"
    data = bytearray(whole.read_bytes())
    data[place : place + len(change)] = change
    path.write_bytes(data)
    told = refusal(path)
    assert told is not None
    assert "damaged" in told or place in (0, 68), told
    rescued = rescue(path, saved)
    assert rescued.is_complete
    assert rescued.answers == len(named(whole, "answer", set()))
    assert_saved(saved, whole)


def test_a_store_of_another_program_with_our_mark_is_refused(tmp_path: Path, whole: Path) -> None:
    """A trigger would make a statement of ours do something else."""
    for statement, told in (
        ("CREATE TRIGGER t AFTER INSERT ON answer BEGIN DELETE FROM instance; END", "it has a trigger t"),
        ("CREATE VIEW v AS SELECT 1", "it has a view v"),
        ("DROP INDEX answer_by_key", "the index answer_by_key of a store of version 3 is missing"),
        ("ALTER TABLE run DROP COLUMN leader", "the table run is not that of a store of version 3"),
    ):
        path = tmp_path / "validation.db"
        copy_store(whole, path)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
        for read_only in (False, True):
            with pytest.raises(StoreError, match=told):
                Store.open(path, read_only=read_only)
    copy_store(whole, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.execute("CREATE INDEX answers_by_verdict ON answer (verdict)")
        connection.execute("ANALYZE")
    assert refusal(path) is None, "tables and indexes of one's own do no harm"


# What a killed process leaves is no damage


def test_half_a_transaction_in_the_log_is_no_damage(with_log: Path, tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    copy_store(with_log, path)
    log = log_of(path)
    data = log.read_bytes()
    frame = 24 + 4096
    for cut in (24, 100, frame - 1, frame, frame + 24):
        # More frames of the same log, of a transaction that never ended, the last of them cut or not written yet.
        half = data[32 : 32 + frame][:4] + b"\0\0\0\0" + data[40 : 32 + frame]
        log.write_bytes(data + (half + half)[:cut])
        assert find_log_damage(path) is None
    log.write_bytes(data)
    assert refusal(path) is None


def test_damage_in_the_last_commit_is_known_by_the_index_of_the_log(with_log: Path, tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    copy_store(with_log, path)
    log = log_of(path)
    data = bytearray(log.read_bytes())
    data[-100] ^= 1
    log.write_bytes(data)
    told = find_log_damage(path)
    assert told is not None
    assert "does not fit, and it was committed" in told
    index = Path(f"{path}-shm")
    damaged = bytearray(index.read_bytes())
    damaged[17] ^= 1  # the number of frames
    index.write_bytes(damaged)
    assert find_log_damage(path) is None, "an index that is damaged is not believed"


def test_frames_of_an_earlier_log_are_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with Store.open(path) as store:
        run = begin(store)
        for number in range(300):
            add(store, run, number)
        store.commit()
        store._connection.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        add(store, run, 300)
        store.commit()
        assert find_log_damage(path) is None


# Within the time there is


class Ticking:
    """A clock that goes on by a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.looks = itertools.count()

    def __call__(self) -> float:
        return float(next(self.looks))


def look(path: Path, seconds: float) -> tuple[bool, int]:
    """Look through a store by such a clock; return whether all was seen, and how often the clock was looked at."""
    clock = Ticking()
    with Store.open(path, read_only=True) as store:
        return look_through(store._connection, path, seconds=seconds, clock=clock), next(clock.looks)


def test_looking_through_ends_when_its_time_is_over(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    copy_store(whole, path)
    assert look(path, 1_000)[0]
    assert look(path, 20) == (False, 22), "no more than one look behind the end"
    edit(path, "UPDATE answer SET seconds = 9 WHERE id = (SELECT max(id) FROM answer)")
    with pytest.raises(StoreError, match="the seal of answer 41 does not fit"):
        look(path, 20)  # the newest are looked at first


def test_a_huge_store_is_looked_through_in_part(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "validation.db"
    copy_store(whole, path)
    monkeypatch.setattr(integrity_module, "LARGEST_STRUCTURE_BYTES", 4096)
    assert not require_intact(path)
    notices: list[str] = []
    options = RunOptions(store=path, jobs=1, token="t", notice=notices.append)
    list(validate_all([], Settings(limits=Limits(nodes=1000)), options))
    assert notices == [f"{path} is large: only its newest part was looked through before the run"]
    edit(path, "UPDATE instance SET size = 99 WHERE id = 1")
    with pytest.raises(StoreError, match="the seal of instance 1 does not fit"):
        require_intact(path)


# Damage that is met while a run goes on


def steps_of_a_run(store: Store) -> list[Callable[[], Any]]:
    """Return what a run does with a store, step by step: old boards, known, and new ones."""
    writer = RunWriter(store, begin(store, "while it runs"), again="none", proof=True, limits=HardLimits(60.0, 1000.0))
    steps: list[Callable[[], Any]] = []
    for number in range(12):
        reading = make_reading(number)
        assert reading.instance is not None
        task = make_task(reading.instance, salt="new")
        steps += [
            functools.partial(writer.add_reading, reading),
            functools.partial(writer.find, task.key, task.instance.hash, task.question),
            functools.partial(writer.add_outcome, task, make_outcome(task)),
            functools.partial(writer.link, reading.source, task.key),
            writer.commit,
        ]
    return [*steps, functools.partial(writer.end, "finished", seconds=1.0, sources=12)]


def run_into_damage(path: Path, chance: random.Random) -> str | None:
    """Do what a run does, and flip bytes between two of its steps; return the error it ends with, if any."""
    try:
        with Store.open(path) as store:
            store._connection.execute("PRAGMA cache_size = 1")  # else it still knows all of so small a file
            steps = steps_of_a_run(store)
            damaged_at = chance.randrange(len(steps))
            for number, step in enumerate(steps):
                if number == damaged_at:
                    flip(chance, [path], chance.choice([5, 60, 300]))
                step()
    except StoreError as error:
        return str(error)
    return None


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_damage_while_a_run_goes_on_is_a_clean_error_or_in_nothing_it_uses(
    whole: Path, tmp_path: Path, seeds: range
) -> None:
    reference = contents(whole)
    path, saved = tmp_path / "validation.db", tmp_path / "saved.db"
    came_to: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(f"running {seed}")
        copy_store(whole, path)
        told = run_into_damage(path, chance)
        came_to["unnoticed" if told is None else "noticed"] += 1
        assert told is None or told.startswith(f"{path} is damaged: "), (seed, told)
        if refusal(path) is None:
            assert set(reference["answer"]) <= set(contents(path)["answer"]), seed
        else:
            saved.unlink(missing_ok=True)
            rescue(path, saved)
            assert require_intact(saved)
    assert all(came_to[each] for each in ("unnoticed", "noticed")), came_to


def test_what_a_failing_write_costs_is_said(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "validation.db"
    copy_store(whole, path)
    with Store.open(path) as store:
        *steps, _commit, _end = steps_of_a_run(store)
        for step in steps:
            if getattr(step, "func", None) is not None:
                step()
        monkeypatch.setattr(store, "link_all", lambda *_: (_ for _ in ()).throw(StoreError("the disk is gone")))
        with pytest.raises(StoreError, match=r"^the disk is gone; 12 answers found last are not stored$"):
            steps[4]()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE run SET leader = 7 WHERE id = 3", None),
        ("UPDATE run SET seconds = 'long' WHERE id = 3", "seconds of run 3 cannot be read"),
        ("UPDATE run SET began = x'ff' WHERE id = 3", "began of run 3 cannot be read"),
        ("UPDATE run SET leader = x'ff' WHERE id = 3", "leader of run 3 cannot be read"),
        ("UPDATE run SET state = x'ff' WHERE id = 3", "state of run 3 cannot be read"),
    ],
)
def test_a_run_whose_row_is_damaged_is_not_continued(
    whole: Path, tmp_path: Path, statement: str, told: str | None
) -> None:
    """One that was killed has no seal, so looking through the store does not find it."""
    path = tmp_path / "validation.db"
    copy_store(whole, path)
    edit(path, "UPDATE run SET seal = NULL, state = 'running' WHERE id = 3")
    edit(path, statement)
    assert refusal(path) is None
    with Store.open(path) as store:
        if told is None:
            assert begin(store, "a third").continued
        else:
            with pytest.raises(StoreError, match=told):
                begin(store, "a third")


def test_a_store_is_whole_however_it_was_filled(tmp_path: Path) -> None:
    with Store.open(tmp_path / "validation.db") as store:
        assert store.require_intact()
        fill(store)
        assert store.require_intact()
        begin(store)
        add(store, begin(store, "b"), 5)
        assert store.require_intact(), "also within a transaction"
        assert store._connection.in_transaction
    assert require_intact(tmp_path / "validation.db")
    assert require_intact(tmp_path / "none.db")
    assert all(not Path(f"{tmp_path / 'validation.db'}{ending}").exists() for ending in FILES[1:])
