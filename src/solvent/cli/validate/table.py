"""What a run found, for people: a table for each domain, what did not pass and why, and the sums."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.batch.names import CommonFolder
from solvent.batch.rows import STATUSES, UNREADABLE, Row, passing_verdict, report_columns_by_name
from solvent.batch.summary import Summary
from solvent.cli.answers import empty_table, say_wrapped, shown
from solvent.cli.output import say, show, table_columns
from solvent.cli.validate.progress import shortened
from solvent.core.answer import Verdict
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store import Store

MAX_ROWS = 40
"""What a person looks through; above, only what did not pass and the slowest are shown."""
SLOWEST = 10
MAX_REASONS = 5
MAX_UNRECOGNISED = 5
MAX_REMARKS = 8
LEAST_NAME = 16
NARROW = 60
"""Columns below which sums show no more than what passed and what did not."""
GAP = 2
"""Blanks between two columns."""
COLOURS = {"PASS": "green", "FAIL": "red", "UNKNOWN": "yellow", "ERROR": "magenta"}


def say_tables(store: Store, run: int, summary: Summary, *, rest: str = "") -> None:
    """Write a table for each domain of a run. `rest` is the file that has the rows for which there is no room."""
    from solvent.batch.store.reading import Filter, rows

    for domain, grouped in itertools.groupby(sorted(summary.answers), key=lambda pair: pair[0]):
        questions = [question for _, question in grouped]
        answers = sum(summary.answers[domain, question].answers for question in questions)
        several = len(questions) > 1
        if answers <= MAX_ROWS:
            every = list(rows(store, run, Filter(domain=domain)))
            folder = _say_table(domain, [row for row in every if row.question is not None], several=several)
            failed = [row for row in every if row.status not in ("PASS", None)]
            _say_reasons(failed, folder, several=several, rest=rest)
            continue
        shown = list(itertools.islice(_not_passed(store, run, domain, summary, questions), MAX_ROWS))
        missed = sum(
            count
            for question in questions
            for status, count in summary.answers[domain, question].statuses.items()
            if status != "PASS"
        )
        if shown:
            heading = f"{domain}: {missed:,} of {answers:,} did not pass"
            if missed > len(shown):
                heading += f", the first {len(shown)}"
            folder = _say_table(heading, shown, several=several)
            if missed > len(shown):
                _say_how_many_more(missed - len(shown), rest)
                say()
            _say_reasons(shown, folder, several=several, rest=rest)
        slowest = list(rows(store, run, Filter(domain=domain), order="seconds", limit=SLOWEST))
        _say_table(f"{domain}: the slowest {len(slowest)} of {answers:,}", slowest, several=several)


def _not_passed(store: Store, run: int, domain: str, summary: Summary, questions: Sequence[str]) -> Iterable[Row]:
    from solvent.batch.store.reading import Filter, rows

    for question in questions:
        passing = passing_verdict(domain, question)
        others = [verdict.value for verdict in Verdict if verdict is not passing]
        if summary.answers[domain, question].statuses["PASS"] < summary.answers[domain, question].answers:
            yield from rows(store, run, Filter(domain=domain, question=question, verdicts=[*others, None]))


def say_sums(summary: Summary) -> None:
    """Write how many passed, for each domain and question."""
    from rich.text import Text

    if not summary.answers:
        return
    occurring = [
        status
        for status in STATUSES
        if status == "PASS" or any(counts.statuses[status] for counts in summary.answers.values())
    ]
    table = empty_table(padding=(0, GAP - 1, 0, 0))
    for heading in ("domain", "question"):
        table.add_column(heading)
    is_narrow = table_columns() < NARROW
    for heading in occurring if is_narrow else ("answers", *occurring, "seconds"):
        table.add_column(heading, justify="right")
    for (domain, question), counts in sorted(summary.answers.items()):
        cells = [
            Text(f"{counts.statuses[status]:,}", style=COLOURS[status] if counts.statuses[status] else "dim")
            for status in occurring
        ]
        if is_narrow:
            table.add_row(domain, question, *cells)
        else:
            table.add_row(domain, question, f"{counts.answers:,}", *cells, f"{counts.seconds:,.2f}")
    show(table)
    say()


def say_leftovers(store: Store, run: int, summary: Summary, *, rest: str = "") -> None:
    """Name what no domain recognised, what could not be read and why, and what there was nothing to ask about."""
    from solvent.batch.records import ReadAs
    from solvent.batch.store.reading import Filter, rows

    for domain, count in sorted(summary.not_asked.items()):
        say_wrapped(f"{counted(count, 'instance')} of {domain} not asked: it has none of these questions.")
    if summary.unrecognised:
        unrecognised = Filter(read_as=[ReadAs.UNRECOGNISED.value])
        names = [row.name for row in rows(store, run, unrecognised, limit=MAX_UNRECOGNISED)]
        folder = common_folder(names)
        _say_heading(f"{counted(summary.unrecognised, 'file')} not recognised", folder)
        for name in names:
            say(f"  {name.removeprefix(folder)}")
        _say_how_many_more(summary.unrecognised - len(names), rest)
        say()
    for count, what, read_as in (
        (summary.unreadable, "could not be read", UNREADABLE),
        (summary.bugs_while_reading, "met a bug while being read", [ReadAs.BUG.value]),
    ):
        if count:
            listed = list(rows(store, run, Filter(read_as=read_as), limit=MAX_REASONS))
            folder = common_folder([row.name for row in listed])
            _say_heading(f"{count:,} {what}", folder)
            _list_reasons(listed, folder)
            _say_how_many_more(count - len(listed), rest)
            say()


def say_remarks(store: Store, run: int, summary: Summary, *, rest: str = "") -> None:
    """Write what reading assumed or left out, where that matters, each sentence once, with how many files say so."""
    from solvent.batch.store.reading import count_remarks
    from solvent.registry import get_domain

    for domain in sorted({domain for domain, _ in summary.answers}):
        counts, is_all = count_remarks(store, run, domain) if get_domain(domain).remarks_matter else ([], True)
        if not counts:
            continue
        say(f"Reading {domain} assumed")
        for remark, count in counts[:MAX_REMARKS]:
            say_wrapped(f"{counted(count, 'file')}: {remark}", first="  ", rest="    ")
        if len(counts) > MAX_REMARKS or not is_all:
            _say_how_many_more(max(len(counts) - MAX_REMARKS, 1), rest)
        say()


def _say_reasons(some: Sequence[Row], folder: str, *, several: bool, rest: str) -> None:
    """Say why rows did not pass, where there is more to say than the status."""
    explained = [row for row in some if _why(row)]
    if explained:
        _list_reasons(explained[:MAX_REASONS], folder, several=several)
        _say_how_many_more(len(explained) - MAX_REASONS, rest)
        say()


def _list_reasons(some: Iterable[Row], folder: str, *, several: bool = False) -> None:
    for row in some:
        name = row.name.removeprefix(folder)
        # Names stay whole, so that they can be copied.
        lines = textwrap.wrap(
            f"{name}, {row.question}: {_why(row)}" if several else f"{name}: {_why(row)}",
            table_columns(),
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        say("\n".join(lines))


def _say_how_many_more(more: int, rest: str) -> None:
    if more > 0:
        say(f"  … and {more:,} more" + (f", in {rest}" if rest else ""))


def _say_heading(heading: str, folder: str) -> None:
    """Write a heading, with the folder that everything below it is in."""
    line = f"{heading}, in {folder}" if folder else heading
    say(line if len(line) <= table_columns() else f"{heading}, in\n{folder}")


def _why(row: Row) -> str:
    return row.reason or row.because


@dataclass(slots=True)
class _Column:
    """Hold one column of a table while it is decided which of them fit."""

    heading: str
    cells: list[str]
    right: bool = True

    @property
    def width(self) -> int:
        """Return what it needs on a terminal, where some signs are two columns wide."""
        from rich.cells import cell_len

        return max(cell_len(line) for line in [*self.cells, *self.heading.split("\n")])


def _say_table(title: str, some: Sequence[Row], *, several: bool) -> str:
    """Write a row for each; returns the folder that all are in, which is left out of their names."""
    from rich.text import Text

    folder = common_folder([row.name for row in some])
    chosen = _choose_columns(some, folder, several=several)
    table = empty_table(padding=(0, GAP - 1, 0, 0))
    for column in chosen:
        table.add_column(column.heading, justify="right" if column.right else "left", width=column.width, no_wrap=True)
    for cells in zip(*(column.cells for column in chosen), strict=True):
        table.add_row(*(Text(cell, style=COLOURS.get(cell, ""), no_wrap=True) for cell in cells))
    _say_heading(title, folder)
    say()
    show(table)
    say()
    return folder


def _choose_columns(some: Sequence[Row], folder: str, *, several: bool) -> list[_Column]:
    """Return the columns that every table has, and as many of the domain's own as there is room for."""
    name = _Column("instance", [row.name.removeprefix(folder) for row in some], right=False)
    chosen = [
        _Column("question", [row.question or "" for row in some] if several else [""], right=False),
        _Column("status", [row.status or "" for row in some], right=False),
        _column("expanded", some, lambda row: row.expanded),
        _Column("seconds", [f"{row.seconds:,.3f}" for row in some]),
        _column("length", some, lambda row: row.length),
    ]
    chosen = [column for column in chosen if any(column.cells)]
    # the least telling columns give way to names
    while len(chosen) > 2 and table_columns() < LEAST_NAME + sum(column.width + GAP for column in chosen):
        chosen.pop(_least_telling(chosen))
    room = table_columns() - sum(column.width + GAP for column in chosen)
    width = max(LEAST_NAME, min(name.width, room))
    name.cells = [shortened(each, width) for each in name.cells]
    room -= width
    unbroken = []
    for column in _diagnostics(some):
        heading, column.heading = column.heading, column.heading.replace(" ", "\n")
        if column.width + GAP <= room:
            room -= column.width + GAP
            chosen.append(column)
            unbroken.append((column, heading))
    for column, heading in unbroken:  # a heading is broken between its words only where that is needed
        wider = len(heading) - column.width
        if wider <= room:
            room -= max(0, wider)
            column.heading = heading
    return [name, *chosen]


def _least_telling(chosen: Sequence[_Column]) -> int:
    """Return the number of the column that a narrow table can best do without."""
    headings = [column.heading for column in chosen]
    return next((headings.index(each) for each in ("expanded", "length", "seconds") if each in headings), -1)


def _diagnostics(some: Sequence[Row]) -> list[_Column]:
    """Return the further counts of a domain that any of these rows has."""
    assert some[0].domain is not None
    made = [
        _column(name.replace("_", " "), some, lambda row, name=name: row.stats.get(name))  # type: ignore[misc]
        for name in report_columns_by_name(some[0].domain).diagnostics
    ]
    return [column for column in made if any(column.cells)]


def _column(heading: str, some: Sequence[Row], read: Callable[[Row], object]) -> _Column:
    values = [read(row) for row in some]
    words = any(isinstance(value, str) for value in values)
    return _Column(
        heading, [shown(value) if isinstance(value, int | float | str) else "" for value in values], right=not words
    )


def common_folder(names: Sequence[str]) -> str:
    """Return the folder that all these names are in, with the slash at its end; empty if there is none, or one name."""
    if len(names) < 2:
        return ""
    return CommonFolder(names).folder or ""
