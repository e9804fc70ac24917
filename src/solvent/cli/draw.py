"""`solvent draw`: an instance as a picture or as text."""

from __future__ import annotations

import click

from solvent.cli.answers import note_remarks
from solvent.cli.configured import ConfiguredCommand
from solvent.cli.input import STANDARD_INPUT, read_certificate, read_problem
from solvent.cli.output import require_svg, say, say_json, wants_colour, write_beside_json, write_text
from solvent.cli.parameters import file_argument, instance_options, json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget
from solvent.core.domain import Drawing
from solvent.core.errors import unknown_name
from solvent.core.events import Listener


@click.command(
    "draw",
    cls=ConfiguredCommand,
    epilog="Exit codes: 0 done, 2 usage, 20 out of time, 30 bad input, 31 certificate rejected, 130 Ctrl-C.",
)
@file_argument
@click.option("-o", "--output", "out", metavar="OUT", help="Write to this file instead of standard output.")
@click.option(
    "--certificate",
    "certificate_file",
    metavar="CERTIFICATE",
    help="Also draw the solution in this certificate or solution file.",
)
@click.option("--move", metavar="MOVE", help="Mark one move, in the notation of hints and plans.")
@click.option("--view", metavar="VIEW", help="Which picture; 'solvent domains' lists them.")
@click.option("--text", "as_text", is_flag=True, help="Draw as text, as in a terminal, instead of SVG.")
@click.option("--seconds", type=click.FloatRange(min=0), metavar="S", help="Give up on the picture after this time.")
@json_option
@instance_options
def command(
    file: str,
    out: str | None,
    certificate_file: str | None,
    as_text: bool,
    seconds: float | None,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
    **shown: str | None,
) -> None:
    """Draw the instance in FILE as a self-contained SVG picture."""
    from solvent import asking
    from solvent.registry import domain_of

    if file == certificate_file == STANDARD_INPUT:
        raise click.UsageError("FILE and CERTIFICATE cannot both be standard input")
    if certificate_file is not None and as_text:
        raise click.UsageError("--text cannot draw the solution of a --certificate; leave one of them out")
    move, view = shown["move"], shown["view"]
    if certificate_file is not None and move is not None:
        raise click.UsageError("--move cannot be marked in the solution of a --certificate; leave one of them out")
    if not as_text:
        require_svg(out)
    problem = read_problem(file, domain, rules)
    certificate = None if certificate_file is None else read_certificate(certificate_file, problem)
    owner = domain_of(problem)
    if view is not None and view not in owner.views:
        raise unknown_name(f"{owner.name} view", view, owner.views or ["none"])
    if not as_json:
        note_remarks(problem)
    on_terminal = as_text and out is None and not as_json
    drawing = Drawing(certificate=certificate, move=move, view=view, colour=on_terminal and wants_colour())

    def work(budget: Budget, _listen: Listener) -> str:
        if certificate is not None:
            asking.check(problem, certificate, budget=budget)  # a picture of a solution that is none would mislead
        return owner.draw_text(problem, drawing) if as_text else owner.draw_svg(problem, drawing)

    picture = watch(work, Budget(seconds=seconds), abandon_after=seconds)
    if as_json:
        target = write_beside_json(picture, out)
        kind = "text" if as_text else "svg"
        say_json({"domain": owner.name, kind: picture, "file": target, "remarks": list(owner.remarks(problem))})
    elif on_terminal:
        say(picture.rstrip("\n"))
    else:
        write_text(picture, out)
