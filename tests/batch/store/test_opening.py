"""Which files are opened, which are refused, and that whatever is refused stays as it was."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from batch.store.making import add, begin, edit, integrity
from solvent.batch.store import Store, opening
from solvent.batch.store import reading as read
from solvent.batch.store.evidence import answers
from solvent.batch.store.opening import connect
from solvent.batch.store.schema import APPLICATION_ID, MIGRATIONS
from solvent.core.errors import SolventError, StoreError

VERSION_1 = Path(__file__).with_name("version_1.sql")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the place of a store with one answer in it."""
    place = tmp_path / "validation.db"
    with Store.open(place) as store:
        run = begin(store)
        add(store, run, 0)
        store.end_run(run, "finished", seconds=1)
    return place


@contextlib.contextmanager
def untouched(folder: Path) -> Iterator[None]:
    """Insist that nothing in a folder is changed, made or removed."""

    def look() -> dict[str, bytes | None]:
        return {entry.name: entry.read_bytes() if entry.is_file() else None for entry in folder.iterdir()}

    before = look()
    yield
    assert look() == before


def test_a_store_and_its_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "new.db"
    with Store.open(path) as store:
        assert store.path == path
        assert read.runs(store) == []
    header = path.read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID == int.from_bytes(b"SLVT", "big")
    assert int.from_bytes(header[60:64], "big") == len(MIGRATIONS)
    assert header[18:20] == b"\x02\x02", "write-ahead log"
    assert os.listdir(path.parent) == ["new.db"], "nothing is left beside it"


def test_it_is_a_solvent_error() -> None:
    assert issubclass(StoreError, SolventError)


@pytest.mark.parametrize("name", [":memory:", "a b?mode=memory#%41.db", "caf\udce9.db", ""])
def test_odd_names_are_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    if not name:
        with pytest.raises(StoreError, match="is a folder"):
            Store.open(name)
        return
    with Store.open(name) as store:
        begin(store)
    assert os.listdir() == [name]
    with Store.open(name, read_only=True) as store:
        assert len(read.runs(store)) == 1


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with untouched(tmp_path):
        for how in ({"create": False}, {"read_only": True}):
            with pytest.raises(StoreError, match=r"empty\.db is empty, not a store of results"):
                Store.open(path, **how)
    with Store.open(path) as store:
        begin(store)
    assert integrity(path) == "ok"


def test_where_there_is_none_there_is_none_made_unasked(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "no.db"
    for how in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreError, match=r"there is no store .*no\.db"):
            Store.open(path, **how)
    assert not path.parent.exists()


@pytest.mark.parametrize("how", [{}, {"create": False}, {"read_only": True}])
@pytest.mark.parametrize("kind", ["text", "short", "sqlite", "folder", "pipe", "device", "under a file"])
def test_what_is_not_a_store_is_refused_and_untouched(tmp_path: Path, kind: str, how: dict[str, bool]) -> None:
    path = tmp_path / "mine.db"
    expected = r"mine\.db is not a store of results$"
    if kind == "text":
        path.write_text("my notes, which must not be lost\n" * 1000)
    elif kind == "short":
        path.write_bytes(b"SQLite format 3\0")
    elif kind == "sqlite":
        other = sqlite3.connect(path)
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE answer (id)")
        other.close()
        expected = "SQLite database of another program"
    elif kind == "folder":
        path.mkdir()
        expected = "is a folder, not a store"
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/null")
        expected = "/dev/null is not a store of results"
    else:
        path.write_text("x")
        path = path / "below.db"
        expected = r"(there is no store|cannot make the folder|cannot read) .*mine\.db"
    with untouched(tmp_path), pytest.raises(StoreError, match=expected):
        Store.open(path, **how)


@pytest.mark.parametrize("how", [{}, {"read_only": True}])
def test_a_newer_store_is_refused_and_untouched(path: Path, how: dict[str, bool]) -> None:
    newer = sqlite3.connect(path)
    known = len(MIGRATIONS)
    newer.execute(f"PRAGMA user_version = {known + 1}")
    newer.close()
    expected = (
        rf"validation\.db was written by a newer Solvent \(store version {known + 1}; this one knows up to {known}\)"
    )
    with untouched(path.parent), pytest.raises(StoreError, match=expected):
        Store.open(path, **how)


def _make_version_1(path: Path) -> None:
    """Make a store as the first release left it, from a text that is never edited."""
    old = sqlite3.connect(path)
    old.executescript(VERSION_1.read_text(encoding="utf-8"))
    old.close()


