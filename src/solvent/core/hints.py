"""What a domain says to a player: hints, and how hard the whole way is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Reason

if TYPE_CHECKING:
    from solvent.core.notebook import Subject


@dataclass(frozen=True, slots=True)
class Hint:
    """Hold one piece of help for a player."""

    caption: str
    """One sentence."""
    move: str | None = None
    """The step to take, in the notation of the domain; None when there is none to take."""
    narrative: str = ""
    """Why, in a few sentences."""
    where: str = ""
    """Where to look, without giving the step away; empty where the domain has nothing vaguer than the caption."""
    technique: str = ""
    """The name of the argument it uses, where such arguments have names."""
    proof: str = ""
    """The argument line by line, for a person to follow."""
    lost: bool = False
    """True when the instance, as it stands, is proved impossible."""
    reason: Reason | None = None
    """Why nothing is known, when the budget ran out before a hint was found; None otherwise."""
    certificate: Certificate | None = None
    """What proves it, already accepted by the checker."""
    also: tuple[tuple[Any, Certificate], ...] = ()
    """Further certificates the argument rests on, each with the instance it is about; accepted as well."""
    alternative: bool = False
    """True for one of several steps that can be taken now: the next hint is about the same position."""
    position: Any = None
    """Another instance that it is about, such as one to practise on; None for the one that was asked about."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The same facts as JSON values, for programs."""
    subject: Subject | None = field(default=None, repr=False, compare=False)
    """The instance as it stands at this step."""

    def __str__(self) -> str:
        return self.caption

    def _repr_html_(self) -> str:
        from solvent.core.domain import Drawing
        from solvent.core.notebook import as_html

        picture = "" if self.subject is None else self.subject.draw(Drawing.of_hint(self))
        lines = [self.technique and f"{self.technique}.", *(self.proof or self.narrative).splitlines()]
        return as_html(self.caption, lines, picture=picture)


@dataclass(frozen=True, slots=True)
class Grade:
    """Say how hard an instance is for a person."""

    number: int
    """From 1, the easiest, to 100."""
    word: str
    """The same in a word."""
    technique: str
    """The hardest technique that is needed."""
    steps: int
    """How many steps there are on the way."""

    def __str__(self) -> str:
        return f"{self.word} ({self.number} of 100), {self.steps} steps, the hardest is {self.technique}"
