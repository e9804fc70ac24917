"""`solvent hint`: the next step, and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from solvent.cli import exits
from solvent.cli.answers import say_board, say_remarks, say_wrapped
from solvent.cli.domain_options import DomainCommand, given_options
from solvent.cli.input import read_problem
from solvent.cli.output import say, say_json, write_text
from solvent.cli.parameters import budget_options, file_argument, instance_options, json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget
from solvent.core.domain import Drawing
from solvent.core.errors import BadOption
from solvent.core.events import Listener
from solvent.core.hints import Grade, Hint

LEVELS = ("unit", "technique", "cells", "proof")
"""How much to give away, from where to look to the whole argument."""


@click.command(
    "hint",
    cls=DomainCommand,
    kind="hint",
    epilog="Exit codes: 0 a hint, 10 the instance is lost, 20 none found, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@file_argument
@click.option("-n", "count", type=click.IntRange(min=1), default=1, metavar="COUNT", help="How many steps to show [1].")
@click.option("--path", is_flag=True, help="Show every step to the end, and the difficulty.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="proof",
    help="How much to show: unit (where to look), technique (and how), cells (and the step) or proof (all) [proof].",
)
@click.option("-o", "--output", "out", metavar="OUT", help="Also draw the first step, as an SVG picture in OUT.")
@budget_options
@json_option
@instance_options
def command(
    file: str,
    count: int,
    path: bool,
    level: str,
    out: str | None,
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
) -> int:
    """Show the next step from the instance in FILE, and why it is right.

    When the instance cannot be solved any more, the hint says so, and why.
    """
    from solvent import asking
    from solvent.registry import domain_of

    problem = read_problem(file, domain, rules)
    owner = domain_of(problem)
    if owner.hints is None:
        raise BadOption(f"{owner.name} has no hints")
    options = given_options(owner, owner.hints.options)

    def work(budget: Budget, listen: Listener) -> list[Hint]:
        steps = asking.hints(problem, budget=budget, listen=listen, path=path, **options)
        return list(steps if path else _first(steps, count))

    hints = watch(work, Budget(seconds=seconds, nodes=nodes, megabytes=megabytes))
    lost = any(hint.lost for hint in hints)
    grade = owner.hints.grade(hints) if path and owner.hints.grade is not None else None
    if out is not None:
        shown_board = next((hint.position for hint in hints if hint.position is not None), problem)
        write_text(owner.draw_svg(shown_board, _drawing(hints, level)), out)
    if as_json:
        shown = {
            "domain": owner.name,
            "lost": lost,
            "hints": [_as_json(hint, level) for hint in hints],
            "remarks": list(owner.remarks(problem)),
        }
        say_json(shown if not path else {**shown, "grade": None if grade is None else asdict(grade)})
    elif path:
        _say_path(problem, hints, grade, level=level)
    else:
        _say_hints(problem, hints, file=file, level=level)
    # News may come first, such as that a board has several solutions; then the last hint says whether there is a step.
    last = path or all(hint.move is None for hint in hints)
    if not hints or (not lost and hints[-1 if last else 0].reason is not None):
        return exits.UNKNOWN
    return exits.NO if lost else exits.DONE


def _first(hints: Iterator[Hint], count: int) -> Iterator[Hint]:
    """Yield hints up to this many steps; news that comes before them does not count."""
    for hint in hints:
        yield hint
        count -= hint.move is not None and not hint.alternative
        if count == 0:
            return


def _as_json(hint: Hint, level: str) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "where": hint.where,
        "technique": hint.technique,
        "caption": hint.caption,
        "move": hint.move,
        "narrative": hint.narrative,
        "proof": hint.proof,
        "lost": hint.lost,
        "reason": None if hint.reason is None else str(hint.reason),
        "certificate": hint.certificate,
        "data": dict(hint.data),
    }
    if hint.move is None or level == "proof":
        return shown
    kept = {
        "unit": ("where",),
        "technique": ("where", "technique"),
        "cells": ("where", "technique", "caption", "move"),
    }
    return {key: shown[key] for key in (*kept[level], "lost", "reason")}


def _drawing(hints: Sequence[Hint], level: str) -> Drawing:
    """Draw the first hint; nothing of it where the step is not to be given away."""
    shown = next((hint for hint in hints if hint.move is not None), hints[0] if hints else None)
    if shown is None or (shown.move is not None and level in ("unit", "technique")):
        return Drawing()
    return Drawing.of_hint(shown)


def _say_hints(problem: Any, hints: Sequence[Hint], *, file: str, level: str) -> None:
    problem = next((hint.position for hint in hints if hint.position is not None), problem)
    say_board(problem, replace(_drawing(hints, level), brief=True))
    say()
    say_remarks(problem)
    if not hints:
        say("No hint found.")
        return
    _say_numbered(hints, level=level, alone=sum(hint.move is not None for hint in hints) == 1)
    _say_what_next(hints, file=file, level=level)


def _say_numbered(hints: Sequence[Hint], *, level: str, alone: bool = False) -> None:
    """Say hints one after the other; steps are numbered unless there is one alone, news is not."""
    number, group = 0, ""
    for hint in hints:
        number += hint.move is not None
        if hint.alternative and hint.technique != group:
            group = hint.technique
            say(f"{group}:")
        _say_hint(hint, first="" if hint.move is None or alone else f"{number}. ", level=level)


def _say_hint(hint: Hint, *, first: str, level: str) -> None:
    """Say as much of a hint as was asked for; news that is not a step is always said in full."""
    if hint.move is not None and level in ("unit", "technique"):
        say_wrapped(hint.where or hint.caption, first=first)
        if level == "technique" and hint.technique and not hint.alternative:
            say_wrapped(f"{hint.technique}.", first="  ")
        return
    say_wrapped(hint.caption, first=first)
    if level == "cells":
        return
    if hint.proof:
        if hint.technique and not hint.alternative:  # alternatives stand under the name of their technique
            say_wrapped(f"{hint.technique}.", first="  ")
        elif hint.narrative and not hint.technique:
            say_wrapped(hint.narrative, first="  ")
        say("  Proof:")
        for line in hint.proof.splitlines():
            say_wrapped(line, first="    ", rest="      ")
    elif hint.narrative:
        say_wrapped(hint.narrative, first="  ")


def _say_what_next(hints: Sequence[Hint], *, file: str, level: str) -> None:
    name = shlex.quote(file)
    if any(hint.lost for hint in hints):
        say()
        say(f"To see the proof:  solvent solve {name} --certificate proof.json")
    elif any(hint.move is not None for hint in hints):
        say()
        if level != "proof":
            say(f"To see more:       solvent hint {name} --level {LEVELS[LEVELS.index(level) + 1]}")
        else:
            say(f"To see it:         solvent hint {name} -o hint.svg")
            steps = sum(hint.move is not None and not hint.alternative for hint in hints)
            if steps:
                say(f"For more steps:    solvent hint {name} -n {steps + 4}")


def _say_path(problem: Any, hints: Sequence[Hint], grade: Grade | None, *, level: str) -> None:
    say_board(problem)
    say()
    say_remarks(problem)
    _say_numbered(hints, level=level)
    if grade is not None:
        say()
        say(f"Grade: {grade}.")
