"""Show what was measured of Valency as tables of at most 100 columns; times are milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.table import (
    bare_table,
    bounded,
    format_factor,
    format_ms,
    format_span,
    say_missing,
    say_wrong,
)


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
    title = f"{section['title']} (limit {section['limit_seconds']:g} s)"
    headings = ("decided", "median", "max", "×", "tries", "left out", "distance")
    table = bare_table("class", "contender", title=title, numbers=headings)
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
            *(bounded(measure, format_ms, exact=is_lazy) for measure in times),
            bounded(row["ratio"]["median"], _factor, exact=is_lazy),
            str(row["tries"]) if row["tries"] > 1 else "",
            "" if row["left_out"] is None else f"{row['left_out']:.1%}",
            _with_error(row["distance"]),
        )
        previous = row["class"]
    return table


def comparison_table(section: Mapping[str, Any]) -> Table:
    """Make the table that compares contenders with the first, seed by seed."""
    title = "Seed by seed, against the first row of each class"
    headings = ("n", "time ×", "both filled", "distance", "of the first")
    table = bare_table("class", "contender", title=title, numbers=headings)
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
    headings = ("nodes", "filled", "boot", "fill", "CPU µs a node", "ask", "MB filling", "MB asking")
    table = bare_table("class", title="As grids grow, each in a process of its own", numbers=headings)
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
    yield from say_missing(results, "measured")
    sitting = sum(
        group["instances"] - row["total"]
        for section in results["sections"]
        for group in section["classes"]
        for row in section["summary"]
        if row["class"] == group["name"]
    )
    if sitting:
        yield f"{sitting} runs were skipped: who filled none of a class's first seeds sat out the rest of it."
    yield from say_wrong(results, "The checker accepts every fill, and all answers agree.")


def _with_error(measure: Mapping[str, float] | None) -> str:
    return "" if measure is None else f"{measure['mean']:.3f} ± {measure['error']:.3f}"


def _factor(value: float) -> str:
    if value >= 1e6:
        return f"{value:.2g}"
    return format_factor(value)
