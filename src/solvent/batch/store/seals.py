"""Put a seal on each answer and each instance, a hash over all that its row says, and on the table of each run.

A certificate proves a verdict; nothing proves how long it took, what was counted or why a search gave up. The seal
finds accidents and edits there as well. It is no signature: a forger can compute a new one.

The seal of a row is the SHA-256 of a JSON array, in ASCII and as Python's `json` writes it, and the bytes of the blob
behind it. The array has the values in the order below, an instance by its hash and a machine by its description, and
last the length of the blob, null if there is none.

The seal of a run is the SHA-256 of lines of such arrays: the run, then its sources by number, then which answer stands
for which question about which source. A run gets it when it ends, and loses it when it is continued.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring_ascii as _text_in_json
from typing import Any

from solvent.batch.columns import text

SEALED = (
    *("key", "question", "verdict", "cause", "detail", "because", "certified", "form", "expanded", "length", "seconds"),
    *("cpu_seconds", "peak_megabytes", "attempts", "finished", "solver", "budget", "stats", "error"),
)
"""The columns of an answer that its seal is over, in this order, behind the instance and the machine."""
SEALED_ANSWER = (
    "instance.hash, machine.description, "
    + ", ".join(f"answer.{name}" for name in SEALED)
    + ", answer.certificate, answer.seal"
)
"""What the seal of an answer is over, then the seal itself, to be selected from `ANSWERS`."""
ANSWERS = "answer LEFT JOIN instance ON instance.id = answer.instance LEFT JOIN machine ON machine.id = answer.machine"
"""Answers with what they refer to; rows that refer to nothing come too, and their seals do not fit."""
SEALED_INSTANCE = "hash, domain, size, packed, instance.seal"
"""What the seal of an instance is over, then the seal itself."""

_SEALED_RUN = (
    "SELECT run.id, token, state, began, ended, seconds, command, settings, solver, machine.description, sources,"
    " answers FROM run LEFT JOIN machine ON machine.id = run.machine WHERE run.id = ?"
)
_SEALED_ITEMS = (
    "SELECT number, name, path, line, read_as, message, remarks, seconds, hash"
    " FROM item LEFT JOIN instance ON instance.id = item.instance WHERE item.run = ? ORDER BY number"
)
_SEALED_LINKS = (
    "SELECT number, run_answer.question, key"
    " FROM run_answer LEFT JOIN answer ON answer.id = run_answer.answer WHERE run_answer.run = ?"
    " ORDER BY number, run_answer.question"
)

_ROWS_IN_A_BLOCK = 1_000


def sealed_values(row: Sequence[Any]) -> dict[str, Any]:
    """Return what a row of `SEALED_ANSWER` holds, by the names of the columns."""
    return dict(zip(("instance", "machine", *SEALED, "certificate", "seal"), row, strict=True))


def seal_of(facts: Sequence[str | int | float | None], blob: bytes | None) -> bytes:
    """Return the seal of a row that says this."""
    seal = hashlib.sha256(_as_json([*facts, None if blob is None else len(blob)]))
    if blob is not None:
        seal.update(blob)
    return seal.digest()


def is_sealed(row: Sequence[Any]) -> bool:
    """Tell whether a row holds what it held when it was sealed; `row` is one of the selections above."""
    *facts, blob, seal = row
    if not isinstance(blob, bytes | None):
        return False
    try:
        return bool(seal == seal_of([text(fact) for fact in facts], blob))
    except ValueError:  # text that is none
        return False


def seal_of_run(connection: sqlite3.Connection, run_id: int) -> bytes | None:
    """Return the seal of a run and its table as they stand; None if something in them is no text."""
    seal = hashlib.sha256()
    try:
        for block in _rows_of_run(connection, run_id):
            seal.update(b"".join([_as_json(row) + b"\n" for row in block]))
    except (ValueError, TypeError):  # text that is none, and a blob where none belongs
        return None
    return seal.digest()


def _rows_of_run(connection: sqlite3.Connection, run_id: int) -> Iterator[list[tuple[Any, ...]]]:
    before, connection.text_factory = connection.text_factory, bytes  # damage may have made text something else
    try:
        for statement in (_SEALED_RUN, _SEALED_ITEMS, _SEALED_LINKS):
            cursor = connection.execute(statement, (run_id,))
            while block := cursor.fetchmany(_ROWS_IN_A_BLOCK):
                yield block
    finally:
        connection.text_factory = before


def _as_json(values: Sequence[Any]) -> bytes:
    """Return what `json.dumps` makes of a list, text as bytes included, in half the time: every row passes here."""
    try:
        return f"[{', '.join([_WRITERS[type(value)](value) for value in values])}]".encode("ascii")
    except KeyError:  # of some other type
        return json.dumps([text(value) for value in values]).encode("ascii")


_WRITERS: Mapping[type, Callable[[Any], str]] = {
    str: _text_in_json,
    bytes: lambda value: _text_in_json(text(value)),
    int: int.__repr__,
    float: lambda value: float.__repr__(value) if math.isfinite(value) else json.dumps(value),
    type(None): lambda _: "null",
}
