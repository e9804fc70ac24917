"""The verbs of the API: what each takes, what it gives, who does it and whether it may take long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from solvent.web import mappings, schemas, work

BINARY = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Verb:
    """Say what one address of the API does with what is posted to it."""

    name: str
    """`/api/name`."""
    summary: str
    """What it does, in one line."""
    takes: type[schemas.Request]
    gives: type[msgspec.Struct] | None
    """None for a file."""
    does: Callable[[Any], bytes] | None
    """Carried out by a worker; None where the server does it, since it changes what is served."""
    is_quick: bool = False
    """Whether it has the workers for what must not wait."""

    @property
    def streams(self) -> bool:
        """Return whether progress can be listened to."""
        return not self.is_quick and self.gives is not None


VERBS = (
    Verb("load", "Read an instance; the domain is detected", schemas.Load, schemas.Loaded, work.load, is_quick=True),
    Verb("open", "Read a file, also one that is not text", schemas.Open, schemas.Loaded, work.open_file, is_quick=True),
    Verb(
        "entries",
        "Find out which instances a file lists",
        schemas.FindEntries,
        schemas.EntriesGiven,
        work.find_entries,
        is_quick=True,
    ),
    Verb(
        "mapping",
        "Say what the names in a Tiled or LDtk map mean",
        schemas.MapNames,
        schemas.Mapped,
        mappings.draft,
        is_quick=True,
    ),
    Verb("play", "Do something in an instance", schemas.Play, schemas.Loaded, work.play, is_quick=True),
    Verb("edit", "Change an instance", schemas.Edit, schemas.Loaded, work.edit, is_quick=True),
    Verb("ask", "Answer a question, with a checked certificate", schemas.Ask, schemas.Answered, work.ask),
    Verb("check", "Verify a certificate", schemas.Check, schemas.Checked, work.check),
    Verb("steps", "Take a certificate apart into steps", schemas.Steps, schemas.StepsGiven, work.steps),
    Verb("part", "Make a part of what goes on without end", schemas.Part, schemas.PartGiven, work.part),
    Verb("hints", "Find the next steps, each proved", schemas.Hints, schemas.HintsGiven, work.hints),
    Verb("explain", "Explain an instance and what would fix it", schemas.Explain, schemas.Explained, work.explain),
    Verb("generate", "Make an instance from a seed", schemas.Generate, schemas.Generated, work.generate),
    Verb("draw", "Draw an instance as SVG", schemas.Draw, schemas.Drawn, work.draw, is_quick=True),
    Verb(
        "format",
        "Write an instance in another format",
        schemas.Format,
        schemas.Formatted,
        work.format_as,
        is_quick=True,
    ),
    Verb("send_store", "Show a store of results", schemas.SendStore, schemas.StoreTaken, None, is_quick=True),
    Verb("export", "Write what a YES holds as a file for another program", schemas.Export, None, work.export),
)
