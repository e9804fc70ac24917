"""Show answers, hints and explanations in a notebook, together with a picture of what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from solvent.core.answer import Answer
    from solvent.core.domain import Domain, Drawing
    from solvent.core.location import Location


class Subject(Struct, frozen=True, eq=False):
    """Hold the instance that an answer, hint or explanation is about, and the domain that can draw it."""

    domain: Domain[Any]
    problem: Any

    @property
    def remarks(self) -> Sequence[str]:
        """Return what reading the instance had to assume, one sentence each."""
        return tuple(self.domain.remarks(self.problem))

    def locate(self, answer: Answer) -> Sequence[Location]:
        """Return where in the instance's file stands what an answer is about, the most telling place first."""
        return tuple(self.domain.locate(self.problem, answer))

    def draw(self, drawing: Drawing) -> str:
        """Draw the instance as SVG."""
        return self.domain.draw_svg(self.problem, drawing)


def as_html(heading: str, lines: Iterable[str] = (), *, picture: str = "") -> str:
    """Return a heading, lines of text below it and an SVG picture as a piece of HTML."""
    from html import escape

    parts = [f"<p><strong>{escape(heading)}</strong></p>"]
    parts += [f"<p>{escape(line)}</p>" for line in lines if line]
    if picture:
        parts.append(f"<div>{picture}</div>")
    return "\n".join(parts)
