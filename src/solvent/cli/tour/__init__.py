"""`solvent tour`: what Solvent does, on one page, or domain by domain; then the way to the workbench."""

from __future__ import annotations

import contextlib

import click

from solvent.cli import exits
from solvent.cli.output import say_json
from solvent.cli.parameters import json_option


@click.command("tour", epilog="Exit codes: 0 done, 2 usage, 130 Ctrl-C.")
@click.argument("name", metavar="[DOMAIN]", required=False)
@click.option("--all", "every", is_flag=True, help="Show every domain at length.")
@click.option("--fast", is_flag=True, help="Of each domain shown at length, show one instance.")
@json_option
def command(name: str | None, every: bool, fast: bool, as_json: bool) -> int:
    """See Solvent at work on one page: a plan, a proof that there is none, a trap and its fix, a filled map.

    With DOMAIN or --all: boards, answers, proofs, hints, and the commands to do it yourself.
    """
    from solvent.registry import all_domains, get_domain

    if name is not None and every:
        raise click.UsageError("DOMAIN and --all say different things; leave one out")
    if as_json:
        return _say_as_json(name, every=every, fast=fast)
    if name is None and not every:
        from solvent.cli.tour.short import show_short_tour
        from solvent.cli.tour.workbench import offer_workbench

        show_short_tour()
        return offer_workbench()
    from solvent.cli.tour.every import show_domains

    show_domains(list(all_domains()) if name is None else [get_domain(name)], fast=fast)
    return exits.DONE


def _say_as_json(name: str | None, *, every: bool, fast: bool) -> int:
    """Print the tour as a text within one JSON object; nobody is asked anything."""
    import io

    from solvent.cli.tour.every import show_domains
    from solvent.cli.tour.short import show_short_tour
    from solvent.registry import all_domains, get_domain

    domains = list(all_domains()) if name is None else [get_domain(name)]
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        if name is None and not every:
            show_short_tour()
        else:
            show_domains(domains, fast=fast)
    say_json({"domains": [domain.name for domain in domains], "text": shown.getvalue()})
    return exits.DONE
