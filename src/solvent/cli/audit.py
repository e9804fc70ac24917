"""`solvent audit`: put an invalidity test to an exhaustive trial."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterator

import click

from solvent.cli import exits
from solvent.cli.answers import say_wrapped
from solvent.cli.domain_options import DomainCommand, given_options
from solvent.cli.invalidity import find_test
from solvent.cli.output import columns, say, say_json
from solvent.cli.parameters import json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget
from solvent.core.events import Event, Kind, Listener
from solvent.core.options import resolve_options
from solvent.core.trial import AuditScope, Trial, described_pairs

LEAST_LABEL = 16
"""Columns that a label needs beside its numbers."""
_WIDTHS = (11, 11, 20)
"""Columns for the numbers of a scope; the label gets the rest."""


@click.command(
    "audit",
    cls=DomainCommand,
    kind="audit",
    epilog="Exit codes: 0 no counterexample within the bounds, 10 a counterexample, 2 usage, 130 Ctrl-C.",
)
@click.argument("name", metavar="TEST")
@click.option("--as", "domain_name", metavar="DOMAIN", help="The domain whose instances are tried.")
@click.option(
    "--path", "folder", metavar="FOLDER", help="Look for MODULE in FOLDER too, behind all that is installed; . is here."
)
@click.option("--pairs", is_flag=True, help="Show what the test is worth together with each of the domain's own.")
@json_option
def command(name: str, domain_name: str | None, folder: str | None, pairs: bool, as_json: bool) -> int:
    """Hunt for a solvable instance that TEST calls invalid, among all small ones.

    TEST is one of a domain's invalidity tests ('solvent domains' lists them), or MODULE:OBJECT for your own: an object
    with name, reason and is_invalid(state), a class of such objects, or a function that takes a state and returns True
    only if it cannot be solved. MODULE has to be installed, or in the folder that --path names: the current folder is
    not looked in unasked, since a file there could pass for something else.
    """
    domain, audit, test = find_test(name, domain_name, folder)
    options = resolve_options(audit.options, given_options(domain, audit.options))
    latest: list[Listener] = []

    def relay(event: Event) -> None:
        latest[-1](event)

    beside = [other for other in audit.tests().values() if other.name != test.name and getattr(other, "sound", True)]
    beside = list({other.name: other for other in beside}.values())  # some have two names
    trial: Iterator[AuditScope] = iter(audit.run(Trial(test, beside, listen=relay), options))

    def advance(_budget: Budget, listen: Listener) -> AuditScope | None:
        latest[:] = [listen]
        listen(Event(Kind.STAGE, f"trying {test.name}"))
        return next(trial, None)

    # a mistake in the options may show only when the trial begins, and must leave standard output empty
    scope = watch(advance)
    if not as_json:
        say_wrapped(test.reason, first=f"{test.name}: ")
        say()
        say(_row("scope", "solvable", "false pos.", "unsolvable caught"))
    scopes: list[AuditScope] = []
    # one scope at a time, so that each is shown, and kept after Ctrl-C, as soon as it is done
    while scope is not None:
        scopes.append(scope)
        if not as_json:
            unsolvable = scope.unsolvable
            strength = f"{scope.caught / unsolvable:.1%} of {unsolvable:,}" if unsolvable else "-"
            say(_row(scope.label, f"{scope.examined:,}", f"{scope.false_positives:,}", strength))
        scope = watch(advance)
    wrong = sum(scope.false_positives for scope in scopes)
    if as_json:
        say_json(
            {
                "test": test.name,
                "domain": domain.name,
                "reason": test.reason,
                "counterexample_found": wrong > 0,
                "pairs": described_pairs(scopes),
                "scopes": [dataclasses.asdict(scope) for scope in scopes],
            }
        )
    else:
        _say_pairs(test.name, scopes, every=pairs)
        _say_conclusion(test.name, scopes)
    return exits.NO if wrong else exits.DONE


def _row(label: str, *numbers: str) -> str:
    room = columns() - sum(_WIDTHS)
    if room < LEAST_LABEL:  # numbers below the label, where there is no room for them beside it
        lines = textwrap.wrap(label, columns())
        return "\n".join([*lines, *textwrap.wrap(" | ".join(numbers), columns(), initial_indent="  ")])
    lines = textwrap.wrap(label, room - 1) or [""]
    last = lines[-1].ljust(room) + "".join(number.rjust(width) for number, width in zip(numbers, _WIDTHS, strict=True))
    return "\n".join([*lines[:-1], last])


def _say_pairs(name: str, scopes: list[AuditScope], *, every: bool) -> None:
    """Say what a test adds to those the domain has, and with `every` what it makes of each."""
    unsolvable = sum(scope.unsolvable for scope in scopes)
    pairs = described_pairs(scopes)
    if not unsolvable or not pairs:
        return
    caught = sum(scope.caught for scope in scopes)
    added = sum(scope.added for scope in scopes)
    if every:
        say()
        say(_row("together with", "alone", "together", f"more than {name}"[: _WIDTHS[2] - 1]))
        for pair in pairs:
            more = pair["together"] - caught
            figures = (f"{pair['other_caught'] / unsolvable:.1%}", f"{pair['together'] / unsolvable:.1%}")
            say(_row(pair["other"], *figures, f"{more:,}"))
    say()
    missed = f"the other test misses {added:,}" if len(pairs) == 1 else f"the {len(pairs)} other tests miss {added:,}"
    say_wrapped(f"Of the {caught:,} unsolvable ones it caught, {missed}.")


def _say_conclusion(name: str, scopes: list[AuditScope]) -> None:
    examined = sum(scope.examined for scope in scopes)
    wrong = sum(scope.false_positives for scope in scopes)
    say()
    if not wrong:
        say_wrapped(
            f"No counterexample: {name} stayed silent on all {examined:,} solvable instances within the bounds."
        )
        return
    say_wrapped(f"Not sound: {name} fired on {wrong:,} of {examined:,} solvable instances. The first:")
    for scope in scopes:
        if scope.first_counterexample is not None:
            say()
            say(textwrap.indent(scope.first_counterexample.rstrip("\n"), "  "))
            return
