"""How an answer, a board and the counts of a search look to people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solvent.cli import exits
from solvent.cli.output import columns, note, say, show, table_columns, wants_colour
from solvent.core.answer import Answer, Verdict
from solvent.core.domain import Drawing
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from rich.table import Table

    from solvent.core.domain import Domain

EXIT_CODES = {Verdict.YES: exits.DONE, Verdict.NO: exits.NO, Verdict.UNKNOWN: exits.UNKNOWN}
MAX_REMARKS = 12
"""How many remarks are written without being asked for."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_COLOURS = {Verdict.YES: "green", Verdict.NO: "red", Verdict.UNKNOWN: "yellow"}


def say_board(problem: Any, drawing: Drawing | None = None) -> str:
    """Draw an instance as text, and return what was written; without a drawing of its own, in brief."""
    from solvent.registry import domain_of

    text = _draw(domain_of(problem), problem, drawing or Drawing(brief=True))
    say(text)
    return text


def _draw(owner: Domain[Any], problem: Any, drawing: Drawing) -> str:
    return owner.draw_text(problem, replace(drawing, colour=wants_colour())).rstrip("\n")


def say_remarks(problem: Any, *, every: bool = False) -> None:
    """Write what reading an instance assumed or left out, where that matters to an answer, or if asked for `every`."""
    lines = remark_lines(problem, every=every)
    for line in lines:
        say(line)
    if lines:
        say()


def note_remarks(problem: Any) -> None:
    """Write the same to standard error, for commands whose output is data."""
    for line in remark_lines(problem):
        note(line)


def remark_lines(problem: Any, *, every: bool = False) -> list[str]:
    """Return what reading assumed or left out as lines for a terminal."""
    import textwrap

    from solvent.registry import domain_of

    owner = domain_of(problem)
    if not every and not owner.remarks_matter:
        return []
    remarks = list(owner.remarks(problem))
    shown = remarks if every else remarks[:MAX_REMARKS]
    lines = ["Reading it assumed:"] if remarks else []
    for remark in shown:
        lines += textwrap.wrap(remark, columns(), initial_indent="  - ", subsequent_indent="    ")
    if len(remarks) > len(shown):
        lines.append(f"  … and {len(remarks) - len(shown):,} more; 'solvent solve -v' shows them all.")
    return lines


def answer_line(answer: Answer) -> str:
    """Return the one line that tells the answer, the verdict in colour on a terminal."""
    line = str(answer)
    if not wants_colour():
        return line
    import click

    verdict = str(answer.verdict)
    return line.replace(verdict, click.style(verdict, fg=_COLOURS[answer.verdict], bold=True), 1)


