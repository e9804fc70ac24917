"""The programs in examples/ run, and the pictures in the documentation are what the program draws."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import solvent
from conftest import PROJECT
from docs.report_picture import make_corpus
from docs.workbench_pictures import VIEWS


def run_example(project: Path, name: str, *words: str) -> str:
    command = [sys.executable, str(project / "examples" / name), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


PHOTOGRAPHS = {"report.png", *(f"workbench-{view}.png" for view in VIEWS)}
"""Pictures of a page in a browser, which `docs/report_picture.py` and `docs/workbench_pictures.py` take: no two of them
are alike."""
LARGEST_PHOTOGRAPH = 150_000
DRAWN_BY_HAND = {"architecture.svg"}


@pytest.mark.parametrize(
    "picture", sorted({path.name for path in (PROJECT / "docs" / "images").glob("*.svg")} - DRAWN_BY_HAND)
)
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
    assert kept == {path.name for path in pictures.iterdir()} | PHOTOGRAPHS | DRAWN_BY_HAND


@pytest.mark.parametrize("picture", sorted(PHOTOGRAPHS))
def test_a_photograph_is_light(project: Path, picture: str) -> None:
    data = (project / "docs" / "images" / picture).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) <= LARGEST_PHOTOGRAPH


def test_a_corpus_to_photograph_has_what_the_page_should_show(tmp_path: Path) -> None:
    make_corpus(tmp_path / "levels")
    domains = Counter(solvent.load(path).domain for path in (tmp_path / "levels").iterdir())
    assert domains["dungeon"] > 30
    assert domains["starbattle"] > 20


def test_a_folder_is_checked_and_its_proofs_become_files(project: Path, tmp_path: Path) -> None:
    boards = {example.name: example.text for example in solvent.examples("harmony")}
    folder, proofs = tmp_path / "boards", tmp_path / "proofs"
    (folder / "more").mkdir(parents=True)
    (folder / "a.txt").write_text(boards["first_swaps"], encoding="utf-8")
    (folder / "more" / "b.txt").write_text(boards["odd_sum"], encoding="utf-8")
    (folder / "c.txt").write_text("ROWS 2\nCOLS many\n", encoding="utf-8")
    first = sorted(run_example(project, "check_a_folder.py", str(folder), str(proofs)).splitlines())
    assert first[0].startswith(f"{folder}/a.txt: solvable: YES, checked (plan)")
    assert first[1].startswith(f"{folder}/c.txt: ")
    assert "many" in first[1]
    assert first[2].startswith(f"{folder}/more/b.txt: solvable: NO, checked (invariant)")
    for name in ("a", "more/b"):
        solvent.check(solvent.load(folder / f"{name}.txt"), solvent.load_certificate(proofs / f"{name}.proof.json"))

    (folder / "more" / "b.txt").write_text(boards["three_by_three"], encoding="utf-8")
    again = sorted(run_example(project, "check_a_folder.py", str(folder), str(proofs)).splitlines())
    assert again[0].endswith("(known before)")
    assert "solvable: YES" in again[2]
    assert not again[2].endswith("(known before)")
    solvent.check(solvent.load(folder / "more" / "b.txt"), solvent.load_certificate(proofs / "more/b.proof.json"))


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
