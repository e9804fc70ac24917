"""`solvent check`: verify a certificate that was saved earlier, or a solution, or everything in a store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.answers import say_wrapped
from solvent.cli.input import STANDARD_INPUT, read_certificate, read_problem
from solvent.cli.output import say, say_json
from solvent.cli.parameters import instance_options, json_option
from solvent.cli.waiting import watch
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store.evidence import Checked
    from solvent.core.events import Listener

REJECTED_KEYS = ("name", "domain", "hash", "answer", "question", "verdict", "form", "violations")
"""What the JSON of a checked store has about each answer that was rejected."""


@click.command("check", epilog="Exit codes: 0 accepted, 31 rejected, 2 usage, 30 bad input, 130 Ctrl-C.")
@click.argument("file", metavar="[FILE", required=False)
@click.argument("certificate", metavar="CERTIFICATE]", required=False)
@click.option("--store", metavar="STORE", help="Check everything in a store that 'solvent validate' wrote.")
@click.option("--run", type=int, metavar="N", help="With --store: only what run N found.")
@json_option
@instance_options
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    certificate: str | None,
    store: str | None,
    run: int | None,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
) -> int:
    """Verify that CERTIFICATE proves what it claims about the instance in FILE.

    CERTIFICATE may also be a solution as text, where the domain has such files (see its reference page).
    The checker shares no code with the solvers. It lists everything that is wrong with a certificate it rejects.

    With --store instead of FILE and CERTIFICATE, every certificate in the store is checked. What no certificate covers,
    such as times and counts, must fit the seal of its answer, and the tables of finished runs must be whole. That finds
    accidents and edits; a seal is no signature, and names and times of sources have none.
    """
    if store is not None:
        if file is not None:
            raise click.UsageError("--store takes the place of FILE and CERTIFICATE; leave them out", context)
        if domain is not None or rules:
            raise click.UsageError("--as and --rule are for a FILE; a store says itself what it holds", context)
        return _check_store(store, run, as_json)
    if run is not None:
        raise click.UsageError("--run is for a --store", context)
    for name, given in (("FILE", file), ("CERTIFICATE", certificate)):
        if given is None:
            raise click.UsageError(f"Missing argument '{name}'", context)
    assert file is not None
    assert certificate is not None
    return _check_file(file, certificate, as_json, domain, rules)


def _check_file(file: str, certificate: str, as_json: bool, domain: str | None, rules: dict[str, str]) -> int:
    from solvent.asking import find_violations
    from solvent.registry import domain_of

    if file == certificate == STANDARD_INPUT:
        raise click.UsageError("FILE and CERTIFICATE cannot both be standard input")
    problem = read_problem(file, domain, rules)
    claimed = read_certificate(certificate, problem)
    owner = domain_of(problem)
    violations = watch(lambda _budget, _listen: find_violations(owner, problem, claimed))
    if as_json:
        say_json(
            {
                "accepted": not violations,
                "domain": owner.name,
                "question": claimed.get("question"),
                "verdict": claimed.get("verdict"),
                "form": claimed.get("form"),
                "violations": violations,
            }
        )
    elif violations:
        say(f"rejected: {counted(len(violations), 'violation')}")
        for violation in violations:
            say_wrapped(violation, first="  - ", rest="    ")
    else:
        say(f"accepted: {claimed['question']} {claimed['verdict']} ({claimed['form']})")
    return exits.REJECTED if violations else exits.DONE


@dataclass(slots=True)
class _CheckCounts:
    """Count what was checked, and keep what was rejected."""

    certificates: int = 0
    accepted: int = 0
    """Those of the certificates with nothing wrong about them or the answer they belong to."""
    uncertified: int = 0
    """Verdicts without a certificate, where that is allowed."""
    open: int = 0
    """Answers without a verdict, which claim nothing."""
    rejected: list[Checked] = field(default_factory=list)

    def take(self, checked: Checked) -> None:
        self.certificates += checked.has_certificate
        if not checked.accepted:
            self.rejected.append(checked)
        elif checked.has_certificate:
            self.accepted += 1
        elif checked.verdict in ("YES", "NO"):
            self.uncertified += 1
        else:
            self.open += 1


def _check_store(path: str, run: int | None, as_json: bool) -> int:
    from solvent.batch.checking import check_store
    from solvent.batch.store import Store

    tally = _CheckCounts()

    def work(_budget: object, listen: Listener) -> None:
        with Store.open(path, read_only=True) as store:
            for checked in check_store(store, run=run, listen=listen):
                tally.take(checked)

    watch(work)
    if as_json:
        say_json(_as_json(path, tally))
    else:
        _say_tally(tally)
    return exits.REJECTED if tally.rejected else exits.DONE


def _say_tally(tally: _CheckCounts) -> None:
    if tally.rejected:
        only_answers = all(checked.answer is not None for checked in tally.rejected)
        say(f"rejected: {counted(len(tally.rejected), 'answer' if only_answers else 'finding')}")
        for checked in tally.rejected:
            question = f", {checked.question}" if checked.question else ""
            verdict = f" {checked.verdict}" if checked.verdict else ""
            say_wrapped(f"{checked.name}{question}{verdict}", first="  ", rest="    ")
            for violation in checked.violations:
                say_wrapped(violation, first="    - ", rest="      ")
    say(f"accepted: {tally.accepted:,} of {counted(tally.certificates, 'certificate')}")
    if tally.uncertified:
        say(f"not certified: {counted(tally.uncertified, 'verdict')}, asked for without proof")
    if tally.open:
        say(f"nothing to check: {counted(tally.open, 'answer')} without a verdict")


def _as_json(path: str, tally: _CheckCounts) -> dict[str, Any]:
    return {
        "accepted": not tally.rejected,
        "store": path,
        "certificates": tally.certificates,
        "accepted_certificates": tally.accepted,
        "not_certified": tally.uncertified,
        "without_verdict": tally.open,
        "rejected": [{key: getattr(checked, key) for key in REJECTED_KEYS} for checked in tally.rejected],
    }
