"""The code quality report of GitLab: a list of findings that merge requests show beside the lines they are about."""

from __future__ import annotations

import json
from typing import IO

from solvent.batch.findings.entry import Entry
from solvent.batch.findings.writer import About
from solvent.batch.names import valid_text

SEVERITIES = {"FAIL": "major", "UNKNOWN": "minor", "ERROR": "critical"}


class GitLabWriter:
    """Write findings as they come."""

    def __init__(self, file: IO[str], _about: About) -> None:
        self._file = file
        self._first = True
        file.write("[")

    def add(self, entry: Entry) -> None:
        """Write a finding, if it is one."""
        if not entry.is_finding:
            return
        finding = {
            "check_name": entry.rule,
            "description": valid_text(entry.one_line),
            "fingerprint": entry.fingerprint,
            "severity": SEVERITIES[entry.status],
            "location": {"path": valid_text(entry.path), "lines": {"begin": entry.line or 1}},
        }
        self._file.write(("" if self._first else ",\n") + json.dumps(finding, ensure_ascii=False))
        self._first = False

    def end(self) -> None:
        """Close the list."""
        self._file.write("]\n")
