"""The command for LDtk: an entry in `customCommands` of a project, which LDtk runs each time the project is saved.

LDtk starts the first word of a command, in the project's folder, and hands over all the rest as one argument; so the
command is a program of its own with the name of the project. It shows what the program writes, and keeps the window
open where the program fails.

The file is changed at that one place only: everything else keeps its bytes, as LDtk wrote it.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.formats.json_positions import find_json_span

PROGRAM = "solvent-ldtk"
When = Literal["AfterSave", "Manual"]
_VERSION = re.compile(r"1\.[0-9]+(\.[0-9]+)?([.-].*)?")
_PATH = "$.customCommands"
_MOMENTS = ("Manual", "AfterLoad", "BeforeSave", "AfterSave")


class CustomCommand(Struct, frozen=True):
    """Hold a command of a project as LDtk has it."""

    command: str
    when: str


def make_command(project: str, when: When, program: str = PROGRAM) -> CustomCommand:
    """Return the command that checks a project, which is called by the name of its file."""
    if " " in program:
        raise ParseError("a program without blanks in its name: LDtk takes the first word of a command", program)
    return CustomCommand(f"{program} {project}", when)


def with_command(text: str, own: CustomCommand) -> str:
    """Return the text of a project with a command in it, the same text if it has it; raises ParseError.

    A command that checks the project already is replaced, whatever it was called with.
    """
    present = _read_commands(text)
    if own in present:
        return text
    program = own.command.partition(" ")[0]
    alike = [at for at, one in enumerate(present) if one.command.partition(" ")[0] == program]
    path = f"{_PATH}[{alike[0]}]" if alike else _PATH
    span = find_json_span(text, path)
    assert span is not None, "it was read from there"
    start, end = span
    if alike:
        return text[:start] + _write(own, text[start:end]) + text[end:]
    written = _write(own, text[:start])
    if not present:
        return f"{text[:start]}[{written}]{text[end:]}"
    kept = text[: end - 1].rstrip()
    gap = "," if _is_minified(text[:start]) else ", "
    return f"{kept}{gap}{written}{text[len(kept) :]}"


def _read_commands(text: str) -> list[CustomCommand]:
    try:
        values: Any = json.loads(text.removeprefix("\ufeff"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise ParseError(f"an LDtk project as JSON ({error})") from None
    version = values.get("jsonVersion") if isinstance(values, dict) else None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ParseError("an LDtk project of version 1", version, path="$.jsonVersion")
    listed = values.get("customCommands")
    if not isinstance(listed, list):
        raise ParseError("an LDtk project with custom commands (version 1.3 or later; save it once there)", path=_PATH)
    found = []
    for number, one in enumerate(listed):
        is_known = isinstance(one, dict) and set(one) == {"command", "when"} and one["when"] in _MOMENTS
        if not is_known or not isinstance(one["command"], str):
            raise ParseError("a custom command with 'command' and 'when' alone", one, path=f"{_PATH}[{number}]")
        found.append(CustomCommand(**one))
    return found


def _write(command: CustomCommand, before: str) -> str:
    values = {"command": command.command, "when": command.when}
    if _is_minified(before):
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return f"{{ {json.dumps(values, ensure_ascii=False)[1:-1]} }}"


def _is_minified(text: str) -> bool:
    """Tell whether what LDtk wrote has no blanks between its values."""
    return "\n" not in text and re.search(r'":\s', text) is None
