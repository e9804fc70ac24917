"""What `--json` prints where there is no answer: what went wrong, as an object that programs can read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from solvent.cli import exits
from solvent.cli.output import CannotUse, OutputLost, begin_json, json_was_said, one_line, say_json
from solvent.core.errors import (
    BadOption,
    BrokenTest,
    CertificateRejected,
    ClusterError,
    GenerationFailed,
    LimitReached,
    NotChecked,
    NotRecognised,
    ParseError,
    SolventError,
    StoreError,
    UndecidedNames,
    UnsoundTest,
)

KINDS: Mapping[type[BaseException], tuple[str, int]] = {
    CannotUse: ("file", exits.BAD_INPUT),
    click.UsageError: ("usage", exits.USAGE),
    CertificateRejected: ("certificate_rejected", exits.REJECTED),
    UndecidedNames: ("undecided_names", exits.BAD_INPUT),
    UnsoundTest: ("unsound_test", exits.BAD_INPUT),
    BrokenTest: ("broken_test", exits.BAD_INPUT),
    NotRecognised: ("not_recognised", exits.BAD_INPUT),
    ParseError: ("parse", exits.BAD_INPUT),
    BadOption: ("option", exits.USAGE),
    GenerationFailed: ("generation_failed", exits.UNKNOWN),
    StoreError: ("store", exits.BAD_INPUT),
    ClusterError: ("cluster", exits.BAD_INPUT),
    SolventError: ("input", exits.BAD_INPUT),
    NotChecked: ("not_checked", exits.NOT_CHECKED),
    LimitReached: ("limit", exits.UNKNOWN),
    MemoryError: ("memory", exits.BAD_INPUT),
    KeyboardInterrupt: ("cancelled", exits.CANCELLED),
}
"""What each error is called, and its exit code; the first that fits counts. Anything else is a bug: a traceback."""
PLACES = ("expected", "line", "column", "path", "source")
"""What an error about a text says beside its message."""


@contextlib.contextmanager
def failures_as_json(words: Sequence[str]) -> Iterator[None]:
    """Have standard output hold one object also where the command fails, if `--json` was given. Errors go on."""
    begin_json()
    try:
        yield
    except (BrokenPipeError, OutputLost):
        raise
    except tuple(KINDS) as error:
        if wants_json(words) and not json_was_said():
            say_json(describe_failure(error))
        raise


def wants_json(words: Sequence[str]) -> bool:
    """Tell whether `--json` is among the options of a command."""
    before = words[: words.index("--")] if "--" in words else words
    return "--json" in before


def describe_failure(error: BaseException) -> dict[str, Any]:
    """Return what went wrong as JSON values; every key is always there, with null where there is nothing to say."""
    kind, code = next(found for each, found in KINDS.items() if isinstance(error, each))
    message = error.format_message() if isinstance(error, click.UsageError) else str(error)
    if isinstance(error, UnsoundTest | BrokenTest):
        message = error.heading
    if isinstance(error, MemoryError):
        message = "not enough memory to read or write this"
    elif isinstance(error, KeyboardInterrupt):
        message = "cancelled"
    places = {name: getattr(error, name, None) for name in PLACES}
    described = {"kind": kind, "message": one_line(message), **places, "exit_code": code}
    if isinstance(error, UnsoundTest):
        described |= {"test": error.name, "scope": error.scope, "counterexample": error.counterexample}
    elif isinstance(error, BrokenTest):
        described |= {"test": error.name, "instance": error.instance}
    return {"error": described}
