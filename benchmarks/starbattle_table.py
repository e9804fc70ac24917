"""Show a Star Battle comparison as tables of at most 100 columns; times are milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.starbattle import OURS
from benchmarks.table import (
    bare_table,
    bounded,
    format_factor,
    format_ms,
    format_span,
    say_missing,
    say_unread,
)


def show_starbattle(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables and what must be known beside them."""
    console.print(summary_table(results["summary"]))
    console.print(
        f"Milliseconds until the answer whether there is exactly one solution, model building included. Limit "
        f"{results['limit_seconds']:g} s a puzzle; > is a lower bound, since a run over the limit counts as at least "
        "the limit. first: the median of first calls, with other work before each. Y/N counts YES and NO. × is the "
        f"median over that of {OURS}. `with proof` includes checking it; lines are those of the proof, median and most."
    )
    if results["comparison"]:
        console.print()
        console.print(comparison_table(results["comparison"]))
        console.print(
            f"fastest: the peer with the smallest median in the class. medians: its median over that of {OURS}. "
            f"each: the median over the puzzles of its time over that of {OURS}. best: the same with whichever peer "
            f"was fastest on each puzzle. won: puzzles on which {OURS} was faster than every peer. first: medians of "
            f"first calls, each with the others' work before it. proved: over what {OURS} takes with proof and check."
        )
    for line in remarks(results):
        console.print(line)


def summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of classes and contenders."""
    table = bare_table(
        "class", "contender", numbers=("solved", "over", "Y/N", "median", "first", "p90", "max", "×", "lines", "most")
    )
    previous = None
    for row in rows:
        table.add_row(
            row["class"] if row["class"] != previous else "",
            row["contender"],
            f"{row['solved']}/{row['total']}",
            str(row["over"]) if row["over"] else "",
            f"{row['verdicts']['YES']}/{row['verdicts']['NO']}",
            bounded(row["seconds"]["median"], format_ms),
            format_ms(row["median_first_seconds"]),
            *(bounded(row["seconds"][name], format_ms) for name in ("p90", "max")),
            bounded(row["ratio"]["median"], format_factor),
            _count(row["median_proof_lines"]),
            _count(row["most_proof_lines"]),
        )
        previous = row["class"]
    return table


def comparison_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of how many times longer the peers take."""
    table = bare_table("class", title="How many times longer the peers take")
    table.add_column("n", justify="right")
    table.add_column("fastest")
    for heading in ("medians", "each", "best", "won", "first", "proved", "proved first"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row["class"],
            str(row["instances"]),
            row["fastest"],
            *(format_span(row[key]) for key in ("medians", "typical", "best")),
            f"{row['won']}/{row['instances']}",
            *("" if row[key] is None else format_span(row[key]) for key in ("first", "proved", "proved_first")),
        )
    return table


def remarks(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a reader of the tables must know beside them."""
    yield from say_missing(results)
    yield from say_unread(results)
    for line in results["disagreements"]:
        yield f"[bold red]CONTENDERS DISAGREE: {escape(line)}[/bold red]"
    if not results["disagreements"]:
        puzzles = sum(group["instances"] for group in results["classes"])
        yield f"All answers agree, on {puzzles} puzzles."


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
