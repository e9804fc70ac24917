"""Rows of a store and results of a run, made by hand."""

from __future__ import annotations

from typing import Any

from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, pack
from solvent.batch.rows import Row
from solvent.batch.run import Validated

EMPTY = Row(number=0, name="a.txt", path="a.txt", read_as=ReadAs.INSTANCE.value)


def row(**values: Any) -> Row:
    """Make a row about an instance of the hostile domain that was solved."""
    from msgspec.structs import replace

    usual = {
        "instance": "f00d",
        "domain": "hostile",
        "size": 9,
        "answer": 1,
        "question": "solvable",
        "verdict": "YES",
        "certified": True,
        "form": "word",
        "expanded": 12,
        "length": 3,
        "seconds": 0.25,
        "cpu_seconds": 0.125,
        "peak_megabytes": 1.5,
        "attempts": 1,
        "solver": "0.1.0+beef",
    }
    return replace(EMPTY, **{**usual, **values})


def unread(read_as: ReadAs, message: str, **values: Any) -> Row:
    """Make a row about a source without an instance."""
    from msgspec.structs import replace

    return replace(EMPTY, read_as=read_as.value, message=message, **values)


def validated(verdict: str | None = "YES", *, name: str = "a.txt", known: bool = False, **values: Any) -> Validated:
    """Make a result about an instance of the hostile domain."""
    source = Source(0, name, path=name)
    instance = Instance("f00d", "hostile", 9, pack(b"HOSTILE yes"))
    question = values.pop("question", "solvable")
    certificate = pack(b"{}") if verdict in ("YES", "NO") and values.pop("proved", True) else None
    outcome = Outcome("key", question, verdict, certificate=certificate, **values)
    return Validated(Reading(source, ReadAs.INSTANCE, instance), question, outcome, known)


def not_validated(read_as: ReadAs, message: str = "", *, name: str = "a.txt") -> Validated:
    """Make a result about a source that was not asked anything."""
    source = Source(0, name, path=name)
    instance = Instance("f00d", "hostile", 9, b"") if read_as is ReadAs.INSTANCE else None
    return Validated(Reading(source, read_as, instance, message))
