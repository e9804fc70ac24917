"""`solvent generate`: make new instances from seeds."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solvent.cli.domain_options import DomainCommand, given_options
from solvent.cli.made_files import write_made_files
from solvent.cli.output import OTHER_PICTURES, note, say, say_json, write_file, write_text, writing
from solvent.cli.parameters import COUNT, SECONDS, json_option, wish_options
from solvent.cli.saving import find_export_ending
from solvent.cli.waiting import watch
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Generator
from solvent.core.errors import BadOption, unknown_name
from solvent.core.events import Listener
from solvent.core.options import resolve_options
from solvent.proof.certificate import encode_certificate

if TYPE_CHECKING:
    from solvent.cli.wishing import Wished

SEED_MARK = "{seed}"
WISHES = ("require", "forbid", "mapping", "terrain")
RESERVED = ("seed", "count", "seconds", "nodes", "megabytes", "format", "pdf", "paper", *WISHES)
"""Options of the command itself."""
PAPERS = ("a4", "letter")
PROOF_ENDING = "certificate.json"


@click.command(
    "generate",
    cls=DomainCommand,
    kind="generate",
    epilog="Exit codes: 0 done, 2 usage, 20 nothing of that kind found, 30 OUT cannot be written, 130 Ctrl-C.",
)
@click.argument("name", metavar="DOMAIN")
@click.argument("source", metavar="[SOURCE]", required=False)
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
@click.option(
    "--seconds", type=SECONDS, metavar="S", help="Give up on an instance after this time, its proofs included."
)
@click.option("--nodes", type=COUNT, metavar="N", help="Give up on an instance after this much work.")
@click.option("--megabytes", type=float, metavar="M", help="Give up when the process has grown by this much.")
@wish_options
@click.option("--mapping", metavar="FILE", help="What the names in the level mean to the domain that is asked.")
@click.option("--terrain", metavar="RULES", help="Dress the ground of the level with these rules.")
@click.option("--format", "format", metavar="FORMAT", help="Which format; the domain's first by default.")
@click.option("-o", "--output", "out", metavar="OUT", help="A file, a folder, or a name with {seed} in it.")
@click.option("--pdf", "pdf", metavar="PDF", help="Make a book to print: all instances, then their solutions.")
@click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], help="For --pdf: the size of its pages [a4].")
@json_option
def command(
    name: str,
    source: str | None,
    seed: int,
    count: int,
    format: str | None,
    out: str | None,
    pdf: str | None,
    paper: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Make a new instance of DOMAIN and write it to standard output or to OUT.

    SOURCE is what to make it from, in domains that need it.

    With --count 3 --seed 7 the seeds are 7, 8 and 9, and OUT is a folder or a name with {seed} in it. Certificates are
    written beside OUT, with the ending .certificate.json. If OUT ends in the kind of a file that shows an answer, such
    as .png, that is written instead of the instance, unless --format is given. What is too large for one file, such as
    the chunks of a world, needs a folder as OUT.

    With --pdf, all of them go into one book to print, with the solutions at the end. A seed that gives nothing of the
    kind is skipped, and the one after the last takes its place.

    With --require and --forbid, the level is read back and asked these questions, and changed until every answer is as
    it must be. The certificates are written beside the level, and so is what it was made from.
    """
    from solvent import asking
    from solvent.cli.answers import note_remarks
    from solvent.reading import format_problem
    from solvent.registry import get_domain

    domain = get_domain(name)
    if domain.generator is None:
        raise BadOption(f"{name} has no generator")
    options = given_options(
        domain,
        domain.generator.options,
        reserved=RESERVED,
        arguments=_named_source(domain, source),
    )
    if format is not None and format not in domain.formats:
        raise unknown_name(f"{name} format", format, domain.formats)
    out = None if out == "-" else out
    if pdf is not None:
        from solvent.cli.book import write_book

        wishes = [given.pop(wish) for wish in WISHES]
        if out is not None or format is not None or any(wishes):
            left_out = "-o, --format, --require, --forbid and --terrain"
            raise click.UsageError(f"--pdf makes one book and nothing else; leave out {left_out}")
        write_book(domain, options, range(seed, seed + count), pdf, paper, Budget(**given), as_json=as_json)
        return
    wished = _read_wished(domain, given, options, out, format)
    if wished is None and write_made_files(name, options, seed, count, out, Budget(**given), as_json=as_json):
        return
    pattern = _pattern(out, name, count, suffix=_suffix(domain, format, wished))
    if wished is not None:
        from solvent.cli.wishing import run_wished

        _require_other_files(options, pattern, range(seed, seed + count))
        seeds, budget = range(seed, seed + count), Budget(**given)
        run_wished(domain, options, wished, seeds, pattern, format=format, budget=budget, as_json=as_json)
        return
    ending = None
    if out is not None and pattern == out and format is None:
        ending, format = _kind_of_file(domain, domain.generator, options, out)
    if out is not None and ending is None and out.lower().endswith(OTHER_PICTURES):
        raise click.UsageError(f"{name} cannot write pictures like {out!r}")
    _require_other_files(options, pattern, range(seed, seed + count))
    budget = Budget(**given)
    needs = {} if ending is None or domain.exports is None else domain.exports.needs.get(ending, {})

    def make(one: int, budget: Budget, listen: Listener) -> tuple[Any, list[Answer], bytes | None]:
        problem, answers = asking.generate(
            name,
            seed=one,
            budget=budget,
            listen=listen,
            solve_options=needs,
            **options,
        )
        if ending is None:
            return problem, answers, None
        # A file is made of the last YES, which is the one that was attempted if there is one.
        exported = [answer for answer in answers if answer.verdict is Verdict.YES][-1]
        return (
            problem,
            answers,
            asking.export(problem, exported, ending, folder=None if out is None else Path(out).parent),
        )

    made, noted = [], False
    for one in range(seed, seed + count):
        problem, answers, data = watch(functools.partial(make, one), budget)
        target = None if pattern is None else pattern.replace(SEED_MARK, str(one))
        if as_json:
            text = format_problem(problem, format)
            asked = [{"question": answer.question, "verdict": str(answer.verdict)} for answer in answers]
            proofs = [answer.certificate for answer in answers if answer.certificate is not None]
            found = {"answers": asked, "certificates": proofs, "remarks": list(domain.remarks(problem))}
            made.append({"seed": one, "text": text, "file": target, **found})
        elif target is None and one > seed:
            say()
        if not as_json and not noted:  # of the same source, each seed has the same remarks
            noted = True
            note_remarks(problem)
        if as_json and target is None:
            continue
        if data is None or target is None:
            write_text(format_problem(problem, format), target)
        else:
            write_file(data, target)
        for number, answer in enumerate(answers):
            if target is None and sys.stderr is not None and sys.stderr.isatty():
                note(f"{answer.question} {answer.verdict}: proved and checked; with -o the certificate is kept.")
            if target is not None and answer.certificate is not None:
                # The first is what all instances have in common; the others are told apart by their question.
                ending_of_proof = PROOF_ENDING if number == 0 else f"{answer.question}.{PROOF_ENDING}"
                write_file(encode_certificate(answer.certificate), f"{os.path.splitext(target)[0]}.{ending_of_proof}")
    if as_json:
        say_json({"domain": name, "format": format or next(iter(domain.formats)), "instances": made})
    elif pattern is not None and count > 1:
        note(f"Wrote {count} files: {pattern} for the seeds {seed} to {seed + count - 1}.")


