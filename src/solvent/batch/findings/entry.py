"""A result of a run as a build system shows it: what was asked, what is wrong, and where that stands."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from solvent.batch.records import ReadAs
from solvent.batch.rows import Row, answer_from, domain_by_name
from solvent.core.errors import ParseError, SolventError, StoreError
from solvent.core.location import Location

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

Level = Literal["error", "warning"]
MAX_LOCATED = 5_000
"""For so many findings the file is read again to say where things stand; no build system shows more."""
MAX_LINES = 12
"""Lines about what an answer rests on, such as the walk that loses."""
UNREADABLE = "unreadable"
UNRECOGNISED = "unrecognised"
BUG = "bug"
STANDARD_INPUT_NAME = "stdin"
"""What its lines are named after."""


@dataclass(frozen=True)
class Entry:
    """Hold one row of a run with what is to be said about it."""

    row: Row
    status: Literal["PASS", "FAIL", "UNKNOWN", "ERROR", "SKIPPED"]
    path: str
    """The file, from the root of the project, with slashes; the name of a source that is no file."""
    is_file: bool = True
    """Whether the path is that of a file."""
    locations: tuple[Location, ...] = ()
    """Where it stands what the answer is about, the most telling place first."""
    details: tuple[str, ...] = ()
    """What the answer rests on, in lines for people."""

    @property
    def is_finding(self) -> bool:
        """Tell whether something is wrong or open."""
        return self.status in ("FAIL", "UNKNOWN", "ERROR")

    @property
    def level(self) -> Level:
        """Return how bad it is: what is open is a warning, everything else an error."""
        return "warning" if self.status == "UNKNOWN" else "error"

    @property
    def rule(self) -> str:
        """Return what was asked, such as `dungeon/losable`, or what kept it from being asked."""
        if self.row.traceback:
            return BUG
        if self.row.domain is not None and self.row.question is not None:
            return f"{self.row.domain}/{self.row.question}"
        return UNRECOGNISED if self.row.read_as == ReadAs.UNRECOGNISED.value else UNREADABLE

    @property
    def name(self) -> str:
        """Return what people call the source."""
        return self.row.name

    @property
    def title(self) -> str:
        """Return what is wrong in a few words."""
        if self.row.question is None:
            return {UNRECOGNISED: "not recognised", BUG: "met a bug"}.get(self.rule, "cannot be read")
        return f"{self.row.question}: {self.status}"

    @cached_property
    def message(self) -> str:
        """Say what is wrong in a sentence or two: the question, the verdict and why."""
        row = self.row
        if row.question is None or row.verdict is None or row.domain is None:
            return _sentence(f"{self.title}: {row.reason}")
        domain = domain_by_name(row.domain)
        question = None if domain is None else domain.questions.get(row.question)
        asked = f"{row.question}:" if question is None else question.text.partition(" (")[0]
        why = row.reason or row.because
        return (
            f"{asked} {row.verdict}{': ' if row.reason else '. '}{_sentence(why)}" if why else f"{asked} {row.verdict}."
        )

    @property
    def one_line(self) -> str:
        """Say all of it in one line, for what has no room for more: the reason, or what the answer rests on."""
        details = [] if self.row.because or self.row.reason else [" ".join(line.split()) for line in self.details]
        where = f" ({self.place})" if self.place else ""
        return " ".join([self.message, *details]) + where

    @property
    def place(self) -> str:
        """Say where the first of the locations is, in words; empty without any, or where the message says so."""
        if not self.locations or self.row.instance is None:
            return ""
        first = self.locations[0]
        return f"{first.map}, {first.description}" if first.map else first.description

    @property
    def line(self) -> int | None:
        """Return the line of the file that it is about, if that is known."""
        if self.row.line is not None:
            return self.row.line  # of a file with an instance a line
        return self.locations[0].line if self.locations else None

    @property
    def column(self) -> int | None:
        """Return the column in that line, if that is known."""
        return self.locations[0].column if self.locations and self.row.line is None else None

    @property
    def fingerprint(self) -> str:
        """Return what tells this finding from others in one build, and is the same in the next."""
        return hashlib.sha256(f"{self.rule}\n{self.path}\n{self.name}".encode("utf-8", "replace")).hexdigest()


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


class Entries:
    """Go through the rows of a run, in their order."""

    def __init__(
        self,
        store: Store,
        run: RunRow,
        *,
        named: Collection[int] = (),
        mapping_for: Callable[[str], str | None] = lambda _path: None,
        root: str | None = None,
    ) -> None:
        """Prepare to read.

        `named` are the numbers of unrecognised files that were meant to be instances, `mapping_for` tells by which
        mapping a file was read, and `root` is the folder that paths are counted from.
        """
        from solvent.batch.store.reading import endings_of_instances

        self._store = store
        self._run = run
        self._named = named
        self._mapping_for = mapping_for
        self._endings = endings_of_instances(store, run.id)
        self._relative = _relative_to(project_root() if root is None else root)
        self._located = 0

    def __iter__(self) -> Iterator[Entry]:
        from solvent.batch.store.reading import rows

        for row in rows(self._store, self._run.id):
            status = row.status
            if row.read_as == ReadAs.UNRECOGNISED.value and self._is_suspect(row):
                status = "ERROR"
            holder = path_of(row)
            is_file = holder is not None
            path = row.name if holder is None else self._relative(holder)
            if status in ("FAIL", "UNKNOWN", "ERROR") and self._located < MAX_LOCATED:
                self._located += 1
                locations, details = self._locate(row)
                yield Entry(row, status, path, is_file, locations, details)
            else:
                yield Entry(row, status or "SKIPPED", path, is_file)

    def _is_suspect(self, row: Row) -> bool:
        from solvent.batch.summary import ending

        return row.path is None or row.number in self._named or ending(row.path) in self._endings

    def _locate(self, row: Row) -> tuple[tuple[Location, ...], tuple[str, ...]]:
        """Read a source again and ask its domain where the answer's subject stands."""
        from solvent.batch.settings import instance_hash
        from solvent.batch.store.reading import certificate, instance_text
        from solvent.reading import format_problem, parse_problem

        if row.instance is None or row.domain is None:
            return _place_of_error(row, self._mapping_for), ()
        domain = domain_by_name(row.domain)
        if domain is None or row.verdict is None or not row.answer:
            return (), ()
        try:
            problem = self._read_again(row, domain.name)
            if problem is None or instance_hash(domain.name, format_problem(problem)) != row.instance:
                # The file is gone, or has changed: what the answer rests on can still be said, but not where it stands.
                problem = parse_problem(instance_text(self._store, row.instance), domain=domain.name)
                is_file = False
            else:
                is_file = True
            proof = certificate(self._store, row.answer)
        except (SolventError, StoreError, OSError):
            return (), ()
        answer = answer_from(domain.name, row, proof)
        lines = () if proof is None or domain.describe is None else tuple(domain.describe(problem, proof))[:MAX_LINES]
        return tuple(domain.locate(problem, answer)) if is_file else (), lines

    def _read_again(self, row: Row, domain: str) -> Any:
        """Return the instance as its file has it, by the rules of the run; None where there is no file."""
        from solvent.reading import change_rules, read_problem
        from solvent.registry import get_domain

        if row.path is None or not os.path.isfile(row.path):
            return None
        given: Mapping[str, str] = self._run.settings.get("rules") or {}
        by_domain: Mapping[str, Mapping[str, Any]] = self._run.settings.get("rules_by_domain") or {}
        known = {option.name for option in get_domain(domain).options("rule")}
        rules = {name: rule for name, rule in given.items() if name in known}
        problem = read_problem(row.path, domain=domain, mapping=self._mapping_for(row.path))
        return change_rules(problem, {**by_domain.get(domain, {}), **rules})


