"""Count how the results of a run turned out."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.batch.records import ReadAs, is_traceback
from solvent.batch.rows import STATUSES, Status, status_of_verdict
from solvent.core.answer import Cause, Verdict

if TYPE_CHECKING:
    from solvent.batch.records import Source
    from solvent.batch.rows import Row
    from solvent.batch.run import Validated

_DECIDED = (Verdict.YES.value, Verdict.NO.value)


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
    domains: set[str] = field(default_factory=set)
    """The domains that instances are of."""
    endings: set[str] = field(default_factory=set)
    """How the names of files end that hold an instance."""
    unrecognised_lines: int = 0
    """Unrecognised sources that are no files of their own, but lines of one."""
    unrecognised_named: set[int] = field(default_factory=set)
    """The numbers of unrecognised files that were not found in a folder, but named."""
    unrecognised_endings: Counter[str] = field(default_factory=Counter)
    """How the names of other unrecognised files end."""
    _first_of_kind: dict[str | None, str] = field(default_factory=dict)
    """The name of the first with each ending; under None, of the first that was named or is a line."""

    def add(self, validated: Validated) -> None:
        """Count one result."""
        reading, outcome = validated.reading, validated.outcome
        source, instance = reading.source, reading.instance
        if instance is not None:
            self.domains.add(instance.domain)
            if source.path is not None:
                self.endings.add(ending(source.path))
        if instance is None or outcome is None or validated.question is None:
            if instance is not None:
                self.not_asked[instance.domain] += 1
            elif reading.read_as is ReadAs.UNRECOGNISED:
                self._add_unrecognised(source)
            elif reading.read_as is ReadAs.BUG:
                self.bugs_while_reading += 1
                self.first_bug = self.first_bug or source.name
            else:
                self.unreadable += 1
            return
        question, verdict, error = validated.question, outcome.verdict, outcome.error
        counts = self.answers.get((instance.domain, question))
        if counts is None:
            counts = self.answers[instance.domain, question] = Counts()
        counts.verdicts[verdict or "ERROR"] += 1
        counts.statuses["ERROR" if error else status_of_verdict(instance.domain, question, verdict)] += 1
        counts.uncertified += verdict in _DECIDED and not outcome.certified
        counts.killed += outcome.cause == Cause.KILLED.name
        counts.known += validated.known
        counts.seconds += outcome.seconds
        if error and is_traceback(error):
            counts.bugs += 1
            self.first_bug = self.first_bug or source.name

    def _add_unrecognised(self, source: Source) -> None:
        self.unrecognised += 1
        kind = None if source.named or source.path is None else ending(source.path)
        self._first_of_kind.setdefault(kind, source.name)
        if kind is not None:
            self.unrecognised_endings[kind] += 1
        elif source.path is None:
            self.unrecognised_lines += 1
        else:
            self.unrecognised_named.add(source.number)

    def is_suspect(self, row: Row) -> bool:
        """Tell whether an unrecognised source may be a broken instance: a line, named, or called like instances."""
        return row.path is None or row.number in self.unrecognised_named or ending(row.path) in self.endings

    @property
    def suspect(self) -> int:
        """Return how many unrecognised sources may be broken instances; see `is_suspect`."""
        alike = sum(self.unrecognised_endings[each] for each in self.endings)
        return self.unrecognised_lines + len(self.unrecognised_named) + alike

    @property
    def first_suspect(self) -> str:
        """Return the name of one of them; empty if there is none."""
        return next((name for kind, name in self._first_of_kind.items() if kind is None or kind in self.endings), "")

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
            "suspect": self.suspect,
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


def ending(path: str) -> str:
    """Return how the name of a file ends, in small letters: the same for all files of one kind."""
    return os.path.splitext(path)[1].lower()
