"""Kill the command, its workers and what starts them at any moment: nothing is lost, nothing is done twice."""

from __future__ import annotations

import os
import random
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import solvent
from batch.faults_command import Commands, Running
from batch.faults_corpus import install_with_log, labelled, read_log, times_begun, write_files, write_lines
from batch.faults_store import answered, contents, query, solved_labels
from helpers.command import Ran
from helpers.depth import up_to
from helpers.processes import looking
from solvent.reading import format_problem

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes through /proc")

REFERENCE = "reference/validation.db"
"""The store of a run that nobody disturbed."""


def complaints(ran: Ran) -> list[str]:
    """Return what a run said on standard error, but for what it found: an UNKNOWN is worth a warning."""
    return [line for line in ran.err.splitlines() if not line.startswith("solvent: warning: ")]


@pytest.fixture
def commands(tmp_path: Path) -> Iterator[Commands]:
    made = Commands(tmp_path, install_with_log(tmp_path))
    yield made
    assert not made.processes()


@dataclass(frozen=True)
class Corpus:
    """What to validate, and how."""

    words: tuple[str, ...]
    solvable: int
    """How many (instance, question) pairs of the hostile domain are solved in an undisturbed run."""
    code: int
    """How an undisturbed run exits."""


def tiny_corpus(folder: Path, count: int) -> Corpus:
    """Many instances that take no time, so that hundreds travel together; some twice, some broken."""
    texts = labelled("yes", count)
    write_lines(folder / "tiny.jsonl", [*texts, "HOSTILE dance", *texts[:20], "just a note", "HOSTILE unknown #u"])
    return Corpus(("tiny.jsonl", "--ask", "all", "--jobs", "2"), 2 * (count + 1), 0)


def slower_corpus(folder: Path, count: int) -> Corpus:
    """Files that take 50 to 200 ms each."""
    chosen = random.Random(5)
    texts = [f"HOSTILE slow {chosen.uniform(0.05, 0.2):.2f} #{number}" for number in range(count)]
    write_files(folder / "levels", [*texts, "HOSTILE bug #b", "HOSTILE no #n"])
    return Corpus(("levels", "--jobs", "2"), count + 2, 1)


