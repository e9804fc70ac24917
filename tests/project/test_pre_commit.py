"""The pre-commit hook: its definition is valid, and it stops commits of levels that fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import solvent

EXAMPLES = {example.name: example.text for example in solvent.examples("dungeon")}
BIN = Path(sys.executable).parent
PRE_COMMIT = str(BIN / "pre-commit")


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository with two levels, of which one can be lost."""
    folder = tmp_path / "game"
    (folder / "levels").mkdir(parents=True)
    for name in ("first_door", "the_wrong_door"):
        (folder / "levels" / f"{name}.txt").write_text(EXAMPLES[name], encoding="utf-8")
    (folder / "readme.txt").write_text("no level, and not looked at")
    (folder / "solvent.toml").write_text('ask = ["solvable", "losable"]\nnodes = 100000\n')
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(BIN), os.environ["PATH"]]))
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PRE_COMMIT, *words], cwd=folder, capture_output=True, text=True, timeout=1100)


def test_the_definition_is_valid(project: Path) -> None:
    ran = run(project, "validate-manifest", ".pre-commit-hooks.yaml")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_hook_stops_a_level_that_fails(project: Path, sample: Path) -> None:
    (hook,) = yaml.safe_load((project / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    # The very hook, but for its environment: Solvent is installed here, and need not be compiled again.
    local = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
    (sample / ".pre-commit-config.yaml").write_text(yaml.safe_dump(local))
    ran = run(sample, "run", "--all-files")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "exit code: 10" in ran.stdout
    assert "the_wrong_door.txt" in ran.stdout
    assert "readme" not in ran.stdout
    ran = run(sample, "run", "--files", "levels/first_door.txt")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    ran = run(sample, "run", "--files", "readme.txt")
    assert "no files to check" in ran.stdout


@pytest.mark.slow
@pytest.mark.timeout(1200)  # it compiles Solvent anew
def test_the_hook_installs_itself_from_the_repository(project: Path, sample: Path) -> None:
    if not (project / ".git").exists():
        pytest.skip("needs the project's repository, which pre-commit clones")
    ran = run(sample, "try-repo", str(project), "solvent-validate", "--all-files")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "exit code: 10" in ran.stdout
    assert "the_wrong_door.txt" in ran.stdout
