"""A folder and stores in which every name is a script, for a server to show and for reports."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import solvent
from batch.report.stores import Told, fill
from solvent.batch.records import ReadAs
from solvent.batch.store.seals import seal_of_run
from solvent.reading import format_problem
from solvent.registry import all_domains
from torture.pages.payloads import SCRIPTS, as_file_name, payload, plant


@dataclass(frozen=True)
class HostileFolder:
    """Hold where everything is."""

    levels: Path
    stores: tuple[Path, ...]
    """The first has real answers about the levels; the second two runs that say what a payload says, everywhere."""


def make_hostile_folder(root: Path, dice: Random) -> HostileFolder:
    """Write instances with payloads in them under names that are payloads, and stores with runs over them."""
    levels = root / as_file_name(f"<img src=x onerror=alert('planted')>{dice.randrange(1000)}")
    levels.mkdir(parents=True)
    texts = [example.text for domain in all_domains() for example in domain.examples()]
    for number, word in enumerate(SCRIPTS):
        folder = levels / as_file_name(payload(dice)) if number % 7 == 0 else levels
        with contextlib.suppress(OSError):  # not every disk takes every name
            folder.mkdir(exist_ok=True)
            planted = planted_instance(dice) if number % 3 else (texts[number % len(texts)], "")
            path = folder / as_file_name(f"{number}.{payload(dice)}" if number % 5 == 0 else f"{number}{word}.txt")
            path.write_text(planted[0], encoding="utf-8", errors="replace")
    real = root / as_file_name(f'"><img data-planted src=x onerror=alert("planted")>{dice.randrange(1000)}.db')
    list(solvent.validate([levels], store=real, seconds=None, nodes=2_000, jobs=1))
    told = root / as_file_name(f"</title><script data-planted>alert('planted')</script>{dice.randrange(1000)}.db")
    fill_hostile_store(told, dice)
    return HostileFolder(levels, (real, told))


def fill_hostile_store(store: Path, dice: Random) -> None:
    """Make two runs that say what a payload says wherever a store holds words."""
    for verdicts in (("YES", "NO", "UNKNOWN", None), ("NO", "NO", "YES", None)):
        rows = []
        for number, verdict in enumerate(verdicts * 4):
            words = [payload(dice) for _ in range(4)]
            error = f"Traceback\nValueError: {words[2]}" if verdict is None else ""
            told = Told(f"{number}{words[0]}", verdict, content=number, error=error, path=words[2])
            rows.append(replace(told, detail=words[0], because=words[1], machine=words[3], stats={words[1]: words[2]}))
        for read_as in (ReadAs.UNREADABLE, ReadAs.UNRECOGNISED):
            rows.append(Told(payload(dice), read_as=read_as, message=payload(dice)))
        fill(store, rows)
    with sqlite3.connect(store) as database:
        database.execute("UPDATE run SET command = ?, solver = ?", (payload(dice), payload(dice)))
        database.execute("UPDATE item SET remarks = ?", (json.dumps([payload(dice)]),))
        # What does not fit its seal is refused before any page is written, so a forger seals anew.
        for (run,) in database.execute("SELECT id FROM run").fetchall():
            database.execute("UPDATE run SET seal = ? WHERE id = ?", (seal_of_run(database, run), run))
    database.close()


def planted_instance(dice: Random) -> tuple[str, str]:
    """Return the text of some example in some format with a payload in it, and its domain; it need not be readable."""
    domain = dice.choice(list(all_domains()))
    text = dice.choice(domain.examples()).text
    if dice.random() < 0.6:
        problem = solvent.parse(text, domain=domain.name)
        with contextlib.suppress(ValueError):  # not every format can hold everything
            text = format_problem(problem, dice.choice(list(domain.formats)))
    for _ in range(dice.choice([1, 1, 2, 4])):
        text = plant(text, payload(dice), dice)
    return text, domain.name
