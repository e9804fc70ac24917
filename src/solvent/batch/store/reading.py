"""Read what a store holds, row by row: a store of a million answers needs no more memory than one of ten."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from solvent.batch.store.columns import (
    Column,
    decoded,
    number,
    number_or_zero,
    object_from_json,
    text,
    texts_from_json,
    whole,
    words,
)
from solvent.batch.store.store import Store
from solvent.core.errors import ParseError, StoreError

LARGEST_TEXT_BYTES = 1 << 30
"""No instance or certificate unfolds to more than this; a damaged or hostile one might."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """Hold what a store knows of one run."""

    id: int
    token: str
    """Stands for the command that was given."""
    state: str
    """running, finished or interrupted; a run whose process was killed stays running."""
    began: float
    """Seconds since 1970."""
    ended: float | None
    seconds: float | None
    """Time at work, over all continuations."""
    command: str
    settings: Mapping[str, Any]
    """As `Settings.as_json` wrote them."""
    solver: str
    machine: str


@dataclass(frozen=True, slots=True)
class Row:
    """Hold one question about one source of a run with its answer; or one source that has none."""

    number: int
    """The place of the source in the run, from 0."""
    name: str
    path: str | None
    line: int | None
    read_as: str
    """The value of a `ReadAs`."""
    message: str
    """Why there is no instance; empty if there is one."""
    remarks: tuple[str, ...]
    reading_seconds: float
    instance: str | None
    """The hash of the instance; None without one."""
    domain: str | None
    size: int | None
    answer: int | None
    """The row of the answer; None if there is none (yet), and all that follows is then empty."""
    question: str | None
    verdict: str | None
    """YES, NO or UNKNOWN; None without an answer, or if a bug kept the solver from any."""
    cause: str | None
    reason: str
    because: str
    certified: bool
    form: str | None
    expanded: int | None
    length: int | None
    stats: Mapping[str, Any]
    seconds: float
    cpu_seconds: float
    peak_megabytes: float | None
    attempts: int
    error: str
    """The traceback of a bug; empty otherwise."""
    solver: str
    machine: str
    finished: float
    """Seconds since 1970."""
    certificate_bytes: int
    """As it is stored, compressed; 0 without one."""


class ComparedRow(NamedTuple):
    """Hold as much of a row as two runs are compared by."""

    number: int
    name: str
    read_as: str
    instance: str | None
    domain: str | None
    question: str | None
    answer: int | None
    verdict: str | None
    certified: bool
    seconds: float
    error: str
    solver: str
    machine: str


@dataclass(frozen=True, slots=True)
class Count:
    """Hold how the answers to one question about one domain came out."""

    domain: str
    question: str
    yes: int
    no: int
    unknown: int
    errors: int
    """Answers without a verdict, because of a bug."""
    killed: int
    """Those of the unknown whose worker was ended."""
    certified: int
    seconds: float
    """Summed over all answers, as are the CPU seconds."""
    cpu_seconds: float
    slowest: float
    """Seconds of the slowest."""
    certificate_bytes: int

    @property
    def total(self) -> int:
        """Return how many answers there are."""
        return self.yes + self.no + self.unknown + self.errors


@dataclass(frozen=True, slots=True)
class Counts:
    """Hold how a run came out."""

    sources: int
    read_as: Mapping[str, int]
    """How many sources were read as what, by value of `ReadAs`; what does not occur is missing."""
    instances: Mapping[str, int]
    """How many sources hold an instance, by domain."""
    answers: tuple[Count, ...]
    """By domain, then question."""
    unanswered: int
    """Instances without any answer: not reached yet, or there was nothing to ask."""


# In the order of the fields above.
_RUN_COLUMNS = (
    Column("run.id", number),
    Column("run.token", text),
    Column("run.state", text),
    Column("run.began", number),
    Column("run.ended", number),
    Column("run.seconds", number),
    Column("run.command", text),
    Column("run.settings", object_from_json),
    Column("run.solver", text),
    Column("machine.description", words),
)
_ROW_COLUMNS = (
    Column("item.number", number),
    Column("item.name", text),
    Column("item.path", text),
    Column("item.line", number),
    Column("item.read_as", text),
    Column("item.message", text),
    Column("item.remarks", texts_from_json),
    Column("item.seconds", number),
    Column("instance.hash", text),
    Column("instance.domain", text),
    Column("instance.size", whole),
    Column("answer.id", number),
    Column("run_answer.question", text),
    Column("answer.verdict", text),
    Column("answer.cause", text),
    Column("answer.reason", words),
    Column("answer.because", words),
    Column("answer.certified", bool),
    Column("answer.form", text),
    Column("answer.expanded", whole),
    Column("answer.length", whole),
    Column("answer.stats", object_from_json),
    Column("answer.seconds", number_or_zero),
    Column("answer.cpu_seconds", number_or_zero),
    Column("answer.peak_megabytes", number),
    Column("answer.attempts", number_or_zero),
    Column("answer.error", words),
    Column("answer.solver", words),
    Column("machine.description", words),
    Column("answer.finished", number_or_zero),
    Column("length(answer.certificate)", number_or_zero),
)
_RUNS = (
    f"SELECT {', '.join(column.name for column in _RUN_COLUMNS)} FROM run LEFT JOIN machine ON machine.id = run.machine"
)
_FROM = (
    " FROM item LEFT JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number"
    " LEFT JOIN answer ON answer.id = run_answer.answer"
    " LEFT JOIN instance ON instance.id = item.instance"
    " LEFT JOIN machine ON machine.id = answer.machine"
)
_ROWS = f"SELECT {', '.join(column.name for column in _ROW_COLUMNS)}{_FROM}"
_COMPARED = (
    *("item.number", "item.name", "item.read_as", "instance.hash", "instance.domain", "run_answer.question"),
    *("answer.id", "answer.verdict", "answer.certified", "answer.seconds", "answer.error", "answer.solver"),
    "machine.description",
)
"""In the order of the fields of `ComparedRow`."""
_ORDERS = {
    "number": " ORDER BY item.number, run_answer.question",
    "seconds": " ORDER BY answer.seconds DESC, item.number, run_answer.question",
}
_COUNTS = (
    "SELECT instance.domain, run_answer.question, sum(verdict = 'YES'), sum(verdict = 'NO'), sum(verdict = 'UNKNOWN'),"
    " sum(verdict IS NULL), sum(cause = 'KILLED'), sum(certified), sum(answer.seconds), sum(cpu_seconds),"
    " max(answer.seconds), sum(length(certificate))"
    " FROM run_answer JOIN answer ON answer.id = run_answer.answer JOIN instance ON instance.id = answer.instance"
    " WHERE run_answer.run = ? GROUP BY instance.domain, run_answer.question"
)


def runs(store: Store) -> list[RunRow]:
    """Return every run, the oldest first."""
    return [_run(store, row) for row in store.query(_RUNS + " ORDER BY run.id", as_bytes=True)]


def newest_run(store: Store) -> RunRow:
    """Return the run that was begun last; raises StoreError if there is none."""
    for row in store.query(_RUNS + " ORDER BY run.id DESC LIMIT 1", as_bytes=True):
        return _run(store, row)
    raise StoreError(f"there are no runs in {store.path} yet")


def run_row(store: Store, run_id: int) -> RunRow:
    """Return one run; raises StoreError if there is none of this number."""
    for row in store.query(_RUNS + " WHERE run.id = ?", run_id, as_bytes=True):
        return _run(store, row)
    newest = [str(number) for (number,) in store.query("SELECT id FROM run ORDER BY id DESC LIMIT 10")]
    there = f"there are: {', '.join(newest)}" if newest else "there are none yet"
    raise StoreError(f"there is no run {run_id} in {store.path}; {there}")


def rows(
    store: Store,
    run_id: int,
    *,
    order: Literal["number", "seconds"] = "number",
    domain: str | None = None,
    question: str | None = None,
    verdicts: Collection[str | None] | None = None,
    read_as: Collection[str] | None = None,
    number: int | None = None,
    limit: int | None = None,
) -> Iterator[Row]:
    """Yield the table of a run: by number and question, or the slowest first.

    A filter that is given leaves only the rows that meet it; None among the verdicts stands for answers without one.
    """
    terms = ["item.run = ?"]
    values: list[Any] = [run_id]
    for term, value in (
        ("instance.domain = ?", domain),
        ("run_answer.question = ?", question),
        ("item.number = ?", number),
    ):
        if value is not None:
            terms.append(term)
            values.append(value)
    if verdicts is not None:
        named = [verdict for verdict in verdicts if verdict is not None]
        missing = " OR answer.verdict IS NULL" if None in verdicts else ""
        terms.append(f"answer.id IS NOT NULL AND (answer.verdict IN ({_places(named)}){missing})")
        values.extend(named)
    if read_as is not None:
        terms.append(f"item.read_as IN ({_places(read_as)})")
        values.extend(read_as)
    statement = f"{_ROWS} WHERE {' AND '.join(terms)}{_ORDERS[order]}"
    if limit is not None:
        statement += " LIMIT ?"
        values.append(limit)
    return (_row(store, run_id, row) for row in store.query(statement, *values, as_bytes=True))


def compared_rows(store: Store, run_id: int) -> Iterator[ComparedRow]:
    """Yield the table of a run as `rows` does, but only what two runs are compared by, which is far quicker."""
    chosen = [column for column in _ROW_COLUMNS if column.name in _COMPARED]
    chosen.sort(key=lambda column: _COMPARED.index(column.name))
    statement = f"SELECT {', '.join(_COMPARED)}{_FROM} WHERE item.run = ?{_ORDERS['number']}"
    for row in store.query(statement, run_id, as_bytes=True):
        yield ComparedRow(*decoded(chosen, row, store.path, functools.partial(_name_source, row[0], run_id)))


def _name_source(number: int, run_id: int, _column: str) -> str:
    return f"source {number} of run {run_id}"


def counts(store: Store, run_id: int) -> Counts:
    """Return how a run came out, counted by the database."""
    read_as = dict(store.query("SELECT read_as, count(*) FROM item WHERE run = ? GROUP BY read_as", run_id))
    by_domain = store.query(
        "SELECT domain, count(*) FROM item JOIN instance ON instance.id = item.instance WHERE run = ?"
        " GROUP BY domain ORDER BY domain",
        run_id,
    )
    unanswered = store.query(
        "SELECT count(*) FROM item WHERE run = ? AND instance IS NOT NULL AND NOT EXISTS (SELECT 1 FROM run_answer"
        " WHERE run_answer.run = item.run AND run_answer.number = item.number)",
        run_id,
    )
    answers = (Count(row[0], row[1], *(value or 0 for value in row[2:])) for row in store.query(_COUNTS, run_id))
    return Counts(sum(read_as.values()), read_as, dict(by_domain), tuple(answers), next(unanswered)[0])


def instance_text(store: Store, hash: str) -> str:
    """Return an instance as text in its domain's first format; raises StoreError if it is not there or damaged."""
    for (packed,) in store.query("SELECT packed FROM instance WHERE hash = ?", hash):
        try:
            return unfold(packed).decode("utf-8")
        except ValueError as error:
            raise StoreError(f"the instance {hash} in {store.path} is damaged: {error}") from None
    raise StoreError(f"there is no instance {hash} in {store.path}")