def say_explanation(problem: Any, answer: Answer, *, most_lines: int | None = None) -> None:
    """Write what an answer has for people: its plan, or the sentence that says why not."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    lines: Sequence[str] = ()
    if owner.describe is not None:
        lines = [] if answer.certificate is None else owner.describe(problem, answer.certificate)
        for line in lines[:most_lines]:
            say(line)
        if most_lines is not None and len(lines) > most_lines:
            say("  …")
    else:
        _say_plan(answer, most_lines)
    if answer.because and answer.because not in " ".join(" ".join(lines).split()):
        say_wrapped(answer.because, first="Because: ")


def _say_plan(answer: Answer, most_lines: int | None) -> None:
    lines = plan_lines(answer, columns())
    shown = lines if most_lines is None else lines[: most_lines + 1]  # the first says how long it is
    for line in shown:
        say(line)
    if len(lines) > len(shown):
        say("  …")


def plan_lines(answer: Answer, width: int) -> list[str]:
    """Return the plan in an answer as lines of this width, none where it has no plan of single steps."""
    plan = None if answer.certificate is None else answer.certificate.get("plan")
    if not isinstance(plan, list) or not all(isinstance(step, str) for step in plan):
        return []
    if not plan:
        return ["Plan: nothing to do."]
    # a step may hold blanks, and must not be broken at them
    separator = "  " if any(" " in step for step in plan) else " "
    return [f"Plan, {counted(len(plan), 'step')}:", *("  " + line for line in _fill(plan, separator, width - 2))]


def say_solution(problem: Any, answer: Answer, *, shown: str) -> None:
    """Draw the instance again with what the certificate holds, if that can be seen in a drawing as text.

    `shown` is what `say_board` wrote before.
    """
    from solvent.registry import domain_of

    if answer.certificate is None:
        return
    owner = domain_of(problem)
    drawn = _draw(owner, problem, Drawing(certificate=answer.certificate, brief=True))
    if _without_colour(drawn) != _without_colour(shown):  # colour alone is no difference worth a second drawing
        say()
        say(drawn)


def _without_colour(text: str) -> str:
    return _COLOUR.sub("", text)


def _fill(steps: list[str], separator: str, width: int) -> Iterator[str]:
    line = ""
    for step in steps:
        if line and len(line) + len(separator) + len(step) > width:
            yield line
            line = step
        else:
            line = line + separator + step if line else step
    if line:
        yield line


def say_wrapped(text: str, *, first: str = "", rest: str = "  ") -> None:
    """Write prose within the width of the page; paragraphs stay apart."""
    import textwrap

    for paragraph in text.splitlines() or [""]:
        say("\n".join(textwrap.wrap(paragraph, columns(), initial_indent=first, subsequent_indent=rest)))
        first = rest


LEAST_MEANING = 24
"""Columns that a meaning needs beside its term; with less, it stands below."""


def say_rows(rows: Iterable[tuple[str, str]], *, margin: int, widest: int) -> None:
    """Write terms with their meanings beside them; a term that is wider than the others stands on a line of its own."""
    import textwrap

    listed = list(rows)
    indent = min(widest, max((len(term) for term, _ in listed), default=0) + margin + 2)
    if table_columns() - indent < LEAST_MEANING:
        indent = margin + 4
    for term, meaning in listed:
        first = " " * margin + term
        if len(first) + 2 > indent:
            say(first)
            first = ""
        wrapped = textwrap.wrap(
            meaning, table_columns(), initial_indent=first.ljust(indent), subsequent_indent=" " * indent
        )
        say("\n".join(wrapped))


def say_stats(stats: Mapping[str, Any]) -> None:
    """Write the counts of a search as tables; a count that has parts gets its own."""
    plain = {name: value for name, value in stats.items() if not isinstance(value, Mapping)}
    tables = [_two_columns("stats", plain)] if plain else []
    for name, value in stats.items():
        if isinstance(value, Mapping) and value:
            tables.append(_table_of_parts(name, value))
    for table in tables:
        say()
        show(table)


def _table_of_parts(name: str, parts: Mapping[str, Any]) -> Table:
    if not all(isinstance(part, Mapping) for part in parts.values()):
        return _two_columns(name, parts)
    headings = list(dict.fromkeys(heading for part in parts.values() for heading in part))
    table = empty_table()
    table.add_column(_in_words(name), overflow="fold")
    for heading in headings:
        table.add_column(_in_words(heading), justify="right")
    for row, part in parts.items():
        table.add_row(row, *(shown(part[heading]) if heading in part else "" for heading in headings))
    return table


def _two_columns(name: str, values: Mapping[str, Any]) -> Table:
    table = empty_table()
    table.add_column(_in_words(name), overflow="fold")
    table.add_column("", justify="right", overflow="fold")
    for row, value in values.items():
        table.add_row(_in_words(row), shown(value))
    return table


def empty_table(**look: Any) -> Table:
    """Return a table with lines below its headings alone."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, **look)


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def shown(value: object) -> str:
    """Write a count for people."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.3f}" if value == 0 or abs(value) >= 0.1 else f"{value:.2g}"
    return str(value)
