"""The command `python -m benchmarks`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from benchmarks.machine import current_load

QUICK = click.option("--quick", is_flag=True, help="Fewer and smaller instances, in under a minute.")
JSON = click.option("--json", "out", type=click.Path(path_type=Path), help="Where to write the results.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def main(context: click.Context) -> None:
    """Compare Solvent with the alternatives. Without a command, run every comparison."""
    if context.invoked_subcommand is None:
        context.invoke(startup)
        context.invoke(harmony)


@main.command()
@QUICK
@click.option("--seconds", type=float, help="The portfolio's limit for one board (10; quick 3).")
@click.option("--slow-seconds", type=float, help="Everybody else's limit for one board (2; quick 0.5).")
@click.option("--all", "everything", is_flag=True, help="Nobody sits out a class that is beyond them.")
@JSON
def harmony(
    quick: bool = False,
    seconds: float | None = None,
    slow_seconds: float | None = None,
    everything: bool = False,
    out: Path | None = None,
) -> None:
    """Compare the Harmony solver with its parts."""
    from benchmarks import table
    from benchmarks.harmony import Limits, report, run_class, warm_up
    from benchmarks.harmony_boards import class_makers

    limits = Limits(
        seconds=seconds if seconds is not None else 3.0 if quick else 10.0,
        slow_seconds=slow_seconds if slow_seconds is not None else 0.5 if quick else 2.0,
        patience=None if everything else 3,
    )
    began, load = time.perf_counter(), current_load()
    classes, runs = [], []
    news = Console(stderr=True)
    with Progress(console=news, transient=True, disable=not news.is_terminal) as progress:
        task = progress.add_task("compiling")
        warm_up()
        for make_class in class_makers(quick=quick):
            progress.update(task, description="choosing boards", completed=0, total=None)
            boards = make_class()
            if boards is None:
                continue
            classes.append(boards)
            progress.update(task, description=boards.name, total=len(boards.boards))
            for done, more in run_class(boards, limits):
                runs.extend(more)
                progress.update(task, completed=done)
    results = report(classes, runs, limits)
    results |= {"load_at_start": load, "seconds_in_all": round(time.perf_counter() - began, 1)}
    console = table.make_console()
    table.show_harmony(console, results)
    _finish("harmony", results, out)
    if results["disagreements"]:
        sys.exit(1)


@main.command()
@QUICK
@click.option("--rounds", type=click.IntRange(min=1), help="How often to start each command (20; quick 5).")
@JSON
def startup(quick: bool = False, rounds: int | None = None, out: Path | None = None) -> None:
    """Compare what the command costs to start with bare Python."""
    from benchmarks import table
    from benchmarks.startup import measure_startup

    rows = measure_startup(rounds or (5 if quick else 20))
    table.make_console().print(table.startup_table(rows))
    _finish("startup", {"summary": rows}, out)


def _finish(name: str, results: dict[str, Any], out: Path | None) -> None:
    from benchmarks.table import write_json

    path = write_json(name, results, out)
    click.echo(f"\nwritten: {path}\n", err=True)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
