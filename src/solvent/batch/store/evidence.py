"""Hand out what a store claims, exactly as it stands there, to be checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solvent.batch.columns import object_from_json, text
from solvent.batch.damage import damaged
from solvent.batch.store.seals import ANSWERS, SEALED_ANSWER, SEALED_INSTANCE, is_sealed, sealed_values
from solvent.batch.store.store import Store
from solvent.core.errors import StoreError


@dataclass(frozen=True, slots=True)
class StoredInstance:
    """Hold one instance, nothing unpacked and nothing believed."""

    name: str | None
    """What people call it, by the newest run that has it; None if none has."""
    hash: str | None
    """None, as domain and packed text, if it is missing."""
    domain: str | None
    packed: bytes | None
    sealed: bool
    """Whether its seal fits."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """Hold one answer, nothing unpacked and nothing believed."""

    id: int
    instance: StoredInstance
    question: str
    verdict: str | None
    cause: str | None
    certified: bool
    form: str | None
    certificate: bytes | None
    budget: str
    """What it was allowed and the options it was asked with, as JSON."""
    stats: str
    """JSON as well."""
    error: str
    sealed: bool
    """Whether its seal fits."""
    succeeded: bool
    """Whether there is a newer one under its key, if it says so, or it does not say so."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Hold what checking one answer of a store came to, or what is wrong elsewhere in it."""

    name: str
    """What people call the instance; or the run, such as `run 3`."""
    violations: tuple[str, ...]
    """Every reason not to accept it."""
    question: str | None = None
    """None if it is not about one question."""
    verdict: str | None = None
    """As it stands in the store, as is the form."""
    form: str | None = None
    has_certificate: bool = False
    answer: int | None = None
    """Its row in the store."""
    hash: str | None = None
    """What the store says the instance's hash is."""
    domain: str | None = None
    not_checked: str | None = None
    """Which limit ended the check of its certificate; it is then neither accepted nor rejected."""

    @property
    def accepted(self) -> bool:
        """Tell whether nothing is wrong with it, as far as that was found out."""
        return not self.violations and self.not_checked is None


_NAME_OF_ANSWER = (
    "(SELECT item.name FROM run_answer JOIN item ON item.run = run_answer.run AND item.number = run_answer.number"
    " WHERE run_answer.answer = answer.id ORDER BY item.run DESC LIMIT 1)"
)
_SUCCEEDED = (
    "superseded = 0 OR superseded = 1 AND EXISTS (SELECT 1 FROM answer AS newer"
    " WHERE newer.key = answer.key AND newer.superseded = 0 AND newer.id > answer.id)"
)
_ANSWERS = f"SELECT answer.id, {_NAME_OF_ANSWER}, {_SUCCEEDED}, {SEALED_INSTANCE}, {SEALED_ANSWER} FROM {ANSWERS}"
_OF_RUN = " WHERE EXISTS (SELECT 1 FROM run_answer WHERE run_answer.answer = answer.id AND run_answer.run = ?)"
_UNASKED = (
    f"SELECT min(name), {SEALED_INSTANCE} FROM instance LEFT JOIN item ON item.instance = instance.id"
    " WHERE instance.id NOT IN (SELECT instance FROM answer) GROUP BY instance.id"
)
_UNASKED_OF_RUN = (
    f"SELECT name, {SEALED_INSTANCE} FROM item JOIN instance ON instance.id = item.instance WHERE run = ?"
    " AND NOT EXISTS (SELECT 1 FROM run_answer WHERE run_answer.run = item.run AND run_answer.number = item.number)"
)
_INSTANCE_COLUMNS = 5


def require_sound(store: Store) -> None:
    """Have SQLite look through the whole file; raises StoreError if it finds damage."""
    for (found,) in store.query("PRAGMA integrity_check(1)"):
        if found != "ok":
            raise damaged(store.path, found.splitlines()[-1])


def answers(store: Store, run_id: int | None = None) -> Iterator[StoredAnswer]:
    """Yield every stored answer with its instance, or those of one run, in the order they came."""
    of_run, values = ("", ()) if run_id is None else (_OF_RUN, (run_id,))
    return _answers(store, f"{of_run} ORDER BY answer.id", *values)


def answer_at(store: Store, answer_id: int) -> StoredAnswer:
    """Return one stored answer with its instance; raises StoreError if there is none in this row."""
    for found in _answers(store, " WHERE answer.id = ?", answer_id):
        return found
    raise StoreError(f"there is no answer {answer_id} in {store.path}")


def _answers(store: Store, which: str, *values: Any) -> Iterator[StoredAnswer]:
    for number, name, succeeded, *row in store.query(f"{_ANSWERS}{which}", *values, as_bytes=True):
        about, sealed = row[:_INSTANCE_COLUMNS], row[_INSTANCE_COLUMNS:]
        claims = sealed_values(sealed)
        yield StoredAnswer(
            id=number,
            instance=_instance(name, about),
            question=shown(claims["question"]) or "",
            verdict=shown(claims["verdict"]),
            cause=shown(claims["cause"]),
            certified=bool(claims["certified"]),
            form=shown(claims["form"]),
            certificate=claims["certificate"],
            budget=shown(claims["budget"]) or "",
            stats=shown(claims["stats"]) or "",
            error=shown(claims["error"]) or "",
            sealed=is_sealed(sealed),
            succeeded=bool(succeeded),
        )


def count_answers(store: Store, run_id: int | None = None) -> int:
    """Return how many answers `answers` will yield."""
    of_run, values = ("", ()) if run_id is None else (_OF_RUN, (run_id,))
    return int(next(store.query(f"SELECT count(*) FROM answer{of_run}", *values))[0])


def unasked_instances(store: Store, run_id: int | None = None) -> Iterator[StoredInstance]:
    """Yield the instances about which there is no answer, or those of one run."""
    found = store.query(_UNASKED, as_bytes=True)
    if run_id is not None:
        found = store.query(_UNASKED_OF_RUN, run_id, as_bytes=True)
    for name, *about in found:
        yield _instance(name, about)


def proof_was_asked_for(store: Store, answer_id: int) -> bool:
    """Tell whether any run that has the answer asked for proof, or does not say that it did not."""
    found = store.query(
        "SELECT settings FROM run WHERE id IN (SELECT run FROM run_answer WHERE answer = ?)", answer_id, as_bytes=True
    )
    return any(_asks_for_proof(settings) for (settings,) in found)


def _asks_for_proof(settings: Any) -> bool:
    try:
        return object_from_json(settings).get("proof") is not False
    except ValueError:
        return True


def shown(value: Any) -> str | None:
    """Return what a column of text holds so that it can at least be shown, whatever became of it."""
    try:
        value = text(value)
    except ValueError:
        value = value.decode("utf-8", "replace")
    return None if value is None else str(value)


def _instance(name: Any, row: list[Any]) -> StoredInstance:
    hash, domain, _, packed, _ = row
    return StoredInstance(shown(name), shown(hash), shown(domain), packed, is_sealed(row))