def test_a_store_of_version_1_is_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    _make_version_1(path)
    for read_only in (True, False):
        with Store.open(path, read_only=read_only) as store:
            run = read.newest_run(store)
            (row,) = read.rows(store, run.id)
            assert (run.command, row.name, row.verdict, row.machine) == ("solvent validate x", "x.txt", "YES", "m")
            assert row.answer is not None
            assert read.certificate(store, row.answer) == {"plan": []}
            assert store.outcome("k", instance="abc", question="mate") is not None, "its seal fits"
    with Store.open(path) as store:
        add(store, begin(store), 0)
        store.commit()
    assert integrity(path) == "ok"


REASONS = {
    "k1": ("TIME", "out of time (limit 5 s)", "limit 5 s"),
    "k2": ("KILLED", "killed (worker died twice: SIGSEGV (11))", "worker died twice: SIGSEGV (11)"),
    "k3": ("INCOMPLETE", "incomplete", ""),
}
"""By key: the cause, the text that version 1 kept, and the detail in it."""


def _add_unknowns(path: Path, blob: bytes | None = None) -> None:
    """Add answers that are UNKNOWN to a store of version 1, sealed as that version did."""
    budget, stats = '{"proof":true}', "{}"
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        for number, (key, (cause, reason, _)) in enumerate(REASONS.items(), start=2):
            facts = (key, f"mate{number}", "UNKNOWN", cause, reason, "", 0, None, None, None, 0.5, 0.25, None, 1, 17e8)
            facts = (*facts, "1+a", budget, stats, "")
            sealed = json.dumps(["abc", "m", *facts, None if blob is None else len(blob)]).encode()
            seal = hashlib.sha256(sealed + (blob or b"")).digest()
            old.execute(
                "INSERT INTO answer (id, instance, machine, key, question, verdict, cause, reason, because, certified,"
                " form, expanded, length, seconds, cpu_seconds, peak_megabytes, attempts, finished, solver, budget,"
                f" stats, error, seal) VALUES ({number}, 1, 1, {', '.join('?' * 20)})",
                (*facts, seal),
            )
            old.execute("INSERT INTO run_answer VALUES (1, 0, ?, ?)", (f"mate{number}", number))
            if blob is not None:
                old.execute("UPDATE answer SET certificate = ? WHERE id = ?", (blob, number))
        old.execute("UPDATE run SET answers = 1 + ?", (len(REASONS),))


def test_version_2_keeps_reasons_as_data_and_their_seals_fit(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    _make_version_1(path)
    _add_unknowns(path)
    for read_only in (True, False):
        with Store.open(path, read_only=read_only) as store:
            kept = {row.question: row for row in read.rows(store, 1)}
            for number, (key, (cause, reason, detail)) in enumerate(REASONS.items(), start=2):
                row = kept[f"mate{number}"]
                assert (row.cause, row.detail, row.reason) == (cause, detail, reason)
                outcome = store.outcome(key, instance="abc", question=f"mate{number}")
                assert outcome is not None, "its seal fits"
                assert (outcome.cause, outcome.detail) == (cause, detail)
            assert all(answer.sealed for answer in answers(store))
    assert integrity(path) == "ok"


def test_a_forged_unknown_with_a_certificate_is_no_reason_not_to_open_a_store(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    _make_version_1(path)
    _add_unknowns(path, blob=b"\xff\xfe no text at all")
    with Store.open(path, read_only=True) as store:
        assert [row.detail for row in read.rows(store, 1) if row.cause == "TIME"] == ["limit 5 s"]
        assert all(answer.sealed for answer in answers(store))


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("k1", "reason = 'out of time (limit 6 s)'"),
        ("k1", "reason = ''"),
        ("k3", "reason = 'incomplete (incomplete)'"),  # its detail is the very text that was sealed
        ("k3", "seconds = 9"),
        ("k2", "reason = x'ff'"),
        ("k", "reason = 'incomplete'"),
        ("k", "seconds = 9"),
    ],
)
def test_what_was_edited_before_is_still_found_in_version_2(tmp_path: Path, key: str, change: str) -> None:
    path = tmp_path / "old.db"
    _make_version_1(path)
    _add_unknowns(path)
    edit(path, f"UPDATE answer SET {change} WHERE key = ?", key)
    (number,) = sqlite3.connect(path).execute("SELECT id FROM answer WHERE key = ?", (key,)).fetchone()
    for read_only in (True, False):
        with Store.open(path, read_only=read_only) as store:
            assert {answer.id: answer.sealed for answer in answers(store)} == {
                each: each != number for each in range(1, 2 + len(REASONS))
            }


