"""`solvent editor`: check a level from Tiled or LDtk, and set these up to do so on save."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from solvent.cli import exits
from solvent.cli.configured import (
    ConfiguredCommand,
    configurable,
    configured_limits,
    configured_options,
    current_configuration,
    read_value,
)
from solvent.cli.input import describe, read_bytes, read_problem
from solvent.cli.output import CannotUse, note, say, say_json, write_file, write_text
from solvent.cli.parameters import budget_options, file_argument, instance_options, json_option

if TYPE_CHECKING:
    from solvent.configuration import Configuration
    from solvent.core.domain import Domain
    from solvent.editors.checking import Check

DEFAULT_SECONDS = 20.0
_CODES = {"PASS": exits.DONE, "FAIL": exits.NO, "UNKNOWN": exits.UNKNOWN}


class EditorCheckCommand(ConfiguredCommand):
    """A command that asks what the configuration asks, within its limits."""

    def configured_defaults(self, configuration: Configuration, given: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return the questions and limits that the configuration has."""
        limits = configured_limits(configuration)
        if configuration.get("ask") is None:
            return limits
        return {"asked": read_value(configuration, configurable()["ask"]), **limits}


@click.group("editor", epilog="Exit codes: 0 PASS or done, 10 FAIL, 20 UNKNOWN, 2 usage, 30 bad input.")
def command() -> None:
    """Check levels on save, in Tiled and LDtk."""


@command.command(
    "check",
    cls=EditorCheckCommand,
    short_help="Answer what an editor asks about FILE.",
    epilog="Exit codes: 0 PASS, 10 FAIL, 20 UNKNOWN, 2 usage, 30 bad input.",
)
@file_argument
@click.option(
    "--ask",
    "asked",
    multiple=True,
    metavar="QUESTION,...",
    help="Questions to ask, or all [those that the domain has for editors].",
)
@budget_options
@json_option
@instance_options
def check(
    file: str,
    asked: tuple[str, ...],
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
    **limits: Any,
) -> int:
    """Answer all that an editor asks about FILE, and say where it fails: line, tile and object.

    Questions, limits, options, rules and mappings of a configuration count as for 'solvent validate'. --seconds is for
    all questions together: 20 unless the configuration has a time for each.
    """
    found = _check(file, asked, domain, rules, limits)
    configuration = current_configuration()
    if as_json:
        used = {} if configuration is None else {"configuration": configuration.file}
        say_json({"file": file, **found.as_json(), **used})
    else:
        _say(found)
        if configuration is not None:
            say(f"Configuration: {configuration.file}")
    return _CODES[found.status]


def _check(
    file: str, asked: Sequence[str], domain: str | None, rules: Mapping[str, str], limits: Mapping[str, Any]
) -> Check:
    from solvent.core.budget import Budget
    from solvent.editors.checking import check_problem
    from solvent.registry import domain_of

    # No note: LDtk shows all that a command writes, and standard error as a failure.
    problem = read_problem(file, domain, rules, notes_settings=False)
    owner = domain_of(problem)
    named = [word.strip() for words in asked for word in words.split(",") if word.strip()]
    if _is_configured("asked"):
        named = _own_questions(owner, named)
    each = Budget(**limits)
    together = None if _is_configured("seconds") else each.seconds
    if each.seconds is None:
        together = DEFAULT_SECONDS
    return check_problem(problem, named, seconds=together, each=each, options=configured_options(owner.name))


