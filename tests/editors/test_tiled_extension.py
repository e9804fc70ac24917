"""The extension for Tiled, run in Node against a stand-in of Tiled's scripting interface, with real answers.

The editor itself is not part of the tests: the stand-in has what Tiled's documentation has, refuses all else, and
records issues, selections and processes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.examples import load_example
from solvent.dungeon.domain import DOMAIN
from solvent.editors.tiled import SCRIPT, script_text

STAND_IN = Path(__file__).parent / "tiled_stand_in.js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node runs the extension, and there is none (apt: nodejs)")

Tiled = Callable[..., dict[str, Any]]


@pytest.fixture
def tiled(tmp_path: Path) -> Tiled:
    """Return a function that has a stand-in of Tiled load the extension and go through some steps."""
    command = tmp_path / "bin" / "solvent"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m solvent "$@"\n')
    command.chmod(0o755)
    extension = tmp_path / SCRIPT
    extension.write_text(script_text(), encoding="utf-8")

    def run(*steps: dict[str, Any], **environment: str) -> dict[str, Any]:
        assert NODE is not None
        found = {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", **environment}
        ran = subprocess.run(
            [NODE, str(STAND_IN), str(extension), json.dumps(steps)],
            cwd=tmp_path,
            env=found,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        recorded: dict[str, Any] = json.loads(ran.stdout)
        return recorded

    return run


def write_map(tmp_path: Path, example: str) -> Path:
    file = tmp_path / "maps" / f"{example}.tmx"
    file.parent.mkdir(exist_ok=True)
    file.write_text(DOMAIN.format(load_example("dungeon", example), "tmx"), encoding="utf-8")
    return file


@needs_node
def test_a_saved_map_that_can_be_lost_is_an_issue_that_selects_tile_and_object(tiled: Tiled, tmp_path: Path):
    file = write_map(tmp_path, "the_wrong_door")
    done = tiled({"save": str(file)}, {"activate": 0}, {"activate": 1})
    first, second = done["issues"]
    assert first["kind"] == "warning"
    assert first["text"].startswith("Solvent, the_wrong_door.tmx: losable: YES, at row 2, column 7.")
    assert second["text"] == "Solvent, the_wrong_door.tmx: losable, also row 2, column 6"
    tile, centre, selected, door, door_centre, door_selected = done["shown"]
    assert tile == {"fileName": "the_wrong_door.tmx", "rect": [7, 2, 1, 1]}
    assert centre == {"centre": [7.5 * 16, 2.5 * 16]}
    assert selected["selected"] == [], "the tile before the door is no object"
    assert (door["rect"], door_centre["centre"]) == ([6, 2, 1, 1], [6.5 * 16, 2.5 * 16])
    [id] = door_selected["selected"]
    assert f'<object id="{id}"' in file.read_text(encoding="utf-8")
    assert door_selected["layer"] == "objects"
    [process] = done["processes"]
    assert (process["folder"], process["codec"]) == (str(file.parent), "UTF-8")
    assert process["milliseconds"] == 8000, "the editor waits no longer than that"


@needs_node
def test_a_map_that_passes_is_no_issue(tiled: Tiled, tmp_path: Path):
    done = tiled({"save": str(write_map(tmp_path, "first_door"))})
    assert done["issues"] == []
    assert [log.rpartition(": ")[0] + ": " + log.rpartition(": ")[2] for log in done["logs"]] == [
        "Solvent, first_door.tmx: solvable: YES",
        "Solvent, first_door.tmx: losable: NO",
    ]


@needs_node
def test_settings_of_the_map_are_followed(tiled: Tiled, tmp_path: Path):
    file = write_map(tmp_path, "the_wrong_door")
    properties = {"solventAsk": "solvable", "solventSeconds": 2}
    done = tiled({"save": str(file), "properties": properties})
    assert done["issues"] == []
    assert done["processes"][0]["words"][-2:] == ["--ask", "solvable"]
    assert done["processes"][0]["milliseconds"] == 5000
    off = tiled({"save": str(file), "properties": {"solventCheckOnSave": False}})
    assert off["processes"] == []


@needs_node
def test_the_menu_checks_and_switches_off(tiled: Tiled, tmp_path: Path):
    file = write_map(tmp_path, "one_bomb_short")
    done = tiled(
        {"trigger": "SolventCheckOnSave"}, {"save": str(file)}, {"open": str(file)}, {"trigger": "SolventCheck"}
    )
    assert [item.get("action") for item in done["menus"]["Map"]] == [None, "SolventCheck", "SolventCheckOnSave"]
    assert done["actions"] == [
        ["SolventCheck", "Check with Solvent", False],
        ["SolventCheckOnSave", "Check with Solvent on Save", False],
    ]
    assert len(done["processes"]) == 1, "saving asked nothing"
    assert "solvable: NO. First in the way: a cracked wall" in done["issues"][0]["text"]


@needs_node
def test_what_cannot_be_checked_is_said_and_never_a_verdict(tiled: Tiled, tmp_path: Path):
    file = write_map(tmp_path, "one_bomb_short")
    missing = tiled({"save": str(file)}, {"save": str(file)}, SOLVENT_COMMAND="no-such-program")
    assert [issue["kind"] for issue in missing["issues"]] == ["error"], "it is said once"
    assert "cannot start 'no-such-program'" in missing["issues"][0]["text"]
    unsaved = tiled({"open": str(file), "modified": True}, {"trigger": "SolventCheck"})
    assert "save the map first" in unsaved["issues"][0]["text"]
    nothing = tiled({"trigger": "SolventCheck"})
    assert "open a map first" in nothing["issues"][0]["text"]
    late = tiled({"open": str(file)}, {"trigger": "SolventCheck"}, NEVER_FINISHES="1")
    assert (late["processes"][0]["killed"], len(late["issues"])) == (True, 1)
    assert "no answer about one_bomb_short.tmx in time" in late["issues"][0]["text"]
    broken = tmp_path / "maps" / "broken.tmx"
    broken.write_text("<map ")
    quiet = tiled({"save": str(broken)})
    assert (quiet["issues"], len(quiet["logs"])) == ([], 1), "a map that is no level is no nuisance on save"
    asked = tiled({"open": str(broken)}, {"trigger": "SolventCheck"})
    assert asked["issues"][0]["kind"] == "error"
    other = tiled({"save": str(tmp_path / "tiles.tsx")})
    assert other["processes"] == []


def test_the_script_keeps_to_what_tiled_s_engine_reads():
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\]|\\.)*\"", " ", script_text(), flags=re.DOTALL)
    for newer in (r"\?\.", r"\?\?", r"\*\*", r"\bimport\b", r"\bexport\b", r"\basync\b", r"\bawait\b", r"`", r"\.\.\."):
        assert re.search(newer, text) is None, newer
    assert re.search(r"\bcatch\s*\{", text) is None, "a catch without a name is newer"
    assert re.search(r"\b(require|console|setTimeout|window)\b", text) is None, "Tiled has none of these"
