"""`solvent hint`: the next step, and why."""

from __future__ import annotations

import itertools
import shlex
from typing import Any

import click

from solvent.cli import exits
from solvent.cli.answers import say_board, say_wrapped
from solvent.cli.domain_options import DomainCommand, settle
from solvent.cli.input import read_problem
from solvent.cli.output import say, say_json
from solvent.cli.parameters import as_option, budget_options, file_argument, json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget, Cancellation
from solvent.core.domain import Drawing, Hint
from solvent.core.events import Listener


@click.command(
    "hint",
    cls=DomainCommand,
    kind="solve_options",
    epilog="Exit codes: 0 a hint, 10 the instance is lost, 20 none found, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@file_argument
@click.option("-n", "count", type=click.IntRange(min=1), default=1, metavar="COUNT", help="How many steps to show [1].")
@budget_options
@json_option
@as_option
def command(
    file: str,
    count: int,
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    as_json: bool,
    domain: str | None,
) -> int:
    """Show the next step from the instance in FILE, and why it is right.

    When the instance cannot be solved any more, the hint says so, and why.
    """
    from solvent import asking
    from solvent.registry import domain_of

    problem = read_problem(file, domain)
    owner = domain_of(problem)
    options = settle(owner, owner.solve_options)

    def work(cancellation: Cancellation, listen: Listener) -> list[Hint]:
        budget = Budget(seconds=seconds, nodes=nodes, megabytes=megabytes, cancellation=cancellation)
        return list(itertools.islice(asking.hints(problem, budget=budget, listen=listen, **options), count))

    hints = watch(work)
    lost = any(hint.lost for hint in hints)
    if as_json:
        say_json({"domain": owner.name, "lost": lost, "hints": [_as_json(hint) for hint in hints]})
    else:
        _say_hints(problem, hints, file=file)
    if not hints or hints[0].reason is not None:
        return exits.UNKNOWN
    return exits.NO if lost else exits.DONE


def _as_json(hint: Hint) -> dict[str, Any]:
    return {
        "caption": hint.caption,
        "move": hint.move,
        "narrative": hint.narrative,
        "lost": hint.lost,
        "reason": None if hint.reason is None else str(hint.reason),
        "certificate": hint.certificate,
        "data": dict(hint.data),
    }


def _say_hints(problem: Any, hints: list[Hint], *, file: str) -> None:
    say_board(problem, Drawing(move=hints[0].move if hints else None))
    say()
    if not hints:
        say("No hint found.")
        return
    for number, hint in enumerate(hints, start=1):
        say_wrapped(hint.caption, first=f"{number}. " if len(hints) > 1 else "")
        if hint.narrative:
            say_wrapped(hint.narrative, first="  ")
    name = shlex.quote(file)
    if any(hint.lost for hint in hints):
        say()
        say(f"To see the proof:  solvent solve {name} --certificate proof.json")
    elif hints[0].move is not None:
        say()
        say(f"To see it:         solvent draw {name} --move {shlex.quote(hints[0].move)} -o hint.svg")
        say(f"For more steps:    solvent hint {name} -n {len(hints) + 4}")