def find_instance(store: Store, beginning: str) -> str:
    """Return the hash of the one instance whose hash begins like this; raises StoreError unless there is just one."""
    wanted = beginning.lower()
    if not wanted or wanted.strip("0123456789abcdef"):
        raise StoreError(f"expected a hash or its beginning, digits and letters up to f, found {beginning!r}")
    found = [hash for (hash,) in store.query("SELECT hash FROM instance WHERE hash GLOB ? LIMIT 2", wanted + "*")]
    if len(found) == 1:
        return str(found[0])
    many = "several instances" if found else "no instance"
    raise StoreError(f"{store.path} has {many} whose hash begins with {beginning}")


def certificate(store: Store, answer_id: int) -> dict[str, Any] | None:
    """Return the certificate of an answer, None if it has none; raises StoreError if it is damaged."""
    for (packed,) in store.query("SELECT certificate FROM answer WHERE id = ?", answer_id):
        try:
            return None if packed is None else decode_stored(packed)
        except ValueError as error:
            raise StoreError(f"the certificate of answer {answer_id} in {store.path} is damaged: {error}") from None
    raise StoreError(f"there is no answer {answer_id} in {store.path}")


def decode_stored(packed: bytes) -> dict[str, Any]:
    """Read a certificate as it is stored; raises ValueError if it was damaged."""
    from solvent.proof.certificate import decode_certificate

    try:
        return decode_certificate(unfold(packed))
    except ParseError as error:
        raise ValueError(str(error)) from None


def unfold(packed: bytes) -> bytes:
    """Unpack what `records.pack` packed; raises ValueError if it was damaged or is far too large."""
    if not isinstance(packed, bytes):
        raise ValueError(f"expected compressed bytes, found {type(packed).__name__}")
    unfolder = zlib.decompressobj()
    try:
        data = unfolder.decompress(packed, LARGEST_TEXT_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if unfolder.unconsumed_tail:
        raise ValueError(f"it unfolds to more than {LARGEST_TEXT_BYTES:,} bytes")
    if not unfolder.eof:
        raise ValueError("it ends early")
    if unfolder.unused_data:
        raise ValueError("something stands behind its end")
    return data


def _places(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _run(store: Store, row: tuple[Any, ...]) -> RunRow:
    return RunRow(*decoded(_RUN_COLUMNS, row, store.path, lambda _: f"run {row[0]}"))


def _row(store: Store, run_id: int, row: tuple[Any, ...]) -> Row:
    def name_row(column: str) -> str:
        if column.startswith(("item.", "instance.")):
            return f"source {row[0]} of run {run_id}" + (", its instance," if column.startswith("instance.") else "")
        return f"answer {row[11]}"

    return Row(*decoded(_ROW_COLUMNS, row, store.path, name_row))
