"""Show how soon a person sees something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from benchmarks.table import bare_table

UNITS = {"weight": "KB"}


def page_table(results: Mapping[str, Any]) -> Table:
    """Make the table: the least and the median of all repeats beside the target."""
    title = f"The page in Chromium, nothing cached (load {results['load_at_start']})"
    table = bare_table("what", title=title, numbers=("least", "median", "at most"))
    table.add_column("")
    table.add_column("")
    for row in results["summary"]:
        unit = UNITS.get(row["kind"], "ms")
        missed = "over" if row["median"] > row["target"] else ""
        cells = [f"{row[name]:,.0f} {unit}" for name in ("least", "median", "target")]
        table.add_row(row["what"], *cells, missed, row["note"])
    return table
