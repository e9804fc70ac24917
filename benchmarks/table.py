"""Show results as tables of at most 100 columns and write them as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.harmony_contenders import BASE
from benchmarks.machine import PROJECT, describe_commit, describe_machine, timestamp

WIDTH = 100


def make_console() -> Console:
    """Return a console for results, never wider than 100 columns; piped output has the same width."""
    console = Console(highlight=False)
    return Console(highlight=False, width=min(WIDTH, console.width) if console.is_terminal else WIDTH)


def show_harmony(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables of a Harmony comparison."""
    console.print(summary_table(results["summary"]))
    limits = results["limits"]
    console.print(
        f"Limits: portfolio {limits['seconds']} s, others {limits['slow_seconds']} s a board. "
        "NO boards were spoilt until impossible; near ones break no invariant. "
        "Y/N/? counts YES, NO and UNKNOWN; * is a NO without a certificate; > is a lower bound. "
        "Times are seconds, checking included. × is the ratio of medians to the portfolio on the same boards."
    )
    for line in remarks(results):
        console.print(line)
    console.print()
    console.print(tests_table(results["invalidity_tests"]))
    console.print()
    console.print(worth_table(results["worth_of_tests"]))


def remarks(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a reader of the table must know beside it."""
    for group in results["classes"]:
        if group["left_out"]:
            yield f"{group['name']}: {group['left_out']} candidates were left out, nobody could decide them beforehand."
        late = count_late(results, group["name"])
        if late:
            yield f"{group['name']}: {late} of the portfolio's answers came after the others' limit."
    for board in results["disagreements"]:
        yield f"[red]Contenders disagree on {board}: one of them is wrong.[/red]"
    sitting = sum(
        group["instances"] - row["total"]
        for group in results["classes"]
        for row in results["summary"]
        if row["class"] == group["name"]
    )
    if sitting:
        yield f"{sitting} runs were skipped: who decided none of a class's first boards sat out the rest of it."


def count_late(results: Mapping[str, Any], group: str) -> int:
    """Count the portfolio's answers in a class that the others would have had no time for."""
    limit = results["limits"]["slow_seconds"]
    runs = [run for run in results["runs"] if run["class"] == group and run["contender"] == BASE]
    return sum(limit is not None and run["verdict"] != "UNKNOWN" and run["seconds"] > limit for run in runs)


def summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of classes and contenders."""
    table = bare_table("class", "contender")
    for heading in ("solved", "Y/N/?", "median", "p90", "max", "nodes", "×"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("answered by")
    previous = None
    for row in rows:
        verdicts = row["verdicts"]
        answered = {name: count for name, count in row["answered_by"].items() if name != row["contender"]}
        table.add_row(
            row["class"] if row["class"] != previous else "",
            row["contender"],
            f"{row['solved']}/{row['total']}",
            f"{verdicts['YES']}/{verdicts['NO']}{'*' if row['uncertified'] else ''}/{verdicts['UNKNOWN']}",
            *(bounded(row["seconds"][name], _seconds) for name in ("median", "p90", "max")),
            _amount(row["median_nodes"]),
            bounded(row["ratio"]["median"], _factor),
            ", ".join(f"{name} {count}" for name, count in answered.items()),
        )
        previous = row["class"]
    return table


def tests_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of what each invalidity test did in the depth-first search."""
    table = bare_table("invalidity test", title="Tests in all runs of dfs (one call in 13 is timed)")
    for heading in ("calls", "hits", "hit rate", "seconds", "ns a call", "hits a ms"):
        table.add_column(heading, justify="right")
    for row in rows:
        seconds = row["seconds"]
        table.add_row(
            row["test"],
            _amount(row["calls"]),
            _amount(row["hits"]),
            f"{row['hit_rate']:.1%}",
            _seconds(seconds),
            f"{seconds / row['calls'] * 1e9:.0f}",
            _amount(row["hits"] / seconds / 1000) if seconds else "–",
        )
    return table


def worth_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table that compares the search with and without its tests."""
    table = bare_table("class", title="What the tests are worth: dfs without them against dfs with them")
    for heading in ("boards", "both", "only with", "only without", "nodes with", "without", "nodes ×", "seconds ×"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row["class"],
            *(str(row[key]) for key in ("tried", "both", "only_with", "only_without")),
            _amount(row["nodes_with"]),
            _amount(row["nodes_without"]),
            "–" if row["nodes_ratio"] is None else _factor(row["nodes_ratio"]),
            "–" if row["seconds_ratio"] is None else _factor(row["seconds_ratio"]),
        )
    return table


def process_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of whole processes."""
    table = bare_table("process", numbers=("CPU ms", "p90 ms", "MB", "×"))
    table.add_column("of")
    for row in rows:
        own = row["command"] == row["beside"]
        table.add_row(
            row["command"],
            *(f"{row['cpu_seconds'][name] * 1000:.0f}" for name in ("median", "p90")),
            f"{row['megabytes']['median']:.0f}",
            "" if own else _factor(row["ratio"]["median"]),
            "" if own else row["beside"],
        )
    return table


def bare_table(*headings: str, title: str | None = None, numbers: Iterable[str] = ()) -> Table:
    """Make a table without lines: columns of words, then columns of numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), title=title, title_justify="left")
    table.collapse_padding = True
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def bounded(measure: Mapping[str, Any] | None, show: Callable[[float], str], *, exact: bool = False) -> str:
    """Write a number, after > if it is only a lower bound; `exact` knows better."""
    if measure is None:
        return "–"
    return f"{'' if measure['exact'] or exact else '>'}{show(measure['value'])}"


def format_ms(seconds: float) -> str:
    """Write seconds as milliseconds, with three figures that count."""
    ms = seconds * 1000
    return f"{ms:.3f}" if ms < 1 else f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:.0f}"


def format_factor(value: float) -> str:
    """Write how many times longer something takes."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def format_span(span: Mapping[str, float | None]) -> str:
    """Write a ratio, or the bounds that are known."""
    low, high = span["low"], span["high"]
    if low == high and low is not None:
        return format_factor(low)
    below, above = format_factor(low) if low else "", format_factor(high) if high is not None else ""
    if below and above:
        return f"{below} to {above}"
    return f">{below}" if below else f"<{above}" if above else "–"


def say_missing(results: Mapping[str, Any], wanted: str = "compared") -> Iterable[str]:
    """Yield which peers are not installed."""
    missing = [package for package, version in results["peers"].items() if version is None]
    if missing:
        yield f"[yellow]Not installed, so not {wanted}: {', '.join(missing)}. Install Solvent's extra `bench`.[/yellow]"


def say_unread(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield which files could not be read."""
    for name, error in results.get("unread", {}).items():
        yield f"[yellow]Could not read {escape(name)}: {escape(error)}[/yellow]"


def say_wrong(results: Mapping[str, Any], otherwise: str) -> Iterable[str]:
    """Yield every answer that cannot be right; if there is none, what is true then."""
    for line in results["wrong"]:
        yield f"[bold red]WRONG: {escape(line)}[/bold red]"
    if not results["wrong"]:
        yield otherwise


def write_json(name: str, results: Mapping[str, Any], out: Path | None) -> Path:
    """Write results with machine and commit; without a path, into `results/` under a name of its own."""
    when = timestamp()
    path = out or PROJECT / "results" / f"bench_{name}_{when}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "benchmark": name,
        "written": when,
        "machine": describe_machine(),
        **describe_commit(),
        **results,
    }
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _seconds(seconds: float) -> str:
    if seconds < 0.1:
        return f"{seconds:.4f}"
    return f"{seconds:.2f}" if seconds < 100 else f"{seconds:.0f}"


def _factor(value: float) -> str:
    if value >= 1000:
        return _amount(value)
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}" if value < 0.1 else f"{value:.1f}"


def _amount(value: float | None) -> str:
    """Write a count in at most five characters."""
    if value is None:
        return "–"
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {unit}" if value < 999.5 * size else f"{value / size:.0f} {unit}"
    return f"{value:.0f}"
