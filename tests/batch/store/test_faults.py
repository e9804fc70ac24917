"""Processes that write at the same time, are killed, or run out of disk: what was committed is there, whole."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batch.store.making import add, begin, integrity
from solvent.batch.store import Store, leader
from solvent.batch.store import reading as read
from solvent.batch.store.coherence import loose_links
from solvent.batch.store.evidence import answers
from solvent.batch.store.opening import SECONDS_TO_WAIT
from solvent.core.errors import StoreError

TESTS = Path(__file__).resolve().parents[2]
WRITER = [sys.executable, "-m", "batch.store.writer"]
SECONDS_TO_GIVE_UP = 120


def _environment() -> dict[str, str]:
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *([before] if before else [])])}


@contextlib.contextmanager
def writing(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a process that writes, and end it whatever happens."""
    environment = _environment()
    with subprocess.Popen(
        [*WRITER, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line_from(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go(*processes: subprocess.Popen[str]) -> None:
    """Let processes begin, all at once."""
    for process in processes:
        assert line_from(process) == "ready"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def test_two_processes_write_at_the_same_time_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with writing("write", str(path), "one", "400", "2") as one, writing("write", str(path), "two", "400", "2") as two:
        go(one, two)
        for process in (one, two):
            process.communicate(timeout=SECONDS_TO_GIVE_UP)
            assert process.returncode == 0
    assert integrity(path) == "ok"
    with Store.open(path, read_only=True) as store:
        for run in read.runs(store):
            assert run.state == "finished"
            assert [row.number for row in read.rows(store, run.id, read.Filter(verdicts=["YES"]))] == list(range(800))
        assert {run.token for run in read.runs(store)} == {"one", "two"}
        assert len(list(answers(store))) == 800, "the same answers are kept once"
        assert not list(loose_links(store))


def test_several_processes_make_the_store_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "new" / "validation.db"
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(writing("write", str(path), str(each), "5", "3")) for each in range(6)]
        go(*processes)
        for process in processes:
            process.communicate(timeout=SECONDS_TO_GIVE_UP)
            assert process.returncode == 0
    assert integrity(path) == "ok"
    with Store.open(path, read_only=True) as store:
        assert [len(list(read.rows(store, run.id))) for run in read.runs(store)] == [15] * 6


def test_ctrl_c_ends_the_wait_for_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    Store.open(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with writing("interrupted", str(path)) as process:
            # Less than the process would wait for the lock; it is no measurement.
            told, _ = process.communicate(timeout=SECONDS_TO_WAIT / 2)
    finally:
        other.close()
    assert told == "interrupted\n"


def test_killed_in_the_middle_of_a_transaction(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with writing("middle", str(path)) as process:
        assert line_from(process) == "waiting"
        log = path.with_name("validation.db-wal")
        assert log.stat().st_size > 100_000, "the transaction has reached the disk before its end"
        process.kill()
        process.wait()
    with Store.open(path) as store:
        run = begin(store)
        assert run.continued
        assert [row.number for row in read.rows(store, run.id)] == list(range(10))
        add(store, run, 10)
        store.commit()
    assert integrity(path) == "ok"


@pytest.mark.parametrize("lines", [1, 2, 5, 11, 23])
def test_killed_at_any_moment(tmp_path: Path, lines: int) -> None:
    path = tmp_path / "validation.db"
    with writing("write", str(path), "t", "100000", "10") as process:
        go(process)
        for _ in range(lines):
            told = int(line_from(process))
        process.kill()
        process.wait()
    with Store.open(path) as store:
        run = begin(store, "t")
        assert run.continued
        found = [row.number for row in read.rows(store, run.id)]
        assert len(found) >= told, "what was said to be committed is there"
        assert found == list(range(len(found)))
        assert len(found) % 10 == 0, "a commit is there or it is not"
    assert integrity(path) == "ok"


def _require_kept(told: str, expected: str) -> None:
    message, committed, seen, last, sound = json.loads(told)
    assert expected in message
    assert message.endswith("what was stored before is kept")
    assert committed > 0
    assert seen == list(range(committed))
    assert last == list(range(committed + 7))
    assert sound == "ok"


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("pages", "validation.db: the disk is full"),
        pytest.param(
            "file size",
            "the disk is full, a quota is used up, or the disk fails (disk I/O error)",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits"),
        ),
    ],
)
def test_no_room_left(tmp_path: Path, limit: str, expected: str) -> None:
    with writing("fill", str(tmp_path / "validation.db"), limit) as process:
        told, _ = process.communicate(timeout=SECONDS_TO_GIVE_UP)
    _require_kept(told, expected)


def test_a_full_disk(tmp_path: Path) -> None:
    """On a disk of its own, which goes away with the process that made it."""
    if not shutil.which("unshare") or not shutil.which("mount"):
        pytest.skip("needs unshare and mount to make a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    make = f"mount -t tmpfs -o size=900k none {disk} && head -c 200k /dev/zero > {disk}/spare"
    if subprocess.run(["unshare", "--mount", "sh", "-c", make], capture_output=True).returncode:
        pytest.skip("may not make a small disk here; needs the rights to mount one")
    command = " ".join([*WRITER, "fill", str(disk / "validation.db"), "disk"])
    ran = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"{make} && {command}"],
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_GIVE_UP,
    )
    assert ran.returncode == 0, ran.stderr
    _require_kept(ran.stdout, "validation.db: the disk is full")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder that everybody can reach, with a finished store in it."""
    folder = Path(tempfile.mkdtemp(prefix="solvent-store-"))
    folder.chmod(0o755)
    try:
        with Store.open(folder / "validation.db") as store:
            run = begin(store)
            add(store, run, 0)
            store.end_run(run, "finished", seconds=1)
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def as_nobody(work: Callable[[], str]) -> str:
    """Do something in a process without special rights and return what it returns: for root, nothing is read-only."""
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork here")
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            try:
                told = work()
            except BaseException as error:
                told = f"{type(error).__name__}: {error}"
            os.write(send, told.encode())
        finally:
            os._exit(0)
    os.close(send)
    with os.fdopen(receive, encoding="utf-8") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told


def _read(path: Path) -> str:
    with Store.open(path, read_only=True) as store:
        return f"read {[row.name for row in read.rows(store, 1)]}"


def _write(path: Path) -> str:
    with Store.open(path) as store:
        begin(store, "new")
        return "written"


@pytest.mark.skipif(os.name != "posix", reason="folders are protected in another way")
def test_a_read_only_file_in_a_read_only_folder(open_folder: Path) -> None:
    path = open_folder / "validation.db"
    path.chmod(0o444)
    open_folder.chmod(0o555)
    before = path.read_bytes()
    assert as_nobody(lambda: _read(path)) == "read ['0.txt']"
    expected = (
        f"StoreError: cannot write to {path}: the file or its folder is read-only; what was stored before is kept"
    )
    assert as_nobody(lambda: _write(path)) == expected
    assert as_nobody(lambda: _write(open_folder / "new.db")).startswith("StoreError: cannot open ")
    assert as_nobody(lambda: _write(open_folder / "a" / "new.db")) == (
        f"StoreError: cannot make the folder {open_folder / 'a'}: Permission denied"
    )
    assert path.read_bytes() == before
    assert os.listdir(open_folder) == ["validation.db"]


@pytest.mark.skipif(os.name != "posix", reason="folders are protected in another way")
def test_a_read_only_file_in_a_folder_that_can_be_written(open_folder: Path) -> None:
    path = open_folder / "validation.db"
    path.chmod(0o444)
    open_folder.chmod(0o777)
    assert as_nobody(lambda: _read(path)) == "read ['0.txt']"
    assert "read-only" in as_nobody(lambda: _write(path))


@pytest.mark.skipif(os.name != "posix", reason="folders are protected in another way")
def test_a_file_that_cannot_be_read_at_all(open_folder: Path) -> None:
    path = open_folder / "validation.db"
    path.chmod(0)
    for work in (_read, _write):
        assert as_nobody(lambda work=work: work(path)) == f"StoreError: cannot read {path}: Permission denied"  # type: ignore[misc]


@pytest.mark.skipif(os.name != "posix", reason="folders are protected in another way")
def test_an_untidy_store_in_a_read_only_folder(open_folder: Path) -> None:
    """What was committed last stands in a second file, which SQLite cannot use without writing beside it."""
    path, log = open_folder / "validation.db", open_folder / "validation.db-wal"
    with Store.open(path) as store:
        add(store, begin(store, "more"), 1)
        store.commit()
        kept = log.read_bytes()
    log.write_bytes(kept)
    open_folder.chmod(0o555)
    told = as_nobody(lambda: _read(path))
    assert told.startswith(f"StoreError: cannot read {path}: its folder is read-only, and the last run ended")
    assert told.endswith("copy validation.db and validation.db-wal to a folder that can be written")


def test_a_run_that_another_process_leads_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "validation.db"
    with writing("middle", str(path)) as process:
        assert line_from(process) == "waiting"
        process.communicate(timeout=SECONDS_TO_GIVE_UP)  # it drops what it did not commit, and ends
    with writing("write", str(path), "a command", "100000", "1") as process:
        go(process)
        assert line_from(process)
        with Store.open(path) as store:
            run = begin(store)
            assert not run.continued
            store.end_run(run, "interrupted", seconds=1)
        process.kill()
        process.wait()
    with Store.open(path) as store:
        again = begin(store)
        assert (again.id, again.continued) == (run.id, True)


def test_who_leads() -> None:
    me = leader.this_process()
    assert not leader.is_at_work(me), "a process takes over what it began itself"
    parent = f"{me.split()[0]} {os.getppid()} {leader._started(os.getppid())}"
    assert leader.is_at_work(parent) == (os.name == "posix")
    machine, number, started = parent.split()
    assert not leader.is_at_work(f"elsewhere {number} {started}")
    assert not leader.is_at_work(f"{machine} {number} {started}1"), "the number was given to another process"
    for nonsense in ("", "x", f"{machine} x y", f"{machine} -1 {started}"):
        assert not leader.is_at_work(nonsense)
    import platform

    assert platform.node() not in me


def test_writing_to_a_store_that_was_closed(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "validation.db")
    store.close()
    with pytest.raises(StoreError, match="closed database"):
        begin(store)
