"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])

file_argument = click.argument("file", metavar="FILE")
as_option = click.option("--as", "domain", metavar="DOMAIN", help="Read FILE as this domain instead of detecting it.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def budget_options(function: Function) -> Function:
    """Add the limits of a search: --seconds, --nodes and --megabytes."""
    for option in (
        click.option("--megabytes", type=float, metavar="M", help="Stop when memory has grown by this much."),
        click.option("--nodes", type=int, metavar="N", help="Stop after this much search; repeats exactly."),
        click.option("--seconds", type=float, metavar="S", help="Stop after this time."),
    ):
        function = option(function)
    return function
