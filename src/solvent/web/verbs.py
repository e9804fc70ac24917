"""The verbs of the API: what each takes, what it gives, who does it and whether it may take long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from solvent.web import words, work

BINARY = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Verb:
    """Say what one address of the API does with what is posted to it."""

    name: str
    """`/api/name`."""
    says: str
    """What it does, in one line."""
    takes: type[words.Request]
    gives: type[msgspec.Struct] | None
    """None for a file."""
    does: Callable[[Any], bytes]
    """Carried out by a worker."""
    is_quick: bool = False
    """Whether it is done in the lane of its own for what must not wait."""

    @property
    def streams(self) -> bool:
        """Tell whether progress can be listened to."""
        return not self.is_quick and self.gives is not None


VERBS = (
    Verb("load", "Read an instance; the domain is detected", words.Load, words.Loaded, work.load, is_quick=True),
    Verb("play", "Do something in an instance", words.Play, words.Loaded, work.play, is_quick=True),
    Verb("ask", "Answer a question, with a checked certificate", words.Ask, words.Answered, work.ask),
    Verb("check", "Verify a certificate", words.Check, words.Checked, work.check),
    Verb("hints", "Find the next steps, each proved", words.Hints, words.HintsGiven, work.hints),
    Verb("explain", "Explain an instance and what would mend it", words.Explain, words.Explained, work.explain),
    Verb("generate", "Make an instance from a seed", words.Generate, words.Generated, work.generate),
    Verb("draw", "Draw an instance as SVG", words.Draw, words.Drawn, work.draw, is_quick=True),
    Verb("format", "Write an instance in another format", words.Format, words.Formatted, work.format_as, is_quick=True),
    Verb("export", "Write what a YES holds as a file for another program", words.Export, None, work.export),
)
