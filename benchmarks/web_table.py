"""Show how the workbench holds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.table import bare_table, say_wrong

QUANTILES = ("median", "p95", "max")


def show_web(console: Console, results: Mapping[str, Any]) -> None:
    """Print the table of small requests, and what went on meanwhile."""
    console.print(small_table(results))
    load = results["load"]
    console.print(
        f"Milliseconds; busy: while {load['at_once']} questions and hints are asked at once. Of those, "
        f"{load['requests']:,} were answered in {load['seconds']:g} s ({load['rate']:g} a second; median "
        f"{load['answer']['median'] / 1000:.1f} s, p95 {load['answer']['p95'] / 1000:.1f} s with waiting), and told "
        f"{load['turned_away']:,} times to come back later.\n"
    )
    held = " → ".join(f"{megabytes:g}" for megabytes in results["memory_megabytes"])
    console.print(f"Memory of the server process as requests go by, in megabytes: {held}\n")
    for line in say_wrong(results, "Every answer was right, and every certificate was accepted."):
        console.print(line)


def small_table(results: Mapping[str, Any]) -> Table:
    """Make the table of small requests."""
    numbers = [f"{when} {name}" for when in ("idle", "busy") for name in QUANTILES]
    table = bare_table("request", title="Small requests", numbers=(*numbers, "refused"))
    for row in results["summary"]:
        cells = [f"{row[when][name]:.1f}" for when in ("idle", "busy") for name in QUANTILES]
        table.add_row(row["request"], *cells, str(row["refused"]))
    table.add_row("all", "", "", "", *(f"{results['all'][name]:.1f}" for name in QUANTILES), "")
    return table
