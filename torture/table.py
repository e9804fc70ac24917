"""Show what campaigns tried and what went wrong, for a terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from torture.campaign import KINDS


def show_table(results: Mapping[str, Any]) -> None:
    """Print a line for each campaign."""
    click.echo(f"{'campaign':<14}{'tried':>12}" + "".join(f"{kind:>9}" for kind in KINDS) + "  largest")
    for name, tally in results["campaigns"].items():
        failures = "".join(f"{tally['failures'].get(kind, 0):>9,}" for kind in KINDS)
        worst = ", ".join(f"{what} {value:.2f}" for what, value in tally["worst"].items())
        click.echo(f"{name:<14}{tally['tried']:>12,}{failures}  {worst}")


def show_examples(results: Mapping[str, Any]) -> None:
    """Print what went wrong, if anything did."""
    for name, tally in results["campaigns"].items():
        for example in tally["examples"]:
            click.echo(f"\n{name}, {example['kind']}: {example['what']}")
            if example["reproduce"]:
                click.echo(f"  {example['reproduce']}")


def as_markdown(results: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Write the table of the documentation."""
    lines = [f"| campaign | tried | {' | '.join(KINDS)} |", f"| --- | ---: | {' | '.join('---:' for _ in KINDS)} |"]
    for name, tally in results["campaigns"].items():
        failures = " | ".join(f"{tally['failures'].get(kind, 0):,}" for kind in KINDS)
        lines.append(f"| {titles[name]} | {tally['tried']:,} | {failures} |")
    return "\n".join([*lines, ""])
