"""Count how the results of a run turned out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.batch.records import ReadAs
from solvent.batch.rows import STATUSES, Status
from solvent.core.answer import Cause, Verdict

if TYPE_CHECKING:
    from solvent.batch.run import Validated


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
    """How many UNKNOWN come from a worker that was ended, or died."""
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
    """Sources that could not be read because the reader has a bug."""
    not_asked: Counter[str] = field(default_factory=Counter)
    """Instances of domains that have none of the questions, by domain."""
    first_bug: str | None = None
    """The name of the first source that met a bug."""

    def add(self, validated: Validated) -> None:
        """Count one result."""
        row = validated.row
        if row.answer is None or row.domain is None or row.question is None:
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
        counts.verdicts[row.verdict or "ERROR"] += 1
        counts.statuses[row.status or "ERROR"] += 1
        counts.uncertified += row.verdict in (Verdict.YES.value, Verdict.NO.value) and not row.certified
        counts.killed += row.cause == Cause.KILLED.name
        counts.known += validated.known
        counts.seconds += row.seconds
        if row.traceback:
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
