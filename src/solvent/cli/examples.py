"""`solvent examples`: the bundled instances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from solvent.cli.answers import say_rows, say_wrapped
from solvent.cli.output import say, say_json, write_text
from solvent.cli.parameters import json_option
from solvent.core.domain import Domain
from solvent.core.errors import unknown_name
from solvent.core.examples import Example


@click.command("examples", epilog="Exit codes: 0 done, 2 usage.")
@click.argument("domain_name", metavar="[DOMAIN", required=False)
@click.argument("name", metavar="[NAME]]", required=False)
@json_option
def command(domain_name: str | None, name: str | None, as_json: bool) -> None:
    """List the bundled instances of every domain or of one, or print the one with this NAME.

    What it prints is a file: solvent examples DOMAIN NAME | solvent solve -
    """
    from solvent.registry import all_domains, domain_names, get_domain

    if domain_name is not None and name is None and domain_name not in domain_names():
        owner = next((each.name for each in all_domains() if _has(each, domain_name)), None)
        if owner is not None:
            raise click.UsageError(
                f"{domain_name!r} is an example, not a domain: 'solvent examples {owner} {domain_name}' prints it"
            )
    if as_json:
        chosen = list(all_domains()) if domain_name is None else [get_domain(domain_name)]
        if name is None:
            say_json({"examples": [_as_json(domain, each) for domain in chosen for each in domain.examples()]})
        else:
            example = find_example(chosen[0], name)
            say_json({**_as_json(chosen[0], example), "text": example.text})
    elif domain_name is None:
        _list(all_domains())
    elif name is None:
        _list([get_domain(domain_name)])
    else:
        write_text(find_example(get_domain(domain_name), name).text, None)


def find_example(domain: Domain[Any], name: str) -> Example:
    """Return the bundled instance of this name, or raise BadOption listing the ones there are."""
    examples = {example.name: example for example in domain.examples()}
    if name not in examples:
        raise unknown_name(f"{domain.name} example", name, examples)
    return examples[name]


def _has(domain: Domain[Any], name: str) -> bool:
    return any(example.name == name for example in domain.examples())


def _list(domains: Iterable[Domain[Any]]) -> None:
    some: tuple[str, str] | None = None
    for domain in domains:
        say_wrapped(domain.title, rest="")
        rows = [(example.name, f"{example.title} ({_expectation(example)})") for example in domain.examples()]
        say_rows(rows, margin=2, widest=28)
        if rows:
            some = some or (domain.name, rows[0][0])
        else:
            say("  none bundled")
        say()
    if some is not None:
        say(f"Try: solvent examples {some[0]} {some[1]} | solvent solve -")


def _as_json(domain: Domain[Any], example: Example) -> dict[str, Any]:
    expected = {question: str(verdict) for question, verdict in example.expected.items()}
    return {"domain": domain.name, "name": example.name, "title": example.title, "expected": expected}


def _expectation(example: Example) -> str:
    if len(example.expected) == 1:
        return "".join(str(verdict) for verdict in example.expected.values())
    return ", ".join(f"{question}: {verdict}" for question, verdict in example.expected.items())