def _is_configured(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP


def _own_questions(domain: Domain[Any], asked: Sequence[str]) -> list[str]:
    """Return those of a project's questions that a domain has; others are about levels of another domain."""
    from solvent.batch.settings import Settings, resolve_questions

    return list(Settings(resolve_questions(list(asked))).questions_for(domain))


def _say(found: Check) -> None:
    from solvent.editors.checking import lines_of

    for line in lines_of(found):
        say(line)


@command.command(
    "tiled", short_help="Print or install the extension for Tiled.", epilog="Exit codes: 0 done, 2 usage, 30 bad input."
)
@click.option("--print", "prints", is_flag=True, help="Print the extension.")
@click.option("--install", "installs", is_flag=True, help="Copy the extension to where Tiled loads it from.")
@click.option("--to", "folder", metavar="FOLDER", help="Copy it to this folder instead, as that of a project.")
@json_option
def tiled(prints: bool, installs: bool, folder: str | None, as_json: bool) -> int:
    """Set up Tiled: an extension that checks a map on save and lists what fails in the Issues window."""
    from solvent.editors import tiled

    target = Path(folder) if folder is not None else tiled.extensions_folder()
    if prints and not as_json:
        write_text(tiled.script_text(), None)
        return exits.DONE
    if as_json and not installs and folder is None:
        text = {"text": tiled.script_text()} if prints else {}
        say_json({"extension": str(target / tiled.SCRIPT), "installed": False, **text})
        return exits.DONE
    if not installs and folder is None:
        say("Install the extension with 'solvent editor tiled --install'. It goes to:")
        say(f"  {target / tiled.SCRIPT}")
        say("A Tiled project has a folder of its own for extensions: name it with --to.")
        return exits.DONE
    place = target / tiled.SCRIPT
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotUse(f"cannot make {target}: {error.strerror or error}") from None
    write_file(tiled.script_text().encode("utf-8"), str(place))
    if as_json:
        say_json({"extension": str(place), "installed": True})
        return exits.DONE
    say(f"Installed: {place}")
    say("Tiled loads it at once. Save a map, and see View > Views and Toolbars > Issues.")
    return exits.DONE


@command.command(
    "ldtk", short_help="Have LDtk check a project on save.", epilog="Exit codes: 0 done, 2 usage, 30 bad input."
)
@click.argument("project", metavar="PROJECT")
@click.option("--when", type=click.Choice(["save", "manual"]), default="save", show_default=True, help="When to check.")
@click.option("--program", metavar="NAME", help="Start this program instead of solvent-ldtk.")
@click.option("--print", "prints", is_flag=True, help="Print the command to add by hand, and change nothing.")
@json_option
def ldtk(project: str, when: str, program: str | None, prints: bool, as_json: bool) -> int:
    """Set up an LDtk project: a custom command that checks it on save. Close the project in LDtk first.

    What else the file holds keeps its bytes, and a copy stays beside it.
    """
    from solvent.core.errors import ParseError
    from solvent.editors import ldtk

    moment: Literal["AfterSave", "Manual"] = "AfterSave" if when == "save" else "Manual"
    try:
        own = ldtk.make_command(os.path.basename(project), moment, program or ldtk.PROGRAM)
        written = {"project": project, "command": own.command, "when": own.when}
        if prints:
            if as_json:
                say_json({**written, "changed": False, "backup": None})
            else:
                say(f"Command: {own.command}")
                say(f"When: {own.when}")
            return exits.DONE
        data = read_bytes(project, most=1 << 28)
        text = data.decode("utf-8")
        changed = ldtk.with_command(text, own)
    except UnicodeDecodeError:
        raise CannotUse(f"cannot read {describe(project)}: it is not text in UTF-8") from None
    except ParseError as error:
        raise error.in_source(project) from None
    backup = _unused(f"{project}.bak") if changed != text else None
    if backup is not None:
        write_file(data, backup)
        write_file(changed.encode("utf-8"), project)
    if as_json:
        say_json({**written, "changed": backup is not None, "backup": backup})
        return exits.DONE
    if backup is None:
        say(f"{project} has the command already.")
        return exits.DONE
    say(f"{project} runs '{own.command}' {'after each save' if when == 'save' else 'on demand'}.")
    say(f"As it was: {backup}")
    say("LDtk asks once whether it may run the project's commands.")
    return exits.DONE


def _unused(name: str) -> str:
    found, number = name, 1
    while os.path.lexists(found):
        number += 1
        found = f"{name}{number}"
    return found


def ldtk_main() -> int:
    """Check the project that LDtk names: all the words after the program are the name of one file."""
    from solvent.cli.start import main

    name = " ".join(sys.argv[1:]).strip().strip('"')
    if not name:
        note("solvent-ldtk: expected the name of a project")
        return exits.USAGE
    return main(["editor", "check", name])
