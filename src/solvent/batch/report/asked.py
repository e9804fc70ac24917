"""What a run was asked, with which limits, by whom: the head of its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solvent.batch.report.document import command
from solvent.batch.report.gathering import Gathered
from solvent.batch.report.markup import Child, Markup, join, tag
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import count, duration, moment
from solvent.batch.settings import Limits

if TYPE_CHECKING:
    from solvent.batch.store.reading import RunRow

MAX_NAMED = 6
"""Machines, or solvers of a domain, that are named one by one."""
STATES = {
    "finished": "finished",
    "interrupted": "interrupted; the same command again goes on with it",
    "running": "still running, or its process was killed; the same command again goes on with it",
}


def describe_run(run: RunRow, found: Gathered, store: str) -> list[tuple[str, Child]]:
    """Return the facts about a run, by name."""
    pairs: list[tuple[str, Child]] = [
        ("Run", f"{run.id} of {store}, {STATES.get(run.state, run.state)}"),
        ("When", describe_times(run)),
        ("Asked", describe_questions(run.settings, found)),
        ("Limits", describe_limits(run.settings)),
    ]
    chosen = describe_choices(run.settings)
    if chosen:
        pairs.append(("Options", chosen))
    pairs.append(("Solver", describe_solvers(found.solvers, run.solver)))
    pairs.append(("Machine", describe_machines(found.machines, run.machine)))
    if run.command:
        pairs.append(("Command", command(run.command)))
    return pairs


def describe_times(run: RunRow) -> str:
    """Say when a run began, and how long it was at work."""
    began = moment(run.began)
    return began if run.seconds is None else f"{began}, {duration(run.seconds)} at work"


def describe_questions(settings: Mapping[str, Any], found: Gathered | None = None) -> str:
    """Say what was asked."""
    asked = settings.get("questions")
    if asked:
        return ", ".join(str(question) for question in asked)
    first = "the first question of each domain"
    if found is not None and found.groups:
        return f"{first} ({', '.join(dict.fromkeys(question for _, question in found.groups))})"
    return first


def describe_limits(settings: Mapping[str, Any]) -> str:
    """Say what each answer was allowed to cost."""
    parts = []
    for name, unit in (("seconds", "s"), ("nodes", "nodes"), ("megabytes", "MB")):
        limit = settings.get(name)
        if limit is not None:
            parts.append(f"{limit:,.15g} {unit}" if isinstance(limit, float) else f"{limit:,} {unit}")
    soft = ", ".join(parts) or "none"
    hard = []
    try:
        known = {name: settings.get(name) for name in ("seconds", "nodes", "megabytes", "kill_after", "kill_above")}
        hard.append(f"after {Limits(**known).hard_seconds():,.15g} s")
    except (ValueError, TypeError):
        pass  # settings that somebody edited; what they say stands there as it is
    if isinstance(settings.get("kill_above"), int | float):
        hard.append(f"above {settings['kill_above']:,.15g} MB")
    ended = f"; a worker that does not keep to it is ended {' or '.join(hard)}" if hard else ""
    unproved = "" if settings.get("proof", True) else "; verdicts may come without certificate"
    return f"{soft} for each answer{ended}{unproved}"


def describe_choices(settings: Mapping[str, Any]) -> str:
    """Say which options and rules were given; empty if none were."""
    parts = [f"rule {name}={value}" for name, value in dict(settings.get("rules") or {}).items()]
    for domain, options in dict(settings.get("options") or {}).items():
        parts += [f"{domain}: {name}={value}" for name, value in dict(options).items()]
    return ", ".join(parts)


def describe_solvers(solvers: Mapping[str, Counter[str]], otherwise: str) -> Markup:
    """Name the solvers of each domain, or what the run says where there are no answers."""
    lines = []
    for domain, versions in solvers.items():
        told = ", ".join(
            version or "unknown" if len(versions) == 1 else f"{version or 'unknown'} ({count(times, 'answer')})"
            for version, times in versions.most_common(MAX_NAMED)
        )
        lines.append(told if len(solvers) == 1 else f"{title_of(domain)} {told}")
    return join([tag("div", line) for line in lines or [otherwise or "–"]])


def describe_machines(machines: Counter[str], otherwise: str) -> Markup:
    """Name the machines that answers came from, or what the run says where there are no answers."""
    # A worker that was killed could not say where it ran.
    named = Counter({machine: times for machine, times in machines.items() if machine})
    if len(named) <= 1:
        return tag("div", next(iter(named), otherwise) or "–")
    lines = [f"{machine} ({count(times, 'answer')})" for machine, times in named.most_common(MAX_NAMED)]
    if len(named) > MAX_NAMED:
        lines.append(f"and {len(named) - MAX_NAMED:,} more")
    return join([tag("div", line) for line in lines])
