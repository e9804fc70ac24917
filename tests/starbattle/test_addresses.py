"""Addresses and files of other programs: what stands in them, what is refused, and why."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from hypothesis import given

from solvent.core.errors import ParseError
from solvent.formats.lz_string import compress_to_base64, decompress_from_base64
from solvent.starbattle.drawing import draw_text
from solvent.starbattle.formats import FORMATS
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.penpa.packing import pack, unpack
from solvent.starbattle.notation.sudokupad import _unzipped
from starbattle.strategies import puzzles
from starbattle.test_notation import F_PUZZLES, MARKED, PLAIN, REGIONS, SUDOKUPAD

PENPA = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="


def penpa_lines(puzzle: Puzzle) -> list[str]:
    """Return the lines that are in an address of Penpa+."""
    return unpack(FORMATS.format(puzzle, "penpa").strip().removeprefix(PENPA))


def penpa(lines: list[str], *, mode: str = "edit") -> str:
    return f"https://swaroopg92.github.io/penpa-edit/?m={mode}&p={pack(lines)}"


def changed(lines: list[str], line: int, **layers: object) -> str:
    """Return an address of lines in one of which something else is drawn."""
    return penpa([*lines[:line], json.dumps({**json.loads(lines[line]), **layers}), *lines[line + 1 :]])


def fpuzzles(**changes: object) -> str:
    found = json.loads(decompress_from_base64(F_PUZZLES, most=10_000))
    return f"https://f-puzzles.com/?load={compress_to_base64(json.dumps({**found, **changes}))}"


def test_a_drawing_of_penpa_is_built_as_penpa_does():
    heading, margins, modes, problem, answer, cells, *rest = penpa_lines(MARKED)
    assert heading.split(",")[:11] == ["square", "6", "6", "38", "0", "1", "1", "266", "266", "144", "144"]
    assert json.loads(margins) == [1, 1, 1, 1]
    assert json.loads(modes)["grid"] == ["2", "2", "1"]
    # Ten points a row, two of them and a margin to the left: the cell r1c1 is point 33, and 100 more is its corner.
    drawn = json.loads(problem)
    assert drawn["number"] == {"25": ["1", 1, "1"]}
    assert drawn["symbol"] == {"26": [2, "star", 2]}
    assert drawn["lineE"]["125,135"] == 2  # to the right of r1c3
    assert drawn["lineE"]["132,133"] == 2  # below r1c1
    assert len(drawn["lineE"]) == sum(bit == "1" for bit in "00111101001010100101")
    assert json.loads(answer)["symbol"] == {"35": [2, "star", 2], "43": [0, "star", 2], "56": [0, "star", 2]}
    assert json.loads(cells) == [33, 1, 1, 1, 7, 1, 1, 1, 7, 1, 1, 1, 7, 1, 1, 1]
    assert json.loads(rest[4]) == [3, 1, 3]
    assert json.loads(rest[11]) == ["starbattle"]


def test_drawings_of_penpa_that_others_made():
    lines = penpa_lines(PLAIN)
    solving = [*lines[:2], '["2","2","1"]~"combi"~["star",""]', lines[3], "", *lines[5:]]
    assert FORMATS.parse(penpa(solving, mode="solve")) == PLAIN
    older = [",".join(lines[0].split(",")[:11]), *lines[1:6]]  # nothing behind the cells, no rules, no title
    assert FORMATS.parse(penpa(older)) == PLAIN
    assert FORMATS.parse(f"m=edit&p={pack(lines)}") == PLAIN
    assert FORMATS.parse(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={pack(lines).rstrip('=')}") == PLAIN
    assert FORMATS.parse(changed(lines, 3, surface={"33": 3}, deletelineE={"1,2": 1})) == PLAIN
    starred = changed(lines, 3, symbol={"26": [2, "star", 2], "35": [2, "star", 2]})
    assert FORMATS.parse(starred).marks == "..*............."


def test_stars_in_a_drawing_of_penpa():
    rows = tuple(cell // 8 for cell in range(64))
    lines = penpa_lines(Puzzle(8, 2, rows, "." * 64))
    assert FORMATS.parse(penpa(lines)).stars == 2
    bare = [*lines[:3], json.dumps({**json.loads(lines[3]), "number": {}}), *lines[4:]]
    assert FORMATS.parse(penpa(bare)).stars == 2  # the rules say it
    bare[0] = bare[0].replace("2 stars", "Two-star board: stars")
    assert FORMATS.parse(penpa(bare)).stars == 2
    bare[0] = ",".join(bare[0].split(",")[:11])
    silent = FORMATS.parse(penpa(bare))
    assert (silent.stars, silent.stars_assumed) == (1, True)


LINES = penpa_lines(PLAIN)
REFUSED = {
    "another grid": (
        penpa([LINES[0].replace("square", "hex"), *LINES[1:]]),
        "a square grid, but this drawing has anoth",
    ),
    "tags of another puzzle": (
        penpa([*LINES[:17], '["slitherlink"]', *LINES[18:]]),
        "a Star Battle, but its tags say that it is another puzzle, found 'slitherlink'",
    ),
    "numbers in cells": (changed(LINES, 3, number={"33": ["3", 1, "1"]}), "but the drawing has numbers in its cells"),
    "other symbols": (
        changed(LINES, 3, symbol={"33": [1, "circle_L", 2]}),
        "but the drawing has other symbols in its cells, found 'circle_L'",
    ),
    "thermometers": (changed(LINES, 3, thermo=[[33, 34]]), "a Star Battle, but the drawing has thermometers"),
    "cages": (changed(LINES, 3, killercages=[[33, 34]]), "a Star Battle, but the drawing has cages"),
    "no regions": (changed(LINES, 3, lineE={}), "regions drawn as edges, but no edge is drawn between cells"),
    "dotted edges": (changed(LINES, 3, lineE={"125,135": 12}), "but no edge is drawn between cells"),
    "too few regions": (changed(LINES, 3, lineE={"125,135": 2}), "4 regions, as many as rows"),
    "not square": (
        penpa([LINES[0].replace("6,6", "6,7"), *LINES[1:]]),
        "a square board, but it has 5 rows and 4 columns",
    ),
    "a huge grid": (penpa([LINES[0].replace("6,6", "606,606"), *LINES[1:]]), "a grid of at most 100 rows and columns"),
    "broken JSON": (penpa([*LINES[:3], LINES[3][:-9], *LINES[4:]]), "a drawing of Penpa+ whose parts are JSON"),
    "no base 64": (f"{PENPA}*!*", "a drawing of Penpa+, but it is no base 64"),
    "no deflate": (f"{PENPA}AAAABBBB", "a drawing of Penpa+, but"),
    "cut off": (f"{PENPA}{pack(LINES)[:200]}", "a drawing of Penpa+, but it ends early"),
    "empty": (PENPA, "an address with the drawing in it"),
    "of another site": (f"{PENPA}https://puzz.link/p?lits/4/4/7kgkk0", "this names an address of another site"),
    "an older Penpa": (penpa(["10,10,38", *LINES[1:]]), "this is of an older Penpa; open and save it in Penpa+"),
    "marks that touch": (
        changed(LINES, 4, symbol={"33": [2, "star", 2], "34": [2, "star", 2]}),
        "stars that do not touch, but r1c1 and r1c2 do",
    ),
    "digits": (
        fpuzzles(grid=[[{"region": 0, "value": 3, "given": True}] * 4] * 4),
        "but the cell has a digit, found 3",
    ),
    "clues of Sudoku": (fpuzzles(arrow=[{"lines": [["R1C1", "R1C2"]]}]), "clues of Sudoku, found 'arrow'"),
    "cells without regions": (
        fpuzzles(grid=[[{"region": None}] * 4] * 4),
        "a region for each cell, but this one has none",
    ),
    "no grid": (fpuzzles(grid=None), "a grid, the key 'grid', but there is none"),
    "ragged grid": (fpuzzles(grid=[[{"region": 0}] * 3] * 4), "4 cells in a row, as many as rows"),
    "cells that are none": (fpuzzles(grid=[[7] * 4] * 4), "a cell as an object"),
    "more stars than fit": (fpuzzles(ruleset="3 stars in every row"), "a number of stars that fits size 4"),
    "a name on a server": (
        "https://sudokupad.app/abc123",
        "a short one names a puzzle on a server, which is not asked",
    ),
    "two names on a server": ("sudokupad.app/author/title", "a short one names a puzzle on a server"),
    "an id of f-puzzles": ("https://f-puzzles.com/?id=y6lkrj3", "a short one names a puzzle on a server"),
    "broken compression": (
        f"https://f-puzzles.com/?load={F_PUZZLES[:50]}",
        "that lz-string compressed, but it ends early",
    ),
    "no JSON": ("https://f-puzzles.com/?load=" + compress_to_base64("hello"), "but its JSON is broken"),
    "no object": ("https://f-puzzles.com/?load=" + compress_to_base64("[1, 2]"), "a puzzle as an object"),
    "a packed Sudoku": ("https://sudokupad.app/scf" + "A" * 30, "scf holds only Sudoku"),
    "no board in the address": ("https://www.starbattle.org/Main/?sbn=", "an address with the board in it"),
    "a cut board": (
        "https://www.starbattle.org/Main/?sbn=441WFIY",
        "4 characters of borders for size 4, but there are 3",
    ),
    "another puzzle's file": (
        "pzprv3\nslither\n4\n4\n",
        "a file of starbattle, but this is another puzzle, found 'slither'",
    ),
    "a cut file": ("pzprv3\nstarbattle\n4\n4\n1\n4\n0 0 0 1\n", "4 rows of regions, but the file ends here"),
    "a ragged file": ("pzprv3/starbattle/4/4/1/4/0 0 0 /", "a row of 4 regions, but it has 3"),
    "a wide file": ("pzprv3/starbattle/4/5/1/4/", "a square board, width 4 like the height"),
    "a wrong answer": (
        FORMATS.format(PLAIN, "pzprv3").replace(". . . .", ". ? . .", 1),
        "# for a star, + for an empty cell or . for neither, found '?'",
    ),
    "two levels": ("a = {colorRegions: [[1]]}; b = {colorRegions: [[1]]}", "one level in a file, but there are 2"),
    "a level of another size": (
        FORMATS.format(PLAIN, "queens-ts").replace("size: 4", "size: 5"),
        "size 4, as many as rows, found 5",
    ),
    "a level without end": ("const level = {colorRegions: [['A', 'B'", "as a list of rows that ends"),
    "a drawing without end": (FORMATS.format(PLAIN, "drawing").partition("└───────┴")[0], "with a lower edge"),
    "a drawing with a letter": (FORMATS.format(MARKED, "drawing").replace("★", "Q"), "a star ★, a cross × or nothing"),
    "a drawing cut at the side": (
        "\n".join(
            line[:-2] if number == 3 else line
            for number, line in enumerate(FORMATS.format(PLAIN, "drawing").splitlines())
        ),
        "a line of the board from edge to edge",
    ),
    "an empty cell": ("A,A,A,B\nC,A,,B\nC,C,D,D\nC,C,D,D\n", "the name of a region, but the cell is empty"),
    "ragged CSV": ("A,A,A,B\nC,A,D\nC,C,D,D\nC,C,D,D\n", "a row of 4 cells, like the first, but it has 3"),
    "ragged letters": ("AAAB\nCADB\nCCD\nCCDD\n", "a row of 4 cells, but it has 3"),
    "another width": ("4x5 1\nAAAB\nCADB\nCCDD\nCCDD\n", "a square board, 4 like the width, found '5'"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_refused_says_what_is_missing(text: str, said: str):
    assert FORMATS.sniff(text)
    with pytest.raises(ParseError) as caught:
        FORMATS.parse(text)
    assert said in str(caught.value)


def test_a_short_address_does_not_unfold_to_gigabytes():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = base64.b64encode(packer.compress(b"x" * 10_000_000) + packer.flush()).decode()
    with pytest.raises(ParseError, match="it unfolds to more than 4 MB"):
        FORMATS.parse(f"{PENPA}{bomb}")
    with pytest.raises(ValueError, match="it unfolds to more than 1,000 characters"):
        decompress_from_base64(compress_to_base64("x" * 1001), most=1000)


def test_what_is_in_addresses_of_sudoku_programs():
    known = json.loads(decompress_from_base64(F_PUZZLES, most=10_000))
    assert [[cell["region"] for cell in row] for row in known["grid"]] == [
        list(REGIONS[start : start + 4]) for start in range(0, 16, 4)
    ]
    assert "1 star in every row" in known["ruleset"]
    packed = SUDOKUPAD.replace("%2B", "+").replace("%2F", "/")
    own = json.loads(decompress_from_base64(packed, most=10_000))
    assert own["regions"][1] == [[0, 3], [1, 3]]
    for address in (
        f"https://f-puzzles.com/?load={F_PUZZLES}",
        f"https://www.f-puzzles.com/?load={F_PUZZLES.replace('/', '%2F')}",
        f"https://sudokupad.app/fpuz{F_PUZZLES}",
        f"https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{F_PUZZLES}",
        f"fpuzzles{F_PUZZLES}",
        f"https://sudokupad.app/?puzzleid=scl{SUDOKUPAD}",
        f"scl{packed}",
    ):
        assert FORMATS.parse(address) == PLAIN, address


def test_shortened_json_of_sudokupad():
    short = "{cs:50,ca:[{v:'title: It\\'s a Star Battle'},{v:'rules: 1 star a row',h:t}],ce:[[,,,],[,,,],[,,,],[,,,]],"
    short += "re:[[[0,0],[0,1],[0,2],[1,1]],[[0,3],[1,3]],[[1,0],[2,0],[2,1],[3,0],[3,1]],"
    short += "[[1,2],[2,2],[2,3],[3,2],[3,3]]]}"
    assert json.loads(_unzipped(short))["ca"][1] == {"v": "rules: 1 star a row", "h": True}
    assert FORMATS.parse(f"https://sudokupad.app/scl{compress_to_base64(short)}") == PLAIN


def test_files_of_puzzlink():
    # The form in which the sites keep boards in one line, with answers, and with the history of moves behind.
    line = "pzprv3/starbattle/4/4/1/4/0 0 0 1 /2 0 3 1 /2 2 3 3 /2 2 3 3 /. . # . /+ . . . /. . . + /. . . . /"
    assert FORMATS.parse(line) == MARKED
    assert FORMATS.parse(line.replace("/", "\n") + '\n{"history": []}\n') == MARKED
    assert FORMATS.parse(line.partition("/. . #")[0]) == PLAIN
    assert FORMATS.parse("pzprv3.1" + line.removeprefix("pzprv3").replace("/", "\r\n")) == MARKED


def test_levels_of_queens_programs():
    module = """import { anakiwa, celadon, // two of the colours
} from "../colors";

/* A level of 4 rows. */
const level1 = {
  path: "/community-level/1",
  size: 4,
  colorRegions: [
    ["A", "A", "A", "B"],
    ["C", "A", "D", "B"],
    ["C", "C", "D", "D"], // as below
    ["C", "C", "D", "D"],
  ],
  regionColors: { A: anakiwa, B: celadon, C: "#aabbcc", D: "#000" },
  isNew: true,
};

export default level1;
"""
    assert FORMATS.find(module) == "queens-ts"
    assert FORMATS.parse(module) == PLAIN
    assert FORMATS.parse(module.replace('"', "'")) == PLAIN


@given(puzzles())
def test_what_a_terminal_shows_is_read_back(puzzle: Puzzle):
    if "#" in FORMATS.format(puzzle, "sbn"):
        return  # a picture shows no region in pieces
    shown = draw_text(puzzle)
    assert FORMATS.find(shown) == "drawing"
    assert FORMATS.parse(shown) == puzzle
    assert FORMATS.parse(draw_text(puzzle, colour=True)) == puzzle
