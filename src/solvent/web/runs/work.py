"""What workers do with stores: list runs, page through one, hand out an instance, check an answer once more.

Stores may be old, damaged, edited, or written to at this moment. Nothing a store says is called checked here unless the
checker has just accepted it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from solvent.batch.checking import check_answer
from solvent.batch.names import valid_text
from solvent.batch.report.describe import (
    describe_choices,
    describe_limits,
    describe_questions,
    meaning_of,
    title_of,
)
from solvent.batch.rows import KINDS, OUTCOMES, Kind, Row, RowOutcome, answer_from, outcome_of, passing_verdict
from solvent.batch.store import Store, leader
from solvent.batch.store.evidence import Checked
from solvent.batch.store.log import log_of
from solvent.batch.store.paging import Totals, common_folder, count_rows, page, tally
from solvent.batch.store.reading import Filter, RunRow, certificate, instance_text, rows, run_row, runs
from solvent.core.errors import StoreError
from solvent.reading import parse_problem
from solvent.web import equivalents, schemas
from solvent.web.errors import Refusal
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs.damage import MAX_REMEMBERED, find_damage, name_as_shown
from solvent.web.schemas import from_record
from solvent.web.served_files import ServedFile
from solvent.web.work import answered

MAX_RUNS = 50
"""Of a store with more runs, only the newest are listed."""
LONGEST_REASON = 2_000
SECONDS_TO_WAIT = 5.0
"""How long to wait for another program that keeps a store locked."""
MAPPED_BYTES = 1 << 30


def list_store(file: ServedFile) -> bytes:
    """List the runs of a store, the newest first; say what is damaged in it, or why it cannot be read at all."""
    shown: list[run_schemas.RunShown] = []
    more = 0
    problem: str | None = None
    try:
        with opened(file) as store:
            problem = find_damage(store, file)
            found = runs(store)
            more = max(0, len(found) - MAX_RUNS)
            at_work = _at_work(store)
            shown = [_show_run(run, _count_rows(store, run), at_work) for run in reversed(found[-MAX_RUNS:])]
    except StoreError as error:
        problem = problem or str(error)
    return msgspec.json.encode(from_record(run_schemas.StoreShown, file, problem=problem, more=more, runs=shown))


def show_run(file: ServedFile, run_id: int) -> bytes:
    """Return all about a run but its rows."""
    with opened(file) as store:
        return msgspec.json.encode(describe_run(store, file, find_run(store, file, run_id)))


def list_rows(file: ServedFile, run_id: int, wanted: run_schemas.RowsWanted) -> bytes:
    """List a page of the rows of a run."""
    verdict = wanted.verdict
    chosen = Filter(
        domain=wanted.domain or None,
        question=wanted.question or None,
        kind=None if verdict == "PASS" or verdict == "FAIL" else verdict,
        outcome=verdict if verdict == "PASS" or verdict == "FAIL" else None,
        text=wanted.text,
    )
    with opened(file) as store:
        find_run(store, file, run_id)
        total = count_rows(store, run_id, Filter())
        found = page(
            store,
            run_id,
            chosen,
            sort=wanted.sort,
            descending=wanted.descending,
            start=wanted.start,
            count=wanted.count,
        )
        return msgspec.json.encode(
            run_schemas.RowsShown(
                total=total,
                matching=total if chosen == Filter() else count_rows(store, run_id, chosen),
                start=wanted.start,
                rows=[_show_row(row) for row in found],
            )
        )


def show_result(file: ServedFile, run_id: int, number: int, wanted: run_schemas.ResultWanted) -> bytes:
    """Hand out an instance of a run with what the store claims about it."""
    with opened(file) as store:
        find_run(store, file, run_id)
        row = _find_row(store, run_id, number, wanted.question)
        if row.instance is None or row.domain is None:
            raise Refusal("missing", f"There is no instance in {row.name}: {row.reason}")
        return msgspec.json.encode(
            from_record(
                run_schemas.ResultShown,
                row,
                store=file.id,
                store_name=file.name,
                run=run_id,
                name=valid_text(row.name),
                text=instance_text(store, row.instance),
                claims=None if row.answer is None else row.kind,
                reason=_reason(row),
                error=row.traceback,
            )
        )


def check_result(file: ServedFile, run_id: int, number: int, wanted: run_schemas.ResultWanted) -> bytes:
    """Have the checker look at a stored answer; only what it accepts is handed out as an answer."""
    with opened(file) as store:
        run = find_run(store, file, run_id)
        row = _find_row(store, run_id, number, wanted.question)
        if row.answer is None:
            raise Refusal("missing", f"There is no answer about {row.name} in this run.")
        checked = check_answer(store, row.answer)
        violations = [*_loose(row, checked), *checked.violations]
        answer = None
        if not violations and row.verdict is not None:
            answer = _answered(store, run, row)
        return msgspec.json.encode(
            run_schemas.ResultChecked(accepted=not violations, claims=row.kind, violations=violations, answer=answer)
        )


@contextlib.contextmanager
def opened(file: ServedFile) -> Iterator[Store]:
    """Open a store to read it; errors name it as people see it, and none says where on the machine it is."""
    try:
        with Store.open(file.path, read_only=True, wait=SECONDS_TO_WAIT) as store:
            list(store.query(f"PRAGMA mmap_size = {MAPPED_BYTES}"))  # what was read before is still at hand
            yield store
    except StoreError as error:
        code = getattr(error.__cause__, "sqlite_errorname", "") if isinstance(error.__cause__, sqlite3.Error) else ""
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            message = f"{file.name} is being written to by another program just now. Please try again in a moment."
        else:
            message = name_as_shown(str(error), file)
        raise StoreError(message) from None


def find_run(store: Store, file: ServedFile, run_id: int) -> RunRow:
    """Return a run, or raise Refusal if there is none: an old link may lead here."""
    try:
        return run_row(store, run_id)
    except StoreError as error:
        if "there is no run" not in str(error):
            raise
        raise Refusal("missing", f"There is no run {run_id} in {file.name}.") from None


def describe_run(store: Store, file: ServedFile, run: RunRow) -> run_schemas.RunDetails:
    """Return all about a run but its rows."""
    counted = _count_rows(store, run)
    groups = sorted({(one.domain, one.question) for one in counted if one.domain and one.question})
    facts = {
        "Asked": describe_questions(run.settings),
        "Limits": describe_limits(run.settings),
        "Options": describe_choices(run.settings),
        "Solver": run.solver,
        "Machine": run.machine,
    }
    return run_schemas.RunDetails(
        **msgspec.structs.asdict(_show_run(run, counted, _at_work(store))),
        store=file.id,
        store_name=file.name,
        facts={name: valid_text(fact) for name, fact in facts.items() if fact},
        tallies=[_tally(domain, question, counted) for domain, question in groups if domain and question],
        sources=int(next(store.query("SELECT count(*) FROM item WHERE run = ?", run.id))[0]),
        folder=valid_text(common_folder(store, run.id)),
        problem=find_damage(store, file),
    )


def _show_run(run: RunRow, counted: Sequence[Totals], at_work: set[int]) -> run_schemas.RunShown:
    state = run.state
    if state == "running" and run.id not in at_work:
        state = "stopped"
    return from_record(
        run_schemas.RunShown,
        run,
        state=state if state in ("running", "finished", "interrupted") else "stopped",
        command=valid_text(run.command),
        verdicts=_kinds(counted),
        outcomes=_outcomes(counted),
    )


def _kinds(counted: Sequence[Totals]) -> dict[Kind, int]:
    found = {kind: sum(one.rows for one in counted if one.kind == kind) for kind in KINDS}
    return {kind: number for kind, number in found.items() if number}


def _outcomes(counted: Sequence[Totals]) -> dict[RowOutcome, int]:
    found: Counter[RowOutcome] = Counter()
    for one in counted:
        found[outcome_of(one.kind, one.domain, one.question)] += one.rows
    return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


def _tally(domain: str, question: str, counted: Sequence[Totals]) -> run_schemas.QuestionCounts:
    own = [one for one in counted if (one.domain, one.question) == (domain, question)]
    kinds = _kinds(own)
    return run_schemas.QuestionCounts(
        domain=domain,
        title=title_of(domain),
        question=question,
        asks=meaning_of(domain, question),
        passing_verdict=passing_verdict(domain, question).value,
        **{kind: kinds.get(kind, 0) for kind in ("YES", "NO", "UNKNOWN", "ERROR")},
        certified=sum(one.certified for one in own),
        seconds=sum(one.seconds for one in own),
        slowest=max(one.slowest for one in own),
    )


_counted: dict[tuple[object, ...], Sequence[Totals]] = {}
"""What there is in runs that ended, by store as it stands and run; a million rows take seconds to count."""


def _count_rows(store: Store, run: RunRow) -> Sequence[Totals]:
    """Count the rows of a run; those of one that ended stay as they are until it is continued, which its row says."""
    if run.ended is None:
        return tally(store, run.id)
    key = (store.path, *_state_of(store.path), *_state_of(log_of(store.path)), run.id, run.ended, run.seconds)
    counted = _counted.pop(key, None)
    if counted is None:
        counted = tally(store, run.id)
    while len(_counted) >= MAX_REMEMBERED:
        _counted.pop(next(iter(_counted)))
    _counted[key] = counted
    return counted


def _state_of(path: Path) -> tuple[int, ...]:
    """Return which file is there and how it was left; empty without one."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _at_work(store: Store) -> set[int]:
    """Return the runs whose process is still there."""
    led = store.query("SELECT id, leader FROM run WHERE state = 'running'")
    return {run for run, led_by in led if leader.is_at_work(str(led_by))}


