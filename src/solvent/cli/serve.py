"""`solvent serve`: the workbench, a page in the browser."""

from __future__ import annotations

import contextlib
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solvent.cli import exits
from solvent.cli.output import CannotUse, note, say, say_json
from solvent.cli.parameters import json_option
from solvent.cli.screen import has_desktop

if TYPE_CHECKING:
    from solvent.web.settings import Settings

SHORTEST_TOKEN = 8
USUAL_STORE = Path("results/validation.db")
"""Where `solvent validate` keeps its results unless it is told otherwise."""


@click.command("serve", epilog="Exit codes: 0 done, 2 usage, 30 bad input, 130 Ctrl-C.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 for any free port.")
@click.option("--token", metavar="WORD", help="Ask visitors for this word; the link that is printed holds it.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Answer up to N questions at once.")
@click.option(
    "--most-seconds",
    type=float,
    metavar="S",
    callback=lambda _context, _parameter, given: _require_seconds(given),
    help="The longest that one question may take.",
)
@click.option(
    "--open/--no-open", "opens", default=None, help="Open the page in a browser (default when a display exists)."
)
@json_option
@click.option("--yes", is_flag=True, help="Let others on the network in without a token, and do not ask first.")
def command(
    paths: tuple[str, ...],
    host: str,
    port: int,
    token: str | None,
    jobs: int | None,
    most_seconds: float | None,
    opens: bool | None,
    as_json: bool,
    yes: bool,
) -> int:
    """Show the workbench: a page to open, play, solve, explain and make instances.

    PATH is a file or folder of instances, or a store of results, that the page may show. Nothing else is opened.
    """
    from solvent.web import serving
    from solvent.web.settings import Settings

    chosen = {"jobs": jobs, "most_seconds": most_seconds}
    settings = Settings(
        host=host,
        port=port,
        token=_require_token(token),
        paths=tuple(_existing(paths)),
        **{name: value for name, value in chosen.items() if value is not None},  # type: ignore[arg-type]
    )
    _ask_before_opening_to_others(settings, yes=yes)
    listening = serving.open_port(settings)
    address = serving.address_of(settings, listening)

    def tell() -> None:
        if as_json:
            say_json({"address": address})
        else:
            say(f"Solvent is at {address}")
        note("Ctrl-C stops it.")
        if has_desktop() if opens is None else opens:
            click.launch(address)

    # Ctrl-C is how everybody ends it. Where a shell started us in the background, it ends us without an exception.
    with contextlib.suppress(KeyboardInterrupt):
        serving.serve(settings, listening, ready=tell)
    note("Stopped.")
    return exits.CANCELLED


def _require_seconds(given: float | None) -> float | None:
    if given is not None and not 0 < given < math.inf:
        raise click.BadParameter(f"expected a number above 0, found {given:g}")
    return given


def _require_token(token: str | None) -> str | None:
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise click.UsageError(f"--token: expected {SHORTEST_TOKEN} or more plain characters, found {len(token)}")
    if token is not None and not all(letter.isalnum() or letter in "-_.~" for letter in token):
        raise click.UsageError("--token: expected letters, digits, and - _ . ~ only, since it becomes part of a link")
    return token


def _existing(paths: tuple[str, ...]) -> list[Path]:
    """Return the paths that may be shown, from the root of the file system."""
    found = [Path(path) for path in paths]
    for path in found:
        if not path.exists():
            raise CannotUse(f"{path}: there is no such file or folder")
    if not found and USUAL_STORE.is_file():
        found.append(USUAL_STORE)
    return [path.resolve() for path in found]


def _ask_before_opening_to_others(settings: Settings, *, yes: bool) -> None:
    """Warn who is about to let the network in without a token, and have them confirm it where they can."""
    if settings.is_local or settings.token is not None:
        return
    note(
        f"Warning: on {settings.host} anyone who reaches this machine can use it to compute, and see what is shown.\n"
        "With --token WORD, only those who know the word can."
    )
    if yes:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("give --token WORD, or --yes to go on without")
    if not click.confirm("Go on without a token?", err=True):
        raise click.UsageError("give --token WORD, or listen on 127.0.0.1")
