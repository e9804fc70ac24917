"""Disks that are full, stores that cannot be written, are too new or disappear, readers that go away."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from batch.faults_command import Commands, Ran, obey_permissions
from batch.faults_corpus import install_with_log, labelled, read_log, times_begun, write_files
from batch.faults_store import answered, contents, query, solved_labels
from solvent.batch.store import Store
from solvent.batch.store.rescue import rescue

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes through /proc")

REFERENCE = "reference/validation.db"
LEVELS = [text for pair in zip(labelled("slow 0.06", 60), labelled("large 20", 60), strict=True) for text in pair]
"""Certificates of 20 kB that hardly compress, slowly enough that some are committed before there is no room."""


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    made = Commands(tmp_path, install_with_log(tmp_path))
    yield made
    assert not made.processes()


def assert_refused(ran: Ran, *words: str) -> None:
    """Make sure that one line says what is wrong, and that the exit code says so too."""
    assert ran.code == 30, ran
    assert ran.err.startswith("solvent: "), ran
    assert len(ran.err.splitlines()) == 1, ran
    for word in words:
        assert word in ran.err, ran


def goes_on(commands: Commands, *, store: Path) -> None:
    """Run the same command with all the room it needs; make sure that it goes on where the other ended."""
    kept = solved_labels(store)
    assert kept, "something was committed before the disk was full"
    before = len(read_log(commands.folder))
    assert commands.run("levels", "--jobs", "2", store=str(store)).code == 0
    assert not times_begun(read_log(commands.folder, since=before)).keys() & kept
    assert commands.run("levels", "--jobs", "2", store=REFERENCE).code == 0
    assert contents(store) == contents(commands.folder / REFERENCE)


# No room


@pytest.mark.parametrize("kilobytes", [400, pytest.param(700, marks=pytest.mark.slow)])
def test_a_file_that_may_not_grow_keeps_what_was_committed(commands: Commands, kilobytes: int) -> None:
    write_files(commands.folder / "levels", LEVELS)

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1000, kilobytes * 1000))

    ran = commands.run("levels", "--jobs", "2", before=limit_files)
    assert_refused(ran, "results/validation.db", "what was stored before is kept")
    goes_on(commands, store=commands.store)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 600 kB; only an administrator of the machine can have one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounting = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounting.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounting.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.slow
def test_a_full_disk_keeps_what_was_committed(commands: Commands, small_disk: Path) -> None:
    write_files(commands.folder / "levels", LEVELS)
    ran = commands.run("levels", "--jobs", "2", store=str(small_disk / "validation.db"))
    assert_refused(ran, "the disk is full", "what was stored before is kept")
    contents(small_disk / "validation.db")
    subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    goes_on(commands, store=small_disk / "validation.db")


def test_a_disk_that_is_full_from_the_start_is_told(commands: Commands, small_disk: Path) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    (small_disk / "ballast").write_bytes(b"x" * 600_000)
    ran = commands.run("levels", "--jobs", "2", store=str(small_disk / "validation.db"))
    assert_refused(ran, "the disk is full")
    assert not read_log(commands.folder), "nothing is solved that could not be kept"


def test_a_table_that_finds_no_room_costs_no_answer(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    ran = commands.run("levels", "--jobs", "1", "--csv=/dev/full")
    assert (ran.code, ran.err) == (30, "solvent: cannot write /dev/full: No space left on device\n")
    assert "3 answers" in ran.out
    assert "Table:" not in ran.out
    assert len(answered(commands.store)) == 3


def test_lines_that_find_no_room_end_the_run_and_keep_what_was_answered(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    ran = commands.run("levels", "--jobs", "1", "--jsonl=/dev/full")
    assert (ran.code, ran.err) == (30, "solvent: cannot write /dev/full: No space left on device\n")
    assert answered(commands.store)


# Stores that cannot be written


@pytest.fixture
def with_store(commands: Commands) -> Commands:
    """Give a folder that has levels and a store."""
    write_files(commands.folder / "levels", labelled("yes", 3))
    Store.open(commands.store).close()
    return commands


@pytest.mark.parametrize("what", [pytest.param("file", marks=pytest.mark.slow), "folder"])
def test_a_store_that_may_not_be_written_is_refused_before_anything_is_solved(with_store: Commands, what: str) -> None:
    before = with_store.store.read_bytes()
    place, mode = (with_store.store, 0o444) if what == "file" else (with_store.store.parent, 0o555)
    place.chmod(mode)
    try:
        ran = with_store.run("levels", "--jobs", "1", before=obey_permissions)
    finally:
        place.chmod(0o755)
    assert_refused(ran, "results/validation.db", "read-only")
    assert not read_log(with_store.folder)
    assert with_store.store.read_bytes() == before
    assert with_store.run("levels", "--jobs", "1").code == 0
    assert len(answered(with_store.store)) == 3


def test_a_folder_that_cannot_be_made_is_told(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    commands.folder.chmod(0o555)
    try:
        ran = commands.run("levels", "--jobs", "1", before=obey_permissions)
    finally:
        commands.folder.chmod(0o755)
    assert_refused(ran, "results", "Permission denied")
    assert not read_log(commands.folder)


def test_a_newer_store_is_refused_and_left_alone(with_store: Commands) -> None:
    with closing(sqlite3.connect(with_store.store)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = with_store.store.read_bytes()
    ran = with_store.run("levels", "--jobs", "1")
    assert_refused(ran, "written by a newer Solvent", "99")
    assert with_store.store.read_bytes() == before
    assert not read_log(with_store.folder)


@pytest.mark.parametrize("content", [b"my notes\n", b"SQLite format 3\0" + b"\0" * 500])
def test_what_is_no_store_is_refused_and_left_alone(commands: Commands, content: bytes) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    commands.store.parent.mkdir()
    commands.store.write_bytes(content)
    ran = commands.run("levels", "--jobs", "1")
    assert_refused(ran, "not a store")
    assert commands.store.read_bytes() == content


def test_a_damaged_store_is_refused_and_saved_and_gone_on_with(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("yes", 30))
    assert commands.run("levels", "--jobs", "1").code == 0
    data = bytearray(commands.store.read_bytes())
    chance = random.Random(60)
    for _ in range(60):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    commands.store.write_bytes(data)
    before = len(read_log(commands.folder))
    ran = commands.run("levels", "--jobs", "1")
    assert_refused(ran, "results/validation.db is damaged: ", "solvent report results/validation.db --rescue NEW_STORE")
    assert commands.store.read_bytes() == data
    assert len(read_log(commands.folder)) == before, "nothing was solved"
    saved = commands.folder / "saved.db"
    rescued = rescue(commands.store, saved)
    assert rescued.answers
    kept = solved_labels(saved)
    assert commands.run("levels", "--jobs", "1", store=str(saved)).code == 0
    begun = times_begun(read_log(commands.folder, since=before))
    assert not begun.keys() & kept, "nothing is solved twice"
    assert len(begun) == 30 - rescued.answers
    assert len(answered(saved)) == 30


# Stores that disappear


@pytest.mark.parametrize(
    "how", ["removed", pytest.param("moved", marks=pytest.mark.slow), pytest.param("replaced", marks=pytest.mark.slow)]
)
def test_a_store_that_disappears_ends_the_run_with_a_word(commands: Commands, how: str) -> None:
    """Whoever writes into a file that has no name any more must not say that all is well."""
    write_files(commands.folder / "levels", labelled("slow 0.1", 100))
    with commands.start("levels", "--jobs", "1") as running:
        assert running.wait_for(lambda: len(answered(commands.store)) >= 3)
        aside = commands.store.parent.rename(commands.folder / "aside")
        if how == "replaced":
            commands.store.parent.mkdir()
            shutil.copy(aside / commands.store.name, commands.store)
        elif how == "removed":
            shutil.rmtree(aside)
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert_refused(ran, "results/validation.db")
    assert "removed" in ran.err or "replaced" in ran.err
    assert len(read_log(commands.folder)) < 200, "it did not go on to the end"
    if how == "moved":
        assert len(answered(aside / commands.store.name)) >= 3
    if how == "replaced":
        contents(commands.store)


# Readers that go away


@pytest.mark.parametrize("words", [("--jsonl",), pytest.param((), marks=pytest.mark.slow)], ids=["lines", "words"])
def test_who_stops_reading_ends_the_command_quietly(commands: Commands, words: tuple[str, ...]) -> None:
    """As `solvent validate levels | head -1` does."""
    write_files(commands.folder / "levels", labelled("slow 0.01", 200))
    with commands.start("levels", "--jobs", "2", *words, stdout=subprocess.PIPE) as running:
        assert running.process.stdout is not None
        assert running.process.stdout.readline()
        running.process.stdout.close()
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert (ran.code, ran.err) == (141, "")
    kept = solved_labels(commands.store)
    assert kept
    before = len(read_log(commands.folder))
    assert commands.run("levels", "--jobs", "2").code == 0
    assert not times_begun(read_log(commands.folder, since=before)).keys() & kept
    assert len(query(commands.store, "SELECT 1 FROM answer")) == 200


@pytest.mark.slow
def test_standard_output_without_room_costs_no_answer(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("yes", 3))
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        with commands.start("levels", "--jobs", "1", stdout=full) as running:
            ran = running.wait()
            running.wait_until_nothing_is_left()
    finally:
        os.close(full)
    assert_refused(ran, "standard output", "No space left on device")
    assert len(answered(commands.store)) == 3
