"""Find what does not fit together in the tables of a store; there is nothing to find unless it was edited."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.batch.columns import object_from_json, texts_from_json
from solvent.batch.records import ReadAs
from solvent.batch.store.evidence import Checked, shown
from solvent.batch.store.store import Store
from solvent.core.errors import show_value

_RUNS = (
    "SELECT run.id, state, settings, sources, answers, machine.id IS NOT NULL"
    " FROM run LEFT JOIN machine ON machine.id = run.machine"
)
_ITEMS = (
    "SELECT item.run, number, name, read_as, remarks, typeof(item.seconds), item.instance, instance.id, run.id"
    " FROM item LEFT JOIN instance ON instance.id = item.instance LEFT JOIN run ON run.id = item.run"
)
_KINDS = tuple(sorted(kind.value for kind in ReadAs))
# Only those that may have something wrong with them: of a million sources, that is most often none.
_DOUBTFUL = (
    f"(run.id IS NULL OR item.instance IS NOT instance.id OR read_as NOT IN {_KINDS} OR typeof(read_as) <> 'text'"
    f" OR (read_as = '{ReadAs.INSTANCE.value}') <> (item.instance IS NOT NULL)"
    " OR typeof(item.seconds) NOT IN ('real', 'integer') OR remarks IS NOT '')"
)
_LOOSE_LINKS = (
    "SELECT run_answer.run, run_answer.number, item.name, run_answer.question, answer.id, answer.question"
    " FROM run_answer LEFT JOIN answer ON answer.id = run_answer.answer"
    " LEFT JOIN item ON item.run = run_answer.run AND item.number = run_answer.number"
    " WHERE (item.number IS NULL OR answer.id IS NULL OR item.instance IS NOT answer.instance"
    " OR run_answer.question IS NOT answer.question)"
)
# Told once for each question, however many sources lack it.
_UNANSWERED = (
    "WITH asked AS (SELECT DISTINCT domain, question FROM run_answer JOIN item USING (run, number)"
    " JOIN instance ON instance.id = item.instance WHERE run = ?1)"
    " SELECT asked.domain, asked.question, count(*), min(item.name) FROM item"
    " JOIN instance ON instance.id = item.instance JOIN asked ON asked.domain = instance.domain"
    " WHERE item.run = ?1 AND NOT EXISTS (SELECT 1 FROM run_answer WHERE run_answer.run = item.run"
    " AND run_answer.number = item.number AND run_answer.question = asked.question)"
    " GROUP BY asked.domain, asked.question"
)


def incoherences(store: Store, run_id: int | None = None) -> Iterator[Checked]:
    """Yield what does not fit together in the tables of all runs, or of one."""
    found = False
    for look in (_about_runs, _about_items, loose_links):
        for checked in look(store, run_id):
            found = True
            yield checked
    if not found:  # else it is clear already why a seal does not fit
        yield from _broken_seals(store, run_id)


def _broken_seals(store: Store, run_id: int | None) -> Iterator[Checked]:
    of_run, values = ("", ()) if run_id is None else (" AND id = ?", (run_id,))
    for run, seal in store.query(f"SELECT id, seal FROM run WHERE seal IS NOT NULL{of_run}", *values, as_bytes=True):
        if seal != store.seal_of_run(run):
            yield Checked(f"run {run}", ("its seal does not fit: something in its table was damaged or edited",))


def loose_links(store: Store, run_id: int | None = None) -> Iterator[Checked]:
    """Yield the lines of tables that do not lead to an answer about the source they stand for."""
    of_run, values = ("", ()) if run_id is None else (" AND run_answer.run = ?", (run_id,))
    for run, number, name, question, answer, about in store.query(_LOOSE_LINKS + of_run, *values, as_bytes=True):
        if answer is None:
            wrong = "leads to no answer"
        elif question != about:
            wrong = f"leads to an answer to the question {show_value(shown(about))}"
        else:
            wrong = "leads to an answer about another instance"
        yield Checked(
            shown(name) or f"source {number}",
            (f"the table of run {run} {wrong}",),
            question=shown(question),
            answer=answer,
        )


def _about_runs(store: Store, run_id: int | None) -> Iterator[Checked]:
    of_run, values = ("", ()) if run_id is None else (" WHERE run.id = ?", (run_id,))
    for run, state, settings, sources, answers, has_machine in store.query(_RUNS + of_run, *values, as_bytes=True):
        name = f"run {run}"
        state = shown(state)
        try:
            object_from_json(settings)
        except ValueError as error:
            yield Checked(name, (f"its settings are damaged: {error}",))
        if not has_machine:
            yield Checked(name, ("its machine is missing",))
        if state not in ("running", "finished", "interrupted"):
            yield Checked(name, (f"expected the state running, finished or interrupted, found {show_value(state)}",))
        if state == "finished":
            for violation in _about_what_is_missing(store, run, sources, answers):
                yield Checked(name, (violation,))


def _about_what_is_missing(store: Store, run: int, sources: object, answers: object) -> Iterator[str]:
    """Yield what is missing in the table of a run that finished."""
    there, first, last = next(store.query("SELECT count(*), min(number), max(number) FROM item WHERE run = ?", run))
    if there != sources:
        yield f"it had {sources} sources, but {there} are there"
    elif there and (first, last) != (0, there - 1):
        yield f"its sources should have the numbers 0 to {there - 1}, but they have {first} to {last}"
    linked = next(store.query("SELECT count(*) FROM run_answer WHERE run = ?", run))[0]
    if linked != answers:
        yield f"it had {answers} answers, but {linked} are there"
    for domain, question, count, name in store.query(_UNANSWERED, run, as_bytes=True):
        asked = f"{count:,} of its sources in {shown(domain)}"
        yield f"{asked} lack an answer to {show_value(shown(question))}, which others have; one is {shown(name)}"


def _about_items(store: Store, run_id: int | None) -> Iterator[Checked]:
    of_run, values = ("", ()) if run_id is None else (" AND item.run = ?", (run_id,))
    for row in store.query(f"{_ITEMS} WHERE {_DOUBTFUL}{of_run}", *values, as_bytes=True):
        run, number, name, read_as, remarks, seconds, instance, there, its_run = row
        name, read_as = shown(name) or f"source {number}", shown(read_as)
        where = f"in the table of run {run}"
        if its_run is None:
            yield Checked(name, (f"{where}: there is no such run",))
        if instance is not None and there is None:
            yield Checked(name, (f"{where}: its instance is missing",))
        if read_as not in _KINDS:
            yield Checked(name, (f"{where}: expected to be read as one of {', '.join(_KINDS)}, found {read_as}",))
        elif (read_as == ReadAs.INSTANCE.value) != (instance is not None):
            having = "has an instance" if instance is not None else "has no instance"
            yield Checked(name, (f"{where}: it was read as {read_as}, but {having}",))
        if seconds not in (b"real", b"integer"):
            yield Checked(name, (f"{where}: the time of reading it is no number",))
        try:
            texts_from_json(remarks)
        except ValueError as error:
            yield Checked(name, (f"{where}: its remarks are damaged: {error}",))
