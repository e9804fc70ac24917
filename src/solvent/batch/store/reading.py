"""Read what a store holds, row by row: a store of a million answers needs no more memory than one of ten."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from solvent.batch.columns import (
    BY_NAME,
    STORED,
    Column,
    decoded,
    number,
    object_from_json,
    selected,
    text,
    text_or_empty,
    texts_from_json,
)
from solvent.batch.damage import damaged
from solvent.batch.records import ReadAs
from solvent.batch.rows import Kind, Row, Status, status_of
from solvent.batch.settings import instance_hash
from solvent.batch.store.store import Store
from solvent.batch.summary import ending
from solvent.core import compression
from solvent.core.answer import Cause, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.compression import DEFAULT_UNFOLDED_MEGABYTES
from solvent.core.errors import ParseError, StoreError
from solvent.registry import all_domains


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


class CountedRow(NamedTuple):
    """Hold as much of a row as counting and charts need; each field means what it does in `Row`."""

    number: int
    name: str
    read_as: str
    domain: str | None
    size: int | None
    question: str | None
    answer: int | None
    verdict: str | None
    certified: bool
    seconds: float
    expanded: int | None
    length: int | None
    attempts: int
    error: str
    solver: str
    machine: str
    finished: float
    certificate_bytes: int
    stats: Mapping[str, Any]

    @property
    def status(self) -> Status | None:
        """Return PASS, FAIL, UNKNOWN or ERROR, as `Row.status` does."""
        return status_of(self.read_as, self.error, self.domain, self.question, self.verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Say which rows of a run are wanted; what is not given leaves all."""

    domain: str | None = None
    question: str | None = None
    number: int | None = None
    verdicts: Collection[str | None] | None = None
    """Those of answers; None among them stands for answers without one."""
    read_as: Collection[str] | None = None
    kind: Kind | None = None
    outcome: Literal["PASS", "FAIL"] | None = None
    """Only verdicts that pass, or only those that fail, each by its own question."""
    text: str = ""
    """Words that all have to occur in the name of the source, or in why there is no instance or no verdict."""


_RUN_COLUMNS = (
    Column("id", "run.id", number),
    Column("token", "run.token"),
    Column("state", "run.state"),
    Column("began", "run.began", number),
    Column("ended", "run.ended", number),
    Column("seconds", "run.seconds", number),
    Column("command", "run.command"),
    Column("settings", "run.settings", object_from_json),
    Column("solver", "run.solver"),
    Column("machine", "machine.description", text_or_empty),
)
_RUNS = f"SELECT {selected(_RUN_COLUMNS)} FROM run LEFT JOIN machine ON machine.id = run.machine"
ITEMS = (
    " FROM item LEFT JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number"
    " LEFT JOIN answer ON answer.id = run_answer.answer"
    " LEFT JOIN instance ON instance.id = item.instance"
)
"""The sources of runs with their answers."""
_ITEMS = f"{ITEMS} LEFT JOIN machine ON machine.id = answer.machine"
KIND = (
    f"CASE WHEN item.read_as = '{ReadAs.UNRECOGNISED.value}' THEN 'UNRECOGNISED'"
    " WHEN item.instance IS NULL THEN 'UNREAD' WHEN answer.id IS NULL THEN 'UNASKED'"
    " WHEN answer.verdict IN ('YES', 'NO', 'UNKNOWN') THEN answer.verdict ELSE 'ERROR' END"
)
"""The `Row.kind` of a row, as SQL."""
_CAUSES = " ".join(f"WHEN '{cause.name}' THEN '{cause.value}'" for cause in Cause)
_REASON = (
    f"CASE answer.cause {_CAUSES} ELSE '' END"
    " || CASE answer.detail WHEN '' THEN '' ELSE ' (' || answer.detail || ')' END"
)
"""The text of a reason, as SQL."""
_COUNTED = tuple(BY_NAME[name] for name in CountedRow._fields)
_ORDERS = {
    "number": " ORDER BY item.number, run_answer.question",
    "seconds": " ORDER BY answer.seconds DESC, item.number, run_answer.question",
}


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
    wanted: Filter = Filter(),
    *,
    order: Literal["number", "seconds"] = "number",
    limit: int | None = None,
) -> Iterator[Row]:
    """Yield the rows of a run, or those that a filter leaves: by number and question, or the slowest first."""
    where, values = where_clause(run_id, wanted)
    statement = f"SELECT {selected(STORED)}{_ITEMS}{where}{_ORDERS[order]}"
    if limit is not None:
        statement += " LIMIT ?"
        values.append(limit)
    texts = _KnownTexts()
    for block in store.blocks(statement, *values):
        for row in block:
            found = _row_quickly(row, texts)
            if found is None:
                name_row = functools.partial(_name_row, row[_NUMBER], row[_ANSWER], run_id)
                found = Row(**decoded(STORED, row, store.path, name_row))
            yield found