def _find_row(store: Store, run_id: int, number: int, question: str | None) -> Row:
    for row in rows(store, run_id, Filter(number=number, question=question)):
        return row
    asked = f" about {question!r}" if question is not None else ""
    raise Refusal("missing", f"There is nothing{asked} at place {number} of run {run_id}.")


def _show_row(row: Row) -> run_schemas.RowShown:
    return from_record(
        run_schemas.RowShown,
        row,
        name=valid_text(row.name),
        kind=row.kind,
        status=row.status,
        seconds=None if row.answer is None else row.seconds,
        reason=_reason(row),
        opens=row.instance is not None,
    )


def _reason(row: Row) -> str:
    return valid_text((row.reason or row.because)[:LONGEST_REASON])


def _loose(row: Row, checked: Checked) -> Iterator[str]:
    """Yield why the answer that the table of the run leads to is none about this row."""
    if checked.hash != row.instance:
        yield "the table of the run leads to an answer about another instance"
    if checked.question != row.question:
        yield "the table of the run leads to an answer to another question"


def _answered(store: Store, run: RunRow, row: Row) -> schemas.Answered:
    """Return a stored answer that has just been checked."""
    assert row.domain is not None
    assert row.instance is not None
    assert row.question is not None
    assert row.answer is not None
    answer = answer_from(row.domain, row, certificate(store, row.answer))
    problem = parse_problem(instance_text(store, row.instance), domain=row.domain)
    asked = schemas.Ask(text="", domain=row.domain, question=row.question, name=Path(row.name).name[:200])
    same = equivalents.same_question(
        asked,
        row.question,
        proof=bool(run.settings.get("proof", True)),
        limits={name: run.settings.get(name) for name in ("seconds", "nodes")},
        options=(run.settings.get("options") or {}).get(row.domain) or {},
    )
    return answered(problem, answer, same)
