"""What a result comes to: did it pass, and if not, why; and how many did."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from solvent.batch.names import one_line
from solvent.batch.records import ReadAs, is_traceback
from solvent.core.answer import Cause, Verdict
from solvent.core.errors import BadOption
from solvent.core.report_columns import ReportColumns
from solvent.registry import get_domain

if TYPE_CHECKING:
    from solvent.batch.validating import Validated

Status = Literal["PASS", "FAIL", "UNKNOWN", "ERROR"]
STATUSES: tuple[Status, ...] = ("PASS", "FAIL", "UNKNOWN", "ERROR")
"""From the best to the worst."""
UNREADABLE = (ReadAs.UNREADABLE.value, ReadAs.KILLED.value)
"""How a source was read that is broken, or whose reader had to be ended."""
NOT_READ = (*UNREADABLE, ReadAs.BUG.value)
"""How a source was read that should have held an instance, for all anybody knows, and has none."""


class Told(Protocol):
    """What must be known of a result to tell its status and reason; the rows of a store have all of it."""

    @property
    def name(self) -> str:
        """What people call the source."""

    @property
    def read_as(self) -> str:
        """The value of a `ReadAs`."""

    @property
    def message(self) -> str:
        """Why there is no instance; empty if there is one."""

    @property
    def domain(self) -> str | None:
        """The name of its domain; None if there is no instance."""

    @property
    def question(self) -> str | None:
        """What was asked; None if nothing was."""

    @property
    def verdict(self) -> str | None:
        """YES, NO or UNKNOWN; None without one."""

    @property
    def reason(self) -> str | None:
        """Why a verdict is UNKNOWN; empty otherwise."""

    @property
    def error(self) -> str | None:
        """What kept the solver from a verdict, such as the traceback of a bug; empty otherwise."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Hold these of a result that has just come."""

    name: str
    read_as: str
    message: str = ""
    domain: str | None = None
    question: str | None = None
    verdict: str | None = None
    reason: str = ""
    error: str = ""


def facts_of(validated: Validated) -> Facts:
    """Return what decides the status of a result."""
    reading, outcome = validated.reading, validated.outcome
    return Facts(
        name=validated.source.name,
        read_as=reading.read_as.value,
        message=reading.message,
        domain=None if reading.instance is None else reading.instance.domain,
        question=validated.question,
        verdict=None if outcome is None else outcome.verdict,
        reason="" if outcome is None else outcome.reason,
        error="" if outcome is None else outcome.error,
    )


def status_of(row: Told) -> Status | None:
    """Return what a row comes to: PASS for the verdict its designer hopes for, FAIL for the opposite.

    UNKNOWN stays UNKNOWN, also where the worker was killed. ERROR is what cannot be read, was killed while being read,
    cannot be asked this way, or met a bug, be it the reader's or the solver's. A file that no domain recognises, and
    an instance that was not asked anything, have no status.
    """
    if row.read_as in NOT_READ or row.error:
        return "ERROR"
    if row.domain is None or row.question is None:
        return None
    return status_of_verdict(row.domain, row.question, row.verdict)


def status_of_verdict(domain: str, question: str, verdict: str | None) -> Status:
    """Return what a verdict about a readable instance comes to; there is none where something went wrong."""
    if verdict is None:
        return "ERROR"
    if verdict == Verdict.UNKNOWN.value:
        return "UNKNOWN"
    return "PASS" if verdict == passing_verdict(domain, question).value else "FAIL"


def reason_of(row: Told) -> str:
    """Say in one line why there is no YES or NO; empty if there is one."""
    trace = traceback_of(row)
    if trace:
        return f"bug: {one_line(_what_was_raised(trace))}"
    if row.error:
        return one_line(row.error)
    if row.read_as != ReadAs.INSTANCE.value:
        return _without_name(row.name, one_line(row.message))
    if row.question is None:
        return "nothing was asked"
    return one_line(row.reason or "")


def traceback_of(row: Told) -> str:
    """Return the traceback of the bug that the reader or the solver met; empty if there was none."""
    if row.read_as == ReadAs.BUG.value:
        return row.message
    return row.error if row.error and is_traceback(row.error) else ""


def _what_was_raised(trace: str) -> str:
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


@functools.lru_cache(maxsize=64)
def report_columns_by_name(domain: str) -> ReportColumns:
    """Return the columns of a domain, or the usual ones for a domain that is not installed here any more."""
    try:
        return get_domain(domain).report_columns
    except BadOption:
        return ReportColumns()


