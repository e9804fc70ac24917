"""`solvent check`: verify a certificate that was saved earlier, or a solution."""

from __future__ import annotations

import click

from solvent.cli import exits
from solvent.cli.answers import say_wrapped
from solvent.cli.input import STANDARD_INPUT, read_certificate, read_problem
from solvent.cli.output import say, say_json
from solvent.cli.parameters import as_option, file_argument, json_option, rule_option
from solvent.cli.waiting import watch


@click.command("check", epilog="Exit codes: 0 accepted, 31 rejected, 2 usage, 30 bad input, 130 Ctrl-C.")
@file_argument
@click.argument("certificate", metavar="CERTIFICATE")
@json_option
@as_option
@rule_option
def command(file: str, certificate: str, as_json: bool, domain: str | None, rules: dict[str, str]) -> int:
    """Verify that CERTIFICATE proves what it claims about the instance in FILE.

    CERTIFICATE may also be a solution as text, where the domain has such files (see its reference page).
    The checker shares no code with the solvers. It lists everything that is wrong with a certificate it rejects.
    """
    from solvent.asking import find_violations
    from solvent.registry import domain_of

    if file == certificate == STANDARD_INPUT:
        raise click.UsageError("FILE and CERTIFICATE cannot both be standard input")
    problem = read_problem(file, domain, rules)
    claimed = read_certificate(certificate, problem)
    owner = domain_of(problem)
    violations = watch(lambda _cancellation, _listen: find_violations(owner, problem, claimed))
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
        say(f"rejected: {len(violations)} violation{'' if len(violations) == 1 else 's'}")
        for violation in violations:
            say_wrapped(violation, first="  - ", rest="    ")
    else:
        say(f"accepted: {claimed['question']} {claimed['verdict']} ({claimed['form']})")
    return exits.REJECTED if violations else exits.DONE