def mixed_corpus(folder: Path, count: int) -> Corpus:
    """The same, with boards of a real domain among them, and another limit."""
    slower = slower_corpus(folder, count)
    boards = [solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=seed) for seed in range(count // 4)]
    write_files(folder / "levels" / "boards", list(map(format_problem, boards)))
    return Corpus(("levels", "--jobs", "2", "--seconds", "30"), slower.solvable, slower.code)


CORPORA = {"tiny": tiny_corpus, "slower": slower_corpus, "mixed": mixed_corpus}
Disturbance = Callable[[Running, random.Random], None]
"""Ends a command that is at work, one way or another, and says what must be true of its end."""


@pytest.mark.parametrize(
    ("corpus", "size", "times"),
    [
        ("tiny", 400, 3),
        pytest.param("slower", 24, 4, marks=pytest.mark.slow),
        pytest.param("tiny", 4_000, up_to(6, deep=20), marks=pytest.mark.slow),
        pytest.param("mixed", 120, up_to(6, deep=20), marks=pytest.mark.slow),
    ],
)
def test_killed_at_any_moment_it_goes_on_and_ends_with_the_same_store(
    commands: Commands, corpus: str, size: int, times: int
) -> None:
    disturb_and_compare(commands, CORPORA[corpus](commands.folder, size), times, lambda running, _: running.kill())


@pytest.mark.parametrize(
    ("corpus", "size", "times"),
    [("slower", 24, 2), pytest.param("tiny", 4_000, up_to(6, deep=20), marks=pytest.mark.slow)],
)
def test_told_to_stop_at_any_moment_it_keeps_what_was_answered(
    commands: Commands, corpus: str, size: int, times: int
) -> None:
    made = CORPORA[corpus](commands.folder, size)

    def stop(running: Running, chosen: random.Random) -> None:
        number = chosen.choice([signal.SIGINT, signal.SIGTERM])
        began = running.listens_to(signal.SIGTERM)
        running.send(number)
        impatient = chosen.random() < 0.5
        if impatient:
            pause(running, chosen.uniform(0.0, 0.05))
            running.send(number)
        ran = running.wait()
        codes = {130 if number == signal.SIGINT else 143}
        finished = is_finished(commands.store)
        if finished:  # it was quicker than the signal
            codes.add(made.code)
        if finished or impatient:  # when it has said its last word, a signal ends the process by itself
            codes.add(-number)
        if began:  # else it may have met the start of Python, which has its own words for that
            assert "Traceback" not in ran.err
            assert ran.code in codes
        told = re.search(r"stopped; ([0-9,]+) answered and kept", ran.err)
        if told is not None:
            kept = len(query(commands.store, "SELECT 1 FROM run_answer"))
            assert int(told[1].replace(",", "")) <= kept

    disturb_and_compare(commands, made, times, stop)


def disturb_and_compare(commands: Commands, corpus: Corpus, times: int, disturb: Disturbance) -> None:
    """Disturb runs that many times, going on after each, and compare every store with one that nobody disturbed."""
    assert commands.run(*corpus.words, store=REFERENCE).code == corpus.code
    expected = contents(commands.folder / REFERENCE)
    assert len(times_begun(read_log(commands.folder))) == corpus.solvable
    chosen = random.Random(f"{corpus.words} {times}")
    disturbed = 0
    while disturbed < times:
        for leftover in commands.store.parent.glob("*"):
            leftover.unlink()
        disturbed += disturb_until_done(commands, corpus, chosen, times - disturbed, disturb)
        assert contents(commands.store) == expected


def disturb_until_done(
    commands: Commands, corpus: Corpus, chosen: random.Random, times: int, disturb: Disturbance
) -> int:
    """Disturb and go on with one store until it is complete; return how often it was disturbed, `times` at most."""
    disturbed = 0
    every = max(1, corpus.solvable // times)
    done = False
    while not done:
        committed = solved_labels(commands.store)
        before = len(read_log(commands.folder))
        with commands.start(*corpus.words) as running:
            if disturbed < times:
                wait_for_a_moment(commands, running, chosen, before, every)
            else:
                assert running.wait().code == corpus.code
            if not running.has_ended():
                disturbed += 1
                disturb(running, chosen)
            running.wait_until_nothing_is_left()
        begun = times_begun(read_log(commands.folder, since=before))
        assert not begun.keys() & committed, "what was committed is not solved again"
        assert set(begun.values()) <= {1}, "nothing is solved twice in one go"
        # It may have been ended after its last word to the store.
        done = is_finished(commands.store)
    return disturbed


def is_finished(store: Path) -> bool:
    """Tell whether the newest run has come to its end."""
    return query(store, "SELECT state FROM run ORDER BY id DESC LIMIT 1") == [("finished",)]


def wait_for_a_moment(
    commands: Commands, running: Running, chosen: random.Random, logged_before: int, every: int
) -> None:
    """Wait a while: some time, until some instances were solved, or until the store was written to."""
    kind = chosen.choice(["time", "solved", "solved", "written"])
    if kind == "time":
        pause(running, chosen.uniform(0.0, 2.0))
    elif kind == "solved":
        lines = chosen.randint(1, 8 * every)  # two lines each, and some of it will be lost
        running.wait_for(lambda: len(read_log(commands.folder, since=logged_before)) >= lines)
    else:
        log = commands.store.with_name(f"{commands.store.name}-wal")
        sizes: list[int | None] = [None]
        changes = chosen.randint(1, 8)

        def written_often_enough() -> bool:
            size = log.stat().st_size if log.exists() else None
            if size != sizes[-1]:
                sizes.append(size)
            return len(sizes) > changes

        running.wait_for(written_often_enough)
    pause(running, chosen.choice([0.0, chosen.uniform(0.0, 0.1)]))


def pause(running: Running, seconds: float) -> None:
    """Let a command go on for a while; shorter if it ends."""
    start = next(looking())
    running.wait_for(lambda: next(looking()) - start >= seconds)


def test_ctrl_c_at_a_terminal_reaches_every_process_and_ends_it_in_order(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("slow 0.05", 400))
    with commands.start("levels", "--jobs", "2") as running:
        assert running.wait_for(lambda: len(answered(commands.store)) >= 5)
        os.killpg(running.leader, signal.SIGINT)
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert ran.code == 130
    kept = len(answered(commands.store))
    assert ran.err == f"solvent: stopped; {kept} answered and kept; run the same command again to go on\n"
    assert query(commands.store, "SELECT state FROM run") == [("interrupted",)]


@pytest.mark.slow
def test_a_terminal_that_is_closed_costs_nothing_that_was_committed(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("slow 0.05", 60))
    with commands.start("levels", "--jobs", "2") as running:
        assert running.wait_for(lambda: len(answered(commands.store)) >= 5)
        os.killpg(running.leader, signal.SIGHUP)
        running.wait()
        running.wait_until_nothing_is_left()
    kept = solved_labels(commands.store)
    before = len(read_log(commands.folder))
    assert commands.run("levels", "--jobs", "2").code == 0
    assert not times_begun(read_log(commands.folder, since=before)).keys() & kept
    assert len(contents(commands.store).links) == 60


# Workers


@pytest.mark.parametrize(("size", "kills"), [(40, 6), pytest.param(300, 60, marks=pytest.mark.slow)])
def test_workers_killed_at_random_cost_at_most_their_own_instances(commands: Commands, size: int, kills: int) -> None:
    width = 3
    write_files(commands.folder / "levels", labelled("slow 0.1", size))
    chosen = random.Random(size)
    killed: set[int] = set()
    with commands.start("levels", "--jobs", f"{width}") as running:
        while len(killed) < kills and running.wait_for(lambda: len(running.workers()) == width):
            pause(running, chosen.uniform(0.0, 0.2))
            killed |= kill_one(running, chosen)
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert (ran.code, complaints(ran)) == (0, [])
    assert len(killed) >= kills // 2, "each time the width was reached again before the next was killed"
    rows = outcomes(commands)
    unread = query(commands.store, "SELECT message FROM item WHERE read_as != 'instance'")
    assert set(unread) <= {("killed while reading (worker died twice: SIGKILL)",)}
    assert len(rows) + len(unread) == size, "nothing is lost, whether it was being read or solved"
    given_up = [row for row in rows.values() if row[0] != "YES"]
    assert set(given_up) <= {("UNKNOWN", "worker died twice: SIGKILL", 2)}
    assert len(given_up) + len(unread) <= len(killed) // 2, "it takes two deaths each"


def kill_one(running: Running, chosen: random.Random) -> set[int]:
    workers = running.workers()
    if not workers:
        return set()
    victim = chosen.choice(workers)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return set()
    running.wait_for(lambda: victim not in running.workers())
    return {victim}


def outcomes(commands: Commands) -> dict[str, tuple[str | None, str, int]]:
    """Return verdict, detail and attempts of the answers of the newest run, by label."""
    found = query(
        commands.store,
        "SELECT name, verdict, detail, attempts FROM run_answer JOIN answer ON answer.id = run_answer.answer"
        " JOIN item ON item.run = run_answer.run AND item.number = run_answer.number"
        " WHERE item.run = (SELECT max(id) FROM run)",
    )
    texts = {name: (commands.folder / name).read_text().strip().rpartition("#")[2] for name, *_ in found}
    return {texts[name]: (verdict, detail, attempts) for name, verdict, detail, attempts in found}


def test_only_who_loses_its_worker_twice_is_given_up(commands: Commands) -> None:
    """Kill whoever begins `twice`, always, and whoever begins `once`, the first time."""
    texts = [
        *labelled("slow 0.02", 30),
        "HOSTILE loop #twice-a",
        "HOSTILE slow 1.5 #once-a",
        "HOSTILE slow 1.5 #once-b",
    ]
    write_files(commands.folder / "levels", texts)
    seen = 0
    spared: set[str] = set()
    with commands.start("levels", "--jobs", "2") as running:
        while not running.has_ended():
            lines = read_log(commands.folder, since=seen)
            seen += len(lines)
            for line in lines:
                victim = line.label.startswith(("once", "twice")) and line.label not in spared
                if line.word == "began" and victim:
                    os.kill(line.process, signal.SIGKILL)
                    if line.label.startswith("once"):
                        spared.add(line.label)
            next(looking())
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert (ran.code, complaints(ran)) == (0, [])
    rows = outcomes(commands)
    assert rows.pop("twice-a") == ("UNKNOWN", "worker died twice: SIGKILL", 2)
    assert {verdict for verdict, *_ in rows.values()} == {"YES"}
    assert len(rows) == 32


def test_what_starts_workers_may_be_killed_too(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("slow 0.05", 100))
    with commands.start("levels", "--jobs", "2") as running:
        for enough in (2, 12):
            assert running.wait_for(lambda enough=enough: len(answered(commands.store)) >= enough)
            assert running.wait_for(lambda: len(running.workers()) == 2)
            fork_server = running.fork_server()
            assert fork_server is not None
            os.kill(fork_server, signal.SIGKILL)
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert (ran.code, complaints(ran)) == (0, [])
    assert {verdict for verdict, *_ in outcomes(commands).values()} == {"YES"}


@pytest.mark.slow
def test_a_worker_that_is_stopped_is_ended_and_a_leader_that_is_stopped_goes_on(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("slow 0.1", 30))
    with commands.start("levels", "--jobs", "2", "--seconds", "1", "--kill-after", "2") as running:
        assert running.wait_for(lambda: len(running.workers()) == 2 and len(read_log(commands.folder)) > 4)
        os.kill(running.workers()[0], signal.SIGSTOP)
        running.send(signal.SIGSTOP)
        pause(running, 3.0)
        running.send(signal.SIGCONT)
        ran = running.wait()
        running.wait_until_nothing_is_left()
    assert (ran.code, complaints(ran)) == (0, [])
    verdicts = [verdict for verdict, *_ in outcomes(commands).values()]
    assert verdicts.count("YES") >= 28
    assert len(verdicts) == 30


# Several at once


@pytest.mark.parametrize(
    "corpora", [("levels", "more"), pytest.param(("levels", "levels"), marks=pytest.mark.slow)], ids="-".join
)
def test_two_at_once_share_a_store(commands: Commands, corpora: tuple[str, str]) -> None:
    write_files(commands.folder / "levels", labelled("spin 5", 40))
    write_files(commands.folder / "more", [*labelled("spin 5", 20), *labelled("yes", 40)])
    with commands.start(corpora[0], "--jobs", "1") as one, commands.start(corpora[1], "--jobs", "1") as other:
        for running in (one, other):
            ran = running.wait()
            assert (ran.code, complaints(ran)) == (0, [])
            running.wait_until_nothing_is_left()
    found = contents(commands.store)
    assert [state for _, state, _ in found.runs] == ["finished", "finished"]
    assert set(answered(commands.store).values()) == {"YES"}
    for run in (1, 2):
        names = [name for number, _, name, *_ in found.items if number == run]
        expected = {"levels": 40, "more": 60}[names[0].partition("/")[0]]
        assert len(names) == expected
        assert sum(number == run for number, *_ in found.links) == expected
    assert len(found.answers) == (40 if corpora == ("levels", "levels") else 80), "the same answer is kept once"


@pytest.mark.slow
def test_several_at_once_some_killed_and_every_answer_is_there(commands: Commands) -> None:
    write_files(commands.folder / "levels", labelled("spin 10", 150))
    chosen = random.Random(11)
    for _ in range(3):
        with (
            commands.start("levels", "--jobs", "1") as first,
            commands.start("levels", "--jobs", "1") as second,
            commands.start("levels", "--jobs", "1", "--ask", "unique") as third,
        ):
            pause(first, chosen.uniform(1.0, 3.0))
            first.kill()
            pause(second, chosen.uniform(0.0, 1.0))
            second.send(signal.SIGINT)
            for running in (second, third):
                ran = running.wait()
                assert ran.code in (0, 130)
                assert "Traceback" not in ran.err
            for running in (first, second, third):
                running.wait_until_nothing_is_left()
    assert commands.run("levels", "--jobs", "2", "--ask", "all").code == 0
    found = contents(commands.store)
    assert len(found.answers) == 300
    last = max(run for run, *_ in found.links)
    assert sum(link[0] == last for link in found.links) == 300


def test_the_helper_sees_what_is_left_behind(commands: Commands) -> None:
    """The tests above rest on it."""
    write_files(commands.folder / "levels", labelled("slow 60", 2))
    with commands.start("levels", "--jobs", "2") as running:
        assert running.wait_for(lambda: len(read_log(commands.folder)) == 2)
        assert len(running.workers()) == 2
        assert set(running.workers()) < commands.processes().keys()
        assert len(commands.processes()) == 4
    assert isinstance(running.wait(), Ran)
    running.wait_until_nothing_is_left()
