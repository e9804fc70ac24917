"""What a domain says about an instance as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate

if TYPE_CHECKING:
    from solvent.core.domain import Drawing


@dataclass(frozen=True, slots=True)
class Explanation:
    """Hold what there is to say about an instance beside the answers to its questions."""

    sections: tuple[tuple[str, tuple[str, ...]], ...]
    """Headings, each with its lines."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The same facts as JSON values, for programs."""
    certificates: tuple[tuple[Any, Certificate], ...] = ()
    """What proves it: instances and certificates about them. Whoever shows the explanation has them checked."""
    drawing: Drawing | None = None
    """What a picture of it shows beside the instance; None if there is nothing to point at."""