@functools.lru_cache(maxsize=256)
def passing_verdict(domain: str, question: str) -> Verdict:
    """Return the verdict that passes; YES for a domain or question that is not installed here any more."""
    try:
        return get_domain(domain).questions[question].passing_verdict
    except (BadOption, KeyError):
        return Verdict.YES


@dataclass(slots=True)
class Counts:
    """Count the answers to one question about instances of one domain."""

    verdicts: Counter[str] = field(default_factory=Counter)
    """How many YES, NO and UNKNOWN, and ERROR where there is none of them."""
    statuses: Counter[Status] = field(default_factory=Counter)
    uncertified: int = 0
    """How many YES and NO have no certificate, because none was asked for."""
    bugs: int = 0
    """How many have no verdict because of a bug."""
    killed: int = 0
    """How many UNKNOWN are those of a worker that had to be ended, or died."""
    known: int = 0
    """How many were in the store already."""
    seconds: float = 0.0
    """What solving all of them took, known ones included, when each was solved."""

    @property
    def answers(self) -> int:
        """Return how many there are."""
        return self.verdicts.total()


@dataclass(slots=True)
class Summary:
    """Count the results of a run as they come."""

    answers: dict[tuple[str, str], Counts] = field(default_factory=dict)
    """By domain and question."""
    unrecognised: int = 0
    unreadable: int = 0
    """What cannot be read, or was killed while being read."""
    bugs_while_reading: int = 0
    """Sources of which nobody knows what they hold, because the reader has a bug."""
    not_asked: Counter[str] = field(default_factory=Counter)
    """Instances of domains that have none of the questions, by domain."""
    first_bug: str | None = None
    """The name of the first source that met a bug."""

    def add(self, validated: Validated) -> None:
        """Count one result."""
        row, outcome = facts_of(validated), validated.outcome
        if outcome is None or row.domain is None or row.question is None:
            if row.domain is not None:
                self.not_asked[row.domain] += 1
            elif row.read_as == ReadAs.UNRECOGNISED.value:
                self.unrecognised += 1
            elif row.read_as == ReadAs.BUG.value:
                self.bugs_while_reading += 1
                self.first_bug = self.first_bug or row.name
            else:
                self.unreadable += 1
            return
        counts = self.answers.setdefault((row.domain, row.question), Counts())
        counts.verdicts[outcome.verdict or "ERROR"] += 1
        counts.statuses[status_of(row) or "ERROR"] += 1
        counts.uncertified += outcome.verdict in (Verdict.YES.value, Verdict.NO.value) and not outcome.certified
        counts.killed += outcome.cause == Cause.KILLED.name
        counts.known += validated.known
        counts.seconds += outcome.seconds
        if outcome.is_bug:
            counts.bugs += 1
            self.first_bug = self.first_bug or row.name

    @property
    def answered(self) -> int:
        """Return how many answers there are."""
        return sum(counts.answers for counts in self.answers.values())

    @property
    def known(self) -> int:
        """Return how many of them were in the store already."""
        return sum(counts.known for counts in self.answers.values())

    def verdicts(self, verdict: str) -> int:
        """Return how many answers are YES, NO or UNKNOWN."""
        return sum(counts.verdicts[verdict] for counts in self.answers.values())

    def statuses(self, status: Status) -> int:
        """Return how many results have a status; a source that was not read is an ERROR as well."""
        not_read = self.unreadable + self.bugs_while_reading if status == "ERROR" else 0
        return not_read + sum(counts.statuses[status] for counts in self.answers.values())

    @property
    def bugs(self) -> int:
        """Return how often a bug is why there is no answer, be it the reader's or the solver's."""
        return self.bugs_while_reading + sum(counts.bugs for counts in self.answers.values())

    def as_json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return {
            "answered": self.answered,
            "known": self.known,
            "unrecognised": self.unrecognised,
            "unreadable": self.unreadable,
            "bugs": self.bugs,
            "bugs_while_reading": self.bugs_while_reading,
            "not_asked": dict(self.not_asked),
            "answers": [
                {
                    "domain": domain,
                    "question": question,
                    "answers": counts.answers,
                    **{verdict.value: counts.verdicts[verdict.value] for verdict in Verdict},
                    **{status: counts.statuses[status] for status in STATUSES if status != "UNKNOWN"},
                    "uncertified": counts.uncertified,
                    "killed": counts.killed,
                    "known": counts.known,
                    "seconds": round(counts.seconds, 6),
                }
                for (domain, question), counts in sorted(self.answers.items())
            ],
        }
