"""`solvent explain`: what leads to what, what is out of reach and why, and what would fix it."""

from __future__ import annotations

import click

from solvent.cli import exits
from solvent.cli.answers import remark_lines, say_board, say_wrapped
from solvent.cli.configured import configured_options
from solvent.cli.domain_options import DomainCommand, given_options
from solvent.cli.input import read_problem
from solvent.cli.output import note, require_svg, say, say_json, wants_colour, write_text
from solvent.cli.parameters import budget_options, file_argument, instance_options, json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget


@click.command(
    "explain",
    cls=DomainCommand,
    kind="solve",
    epilog="Exit codes: 0 done, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@file_argument
@click.option("-o", "--output", "out", metavar="OUT", help="Also draw what it points at, as an SVG picture in OUT.")
@budget_options
@json_option
@instance_options
def command(
    file: str,
    out: str | None,
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
) -> int:
    """Explain the instance in FILE as a whole.

    Whatever it claims was proved and checked. It also says what the budget left open.
    """
    from solvent import asking
    from solvent.registry import domain_of

    if out == "-":
        raise click.UsageError("-o needs a file; standard output has the explanation")
    require_svg(out)
    problem = read_problem(file, domain, rules)
    owner = domain_of(problem)
    options = {**configured_options(owner.name), **given_options(owner, owner.solve_options)}

    explanation = watch(
        lambda budget, listen: asking.explain(problem, budget=budget, listen=listen, **options),
        Budget(seconds=seconds, nodes=nodes, megabytes=megabytes),
    )
    if as_json:
        say_json({"domain": owner.name, "remarks": list(owner.remarks(problem)), **explanation.data})
    else:
        say_board(problem)
        for line in ["", *remarks] if (remarks := remark_lines(problem)) else []:
            say(line)
        for heading, lines in explanation.sections:
            say()
            say(click.style(heading, bold=True) if wants_colour() else heading)
            for line in lines:
                say_wrapped(line, first="  ", rest="    ")
    if out is not None and explanation.drawing is None:
        note(f"solvent: {out} not written: this explanation has nothing to point at in a picture")
    elif out is not None and explanation.drawing is not None:
        write_text(owner.draw_svg(problem, explanation.drawing), out)
    return exits.DONE
