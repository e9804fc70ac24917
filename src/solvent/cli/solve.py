"""`solvent solve`: answer a question about an instance."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from solvent.cli import exits
from solvent.cli.answers import (
    EXIT_CODES,
    answer_line,
    say_board,
    say_explanation,
    say_solution,
    say_stats,
    say_wrapped,
)
from solvent.cli.domain_options import DomainCommand, settle
from solvent.cli.input import read_problem
from solvent.cli.output import CannotUse, complain, note, say, say_json, write_file, writing
from solvent.cli.parameters import as_option, budget_options, file_argument, json_option, rule_option
from solvent.cli.waiting import Interrupted, watch
from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.core.domain import Profiling, Remarking, SolutionFiles
from solvent.core.errors import BadOption
from solvent.core.events import Listener


@click.command(
    "solve",
    cls=DomainCommand,
    kind="solve_options",
    epilog="Exit codes: 0 YES, 10 NO, 20 UNKNOWN, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@file_argument
@click.option("--ask", "question", metavar="QUESTION", help="What to ask; the domain's first question by default.")
@budget_options
@json_option
@click.option(
    "--certificate", "out", metavar="OUT", help="Save the proof in OUT, a .json file, or .json.gz to compress it."
)
@click.option(
    "--solution", "solution_out", metavar="OUT", help="Save the solution of a YES as text, where the domain has that."
)
@click.option(
    "--no-proof",
    is_flag=True,
    help="Let an answer that rests on a long search come without proof, where that is faster.",
)
@as_option
@rule_option
@click.option(
    "--profile",
    "profile_out",
    metavar="PREFIX",
    help="Write where the search spent its effort to files that begin so, where the domain has that.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show what reading assumed and what the search counted.")
def command(
    file: str,
    question: str | None,
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    as_json: bool,
    out: str | None,
    solution_out: str | None,
    no_proof: bool,
    domain: str | None,
    rules: dict[str, str],
    profile_out: str | None,
    verbose: bool,
) -> int:
    """Answer a question about the instance in FILE.

    YES and NO are told only after an independent checker accepted the proof. Running out of time, nodes or memory is
    UNKNOWN. Each domain has options of its own, given the same way as those of the command.
    """
    from solvent import asking
    from solvent.registry import domain_of

    if out == "-":
        raise click.UsageError("--certificate needs a file; --json has the certificate on standard output")
    if solution_out == "-":
        raise click.UsageError("--solution needs a file; the answer on standard output shows the plan")
    if out is not None and out == solution_out:
        raise click.UsageError("--certificate and --solution cannot be the same file")
    problem = read_problem(file, domain, rules)
    owner = domain_of(problem)
    if solution_out is not None and not isinstance(owner, SolutionFiles):
        raise BadOption(f"{owner.name} has no solution files")
    options = settle(owner, owner.solve_options)
    if profile_out is not None:
        if not isinstance(owner, Profiling):
            raise BadOption(f"{owner.name} has no profile")
        options["profile"] = True
    budget = Budget(seconds=seconds, nodes=nodes, megabytes=megabytes)
    # a mistake is told before the board is drawn, so that it leaves standard output empty
    asking.make_request(owner, question, budget, options=options)

    def work(cancellation: Cancellation, listen: Listener) -> Answer:
        allowed = replace(budget, cancellation=cancellation)
        return asking.ask(problem, question, budget=allowed, proof=not no_proof, listen=listen, **options)

    if not as_json:
        say_board(problem)
        say()
        if verbose and isinstance(owner, Remarking):
            _say_remarks(owner.remarks(problem))
    try:
        answer = watch(work)
    except Interrupted as interrupted:
        for late in interrupted.results:  # what arrived just in time is not thrown away
            assert isinstance(late, Answer)
            _say_answer(problem, late, as_json=as_json, verbose=verbose)
            if out is not None and late.certified:
                _save(late, out, file=file, quiet=as_json)
            if solution_out is not None and late.certified:
                _save_solution(problem, late, solution_out, file=file, quiet=as_json)
        raise
    _say_answer(problem, answer, as_json=as_json, verbose=verbose)
    saved = [
        out is None or _save(answer, out, file=file, quiet=as_json),
        solution_out is None or _save_solution(problem, answer, solution_out, file=file, quiet=as_json),
        profile_out is None or _save_profile(problem, answer, profile_out, quiet=as_json),
    ]
    return EXIT_CODES[answer.verdict] if all(saved) else exits.BAD_INPUT


def _say_answer(problem: Any, answer: Answer, *, as_json: bool, verbose: bool) -> None:
    if as_json:
        say_json(answer.as_json())
        return
    say(answer_line(answer))
    say_explanation(problem, answer)
    say_solution(problem, answer)
    if verbose:
        say_stats(answer.stats)


def _say_remarks(remarks: Sequence[str]) -> None:
    if remarks:
        say("Reading it assumed:")
        for remark in remarks:
            say_wrapped(remark, first="  - ", rest="    ")
        say()


def _save_profile(problem: Any, answer: Answer, prefix: str, *, quiet: bool) -> bool:
    """Write the files that show where the search spent its effort; return False when one could not be written."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert isinstance(owner, Profiling)
    try:
        files = owner.profile(problem, answer)
    except BadOption as error:  # decided before any search that keeps count
        note(f"solvent: no profile written: {error}")
        return True
    for ending, text in files.items():
        out = f"{prefix}.{ending}"
        try:
            write_file(text.encode("utf-8"), out)
        except CannotUse as error:
            complain(error)
            return False
        if not quiet:
            say(f"Profile: {out}")
    return True


def _save(answer: Answer, out: str, *, file: str, quiet: bool) -> bool:
    """Save the certificate and say so; return False when it could not be written."""
    if answer.certificate is None:
        note(f"solvent: no certificate written: {answer.verdict} comes without one here")
        return True
    try:
        size = save(answer.certificate, out)
    except CannotUse as error:
        complain(error)
        return False
    if not quiet:
        say()
        say(f"Certificate: {out} ({size:,} bytes). Check it again with:")
        say(f"  solvent check {shlex.quote(file)} {shlex.quote(out)}")
    return True


def _save_solution(problem: Any, answer: Answer, out: str, *, file: str, quiet: bool) -> bool:
    """Save the solution of a YES and say so; return False when it could not be written."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert isinstance(owner, SolutionFiles)
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        note(f"solvent: no solution written: {answer.verdict} comes without one")
        return True
    try:
        text = owner.write_solution(problem, answer.certificate)
        _insist_on_regular_file(out)
        write_file(text.encode("utf-8"), out)
    except BadOption as error:  # a YES that rests on something else than a plan
        note(f"solvent: no solution written: {error}")
        return True
    except CannotUse as error:
        complain(error)
        return False
    if not quiet:
        say()
        say(f"Solution: {out}. Check it again with:")
        say(f"  solvent check {shlex.quote(file)} {shlex.quote(out)}")
    return True


def save(certificate: Certificate, out: str) -> int:
    """Save a certificate and return the size of the file, or raise CannotUse."""
    from solvent.proof.certificate import save_certificate

    _insist_on_regular_file(out)
    target = Path(out)
    with writing(out):
        save_certificate(certificate, target)
        return target.stat().st_size


def _insist_on_regular_file(out: str) -> None:
    target = Path(out)
    with writing(out):
        if target.exists() and not target.is_file():
            raise CannotUse(f"cannot write {out}: it is not a regular file")
