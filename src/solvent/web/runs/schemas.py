"""Requests and replies about stores and the runs in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from solvent.batch.report.matching import Alone, Pair
from solvent.batch.rows import Kind, RowOutcome
from solvent.web.files.schemas import Searched, Start
from solvent.web.schemas import Answered

Column = Literal["number", "name", "domain", "question", "verdict", "seconds", "size", "expanded", "length"]


class QuestionCounts(Struct, kw_only=True):
    """How the answers to one question about one domain came out."""

    domain: str
    title: str
    question: str
    asks: str
    passing_verdict: str
    """The verdict that designers hope for."""
    YES: int
    NO: int
    UNKNOWN: int
    ERROR: int
    certified: int
    seconds: float
    slowest: float


class RunShown(Struct, kw_only=True):
    """A run of a store."""

    id: int
    state: Literal["running", "finished", "interrupted", "stopped"]
    """Stopped: its process ended without a word, or runs on another machine."""
    command: str
    began: float
    """Seconds since 1970."""
    ended: float | None
    seconds: float | None
    """At work, over all continuations."""
    solver: str
    machine: str
    verdicts: dict[Kind, int]
    """How many rows there are of each kind; what does not occur is left out."""
    outcomes: dict[RowOutcome, int]
    """The same by what designers hope for: PASS and FAIL in place of YES and NO."""


class StoreShown(Struct, kw_only=True):
    """A store, with its newest runs; and what is wrong with it, if anything is."""

    id: str
    name: str
    bytes: int
    problem: str | None
    """What is damaged in it, or why it cannot be read; null if nothing was found."""
    more: int
    """How many older runs there are beside those listed."""
    runs: list[RunShown]


class RunDetails(RunShown, kw_only=True):
    """A run, with all that can be filtered by."""

    store: str
    store_name: str
    facts: dict[str, str]
    """What was asked and with which limits."""
    tallies: list[QuestionCounts]
    sources: int
    folder: str
    """What the names of all sources begin with, up to a slash."""
    problem: str | None
    """What is damaged in its store, so that nothing shown here is certain; null if nothing was found."""


class RowsWanted(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which rows of a run to list, and in which order."""

    domain: str | None = None
    question: str | None = None
    verdict: Kind | Literal["PASS", "FAIL"] | None = None
    text: Searched = ""
    """Only those with all of these words in their name or their reason."""
    sort: Column = "number"
    descending: bool = False
    start: Start = 0
    count: Annotated[int, Meta(ge=1, le=500)] = 50


class RowShown(Struct, kw_only=True):
    """One question about one source, with its answer; or a source that has none."""

    number: int
    name: str
    kind: Kind
    domain: str | None
    question: str | None
    status: str | None
    """PASS for the verdict that designers hope for, FAIL for the opposite, UNKNOWN, ERROR, or null."""
    certified: bool
    form: str | None
    seconds: float | None
    size: int | None
    expanded: int | None
    length: int | None
    reason: str
    """Why there is no YES or NO; or what the solver says about it."""
    opens: bool
    """Whether there is an instance to look at."""


class RowsShown(Struct, kw_only=True):
    """Some rows of a run."""

    total: int
    matching: int
    start: int
    rows: list[RowShown]


class Chart(Struct, kw_only=True):
    """A chart as SVG whose classes the page gives colours to; its links lead to results by their address."""

    title: str
    caption: str
    svg: str
    small: bool = False


class ChartGroup(Struct, kw_only=True):
    """The charts about one domain."""

    domain: str
    title: str
    charts: list[Chart]


class Charts(Struct, kw_only=True):
    """The charts of a run."""

    groups: list[ChartGroup]
    answers: int
    marks: dict[str, str]
    """The shape of each outcome as the path of an SVG, around the origin; charts refer to it as `#mark-PASS`."""


class ResultWanted(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which of the questions about a source."""

    question: str | None = None


class ResultShown(Struct, kw_only=True):
    """An instance of a run as the store has it, and what the store claims about it; nothing of that is checked yet."""

    store: str
    store_name: str
    run: int
    number: int
    name: str
    domain: str
    text: str
    question: str | None
    claims: str | None
    """The verdict that the store claims; null without an answer."""
    reason: str
    remarks: Sequence[str]
    error: str
    """The traceback of the bug that kept the solver from a verdict; empty otherwise."""


class ResultChecked(Struct, kw_only=True):
    """What the checker says of a stored answer: the answer if it accepts it, or every reason why it does not."""

    accepted: bool
    claims: str | None
    violations: list[str]
    answer: Answered | None


class ChangedShown(Struct, kw_only=True):
    """Answers that changed in one way."""

    change: Literal["contradicted", "lost", "gained", "unproved", "otherwise", "slower", "faster"]
    heading: str
    seen: int
    """How many there are; the list may be cut."""
    pairs: Sequence[Pair]


class Compared(Struct, kw_only=True):
    """What changed between two runs."""

    before: RunDetails
    after: RunDetails
    sentence: str
    times: str
    """How the times changed over all; empty if nothing was solved twice."""
    warnings: list[str]
    matched: int
    same_verdict: int
    shared: int
    changes: list[ChangedShown]
    gone: Sequence[Alone]
    gone_seen: int
    new: Sequence[Alone]
    new_seen: int
    chart: str | None
    """The times of both against one another, as SVG."""
    marks: dict[str, str]
    """As with other charts."""
    parts: list[dict[str, Any]]
    """For each domain and question: matched, changed, seconds before and after."""
