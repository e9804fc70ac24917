"""`solvent editor`: check a level from Tiled or LDtk, and set these up to do so on save."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from solvent.cli import exits
from solvent.cli.input import describe, read_bytes, read_problem
from solvent.cli.output import CannotUse, note, say, say_json, write_file, write_text
from solvent.cli.parameters import file_argument, instance_options, json_option

if TYPE_CHECKING:
    from solvent.editors.checking import Check

DEFAULT_SECONDS = 20.0
_CODES = {"PASS": exits.DONE, "FAIL": exits.NO, "UNKNOWN": exits.UNKNOWN}


@click.group("editor", epilog="Exit codes: 0 PASS or done, 10 FAIL, 20 UNKNOWN, 2 usage, 30 bad input.")
def command() -> None:
    """Check levels on save, in Tiled and LDtk."""


@command.command(
    "check",
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
@click.option(
    "--seconds", type=float, default=DEFAULT_SECONDS, show_default=True, metavar="S", help="Stop after this time."
)
@json_option
@instance_options
def check(
    file: str, asked: tuple[str, ...], seconds: float, as_json: bool, domain: str | None, rules: dict[str, str]
) -> int:
    """Answer all that an editor asks about FILE, and say where it fails: line, tile and object."""
    found = _check(file, asked, seconds, domain, rules)
    if as_json:
        say_json({"file": file, **found.as_json()})
    else:
        _say(found)
    return _CODES[found.status]


def _check(file: str, asked: tuple[str, ...], seconds: float, domain: str | None, rules: dict[str, str]) -> Check:
    from solvent.editors.checking import check_problem

    problem = read_problem(file, domain, rules)
    named = [word.strip() for words in asked for word in words.split(",") if word.strip()]
    return check_problem(problem, named, seconds=seconds)


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
