"""Show what campaigns tried and what went wrong, for a terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from torture.campaign import KINDS

Results = Mapping[str, Any]
"""What a run writes: its campaigns by name, each a tally in JSON with a title."""
PAST = "seconds past"
PAST_CPU = "CPU seconds past"
"""Measurements of how far past a limit of time a case went, followed by domain, question and size, parted by bars."""
NOT_JUDGED = " (not judged)"
"""Ends the name of a group of which something was accepted that brute force could not judge in time."""
KIND_TITLES = {"wrong": "wrongly accepted"}


def show_table(results: Results) -> None:
    """Print a line for each campaign, then what was never accepted, and how far past limits cases went."""
    click.echo(f"{'campaign':<14}{'tried':>12}" + "".join(f"{kind:>9}" for kind in KINDS) + "  largest")
    for name, tally in results["campaigns"].items():
        failures = "".join(f"{tally['failures'].get(kind, 0):>9,}" for kind in KINDS)
        worst = ", ".join(f"{what} {value:.2f}" for what, value in tally["worst"].items() if "|" not in what)
        click.echo(f"{name:<14}{tally['tried']:>12,}{failures}  {worst}")
    for name, tally in results["campaigns"].items():
        never = never_accepted(tally)
        if never:
            click.echo(f"{name}: never accepted, and so hardly tested: {', '.join(never)}")
    for name, tally in results["campaigns"].items():
        unjudged = sum(count for group, count in tally["accepted"].items() if group.endswith(NOT_JUDGED))
        if unjudged:
            click.echo(f"{name}: {unjudged:,} accepted that were too large to be judged")
    rows = list(_past_limits(results))
    if rows:
        click.echo(f"\n{'past a limit of time':<30}{'cases':>8}{'seconds':>10}{'CPU':>10}  on")
    for domain, doing, cases, wall, cpu, size in rows:
        click.echo(f"{domain + ' ' + doing:<30}{cases:>8,}{wall:>10.2f}{cpu:>10.2f}  {size:,} cells")


def show_examples(results: Results) -> None:
    """Print what went wrong, if anything did."""
    for name, tally in results["campaigns"].items():
        for example in tally["examples"]:
            click.echo(f"\n{name}, {example['kind']}: {example['what']}")
            if example["reproduce"]:
                click.echo(f"  {example['reproduce']}")


def never_accepted(tally: Mapping[str, Any]) -> list[str]:
    """Return the groups of which something should have been accepted and nothing was."""
    return [group for group, number in tally["accepted"].items() if not number]


def campaigns_table(results: Results) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of the table of campaigns."""
    rows = []
    for tally in results["campaigns"].values():
        failures = [f"{tally['failures'].get(kind, 0):,}" for kind in KINDS]
        rows.append([tally["title"], f"{tally['tried']:,}", *failures])
    return ["campaign", "tried", *(KIND_TITLES.get(kind, kind) for kind in KINDS)], rows


def forms_table(results: Results) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of the table of the forms of certificates, each with its rules or techniques added up."""
    tally = results["campaigns"].get("certificates", {"counts": {}, "accepted": {}})
    sums: dict[tuple[str, str], list[int]] = {}
    for number, counter in enumerate((tally["counts"], tally["accepted"])):
        for group, count in counter.items():
            if group.endswith(NOT_JUDGED):
                continue  # accepted, but whether it is true is not known
            domain, form = group.split("/")[:2]
            sums.setdefault((domain, form), [0, 0])[number] += count
    rows = [[domain, form, f"{tried:,}", f"{accepted:,}"] for (domain, form), (tried, accepted) in sorted(sums.items())]
    return ["domain", "form", "tried", "accepted, and true"], rows


def past_limits_table(results: Results) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of the table of how far past limits of time cases went."""
    rows = [
        [domain, doing, f"{cases:,}", f"{max(wall, 0):.2f} s", f"{max(cpu, 0):.2f} s", f"{size:,}"]
        for domain, doing, cases, wall, cpu, size in _past_limits(results)
    ]
    return ["domain", "doing", "cases", "furthest past the limit", "in CPU time", "cells"], rows


def _past_limits(results: Results) -> Iterator[tuple[str, str, int, float, float, int]]:
    """Yield domain, what is done, how many cases, the worst of them by the clock and in CPU time, and its size."""
    tally = results["campaigns"].get("budgets", {"worst": {}, "counts": {}})
    furthest: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    for name, value in tally["worst"].items():
        what, *parts = name.split("|")
        if what == PAST:
            domain, doing, size = parts
            cpu = tally["worst"].get("|".join((PAST_CPU, *parts)), value)
            furthest.setdefault((domain, doing), []).append((value, cpu, int(size)))
    for (domain, doing), found in sorted(furthest.items()):
        cases = sum(count for group, count in tally["counts"].items() if group.startswith(f"{domain}/{doing}/"))
        wall, _, size = max(found)
        yield domain, doing, cases, wall, max(cpu for _, cpu, _ in found), size


def counts_only(results: Results) -> dict[str, Any]:
    """Return results without examples, small enough to be kept with the sources."""
    kept: Sequence[str] = ("title", "tried", "counts", "failures", "accepted", "worst")
    campaigns = {
        name: {key: tally[key] for key in kept if key in tally} for name, tally in results["campaigns"].items()
    }
    return {**results, "campaigns": campaigns}
