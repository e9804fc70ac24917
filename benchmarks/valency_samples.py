"""Fill every entry of a public `samples.xml` at its size, with its settings, and say what that takes.

Run `python -m benchmarks.valency_samples`; with names, only those entries.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

import solvent
from benchmarks.valency_tasks import default_folder
from solvent.core.answer import Verdict
from solvent.core.errors import ParseError
from solvent.valency.model import Staging
from solvent.valency.notation.wfc_samples import read_entries, stage_entry

SECONDS = 20.0
"""How long one fill may take, in processor time."""


@dataclass(frozen=True, slots=True)
class EntryTask:
    """Hold one entry of the list: a name to show, and the task it asks for."""

    name: str
    staging: Staging


@dataclass(frozen=True, slots=True)
class EntryRuns:
    """Hold what became of an entry, seed by seed."""

    entry: EntryTask
    verdicts: tuple[Verdict, ...]
    seconds: tuple[float, ...]
    orders: tuple[str, ...]


def read_tasks(path: Path, wanted: Sequence[str] = ()) -> Iterator[EntryTask | str]:
    """Yield the tasks of entries whose picture or tile set is there, and the names of the others."""
    for entry in read_entries(path.read_text(encoding="utf-8")):
        settings = entry.element.attributes
        if wanted and settings["name"] not in wanted:
            continue
        shown = " ".join([settings["name"], *(f"{key}={value}" for key, value in settings.items() if key in SHOWN)])
        try:
            yield EntryTask(shown, stage_entry(entry, path))
        except ParseError:
            yield shown


SHOWN = ("N", "symmetry", "periodic", "periodicInput", "ground", "size", "subset")


def fill(entry: EntryTask, seeds: Sequence[int], seconds: float, solver: str) -> EntryRuns:
    """Fill an entry from each seed; the time is the processor's, boot and check included."""
    verdicts, times, orders = [], [], []
    for seed in seeds:
        began = time.process_time()
        answer = solvent.ask(replace(entry.staging, seed=seed), seconds=seconds * 10, solver=solver)
        times.append(time.process_time() - began)
        verdicts.append(answer.verdict)
        orders.append(str(answer.stats.get("solver", "")))
    return EntryRuns(entry, tuple(verdicts), tuple(times), tuple(orders))


def describe(runs: EntryRuns) -> str:
    """Return one line of the table."""
    said = "/".join(str(sum(one is verdict for one in runs.verdicts)) for verdict in Verdict)
    middle, most = float(np.median(runs.seconds)), max(runs.seconds)
    modules = len(runs.entry.staging.rules.modules)
    return f"{runs.entry.name:58} {modules:5} {said:>8} {middle:8.2f} {most:8.2f}"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--seeds", default=1, help="How many seeds, from 0.")
@click.option("--seconds", default=SECONDS, help="The limit for one fill, in processor time.")
@click.option("--solver", default="auto", help="The order to fill in.")
def main(names: tuple[str, ...], seeds: int, seconds: float, solver: str) -> None:
    """Fill every entry of samples.xml whose picture or tile set is there."""
    click.echo(f"{'entry':58} {'mods':>5} {'Y/N/?':>8} {'median s':>8} {'max s':>8}")
    missing, slow = [], []
    for entry in read_tasks(default_folder().parent / "wfc-samples" / "samples.xml", names):
        if isinstance(entry, str):
            missing.append(entry)
            continue
        runs = fill(entry, range(seeds), seconds, solver)
        click.echo(describe(runs))
        if Verdict.UNKNOWN in runs.verdicts or max(runs.seconds) > seconds:
            slow.append(entry.name)
    click.echo(f"{len(missing)} entries have no picture here: {', '.join(sorted({one.split()[0] for one in missing}))}")
    click.echo(f"over {seconds:g} s or undecided: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.valency_samples")
