"""`solvent convert`: an instance in another format."""

from __future__ import annotations

import click

from solvent.cli.configured import ConfiguredCommand
from solvent.cli.input import read_problem
from solvent.cli.output import say_json, write_beside_json, write_text
from solvent.cli.parameters import file_argument, instance_options, json_option


@click.command("convert", cls=ConfiguredCommand, epilog="Exit codes: 0 done, 2 usage, 30 bad input.")
@file_argument
@click.option("--to", "format", required=True, metavar="FORMAT", help="Which format; 'solvent domains' lists them.")
@click.option("-o", "--output", "out", metavar="OUT", help="Write to this file instead of standard output.")
@click.option("--open", "opens", is_flag=True, help="Open the address in the browser; for formats that are addresses.")
@json_option
@instance_options
def command(
    file: str,
    format: str,
    out: str | None,
    opens: bool,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
) -> None:
    """Write the instance in FILE in another format of its domain."""
    from solvent.cli.answers import note_remarks
    from solvent.reading import format_problem
    from solvent.registry import domain_of

    problem = read_problem(file, domain, rules)
    text = format_problem(problem, format)
    if opens:
        _open(text, format)
    if as_json:
        owner = domain_of(problem)
        target = write_beside_json(text, out)
        remarks = list(owner.remarks(problem))
        say_json({"domain": owner.name, "format": format, "text": text, "file": target, "remarks": remarks})
        return
    write_text(text, out)
    note_remarks(problem)


def _open(text: str, format: str) -> None:
    """Show an address in the browser, without what other programs do not read."""
    import webbrowser

    address = text.split(maxsplit=1)[0] if text.strip() else ""
    if not address.startswith("https://"):
        raise click.UsageError(f"{format} is no address that a browser could open; leave out --open")
    if not webbrowser.open(address):
        raise click.UsageError("no browser could be started; the address can be copied without --open")
