"""Commands to try, as a tour shows them."""

from __future__ import annotations

import click

from solvent.cli.output import say, wants_colour


def show_command(line: str) -> None:
    """Write a command on a line of its own, however long it is, so that it can be copied."""
    written = f"$ {line}"
    say("  " + (click.style(written, fg="cyan", bold=True) if wants_colour() else written))
