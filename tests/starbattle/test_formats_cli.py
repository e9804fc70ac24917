"""Star Battle on the command line: every format in and out, and messages that say where a mistake is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from torture.instances.starbattle import puzzle_of

import solvent
from helpers.command import Run
from solvent.starbattle.formats import FORMATS
from starbattle.brute_force import solutions

SMALL = "4 1\nAABB\nAABB\nCCDD\nCCDD\n"
ADDRESS = "https://puzz.link/p?starbattle/4/4/1/94g1s0"
"""The same board: two halves each way."""
UNIQUE = "5 1\nABBBB\nAABBB\nAAACC\nDDAEE\nDDAAE\n"


@pytest.fixture(autouse=True)
def _files(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    Path("small.txt").write_text(SMALL)
    Path("unique.txt").write_text(UNIQUE)


@pytest.mark.parametrize("format", FORMATS.rows)
def test_every_format_and_back(run: Run, format: str):
    written = run("convert", "unique.txt", "--to", format)
    assert (written.code, written.err) == (0, "")
    Path("other.txt").write_text(written.out)
    assert run("convert", "other.txt", "--to", "grid").out == UNIQUE
    solved = run("solve", "other.txt", "--ask", "unique", "--json")
    assert solved.code == 0
    [expected] = solutions(solvent.parse(UNIQUE))
    assert json.loads(solved.out)["certificate"]["stars"] == [list(divmod(cell, 5)) for cell in sorted(expected)]


@pytest.mark.parametrize("format", FORMATS.rows)
def test_every_format_keeps_marks(run: Run, format: str):
    puzzle = puzzle_of("AABB AABB CCDD CCDD", 1, ".*.. x... .... ..x.")
    Path("marked.txt").write_text(solvent.format(puzzle))
    Path("other.txt").write_text(run("convert", "marked.txt", "--to", format).out)
    assert solvent.load("other.txt", domain="starbattle") == puzzle


def test_an_address_is_solved_as_it_stands(run: Run):
    ran = run("solve", ADDRESS)
    assert (ran.code, ran.err) == (0, "")
    assert "solvable: YES, checked (stars)" in ran.out
    assert run("solve", ADDRESS, "--ask", "unique").code == 10
    assert run("convert", ADDRESS, "--to", "grid").out == SMALL
    assert run("convert", "small.txt", "--to", "puzzlink").out == ADDRESS + "\n"


def test_a_certificate_is_written_and_checked(run: Run):
    assert run("solve", "unique.txt", "--ask", "unique", "--certificate", "proof.json").code == 0
    assert run("check", "unique.txt", "proof.json").code == 0
    assert run("check", "small.txt", "proof.json").code == 31


def test_verdicts_and_exit_codes(run: Run):
    assert run("solve", "unique.txt").code == 0
    ran = run("solve", "small.txt", "--ask", "unique")
    assert ran.code == 10
    assert "Because: There is more than one solution" in ran.out
    assert run("solve", "small.txt", "--nodes", "0").code == 20
    unproved = run("solve", "unique.txt", "--ask", "unique", "--no-proof")
    assert unproved.code == 0
    assert "unique: YES, not certified" in unproved.out


def test_generating(run: Run):
    made = run("generate", "starbattle", "--size", "6", "--stars", "1", "--seed", "3")
    assert made.code == 0
    assert made.out == run("generate", "starbattle", "--size", "6", "--stars", "1", "--seed", "3").out
    Path("made.txt").write_text(made.out)
    assert run("solve", "made.txt", "--ask", "unique").code == 0
    refused = run("generate", "starbattle", "--size", "7", "--stars", "2")
    assert (refused.code, refused.out) == (2, "")
    assert "expected at most 1 on a board of size 7, found 2" in refused.err


BAD = {
    "a ragged row": ("4 1\nAABB\nAAB\nCCDD\nCCDD\n", "line 3, column 4: expected a row of 4 cells, but it has 3"),
    "a long row": ("4 1\nAABB\nAABBB\nCCDD\nCCDD\n", "line 3, column 5: expected a row of 4 cells, but it has 5"),
    "a row missing": ("4 1\nAABB\nAABB\nCCDD\n", "line 5, column 1: expected 4 rows of letters, but there are 3"),
    "too many stars": (SMALL.replace("4 1", "4 2"), "line 1, column 3: expected a number of stars that fits size 4"),
    "no stars": (SMALL.replace("4 1", "4 0"), "line 1, column 3: expected a number of stars that fits size 4"),
    "too large": ("26 1\n" + "A" * 26 + "\n", "line 1, column 1: expected a size"),
    "too small": ("3 1\nAAB\nABB\nCCC\n", "line 1, column 1: expected a size"),
    "too few regions": ("4 1\nAABB\nAABB\nCCCC\nCCCC\n", "line 2, column 1: expected 4 regions"),
    "too many regions": ("4 1\nAABB\nAABB\nCCDD\nCCDE\n", "line 5, column 4: expected 4 regions"),
    "no letter": ("4 1\nAABB\nA?BB\nCCDD\nCCDD\n", "line 3, column 2: expected the letter of a region, found '?'"),
    "marks that touch": (
        SMALL + "\n*...\n.*..\n....\n....\n",
        "line 8, column 2: expected stars that do not touch, but r1c1 and r2c2 do",
    ),
    "marks that are too many": (
        SMALL + "\n*..*\n....\n....\n....\n",
        "line 7, column 4: expected at most 1 star in row 1, but r1c1 and r1c4 are stars",
    ),
    "no mark": (SMALL + "\n*..o\n....\n....\n....\n", "line 7, column 4: expected a mark"),
    "ragged marks": (SMALL + "\n*..\n....\n....\n....\n", "line 7, column 4: expected a row of 4 cells"),
    "something behind": (SMALL + "\n*...\n....\n....\n....\n....\n", "line 11, column 1: expected nothing"),
    "a short address": (ADDRESS[:-1] + "\n", "line 1, column 43: expected 6 characters of borders for size 4"),
    "an address cut off": (ADDRESS[:-7] + "\n", "line 1, column 37: expected width, height, stars and borders"),
    "a wrong character in it": (ADDRESS[:-1] + "z\n", "line 1, column 43: expected a character of borders"),
    "not square": (ADDRESS.replace("/4/4/", "/4/5/") + "\n", "line 1, column 34: expected a square board"),
    "a ragged array": ("[[0,0,1,1],[0,0,1],[2,2,3,3],[2,2,3,3]]\n", "expected"),
    "a short task": ("1,1,2,2,1,1,2,2,3,3,4,4,3,3,4\n", "line 1"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", [("solve",), ("convert", "--to", "tokens"), ("hint",)])
def test_bad_input_is_told_with_its_place(run: Run, name: str, command: tuple[str, ...]):
    text, message = BAD[name]
    Path("bad.txt").write_text(text)
    ran = run(*command, "bad.txt")
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith("solvent: bad.txt, ")
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "\n\n", "hello there\n", "4 one\nAABB\n", "\x00\x01\x02", "{}", "[]", "4,4,1"])
@pytest.mark.parametrize("words", [(), ("--as", "starbattle")])
def test_junk_is_bad_input_and_no_verdict(run: Run, text: str, words: tuple[str, ...]):
    Path("junk.txt").write_text(text)
    ran = run("solve", "junk.txt", *words)
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith("solvent: junk.txt")
    assert "Traceback" not in ran.err


def test_bytes_that_are_no_text(run: Run):
    Path("junk.txt").write_bytes(b"\xc3\x28\xa0")
    ran = run("solve", "junk.txt")
    assert ran.code == 30
    assert "expected text in UTF-8" in ran.err
    Path("wide.txt").write_bytes("6 1\n".encode("utf-16"))
    ran = run("solve", "wide.txt")
    assert ran.code == 30
    assert "this is text in UTF-16; save it as UTF-8" in ran.err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (ADDRESS[:-2], "the address, line 1, column 42: expected 6 characters of borders for size 4"),
        (ADDRESS.replace("/1/", "/3/"), "the address, line 1, column 36: expected a number of stars that fits size 4"),
    ],
)
def test_a_mistake_in_an_address(run: Run, address: str, message: str):
    ran = run("solve", address)
    assert (ran.code, ran.out) == (30, "")
    assert ran.err.startswith(f"solvent: {message}")


def test_an_unknown_format_is_a_usage_error_that_lists_them(run: Run):
    ran = run("convert", "small.txt", "--to", "nope")
    assert (ran.code, ran.out) == (2, "")
    assert all(name in ran.err for name in FORMATS.rows)
