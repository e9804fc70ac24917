"""The way from the tour to the workbench: opened at a key where there is a desktop, named everywhere else."""

from __future__ import annotations

import os
import shutil
import sys

from solvent.cli import exits
from solvent.cli.answers import say_rows
from solvent.cli.output import note, say
from solvent.cli.screen import has_desktop

OPENS = ("\r", "\n")
"""What terminals send for Enter."""


def offer_workbench() -> int:
    """Say where to go on, and open the workbench if someone sits there and presses Enter. Returns the exit code."""
    program = _program()
    asks = _can_ask()
    rows = [
        (f"{program} validate FOLDER", "ask about all your levels at once"),
        (f"{program} tour --all", "see every domain at length"),
        (f"{program} serve", "play, solve and make levels in your browser"),
    ]
    say()
    say_rows(rows[:-1] if asks else rows, margin=0, widest=36)
    if not asks:
        return exits.DONE
    note("Press Enter to play, solve and make levels in your browser, any other key to leave.")
    if _read_key() not in OPENS:
        return exits.DONE
    from solvent.cli.serve import command as serve

    code: int = serve.main(["--open"], standalone_mode=False)
    return exits.DONE if code == exits.CANCELLED else code  # Ctrl-C is how a visit ends


def _can_ask() -> bool:
    """Tell whether a person at a desktop can answer: scripts and builds must never wait here."""
    return has_desktop() and sys.stdin is not None and sys.stdin.isatty() and not os.environ.get("CI")


def _read_key() -> str:
    """Return the key pressed; empty for Ctrl-C and Ctrl-D."""
    import click

    try:
        return click.getchar()
    except (KeyboardInterrupt, EOFError):
        return ""


def _program() -> str:
    """Return what to type for this command: its path where the shell would not find it by its name."""
    called = sys.argv[0]
    found = shutil.which("solvent")
    if (
        os.path.basename(called) != "solvent"
        or not os.path.isfile(called)
        or (found and os.path.samefile(found, called))
    ):
        return "solvent"
    return os.path.relpath(called)
