"""Show what validating many instances costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.table import bare_table, format_factor, say_wrong

SHARES = ("solving", "reading", "rest")


def show_batch(console: Console, results: Mapping[str, Any]) -> None:
    """Print the tables of a batch benchmark."""
    console.print(scaling_table(results["scaling"]))
    console.print(
        "Throughput, answers a second, from the start of the command to its end; × compares rounds in pairs.\n"
    )
    console.print(small_table(results["small"]))
    console.print(
        "Shares of jobs × time that workers spend on solving, on reading and on neither, from the tenth part of the "
        "answers on; in all: on neither, from the start of the command to its end. beside: processor time of all "
        "processes that is not solving, without starting. leader: its processor time an answer.\n"
    )
    console.print(again_table(results["small"]))
    console.print(
        "again: the same command once more, when every answer is known. pool: concurrent.futures, nothing stored, "
        "nothing guarded; × above 1 means that it took longer.\n"
    )
    console.print(memory_table(results["small"]))
    for line in say_wrong(results, "Every instance of every run was answered."):
        console.print(line)


def scaling_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of one corpus with more and more workers."""
    numbers = ("jobs", "instances", "seconds", "a second", "×", "× steady", "machine ×", "CPU ms each")
    table = bare_table("corpus", title="Scaling", numbers=numbers)
    for row in rows:
        table.add_row(
            row["corpus"],
            str(row["jobs"]),
            f"{row['instances']:,}",
            _span(row["seconds"]),
            _amount(row["rate"]),
            format_factor(row["ratio"]),
            format_factor(row["steady_ratio"]),
            format_factor(row["machine_ratio"]),
            f"{row['cpu_ms_an_answer']:.2f}",
        )
    return table


def small_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of what small instances cost beside solving them."""
    numbers = ("jobs", "number", "CPU ms", "seconds", "a second", *SHARES, "in all", "beside", "leader µs")
    table = bare_table("corpus", title="Small instances: what goes on beside solving", numbers=numbers)
    for row in rows:
        table.add_row(
            row["corpus"],
            str(row["jobs"]),
            f"{row['instances']:,}",
            f"{row['solving_ms']:.2f}",
            _span(row["seconds"]),
            _amount(row["rate"]),
            *(_percent(row["steady"][name]) for name in SHARES),
            *(_or_dash(row[name], _percent) for name in ("rest", "cpu_beside_solving")),
            _or_dash(row["leader_us_an_answer"], _amount),
        )
    return table


def again_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of what a run over known answers costs, and a plain pool."""
    numbers = ("jobs", "first s", "again s", "CPU µs each", "pool s", "pool ×", "pool CPU ×")
    table = bare_table("corpus", title="The same again, and a plain process pool", numbers=numbers)
    for row in rows:
        table.add_row(
            row["corpus"],
            str(row["jobs"]),
            _span(row["seconds"]),
            _seconds(row["again_seconds"]),
            _amount(row["again_us_an_instance"]),
            _seconds(row["peer_seconds"]),
            format_factor(row["peer_ratio"]),
            format_factor(row["peer_cpu_ratio"]),
        )
    return table


def memory_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Make the table of what the leading process holds while answers come."""
    shares = tuple(f"{10 * tenth} %" for tenth in range(1, 11))
    table = bare_table(
        "corpus", title="Megabytes of the leading process, by share of the answers", numbers=("jobs", *shares)
    )
    for row in rows:
        held = row["megabytes"]
        cells = ("–",) * len(shares) if held is None else (f"{one:.0f}" for one in held)
        table.add_row(row["corpus"], str(row["jobs"]), *cells)
    return table


def _span(seconds: Sequence[float]) -> str:
    low, high = _seconds(min(seconds)), _seconds(max(seconds))
    return low if low == high else f"{low} to {high}"


def _seconds(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _or_dash(value: float | None, show: Callable[[float], str]) -> str:
    return "–" if value is None else show(value)
