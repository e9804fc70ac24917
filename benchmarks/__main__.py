"""The command `python -m benchmarks`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import Progress

from benchmarks.machine import Stopwatch

if TYPE_CHECKING:
    from benchmarks.starbattle_puzzles import PuzzleClass

QUICK = click.option("--quick", is_flag=True, help="Fewer and smaller instances, in under a minute.")
JSON = click.option("--json", "out", type=click.Path(path_type=Path), help="Where to write the results.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def main(context: click.Context) -> None:
    """Compare Solvent with the alternatives. Without a command, run every comparison."""
    if context.invoked_subcommand is None:
        context.invoke(process)
        context.invoke(harmony)
        context.invoke(starbattle)
        context.invoke(dungeon)
        context.invoke(valency)
        context.invoke(batch)
        context.invoke(web)
        context.invoke(page)


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
    watch = Stopwatch()
    classes, runs = [], []
    with _showing_progress() as progress:
        task = progress.add_task("starting")
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
    results |= watch.as_json()
    console = table.make_console()
    table.show_harmony(console, results)
    _finish("harmony", results, out)


@main.command()
@QUICK
@click.option("--folder", type=click.Path(path_type=Path), help="Puzzles to use instead of the public ones.")
@click.option("--generate", is_flag=True, help="Use generated puzzles instead of a folder.")
@click.option("--classes", metavar="N-K,…", help="Only these classes, such as 8-1,10-2 (all; quick 8-1,10-2).")
@click.option("--per-class", metavar="N", help="Puzzles of each class, or all (8; quick 3).")
@click.option("--seconds", type=float, help="Everybody's limit for one puzzle (20; quick 2).")
@JSON
def starbattle(
    quick: bool = False,
    folder: Path | None = None,
    generate: bool = False,
    classes: str | None = None,
    per_class: str | None = None,
    seconds: float | None = None,
    out: Path | None = None,
) -> None:
    """Compare the Star Battle solver with clingo, CP-SAT and Glucose."""
    from benchmarks import table
    from benchmarks.starbattle import all_contenders, report, run_class, warm_up
    from benchmarks.starbattle_table import show_starbattle

    count = _read_count(per_class, 3 if quick else 8)
    chosen, unread = _choose_puzzles(folder, generate, classes, count, quick=quick)
    if not chosen:
        return
    limit = seconds if seconds is not None else 2.0 if quick else 20.0
    contenders = all_contenders()
    watch = Stopwatch()
    runs = []
    with _showing_progress() as progress:
        task = progress.add_task("starting")
        warm_up(contenders)
        for group in chosen:
            progress.update(task, description=str(group.kind), completed=0, total=len(group.puzzles))
            for done, more in run_class(group, limit, contenders):
                runs.extend(more)
                progress.update(task, completed=done)
    results = report(chosen, runs, limit, contenders)
    results |= {"unread": unread} | watch.as_json()
    show_starbattle(table.make_console(), results)
    _finish("starbattle", results, out)


@main.command()
@QUICK
@click.option("--folder", type=click.Path(path_type=Path), help="Maps to use instead of the public ones.")
@click.option("--sections", metavar="NAME,…", help="Only these: peers, questions, scaling, hub, parts.")
@click.option("--no-peers", is_flag=True, help="Measure Solvent alone.")
@click.option("--seconds", type=float, help="Everybody's limit for one dungeon (60; quick 10).")
@JSON
def dungeon(
    quick: bool = False,
    folder: Path | None = None,
    sections: str | None = None,
    no_peers: bool = False,
    seconds: float | None = None,
    out: Path | None = None,
) -> None:
    """Compare the dungeon solver with Fast Downward, and with itself without its parts."""
    from benchmarks import table
    from benchmarks.dungeon import NAMES, all_sections, report, run_class, warm_up
    from benchmarks.dungeon_levels import default_folder
    from benchmarks.dungeon_peers import PEERS, is_installed
    from benchmarks.dungeon_table import show_dungeon

    wanted = _read_sections(sections, NAMES)
    place = folder or default_folder()
    limit = seconds if seconds is not None else 10.0 if quick else 60.0
    peers = is_installed() and not no_peers
    everything, unread = all_sections(place, quick=quick, peers=peers)
    if not any(place.glob("tloz*.txt")):
        click.echo(f"No public dungeons in {place}. Set SOLVENT_CORPORA to a folder that has them.", err=True)
    watch = Stopwatch()
    measured, runs = [], []
    with _showing_progress() as progress:
        task = progress.add_task("starting")
        warm_up(PEERS if peers else ())
        for section in everything:
            if section.name not in wanted:
                continue
            classes = []
            for group in section.make_classes():
                classes.append(group)
                progress.update(task, description=f"{section.name}, {group.name}", completed=0, total=len(group.levels))
                for done, more in run_class(section, group, limit):
                    runs.extend(more)
                    progress.update(task, completed=done)
            measured.append((section, classes))
    results = report(measured, runs, limit)
    results |= {"unread": unread} | watch.as_json()
    show_dungeon(table.make_console(), results)
    _finish("dungeon", results, out)


@main.command()
@QUICK
@click.option("--folder", type=click.Path(path_type=Path), help="Tile sets to use instead of the public ones.")
@click.option(
    "--sections", metavar="NAME,…", help="Only these: tilesets, peers, scaling, irregular, patterns, start, examples."
)
@click.option("--no-peers", is_flag=True, help="Leave the general solvers out.")
@click.option("--seconds", type=float, help="Everybody's limit for one fill (3 to 60, by section).")
@JSON
def valency(
    quick: bool = False,
    folder: Path | None = None,
    sections: str | None = None,
    no_peers: bool = False,
    seconds: float | None = None,
    out: Path | None = None,
) -> None:
    """Compare ways to fill: orders, plain wave function collapse, and general solvers."""
    from benchmarks import table
    from benchmarks.valency import NAMES, all_sections, grow, report, run_class, warm_up
    from benchmarks.valency_table import show_valency
    from benchmarks.valency_tasks import default_folder

    wanted = _read_sections(sections, NAMES)
    place = folder or default_folder()
    if not any(place.glob("*.xml")):
        click.echo(f"No public tile sets in {place}. Set SOLVENT_CORPORA to a folder that has them.", err=True)
    chosen = [one for one in all_sections(place, quick=quick, peers=not no_peers) if one.name in wanted]
    if seconds is not None:
        chosen = [replace(one, seconds=seconds) for one in chosen]
    watch = Stopwatch()
    measured, runs, growth = [], [], []
    with _showing_progress() as progress:
        task = progress.add_task("starting")
        warm_up({contender.name: contender for section in chosen for contender in section.contenders}.values())
        for section in chosen:
            classes = []
            for group in section.make_classes():
                if group is None:
                    continue
                classes.append(group)
                progress.update(task, description=f"{section.name}, {group.name}", completed=0, total=len(group.seeds))
                for done, more in run_class(section, group):
                    runs.extend(more)
                    progress.update(task, completed=done)
            measured.append((section, classes))
        if "scaling" in wanted:
            progress.update(task, description="scaling", completed=0, total=None)
            growth = list(grow(place, quick=quick))
    results = report(measured, runs, growth)
    results |= watch.as_json()
    show_valency(table.make_console(), results)
    _finish("valency", results, out)


@main.command()
@QUICK
@JSON
def batch(quick: bool = False, out: Path | None = None) -> None:
    """Measure validating many instances: scaling, what it costs beside solving, memory, going on."""
    from benchmarks import table
    from benchmarks.batch import make_plan, report, run_scaling, run_small
    from benchmarks.batch_table import show_batch

    plan = make_plan(quick=quick)
    watch = Stopwatch()
    with _showing_progress() as progress:
        task = progress.add_task("starting", total=None)

        def tell(words: str) -> None:
            progress.update(task, description=words)

        results = report(list(run_scaling(plan, tell)), list(run_small(plan, tell)))
    results |= watch.as_json()
    show_batch(table.make_console(), results)
    _finish("batch", results, out)


@main.command()
@QUICK
@click.option("--requests", type=click.IntRange(min=1), help="Questions and hints to ask (2000; quick 400).")
@JSON
def web(quick: bool = False, requests: int | None = None, out: Path | None = None) -> None:
    """Measure the page's small requests while 200 questions are asked at once, and the server's memory."""
    from benchmarks import table
    from benchmarks import web as workbench
    from benchmarks.web_table import show_web

    count = requests or (400 if quick else 2000)
    watch = Stopwatch()
    with _showing_progress() as progress:
        task = progress.add_task("starting", total=None)
        with workbench.serving() as (server, address):
            idle = workbench.measure_idle(address, rounds=20)
            progress.update(task, description="many at once")
            busy, replies, seconds = workbench.measure_busy(address, requests=count)
            progress.update(task, description="memory")
            memory = workbench.measure_memory(server.pid, address, count)
        progress.update(task, description="checking every certificate")
        results = workbench.report(idle, busy, replies, seconds, memory, at_once=workbench.AT_ONCE)
    results |= watch.as_json()
    show_web(table.make_console(), results)
    _finish("web", results, out)


@main.command()
@QUICK
@click.option("--rounds", type=click.IntRange(min=1), help="How often to do each thing (9; quick 3).")
@JSON
def page(quick: bool = False, rounds: int | None = None, out: Path | None = None) -> None:
    """Measure the page in Chromium: its weight, its first look, and how soon it answers to a hand."""
    from benchmarks import page as pages
    from benchmarks import table
    from benchmarks.page_table import page_table

    if pages.find_browser() is None:
        raise click.ClickException(f"there is no Chromium here; looked for {' and '.join(pages.BROWSERS)}")
    watch = Stopwatch()
    with _showing_progress() as progress:
        task = progress.add_task("starting", total=None)
        figures = pages.measure(rounds or (3 if quick else 9), lambda part: progress.update(task, description=part))
    results = {"summary": [figure.as_json() for figure in figures]} | watch.as_json()
    table.make_console().print(page_table(results))
    _finish("page", results, out)


@main.command()
@QUICK
@click.option("--rounds", type=click.IntRange(min=1), help="How often to start each command (15; quick 3).")
@JSON
def process(quick: bool = False, rounds: int | None = None, out: Path | None = None) -> None:
    """Compare a whole process with a minimal python-sat script for the same file, and with bare Python."""
    from benchmarks import table
    from benchmarks.process import measure_processes, report

    count = rounds or (3 if quick else 15)
    watch = Stopwatch()
    with _showing_progress() as progress:
        task = progress.add_task("starting", total=count)
        results = report(measure_processes(count, tell=lambda done: progress.update(task, completed=done)))
    results |= watch.as_json()
    console = table.make_console()
    console.print(table.process_table(results["summary"]))
    for line in table.say_wrong(results, "Scripts and command gave the same answers."):
        console.print(line)
    _finish("process", results, out)


@main.command()
@QUICK
@click.option("--folder", type=click.Path(path_type=Path), help="Tile sets to use instead of the public ones.")
@click.option("--names", metavar="NAME,…", help="Only these rule sets.")
@JSON
def valency_mix(
    quick: bool = False, folder: Path | None = None, names: str | None = None, out: Path | None = None
) -> None:
    """Measure how constraints change the mix of modules."""
    from benchmarks import valency_mix as mix
    from benchmarks.valency_tasks import default_folder

    watch = Stopwatch()
    rows = []
    click.echo(mix.HEADER)
    for one in mix.mix_sets(folder or default_folder()):
        if names is None or one.name in names.split(","):
            for row in mix.measure(one, range(3 if quick else 20), mix.KINDS[:1] if quick else mix.KINDS):
                click.echo(mix.describe(row))
                rows.append(row)
    _finish("valency_mix", mix.report(rows) | watch.as_json(), out)


@main.command()
@QUICK
@click.option("--seeds", type=click.IntRange(min=1), help="Levels of each rule set (50; quick 3).")
@JSON
def wishes(quick: bool = False, seeds: int | None = None, out: Path | None = None) -> None:
    """Compare levels that learn from what fails with plain rejection."""
    from benchmarks import wishes as levels

    watch = Stopwatch()
    with _showing_progress() as progress:
        task = progress.add_task("starting", total=None)
        count = seeds or (3 if quick else 50)
        tries = levels.run(count, lambda words: progress.update(task, description=words))
    results = levels.report(tries) | watch.as_json()
    click.echo(levels.HEADER)
    for row in results["summary"]:
        click.echo(levels.describe(row))
    _finish("wishes", results, out)


@main.command()
@click.option("--up-to", type=click.IntRange(min=1), default=100_000, show_default=True, help="Instances at most.")
@click.option("--sections", metavar="NAME,…", help="Only these: run, report, comparison, table, page, again, cluster.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("results/scale"),
    show_default=True,
    help="Where instances, stores and what was measured are kept, to go on from.",
)
@JSON
def scale(up_to: int, folder: Path, sections: str | None = None, out: Path | None = None) -> None:
    """Measure ten thousand, a hundred thousand, … instances: runs, stores, reports, comparisons, a cluster."""
    from benchmarks import scale as steps
    from benchmarks import table
    from benchmarks.scale_table import show_scale

    wanted = _read_sections(sections, steps.SECTIONS)
    place = folder.absolute()
    sizes = steps.sizes_up_to(up_to)
    steps.write_boards(place, sizes, lambda words: click.echo(words, err=True))
    notes = steps.Notes(place / "measured.json")
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it keeps what was measured
    try:
        for step in steps.plan(place, sizes, wanted):
            if not notes.is_done(step.name):
                click.echo(f"measuring {step.name}", err=True)
                steps.carry_out(step, notes)
    finally:
        signal.signal(signal.SIGTERM, before)
    results = steps.report(notes, sizes)
    show_scale(table.make_console(), results)
    _finish("scale", results, out)


def _showing_progress() -> Progress:
    news = Console(stderr=True)
    return Progress(console=news, transient=True, disable=not news.is_terminal)


def _read_sections(text: str | None, names: Sequence[str]) -> list[str]:
    """Read which sections to measure; all if nobody says."""
    wanted = list(names) if text is None else [name.strip() for name in text.split(",")]
    for name in wanted:
        if name not in names:
            raise click.BadParameter(f"expected some of {', '.join(names)}, found {name!r}", param_hint="--sections")
    return wanted


def _read_count(text: str | None, default: int) -> int | None:
    """Read how many puzzles of a class to use; None is all."""
    if text is None:
        return default
    if text == "all":
        return None
    if not text.isdecimal() or int(text) == 0:
        raise click.BadParameter(f"expected a number from 1, or all, found {text!r}", param_hint="--per-class")
    return int(text)


def _choose_puzzles(
    folder: Path | None, generate: bool, classes: str | None, count: int | None, *, quick: bool
) -> tuple[list[PuzzleClass], dict[str, str]]:
    """Load or generate the puzzles, or say why there are none; also returns which files could not be read."""
    from benchmarks import starbattle_puzzles as puzzles
    from solvent.core.errors import BadOption

    try:
        kinds = puzzles.parse_kinds(classes) if classes is not None else puzzles.QUICK if quick else None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--classes") from None
    if generate:
        if folder is not None:
            raise click.UsageError("--generate and --folder exclude each other")
        if count is None:
            raise click.UsageError("--generate needs a number of puzzles, not all")
        try:
            return puzzles.generate_classes(kinds or puzzles.GENERATED, count), {}
        except BadOption as error:
            raise click.UsageError(str(error)) from None
    place = folder or puzzles.default_folder()
    found, unread = puzzles.load_classes(place, kinds, count)
    absent = [str(kind) for kind in kinds or () if kind not in [group.kind for group in found]]
    if found and absent:
        click.echo(f"No puzzles of the classes {', '.join(absent)} in {place}.", err=True)
    if not found:
        wanted = f" of the classes {', '.join(map(str, kinds))}" if kinds else ""
        click.echo(
            f"Star Battle is skipped: no puzzles{wanted} in {place}. Set SOLVENT_CORPORA to a folder that has the "
            "public ones, name another with --folder, or use --generate.",
            err=True,
        )
    return found, unread


def _finish(name: str, results: dict[str, Any], out: Path | None) -> None:
    from benchmarks.table import write_json

    path = write_json(name, results, out)
    click.echo(f"\nwritten: {path}\n", err=True)
    if results.get("wrong") or results.get("disagreements"):
        sys.exit(1)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
