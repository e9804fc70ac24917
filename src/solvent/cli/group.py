"""The commands and what their failures mean: each error becomes one line and an exit code, a bug stays a traceback."""

from __future__ import annotations

import importlib
import io
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import click

from solvent.cli import exits
from solvent.cli.failures import failures_as_json
from solvent.cli.output import CannotUse, OutputLost, close_quietly, complain, note, one_line, table_columns
from solvent.cli.start import OVERVIEW
from solvent.cli.waiting import Interrupted
from solvent.core.errors import (
    BadOption,
    BrokenTest,
    CertificateRejected,
    GenerationFailed,
    LimitReached,
    NotChecked,
    SolventError,
    UndecidedNames,
    UnsoundTest,
)

WIDEST_HELP = 120
"""Columns of a page of help on a terminal that has them."""
COMMANDS = (
    *("solve", "check", "hint", "explain", "validate", "report"),
    *(
        "generate",
        "draw",
        "convert",
        "mapping",
        "config",
        "editor",
        "serve",
        "tour",
        "domains",
        "examples",
        "audit",
        "completion",
    ),
)
"""Each is a module of this package with a `command`, imported when it is used."""

EXIT_CODES = {
    BadOption: exits.USAGE,
    GenerationFailed: exits.UNKNOWN,
    NotChecked: exits.NOT_CHECKED,
    LimitReached: exits.UNKNOWN,
}
"""Of errors that are not about bad input; the first that fits counts."""


class HelpPage(click.HelpFormatter):
    """Leave room for words beside options where the terminal is narrow."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options and what they do; a long option stands on a line of its own."""
        super().write_dl(list(rows), col_max=min(col_max, self.width // 3), col_spacing=col_spacing)


class _Context(click.Context):
    formatter_class = HelpPage


class Commands(click.Group):
    """Import a command when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command, or return None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"solvent.cli.{cmd_name}").command
        command.context_class = _Context
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which ones there are."""
        name = args[0]
        if name not in COMMANDS:
            from solvent.cli.suggestions import suggest_command

            advice = suggest_command(name, COMMANDS) or f"there are: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no such command {name!r} ({advice})", ctx)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        """Return the overview that `solvent --help` shows without importing this module."""
        return OVERVIEW


commands = Commands(
    "solvent",
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=False,
)


def run(words: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign should show ?, not a traceback
            stream.reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")
    try:
        code = _invoke(list(words))
        sys.stdout.flush()
    except (BrokenPipeError, OutputLost) as error:
        return close_quietly(error)
    except CannotUse as error:
        complain(error)
        return exits.BAD_INPUT
    except click.UsageError as error:
        complain(_usage_message(error, words))
        return exits.USAGE
    except CertificateRejected as error:
        complain(f"certificate rejected: {'; '.join(error.violations)}")
        return exits.REJECTED
    except UndecidedNames as error:
        complain(error.heading)
        for name in error.names:
            note(f"  - {one_line(name)}")
        note(error.advice)
        return exits.BAD_INPUT
    except UnsoundTest as error:
        complain(f"{error.heading} ({error.scope}):")
        note("\n" + textwrap.indent(error.counterexample.rstrip("\n"), "  "))
        return exits.BAD_INPUT
    except BrokenTest as error:
        complain(f"{error.heading}. It was asked about:")
        note("\n" + textwrap.indent(error.instance.rstrip("\n"), "  "))
        return exits.BAD_INPUT
    except (SolventError, LimitReached) as error:
        complain(error)
        return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), exits.BAD_INPUT)
    except MemoryError:
        complain("not enough memory to read or write this")
        return exits.BAD_INPUT
    except KeyboardInterrupt as interrupted:
        complain("cancelled")
        if isinstance(interrupted, Interrupted) and interrupted.still_running:
            _leave_now()  # a kernel may not notice for a while, and leaving would wait for it
        return exits.CANCELLED
    return code


def _context(words: list[str]) -> click.Context:
    """Return the context of a call; pages of help take their width from the terminal of this call."""
    return commands.make_context("solvent", words, terminal_width=min(WIDEST_HELP, table_columns()) - 2)


def _invoke(words: list[str]) -> int:
    # not `commands.main`, which turns some exceptions that are bugs into polite exits
    try:
        with failures_as_json(words), _context(words) as context:
            result: Any = commands.invoke(context)
    except click.exceptions.Exit as exit:
        return exit.exit_code
    return result if isinstance(result, int) else exits.DONE


def _usage_message(error: click.UsageError, words: Sequence[str]) -> str:
    message = error.format_message().rstrip(".")
    path = f"solvent {words[0]}" if words[0] in COMMANDS else "solvent"
    if message[1:2].islower():  # a sentence, unlike a name such as FILE
        message = message[0].lower() + message[1:]
    advice = _advice(error, words)
    if advice:
        message = f"{message} ({advice})"
    return f"{message}; see '{path} --help'"


def _advice(error: click.UsageError, words: Sequence[str]) -> str | None:
    """Return what may have been meant by words that the command itself could not take."""
    from solvent.cli.suggestions import suggest_command, suggest_option

    if isinstance(error, click.NoSuchOption):
        if error.possibilities:  # said already
            return None
        command = None if error.ctx is None else error.ctx.command
        if command is None or isinstance(command, click.Group):
            return suggest_option(words[0], ("--version", "--help")) or suggest_command(words[0], COMMANDS)
        known = [name for parameter in command.params for name in parameter.opts if name.startswith("--")]
        # of -ask, the error names -a alone
        spelled = next((word for word in words if word.startswith(error.option_name)), error.option_name)
        return suggest_option(spelled, known) if len(spelled) > 2 else None
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return ADVICE_IF_MISSING.get(error.param.make_metavar(error.ctx), lambda: None)() if error.ctx else None
    if error.message.startswith("Got unexpected extra argument") and words[0] in ONE_FILE:
        return "it takes one FILE; 'solvent validate PATH...' asks about many"
    return None


def _list_domains() -> str:
    from solvent.registry import domain_names

    return f"there are: {', '.join(domain_names())}"


ADVICE_IF_MISSING: Mapping[str, Callable[[], str | None]] = {
    "DOMAIN": _list_domains,
    "FILE": lambda: "'solvent examples' lists some to try",
    "STORE [LATER]": lambda: "'solvent validate' writes one, usually results/validation.db",
}
"""What to say beside the name of an argument that is missing."""
ONE_FILE = ("solve", "hint", "explain", "draw", "convert")


def _leave_now() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(exits.CANCELLED)
