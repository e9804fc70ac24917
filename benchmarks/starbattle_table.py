"""Show a Star Battle comparison as tables of at most 100 columns; times are milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.starbattle import OURS


def show_starbattle(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables and what must be known beside them."""
    console.print(summary_table(results["summary"]))
    console.print(
        f"Milliseconds until the answer whether there is exactly one solution, model building included. Limit "
        f"{results['limit_seconds']:g} s a puzzle; > is a lower bound, since a run over the limit counts as at least "
        f"the limit. Y/N counts YES and NO. × is the median over that of {OURS}. `with proof` includes checking it; "
        "lines are those of the proof, median and most."
    )
    if results["comparison"]:
        console.print()
        console.print(comparison_table(results["comparison"]))
        console.print(
            f"fastest: the peer with the smallest median in the class. medians: its median over that of {OURS}. "
            f"each: the median over the puzzles of its time over that of {OURS}. best: the same with whichever peer "
            f"was fastest on each puzzle. won: puzzles on which {OURS} was faster than every peer."
        )
    for line in remarks(results):
        console.print(line)


def summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of classes and contenders."""
    table = _bare_table("class", "contender")
    for heading in ("solved", "over", "Y/N", "median", "p90", "max", "×", "lines", "most"):
        table.add_column(heading, justify="right", no_wrap=True)
    previous = None
    for row in rows:
        table.add_row(
            row["class"] if row["class"] != previous else "",
            row["contender"],
            f"{row['solved']}/{row['total']}",
            str(row["over"]) if row["over"] else "",
            f"{row['verdicts']['YES']}/{row['verdicts']['NO']}",
            *(_bounded_ms(row["seconds"][name]) for name in ("median", "p90", "max")),
            _bounded_factor(row["ratio"]["median"]),
            _count(row["median_proof_lines"]),
            _count(row["most_proof_lines"]),
        )
        previous = row["class"]
    return table


def comparison_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of how many times longer the peers take."""
    table = _bare_table("class", title="How many times longer the peers take")
    table.add_column("n", justify="right")
    table.add_column("fastest")
    for heading in ("medians", "each", "best", "won"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            row["class"],
            str(row["instances"]),
            row["fastest"],
            *(format_span(row[key]) for key in ("medians", "typical", "best")),
            f"{row['won']}/{row['instances']}",
        )
    return table


def remarks(results: Mapping[str, Any]) -> Iterable[str]:
    """Yield what a reader of the tables must know beside them."""
    missing = [package for package, version in results["peers"].items() if version is None]
    if missing:
        yield f"[yellow]Not installed, so not compared: {', '.join(missing)}. Install Solvent's extra `bench`.[/yellow]"
    for name, error in results.get("unread", {}).items():
        yield f"[yellow]Could not read {escape(name)}: {escape(error)}[/yellow]"
    if results["compiled_on_the_clock"]:
        yield f"[red]{results['compiled_on_the_clock']} runs compiled kernels on the clock; run it again.[/red]"
    for line in results["disagreements"]:
        yield f"[bold red]CONTENDERS DISAGREE: {escape(line)}[/bold red]"
    if not results["disagreements"]:
        puzzles = sum(group["instances"] for group in results["classes"])
        yield f"All answers agree, on {puzzles} puzzles."


def format_span(span: Mapping[str, float | None]) -> str:
    """Write a ratio, or the bounds that are known."""
    low, high = span["low"], span["high"]
    if low == high and low is not None:
        return _factor(low)
    below, above = _factor(low) if low else "", _factor(high) if high is not None else ""
    if below and above:
        return f"{below} to {above}"
    return f">{below}" if below else f"<{above}" if above else "–"


def _bare_table(*headings: str, title: str | None = None) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1), title=title, title_justify="left")
    table.collapse_padding = True
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def _bounded_ms(measure: Mapping[str, Any]) -> str:
    return f"{'' if measure['exact'] else '>'}{format_ms(measure['value'])}"


def _bounded_factor(measure: Mapping[str, Any] | None) -> str:
    if measure is None:
        return "–"
    return f"{'' if measure['exact'] else '>'}{_factor(measure['value'])}"


def format_ms(seconds: float) -> str:
    """Write seconds as milliseconds, with three figures that count."""
    ms = seconds * 1000
    return f"{ms:.3f}" if ms < 1 else f"{ms:.2f}" if ms < 10 else f"{ms:.1f}" if ms < 100 else f"{ms:.0f}"


def _factor(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _count(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
