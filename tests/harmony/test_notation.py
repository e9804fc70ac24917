"""Texts of boards, positions, swaps and solutions: read, refused, and written back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from harmony.strategies import boards, boards_with_swaps
from helpers.counting import count_drawn
from helpers.examples import examples_of
from solvent.core.answer import Verdict
from solvent.core.errors import ParseError
from solvent.harmony import notation
from solvent.harmony.formats import FORMATS
from solvent.harmony.model import Board, Swap
from solvent.harmony.notation import (
    format_board,
    format_cell,
    format_solution,
    format_swap,
    format_tiles,
    parse_board,
    parse_cell,
    parse_solution,
    parse_swap,
)
from solvent.harmony.rules import is_solved, play

BOARD_TEXT = """\
ROWS 2
COLS 2

BOARD
RED   A1 1  B2 2
BLUE  A2 2  B1 1
"""
TILES_TEXT = """\
ROWS 2
COLS 2
COLORS
BLUE 3
RED 1
TARGETS RED BLUE
TILES
A1 1 1
A2 3 2
B1 3 1
B2 1 2
"""
BOARD = Board(2, 2, ("RED", "BLUE"), (0, 1, 1, 0), (1, 2, 1, 2))


def test_both_formats_give_the_same_board():
    assert parse_board(BOARD_TEXT) == parse_board(TILES_TEXT) == BOARD


@given(boards())
def test_boards_round_trip_in_both_formats(board: Board):
    for text in (format_board(board), format_tiles(board)):
        assert FORMATS.sniff(text)
        assert parse_board(text) == board


@pytest.mark.parametrize("board", [Board(1, 1, ("RED",), (0,), (999,)), Board(1, 2, ("RED", "X"), (1, 1), (0, 0))])
def test_the_smallest_boards_round_trip(board: Board):
    assert parse_board(format_board(board)) == parse_board(format_tiles(board)) == board


@pytest.mark.parametrize("text", [BOARD_TEXT, TILES_TEXT])
@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("\n", "  # what this line says\n"),
        lambda text: text.replace("\n", "\n\n# a comment\n \t\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n# End of Puzzle Specification\nROWS 7 nonsense\n",
        lambda text: text + "END OF PUZZLE SPECIFICATION\nROWS 7\n",
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" ", "\t \t"),
    ],
)
def test_case_blanks_comments_and_line_ends_do_not_matter(text: str, change):
    changed = change(text)
    assert FORMATS.sniff(changed)
    assert parse_board(changed) == BOARD


@pytest.mark.parametrize(
    "text", ["", "ROWS 2\nCOLS 2\n", "rows of boards\ncols\n", "# ROWS 2\n# COLS 2\n# BOARD", "ROWSCOLSBOARD"]
)
def test_other_texts_are_not_recognised(text: str):
    assert not FORMATS.sniff(text)


def test_targets_decide_the_rows_not_the_order_of_colours():
    board = parse_board(TILES_TEXT.replace("TARGETS RED BLUE", "TARGETS BLUE RED"))
    assert board.palette == ("BLUE", "RED")
    assert board.colours == (1, 0, 0, 1)


def test_unused_colours_are_dropped_and_used_ones_without_a_row_come_last():
    text = (
        TILES_TEXT.replace("BLUE 3", "GOLD 9\nSILVER 8\nGREY 7\nBLUE 3").replace("A1 1", "A1 7").replace("B1 3", "B1 9")
    )
    board = parse_board(text)
    assert board.palette == ("RED", "BLUE", "GOLD", "GREY")
    assert board.colours == (3, 1, 2, 0)


def test_colours_that_no_row_wants_and_no_tile_has_are_not_written():
    board = Board(1, 2, ("RED", "GREY", "GOLD"), (0, 2), (0, 0))
    for text in (format_board(board), format_tiles(board)):
        assert parse_board(text) == Board(1, 2, ("RED", "GOLD"), (0, 1), (0, 0))


def test_lines_beyond_the_rows_declare_colours_without_a_row():
    board = parse_board("ROWS 1\nCOLS 2\nBOARD\nRED A2 0\nGOLD A1 4\n")
    assert board == Board(1, 2, ("RED", "GOLD"), (1, 0), (4, 0))


def test_moves_are_played_first():
    played = parse_board(BOARD_TEXT + "MOVES\nb1-a1\n2. A2 - B2\n")
    assert played == Board(2, 2, ("RED", "BLUE"), (1, 0, 0, 1), (0, 1, 0, 1))


def test_wrong_counts_and_odd_sums_are_boards():
    board = parse_board("ROWS 2\nCOLS 2\nBOARD\nRED A1 1 A2 0 B1 0\nBLUE B2 0\n")
    assert board.colours == (0, 0, 0, 1)


REFUSED = {
    "no rows": (BOARD_TEXT.replace("ROWS 2\n", ""), None, "a line ROWS n, but there is none"),
    "no cols": (BOARD_TEXT.replace("COLS 2\n", ""), None, "a line COLS n, but there is none"),
    "rows twice": (BOARD_TEXT.replace("COLS 2", "COLS 2\nROWS 3"), 3, "one ROWS, but line 1 has it too"),
    "cols twice": (BOARD_TEXT.replace("COLS 2", "COLS 2\nCOLS 2"), 3, "one COLS, but line 2 has it too"),
    "rows without a number": (BOARD_TEXT.replace("ROWS 2", "ROWS"), 1, "ROWS and a number from 1 to 26"),
    "rows in words": (BOARD_TEXT.replace("ROWS 2", "ROWS two"), 1, "found 'two'"),
    "rows in other digits": (BOARD_TEXT.replace("ROWS 2", "ROWS ٢"), 1, "found '٢'"),
    "two numbers of rows": (BOARD_TEXT.replace("ROWS 2", "ROWS 2 2"), 1, "found '2 2'"),
    "no rows at all": (BOARD_TEXT.replace("ROWS 2", "ROWS 0"), 1, "from 1 to 26, found '0'"),
    "negative rows": (BOARD_TEXT.replace("ROWS 2", "ROWS -2"), 1, "found '-2'"),
    "too many rows": (BOARD_TEXT.replace("ROWS 2", "ROWS 27"), 1, "from 1 to 26, found '27'"),
    "too many cols": (BOARD_TEXT.replace("COLS 2", "COLS 100"), 2, "from 1 to 99, found '100'"),
    "a million cols": (BOARD_TEXT.replace("COLS 2", "COLS 1000000"), 2, "found '1000000'"),
    "a number beyond reading": (BOARD_TEXT.replace("COLS 2", "COLS " + "9" * 10_000), 2, "from 1 to 99"),
    "negative moves": (BOARD_TEXT.replace("A1 1", "A1 -1"), 5, "moves from 0 to 999, found '-1'"),
    "too many moves": (BOARD_TEXT.replace("A1 1", "A1 1000"), 5, "moves from 0 to 999, found '1000'"),
    "moves in words": (BOARD_TEXT.replace("A1 1", "A1 x"), 5, "found 'x'"),
    "position twice": (BOARD_TEXT.replace("B1 1", "A1 1"), 6, "A1 is on line 5 too"),
    "row outside": (BOARD_TEXT.replace("B1 1", "C1 1"), 6, "a position from A1 to B2, found 'C1'"),
    "col outside": (BOARD_TEXT.replace("B1 1", "B3 1"), 6, "a position from A1 to B2, found 'B3'"),
    "col zero": (BOARD_TEXT.replace("B1 1", "B0 1"), 6, "found 'B0'"),
    "no position": (BOARD_TEXT.replace("B1 1", "1B 1"), 6, "a position such as A1, found '1B'"),
    "tile missing": (BOARD_TEXT.replace("B1 1", ""), 4, "4 tiles, one on each position (none is on B1), found 3"),
    "moves missing": (
        BOARD_TEXT.replace("B1 1", "B1"),
        6,
        "a position and its moves in turn after BLUE, found 'A2 2 B1'",
    ),
    "colour twice": (BOARD_TEXT.replace("BLUE", "red"), 6, "each colour once, found 'red'"),
    "too few colours": (
        BOARD_TEXT.replace("ROWS 2", "ROWS 3"),
        4,
        "a line for the colour of each row, 3 lines, found 2",
    ),
    "colour with a long name": (BOARD_TEXT.replace("BLUE", "B" * 41), 6, "at most 40 letters"),
    "colour that cannot be shown": (BOARD_TEXT.replace("BLUE", "\u200bB"), 6, "a colour's name"),
    "text beside BOARD": (BOARD_TEXT.replace("BOARD", "BOARD 2"), 4, "nothing after BOARD"),
    "unknown section first": ("SIZE 2\n" + BOARD_TEXT, 1, "a section (ROWS, COLS"),
    "unknown section between": (BOARD_TEXT.replace("COLS 2", "COLS 2\nSIZE 2"), 3, "found 'SIZE'"),
    "unknown section last": (BOARD_TEXT + "HINTS\n", 7, "a section, or a colour with its tiles, found 'HINTS'"),
    "no tiles": ("ROWS 2\nCOLS 2\n", None, "a BOARD or TILES section, but there is none"),
    "both formats": (BOARD_TEXT + "TILES\n", 7, "BOARD or TILES, not both"),
    "targets beside BOARD": (BOARD_TEXT + "TARGETS RED BLUE\n", 7, "BOARD or TARGETS, not both"),
    "no colours": (TILES_TEXT.replace("COLORS\nBLUE 3\nRED 1\n", ""), 4, "a COLORS section beside TILES"),
    "no targets": (TILES_TEXT.replace("TARGETS RED BLUE\n", ""), 6, "a TARGETS section beside TILES"),
    "too few targets": (TILES_TEXT.replace("RED BLUE", "RED"), 6, "a target for each of the 2 rows, found 1"),
    "too many targets": (
        TILES_TEXT.replace("RED BLUE", "RED BLUE GOLD").replace("RED 1", "RED 1\nGOLD 2"),
        7,
        "a target for each of the 2 rows, no more, found 'GOLD'",
    ),
    "target twice": (TILES_TEXT.replace("RED BLUE", "RED red"), 6, "each target once, found 'red'"),
    "unknown target": (TILES_TEXT.replace("RED BLUE", "RED GOLD"), 6, "the name of a colour in COLORS, found 'GOLD'"),
    "colour number twice": (
        TILES_TEXT.replace("RED 1", "RED 3"),
        5,
        "a number of its own for RED (BLUE has it), found 3",
    ),
    "colour name twice": (TILES_TEXT.replace("RED 1", "blue 1"), 5, "each colour once, found 'blue'"),
    "colour without number": (TILES_TEXT.replace("RED 1", "RED"), 5, "a colour's name and number, such as RED 0"),
    "colour number in words": (TILES_TEXT.replace("RED 1", "RED one"), 5, "a colour's number from 0 to 999999"),
    "unknown colour": (TILES_TEXT.replace("A1 1 1", "A1 2 1"), 8, "the number of a colour in COLORS, found '2'"),
    "tile line too short": (TILES_TEXT.replace("A1 1 1", "A1 1"), 8, "such as A1 0 2, found 'A1 1'"),
    "tile twice": (TILES_TEXT.replace("A2 3", "A1 3"), 9, "each position once"),
    "tile missing in TILES": (TILES_TEXT.replace("B2 1 2\n", ""), 7, "(none is on B2), found 3"),
    "move without moves left": (BOARD_TEXT + "MOVES\nA1-B1\nA1-B1\n", 9, "(A1 has none by then), found 'A1-B1'"),
    "move across": (BOARD_TEXT + "MOVES\nA1-B2\n", 8, "two different cells in one row or column, found 'A1-B2'"),
    "move to itself": (BOARD_TEXT + "MOVES\nA1-A1\n", 8, "two different cells"),
    "move outside": (BOARD_TEXT + "MOVES\nA1-A3\n", 8, "a position from A1 to B2, found 'A3'"),
    "move half": (BOARD_TEXT + "MOVES\nA1\n", 8, "a swap such as A1-B1, found 'A1'"),
}


@pytest.mark.parametrize(("text", "line", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_malformed_texts_are_refused_with_value_and_line(text: str, line: int | None, said: str):
    with pytest.raises(ParseError) as caught:
        parse_board(text)
    assert said in str(caught.value)
    assert caught.value.line == line


def test_a_file_with_very_many_colours_is_read_in_one_go():
    """A hundred thousand colours: looking each up in a list would take hours."""
    colours = "".join(f"C{number} {number}\n" for number in range(100_000))
    board = parse_board(f"ROWS 1\nCOLS 1\nCOLORS\n{colours}TARGETS C7\nTILES\nA1 99999 3\n")
    assert board == Board(1, 1, ("C7", "C99999"), (1,), (3,))


@pytest.mark.parametrize("cell", range(12))
def test_positions_round_trip(cell: int):
    assert parse_cell(format_cell(cell, 4), 3, 4) == parse_cell(format_cell(cell, 4).lower(), 3, 4) == cell


def test_the_last_position_of_the_largest_board():
    assert parse_cell("Z99", 26, 99) == 26 * 99 - 1
    assert format_cell(26 * 99 - 1, 99) == "Z99"


@pytest.mark.parametrize(
    "text", ["", "A", "1", "A1B", "AA1", "A-1", "A 1", "Ä1", "A1 ", "A٣", "A" + "1" * 5000, "A0", "D1", "A5"]
)
def test_positions_that_are_none(text: str):
    with pytest.raises(ParseError, match="a position"):
        parse_cell(text, 3, 4)


@pytest.mark.parametrize(("text", "swap"), [("A1-B1", (0, 2)), ("b1-a1", (0, 2)), ("A2 - A1", (0, 1))])
def test_swaps_have_the_smaller_cell_first(text: str, swap: Swap):
    assert parse_swap(text, BOARD) == swap


@given(boards_with_swaps())
def test_swaps_and_solutions_round_trip(case: tuple[Board, tuple[Swap, ...]]):
    board, plan = case
    assert tuple(parse_swap(format_swap(swap, board.cols), board) for swap in plan) == plan
    text = format_solution(plan, board)
    assert parse_solution(text, board) == plan
    assert parse_solution(format_board(board) + "# Solution:\n" + text.replace("  ", "#  "), board) == plan


def test_solutions_are_numbered_lines():
    assert format_solution([(0, 2), (1, 3)], BOARD) == "  1. A1-B1\n  2. A2-B2\n"


@pytest.mark.parametrize(
    "text",
    [
        "A1-B1\nA2-B2\n",
        "a1-b1\n\n# a remark\nA2 - B2 # done\n",
        "1) A1-B1\n2: A2-B2",
        "MOVES\nB1-B2\n# Solution:\n#   1. A1-B1\n# A | R 1 | B   |\n# Score: 3\n#\n#   2. A2-B2\n# Score: 0\n",
        "# A1-B1\n# A2-B2\n",
    ],
)
def test_solutions_are_read_with_and_without_numbers_and_marks(text: str):
    assert parse_solution(text, BOARD) == ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("  1. A1-B1\n  3. A2-B2\n", 2, "step 2, found '3'"),
        ("  0. A1-B1\n", 1, "step 1, found '0'"),
        ("  1. A1-B2\n", 1, "one row or column, found 'A1-B2'"),
        ("A1-B1\nA1-C1\n", 2, "a position from A1 to B2, found 'C1'"),
        ("A1-B1\nand then\n", 2, "a swap such as A1-B1, found 'and then'"),
        ("1. first of all\n", 1, "a swap such as A1-B1, found 'first of all'"),
    ],
)
def test_malformed_solutions_are_refused(text: str, line: int, said: str):
    with pytest.raises(ParseError) as caught:
        parse_solution(text, BOARD)
    assert said in str(caught.value)
    assert caught.value.line == line


def test_examples_say_what_they_show_and_their_solutions_solve_them():
    examples = examples_of("harmony")
    assert len(examples) >= 10
    assert len({example.name for example in examples}) == len(examples)
    assert {example.expected["solvable"] for example in examples} == {Verdict.YES, Verdict.NO}
    for example in examples:
        board = parse_board(example.text)
        if example.expected["solvable"] is Verdict.YES:
            for swap in parse_solution(example.text, board):
                board = play(board, swap)
            assert is_solved(board), example.name


@pytest.mark.corpus
def test_the_public_boards_are_read(corpora: Path):
    files = sorted((corpora / "harmony").glob("*.txt"))
    if not files:
        pytest.skip(f"no Harmony boards in {corpora}")
    for file in files:
        text = file.read_text(encoding="utf-8")
        board = parse_board(text)
        assert FORMATS.sniff(text), file.name
        assert parse_board(format_board(board)) == parse_board(format_tiles(board)) == board, file.name
        if "# Solution:" in text:
            plan = parse_solution(text, board)
            assert len(plan) == board.swaps
            for swap in plan:
                board = play(board, swap)
            assert is_solved(board), file.name


def test_the_texts_in_the_reference_are_read(project: Path):
    reference = (project / "docs" / "reference" / "harmony.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```text\n(.*?)```", reference, re.DOTALL)
    in_board_format, in_tiles_format, solution = blocks
    board = parse_board(in_board_format)
    assert board == parse_board(in_tiles_format)
    for swap in parse_solution(solution, board):
        board = play(board, swap)
    assert is_solved(board)


def test_what_is_far_too_large_is_refused_by_its_first_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = count_drawn(monkeypatch, notation, "split_lines")
    lines = "RED A1 0 A2 0 A3 0\n" * 1_000_000
    with pytest.raises(ParseError, match="line 1: expected ROWS and a number from 1 to 26, found '1000000'"):
        parse_board(f"ROWS 1000000\nCOLS 3\nBOARD\n{lines}")
    assert drawn() == 1
    with pytest.raises(ParseError, match="line 200004: expected at most 200,000 lines of BOARD"):
        parse_board(f"ROWS 3\nCOLS 3\nBOARD\n{lines}")
    assert drawn() <= 1 + 200_004


def test_the_beginning_of_a_text_is_enough_to_recognise_it() -> None:
    board = "ROWS 1\nCOLS 2\nBOARD\nRED A1 1 A2 1\n"
    assert FORMATS.sniff("# a comment\n" * 1_000 + board)
    assert not FORMATS.sniff("# a comment\n" * 1_000_000 + board)
    assert parse_board("# a comment\n" * 1_000_000 + board).cols == 2, "it can still be read"
