"""Drawings: what they show, that they stay within their bounds, and that nothing in a name can break them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given

from harmony.strategies import boards, solvable_boards
from helpers.pictures import SVG, elements
from solvent.core.errors import ParseError
from solvent.drawing.palette import choose_paints
from solvent.harmony.drawing import draw_svg, draw_text
from solvent.harmony.drawing.filmstrip import MAX_FRAMES, choose_frames
from solvent.harmony.drawing.short_names import abbreviate
from solvent.harmony.generator import generate, generate_with_plan
from solvent.harmony.model import Board, Swap
from solvent.harmony.notation import format_swap, parse_board

DRAWN_WITH = {"svg", "title", "desc", "g", "rect", "path", "text", "circle"}
BOARD = parse_board("ROWS 2\nCOLS 3\nBOARD\nRED A1 0 A2 12 B3 1\nBLUE A3 3 B1 0 B2 6\n")


def plan_certificate(board: Board, plan: tuple[Swap, ...]) -> dict[str, object]:
    return {"verdict": "YES", "form": "plan", "plan": [format_swap(swap, board.cols) for swap in plan]}


def test_text_shows_tiles_moves_home_and_targets():
    assert draw_text(BOARD) == (
        "    1    2    3\n"
        "A   R·   R12 *B3   R RED\n"
        "B   B·   B6  *R1   B BLUE\n"
        "\n"
        "2×3, 11 swaps left, 2 of 6 tiles not home (*)"
    )


def test_text_marks_both_cells_of_a_move():
    assert "A   R· [ R12|*B3 ] R RED" in draw_text(BOARD, move="A2-A3")
    marked = draw_text(BOARD, move="a3-b3").splitlines()
    assert "[*B3 ]" in marked[1]
    assert "[*R1 ]" in marked[2]


def test_text_names_colours_that_no_row_wants():
    assert "no row wants G GOLD" in draw_text(parse_board("ROWS 1\nCOLS 2\nBOARD\nRED A1 1\nGOLD A2 1\n"))


def test_text_says_so_when_the_sum_is_odd():
    assert "an odd sum of 3 moves left" in draw_text(Board(1, 1, ("RED",), (0,), (3,)))


def test_colours_that_end_in_digits_are_kept_apart_from_moves():
    assert " 1:2 " in draw_text(Board(1, 1, ("1",), (0,), (2,))) + " "


@given(boards(most_rows=26, most_cols=14))
def test_text_is_at_most_80_columns_wide_and_colour_only_adds_escape_codes(board: Board):
    plain = draw_text(board)
    assert max(map(len, plain.splitlines())) <= 80
    assert re.sub(r"\x1b\[[0-9;]*m", "", draw_text(board, colour=True)) == plain


def test_twelve_columns_of_a_usual_board_stay_in_one_block():
    drawn = draw_text(generate(rows=26, cols=12, swaps=400, seed=1))
    assert max(map(len, drawn.splitlines())) <= 80
    assert len(drawn.splitlines()) == 1 + 26 + 2


def test_wide_boards_are_drawn_in_blocks():
    lines = draw_text(generate(rows=2, cols=99, swaps=50, seed=1)).splitlines()
    assert max(map(len, lines)) <= 80
    assert [int(number) for line in lines[:-1] if not line[:1].strip() for number in line.split()] == list(
        range(1, 100)
    )


def test_colour_paints_each_tile_with_its_colour():
    red = ";".join(map(str, choose_paints(["RED"])[0]))
    assert draw_text(BOARD, colour=True).count(f"\x1b[48;2;{red}m") == 3


@given(boards())
def test_svg_is_one_picture_that_needs_nothing(board: Board):
    svg = draw_svg(board)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= DRAWN_WITH
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name in ("id", "href", "style") or name.startswith("on")}
    assert root.find(f"{SVG}title") is not None
    assert board.palette[0] in (root.findtext(f"{SVG}desc") or "")
    assert svg == draw_svg(board)


@given(boards())
def test_svg_has_a_dot_for_each_move_up_to_six(board: Board):
    assert len(elements(draw_svg(board), "circle")) == sum(moves for moves in board.moves if moves <= 6)


def test_svg_writes_more_than_six_moves_as_a_number():
    texts = [element.text for element in elements(draw_svg(BOARD), "text")]
    assert "12" in texts
    assert "6" not in texts, "six moves are dots, and there are three columns"


def test_svg_locks_tiles_without_moves_and_marks_the_dead_one():
    alive = Board(2, 1, ("RED", "BLUE"), (0, 1), (1, 1))
    locked = Board(2, 1, ("RED", "BLUE"), (0, 1), (0, 0))
    dead = Board(2, 1, ("RED", "BLUE"), (1, 0), (0, 0))
    padlock = "a5 5 0 0 1 10 0"
    assert [draw_svg(board).count(padlock) for board in (alive, locked, dead)] == [0, 2, 2]
    assert [draw_svg(board).count("stroke-dasharray") for board in (alive, locked, dead)] == [0, 0, 2]


def test_svg_draws_an_arrow_only_for_a_move():
    still, moving = draw_svg(BOARD), draw_svg(BOARD, move="A1-A3")
    assert len(elements(moving, "path")) == len(elements(still, "path")) + 4
    assert "next A1-A3" in moving
    assert "next" not in still


def test_names_cannot_break_the_picture():
    board = Board(2, 1, ('<A&"', "</SVG>"), (0, 1), (1, 1))
    shown = "".join(element.text or "" for element in ElementTree.fromstring(draw_svg(board)).iter())
    assert '<A&"' in shown
    assert "</SVG>" in shown


@pytest.mark.parametrize("move", ["", "A1", "A1-B2", "A1-A9", "A1-A1", "hello"])
@pytest.mark.parametrize("draw", [draw_svg, draw_text])
def test_moves_that_are_none_are_refused(draw, move: str):
    with pytest.raises(ParseError):
        draw(BOARD, move=move)


@given(solvable_boards(most_side=3, most_swaps=8))
def test_filmstrip_has_a_frame_for_each_board_of_the_plan(case: tuple[Board, tuple[Swap, ...]]):
    board, plan = case
    texts = [
        element.text or "" for element in elements(draw_svg(board, certificate=plan_certificate(board, plan)), "text")
    ]
    assert [text for text in texts if text.startswith("next ")] == [f"next {format_swap(s, board.cols)}" for s in plan]
    assert texts.count("solved") == 1
    assert not any("more" in text for text in texts)


def test_long_filmstrips_leave_boards_out_and_say_so():
    board, plan = generate_with_plan(rows=3, cols=3, swaps=100, seed=1)
    texts = [
        element.text or "" for element in elements(draw_svg(board, certificate=plan_certificate(board, plan)), "text")
    ]
    assert "100 swaps, 60 boards shown, … 41 more" in texts
    assert sum(text.startswith("next ") for text in texts) == MAX_FRAMES - 1
    assert "solved" in texts


def test_filmstrips_of_big_boards_have_fewer_frames():
    board, plan = generate_with_plan(rows=26, cols=99, swaps=12, seed=1)
    texts = [
        element.text or "" for element in elements(draw_svg(board, certificate=plan_certificate(board, plan)), "text")
    ]
    assert "12 swaps, 7 boards shown, … 6 more" in texts


def test_chosen_frames_are_even_and_keep_both_ends():
    assert choose_frames(5, 60) == [0, 1, 2, 3, 4]
    assert choose_frames(9, 3) == [0, 4, 8]
    for boards_ in range(2, 300):
        chosen = choose_frames(boards_, 60)
        assert chosen == sorted(set(chosen))
        assert (chosen[0], chosen[-1], len(chosen)) == (0, boards_ - 1, min(60, boards_))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (None, "at plan: expected a list of swaps, found None"),
        ("A1-A2", "at plan: expected a list of swaps"),
        ([7], "at plan[0]: expected a swap such as A1-B1, found 7"),
        (["A2-A3", "A1-Z1"], "at plan[1]: expected a position from A1 to B3, found 'Z1'"),
        (["A3-B3", "A1-A2"], "at plan[1]: expected a swap of two tiles with moves left, found 'A1-A2'"),
    ],
)
def test_plans_that_do_not_fit_are_refused(plan: object, said: str):
    with pytest.raises(ParseError) as caught:
        draw_svg(BOARD, certificate={"verdict": "YES", "form": "plan", "plan": plan})
    assert said in str(caught.value)


def test_other_certificates_leave_the_board_as_it_is():
    assert draw_svg(BOARD, certificate={"verdict": "NO", "form": "invariant"}) == draw_svg(BOARD)


@given(boards(most_rows=26, most_cols=3))
def test_short_names_are_distinct_and_of_one_length(board: Board):
    short = abbreviate(board.palette)
    assert len(set(short)) == len(board.palette)
    assert len({len(name) for name in short}) == 1


@pytest.mark.parametrize(
    ("palette", "short"),
    [
        (["RED", "BLUE"], ["R", "B"]),
        (["BLUE", "BROWN", "RED"], ["BL", "BR", "RE"]),
        (["DKGREEN", "DKPINK", "PINK"], ["DK", "DP", "PI"]),
        (["A", "A-", "A_"], ["A2", "A3", "A4"]),
    ],
)
def test_short_names_are_letters_of_the_name(palette: list[str], short: list[str]):
    assert abbreviate(palette) == short


def test_very_many_colours_still_have_short_names_and_paints():
    palette = [f"A{number}" for number in range(2600)]
    assert len(set(abbreviate(palette))) == 2600
    assert len(choose_paints(palette)) == 2600
