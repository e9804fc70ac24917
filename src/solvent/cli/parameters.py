"""The arguments and options that several commands share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


class _Number(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """A number, with an error that says what was expected instead of naming a type."""

    def __init__(self, name: str, read: Callable[[str], float], expected: str) -> None:
        self.name = name
        self._read = read
        self._expected = expected

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read what was typed."""
        try:
            return self._read(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"expected {self._expected}, found {value!r}", param, ctx)


def _read_count(text: str) -> int:
    """Read a whole number, also one written as 1e6 or 1,000,000."""
    plain = text.replace(",", "").replace("_", "")
    try:
        return int(plain)
    except ValueError:
        number = float(plain)
        if not number.is_integer():
            raise ValueError(text) from None
        return int(number)


SECONDS = _Number("seconds", float, "a number of seconds, such as 5 or 0.5")
COUNT = _Number("count", _read_count, "a whole number, such as 1000 or 1e6")

file_argument = click.argument("file", metavar="FILE")
as_option = click.option("--as", "domain", metavar="DOMAIN", help="Read FILE as this domain instead of detecting it.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")

rule_option = click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=lambda _context, _parameter, given: _split_rules(given),
    help="Play by another rule than FILE says; may be repeated, and --NAME VALUE is the same. 'solvent domains' lists "
    "the rules.",
)
"""A mapping of the rules to change, where a domain has rules to choose from."""


def _split_rules(given: tuple[str, ...]) -> dict[str, str]:
    rules = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"expected NAME=VALUE, found {each!r}")
        rules[name.strip().replace("-", "_")] = value.strip()
    return rules


def combined(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return one decorator that adds several options, in this order."""
    return lambda function: functools.reduce(lambda done, option: option(done), reversed(options), function)


MAPPING = "solvent.mapping"
"""Where the context of a command keeps the mapping that was named."""


def _keep_mapping(context: click.Context, _parameter: click.Parameter, given: str | None) -> None:
    if given is not None:
        context.meta[MAPPING] = given


mapping_option = click.option(
    "--mapping",
    metavar="TOML",
    expose_value=False,
    callback=_keep_mapping,
    help="Read FILE by this mapping of a project's names; 'solvent mapping' writes one.",
)
"""Kept in the context for `input.read_problem`, since every command that reads an instance takes it alike."""

wish_options = combined(
    click.option(
        "--require",
        multiple=True,
        metavar="QUESTION",
        help="A question that must be answered YES, as domain:question; may be repeated.",
    ),
    click.option("--forbid", multiple=True, metavar="QUESTION", help="A question that must be answered NO."),
)
"""What levels must be."""
config_options = combined(
    click.option("--config", metavar="TOML", expose_value=False, help="Use this configuration, wherever it is."),
    click.option("--no-config", is_flag=True, expose_value=False, help="Use no configuration."),
)
"""Where the configuration comes from; a `ConfiguredCommand` looks for it."""
instance_options = combined(as_option, rule_option, mapping_option, config_options)
"""How FILE is read."""
budget_options = combined(
    click.option("--seconds", type=SECONDS, metavar="S", help="Stop after this time."),
    click.option("--nodes", type=COUNT, metavar="N", help="Stop after this much search; the same on every machine."),
    click.option("--megabytes", type=float, metavar="M", help="Stop when memory has grown by this much."),
)
"""The limits of a search."""
