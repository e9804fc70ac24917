"""JUnit XML, as Jenkins, GitLab and most other build systems read it: a suite for each file, a case for each question.

It keeps to the schema of Jenkins, in which a suite has a file and a case does not. A FAIL is a failure. What has no
verdict, be it UNKNOWN or a file that cannot be read, is an error: the test did not come to its end. Files that nobody
takes for an instance are left out.
"""

from __future__ import annotations

import re
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from solvent.batch.findings.entry import Entry
from solvent.batch.findings.writer import About

BEGINNING = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Solvent">\n'
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JUnitWriter:
    """Write one suite after the other; of a run, only the cases of one file are held."""

    def __init__(self, file: IO[str], about: About) -> None:
        self._file = file
        self._about = about
        self._cases: list[Entry] = []
        file.write(BEGINNING)

    def add(self, entry: Entry) -> None:
        """Take the next entry; those of one source follow each other."""
        if entry.status == "SKIPPED" and entry.row.domain is None:
            return
        if self._cases and self._cases[0].row.number != entry.row.number:
            self._write_suite()
        self._cases.append(entry)

    def end(self) -> None:
        """Write what is left."""
        self._write_suite()
        self._file.write("</testsuites>\n")

    def _write_suite(self) -> None:
        cases, self._cases = self._cases, []
        if not cases:
            return
        first = cases[0]
        counts = {
            "tests": len(cases),
            "failures": sum(case.status == "FAIL" for case in cases),
            "errors": sum(case.status in ("UNKNOWN", "ERROR") for case in cases),
            "skipped": sum(case.status == "SKIPPED" for case in cases),
        }
        written = "".join(f' {name}="{count}"' for name, count in counts.items())
        seconds = sum(case.row.seconds for case in cases)
        self._file.write(
            f"<testsuite name={_attribute(first.name)} file={_attribute(first.path)}{written}"
            f' time="{seconds:.3f}" timestamp="{self._about.timestamp}">\n'
        )
        for case in cases:
            self._write_case(case)
        self._file.write("</testsuite>\n")

    def _write_case(self, case: Entry) -> None:
        name = case.name if case.row.question is None else f"{case.name}: {case.row.question}"
        group = case.row.domain or case.rule
        self._file.write(
            f'  <testcase name={_attribute(name)} classname={_attribute(group)} time="{case.row.seconds:.3f}"'
        )
        if case.status == "PASS":
            self._file.write("/>\n")
        elif case.status == "SKIPPED":
            self._file.write(f">\n    <skipped message={_attribute(case.message)}/>\n  </testcase>\n")
        else:
            kind = "failure" if case.status == "FAIL" else "error"
            lines = [case.message]
            where = f"{case.path}:{case.line}" if case.line is not None else case.path
            lines.append(f"Where: {where}" + (f", {case.place}" if case.place else ""))
            lines += [f"Also: {other.description}" for other in case.locations[1:5]]
            lines += [*case.details, *case.row.remarks, *(case.row.traceback.splitlines())]
            body = escape(_clean("\n".join(lines)))
            self._file.write(
                f">\n    <{kind} type={_attribute(case.title)} message={_attribute(case.message)}>{body}</{kind}>\n"
                "  </testcase>\n"
            )


def _attribute(text: str) -> str:
    return quoteattr(_clean(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _clean(text: str) -> str:
    """Leave out what XML cannot hold at all."""
    return _FORBIDDEN.sub("\ufffd", text)
