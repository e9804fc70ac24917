"""Describe domains, questions, figures, runs and their settings; and write the command that repeats an answer."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.batch.report.phrases import describe, duration, moment
from solvent.batch.rows import Row, domain_by_name, report_columns_by_name
from solvent.batch.settings import Limits
from solvent.drawing.markup import Child, Markup, join, tag
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store.reading import RunRow

HASH_DIGITS = 16
"""How much of a hash a command shows; a store of billions of instances would not have two alike."""
MAX_NAMED = 6
"""Machines, or solvers of a domain, that are named one by one."""
STATES = {
    "finished": "finished",
    "interrupted": "interrupted; the same command again goes on with it",
    "running": "still running, or its process was killed; the same command again goes on with it",
}


def title_of(name: str) -> str:
    """Return the title of a domain up to its colon, such as `Star Battle`; its name if it is not installed."""
    domain = domain_by_name(name)
    return name if domain is None else domain.title.partition(":")[0]


def meaning_of(name: str, question: str) -> str:
    """Return what a question asks; empty if the domain is not installed."""
    domain = domain_by_name(name)
    return domain.questions[question].text if domain is not None and question in domain.questions else ""


def size_title(name: str) -> str:
    """Return what the size of an instance counts."""
    return report_columns_by_name(name).unit or "size"


def figure_title(name: str) -> str:
    """Return what a figure is called."""
    return {"seconds": "time", "certificate_bytes": "certificate", "length": "length of the solution"}.get(
        name, describe(name)
    )


def run_facts(
    run: RunRow, solvers: Mapping[str, Counter[str]], machines: Counter[str], answered: Sequence[str] = ()
) -> dict[str, Child]:
    """Return what people should know about a run, by name; empty where there is nothing to say."""
    return {
        "When": describe_times(run),
        "Asked": describe_questions(run.settings, answered),
        "Limits": describe_limits(run.settings),
        "Options": describe_choices(run.settings),
        "Solver": describe_solvers(solvers, run.solver),
        "Machine": describe_machines(machines, run.machine),
    }


def describe_times(run: RunRow) -> str:
    """Say when a run began, and how long it was at work."""
    began = moment(run.began)
    return began if run.seconds is None else f"{began}, {duration(run.seconds)} at work"


def describe_questions(settings: Mapping[str, Any], answered: Sequence[str] = ()) -> str:
    """Say what was asked; `answered` are the questions that have answers."""
    asked = settings.get("questions")
    if asked:
        return ", ".join(str(question) for question in asked)
    return "the first question of each domain" + (f" ({', '.join(answered)})" if answered else "")


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
        pass  # edited settings are shown as they are
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
        named = ", ".join(
            version or "unknown" if len(versions) == 1 else f"{version or 'unknown'} ({counted(times, 'answer')})"
            for version, times in versions.most_common(MAX_NAMED)
        )
        lines.append(named if len(solvers) == 1 else f"{title_of(domain)} {named}")
    return join([tag("div", line) for line in lines or [otherwise or "–"]])


def describe_machines(machines: Counter[str], otherwise: str) -> Markup:
    """Name the machines that answers came from, or what the run says where there are no answers."""
    # A worker that was killed could not say where it ran.
    named = Counter({machine: times for machine, times in machines.items() if machine})
    if len(named) <= 1:
        return tag("div", next(iter(named), otherwise) or "–")
    lines = [f"{machine} ({counted(times, 'answer')})" for machine, times in named.most_common(MAX_NAMED)]
    if len(named) > MAX_NAMED:
        lines.append(f"and {len(named) - MAX_NAMED:,} more")
    return join([tag("div", line) for line in lines])


def command_for(row: Row, settings: Mapping[str, Any], store: str) -> str | None:
    """Return the command that asks the same again, or that reads a broken file again; None if there is none.

    What came from a line of a file, or from standard input, is taken out of the store, which holds its text.
    """
    # A path with odd bytes or control characters cannot be shown so that it could be copied.
    if row.path is not None and row.line is None and row.path.isprintable():
        words = ["solvent", "solve", _as_file(row.path)]
        rules = list(_rules(row, settings))
    elif row.instance is not None:
        words = ["solvent", "report", _as_file(store), "--extract", row.instance[:HASH_DIGITS]]
        words += ["|", "solvent", "solve", "-"]
        rules = []  # the text in the store was written under them already
    else:
        return None
    if row.domain is not None:
        words += ["--as", row.domain]
    if row.question is not None:
        words += ["--ask", row.question]
    words += rules
    words += _limits(settings)
    words += _options(row, settings)
    return shell_words(words)


def shell_words(words: Sequence[str]) -> str:
    """Write a command for a shell; a bar joins two commands."""
    return " ".join(word if word == "|" else shlex.quote(word) for word in words)


def _as_file(path: str) -> str:
    """Write a path so that no command takes it for an option or for standard input."""
    return f"./{path}" if path.startswith("-") else path


def _rules(row: Row, settings: Mapping[str, Any]) -> Iterator[str]:
    # The rules of a domain that is not installed here are unknown; they may all be its own.
    domain = None if row.domain is None else domain_by_name(row.domain)
    known = () if domain is None else {option.name for option in domain.options("rule")}
    for name, value in settings.get("rules", {}).items():
        if domain is None or name in known:
            yield from ("--rule", f"{name}={value}")


def _limits(settings: Mapping[str, Any]) -> Iterator[str]:
    for name in ("seconds", "nodes", "megabytes"):
        limit = settings.get(name)
        if limit is not None:
            yield from (f"--{name}", _exactly(limit))
    if not settings.get("proof", True):
        yield "--no-proof"


def _exactly(limit: float) -> str:
    """Write a limit so that reading it gives the same number: an answer with another limit is another answer."""
    written = repr(limit)
    return written.removesuffix(".0") if "e" not in written else written


def _options(row: Row, settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.get("options", {}).get(row.domain, {}).items():
        if value is None:
            continue
        written = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"--{name.replace('_', '-')}={written}"
