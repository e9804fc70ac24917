"""`solvent domains`: what there is to ask, and how."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import click

from solvent.cli.answers import say_rows
from solvent.cli.domain_options import option_row, option_rows
from solvent.cli.output import columns, say, say_json, wants_colour
from solvent.cli.parameters import json_option
from solvent.core.domain import Domain, Option


@click.command("domains", epilog="Exit codes: 0 done, 2 usage.")
@click.argument("name", metavar="[DOMAIN]", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the questions, formats and options of every domain, or of one."""
    from solvent.registry import all_domains, get_domain

    domains = list(all_domains()) if name is None else [get_domain(name)]
    if as_json:
        say_json({"domains": [_as_json(domain) for domain in domains]})
        return
    for number, domain in enumerate(domains):
        if number:
            say()
        _say_domain(domain)


def _say_domain(domain: Domain[Any]) -> None:
    say(click.style(domain.name, bold=True) if wants_colour() else domain.name)
    say("\n".join(textwrap.wrap(domain.title, columns(), initial_indent="  ", subsequent_indent="  ")))
    questions = [(name, question.text) for name, question in domain.questions.items()]
    _say_rows("Questions", "solvent solve FILE --ask QUESTION", questions)
    _say_rows("Formats", "solvent convert FILE --to FORMAT", domain.formats.items())
    if domain.rules is not None:
        rows = [(row.removeprefix("--").replace("-", "_"), help) for row, help in map(option_row, domain.rules.options)]
        _say_rows("Rules", "solvent solve FILE --rule NAME=VALUE", rows)
    _say_options("Solver", "solvent solve FILE", domain.solve_options)
    generator = domain.generator
    if generator is not None:
        usage = f"solvent generate {domain.name} {'' if generator.source is None else '[SOURCE] '}--seed N"
        _say_rows("Generator", usage, option_rows(domain, generator.options))
    if domain.exports is not None:
        rows = [(f".{ending}", help) for ending, help in domain.exports.kinds.items()]
        _say_rows("Files", "solvent solve FILE -o OUT", rows)
    if domain.views:
        _say_rows("Pictures", "solvent draw FILE --view VIEW", domain.views.items())
    if domain.audit is not None:
        tests = {test.name: test.reason for test in domain.audit.tests().values()}  # some have two names
        _say_rows("Invalidity tests", f"solvent audit TEST --as {domain.name}", tests.items())
        _say_options("Audit", "solvent audit TEST", domain.audit.options)
    if domain.hints is not None:
        own = [option for option in domain.options("hint") if option not in domain.solve_options]
        _say_options("Hints", "solvent hint FILE", own)


def _say_options(heading: str, usage: str, options: Sequence[Option]) -> None:
    _say_rows(heading, usage, [option_row(option) for option in options])


def _say_rows(heading: str, usage: str, rows: Iterable[tuple[str, str]]) -> None:
    say()
    line = f"  {heading}: {usage}"
    say(line if len(line) <= columns() else f"  {heading}:\n    {usage}")
    say_rows(rows, margin=4, widest=26)


def _as_json(domain: Domain[Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": domain.name,
        "title": domain.title,
        "questions": {name: question.text for name, question in domain.questions.items()},
        "passing_verdicts": {name: question.passing_verdict.value for name, question in domain.questions.items()},
        "formats": dict(domain.formats),
        "hints": domain.hints is not None,
        "solve_options": [_option_as_json(option) for option in domain.solve_options],
    }
    if domain.rules is not None:
        described["rule_options"] = [_option_as_json(option) for option in domain.rules.options]
    if domain.views:
        described["views"] = dict(domain.views)
    described["explains"] = domain.explain is not None
    if domain.hints is not None:
        described["hint_options"] = [_option_as_json(option) for option in domain.hints.options]
    if domain.generator is not None:
        described["generate_options"] = [_option_as_json(option) for option in domain.generator.options]
        described["generate_source"] = domain.generator.source
    if domain.exports is not None:
        described["exports"] = dict(domain.exports.kinds)
    if domain.audit is not None:
        described["audit_options"] = [_option_as_json(option) for option in domain.audit.options]
        described["invalidity_tests"] = {test.name: test.reason for test in domain.audit.tests().values()}
    return described


def _option_as_json(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "type": option.type.__name__,
        "default": option.default,
        "help": option.help,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "choices": list(option.choices),
    }
