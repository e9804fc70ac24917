"""Every format: read, refused with a place, and written back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given

from solvent.core.errors import BadOption, ParseError
from solvent.starbattle.formats import FORMATS
from solvent.starbattle.model import Puzzle, most_stars
from starbattle.strategies import puzzles

#   A A A B      right: 001
#   C A D B             111
#   C C D D             010
#   C C D D             010
REGIONS = (0, 0, 0, 1, 2, 0, 3, 1, 2, 2, 3, 3, 2, 2, 3, 3)
PLAIN = Puzzle(4, 1, REGIONS, "." * 16)
MARKED = Puzzle(4, 1, REGIONS, "..*." + "x..." + "...x" + "....")
# Region A in two pieces: the corner at the lower right belongs to it too.
APART = Puzzle(4, 1, (*REGIONS[:15], 0), "." * 16)

# right: 001 111 010 010   -> 00111 10100 10(000) -> 7 k g
# below: 1010 0101 0000    -> 10100 10100 00(000) -> k k 0, where row 1 is A|C, A|A, A|D, B|B
#        and row 2 is C|C, A|C, D|D, B|D
F_PUZZLES = (
    "N4IgzglgXgpiBcAWANCALhNAbO8QGU0BDAJwAIAhItbOVIgVzQAsB7EhEEVEhnMGGk6FSlarXhkAjGTDFyEAHZkYANxgkAnmRKsA7sjIBjVlgYBbZUUU"
    "ATHTADmEVooDcs+WDI3WZRazQyNFYGI2YAOm4QBxIIGwQAbQTQEkdnRQQABgBfZBS0lyzc/KdC+By8kFTSjPgpbIBdZGSqgtqAJmLWmqLK6vSEAGYu"
    "/rL6ppbRjpG2hE6+2fhhhZ6lxuaSgfh5zbKd7q3l3drhhobsoA"
)
SUDOKUPAD = (
    "N4IgxgpgNlDKCWAvCIBcBWADAGhAWwgBcBDAE2JLVEPkKhVRFhICcACAIQrpVxYFd6AZzRNWnbvVRsAjGyHj4AOzYQAbhBYBPNiwD2Ad2xsweqPzwriS"
    "0rogBzeHqUBueayFtSetkr2E2Qj1%2BMAALADoQAF9cSBgRVABtROAY1Ox01IBdbBS0%2FIyonLzC0uzczILsnJAWByclBOTEnExinBl27AAmYplsTuK"
    "W7ABmPtGsof623O7sGcS5ztyR%2BeLVwdzE%2Ft7ZnuK5sZX947HJqKA"
)
KNOWN = {
    "grid": ("4 1\nAAAB\nCADB\nCCDD\nCCDD\n", "4 1\nAAAB\nCADB\nCCDD\nCCDD\n\n..*.\nx...\n...x\n....\n"),
    "tokens": ("0 0 0 1\n2 0 3 1\n2 2 3 3\n2 2 3 3\n", "0 0 0s 1\n2x 0 3 1\n2 2 3 3x\n2 2 3 3\n"),
    "puzzlink": (
        "https://puzz.link/p?starbattle/4/4/1/7kgkk0\n",
        "https://puzz.link/p?starbattle/4/4/1/7kgkk0#marks=..*.x......x....\n",
    ),
    # 001111 010010, then below column by column: 100 010 100 010 -> 100010 100010: F I Y Y.
    # Marks by three, 0 unknown, 1 cross, 2 star: 002 010 000 001 000 0 -> 2 4 0 1 0 0.
    "sbn": ("441WFIYY\n", "441eFIYY240100\n"),
    "task": (
        "1,1,1,2,3,1,4,2,3,3,4,4,3,3,4,4\n",
        "1,1,1,2,3,1,4,2,3,3,4,4,3,3,4,4 #marks=..*.x......x....\n",
    ),
    "krazydad": ('4,4,1,"AAABCADBCCDDCCDD",""\n', '4,4,1,"AAABCADBCCDDCCDD","" #marks=..*.x......x....\n'),
    "masonomara": ("4x1.AAABCADBCCDDCCDD\n", "4x1.AAABCADBCCDDCCDD #marks=..*.x......x....\n"),
    "queens": (
        "[\n  [0, 0, 0, 1],\n  [2, 0, 3, 1],\n  [2, 2, 3, 3],\n  [2, 2, 3, 3]\n]\n",
        '{\n  "stars": 1,\n  "colorRegions": [\n    [0, 0, 0, 1],\n    [2, 0, 3, 1],\n    [2, 2, 3, 3],\n'
        '    [2, 2, 3, 3]\n  ],\n  "marks": [\n    "..*.",\n    "x...",\n    "...x",\n    "...."\n  ]\n}\n',
    ),
    "csv": (
        "A,A,A,B\nC,A,D,B\nC,C,D,D\nC,C,D,D\n",
        "A,A,A,B\nC,A,D,B\nC,C,D,D\nC,C,D,D\n#marks=..*.x......x....\n",
    ),
    "queens-ts": (
        'const level = {\n  size: 4,\n  colorRegions: [\n    ["A", "A", "A", "B"],\n    ["C", "A", "D", "B"],\n'
        '    ["C", "C", "D", "D"],\n    ["C", "C", "D", "D"]\n  ],\n};\n\nexport default level;\n',
        'const level = {\n  size: 4,\n  stars: 1,\n  colorRegions: [\n    ["A", "A", "A", "B"],\n'
        '    ["C", "A", "D", "B"],\n    ["C", "C", "D", "D"],\n    ["C", "C", "D", "D"]\n  ],\n  marks: [\n'
        '    "..*.",\n    "x...",\n    "...x",\n    "...."\n  ],\n};\n\nexport default level;\n',
    ),
    "json": (
        '{\n  "size": 4,\n  "stars": 1,\n  "regions": [\n    "AAAB",\n    "CADB",\n    "CCDD",\n    "CCDD"\n  ]\n}\n',
        '{\n  "size": 4,\n  "stars": 1,\n  "regions": [\n    "AAAB",\n    "CADB",\n    "CCDD",\n    "CCDD"\n  ],\n'
        '  "marks": [\n    "..*.",\n    "x...",\n    "...x",\n    "...."\n  ]\n}\n',
    ),
    "pzprv3": (
        "pzprv3\nstarbattle\n4\n4\n1\n4\n0 0 0 1 \n2 0 3 1 \n2 2 3 3 \n2 2 3 3 \n"
        ". . . . \n. . . . \n. . . . \n. . . . \n",
        "pzprv3\nstarbattle\n4\n4\n1\n4\n0 0 0 1 \n2 0 3 1 \n2 2 3 3 \n2 2 3 3 \n"
        ". . # . \n+ . . . \n. . . + \n. . . . \n",
    ),
    # What stands behind the addresses of the next two is looked at in test_addresses.
    "fpuzzles": (
        f"https://f-puzzles.com/?load={F_PUZZLES}\n",
        f"https://f-puzzles.com/?load={F_PUZZLES} #marks=..*.x......x....\n",
    ),
    "sudokupad": (
        f"https://sudokupad.app/scl{SUDOKUPAD}\n",
        f"https://sudokupad.app/scl{SUDOKUPAD} #marks=..*.x......x....\n",
    ),
    "starbattlelab": (
        "https://www.starbattle.org/Main/?sbn=441WFIYY\n",
        "https://www.starbattle.org/Main/?sbn=441eFIYY240100\n",
    ),
    "drawing": (
        "┌───────────┬───┐\n│           │   │\n├───┐   ┌───┤   │\n│   │   │   │   │\n│   └───┤   └───┤\n"
        "│       │       │\n│   ·   │   ·   │\n│       │       │\n└───────┴───────┘\n\n"
        "4×4, 1 star in each row, column and region\n",
        "┌───────────┬───┐\n│         ★ │   │\n├───┐   ┌───┤   │\n│ × │   │   │   │\n│   └───┤   └───┤\n"
        "│       │     × │\n│   ·   │   ·   │\n│       │       │\n└───────┴───────┘\n\n"
        "4×4, 1 star in each row, column and region\n",
    ),
    "letters": ("AAAB\nCADB\nCCDD\nCCDD\n", "AAAB\nCADB\nCCDD\nCCDD\n\n..*.\nx...\n...x\n....\n"),
}


def test_there_is_a_known_text_of_every_format_and_the_grid_is_first():
    # How well a deflated address is packed depends on the library; test_addresses looks into it.
    assert {*KNOWN, "penpa"} == set(FORMATS.rows)
    assert next(iter(FORMATS.rows)) == "grid"


def test_the_domain_offers_these_formats():
    from solvent.starbattle import DOMAIN

    assert DOMAIN.formats == FORMATS.descriptions


@pytest.mark.parametrize("format", KNOWN)
def test_known_texts(format: str):
    plain, marked = KNOWN[format]
    assert FORMATS.parse(plain) == PLAIN
    assert FORMATS.parse(marked) == MARKED
    assert FORMATS.format(PLAIN, format) == plain
    assert FORMATS.format(MARKED, format) == marked


def test_an_unknown_format():
    with pytest.raises(BadOption, match="grid, drawing, tokens"):
        FORMATS.format(PLAIN, "picture")


@given(puzzles())
def test_every_format_takes_every_puzzle(puzzle: Puzzle):
    for format in FORMATS.rows:
        text = FORMATS.format(puzzle, format)
        assert FORMATS.sniff(text), text
        assert FORMATS.parse(text) == puzzle, text


@pytest.mark.parametrize("size", range(4, 26))
def test_every_size_and_number_of_stars(size: int):
    for stars in range(1, most_stars(size) + 1):
        puzzle = Puzzle(size, stars, tuple(cell // size for cell in range(size**2)), "." * size**2)
        for format in FORMATS.rows:
            assert FORMATS.parse(FORMATS.format(puzzle, format)) == puzzle, format


def test_regions_in_pieces_are_said_behind_addresses():
    # Two more borders, to the left of the corner and above it: right …011, below 0001 at the end.
    known = {
        "puzzlink": "https://puzz.link/p?starbattle/4/4/1/7kokk8#regions=ABCDA\n",
        "sbn": "441WFJYZ #regions=ABCDA\n",
    }
    for format, text in known.items():
        assert FORMATS.format(APART, format) == text
        assert FORMATS.parse(text) == APART
    assert "#" not in FORMATS.format(APART, "task")


def test_stars_are_said_where_the_size_does_not_tell():
    rows = tuple(cell // 10 for cell in range(100))
    for format in ("tokens", "task"):
        assert "#" not in FORMATS.format(Puzzle(10, 2, rows, "." * 100), format)
        assert "#stars=1" in FORMATS.format(Puzzle(10, 1, rows, "." * 100), format)


@pytest.mark.parametrize(
    "text",
    [
        "starbattle/4/4/1/7kgkk0",
        "http://pzv.jp/p.html?starbattle/4/4/1/7kgkk0",
        "puzz.link/p?starbattle/4/4/1/7kgkk0/",
        "https://pzprxs.vercel.app/p?starbattle_edit/4/4/1/7KGKK0",
        "# found on a page\n\n  https://puzz.link/p?starbattle/4/4/1/7kgkk0  # at the end\n",
        "\ufeff4 1\r\n\r\n# any letters\r\nzzzA\r\nbz7A\r\nbb77\r\nbb77\r\n",
        "  4\t1  # size and stars\r  AAAB\rCADB  \rCCDD\rCCDD",
        "4 1\nAAAa\nCADa\nCCDD\nCCDD\n....\n....\n....\n....\n",
        "5 5 5 07\n9 5 0 7\n9 9 00 0\n9 9 0 0\n",
        "a a a b\nc a d b\nc c d d\nc c d d\n#stars=1\n",
        "441WFIYY~history",
        "441eFIYY",
        " 1, 1, 1, 2, 30, 1, 4, 2, 30, 30, 4, 4, 30, 30, 4, 4",
        '4,4,1,"AAABCADBCCDDCCDD","0010100000010100" # a comment',
        '4, 4, 1, "AAABCADBCCDDCCDD"',
        "4x1.AAABCADBCCDDCCDD.s-1429660675d1l3c12v1",
        "4x1.0001203122332233",
        '[["F","F","F","B"],["C","F","D","B"],["C","C","D","D"],["C","C","D","D"]]',
        '# a comment\n{"size": 4, "name": "x", "colorRegions": [[9,9,9,1],[2,9,3,1],[2,2,3,3],[2,2,3,3]]}',
        "4x4 1\nAAAB\nCADB\nCCDD\nCCDD\n",
        "4 × 4, 1 star\nAAAB\nCADB\nCCDD\nCCDD\n",
        "zzz0\nbz10\nbb11\nbb11",
        "0,0,0,1\r\n2,0,3,1\r\n2,2,3,3\r\n2,2,3,3\r\n",
        '"red";"red";"red";"blue"\n"green";"red";"grey";"blue"\n'
        '"green";"green";"grey";"grey"\n"green";"green";"grey";"grey"\n',
        "1\t1\t1\t2\n3\t1\t4\t2\n3\t3\t4\t4\n3\t3\t4\t4\n",
        "var task = '1,1,1,2,3,1,4,2,3,3,4,4,3,3,4,4';",
        '<script>\nlet size = 4;\n  task: "1,1,1,2,3,1,4,2,3,3,4,4,3,3,4,4",\n</script>',
        '{"regions": [[9,9,9,1],[2,9,3,1],[2,2,3,3],[2,2,3,3]], "stars": 1}',
        '{"stars": 1, "size": 4, "regions": ["AAAB", "CADB", "CCDD", "CCDD"]}',
        "{colorRegions: [['a','a','a','b'],['c','a','d','b'],['c','c','d','d'],['c','c','d','d'],], size: 4}",
        "export const level = {\n  regions: [[0, 0, 0, 1], [2, 0, 3, 1], [2, 2, 3, 3], [2, 2, 3, 3]],\n  stars: 1,\n};",
        '["AAAB", "CADB", "CCDD", "CCDD"]',
        "https://puzz.link/p?pzprv3/starbattle/4/4/1/4/0_0_0_1_/2_0_3_1_/2_2_3_3_/2_2_3_3_/",
        "pzprv3/starbattle/4/4/1/4/0%200%200%201/2%200%203%201/2%202%203%203/2%202%203%203/",
        json.dumps({"colorRegions": [[10**40, 10**40, 10**40, 1], [2, 10**40, 3, 1], [2, 2, 3, 3], [2, 2, 3, 3]]}),
    ],
)
def test_what_is_seen_in_the_wild(text: str):
    assert FORMATS.sniff(text)
    assert FORMATS.parse(text) == PLAIN


def test_the_answer_is_no_mark_and_case_matters():
    assert "*" not in FORMATS.parse('4,4,1,"AAABCADBCCDDCCDD","0010100000010100"').marks
    assert FORMATS.parse("4 1\nAAAa\naaaa\nbbBB\nBBBB\n").regions == (0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3)
    assert FORMATS.parse("4 1\nABCD\nABCD\nABCD\nABCD\nX...\n....\n....\n....\n").marks[0] == "x"


GRID = KNOWN["grid"][0]
LINK = "starbattle/4/4/1/7kgkk0"
TASK = KNOWN["task"][0]
KRAZYDAD = KNOWN["krazydad"][0]
QUEENS = KNOWN["queens"][0]
HUGE = "9" * 5000
OBJECT = '{"colorRegions": [[0,0,0,1],[2,0,3,1],[2,2,3,3],[2,2,3,3]], '

# What is wrong: the text, where (line and column, or a path), and what the message says.
REFUSED = {
    "size too small": ("3 1\nABC\nABC\nABC\n", (1, 1), "a size from 4 to 25, found '3'"),
    "size too large": (GRID.replace("4 1", "26 1"), (1, 1), "a size from 4 to 25, found '26'"),
    "huge size": (GRID.replace("4 1", f"{HUGE} 1"), (1, 1), "a size from 4 to 25"),
    "negative size": (GRID.replace("4 1", "-4 1"), (1, 1), "a size from 4 to 25"),
    "digits of another script": (GRID.replace("4 1", "٤ 1"), (1, 1), "a size from 4 to 25"),
    "no stars": (GRID.replace("4 1", "4 0"), (1, 3), "a number of stars that fits size 4, from 1 to 1, found '0'"),
    "too many stars": (GRID.replace("4 1", "4  2"), (1, 4), "a number of stars that fits size 4, from 1 to 1"),
    "huge stars": (GRID.replace("4 1", f"4 {HUGE}"), (1, 3), "a number of stars"),
    "short row": (GRID.replace("CADB", "CAD"), (3, 4), "a row of 4 cells, but it has 3, found 'CAD'"),
    "long row": (GRID.replace("CADB", "CADBB"), (3, 5), "a row of 4 cells, but it has 5"),
    "bad letter": (GRID.replace("CADB", "CA.B"), (3, 3), "the letter of a region, found '.'"),
    "row missing": (GRID.replace("CADB\n", ""), (5, 1), "4 rows of letters, but there are 3"),
    "row too many": (GRID + "CCDD\n", (6, 1), "marks (* star, x cross, . unknown) after 4 rows of letters"),
    "too few regions": (GRID.replace("B", "A"), (2, 1), "4 regions, as many as rows, found 3"),
    "too many regions": (GRID.replace("CCDD\nCCDD", "CCDD\nCCDE"), (5, 4), "4 regions, as many as rows, but here is"),
    "marks row missing": (GRID + "....\n" * 3, (9, 1), "4 rows of marks, but there are 3"),
    "marks row ragged": (GRID + "....\n...\n....\n....\n", (7, 4), "a row of 4 cells, but it has 3"),
    "marks with another sign": (GRID + "....\n..o.\n....\n....\n", (7, 3), "a mark (* star, x cross, . unknown)"),
    "junk after the marks": (GRID + "....\n" * 5, (10, 1), "nothing after the marks"),
    "stars touch": (GRID + "*...\n.*..\n....\n....\n", (7, 2), "stars that do not touch, but r1c1 and r2c2 do"),
    "stars touch to the left": (GRID + "....\n.*..\n*...\n....\n", (8, 1), "but r2c2 and r3c1 do"),
    "row too full": (GRID + "*..*\n....\n....\n....\n", (6, 4), "at most 1 star in row 1, but r1c1 and r1c4 are stars"),
    "column too full": (GRID + "*...\n....\n*...\n....\n", (8, 1), "at most 1 star in column 1, but r1c1 and r3c1 are"),
    "extras in a grid": (GRID + "#marks=" + "." * 16, (6, 2), "no extras in this format, found 'marks='"),
    "ragged tokens": ("0 0 0 1\n2 0 3\n2 2 3 3\n2 2 3 3\n", (2, 6), "a row of 4 cells, like the first, but it has 3"),
    "too many tokens": ("0 0 0 1\n2 0 3 1 1\n2 2 3 3\n2 2 3 3\n", (2, 9), "a row of 4 cells, like the first"),
    "bad token": ("0 0 0 1\n2 0 3q 1\n2 2 3 3\n2 2 3 3\n", (2, 5), "a region and perhaps s or x, such as 7s"),
    "rows of tokens missing": ("0 0 0 1\n2 0 3 1\n", (3, 1), "4 rows, as many as cells in a row, but there are 2"),
    "rows of tokens too many": ("0 0 0 1\n" * 5, (5, 1), "4 rows, as many as cells in a row"),
    "tokens too wide": ("1 " * 26, (1, 1), "4 to 25 cells in a row, found 26"),
    "tokens touch": ("0s 0s 0 1\n2 0 3 1\n2 2 3 3\n2 2 3 3\n", (1, 4), "but r1c1 and r1c2 do"),
    "token stars": ("0 0 0 1\n2 0 3 1\n2 2 3 3\n2 2 3 3\n#stars=2", (5, 8), "a number of stars that fits size 4"),
    "truncated address": (LINK[:-1], (1, 23), "6 characters of borders for size 4, but there are 5"),
    "address too long": (LINK + "0", (1, 24), "6 characters of borders for size 4, but there are 7"),
    "bad border": (LINK.replace("kk", "kw"), (1, 22), "a character of borders (0 to 9 or a to v), found 'w'"),
    "not square": (LINK.replace("4/4", "4/5"), (1, 14), "a square board, height 4 like the width, found '5'"),
    "address without borders": ("https://puzz.link/p?starbattle/4/4/1", (1, 37), "but there are 3 parts"),
    "address with more": (LINK + "/7/8", (1, 25), "but there are 6 parts"),
    "address of a huge board": (LINK.replace("4/4", f"{HUGE}/4"), (1, 12), "a size from 4 to 25"),
    "areas too many": (LINK.replace("7kgkk0", "vvvvvv"), (1, 18), "4 regions, as many as rows, but here is one more"),
    "letters for other areas": (LINK + "#regions=ABC", (1, 36), "4 letters, one for each area, but there are 3"),
    "bad letters": (LINK + "#regions=AB,C", (1, 35), "the letter of a region, found ','"),
    "too few marks": (LINK + "#marks=...", (1, 34), "16 marks, but there are 3"),
    "too many marks": (LINK + "#marks=" + "." * 17, (1, 47), "16 marks, but there are 17"),
    "bad marks": (LINK + "#marks=..o" + "." * 13, (1, 33), "a mark (* star, x cross, . unknown), found 'o'"),
    "unknown extra": (LINK + "#marks=" + "." * 16 + "&colour=7", (1, 48), "stars= or marks= or regions="),
    "extra twice": (LINK + "#regions=ABCD&regions=ABCD", (1, 38), "regions= once"),
    "stars twice": (LINK + "#stars=1", (1, 25), "marks= or regions=, found 'stars='"),
    "words after the extras": (LINK + "#regions=ABCD and so on", (1, 38), "nothing after the extras"),
    "other fragment": (LINK + "#top", (1, 24), "a character of borders"),
    "two addresses": (LINK + "\n" + LINK, (2, 1), "nothing after the puzzle"),
    "notation too short": ("441WFIY", (1, 8), "4 characters of borders for size 4, but there are 3"),
    "notation too long": ("441WFIYYY", (1, 9), "4 characters of borders for size 4, but there are 5"),
    "notation with few marks": ("441eFIYY24010", (1, 14), "4 characters of borders and 6 of marks for size 4"),
    "notation with a bad sign": ("441WFI*Y", (1, 7), "one of the characters 0-9, A-Z, a-z, - and _, found '*'"),
    "notation of size 3": ("331WFIYY", (1, 1), "the size twice, from 44 to PP, found '33'"),
    "notation of size 26": ("QQ1WFIYY", (1, 1), "the size twice, from 44 to PP"),
    "notation with 2 stars": ("442WFIYY", (1, 3), "a number of stars that fits size 4"),
    "notation with bad marks": ("441eFIYY340100", (1, 9), "marks for three cells, found '3'"),
    "notation with touching stars": ("441eFIYYA00000", (1, 9), "stars that do not touch, but r1c2 and r1c3 do"),
    "task not square": (
        TASK.replace("\n", ",4"),
        (1, 34),
        "a square number of regions, such as 25 for size 5, found 17",
    ),
    "task with a word": (TASK.replace("4,2", "4,B"), (1, 15), "the number of a region, found 'B'"),
    "task with a gap": (TASK.replace("4,2", "4,,2"), (1, 15), "the number of a region, found ''"),
    "task with a huge number": (TASK.replace("4,2", f"4,{HUGE}"), (1, 15), "the number of a region"),
    "task too small": ("1,2,3,1,2,3,1,2,3", (1, 1), "4 to 25 rows, found 3"),
    "task too large": (",".join(["1"] * 26**2), (1, 1), "at most 625 numbers, one for each cell, but there are 676"),
    "answer too short": (KRAZYDAD.replace('""', '"01"'), (1, 29), "an answer for 16 cells, but it has 2"),
    "answer with a 2": (KRAZYDAD.replace('""', '"0120"'), (1, 29), "0 or 1 in the answer, found '2'"),
    "sizes differ": (KRAZYDAD.replace("4,4", "4,5"), (1, 3), "the size again, 4, found '5'"),
    "layout too short": (KRAZYDAD.replace("DD", "D", 1), (1, 23), "16 cells, one letter each, but there are 15"),
    "layout without end": (KRAZYDAD.split('",')[0], (1, 1), 'size, size, stars, "layout" and "answer"'),
    "junk after the answer": (KRAZYDAD.strip() + ",7", (1, 28), "nothing after the answer, found ',7'"),
    "one line too short": ("4x1.AAABCADBCCDDCCD", (1, 20), "16 cells, one letter each, but there are 15"),
    "one line too long": ("4x1.AAABCADBCCDDCCDDD", (1, 21), "16 cells, one letter each, but there are 17"),
    "one line with 7 stars": ("4x7.AAABCADBCCDDCCDD", (1, 3), "a number of stars that fits size 4"),
    "one line with a bad note": ("4x1.AAABCADBCCDDCCDD.a b", (1, 22), "a note in letters and digits"),
    "JSON without end": (QUEENS.rstrip("]\n"), (5, 14), "JSON (expecting ',' delimiter)"),
    "JSON and more": (QUEENS + "7", (7, 1), "JSON (extra data)"),
    "JSON too deep": ("[[0," + "[" * 100_000, None, "nested too deeply"),
    "JSON too long": (QUEENS.rstrip() + " " * 1_000_000, None, "at most 1,000,000 characters of JSON"),
    "JSON ragged": (QUEENS.replace("2, 0, 3, 1", "2, 0, 3"), "$[1]", "4 cells in a row, as many as rows, found 3"),
    "JSON with null": (QUEENS.replace("2, 0, 3, 1", "2, 0, 3, null"), "$[1][3]", "a number or a text, found None"),
    "JSON with true": (QUEENS.replace("2, 0, 3, 1", "2, 0, 3, true"), "$[1][3]", "a number or a text, found True"),
    "JSON of few rows": ("[[0, 1, 2, 3]]", "$", "4 to 25 rows, found 1"),
    "JSON with few regions": (QUEENS.replace("1", "0"), "$[0][0]", "4 regions, as many as rows, found 3"),
    "JSON with more regions": (QUEENS.replace("2, 2, 3, 3]\n]", "2, 2, 3, 8]\n]"), "$[3][3]", "but here is one more"),
    "JSON with other rows": ('{"colorRegions": 7}', "$.colorRegions", "an array, found 7"),
    "JSON with 2 stars": (
        OBJECT + '"stars": 2}',
        "$.stars",
        "a number of stars that fits size 4, from 1 to 1, found 2",
    ),
    "JSON of another size": (OBJECT + '"size": 5}', "$.size", "size 4, as many as rows, found 5"),
    "JSON with huge stars": (OBJECT + f'"stars": {HUGE}}}', "$.stars", "a number of stars that fits size 4"),
    "JSON with few marks": (OBJECT + '"marks": ["...."]}', "$.marks", "4 rows of marks, found 1"),
    "JSON with short marks": (OBJECT + '"marks": ["....", "..", "....", "...."]}', "$.marks[1]", "a text of 4 marks"),
    "JSON with touching stars": (
        OBJECT + '"marks": ["*...", "*...", "....", "...."]}',
        "$.marks[1]",
        "stars that do not touch, but r1c1 and r2c1 do",
    ),
    "a line without end": (LINK + "0" * 1_000_000, (1, 20_001), "at most 20,000 characters in a line"),
    "rows without end": ("4 1\n" + "AAAA\n" * 1_000_000, (2, 1), "4 regions, as many as rows, found 1"),
    "nothing": ("", (1, None), "the size and the stars, such as 10 2, or another format"),
    "comments only": ("# hello\n\n# you", (1, None), "the size and the stars, such as 10 2, or another format"),
    "prose": ("Dear Sir or Madam", (1, None), "or another format (tokens, puzzlink"),
}


@pytest.mark.parametrize(("text", "place", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_mistakes_are_told_with_their_place(text: str, place: tuple[int, int] | str | None, said: str):
    with pytest.raises(ParseError) as caught:
        FORMATS.parse(text)
    error = caught.value
    assert said in str(error)
    if isinstance(place, str):
        assert error.path == place
    elif place is not None and place[1] is None:
        assert error.line == place[0]
    elif place is not None:
        assert (error.line, error.column) == place


def test_a_region_with_too_many_stars_names_all_of_them():
    rows = "\n".join(["AAAAAAAAAA"] * 4 + [f"{letter * 10}" for letter in "BCDEFG"])
    text = f"10 2\n{rows}\n".replace("GGGGGGGGGG", "GGGHHHIIJJ")
    marks = ["*.........", "..*.......", "....*.....", *["." * 10] * 7]
    with pytest.raises(ParseError, match=r"at most 2 stars in region A, but r1c1, r2c3 and r3c5 are stars"):
        FORMATS.parse(text + "\n".join(marks))


def test_mistakes_do_not_keep_a_puzzle_from_being_recognised():
    for name, (text, _, _) in REFUSED.items():
        if name not in ("nothing", "comments only", "prose"):
            assert FORMATS.sniff(text), name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lamps\n*.*\n",
        "ROWS 2\nCOLS 2\nBOARD\nRED A1 1\n",
        "TARGETS R G B X\nROWS 2\n",
        "data/starbattle/10-2/board.txt",
        "starbattle/10-2/board.txt",
        "starbattle/board.txt",
        "https://puzz.link/p?lits/4/4/7kgkk0",
        '{"verdict": "YES"}',
        "[1, 2, 3]",
        "10x2.5",
        "AAAA\n",
        "AAAA\nBB\nCCCCCC\nD\n",
        "one two three four",
        "3 4\nfour words stand here\n",
        "\0\1\2",
        "A" * 100_000,
        "\n" * 100_000,
    ],
)
def test_other_texts_are_not_recognised(text: str):
    assert not FORMATS.sniff(text)


def test_harmony_and_lamps_do_not_know_our_texts():
    import template_domain

    from solvent.harmony import DOMAIN as harmony

    for plain, marked in KNOWN.values():
        for text in (plain, marked):
            assert not harmony.sniff(text)
            assert not template_domain.DOMAIN.sniff(text)
    for example in (*harmony.examples(), *template_domain.DOMAIN.examples()):
        assert not FORMATS.sniff(example.text)


def test_examples_say_what_they_show():
    from helpers.examples import examples_of

    examples = examples_of("starbattle")
    assert len(examples) >= 8
    for example in examples:
        assert set(example.expected) == {"solvable", "unique", "forced"}
        assert FORMATS.sniff(example.text)
        assert FORMATS.parse(example.text)
        assert re.match("# Title: ", example.text)


@pytest.mark.corpus
def test_public_puzzles_round_trip_in_every_format(corpora: Path):
    files = sorted((corpora / "starbattle").glob("*/*.txt"))
    if not files:
        pytest.skip(f"no Star Battle puzzles in {corpora}")
    for file in files[::7]:
        text = file.read_text(encoding="utf-8")
        puzzle = FORMATS.parse(text)
        assert f"{puzzle.size}-{puzzle.stars}" == file.parent.name
        for format in FORMATS.rows:
            assert FORMATS.parse(FORMATS.format(puzzle, format)) == puzzle, (file.name, format)
