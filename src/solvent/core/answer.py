"""Verdicts, findings and answers.

A solver returns a `Finding`: a claim. Only `solvent.asking` turns a finding into an `Answer`, and only after
the checker accepted its certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from solvent.core.location import Location
    from solvent.core.notebook import Subject

Certificate = Mapping[str, Any]
"""Plain data (JSON values only) that an independent checker can verify; see `solvent.proof.certificate`."""


class Verdict(Enum):
    """Answer a question with YES, NO or UNKNOWN.

    A verdict has no truth value: `if verdict:` would treat UNKNOWN as YES or as NO, and either would be wrong.
    Compare instead: `verdict is Verdict.YES`.
    """

    YES = "YES"
    NO = "NO"
    UNKNOWN = "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError(f"{self.value} is neither true nor false; compare it: verdict is Verdict.YES")

    def __str__(self) -> str:
        return self.value


class Cause(Enum):
    """Tell why a search stopped without an answer."""

    TIME = "out of time"
    NODES = "out of nodes"
    MEMORY = "out of memory"
    CANCELLED = "cancelled"
    INCOMPLETE = "incomplete"
    """The chosen method cannot decide this one way or the other, however long it runs."""
    KILLED = "killed"
    """The process that was solving died or was ended from outside."""


class Reason(Struct, frozen=True):
    """Say why a verdict is UNKNOWN."""

    cause: Cause
    detail: str = ""
    """A few plain words: which limit, which method."""

    def __str__(self) -> str:
        return f"{self.cause.value} ({self.detail})" if self.detail else self.cause.value


class Finding(Struct, frozen=True):
    """Hold what a solver claims, before anyone has checked it."""

    verdict: Verdict
    certificate: Certificate | None = None
    reason: Reason | None = None
    """Why the verdict is UNKNOWN; None otherwise."""
    because: str = ""
    """One sentence for people that says why; a help to the reader, not part of what is checked."""
    stats: Mapping[str, Any] = {}
    """What was counted on the way, as JSON values."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold a verdict together with the certificate that a checker accepted.

    `solvent.ask` is the only public way to one.
    """

    domain: str
    """The name of the domain."""
    question: str
    """The name of the question that was asked."""
    verdict: Verdict
    """YES, NO or UNKNOWN."""
    certificate: Certificate | None
    """JSON values that prove the verdict, accepted by the checker; None for UNKNOWN, or with `proof=False`."""
    reason: Reason | None
    """Why the verdict is UNKNOWN; None otherwise."""
    stats: Mapping[str, Any]
    """What was counted on the way, as JSON values."""
    seconds: float
    """Wall-clock time for solving and checking."""
    because: str = ""
    """One sentence for people that says why; a help to the reader, not part of what was checked."""
    subject: Subject | None = field(default=None, repr=False, compare=False)
    """The instance that was asked about."""
    passing_verdict: Verdict | None = field(default=None, repr=False, compare=False)
    """What the designer hopes for, of an answer that comes from a store, without its instance."""

    def __bool__(self) -> bool:
        raise TypeError("an answer is neither true nor false; compare its verdict: answer.verdict is Verdict.YES")

    @property
    def remarks(self) -> Sequence[str]:
        """Return what reading the instance had to assume, one sentence each."""
        return () if self.subject is None else self.subject.remarks

    @property
    def certified(self) -> bool:
        """Tell whether a checker accepted a certificate for this verdict."""
        return self.certificate is not None

    @property
    def status(self) -> str:
        """Return PASS for the verdict that the designer hopes for, FAIL for the opposite, else UNKNOWN.

        Which one that is, the question says; where it is not known what was asked about, it is UNKNOWN.
        """
        passing = self.passing_verdict
        if self.subject is not None:
            passing = self.subject.domain.questions[self.question].passing_verdict
        if self.verdict is Verdict.UNKNOWN or passing is None:
            return "UNKNOWN"
        return "PASS" if self.verdict is passing else "FAIL"

    @property
    def locations(self) -> Sequence[Location]:
        """Return where in the instance's file stands what a FAIL is about, the most telling place first.

        They are worked out when they are asked for, which may take as long as reading the file once more.
        """
        return () if self.subject is None or self.status != "FAIL" else self.subject.locate(self)

    def __str__(self) -> str:
        line = f"{self.question}: {self.verdict}"
        if self.verdict is Verdict.UNKNOWN:
            line += f", {self.reason}"
        elif self.certificate is not None:
            line += f", checked ({self.certificate['form']})"
        else:
            line += ", not certified"
        return f"{line}, {self.seconds:.2f} s"

    def as_json(self) -> dict[str, Any]:
        """Return the object that `solvent solve --json` prints."""
        return {
            "domain": self.domain,
            "question": self.question,
            "verdict": self.verdict.value,
            "status": self.status,
            "certified": self.certified,
            "reason": self.because or None if self.reason is None else str(self.reason),
            "certificate": self.certificate,
            "stats": dict(self.stats),
            "seconds": round(self.seconds, 6),
            "remarks": list(self.remarks),
            "locations": [location.as_json() for location in self.locations],
        }

    def _repr_html_(self) -> str:
        from solvent.core.domain import Drawing
        from solvent.core.notebook import as_html

        drawing = Drawing(certificate=self.certificate)
        picture = "" if self.subject is None else self.subject.draw(drawing)
        return as_html(str(self), [self.because, *self.remarks], picture=picture)