def test_version_1_is_what_it_was(tmp_path: Path) -> None:
    """A change to the tables is a new step at the end of the list, or old stores stay without it."""
    _make_version_1(tmp_path / "old.db")
    connect(tmp_path / "new.db", create=True, read_only=False, migrations=MIGRATIONS[:1]).close()

    def shape(path: Path) -> dict[str, object]:
        connection = sqlite3.connect(path)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")]
        found: dict[str, object] = {}
        for name in names:
            columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
            found[name] = columns or connection.execute(f"PRAGMA index_xinfo({name})").fetchall()
        connection.close()
        return found

    assert shape(tmp_path / "old.db") == shape(tmp_path / "new.db")
    assert len(shape(tmp_path / "new.db")) > 8


def _add_a_column(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE run ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")


def _rename_it(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE run SET mood = 'merry'")


def _fail(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM item")
    connection.execute("INSERT INTO nowhere VALUES (1)")


def _moods(connection: sqlite3.Connection) -> list[str]:
    return [mood for (mood,) in connection.execute("SELECT mood FROM run")]


@pytest.mark.parametrize("start", [0, 1])
def test_an_older_store_is_brought_up_to_date_step_by_step(path: Path, start: int) -> None:
    known = len(MIGRATIONS)
    steps = (*MIGRATIONS, _add_a_column, _rename_it)
    connect(path, create=True, read_only=False, migrations=steps[: known + start]).close()
    connection = connect(path, create=True, read_only=False, migrations=steps)
    assert _moods(connection) == ["merry"]
    connection.close()
    with pytest.raises(StoreError, match=rf"newer Solvent \(store version {known + 2}; this one knows up to {known}\)"):
        connect(path, create=True, read_only=False, migrations=MIGRATIONS)
    assert integrity(path) == "ok"


def test_reading_an_older_store_leaves_it_as_it_is(path: Path) -> None:
    with untouched(path.parent):
        connection = connect(path, create=False, read_only=True, migrations=(*MIGRATIONS, _add_a_column))
        assert _moods(connection) == ["calm"]
        assert connection.execute("SELECT count(*) FROM answer").fetchone() == (1,)
        connection.close()


def test_steps_that_fail_are_undone_together(path: Path) -> None:
    with pytest.raises(StoreError, match="is damaged: no such table: nowhere"):
        connect(path, create=True, read_only=False, migrations=(*MIGRATIONS, _add_a_column, _fail))
    with Store.open(path) as store:
        assert len(list(read.rows(store, read.newest_run(store).id))) == 1
    connection = sqlite3.connect(path)
    assert "mood" not in [name for _, name, *_ in connection.execute("PRAGMA table_info(run)")]
    connection.close()


def test_reading_only_writes_nothing(path: Path) -> None:
    with Store.open(path, read_only=True) as store, pytest.raises(StoreError, match="read-only"):
        begin(store)
    assert os.listdir(path.parent) == [path.name], "nothing is left beside it"


def test_a_store_that_another_process_keeps_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "SECONDS_TO_WAIT", 0.3)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=r"cannot write to .*validation\.db: another process kept it locked"):
            begin(store)
        assert len(read.runs(store)) == 1, "reading waits for nobody"
        other.execute("COMMIT")
        begin(store)
        assert len(read.runs(store)) == 2
    other.close()


def _read_all(path: Path) -> None:
    with Store.open(path, read_only=True) as store:
        for run in read.runs(store):
            list(read.rows(store, run.id))


@pytest.mark.parametrize("how", ["pages", "cut", "text", "table"])
def test_a_damaged_store_is_told_from_anything_else(path: Path, how: str) -> None:
    whole = path.read_bytes()
    if how == "pages":
        path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))
    elif how == "cut":
        path.write_bytes(whole[: 4096 + 100])
    elif how == "text":
        edit(path, "UPDATE item SET name = CAST(x'ff' AS TEXT)")
    else:
        other = sqlite3.connect(path)
        other.execute("DROP TABLE item")
        other.close()
    with pytest.raises(StoreError, match=r"validation\.db is damaged: "):
        _read_all(path)
