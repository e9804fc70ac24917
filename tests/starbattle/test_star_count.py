"""The stars of boards that do not say them: one rule, told in a remark, and `--stars` for another number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import solvent
from helpers.command import Run
from solvent.core.errors import BadOption
from solvent.registry import get_domain
from solvent.starbattle.formats import FORMATS
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.star_count import stars_in_words, usual_stars, with_stars
from starbattle.brute_force import solutions

SAYS_NONE = ("tokens", "csv", "task", "queens", "queens-ts", "letters")
"""Formats that have no words of their own for the stars."""


def rows_of(size: int) -> tuple[int, ...]:
    return tuple(cell // size for cell in range(size * size))


@pytest.mark.parametrize(
    ("size", "stars"), [(5, 1), (6, 1), (8, 1), (9, 1), (10, 2), (14, 3), (17, 4), (21, 5), (25, 6)]
)
def test_the_same_regions_have_the_same_stars_in_every_format(size: int, stars: int):
    puzzle = Puzzle(size, stars, rows_of(size), "." * size**2)
    for format in SAYS_NONE:
        text = FORMATS.format(puzzle, format)
        assert "stars" not in text, format
        read = FORMATS.parse(text)
        assert (read, read.stars_assumed) == (puzzle, True), format
        [remark] = get_domain("starbattle").remarks(read)
        assert remark.startswith(f"{stars} star")
        assert "--stars says another number" in remark
    for format in set(FORMATS.rows) - set(SAYS_NONE):
        assert not FORMATS.parse(FORMATS.format(puzzle, format)).stars_assumed, format


def test_a_region_without_room_for_the_usual_stars_has_fewer():
    # Ten rows would have two stars each, but a block of 2×2 has room for one only.
    regions = [cell // 10 for cell in range(100)]
    for cell in (0, 1, 10, 11):
        regions[cell] = 10
    regions = [{9: 8}.get(region, region) for region in regions]
    assert usual_stars(10, rows_of(10)) == 2
    assert usual_stars(10, regions) == 1
    assert usual_stars(25, rows_of(25)) == 6


def test_room_is_counted_as_brute_force_counts_it():
    # With as many stars as fit on the region in the corner, and not one more, a board may have a solution.
    small = solvent.parse("8 1\nAABBBBBB\nAABBBBBB\nCCCCCCCC\nDDDDDDDD\nEEEEEEEE\nFFFFFFFF\nGGGGGGGG\nHHHHHHHH\n")
    assert solutions(small)
    assert not solutions(with_stars(small, 2))


def test_marks_that_need_more_stars_say_so():
    read = FORMATS.parse("AABBCCDD\n" * 4 + "EEFFGGHH\n" * 4 + "\n*..*....\n" + "........\n" * 7)
    assert (read.stars, read.stars_assumed) == (2, True)
    with pytest.raises(BadOption, match="expected at least 2, which a row, column or region has already, found 1"):
        with_stars(read, 1)


@pytest.mark.parametrize(
    ("text", "stars"),
    [
        ("Place 2 stars in every row", 2),
        ("Star Battle (two stars)", 2),
        ("a 3-star puzzle", 3),
        ("2★", 2),
        ("One star each; no star touches another", 1),
        ("2 Star Battles", None),
        ("12 stars", None),
        ("1 star here, 2 stars there", None),
        ("", None),
    ],
)
def test_stars_in_words(text: str, stars: int | None):
    assert stars_in_words(text) == stars


def test_stars_on_the_command_line(run: Run, empty_folder: Path):
    Path("bare.txt").write_text("AABBCCDD\n" * 4 + "EEFFGGHH\n" * 4)
    said = run("solve", "bare.txt")
    assert said.code == 0
    assert "Reading it assumed:\n  - 1 star in each row, column and region, as is usual for size 8" in said.out
    told = run("solve", "bare.txt", "--stars", "2")
    assert "assumed" not in told.out
    assert "2 stars in each row" in told.out
    for words in (["--stars=2"], ["--rule", "stars=2"]):
        assert run("convert", "bare.txt", "--to", "grid", *words).out.startswith("8 2\n")
    assert run("convert", "bare.txt", "--to", "grid").err.startswith("Reading it assumed:\n  - 1 star in each row")
    assert json.loads(run("convert", "bare.txt", "--to", "grid", "--json").out)["remarks"]
    assert run("hint", "--level", "cells", "bare.txt", "--stars", "1").code == 20  # nothing is forced
    assert run("draw", "--text", "bare.txt", "--stars", "1").code == 0
    refused = run("solve", "bare.txt", "--stars", "3")
    assert (refused.code, refused.out) == (2, "")
    assert "expected at most 2 on a board of size 8, found 3" in refused.err
    assert run("solve", "bare.txt", "--stars").code == 2


def test_an_unknown_address_says_which_are_read(run: Run):
    other = run("solve", "https://puzz.link/p?slither/4/4/7kgkk0")
    assert (other.code, other.out) == (30, "")
    assert "Solvent does not read this address (of puzz.link it reads starbattle, and this is slither)" in other.err
    assert "does not read this address; it reads those of puzz.link, " in run("solve", "puzz.link/about").err


def test_addresses_open_in_the_browser(run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    Path("board.txt").write_text("4 1\nAAAB\nCADB\nCCDD\nCCDD\n\n..*.\n....\n....\n....\n")
    for format in ("puzzlink", "penpa"):
        assert run("convert", "board.txt", "--to", format, "--open").code == 0
    assert opened[0].startswith("https://puzz.link/p?starbattle/4/4/1/7kgkk0")
    assert opened[1].startswith("https://swaroopg92.github.io/penpa-edit/#m=edit&p=")
    assert "csv is no address" in run("convert", "board.txt", "--to", "csv", "--open").err
