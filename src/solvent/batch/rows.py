"""What a run found out about one source and one question, as the store has it and everything shows it."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, field

from solvent.batch.columns import STORED
from solvent.batch.names import one_line
from solvent.batch.records import Outcome, ReadAs, Reading, is_traceback
from solvent.core.answer import Answer, Cause, Reason, Verdict
from solvent.core.domain import Domain, ReportColumns
from solvent.core.errors import BadOption
from solvent.registry import get_domain

if TYPE_CHECKING:
    from solvent.core.answer import Certificate

Status = Literal["PASS", "FAIL", "UNKNOWN", "ERROR"]
STATUSES: tuple[Status, ...] = ("PASS", "FAIL", "UNKNOWN", "ERROR")
"""From the best to the worst."""
Kind = Literal["YES", "NO", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED"]
"""How a row turned out: a verdict; a bug instead of one; a source that could not be read; an instance without an
answer; a file that no domain knows, which is no failure."""
KINDS: tuple[Kind, ...] = ("YES", "NO", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED")
RowOutcome = Literal["PASS", "FAIL", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED"]
"""A kind of row by what designers hope for: a YES or NO is a PASS or a FAIL."""
OUTCOMES: tuple[RowOutcome, ...] = ("PASS", "FAIL", "UNKNOWN", "ERROR", "UNREAD", "UNASKED", "UNRECOGNISED")
UNREADABLE = (ReadAs.UNREADABLE.value, ReadAs.KILLED.value)
"""How a source was read that is broken, or whose reader was ended."""
NOT_READ = (*UNREADABLE, ReadAs.BUG.value)
"""How a source was read that may have held an instance, and has none."""
_IS_BUG, _IS_INSTANCE = ReadAs.BUG.value, ReadAs.INSTANCE.value  # an enum takes its time to tell a value
_YES, _NO, _UNKNOWN = Verdict.YES.value, Verdict.NO.value, Verdict.UNKNOWN.value


def domain_by_name(name: str) -> Domain[Any] | None:
    """Return a domain, or None if it is not installed here any more."""
    try:
        return get_domain(name)
    except BadOption:
        return None


@functools.lru_cache(maxsize=64)
def report_columns_by_name(domain: str) -> ReportColumns:
    """Return the report columns of a domain, or the usual ones for a domain that is not installed here any more."""
    found = domain_by_name(domain)
    return ReportColumns() if found is None else found.report_columns


@functools.lru_cache(maxsize=256)
def passing_verdict(domain: str, question: str) -> Verdict:
    """Return the verdict that counts as PASS; YES for a domain or question that is not installed here any more."""
    found = domain_by_name(domain)
    known = None if found is None else found.questions.get(question)
    return Verdict.YES if known is None else known.passing_verdict


def outcome_of(kind: str, domain: str | None, question: str | None) -> RowOutcome:
    """Return the outcome of a row of this kind."""
    if kind in ("YES", "NO"):
        return "PASS" if kind == passing_verdict(domain or "", question or "").value else "FAIL"
    return kind if kind in OUTCOMES else "ERROR"


def status_of_verdict(domain: str, question: str, verdict: str | None) -> Status:
    """Return the status of a verdict about a readable instance; there is no verdict where something went wrong."""
    if verdict is None:
        return "ERROR"
    if verdict == _UNKNOWN:
        return "UNKNOWN"
    return "PASS" if verdict == (_YES if passing_verdict(domain, question) is Verdict.YES else _NO) else "FAIL"


def status_of(read_as: str, error: str, domain: str | None, question: str | None, verdict: str | None) -> Status | None:
    """Return the status of a row; see `Row.status`."""
    if read_as in NOT_READ or error:
        return "ERROR"
    if domain is None or question is None:
        return None
    return status_of_verdict(domain, question, verdict)


class Row(Struct, frozen=True, kw_only=True):
    """Hold one question about one source of a run with its answer; or one source that has none."""

    number: int
    """The place of the source in the run, from 0."""
    name: str
    path: str | None = None
    line: int | None = None
    read_as: str
    """The value of a `ReadAs`."""
    message: str = ""
    """Why there is no instance; empty if there is one."""
    remarks: tuple[str, ...] = ()
    reading_seconds: float = 0.0
    instance: str | None = None
    """The hash of the instance; None without one."""
    domain: str | None = None
    size: int | None = None
    answer: int | None = None
    """The row of the answer in the store, 0 before it has one; None without an answer, and the rest is then empty."""
    question: str | None = None
    verdict: str | None = None
    """YES, NO or UNKNOWN; None without an answer, or if a bug kept the solver from any."""
    cause: str | None = None
    """The name of the `Cause` of an UNKNOWN; its detail follows."""
    detail: str = ""
    because: str = ""
    certified: bool = False
    form: str | None = None
    expanded: int | None = None
    length: int | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_megabytes: float | None = None
    attempts: int = 0
    error: str = ""
    """What kept the solver from a verdict, such as the traceback of a bug; empty otherwise."""
    solver: str = ""
    machine: str = ""
    finished: float = 0.0
    """Seconds since 1970."""
    certificate_bytes: int = 0
    """As it is stored, compressed; 0 without one."""

    @property
    def status(self) -> Status | None:
        """Return PASS for the verdict that passes, FAIL for the opposite.

        UNKNOWN stays UNKNOWN, also where the worker was killed. ERROR is what cannot be read, was killed while being
        read, cannot be asked this way, or met a bug, be it the reader's or the solver's. A file that no domain
        recognises, and an instance that was not asked anything, have no status.
        """
        return status_of(self.read_as, self.error, self.domain, self.question, self.verdict)

    @property
    def kind(self) -> Kind:
        """Return how the row turned out; the same as the database finds in `paging`."""
        if self.read_as == ReadAs.UNRECOGNISED.value:
            return "UNRECOGNISED"
        if self.instance is None:
            return "UNREAD"
        if self.answer is None:
            return "UNASKED"
        return self.verdict if self.verdict in ("YES", "NO", "UNKNOWN") else "ERROR"  # type: ignore[return-value]

    @property
    def reason(self) -> str:
        """Say in one line why there is no YES or NO; empty if there is one."""
        if self.verdict is not None and self.cause is None and not (self.detail or self.error):
            return ""
        trace = self.traceback
        if trace:
            return f"bug: {one_line(_raised(trace))}"
        if self.error:
            return one_line(self.error)
        if self.read_as != _IS_INSTANCE:
            return _without_name(self.name, one_line(self.message))
        if self.question is None:
            return "nothing was asked"
        return one_line(str(reason_from(self.cause, self.detail) or self.detail))

    @property
    def traceback(self) -> str:
        """Return the traceback of the bug that the reader or the solver met; empty if there was none."""
        if self.read_as == _IS_BUG:
            return self.message
        return self.error if is_traceback(self.error) else ""

    @property
    def error_or_traceback(self) -> str:
        """Return what kept the reader from the instance, or the solver from a verdict; empty otherwise."""
        return self.error or self.traceback


_OF_OUTCOME = tuple(column.name for column in STORED if column.name in Outcome.__struct_fields__)
"""What a row has just as the outcome has it."""


def row_of(reading: Reading, question: str | None, outcome: Outcome | None) -> Row:
    """Return a result that has just come in as the row that the store will have of it."""
    source, instance = reading.source, reading.instance
    values: dict[str, Any] = {}
    if outcome is not None:
        values = {name: getattr(outcome, name) for name in _OF_OUTCOME}
        size = 0 if outcome.certificate is None else len(outcome.certificate)
        values |= {"stats": dict(outcome.stats), "answer": 0, "certified": outcome.certified, "certificate_bytes": size}
    return Row(
        number=source.number,
        name=source.name,
        path=source.path,
        line=source.line,
        read_as=reading.read_as.value,
        message=reading.message,
        remarks=reading.remarks,
        reading_seconds=reading.seconds,
        instance=None if instance is None else instance.hash,
        domain=None if instance is None else instance.domain,
        size=None if instance is None else instance.size,
        **{**values, "question": question},
    )


def reason_from(cause: str | None, detail: str) -> Reason | None:
    """Return the reason of an UNKNOWN; None without a cause that this version knows."""
    return None if cause is None or cause not in Cause.__members__ else Reason(Cause[cause], detail)


def answer_from(domain: str, found: Outcome | Row, certificate: Certificate | None) -> Answer:
    """Return an answer with a verdict as `solvent.ask` gives it."""
    assert found.question is not None
    return Answer(
        domain=domain,
        question=found.question,
        verdict=Verdict(found.verdict),
        certificate=certificate,
        reason=reason_from(found.cause, found.detail),
        stats=dict(found.stats),
        seconds=found.seconds,
        because=found.because,
        passing_verdict=passing_verdict(domain, found.question),
    )


def _raised(trace: str) -> str:
    """Return the line of a traceback that names the exception; its message may go on for more lines."""
    raised = ""
    in_frames = False
    for line in trace.splitlines():
        if line.startswith(("Traceback ", '  File "')):
            in_frames = True
        elif in_frames and not line.startswith(" "):
            raised, in_frames = line, False
    return raised or trace.strip().rpartition("\n")[2]


def _without_name(name: str, message: str) -> str:
    """Leave out the name in front of a message that stands beside it anyway."""
    for separator in (": ", ", "):
        if message.startswith(name + separator):
            return message[len(name + separator) :]
    return message
