"""Books to print: every board and its solution on the pages, the same bytes for a seed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from helpers.command import Run
from solvent import asking
from solvent.core.errors import GenerationFailed
from solvent.drawing.pdf import PAPERS, Page, write_pdf
from solvent.registry import get_domain


def words_of(file: bytes) -> list[str]:
    """Return the words on the pages, in order."""
    return [bytes.fromhex(found.decode()).decode("cp1252") for found in re.findall(rb"<([0-9a-f]+)> Tj", file)]


def check_table(file: bytes) -> None:
    """Check that the table at the end of a PDF names the byte at which each object begins."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", file)[1])
    assert file[start:].startswith(b"xref\n")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n ", file[start:]), start=1):
        assert file[int(place) :].startswith(b"%d 0 obj\n" % number)
    for length, content in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", file, re.DOTALL):
        assert int(length) == len(content)


def test_a_file_of_lines_and_words():
    page = Page("a4")
    page.lines([((0, 0), (10, 20))], thick=2)
    page.polygon([(0, 0), (1, 0), (1, 1)], grey=0.5)
    page.text((50, 60), "3×3 (a \\ test)", size=9)
    file = write_pdf([page, Page("letter")], title="Test")
    check_table(file)
    assert words_of(file) == ["3×3 (a \\ test)"]
    assert b"0 841.89 m 10 821.89 l S" in file
    assert b"/MediaBox [0 0 595.28 841.89]" in file
    assert b"/MediaBox [0 0 612 792]" in file


@pytest.mark.parametrize("paper", PAPERS)
def test_a_book(run: Run, empty_folder: Path, paper: str):
    words = ["generate", "starbattle", "--size", "6", "--stars", "1", "--count", "7", "--seed", "3", "--paper", paper]
    ran = run(*words, "--pdf", "book.pdf")
    assert (ran.code, ran.out) == (0, "")
    assert "Wrote book.pdf: 7 instances, from the seeds 3 to 9." in ran.err
    file = Path("book.pdf").read_bytes()
    check_table(file)
    said = words_of(file)
    assert said[0] == "Star Battle: 7 puzzles"
    # Six boards a page, so that two pages of boards and one of solutions are numbered.
    assert re.search(rb"/Count (\d+)", file)[1] == b"3"
    solutions = said[said.index("Solutions") :]
    for number in range(1, 8):
        assert any(re.fullmatch(rf"{number}   [a-z ]+", word) for word in said[: said.index("Solutions")])
        assert any(re.fullmatch(rf"{number}   [a-z ]+, \d+ of 100", word) for word in solutions)
    assert file.count(b" h f") == 7 * 6  # a star for each star of each solution, and no other polygon
    assert run(*words, "--pdf", "again.pdf").code == 0
    assert Path("again.pdf").read_bytes() == file


def test_stars_stand_where_the_certificate_has_them():
    puzzle, answers = asking.generate("starbattle", size=5, stars=1, seed=4)
    file = get_domain("starbattle").generator.book([(puzzle, answers)], "a4")
    tops = [tuple(map(float, found)) for found in re.findall(rb"0 g ([\d.]+) ([\d.]+) m [\d. l]+ h f", file)]
    cells = sorted(answers[0].certificate["stars"])
    # From the tips of two stars follows where the others are.
    (first, second), ((x, y), (far_x, far_y)) = cells[:2], tops[:2]
    width, height = (far_x - x) / (second[1] - first[1]), (y - far_y) / (second[0] - first[0])
    assert width == pytest.approx(height, abs=0.05)
    for (row, column), (tip_x, tip_y) in zip(cells, tops, strict=True):
        assert tip_x == pytest.approx(x + (column - first[1]) * width, abs=0.1)
        assert tip_y == pytest.approx(y - (row - first[0]) * height, abs=0.1)


def test_seeds_that_fail_are_replaced(run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch):
    make = asking.generate

    def picky(name: str, *, seed: int = 0, **options: object) -> object:
        if seed == 1:
            raise GenerationFailed("nothing")
        return make(name, seed=seed, **options)

    monkeypatch.setattr(asking, "generate", picky)
    words = ["generate", "starbattle", "--size", "5", "--stars", "1", "--count", "3", "--pdf", "book.pdf"]
    assert json.loads(run(*words, "--json").out)["seeds"] == [0, 2, 3]
    assert "nothing of the kind came from 1" in run(*words).err


def test_what_cannot_be_a_book(run: Run, empty_folder: Path):
    refused = run("generate", "harmony", "--pdf", "book.pdf")
    assert (refused.code, refused.out) == (2, "")
    assert "harmony makes no books to print; --pdf is for starbattle" in refused.err
    assert "leave out -o" in run("generate", "starbattle", "--pdf", "book.pdf", "-o", "boards/").err
    assert run("generate", "starbattle", "--pdf", "book.pdf", "--paper", "a3").code == 2
    assert not Path("book.pdf").exists()