def counted_rows(store: Store, run_id: int, *, stats: bool = True) -> Iterator[CountedRow]:
    """Yield the rows of a run as `rows` does, but only what counting and charts need, which is far quicker.

    Without `stats` those are empty, which is quicker still.
    """
    columns = selected(_COUNTED) if stats else selected(_COUNTED[:-1]) + ", ''"
    statement = f"SELECT {columns}{_ITEMS} WHERE item.run = ?{_ORDERS['number']}"
    texts = _KnownTexts()
    for block in store.blocks(statement, run_id):
        for row in block:
            found = _quickly(row, texts)
            if found is None:  # something unusual, such as a name that is no text, or damage
                name_row = functools.partial("source {} of run {}".format, row[0], run_id)
                found = CountedRow(**decoded(_COUNTED, row, store.path, name_row))
            yield found


class _KnownTexts(dict[Any, Any]):
    """Decode each text once; they are few."""

    def __missing__(self, value: Any) -> Any:
        decoded = text(value)
        if len(self) < MAX_KNOWN_TEXTS:
            self[value] = decoded
        return decoded


def _row_quickly(row: tuple[Any, ...], texts: _KnownTexts) -> Row | None:
    """Return a row whose values are all of the usual kinds; None for any other, which `decoded` knows what to do with.

    As for `_quickly`, every column is written out.
    """
    name, domain, question, expanded, seconds, megabytes, length, verdict, certified, form, because, *rest = row
    size, cpu_seconds, remarks, path, line, instance, solver, attempts, read_as, stats, number, message, *rest = rest
    reading_seconds, answer, cause, detail, error, machine, finished, certificate_bytes = rest
    if not (type(number) is type(answer) is type(certified) is type(attempts) is int and type(name) is bytes):
        return None
    if not (type(seconds) is type(cpu_seconds) is type(finished) is type(reading_seconds) is float):
        return None
    if not (type(path) is type(instance) is bytes and type(certificate_bytes) in _USUAL_COUNTS):
        return None
    if not (type(expanded) in _USUAL_COUNTS and type(length) in _USUAL_COUNTS and type(size) in _USUAL_COUNTS):
        return None
    if line is not None or (megabytes is not None and type(megabytes) is not float):
        return None
    try:
        return Row(
            name=name.decode("utf-8"),
            domain=texts[domain],
            question=texts[question],
            expanded=expanded,
            seconds=seconds,
            peak_megabytes=megabytes,
            length=length,
            verdict=texts[verdict],
            certified=bool(certified),
            form=texts[form],
            because=texts[because] or "",
            size=size,
            cpu_seconds=cpu_seconds,
            remarks=texts_from_json(remarks) if remarks else (),
            path=path.decode("utf-8"),
            line=None,
            instance=instance.decode("utf-8"),
            solver=texts[solver] or "",
            attempts=attempts,
            read_as=texts[read_as],
            stats=object_from_json(stats),
            number=number,
            message=texts[message],
            reading_seconds=reading_seconds,
            answer=answer,
            cause=texts[cause],
            detail=texts[detail] or "",
            error=texts[error] or "",
            machine=texts[machine] or "",
            finished=finished,
            certificate_bytes=certificate_bytes or 0,
        )
    except (ValueError, TypeError):
        return None


_USUAL_COUNTS = (int, type(None))
_NUMBER, _ANSWER = ([column.name for column in STORED].index(name) for name in ("number", "answer"))
"""Where these stand in a row of all that is stored."""


def _quickly(row: tuple[Any, ...], texts: _KnownTexts) -> CountedRow | None:
    """Return a row whose values are all of the usual kinds; None for any other, which `decoded` knows what to do with.

    A million rows are decoded here, so it is written out: what `decoded` does for each column takes ten times as long.
    """
    number, name, read_as, domain, size, question, answer, verdict, certified, seconds, expanded, length, *rest = row
    attempts, error, solver, machine, finished, certificate_bytes, stats = rest
    if type(seconds) is not float or type(finished) is not float or type(attempts) is not int:
        return None
    if not (type(number) is type(answer) is type(certified) is int and type(name) is bytes):
        return None
    for count in (size, expanded, length):
        if count is not None and type(count) is not int:
            return None
    try:
        values = (
            number,
            name.decode("utf-8"),
            texts[read_as],
            texts[domain],
            size,
            texts[question],
            answer,
            texts[verdict],
            bool(certified),
            seconds,
            expanded,
            length,
            attempts,
            texts[error] or "",
            texts[solver] or "",
            texts[machine] or "",
            finished,
            certificate_bytes or 0,
            object_from_json(stats),
        )
    except (ValueError, TypeError):
        return None
    return CountedRow._make(values)


MAX_KNOWN_TEXTS = 1_000
MAX_REMARK_GROUPS = 2_000
"""How many different sets of remarks are looked at to count them."""


