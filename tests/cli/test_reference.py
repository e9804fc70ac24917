"""The reference page describes every command, option and exit code there is."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from solvent.cli import exits
from solvent.cli.group import COMMANDS, commands


@pytest.fixture
def page(project: Path) -> str:
    return (project / "docs" / "reference" / "command.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_with_all_its_options(page: str, name: str) -> None:
    section = page[page.index(f"\n## {name}\n") :].split("\n## ")[1]
    assert f"`solvent {name}" in section
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert any(re.search(rf"[`\s]{spelled}[`,\s]", section) for spelled in parameter.opts), parameter


def test_every_exit_code_is_explained(page: str) -> None:
    codes = {code for name, code in vars(exits).items() if name.isupper()}
    table = page[page.index("## Exit codes") :].split("\n## ")[0]
    rows = [row.split("|")[1].strip() for row in table.splitlines() if row.startswith("| ")]
    assert codes | {1} == {int(first) for first in rows if first.isdigit()}
