"""The programs in examples/ run, and the pictures in the documentation are what the program draws."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from conftest import PROJECT


def run_example(project: Path, name: str, *words: str) -> str:
    command = [sys.executable, str(project / "examples" / name), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.parametrize("picture", sorted(path.name for path in (PROJECT / "docs" / "images").iterdir()))
def test_the_pictures_are_what_is_drawn(project: Path, pictures: Path, picture: str) -> None:
    kept = (project / "docs" / "images" / picture).read_bytes()
    drawn = (pictures / picture).read_bytes()
    assert kept == drawn, "draw them again: python examples/draw_pictures.py docs/images"


@pytest.fixture(scope="module")
def pictures(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    run_example(project, "draw_pictures.py", str(folder))
    return folder


def test_no_other_pictures_are_kept(project: Path, pictures: Path) -> None:
    kept = {path.name for path in (project / "docs" / "images").iterdir()}
    assert kept == {path.name for path in pictures.iterdir()}


def test_a_folder_is_checked_and_checked_again(project: Path, tmp_path: Path) -> None:
    boards = {example.name: example.text for example in solvent.examples("harmony")}
    (tmp_path / "a.txt").write_text(boards["first_swaps"], encoding="utf-8")
    (tmp_path / "b.txt").write_text(boards["odd_sum"], encoding="utf-8")
    (tmp_path / "c.txt").write_text("ROWS 2\n", encoding="utf-8")
    first = run_example(project, "check_a_folder.py", str(tmp_path)).splitlines()
    assert first[:2] == ["a.txt: YES", "b.txt: NO"]
    assert first[2].startswith("c.txt: cannot be read: ")
    assert first[3] == "1 NO, 1 YES, 1 cannot be read"

    (tmp_path / "b.txt").write_text(boards["first_swaps"], encoding="utf-8")
    again = run_example(project, "check_a_folder.py", str(tmp_path)).splitlines()
    assert again[:2] == ["a.txt: YES (proof checked)", "b.txt: YES"]
    solvent.check(solvent.load(tmp_path / "b.txt"), solvent.load_certificate(tmp_path / "b.proof.json"))


def test_pipes_are_written_in_python_and_laid(project: Path, tmp_path: Path) -> None:
    picture = tmp_path / "pipes.svg"
    lines = run_example(project, "valency_pipes.py", str(picture)).splitlines()
    assert lines[0] == "YES"
    assert "the same once more: True" in lines
    assert lines[lines.index("NO") + 2].startswith("Cannot be filled")
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_every_example_program_is_run_here(project: Path) -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    for program in (project / "examples").glob("*.py"):
        assert f'"{program.name}"' in here
