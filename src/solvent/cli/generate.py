"""`solvent generate`: make new instances from seeds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from solvent.cli.domain_options import DomainCommand, settle
from solvent.cli.output import note, say, write_file, write_text, writing
from solvent.cli.waiting import watch
from solvent.core.errors import BadOption, unknown_name
from solvent.proof.certificate import encode_certificate

SEED_MARK = "{seed}"


@click.command(
    "generate",
    cls=DomainCommand,
    kind="generate_options",
    epilog="Exit codes: 0 done, 2 usage, 20 nothing of that kind found, 30 OUT cannot be written, 130 Ctrl-C.",
)
@click.argument("name", metavar="DOMAIN")
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Same seed, same instance [0].")
@click.option(
    "-n",
    "--count",
    "count",
    type=click.IntRange(min=1),
    default=1,
    metavar="COUNT",
    help="Make one for each of COUNT seeds [1].",
)
@click.option("--format", "format", metavar="FORMAT", help="Which format; the domain's first by default.")
@click.option("-o", "out", metavar="OUT", help="A file, a folder, or a name with {seed} in it.")
def command(name: str, seed: int, count: int, format: str | None, out: str | None) -> None:
    """Make a new instance of DOMAIN and write it to standard output or to OUT.

    With --count 3 --seed 7 the seeds are 7, 8 and 9, and OUT is a folder or a name with {seed} in it. Where a domain
    proves something of all it makes, the certificate is written beside OUT, with the ending .certificate.json; further
    ones have their question in front of that.
    """
    from solvent import asking
    from solvent.core.domain import Generating
    from solvent.reading import format_problem
    from solvent.registry import get_domain

    domain = get_domain(name)
    if not isinstance(domain, Generating):
        raise BadOption(f"{name} has no generator")
    options = settle(domain, domain.generate_options, reserved=("seed", "format", "count"))
    if format is not None and format not in domain.formats:
        raise unknown_name(f"{name} format", format, domain.formats)
    out = None if out == "-" else out
    pattern = _pattern(out, name, count, suffix=".json" if format == "json" else ".txt")
    for one in range(seed, seed + count):
        problem, answers = watch(
            lambda _cancellation, listen, one=one: asking.generate(name, seed=one, listen=listen, **options)  # type: ignore[misc]
        )
        target = None if pattern is None else pattern.replace(SEED_MARK, str(one))
        if target is None and one > seed:
            say()
        write_text(format_problem(problem, format), target)
        for number, answer in enumerate(answers):
            if target is None and sys.stderr is not None and sys.stderr.isatty():
                note(f"{answer.question} {answer.verdict}: proved and checked; with -o the certificate is kept.")
            if target is not None and answer.certificate is not None:
                # The first is what all instances have in common; the others are told apart by their question.
                ending = "certificate.json" if number == 0 else f"{answer.question}.certificate.json"
                write_file(encode_certificate(answer.certificate), f"{os.path.splitext(target)[0]}.{ending}")
    if pattern is not None and count > 1:
        note(f"Wrote {count} files: {pattern} for the seeds {seed} to {seed + count - 1}.")


def _pattern(out: str | None, name: str, count: int, *, suffix: str) -> str | None:
    """Return the name of each file, with {seed} in it when there are several; None for standard output."""
    if out is not None and (os.path.isdir(out) or out.endswith(("/", os.sep))):
        with writing(out):
            os.makedirs(out, exist_ok=True)
        return str(Path(out) / f"{name}-{SEED_MARK}{suffix}")
    if count > 1 and out is not None and SEED_MARK not in out:
        raise click.UsageError(
            "--count needs -o with a folder, such as -o boards/, or with {seed}, such as -o board-{seed}.txt"
        )
    return out
