"""`solvent solve`: answer a question about an instance."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from solvent.cli import exits
from solvent.cli.answers import (
    EXIT_CODES,
    answer_line,
    say_board,
    say_explanation,
    say_remarks,
    say_solution,
    say_stats,
)
from solvent.cli.configured import configured_options
from solvent.cli.domain_options import DomainCommand, given_options, resolve_question
from solvent.cli.input import STANDARD_INPUT, read_problem
from solvent.cli.output import require_folder, say, say_json
from solvent.cli.parameters import budget_options, file_argument, instance_options, json_option
from solvent.cli.waiting import Interrupted, watch
from solvent.core.answer import Answer, Reason
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, LimitReached, show_value

if TYPE_CHECKING:
    from solvent.core.pruning import InvalidityTest

SECONDS_FOR_A_CALL = 5.0
"""How long after its limit a search may still wait for a test of the user to come back before it is left alone."""


@click.command(
    "solve",
    cls=DomainCommand,
    kind="solve",
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
    "-o",
    "--output",
    "export_out",
    metavar="OUT",
    help="Write the solution of a YES as a file for other programs; the ending of OUT says which kind.",
)
@click.option("--solution", "solution_out", metavar="OUT", help="Save the solution of a YES as text.")
@click.option(
    "--no-proof",
    is_flag=True,
    help="Skip the proof where it takes long; the answer then says that it is not certified.",
)
@click.option(
    "--with-test",
    "with_tests",
    metavar="TEST",
    multiple=True,
    help="Prune with an invalidity test of your own, MODULE:OBJECT, after it stood its trial; may be given again.",
)
@click.option("--path", "folder", metavar="FOLDER", help="Look for the MODULE of --with-test in FOLDER too.")
@instance_options
@click.option(
    "--profile",
    "profile_out",
    metavar="PREFIX",
    help="Write files that show where the search spent its effort; their names begin with PREFIX.",
)
@click.option(
    "-v",
    "--verbose",
    count=True,
    help="Show all that reading assumed and what the search counted; twice, what it logs, on standard error.",
)
def command(
    file: str,
    question: str | None,
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    as_json: bool,
    out: str | None,
    export_out: str | None,
    solution_out: str | None,
    no_proof: bool,
    with_tests: tuple[str, ...],
    folder: str | None,
    domain: str | None,
    rules: dict[str, str],
    profile_out: str | None,
    verbose: int,
) -> int:
    """Answer a question about the instance in FILE.

    A YES or NO is given only after an independent checker accepted its proof. Running out of time, nodes or memory is
    UNKNOWN. Each domain has options of its own, listed below.
    """
    from solvent import asking
    from solvent.registry import domain_of

    if out == "-":
        raise click.UsageError("--certificate needs a file; --json has the certificate on standard output")
    if solution_out == "-":
        raise click.UsageError("--solution needs a file; the answer on standard output shows the plan")
    given = {"FILE": file, "--certificate": out, "--solution": solution_out, "-o": export_out}
    named = [(option, os.path.realpath(name)) for option, name in given.items() if name not in (None, STANDARD_INPUT)]
    for (first, name), (second, same) in itertools.combinations(named, 2):
        if name == same:
            raise click.UsageError(f"{first} and {second} cannot be the same file")
    require_folder(out, solution_out, export_out, profile_out)
    if verbose > 1:
        _log_to_standard_error()
    problem = read_problem(file, domain, rules)
    owner = domain_of(problem)
    question = resolve_question(owner, question)
    needed = {} if export_out is None else _options_needed(owner, export_out)
    if solution_out is not None and owner.solutions is None:
        raise BadOption(f"{owner.name} has no solution files")
    options = {**configured_options(owner.name), **given_options(owner, owner.solve_options)}
    if profile_out is not None:
        if owner.profile is None:
            raise BadOption(f"{owner.name} has no profile")
        options["profile"] = True
    options |= needed
    budget = Budget(seconds=seconds, nodes=nodes, megabytes=megabytes)
    # before the board is drawn, so that a mistake leaves standard output empty
    tests = _find_tests(owner, with_tests, folder)
    request = asking.make_request(owner, question, budget=budget, proof=not no_proof, options=options, tests=tests)

    proof = {"certificate": out, "solution": solution_out}
    shown = ""
    if not as_json:
        shown = say_board(problem)
        say()
        say_remarks(problem, every=verbose > 0)
    try:
        answer = watch(
            lambda budget, listen: asking.answer(problem, replace(request, budget=budget, listen=listen)),
            budget,
            abandon_after=seconds + SECONDS_FOR_A_CALL if tests and seconds is not None else None,
        )
    except LimitReached as error:  # of no search, which would have answered UNKNOWN
        if seconds is None:
            raise
        detail = f"limit {seconds:g} s, and a test of yours has not come back"
        raise LimitReached(Reason(error.reason.cause, detail)) from None
    except Interrupted as interrupted:
        for late in interrupted.results:  # what arrived just in time is not thrown away
            assert isinstance(late, Answer)
            _say_answer(problem, late, shown, as_json=as_json, verbose=verbose > 0)
            if late.certified:
                _save(problem, late, proof, file=file, quiet=as_json)
        raise
    _say_answer(problem, answer, shown, as_json=as_json, verbose=verbose > 0)
    wanted = {**proof, "profile": profile_out, "export": export_out}
    return _save(problem, answer, wanted, file=file, quiet=as_json) or EXIT_CODES[answer.verdict]


def _log_to_standard_error() -> None:
    """Show what the library logs, down to details, until the command ends."""
    import logging

    logger = logging.getLogger("solvent")
    level = logger.level
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    context = click.get_current_context()
    context.call_on_close(lambda: logger.setLevel(level))
    context.call_on_close(lambda: logger.removeHandler(handler))


def _find_tests(owner: Domain[Any], names: tuple[str, ...], folder: str | None) -> list[InvalidityTest[Any]]:
    """Return the invalidity tests to prune with besides the search's own."""
    if not names:
        return []
    from solvent.cli.invalidity import find_test

    if owner.audit is None or not owner.audit.joins_search:  # before anything of the user's is run
        raise BadOption(f"--with-test: {owner.name} takes no invalidity tests of your own")
    return [find_test(name, owner.name, folder)[2] for name in names]


