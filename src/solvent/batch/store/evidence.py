"""Hand out what a store claims, exactly as it stands there, to whoever is to check it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solvent.batch.store.columns import text
from solvent.batch.store.store import Store
from solvent.core.errors import StoreError


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """Hold one answer with its instance, nothing unpacked and nothing believed."""

    id: int
    name: str | None
    """What people call the instance, by the newest run that has the answer; None if none has."""
    hash: str | None
    """Of the instance; None, as domain and packed text, if the instance is missing."""
    domain: str | None
    packed: bytes | None
    question: str
    verdict: str | None
    cause: str | None
    certified: bool
    form: str | None
    certificate: bytes | None
    budget: str
    """What it was allowed and the options it was asked with, as JSON."""
    error: str


@dataclass(frozen=True, slots=True)
class LooseLink:
    """Hold one line of a run's table that does not lead to an answer about the source it stands for."""

    run: int
    number: int
    name: str | None
    """What people call the source; None if the run has no such source."""
    question: str
    answer: int | None
    """The row of the answer; None if there is none."""
    answer_question: str | None
    """What that answer is about."""


_ANSWERS = (
    "SELECT answer.id, (SELECT item.name FROM run_answer JOIN item ON item.run = run_answer.run"
    " AND item.number = run_answer.number WHERE run_answer.answer = answer.id ORDER BY item.run DESC LIMIT 1),"
    " hash, domain, packed, question, verdict, cause, certified, form, certificate, budget, error"
    " FROM answer LEFT JOIN instance ON instance.id = answer.instance"
)
_OF_RUN = " WHERE EXISTS (SELECT 1 FROM run_answer WHERE run_answer.answer = answer.id AND run_answer.run = ?)"
_LOOSE = (
    "SELECT run_answer.run, run_answer.number, item.name, run_answer.question, answer.id, answer.question"
    " FROM run_answer LEFT JOIN answer ON answer.id = run_answer.answer"
    " LEFT JOIN item ON item.run = run_answer.run AND item.number = run_answer.number"
    " WHERE (item.number IS NULL OR answer.id IS NULL OR item.instance IS NOT answer.instance"
    " OR run_answer.question IS NOT answer.question)"
)


def insist_on_sound(store: Store) -> None:
    """Have SQLite look through the whole file; raises StoreError if it finds damage."""
    for (found,) in store.query("PRAGMA integrity_check(1)"):
        if found != "ok":
            raise StoreError(f"{store.path} is damaged: {found}")


def answers(store: Store, run_id: int | None = None) -> Iterator[StoredAnswer]:
    """Yield every stored answer with its instance, or those of one run, in the order they came."""
    of_run, values = ("", ()) if run_id is None else (_OF_RUN, (run_id,))
    for row in store.query(f"{_ANSWERS}{of_run} ORDER BY answer.id", *values):
        number, name, hash, domain, packed, question, verdict, cause, certified, form, certificate, budget, error = row
        yield StoredAnswer(
            id=number,
            name=text(name),
            hash=text(hash),
            domain=text(domain),
            packed=packed,
            question=text(question),
            verdict=text(verdict),
            cause=text(cause),
            certified=bool(certified),
            form=text(form),
            certificate=certificate,
            budget=text(budget),
            error=text(error),
        )


def count_answers(store: Store, run_id: int | None = None) -> int:
    """Return how many answers `answers` will yield."""
    of_run, values = ("", ()) if run_id is None else (_OF_RUN, (run_id,))
    return int(next(store.query(f"SELECT count(*) FROM answer{of_run}", *values))[0])


def loose_links(store: Store, run_id: int | None = None) -> Iterator[LooseLink]:
    """Yield what does not fit together in the tables of all runs, or of one; nothing in a store nobody edited."""
    of_run, values = ("", ()) if run_id is None else (" AND run_answer.run = ?", (run_id,))
    for run, number, name, question, answer, answer_question in store.query(_LOOSE + of_run, *values):
        yield LooseLink(run, number, text(name), text(question), answer, text(answer_question))
