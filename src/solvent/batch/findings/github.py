"""Workflow commands of GitHub: lines on standard output that become annotations of a pull request."""

from __future__ import annotations

from collections import Counter
from typing import IO

from solvent.batch.findings.entry import Entry
from solvent.batch.findings.writer import About
from solvent.batch.names import valid_text

MAX_ANNOTATIONS = 10
"""Errors of one step that GitHub shows, and warnings; it drops all that follow."""


class GitHubWriter:
    """Write an annotation for each finding, as many as GitHub shows, and say how many more there are."""

    def __init__(self, file: IO[str], _about: About) -> None:
        self._file = file
        self._seen: Counter[str] = Counter()

    def add(self, entry: Entry) -> None:
        """Write an annotation, if there is something to say and room for it."""
        if not entry.is_finding:
            return
        self._seen[entry.level] += 1
        if self._seen[entry.level] > MAX_ANNOTATIONS:
            return
        properties = {
            "file": entry.path if entry.is_file else None,
            "line": entry.line if entry.is_file else None,
            "col": entry.column,
            "title": f"{entry.name}, {entry.title}",
        }
        written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
        self._file.write(f"::{entry.level} {written}::{_data(entry.one_line)}\n")

    def end(self) -> None:
        """Say what found no room."""
        more = sum(max(0, count - MAX_ANNOTATIONS) for count in self._seen.values())
        if more:
            self._file.write(f"{more:,} more did not pass; GitHub shows {MAX_ANNOTATIONS} of a kind.\n")


def _data(text: str) -> str:
    return valid_text(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
