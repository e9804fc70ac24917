"""Page through the rows of a run as the database filters and sorts them; a page of a large run costs little memory."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.batch.columns import BY_NAME
from solvent.batch.columns import text as as_text
from solvent.batch.names import CommonFolder
from solvent.batch.rows import Kind, Row
from solvent.batch.store.reading import ITEMS, KIND, Filter, rows, where_clause
from solvent.batch.store.store import Store

SORT_KEYS = {
    **{name: BY_NAME[name].place for name in ("number", "domain", "question", "seconds", "size", "expanded", "length")},
    "name": f"{BY_NAME['name'].place} COLLATE NOCASE",
    "verdict": KIND,
}
"""What rows can be sorted by, as SQL."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Hold how many rows of one domain and question turned out one way."""

    domain: str | None
    question: str | None
    kind: Kind
    rows: int
    certified: int
    seconds: float
    """Summed."""
    slowest: float


def tally(store: Store, run_id: int) -> list[Totals]:
    """Count the rows of a run in one go, by domain, question and kind."""
    statement = (
        f"SELECT instance.domain, run_answer.question, {KIND} AS kind, count(*), sum(answer.certified),"
        f" sum(answer.seconds), max(answer.seconds){ITEMS} WHERE item.run = ?"
        " GROUP BY instance.domain, run_answer.question, kind"
    )
    return [
        Totals(as_text(domain), as_text(question), as_text(kind), number, certified or 0, total or 0.0, slowest or 0.0)
        for domain, question, kind, number, certified, total, slowest in store.query(statement, run_id, as_bytes=True)
    ]


def common_folder(store: Store, run_id: int) -> str:
    """Return the folder that all sources of a run are in, up to its last slash; empty if there is none."""
    # All names between the first and the last in order share what these two do.
    shared = CommonFolder()
    for name in next(store.query("SELECT min(name), max(name) FROM item WHERE run = ?", run_id, as_bytes=True)):
        shared.add(str(as_text(name or "")))
    return shared.folder or ""


def count_rows(store: Store, run_id: int, wanted: Filter) -> int:
    """Return how many rows a filter leaves."""
    where, values = where_clause(run_id, wanted)
    # A join that no condition needs would only take time.
    source = ITEMS if wanted != Filter() else " FROM item LEFT JOIN run_answer USING (run, number)"
    return int(next(store.query(f"SELECT count(*){source}{where}", *values))[0])


def page(
    store: Store, run_id: int, wanted: Filter, *, sort: str = "number", descending: bool = False, start: int, count: int
) -> list[Row]:
    """Return some of the rows that a filter leaves, sorted by one of `SORT_KEYS`.

    Rows without a value to sort by come last, ascending or descending.
    """
    where, values = where_clause(run_id, wanted)
    way = "DESC" if descending else "ASC"
    order = f" ORDER BY {SORT_KEYS[sort]} {way} NULLS LAST, item.number {way}, run_answer.question {way}"
    # Only places are sorted: rows are wide, and all but a page of them would be sorted for nothing.
    statement = f"SELECT item.number, run_answer.question{ITEMS}{where}{order} LIMIT ? OFFSET ?"
    places = list(store.query(statement, *values, count, start, as_bytes=True))
    filters = [Filter(number=number, question=as_text(question)) for number, question in places]
    return [row for each in filters for row in rows(store, run_id, each, limit=1)]
