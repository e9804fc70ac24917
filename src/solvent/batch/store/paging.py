"""Page through the table of a run as the database filters and sorts it; a page of a large run costs little memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from solvent.batch.records import ReadAs
from solvent.batch.store.columns import text as as_text
from solvent.batch.store.reading import Row, rows
from solvent.batch.store.store import Store

Kind = Literal["YES", "NO", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED"]
"""What a row comes to: a verdict; a bug instead of one; a source that could not be read; an instance without an answer;
a file that no domain knows, which is no failure."""
KINDS: tuple[Kind, ...] = ("YES", "NO", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED")

_KIND = (
    f"CASE WHEN item.read_as = '{ReadAs.UNRECOGNISED.value}' THEN 'UNRECOGNISED'"
    " WHEN item.instance IS NULL THEN 'UNREAD' WHEN answer.id IS NULL THEN 'UNASKED'"
    " WHEN answer.verdict IN ('YES', 'NO', 'UNKNOWN') THEN answer.verdict ELSE 'ERROR' END"
)
_FROM = (
    " FROM item LEFT JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number"
    " LEFT JOIN answer ON answer.id = run_answer.answer"
    " LEFT JOIN instance ON instance.id = item.instance"
)
COLUMNS = {
    "number": "item.number",
    "name": "item.name COLLATE NOCASE",
    "domain": "instance.domain",
    "question": "run_answer.question",
    "verdict": _KIND,
    "seconds": "answer.seconds",
    "size": "instance.size",
    "expanded": "answer.expanded",
    "length": "answer.length",
}
"""What a table can be sorted by."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Say which rows are wanted, and in which order."""

    domain: str | None = None
    question: str | None = None
    kind: Kind | None = None
    text: str = ""
    """Words that all have to occur in the name of the source, or in what is said about it."""
    sort: str = "number"
    """One of `COLUMNS`. What has no value there comes last, whichever way round."""
    descending: bool = False


def kind_of(row: Row) -> Kind:
    """Say what a row comes to; the same as the database says."""
    if row.read_as == ReadAs.UNRECOGNISED.value:
        return "UNRECOGNISED"
    if row.instance is None:
        return "UNREAD"
    if row.answer is None:
        return "UNASKED"
    return row.verdict if row.verdict in ("YES", "NO", "UNKNOWN") else "ERROR"  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Tally:
    """Hold how many rows of one domain and question come to one kind."""

    domain: str | None
    question: str | None
    kind: Kind
    rows: int
    certified: int
    seconds: float
    """Summed."""
    slowest: float


def tally(store: Store, run_id: int) -> list[Tally]:
    """Count the rows of a run in one go, by domain, question and kind."""
    statement = (
        f"SELECT instance.domain, run_answer.question, {_KIND} AS kind, count(*), sum(answer.certified),"
        f" sum(answer.seconds), max(answer.seconds){_FROM} WHERE item.run = ?"
        " GROUP BY instance.domain, run_answer.question, kind"
    )
    return [
        Tally(as_text(domain), as_text(question), as_text(kind), number, certified or 0, total or 0.0, slowest or 0.0)
        for domain, question, kind, number, certified, total, slowest in store.query(statement, run_id, as_bytes=True)
    ]


def common_folder(store: Store, run_id: int) -> str:
    """Return what the names of all sources of a run begin with, up to its last slash; empty if that is nothing."""
    first, last = next(store.query("SELECT min(name), max(name) FROM item WHERE run = ?", run_id, as_bytes=True))
    # Whatever the first and the last in order have in common, all between have.
    folder = str(as_text(first or ""))
    while folder and not str(as_text(last)).startswith(folder):
        folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return folder[: folder.rfind("/") + 1]


def count_rows(store: Store, run_id: int, wish: Wish) -> int:
    """Return how many rows meet a wish."""
    where, values = _where(run_id, wish)
    # A join that nothing is asked of would only take time.
    source = _FROM if wish != Wish() else " FROM item LEFT JOIN run_answer USING (run, number)"
    return int(next(store.query(f"SELECT count(*){source}{where}", *values))[0])


def page(store: Store, run_id: int, wish: Wish, *, start: int, count: int) -> list[Row]:
    """Return the rows from a place on, as the wish sorts them."""
    where, values = _where(run_id, wish)
    column = COLUMNS[wish.sort]
    way = "DESC" if wish.descending else "ASC"
    order = f" ORDER BY {column} {way} NULLS LAST, item.number {way}, run_answer.question {way}"
    # Only places are sorted: rows are wide, and all but a page of them would be sorted for nothing.
    statement = f"SELECT item.number, run_answer.question{_FROM}{where}{order} LIMIT ? OFFSET ?"
    places = list(store.query(statement, *values, count, start, as_bytes=True))
    return [row for number, question in places for row in _rows_at(store, run_id, number, as_text(question))]


def _rows_at(store: Store, run_id: int, number: int, question: str | None) -> list[Row]:
    return list(rows(store, run_id, number=number, question=question))[:1]


def _where(run_id: int, wish: Wish) -> tuple[str, list[Any]]:
    terms, values = ["item.run = ?"], [run_id]
    given: list[Any] = []
    if wish.domain is not None:
        terms.append("instance.domain = ?")
        given.append(wish.domain)
    if wish.question is not None:
        terms.append("run_answer.question = ?")
        given.append(wish.question)
    if wish.kind is not None:
        terms.append(f"{_KIND} = ?")
        given.append(wish.kind)
    for word in wish.text.split():
        terms.append(
            "(item.name LIKE ? ESCAPE '!' OR item.message LIKE ? ESCAPE '!' OR answer.reason LIKE ? ESCAPE '!')"
        )
        pattern = f"%{word.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        given += [pattern] * 3
    return f" WHERE {' AND '.join(terms)}", [*values, *given]
