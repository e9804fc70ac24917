"""`solvent convert`: an instance in another format."""

from __future__ import annotations

import click

from solvent.cli.configured import ConfiguredCommand
from solvent.cli.input import read_problem
from solvent.cli.output import write_text
from solvent.cli.parameters import file_argument, instance_options


@click.command("convert", cls=ConfiguredCommand, epilog="Exit codes: 0 done, 2 usage, 30 bad input.")
@file_argument
@click.option("--to", "format", required=True, metavar="FORMAT", help="Which format; 'solvent domains' lists them.")
@click.option("-o", "--output", "out", metavar="OUT", help="Write to this file instead of standard output.")
@instance_options
def command(file: str, format: str, out: str | None, domain: str | None, rules: dict[str, str]) -> None:
    """Write the instance in FILE in another format of its domain."""
    from solvent.cli.answers import note_remarks
    from solvent.reading import format_problem

    problem = read_problem(file, domain, rules)
    write_text(format_problem(problem, format), out)
    note_remarks(problem)
