"""The command that does again what a run did, for one row of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solvent.batch.report.naming import domain_by_name

if TYPE_CHECKING:
    from solvent.batch.store.reading import Row

HASH_DIGITS = 16
"""How much of a hash a command shows; a store of billions of instances would not have two alike."""


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
    """Write a command so that a shell takes it apart into these words; a bar joins two commands."""
    return " ".join(word if word == "|" else shlex.quote(word) for word in words)


def _as_file(path: str) -> str:
    """Write a path so that no command takes it for an option or for standard input."""
    return f"./{path}" if path.startswith("-") else path


def _rules(row: Row, settings: Mapping[str, Any]) -> Iterator[str]:
    # Of a domain that is not installed here nobody knows its rules; whoever runs the command has it.
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