def count_remarks(store: Store, run_id: int, domain: str) -> tuple[list[tuple[str, int]], bool]:
    """Return what reading the instances of a domain assumed, most frequent first, and whether that is all."""
    statement = (
        "SELECT item.remarks, count(*) FROM item JOIN instance ON instance.id = item.instance"
        " WHERE item.run = ? AND instance.domain = ? AND item.remarks <> ''"
        " GROUP BY item.remarks ORDER BY count(*) DESC, item.remarks LIMIT ?"
    )
    counts: Counter[str] = Counter()
    groups = 0
    for remarks, files in store.query(statement, run_id, domain, MAX_REMARK_GROUPS):
        groups += 1
        for remark in dict.fromkeys(texts_from_json(remarks)):
            counts[remark] += int(files)
    return counts.most_common(), groups < MAX_REMARK_GROUPS


def _name_row(number: int, answer: int | None, run_id: int, place: str) -> str:
    if place.startswith(("item.", "instance.")):
        return f"source {number} of run {run_id}" + (", its instance," if place.startswith("instance.") else "")
    return f"answer {answer}"


def where_clause(run_id: int, wanted: Filter) -> tuple[str, list[Any]]:
    """Return what SQL says for the rows of a run that a filter leaves, and its values."""
    terms, values = ["item.run = ?"], [run_id]
    given: list[Any] = []
    for term, value in (
        ("instance.domain = ?", wanted.domain),
        ("run_answer.question = ?", wanted.question),
        ("item.number = ?", wanted.number),
        (f"{KIND} = ?", wanted.kind),
    ):
        if value is not None:
            terms.append(term)
            given.append(value)
    if wanted.outcome is not None:
        usual, turned = ("YES", "NO") if wanted.outcome == "PASS" else ("NO", "YES")
        asked = _passing_on_no()
        is_turned = f"(instance.domain, run_answer.question) IN (VALUES {', '.join(['(?, ?)'] * len(asked))})"
        terms.append(f"answer.verdict = CASE WHEN {is_turned if asked else '0'} THEN ? ELSE ? END")
        given += [*itertools.chain.from_iterable(asked), turned, usual]
    if wanted.verdicts is not None:
        named = [verdict for verdict in wanted.verdicts if verdict is not None]
        missing = " OR answer.verdict IS NULL" if None in wanted.verdicts else ""
        terms.append(f"answer.id IS NOT NULL AND (answer.verdict IN ({_marks(named)}){missing})")
        given += named
    if wanted.read_as is not None:
        terms.append(f"item.read_as IN ({_marks(wanted.read_as)})")
        given += wanted.read_as
    for word in wanted.text.split():
        searched = [f"{each} LIKE ? ESCAPE '!'" for each in ("item.name", "item.message", _REASON)]
        terms.append(f"({' OR '.join(searched)})")
        pattern = f"%{word.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        given += [pattern] * len(searched)
    return f" WHERE {' AND '.join(terms)}", [*values, *given]


@functools.cache
def _passing_on_no() -> tuple[tuple[str, str], ...]:
    """Return each domain with each of its questions whose NO is a PASS."""
    return tuple(
        (domain.name, name)
        for domain in all_domains()
        for name, question in domain.questions.items()
        if question.passing_verdict is Verdict.NO
    )


def instance_text(store: Store, hash: str) -> str:
    """Return an instance as text in its domain's first format; raises StoreError if it is not there or damaged."""
    for domain, packed in store.query("SELECT domain, packed FROM instance WHERE hash = ?", hash, as_bytes=True):
        try:
            found = unfold(packed).decode("utf-8")
            if instance_hash(text(domain), found) != hash:
                raise ValueError("its hash is not that of its text")
        except ValueError as error:
            raise damaged(store.path, f"the instance {hash} cannot be read: {error}") from None
        return found
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
            raise damaged(store.path, f"the certificate of answer {answer_id} cannot be read: {error}") from None
    raise StoreError(f"there is no answer {answer_id} in {store.path}")


def decode_stored(
    packed: bytes, *, megabytes: float = DEFAULT_UNFOLDED_MEGABYTES, meter: Meter = UNLIMITED
) -> dict[str, Any]:
    """Read a certificate as it is stored; raises ValueError if it was damaged or unfolds to more than allowed."""
    from solvent.proof.certificate import decode_certificate

    try:
        return decode_certificate(unfold(packed, megabytes=megabytes, meter=meter), meter=meter)
    except ParseError as error:
        raise ValueError(str(error)) from None


def unfold(packed: bytes, *, megabytes: float = DEFAULT_UNFOLDED_MEGABYTES, meter: Meter = UNLIMITED) -> bytes:
    """Unpack what `records.pack` packed; raises ValueError if it was damaged or unfolds to more than allowed."""
    if not isinstance(packed, bytes):
        raise ValueError(f"expected compressed bytes, found {type(packed).__name__}")
    return compression.unfold(packed, megabytes=megabytes, container="zlib", meter=meter)


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _run(store: Store, row: tuple[Any, ...]) -> RunRow:
    return RunRow(**decoded(_RUN_COLUMNS, row, store.path, lambda _: f"run {row[0]}"))


def endings_of_instances(store: Store, run_id: int) -> set[str]:
    """Return how the names of the files end that hold an instance."""
    found = store.query("SELECT path FROM item WHERE run = ? AND instance IS NOT NULL AND path IS NOT NULL", run_id)
    return {ending(text(path)) for (path,) in found}
