"""Machines that get in the way: clocks that jump, disks that are full or read-only, memory that is not there."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from pathlib import Path
from random import Random

from batch.faults_command import Commands, obey_permissions
from batch.faults_store import query
from helpers.command import Ran
from torture.runs.workplace import CODES, STORE, Failure, Workplace

CLOCK = "SOLVENT_TORTURE_CLOCK"
"""The variable of the environment that names how the clock jumps."""
JUMPING_CLOCK = '''
import os, time, zlib

_time, _time_ns, _seed = time.time, time.time_ns, os.environ["SOLVENT_TORTURE_CLOCK"]


def _jump():
    """Return by how many seconds the clock of the wall is wrong: other ones each third of a second, up to years."""
    number = zlib.crc32(f"{_seed} {int(_time() * 3)}".encode())
    return (0, 1, -1, -0.001, 3_600, -3_600, 86_400 * 400, -86_400 * 4_000)[number % 8]


time.time = lambda: _time() + _jump()
time.time_ns = lambda: _time_ns() + int(_jump() * 1_000_000_000)
'''
MEGABYTE = 1 << 20


def turn_the_clock(place: Workplace, dice: Random) -> None:
    """Let the clock of the wall jump to and fro, by milliseconds and by years, in all processes of a run."""
    site = place.folder / "clock"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(JUMPING_CLOCK, encoding="utf-8")
    search = os.pathsep.join((str(site), place.environment["PYTHONPATH"]))
    wrong = {**place.environment, "PYTHONPATH": search, CLOCK: str(dice.randrange(1_000_000))}
    commands = Commands(place.folder, wrong)
    ran = commands.run(*place.words)
    place.tally.count("clock that jumps")
    if ran.code not in CODES or "Traceback" in ran.err:
        raise Failure("crashed", f"with a clock that jumps it ended with {ran.code}: {ran.err[-1500:]}")
    times = [finished for (finished,) in query(place.store, "SELECT finished FROM answer")]
    place.tally.measure("hours between the times of answers", (max(times) - min(times)) / 3600)
    place.require_same_table()
    place.command("report", STORE, "-o", "results/report.html")


def forbid_writing(place: Workplace, dice: Random) -> None:
    """Forbid writing into the folder or the store; it is said before anything is solved, and nothing changes."""
    half = dice.random() < 0.5
    if half:
        place.finish()
    place.store.parent.mkdir(exist_ok=True)
    before = place.store.read_bytes() if half else None
    what, mode = (place.store, 0o444) if half and dice.random() < 0.5 else (place.store.parent, 0o555)
    what.chmod(mode)
    try:
        ran = place.commands.run(*place.words, before=obey_permissions)
    finally:
        what.chmod(0o755)
    place.tally.count("read-only store" if what == place.store else "read-only folder")
    _require_refusal(ran, "a place that may not be written")
    if before is not None and place.store.read_bytes() != before:
        raise Failure("lost", "a store that may not be written was changed")
    place.finish()
    place.require_same_table()


def fill_the_disk(place: Workplace, dice: Random) -> None:
    """Give a run too little room, then all it needs; what was stored before is kept."""
    kilobytes = dice.randint(40, 700)
    with contextlib.ExitStack() as stack:
        if dice.random() < 0.5 and _can_mount(place.store.parent, kilobytes):
            stack.callback(subprocess.run, ["umount", "-l", str(place.store.parent)], check=False, capture_output=True)
            ran = place.commands.run(*place.words)
            grow = ["mount", "-o", "remount,size=60m", str(place.store.parent)]
            subprocess.run(grow, check=True, capture_output=True)
            kept = place.stored_keys() if place.store.exists() else set()
            place.tally.count("full disk")
        else:
            limit = kilobytes * 1000
            ran = place.commands.run(
                *place.words, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            )
            kept = place.stored_keys() if place.store.exists() else set()
            place.tally.count("file that may not grow")
        if ran.code not in CODES:
            _require_refusal(ran, f"a disk of {kilobytes} kB")
        place.finish()
        place.require_kept(kept)
        place.require_same_table()


def _can_mount(folder: Path, kilobytes: int) -> bool:
    """Put a small disk where the store will be; only an administrator of the machine can."""
    folder.mkdir(exist_ok=True)
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        return subprocess.run(mounting, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def limit_memory(place: Workplace, dice: Random) -> None:
    """Limit the address space of a run and all its workers; what was UNKNOWN then is answered when there is memory."""
    limit = dice.randint(450, 1_500) * MEGABYTE
    ran = place.commands.run(*place.words, before=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    place.tally.count("address space limited")
    if ran.code not in (*CODES, 30) or "Traceback" in ran.err:
        raise Failure("crashed", f"with {limit // MEGABYTE} MB it ended with {ran.code}: {ran.err[-1500:]}")
    kept = place.stored_keys() if place.store.exists() else set()
    place.finish("--again=unknown")
    place.require_kept(kept)
    place.require_same_table()


def _require_refusal(ran: Ran, what: str) -> None:
    """Make sure that the exit code and one line say what is wrong."""
    lines = ran.err.splitlines()
    if ran.code != 30 or len(lines) != 1 or not ran.err.startswith("solvent: "):
        raise Failure("wrong", f"{what} was met with exit code {ran.code}: {ran.err[-1500:]}")
