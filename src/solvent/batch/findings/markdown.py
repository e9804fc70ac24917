"""A summary in Markdown, for a job's page or a comment: how many passed, what did not and why, what was assumed."""

from __future__ import annotations

import re
from collections import Counter
from typing import IO

from solvent.batch.findings.entry import Entry
from solvent.batch.findings.writer import About
from solvent.batch.names import valid_text
from solvent.batch.rows import STATUSES
from solvent.drawing.phrases import counted

BEGINNING = "## Solvent: "
MAX_FINDINGS = 200
"""What a person looks through; pages of jobs have limits, too."""
MAX_REMARKS = 10


class MarkdownWriter:
    """Count everything, and keep as many findings as are shown."""

    def __init__(self, file: IO[str], about: About) -> None:
        self._file = file
        self._about = about
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._kept: list[tuple[str, str, str, str, str]] = []
        self._findings = 0
        self._skipped = 0

    def add(self, entry: Entry) -> None:
        """Count an entry."""
        if entry.status == "SKIPPED":
            self._skipped += 1
            return
        group = (entry.row.domain or "files", entry.row.question or entry.rule)
        self._counts.setdefault(group, Counter())[entry.status] += 1
        if entry.is_finding:
            self._findings += 1
            if len(self._kept) < MAX_FINDINGS:
                where = entry.place or ("" if entry.line is None else f"line {entry.line}")
                self._kept.append((entry.status, entry.name, entry.row.question or "", _why(entry), where))

    def end(self) -> None:
        """Write all of it."""
        total = sum(counts.total() for counts in self._counts.values())
        passed = sum(counts["PASS"] for counts in self._counts.values())
        heading = f"{passed:,} of {total:,} passed" if total else "nothing was answered"
        state = "" if self._about.state == "finished" else " (the run was stopped before its end)"
        lines = [f"{BEGINNING}{heading}{state}", ""]
        if self._counts:
            shown = [each for each in STATUSES if any(counts[each] for counts in self._counts.values())]
            lines += ["| domain | question |" + "".join(f" {each} |" for each in shown)]
            lines += ["| --- | --- |" + " ---: |" * len(shown)]
            for (domain, question), counts in sorted(self._counts.items()):
                lines.append(f"| {domain} | {question} |" + "".join(f" {counts[each]:,} |" for each in shown))
            lines.append("")
        if self._kept:
            lines += ["| status | file | question | why | where |", "| --- | --- | --- | --- | --- |"]
            lines += ["| " + " | ".join(map(_cell, kept)) + " |" for kept in self._kept]
            if self._findings > len(self._kept):
                lines.append(f"\n… and {self._findings - len(self._kept):,} more.")
            lines.append("")
        if self._skipped:
            lines += [f"{counted(self._skipped, 'other file')} left out.", ""]
        if self._about.remarks:
            lines += ["What reading assumed:", ""]
            lines += [
                f"- {counted(files, 'file')} of {domain}: {_cell(remark)}"
                for domain, remark, files in self._about.remarks[:MAX_REMARKS]
            ]
            lines.append("")
        self._file.write("\n".join(lines))


def _why(entry: Entry) -> str:
    """Return the reason alone where the question stands beside it."""
    return entry.row.reason or entry.row.because or " ".join(entry.details) or entry.message


def _cell(text: str) -> str:
    """Return a text for one cell, in which nothing is taken for markup."""
    plain = re.sub(r"([\\`*_{}\[\]<>|~#])", r"\\\1", valid_text(" ".join(text.split())))
    return plain.replace("\\_", "_") if "__" not in plain else plain
