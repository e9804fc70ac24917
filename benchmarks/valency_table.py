"""Show what was measured of Valency as tables of at most 100 columns; times are milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.starbattle_table import format_ms, format_span


def show_valency(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables and what must be known beside them."""
    for section in results["sections"]:
        console.print(summary_table(section))
        if section["comparison"]:
            console.print()
            console.print(comparison_table(section))
        console.print()
    if results["scaling"]:
        console.print(scaling_table(results["scaling"]))
        console.print()
    console.print(
        "Milliseconds a fill, the median of repeats. > is a lower bound, since a run over the limit counts as at least "
        "the limit. In brackets: how many modules. frontier, entropy and scanline fill a network that is "
        "booted already; ask validates, boots, fills and checks; the general solvers build their model as well. plain "
        "entropy has neither repair nor windows nor balance: it begins again at each contradiction, and tries counts "
        "how often. lazy never goes back: left out is the share of nodes it could not fill. distance is the total "
        "variation distance between the frequencies of the modules and their weights, mean ± standard error."
    )
    for line in remarks(results):
        console.print(line)


def summary_table(section: Mapping[str, Any]) -> Table:
    """Make the table of classes and contenders."""
    rows: Sequence[Mapping[str, Any]] = section["summary"]
    table = _bare_table(f"{section['title']} (limit {section['limit_seconds']:g} s)", "class", "contender")
    for heading in ("decided", "median", "max", "×", "tries", "left out", "distance"):
        table.add_column(heading, justify="right", no_wrap=True)
    modules = {group["name"]: group["modules"] for group in section["classes"]}
    previous = None
    for row in rows:
        count = str(modules[row["class"]])
        shown = row["class"] if row["class"].startswith(count) else f"{row['class']} ({count})"
        times = [row["seconds"][name] for name in ("median", "max")]
        is_lazy = row["left_out"] is not None  # its times are known, though its fills are not complete
        table.add_row(
            shown if row["class"] != previous else "",
            row["contender"],
            f"{row['solved']}/{row['total']}",
            *(_bounded(measure, format_ms, exact=is_lazy) for measure in times),
            _bounded(row["ratio"]["median"], _factor, exact=is_lazy),
            str(row["tries"]) if row["tries"] > 1 else "",
            "" if row["left_out"] is None else f"{row['left_out']:.1%}",
            _with_error(row["distance"]),
        )
        previous = row["class"]
    return table


def comparison_table(section: Mapping[str, Any]) -> Table:
    """Make the table that compares contenders with the first, seed by seed."""
    table = _bare_table("Seed by seed, against the first row of each class", "class", "contender")
    for heading in ("n", "time ×", "both filled", "distance", "of the first"):
        table.add_column(heading, justify="right", no_wrap=True)
    previous = None
    for row in section["comparison"]:
        table.add_row(
            row["class"] if row["class"] != previous else "",
            row["contender"],
            str(row["instances"]),
            format_span(row["typical"]),
            str(row["both"]),
            _with_error(row["distance"]),
            _with_error(row["base_distance"]),
        )
        previous = row["class"]
    return table


def scaling_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of growing grids."""
    table = _bare_table("As grids grow, each in a process of its own", "class")
    for heading in ("nodes", "filled", "boot", "fill", "CPU µs a node", "ask", "MB filling", "MB asking"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row["class"],
            str(row["nodes"]),
            f"{row['filled']}/{row['rounds']}",
            format_ms(row["boot_seconds"]),
            format_ms(row["fill_seconds"]),
            f"{row['cpu_microseconds_a_node']:.2f}",
            format_ms(row["ask_seconds"]),
            f"{row['megabytes_filling']:.0f}",
            f"{row['megabytes_asking']:.0f}",
        )
    return table


def remarks(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a reader of the tables must know beside them."""
    missing = [package for package, version in results["peers"].items() if version is None]
    if missing:
        yield f"[yellow]Not installed, so not measured: {', '.join(missing)}. Install Solvent's extra `bench`.[/yellow]"
    sitting = sum(
        group["instances"] - row["total"]
        for section in results["sections"]
        for group in section["classes"]
        for row in section["summary"]
        if row["class"] == group["name"]
    )
    if sitting:
        yield f"{sitting} runs were skipped: who filled none of a class's first seeds sat out the rest of it."
    if results["compiled_on_the_clock"]:
        yield f"[red]{results['compiled_on_the_clock']} runs compiled kernels on the clock; run it again.[/red]"
    for line in results["wrong"]:
        yield f"[bold red]WRONG: {escape(line)}[/bold red]"
    if not results["wrong"]:
        yield "The checker accepts every fill, and all answers agree."


def _bare_table(title: str, *headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1), title=title, title_justify="left")
    table.collapse_padding = True
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def _bounded(measure: Mapping[str, Any] | None, show: Any, *, exact: bool = False) -> str:
    if measure is None:
        return "–"
    return f"{'' if measure['exact'] or exact else '>'}{show(measure['value'])}"


def _with_error(measure: Mapping[str, float] | None) -> str:
    return "" if measure is None else f"{measure['mean']:.3f} ± {measure['error']:.3f}"


def _factor(value: float) -> str:
    if value >= 1e6:
        return f"{value:.2g}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
