"""The GitHub Action: its description is valid, and its steps do in a sample project what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from project.composite import run_action

EXAMPLES = {example.name: example.text for example in solvent.examples("dungeon")}
BIN = Path(sys.executable).parent


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    folder = tmp_path / "game" / "levels"
    folder.mkdir(parents=True)
    for name in ("first_door", "the_wrong_door"):
        (folder / f"{name}.txt").write_text(EXAMPLES[name], encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return the sample machine: its pip notes what it is asked for, since Solvent is installed already."""
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "python").write_text(
        f'#!/bin/sh\nif [ "$2" = pip ]; then echo "pip $*"; else exec {sys.executable} "$@"; fi\n'
    )
    (fake / "python").chmod(0o755)
    return {"PATH": os.pathsep.join([str(fake), str(BIN), os.environ["PATH"]]), "GITHUB_ACTIONS": "true"}


def test_the_description_follows_githubs_schema(project: Path) -> None:
    command = [str(BIN / "check-jsonschema"), "--builtin-schema", "vendor.github-actions", "action.yml"]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_level_that_fails_fails_the_build_and_is_pointed_at(
    project: Path, levels: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    inputs = {"paths": "levels/*.txt", "args": "--ask solvable,losable --nodes 100000", "sarif": "found.sarif"}
    game = levels.parent
    outcome = run_action(project / "action.yml", inputs, folder=game, scratch=tmp_path, environment=environment)
    assert outcome.ran == ["Install Solvent", "Validate the levels"]
    assert f"pip -m pip install --quiet {project}" in outcome.out
    assert outcome.code == 10
    assert outcome.outputs == {"exit-code": "10", "store": "results/validation.db"}
    annotations = [line for line in outcome.out.splitlines() if line.startswith("::error")]
    assert len(annotations) == 1
    assert "levels/the_wrong_door.txt" in annotations[0]
    assert "the_wrong_door" in outcome.summary
    assert json.loads((game / "found.sarif").read_text())["version"] == "2.1.0"
    assert (game / "results" / "validation.db").exists()


def test_the_configuration_is_enough(project: Path, levels: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    (levels.parent / "solvent.toml").write_text('paths = ["levels"]\nask = ["solvable"]\nnodes = 100000\n')
    inputs = {"version": "0.1.0", "store": "kept.db"}
    outcome = run_action(
        project / "action.yml", inputs, folder=levels.parent, scratch=tmp_path, environment=environment
    )
    assert "pip -m pip install --quiet solvent==0.1.0" in outcome.out
    assert (outcome.code, outcome.outputs) == (0, {"exit-code": "0", "store": "kept.db"})
    assert "::error" not in outcome.out


def test_what_an_input_says_is_never_run(
    project: Path, levels: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    inputs = {"paths": "$(touch gotcha)", "store": "'; touch gotcha; '"}
    outcome = run_action(
        project / "action.yml", inputs, folder=levels.parent, scratch=tmp_path, environment=environment
    )
    assert outcome.code == 30
    assert not (levels.parent / "gotcha").exists()
