"""A profile for each answer of a run: names that are safe, files that are whole, none lost when a run is resumed."""

from __future__ import annotations

from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from helpers.command import Run
from solvent.batch import library, profiles
from solvent.batch.profiles import safe_name
from solvent.batch.rows import report_columns_by_name

CORRIDOR = "dungeon: Corridor\n\nmap:\n#######\n#@k.LG#\n#######\n"
CLOSED = "dungeon: Closed\n\nmap:\n#####\n#@#G#\n#####\n"
BOARD = "ROWS 2\nCOLS 2\n\nBOARD\nRED   A1 0  A2 0\nBLUE  B1 0  B2 0\n"


@pytest.fixture(autouse=True)
def _pool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report_columns_by_name.cache_clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))
    Path("levels").mkdir()
    Path("levels/corridor.txt").write_text(CORRIDOR)
    Path("levels/closed.txt").write_text(CLOSED)


def written(folder: str = "heat") -> dict[str, bytes]:
    """Return the files in a folder."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_one_for_each_level_and_question(run: Run) -> None:
    ran = run("validate", "levels", "--ask", "solvable,losable", "--profile", "heat")
    assert ran.code == 0
    assert "Profiles: heat (4 answers)" in ran.out
    names = {name.partition(".txt")[0] for name in written()}
    assert names == {"corridor", "closed"}
    endings = {name.split(".", 2)[2] for name in written()}
    assert endings == {
        f"{question}.{kind}" for question in ("solvable", "losable") for kind in ("heat.svg", "tiles.csv", "rooms.csv")
    }
    assert not [name for name in written() if name.endswith(".part")]


def test_a_resumed_run_loses_none(run: Run) -> None:
    run("validate", "levels", "--profile", "heat")
    before = written()
    assert len(before) == 6
    for path in Path("heat").iterdir():
        path.unlink()
    ran = run("validate", "levels", "--profile", "heat")
    assert "2 of them known before" in ran.out
    assert written() == before


def test_the_folder_is_not_taken_for_levels(run: Run) -> None:
    for _ in range(2):
        ran = run("validate", ".", "--profile", "heat", "--json")
        assert '"unrecognised":0' in ran.out.replace(" ", "")


def test_levels_of_the_same_name_have_files_of_their_own(run: Run) -> None:
    Path("levels/more").mkdir()
    Path("levels/more/corridor.txt").write_text(CORRIDOR)
    run("validate", "levels", "--profile", "heat")
    assert len([name for name in written() if name.startswith("corridor") and name.endswith(".svg")]) == 2


def test_a_domain_without_profiles(run: Run) -> None:
    Path("board.txt").write_text(BOARD)
    ran = run("validate", "board.txt", "--as", "harmony", "--profile", "heat")
    assert ran.code == 2
    assert "harmony has no profile" in ran.err
    ran = run("validate", "board.txt", "levels", "--profile", "heat")
    assert ran.code == 0
    assert "Profiles: heat (2 answers)" in ran.out


def test_a_folder_that_cannot_be_written(run: Run) -> None:
    Path("heat").write_text("in the way")
    ran = run("validate", "levels", "--profile", "heat")
    assert ran.code == 30
    assert "cannot write heat" in ran.err


def test_a_picture_that_cannot_be_drawn_costs_no_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("drawing")

    monkeypatch.setattr(profiles, "parse_problem", fail)
    ran = run("validate", "levels", "--profile", "heat")
    assert ran.code == 1
    assert "ZeroDivisionError" in ran.err
    assert "2 answers in" in ran.out


@pytest.mark.parametrize(
    ("source", "readable"),
    [
        ("levels/crypt.txt", "crypt.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\levels\\crypt.tmx", "crypt.tmx"),
        ("öde Höhle.txt", "ode-Hohle.txt"),
        ("...", "level"),
        ("", "level"),
        ("a" * 400, "a" * 80),
        ("corpus.jsonl:12", "corpus.jsonl-12"),
        ("x/\x1b[31m\n", "31m"),
        ("\udcff", "level"),
        ("NUL:|<>?*", "NUL"),
    ],
)
def test_names_are_safe(source: str, readable: str) -> None:
    name = safe_name(source)
    assert name.rpartition("-")[0] == readable
    assert len(name) < 100
    assert safe_name(source) == name
    assert safe_name(source + " ") != name
