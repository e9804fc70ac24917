"""Show what was measured on dungeons as tables of at most 100 columns; times are milliseconds."""

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
    say_unread,
    say_wrong,
)


def show_dungeon(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables and what must be known beside them."""
    for section in results["sections"]:
        console.print(summary_table(section))
        if section["comparison"]:
            console.print()
            console.print(comparison_table(section["comparison"]))
        console.print()
    console.print(
        f"Milliseconds, the median of repeats. Limit {results['limit_seconds']:g} s; > is a lower bound, since a run "
        "over the limit counts as at least the limit. Solvent's times include checking what it proves. Y/N counts YES "
        "and NO; * marks plans or walks that are not proved shortest. × is the median over that of the first row. FD "
        "is Fast Downward on the dungeon as PDDL, tile by tile: its time is that of the whole call, translating "
        "included, writing the PDDL not; search is what it says its search alone took."
    )
    for line in remarks(results):
        console.print(line)


def summary_table(section: Mapping[str, Any]) -> Table:
    """Make the table of classes and contenders."""
    rows: Sequence[Mapping[str, Any]] = section["summary"]
    shows_ratio = any(row["ratio"]["median"] is not None for row in rows)
    shows_search = any(row["median_own_seconds"] is not None for row in rows)
    headings = ["solved", "Y/N", "median", "p90", "max"]
    headings += ["×"] * shows_ratio + ["search"] * shows_search
    counts = {"median_nodes": "expanded", "most_nodes": "most", "median_situations": "situations"}
    counts |= {"most_situations": "most"}
    if shows_search:  # there is no room for all
        del counts["most_nodes"], counts["most_situations"]
    headings += counts.values()
    table = bare_table("class", "contender", title=section["title"], numbers=headings)
    previous = None
    for row in rows:
        cells = [
            f"{row['solved']}/{row['total']}",
            f"{row['verdicts']['YES']}{'*' if row['not_shortest'] else ''}/{row['verdicts']['NO']}",
            *(bounded(row["seconds"][name], format_ms) for name in ("median", "p90", "max")),
        ]
        cells += [bounded(row["ratio"]["median"], _factor)] * shows_ratio
        own = row["median_own_seconds"]
        cells += ["" if own is None else format_ms(own)] * shows_search
        cells += [_amount(row[key]) for key in counts]
        table.add_row(row["class"] if row["class"] != previous else "", row["contender"], *cells)
        previous = row["class"]
    return table


def comparison_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of how many times longer the peers take."""
    headings = ("n", "median", "with proof", "least", "command", "search alone", "plan length")
    title = "How many times longer the peers take, dungeon by dungeon"
    table = bare_table("class", "peer", title=title, numbers=headings)
    for row in rows:
        table.add_row(
            row["class"],
            row["peer"],
            str(row["instances"]),
            *(format_span(row[key]) for key in ("typical", "typical_proved", "least_proved", "typical_command")),
            "–" if row["search_alone"] is None else _factor(row["search_alone"]),
            "–" if row["plan_length"] is None else f"{row['plan_length']:.2f}",
        )
    table.caption = (
        "median: against Solvent without proof. with proof, least: against Solvent with proof; the median, and the "
        "dungeon where the peer does best. command: against Solvent started anew, as the peer is. search alone: what "
        "the peer says its search took, without what it prepares, over Solvent's whole time. plan length: over the "
        "shortest."
    )
    table.caption_justify = "left"
    return table


def remarks(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a reader of the tables must know beside them."""
    yield from say_missing(results)
    for section in results["sections"]:
        for group in section["classes"]:
            if group["left_out"]:
                yield (
                    f"{group['name']}: {group['left_out']} dungeons were left out beside Fast Downward, since this "
                    "PDDL has no words for pushed blocks and barriers."
                )
    yield from say_unread(results)
    yield from say_wrong(results, "All answers and lengths agree.")


def _factor(value: float) -> str:
    if value >= 10_000:
        return _amount(value)
    return format_factor(value)


def _amount(value: float | None) -> str:
    if not value:
        return ""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= 10 * size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f}"
