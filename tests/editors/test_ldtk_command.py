"""The command for LDtk: an entry in a project that changes nothing else, and what LDtk shows when it runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from helpers.command import Run
from helpers.examples import load_example
from solvent.core.errors import ParseError
from solvent.dungeon.domain import DOMAIN
from solvent.editors.ldtk import CustomCommand, make_command, with_command

OWN = make_command("level.ldtk", "AfterSave")
OTHER = '{ "command": "build now", "when": "AfterSave" }'


def project(commands: str, version: str = "1.5.3") -> str:
    return f'{{\n\t"jsonVersion": "{version}",\n\t"iid": "é",\n\t"customCommands": {commands},\n\t"flags": []\n}}\n'


def commands_of(text: str) -> list[dict[str, str]]:
    listed: list[dict[str, str]] = json.loads(text)["customCommands"]
    return listed


def test_a_command_is_added_and_nothing_else_changes():
    text = project("[]")
    changed = with_command(text, OWN)
    own = '[{ "command": "solvent-ldtk level.ldtk", "when": "AfterSave" }]'
    assert changed == text.replace("[]", own, 1)
    assert with_command(changed, OWN) == changed, "a second time changes nothing"


@pytest.mark.parametrize("commands", [f"[{OTHER}]", f"[\n\t\t{OTHER}\n\t]"])
def test_other_commands_stay(commands: str):
    changed = with_command(project(commands), OWN)
    assert OTHER in changed
    assert commands_of(changed) == [json.loads(OTHER), {"command": OWN.command, "when": "AfterSave"}]


def test_our_own_command_is_replaced_not_repeated():
    changed = with_command(with_command(project(f"[{OTHER}]"), OWN), make_command("renamed.ldtk", "Manual"))
    assert commands_of(changed) == [json.loads(OTHER), {"command": "solvent-ldtk renamed.ldtk", "when": "Manual"}]


def test_a_minified_project_stays_minified():
    text = '{"jsonVersion":"1.5.3","customCommands":[]}'
    changed = with_command(text, OWN)
    assert (
        changed == '{"jsonVersion":"1.5.3","customCommands":[{"command":"solvent-ldtk level.ldtk","when":"AfterSave"}]}'
    )
    again = with_command(changed, CustomCommand("other x", "Manual"))
    assert again == json.dumps(json.loads(again), separators=(",", ":"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "as JSON"),
        ("[]", "version 1"),
        (project("[]", version="2.0.0"), "version 1"),
        (project("[]", version="0.9.3"), "version 1"),
        ('{"jsonVersion": "1.1.3"}', "version 1.3 or later"),
        (project('[{ "command": "x", "when": "OnNewMoon" }]'), "customCommands"),
        (project('[{ "command": "x", "when": "Manual", "more": 1 }]'), "customCommands"),
    ],
)
def test_what_is_not_known_is_refused(text: str, expected: str):
    with pytest.raises(ParseError, match=expected):
        with_command(text, OWN)


def test_the_command_sets_up_a_project_and_keeps_a_copy(run: Run):
    text = DOMAIN.format(load_example("dungeon", "one_bomb_short"), "ldtk")
    Path("my level.ldtk").write_text(text, encoding="utf-8")
    ran = run("editor", "ldtk", "my level.ldtk", "--json")
    assert json.loads(ran.out) == {
        "project": "my level.ldtk",
        "command": "solvent-ldtk my level.ldtk",
        "when": "AfterSave",
        "changed": True,
        "backup": "my level.ldtk.bak",
    }
    assert Path("my level.ldtk.bak").read_text(encoding="utf-8") == text
    assert solvent.load("my level.ldtk") == solvent.parse(text), "it is the same level"
    assert "already" in run("editor", "ldtk", "my level.ldtk").out
    assert not Path("my level.ldtk.bak2").exists()


def test_ldtk_hands_over_all_words_as_one(tmp_path: Path):
    """As LDtk does it: the first word is the program, the rest one argument, in the project's folder."""
    file = tmp_path / "my level.ldtk"
    file.write_text(DOMAIN.format(load_example("dungeon", "one_bomb_short"), "ldtk"), encoding="utf-8")
    start = "import sys; from solvent.cli.editor import ldtk_main; sys.exit(ldtk_main())"
    for words in (["my level.ldtk"], ["my", "level.ldtk"], ['"my level.ldtk"']):
        ran = subprocess.run(
            [sys.executable, "-c", start, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stderr) == (10, ""), "LDtk keeps its window open where a command fails"
        first, place, *_ = ran.stdout.splitlines()
        assert first.startswith("FAIL  solvable: NO. First in the way: a cracked wall at row 2, column 11")
        assert place.startswith("      row 2, column 11 (level Floor_0, cell 11, 2, layer Objects, object ")
        assert "\x1b" not in ran.stdout


@pytest.mark.corpus
def test_projects_of_ldtk_keep_every_other_byte(corpora: Path):
    files = sorted((corpora / "ldtk").glob("*.ldtk"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        changed = with_command(text, OWN).splitlines()
        differing = [new for old, new in zip(text.splitlines(), changed, strict=True) if old != new]
        assert differing == ['\t"customCommands": [{ "command": "solvent-ldtk level.ldtk", "when": "AfterSave" }],']