def _place_of_error(row: Row, mapping_for: Callable[[str], str | None]) -> tuple[Location, ...]:
    """Return the line that a file cannot be read at, by reading it once more."""
    from solvent.reading import read_problem

    if row.path is None or row.read_as != ReadAs.UNREADABLE.value or not os.path.isfile(row.path):
        return ()
    try:
        read_problem(row.path, mapping=mapping_for(row.path))
    except ParseError as error:
        if error.source in (None, row.path) and (error.line is not None or error.path is not None):
            words = [f"line {error.line}"] if error.line is not None else []
            words += [f"column {error.column}"] if error.column is not None else []
            words += [f"at {error.path}"] if error.path is not None else []
            return (Location(description=", ".join(words), line=error.line, column=error.column),)
    except (SolventError, OSError, RecursionError):
        pass
    return ()


def path_of(row: Row) -> str | None:
    """Return the file that a row came from, also as one of its lines; None if it is not known, or there is none."""
    if row.path is not None:
        return row.path
    holder, _, number = row.name.rpartition(":")
    return holder if holder not in ("", STANDARD_INPUT_NAME) and number == str(row.line) else None


def project_root() -> str:
    """Return the folder that build systems count paths from: where the repository begins, or the current one."""
    here = folder = os.path.realpath(os.curdir)
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return here
        folder = above
    return folder


def _relative_to(root: str) -> Callable[[str], str]:
    """Return a function that writes a path as it is from a folder; one that leads out of it stays as it was."""

    def relative(path: str) -> str:
        if not os.path.exists(path):
            return path.replace(os.sep, "/")
        inner = os.path.relpath(os.path.abspath(path), root)
        return (os.path.abspath(path) if inner.startswith(os.pardir) else inner).replace(os.sep, "/")

    return relative
