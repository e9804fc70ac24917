"""What a domain says about an instance as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate

if TYPE_CHECKING:
    from solvent.core.domain import Drawing
    from solvent.core.notebook import Subject


@dataclass(frozen=True, slots=True)
class Explanation:
    """Hold what there is to say about an instance beside the answers to its questions."""

    sections: tuple[tuple[str, tuple[str, ...]], ...]
    """Headings, each with its lines."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The same facts as JSON values, for programs."""
    certificates: tuple[tuple[Any, Certificate], ...] = ()
    """What proves it: instances and certificates about them, all accepted by the checker."""
    drawing: Drawing | None = None
    """What a picture of it shows beside the instance; None if there is nothing to point at."""
    why: tuple[str, ...] = ()
    """Why an instance falls short, the most telling sentence first; also part of the sections."""
    fixes: tuple[str, ...] = ()
    """What would fix it, one sentence each, any of which is enough; also part of the sections."""
    subject: Subject | None = field(default=None, repr=False, compare=False)
    """The instance it is about."""
    fallbacks: tuple[Explanation, ...] = field(default=(), repr=False, compare=False)
    """What is left of it if there is no time to check all certificates: each rests on the first few, or on none."""

    def __str__(self) -> str:
        return "\n\n".join("\n".join([heading, *(f"  {line}" for line in lines)]) for heading, lines in self.sections)

    def _repr_html_(self) -> str:
        from solvent.core.domain import Drawing
        from solvent.core.notebook import as_html

        picture = "" if self.subject is None else self.subject.draw(self.drawing or Drawing())
        parts = [as_html(heading, lines) for heading, lines in self.sections]
        return "\n".join([*parts, f"<div>{picture}</div>"])
