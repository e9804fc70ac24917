"""Show what very many instances take: in the terminal, and as the tables of the documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""A heading, and rows of cells."""

BILLION = 1_000_000_000
DOLLARS_A_CORE_HOUR = 0.04
ANSWERS_A_STORE = 1_000_000
"""How many answers a store has that are shared out among many."""
MISSING = "–"


def runs_table(results: Mapping[str, Any]) -> Table:
    """Make the table of runs over more and more instances, and of the same command once more."""
    heading = ["instances", "processor time", "of which leading", "leader's memory", "store", "on the clock", "again"]
    rows = []
    for size in results["sizes"]:
        run, again = _step(results, size, "run"), _step(results, size, "again")
        rows.append(
            [
                f"{size:,}",
                _each(run, "cpu_seconds", size),
                _each(run, "leader_cpu_seconds", size),
                _megabytes(run, "leader_megabytes"),
                _megabytes(run, "store_megabytes"),
                MISSING if run is None else f"{_seconds(run['seconds'])}, load {_load(run)}",
                _each(again, "cpu_seconds", size),
            ]
        )
    return heading, rows


def reading_table(results: Mapping[str, Any]) -> Table:
    """Make the table of what reads a store, in seconds of processor time."""
    heading = ["answers", "report", "two runs compared", "report and CSV", *_PAGE.values()]
    rows = []
    for size in results["sizes"]:
        steps = [_step(results, size, name) for name in ("report", "comparison", "table")]
        page = _step(results, size, "page")
        parts = {} if page is None else page["parts"]
        rows.append(
            [
                f"{size:,}",
                *(MISSING if step is None else _seconds(step["cpu_seconds"]) for step in steps),
                *(_seconds(parts[name]) if name in parts else MISSING for name in _PAGE),
            ]
        )
    return heading, rows


_PAGE = {"list of runs": "list of runs", "one run": "a run", "charts": "its charts", "check begins": "check begins"}


def cluster_table(results: Mapping[str, Any]) -> Table:
    """Make the table of runs on a cluster on one machine."""
    rows = []
    for name, step in results["steps"].items():
        size, _, what = name.partition("/")
        if what.startswith("cluster-"):
            each = _each(step, "leader_cpu_seconds", int(size))  # nobody tells what all workers of a cluster took
            clock = f"{_seconds(step['seconds'])}, load {_load(step)}"
            rows.append([f"{int(size):,}", what.rpartition("-")[2], each, _megabytes(step, "leader_megabytes"), clock])
    return ["instances", "workers", "leading", "leader's memory", "on the clock"], rows


def billion_table(results: Mapping[str, Any]) -> Table:
    """Make the table of what a billion would take, from the largest run that was measured."""
    size = max(size for size in results["sizes"] if _step(results, size, "run") is not None)
    run = results["steps"][f"{size}/run"]
    cpu, leading = run["cpu_seconds"] / size, run["leader_cpu_seconds"] / size
    hours = BILLION * cpu / 3600
    stores = BILLION // ANSWERS_A_STORE
    rows = [
        ["runs, each with a store of its own", f"{stores:,} of {ANSWERS_A_STORE:,} instances"],
        ["core hours", f"{hours:,.0f}"],
        ["dollars", f"{hours * DOLLARS_A_CORE_HOUR:,.0f}"],
        ["of which leading the runs", f"{BILLION * leading / 3600:,.0f} core hours"],
        ["disk", f"{BILLION / size * run['store_megabytes'] / 1e6:,.2g} TB"],
        ["on 1,000 cores", f"{hours / 1000 * 60:,.0f} minutes"],
    ]
    return ["a billion small instances", f"from {size:,} measured"], rows


def describe_measurement(results: Mapping[str, Any]) -> str:
    """Say where, when and on what the figures were measured, and what was not."""
    machine = results["machine"]
    day = f"{results['written'][:4]}-{results['written'][4:6]}-{results['written'][6:8]}"
    text = f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, {day}"
    missing = [f"{int(size):,} ({what})" for size, _, what in (name.partition("/") for name in results["missing"])]
    return f"{text} (not measured: {', '.join(missing)})" if missing else text


def show_scale(console: Console, results: Mapping[str, Any]) -> None:
    """Print all tables."""
    from benchmarks.table import bare_table

    titles = ("Runs, processor time an instance", "Reading a store, processor seconds", "A cluster on this machine")
    for title, make in zip(titles, (runs_table, reading_table, cluster_table), strict=True):
        heading, rows = make(results)
        shown = bare_table(heading[0], title=title, numbers=heading[1:])
        for row in rows:
            shown.add_row(*row)
        console.print(shown)
    if results["missing"]:
        console.print(f"Not measured: {', '.join(results['missing'])}.")


def _step(results: Mapping[str, Any], size: int, name: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = results["steps"].get(f"{size}/{name}")
    return found


def _each(step: Mapping[str, Any] | None, name: str, size: int) -> str:
    if step is None or step[name] is None:
        return MISSING
    return f"{1000 * step[name] / size:.2f} ms"


def _megabytes(step: Mapping[str, Any] | None, name: str) -> str:
    if step is None:
        return MISSING
    return f"{step[name]:,.0f} MB" if step[name] < 1000 else f"{step[name] / 1000:,.2f} GB"


def _seconds(seconds: float) -> str:
    if seconds >= 100:
        return f"{seconds / 60:,.0f} min"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.2f} s"


def _load(step: Mapping[str, Any]) -> str:
    loads = [load for load in (step["load_at_start"], step["load_at_end"]) if load is not None]
    return f"{sum(loads) / len(loads):.0f}" if loads else MISSING
