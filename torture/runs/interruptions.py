"""Kills, signals, several runs at once and copies made while a run writes."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from batch.faults_command import Running
from batch.faults_store import query
from torture.runs.workplace import CODES, Failure, Workplace, end, is_finished, pause, wait_for_a_moment

KILLS = (4, 14)
"""Of the leader in one round, at least and at most."""
WORKERS = 3


def kill_leaders(place: Workplace, dice: Random) -> None:
    """Kill the command at random moments and start it again, until it is done."""
    for _ in range(dice.randint(*KILLS)):
        before = place.stored_keys()
        with place.start() as running:
            moment = wait_for_a_moment(place, running, dice)
            if running.has_ended():
                break
            everybody = dice.random() < 0.3  # as when the machine is switched off
            if everybody:
                for process in _family(running):
                    end(process, signal.SIGKILL)
            running.kill()
            place.tally.count(f"kill of the leader{' and all others' if everybody else ''} ({moment})")
            running.wait_until_nothing_is_left()
        place.require_kept(before)
        if is_finished(place.store):  # the kill came too late, and the next command would be another run
            break
    if is_finished(place.store):
        place.require_same_store()
        return
    place.finish("--csv", "results/table.csv")
    place.require_same_store()
    place.require_csv(place.store.with_name("table.csv"))


def kill_workers(place: Workplace, dice: Random) -> None:
    """Kill workers and what starts them; only what lost its worker twice may stay unanswered, until it is asked for."""
    kills = lost = 0
    with place.start("--jobs", str(WORKERS)) as running:
        for _ in range(dice.randint(8, 30)):
            running.wait_for(running.workers)
            pause(running, dice.choice([dice.uniform(0.0, 0.02), dice.uniform(0.0, 0.2)]))
            if running.has_ended():
                break
            whole = dice.random() < 0.2
            victim = running.fork_server() if whole else dice.choice(running.workers() or [0]) or None
            if end(victim, signal.SIGKILL):
                kills += 1
                lost += WORKERS if whole else 1  # workers end with the process that started them
                place.tally.count("kill of the process that starts workers" if whole else "kill of a worker")
        ran = running.wait()
        running.wait_until_nothing_is_left()
    if ran.code not in CODES or "Traceback" in ran.err:
        raise Failure("crashed", f"ended with {ran.code} after {kills} kills: {ran.err[-1500:]}")
    given_up = query(place.store, "SELECT count(*) FROM answer WHERE detail LIKE 'worker died twice: SIGKILL%'")[0][0]
    unread = query(place.store, "SELECT count(*) FROM item WHERE message LIKE '%worker died twice: SIGKILL%'")[0][0]
    if given_up + unread > lost // 2:  # it takes two deaths each
        raise Failure("lost", f"{given_up} were given up and {unread} not read after {kills} kills")
    place.finish("--again=unknown")
    place.require_same_table()


def send_signals(place: Workplace, dice: Random) -> None:
    """Tell the command to stop at random moments, perhaps twice; it says how much it kept, and goes on later."""
    for _ in range(dice.randint(1, 4)):
        before = place.stored_keys()
        number = dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        with place.start() as running:
            wait_for_a_moment(place, running, dice)
            ready = running.listens_to(signal.SIGTERM)
            if running.has_ended():
                break
            if dice.random() < 0.3:  # as a terminal does
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(running.leader, number)
            else:
                running.send(number)
            if dice.random() < 0.3:
                pause(running, dice.uniform(0.0, 0.05))
                running.send(number)
            place.tally.count(f"{number.name}")
            ran = running.wait()
            running.wait_until_nothing_is_left()
        if ready and "Traceback" in ran.err:  # else it may have met the start of Python, which has its own words
            raise Failure("crashed", f"{number.name} was answered with {ran.code}: {ran.err[-1500:]}")
        allowed = {128 + number, -number, *(CODES if is_finished(place.store) else ())}
        if ready and ran.code not in allowed:
            raise Failure("wrong", f"{number.name} was answered with exit code {ran.code}: {ran.err[-500:]}")
        place.require_kept(before)
        if is_finished(place.store):  # the signal came too late, and the next command would be another run
            break
    if not is_finished(place.store):
        place.finish()
    place.require_same_store()


def run_together(place: Workplace, dice: Random) -> None:
    """Have two runs share a store, and kill one of them or neither."""
    with place.start() as one, place.start(*dice.choice([(), ("--jobs", "1")])) as other:
        fate = dice.choice(["neither", "killed", "stopped"])
        if fate != "neither":
            wait_for_a_moment(place, one, dice)
            if not one.has_ended():
                one.send(signal.SIGKILL if fate == "killed" else signal.SIGTERM)
                place.tally.count(f"one of two runs {fate}")
        for running in (one, other):
            ran = running.wait()
            if ran.code not in (*CODES, -signal.SIGKILL, 128 + signal.SIGTERM, -signal.SIGTERM):
                raise Failure("crashed", f"one of two ended with {ran.code}: {ran.err[-1500:]}")
            if "Traceback" in ran.err:
                raise Failure("crashed", f"one of two said {ran.err[-1500:]}")
            running.wait_until_nothing_is_left()
    place.tally.count("two runs on one store")
    place.finish()
    place.require_same_table()


def copy_store(place: Workplace, dice: Random) -> None:
    """Copy the store while a run writes into it; the copy is whole, and a run with it goes on to the same end."""
    with place.start() as running:
        running.wait_for(lambda: len(place.stored_keys()) > 0)
        wait_for_a_moment(place, running, dice)
        how = dice.choice(["backup", "snapshot", "copied files"])
        copied = place.folder / "copied" / "validation.db"
        shutil.rmtree(copied.parent, ignore_errors=True)
        copied.parent.mkdir()
        before = place.stored_keys()
        if how == "backup":
            with closing(sqlite3.connect(place.store)) as source, closing(sqlite3.connect(copied)) as target:
                source.backup(target)
        elif how == "snapshot":  # as some disks can: all files as they are at one moment
            for process in (running.leader, *_family(running)):
                end(process, signal.SIGSTOP)
            _copy_files(place.store, copied)
            for process in (running.leader, *_family(running)):
                end(process, signal.SIGCONT)
        else:
            _copy_files(place.store, copied)
        place.tally.count(f"store copied while a run writes ({how})")
        ran = running.wait()
        running.wait_until_nothing_is_left()
    if ran.code not in CODES or "Traceback" in ran.err:
        raise Failure("crashed", f"a run whose store was copied ended with {ran.code}: {ran.err[-1500:]}")
    place.require_same_store()
    _go_on_with_copy(place, before, strictly=how != "copied files")


def _go_on_with_copy(place: Workplace, before: set[str], *, strictly: bool) -> None:
    """Go on with a copy. Files that were copied one after the other need not fit together; that must be noticed."""
    store = "copied/validation.db"
    ran = place.commands.run(*place.words, store=store)
    if "Traceback" in ran.err:
        raise Failure("crashed", f"a copy of the store was met with {ran.err[-1500:]}")
    if ran.code == 30 and not strictly:
        place.tally.count("copy refused: its files do not fit together")
        return
    if ran.code not in CODES:
        raise Failure("lost", f"a copy of the store was refused ({ran.code}): {ran.err[-500:]}")
    place.require_same_table(store)
    if strictly:
        place.require_kept(before, place.folder / store)


def _copy_files(store: Path, copied: Path) -> None:
    """Copy a store as `cp` does: the database, then the log of what is not in it yet."""
    shutil.copy(store, copied)
    with contextlib.suppress(FileNotFoundError):
        shutil.copy(f"{store}-wal", f"{copied}-wal")


def _family(running: Running) -> list[int]:
    server = running.fork_server()
    return [] if server is None else [server, *running.workers()]