def _read_wished(
    domain: Domain[Any], given: dict[str, Any], options: Mapping[str, Any], out: str | None, format: str | None
) -> Wished | None:
    """Take the wishes out of what was given; None where there are none, so that nothing is loaded for them."""
    if not any(given[name] for name in WISHES):
        for name in WISHES:
            del given[name]
        return None
    from solvent.cli.wishing import read_wished

    wished = read_wished(domain, given, options, out, format)
    return None if wished.is_empty else wished


def _suffix(domain: Domain[Any], format: str | None, wished: Wished | None) -> str:
    """Return how the names of files in a folder end."""
    if wished is not None and (wished.kind or wished.terrain):
        return f".{wished.kind or 'tmj'}"
    return ".json" if (format or next(iter(domain.formats))) == "json" else ".txt"


def _require_other_files(options: Mapping[str, Any], pattern: str | None, seeds: Iterable[int]) -> None:
    """Raise a usage error if a file that an option names would be written over."""
    read = {os.path.realpath(value) for value in options.values() if isinstance(value, str) and os.path.isfile(value)}
    if pattern is None or not read:
        return
    for seed in seeds:
        target = pattern.replace(SEED_MARK, str(seed))
        for name in (target, f"{os.path.splitext(target)[0]}.{PROOF_ENDING}"):
            if os.path.realpath(name) in read:
                raise click.UsageError(f"{name} is what it is made from; choose another name for -o")


def _named_source(domain: Domain[Any], source: str | None) -> dict[str, str]:
    """Return SOURCE under the name of the option it stands for."""
    if source is None:
        return {}
    option = None if domain.generator is None else domain.generator.source
    if option is None:
        raise click.UsageError(f"{domain.name} takes no SOURCE, found {source!r}")
    return {option: source}


def _kind_of_file(
    domain: Domain[Any], generator: Generator[Any], options: Mapping[str, Any], out: str
) -> tuple[str | None, str | None]:
    """Return the ending of the export that OUT stands for, or the format of the instance; None for the usual one."""
    from solvent import asking

    ending = None if domain.exports is None else find_export_ending(domain.exports.kinds, out)
    if ending is None:
        return None, None
    if any(
        expected.verdict is Verdict.YES
        for expected in asking.expectations(generator, resolve_options(generator.options, options))
    ):
        return ending, None
    if ending in domain.formats:
        return None, ending
    raise BadOption(f"a .{ending} file shows an answer, and with these options nothing is asked")


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
