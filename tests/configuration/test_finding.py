from __future__ import annotations

from pathlib import Path

import pytest

from solvent.configuration import find_file


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / "a" / "b").mkdir(parents=True)
    (tmp_path / "project" / ".git").mkdir()
    return tmp_path / "project"


def test_the_nearest_file_above_is_found(project: Path) -> None:
    (project / "solvent.toml").touch()
    assert find_file(project / "a" / "b") == str(project / "solvent.toml")
    (project / "a" / "solvent.toml").touch()
    assert find_file(project / "a" / "b") == str(project / "a" / "solvent.toml")


def test_the_root_of_a_repository_ends_the_search(project: Path) -> None:
    (project.parent / "solvent.toml").touch()
    assert find_file(project / "a" / "b") is None
    assert find_file(project.parent) == str(project.parent / "solvent.toml")


def test_the_home_folder_ends_the_search(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "solvent.toml").touch()
    monkeypatch.setenv("HOME", str(project / "a"))
    assert find_file(project / "a" / "b") is None


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("[tool.solvent]\n", True),
        ('[tool]\nsolvent = {ask = "all"}\n', True),
        ('[project]\ndependencies = ["solvent"]\n', False),
        ("[tool.black]\n", False),
        ("[tool.solvent]\nask = [\n", True),  # broken, and ours: reading it will say so
        ("[solvent\n", False),
    ],
)
def test_a_shared_file_counts_only_with_our_table(project: Path, text: str, counts: bool) -> None:
    (project / "pyproject.toml").write_text(text)
    assert (find_file(project) is not None) is counts


def test_our_own_file_goes_before_the_shared_one(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.solvent]\n")
    (project / "solvent.toml").touch()
    assert find_file(project) == str(project / "solvent.toml")