def _save(problem: Any, answer: Answer, wanted: Mapping[str, str | None], *, file: str, quiet: bool) -> int:
    """Write what was asked for and return the largest exit code."""
    named = {kind: out for kind, out in wanted.items() if out is not None}
    if not named:
        return exits.DONE
    from solvent.cli.saving import save_all

    return save_all(problem, answer, named, file=file, quiet=quiet)


def _options_needed(domain: Domain[Any], out: str) -> Mapping[str, Any]:
    """Return the solve options that the kind of file OUT stands for needs, or say which kinds there are."""
    if domain.exports is None:
        raise BadOption(f"{domain.name} has no files for -o; --certificate keeps the proof")
    from solvent.cli.saving import find_export_ending

    ending = find_export_ending(domain.exports.kinds, out)
    if ending is None:
        endings = ", ".join(f".{each}" for each in domain.exports.kinds)
        raise BadOption(f"-o: expected a name that ends in one of {endings}, found {show_value(out)}")
    return domain.exports.needs.get(ending, {})


def _say_answer(problem: Any, answer: Answer, shown: str, *, as_json: bool, verbose: bool) -> None:
    """Write the answer; `shown` is the board as it stands above it."""
    if as_json:
        say_json(answer.as_json())
        return
    say(answer_line(answer))
    say_explanation(problem, answer)
    say_solution(problem, answer, shown=shown)
    if verbose:
        say_stats(answer.stats)
