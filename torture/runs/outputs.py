"""Kill commands while they write a file: it is whole, or as it was before, never half."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import solvent
from helpers.processes import PATIENCE
from torture.runs.workplace import REFERENCE, Failure, Workplace

OLD = b"what stood there before"
LEVEL = "levels/1/0001.txt"


class Writer(NamedTuple):
    """A command that writes a file."""

    words: Sequence[str]
    """`OUT` stands for the file."""
    ending: str
    is_whole: Callable[[Workplace, bytes], bool]


def _is_certificate(place: Workplace, data: bytes) -> bool:
    problem = solvent.load(place.folder / LEVEL)
    solvent.check(problem, json.loads(data))
    return True


def _is_instance(_place: Workplace, data: bytes) -> bool:
    solvent.parse(data.decode("utf-8"), domain="valency")
    return True


def _is_page(_place: Workplace, data: bytes) -> bool:
    return data.rstrip().endswith(b"</html>")


def _is_picture(_place: Workplace, data: bytes) -> bool:
    return data.rstrip().endswith(b"</svg>")


def _is_table(place: Workplace, data: bytes) -> bool:
    return data.endswith(b"\n") and data.count(b"\n") > len(place.table)


WRITERS = {
    "certificate": Writer(("solve", LEVEL, "--certificate", "OUT"), ".json", _is_certificate),
    "instance": Writer(("generate", "valency", "--grid", "60x60", "--unsolved", "-o", "OUT"), ".json", _is_instance),
    "report": Writer(("report", REFERENCE, "-o", "OUT"), ".html", _is_page),
    "picture": Writer(("draw", LEVEL, "-o", "OUT"), ".svg", _is_picture),
    "table": Writer(("report", REFERENCE, "-o", os.devnull, "--csv", "OUT"), ".csv", _is_table),
}


def kill_writers(place: Workplace, dice: Random) -> None:
    """Kill each of the commands that write files once, at a moment of its own."""
    for name in dice.sample(list(WRITERS), 3):
        kill_writer(place, name, WRITERS[name], dice)


def kill_writer(place: Workplace, name: str, writer: Writer, dice: Random) -> None:
    """Kill a command at some time, or when a file appears where it writes."""
    folder = place.folder / "written"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    out = folder / f"out{writer.ending}"
    existed = dice.random() < 0.5
    if existed:
        out.write_bytes(OLD)
    words = [str(out) if word == "OUT" else word for word in writer.words]
    process = subprocess.Popen(
        [sys.executable, "-m", "solvent", *words],
        cwd=place.folder,
        env=place.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        killed = _kill_when(process, folder, dice)
    finally:
        process.kill()
        process.wait(PATIENCE)
    place.tally.count(f"kill while writing: {name}" if killed else f"{name} written before the kill")
    data = out.read_bytes() if out.exists() else None
    if data is None and existed:
        raise Failure("lost", f"{name}: the file that stood there is gone")
    if data is None or (existed and data == OLD):
        if not killed and process.returncode in (0, 10):
            raise Failure("lost", f"{name}: {' '.join(words)} wrote nothing")
        return
    try:
        whole = writer.is_whole(place, data)
    except (ValueError, KeyError) as error:  # errors of Solvent are ValueErrors, too
        raise Failure("lost", f"{name}: {len(data)} bytes are left that cannot be used: {error}") from error
    if not whole:
        raise Failure("lost", f"{name}: half a file of {len(data)} bytes is left")


def _kill_when(process: subprocess.Popen[bytes], folder: Path, dice: Random) -> bool:
    """Kill a process at a moment; False if it was quicker."""
    before = {entry.name for entry in os.scandir(folder)}
    watching = dice.random() < 0.7
    began = time.monotonic()
    until = began + (PATIENCE if watching else dice.uniform(0.0, 1.5))
    while time.monotonic() < until and process.poll() is None:
        if watching and {entry.name for entry in os.scandir(folder)} != before:
            time.sleep(dice.choice([0.0, 0.0, 0.0005, 0.002]))
            break
        time.sleep(0.0002)
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    return True
