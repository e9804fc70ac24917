"""Drawings: what they show, that they stay within their bounds, and that signs can be told apart."""

from __future__ import annotations

import random
import re
import string
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from helpers.colour_blindness import SIGHTS, difference
from helpers.pictures import SVG, elements
from solvent.core.errors import ParseError
from solvent.drawing.palette import BLUE, FAINT_INK, GOLD, INK, PAPER, Paint, as_hex
from solvent.starbattle.drawing import draw_svg, draw_text, first_cells
from solvent.starbattle.drawing.colours import CROSS_OUT, PAINTS, choose_paints
from solvent.starbattle.drawing.svg import CELL
from solvent.starbattle.model import Puzzle

DRAWN_WITH = {"svg", "title", "desc", "g", "rect", "path", "polygon", "text", "circle"}


def board(rows: str, *, stars: int = 1, marks: str = "") -> Puzzle:
    """Read a board from rows of letters, in the order in which the letters first appear."""
    letters = "".join(rows.split())
    size = len(rows.split())
    numbers = {letter: number for number, letter in enumerate(dict.fromkeys(letters))}
    regions = tuple(numbers[letter] for letter in letters)
    return Puzzle(size, stars, regions, "".join(marks.split()) or "." * size * size)


def grown_board(size: int, seed: int, *, marks: str = "....*xx") -> Puzzle:
    """Grow connected regions from random cells, and strew marks over them."""
    chance = random.Random(seed)
    cells = [-1] * size * size
    for region, cell in enumerate(chance.sample(range(size * size), size)):
        cells[cell] = region
    while -1 in cells:
        cell = chance.randrange(size * size)
        row, col = divmod(cell, size)
        beside = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        near = [r * size + c for r, c in beside if 0 <= r < size and 0 <= c < size]
        grown = [cells[other] for other in near if cells[other] >= 0]
        if cells[cell] < 0 and grown:
            cells[cell] = chance.choice(grown)
    numbers = {region: number for number, region in enumerate(dict.fromkeys(cells))}
    drawn = "".join(chance.choice(marks) for _ in cells)
    return Puzzle(size, 1, tuple(numbers[region] for region in cells), drawn)


SMALL = board("AABB AABB CDDB CCCB", marks="*x.. .... ...x ....")
CORNERS = board("AABB AABB CCDD CCDD")
SPLIT = board("ABAB BCBC ACAD DDDD")
BOARDS = [SMALL, CORNERS, SPLIT, *(grown_board(size, seed) for seed, size in enumerate((5, 8, 10, 14, 25)))]


def painted(svg: str, tag: str, attribute: str, paint: Paint) -> list[ElementTree.Element]:
    return [element for element in elements(svg, tag) if element.get(attribute) == as_hex(paint)]


# Text


def test_text_shows_borders_letters_marks_and_numbers():
    assert draw_text(SMALL) == (
        "     1   2   3   4\n"
        "   ┌─A─────┬─B─────┐\n"
        " 1 │ ★   × │       │\n"
        "   │   ·   │   ·   │\n"
        " 2 │       │       │\n"
        "   ├─C─┬─D─┴───┐   │\n"
        " 3 │   │       │ × │\n"
        "   │   └───────┤   │\n"
        " 4 │           │   │\n"
        "   └───────────┴───┘\n"
        "\n"
        "4×4, 1 star in each row, column and region; 1 of 4 stars placed"
    )


def test_str_draws():
    assert str(SMALL) == draw_text(SMALL)
    assert SMALL._repr_svg_() == draw_svg(SMALL)


@pytest.mark.parametrize(
    ("rows", "corner"),
    [
        ("AABB AABB CCDD CCDD", "┼"),
        ("AABB AABB CCCC DDDD", "┴"),
        ("AAAA AAAA BBCC DDCC", "┬"),
        ("AABB AABB AACC DDCC", "├"),
        ("AABB AABB CCBB CCDD", "┤"),
        ("AABB AABB AAAA CCDD", "└"),
        ("AABB AABB BBBB CCDD", "┘"),
        ("AAAA AAAA AABB CCDD", "┌"),
        ("AAAA AAAA BBAA CCDD", "┐"),
        ("AABB AABB AABB CCDD", "│"),
        ("AAAA AAAA BBBB CCDD", "─"),
        ("AAAA AAAA AAAA BCDD", "·"),
        ("AABB AABB BBAA CDDD", "┼"),
    ],
)
def test_corners_have_the_lines_that_meet_there(rows: str, corner: str):
    middle = draw_text(board(rows)).splitlines()[1 + 4]
    assert middle[3 + 2 * 4] == corner


# Which ways each character of a line leads: up, right, down, left.
WAYS = {
    "│": "ud", "─": "rl", "┌": "rd", "┐": "dl", "└": "ur", "┘": "ul",
    "├": "urd", "┤": "udl", "┬": "rdl", "┴": "url", "┼": "urdl",
}  # fmt: skip


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
def test_text_borders_stand_exactly_between_regions_and_join(puzzle: Puzzle):
    size = puzzle.size
    lines = draw_text(puzzle).splitlines()[1 : 2 * size + 2]
    step = 4 if size <= 19 else 3
    grid = [line.ljust(3 + size * step + 1)[3:] for line in lines]
    for row in range(size):
        for col in range(size - 1):
            border = puzzle.regions[row * size + col] != puzzle.regions[row * size + col + 1]
            assert (grid[2 * row + 1][(col + 1) * step] == "│") == border
            border = puzzle.regions[col * size + row] != puzzle.regions[(col + 1) * size + row]
            assert (grid[2 * col + 2][row * step + 1] in f"─{string.ascii_uppercase}") == border
    for line in range(0, 2 * size + 1, 2):
        for col in range(0, size * step + 1, step):
            reaches = {
                "u": line > 0 and grid[line - 1][col] == "│",
                "r": col < size * step and grid[line][col + 1] in f"─{string.ascii_uppercase}",
                "d": line < 2 * size and grid[line + 1][col] == "│",
                "l": col > 0 and grid[line][col - 1] in f"─{string.ascii_uppercase}",
            }
            assert set(WAYS.get(grid[line][col], "")) == {way for way, there in reaches.items() if there}


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
def test_text_shows_each_mark_once_and_each_connected_part_has_its_letter(puzzle: Puzzle):
    size = puzzle.size
    lines = draw_text(puzzle).splitlines()[1 : 2 * size + 2]
    drawn = "".join(lines)
    assert (drawn.count("★"), drawn.count("×")) == (puzzle.marks.count("*"), puzzle.marks.count("x"))
    letters = re.sub("[^A-Z]", "", drawn)
    assert letters == "".join(string.ascii_uppercase[puzzle.regions[cell]] for cell in first_cells(puzzle))
    for row in range(size):
        for col, mark in enumerate(puzzle.marks[row * size : (row + 1) * size]):
            glyph = lines[2 * row + 1][3 + col * (4 if size <= 19 else 3) + 2]
            assert glyph == {"*": "★", "x": "×", ".": " "}[mark]


def test_a_part_of_a_region_apart_from_the_rest_has_a_letter_too():
    drawn = draw_text(SPLIT).splitlines()
    assert drawn[1] == "   ┌─A─┬─B─┬─A─┬─B─┐"
    assert drawn[3] == "   ├─B─┼─C─┼─B─┼─C─┤"
    letters = [element.text for element in elements(draw_svg(SPLIT), "text") if (element.text or "").isalpha()]
    assert letters == ["A", "B", "A", "B", "B", "C", "B", "C", "A", "A", "D"]


HIGHLIGHTS = {
    "causes": [[1, 1]],
    "removals": [[0, 3], [1, 3]],
    "stars": [[2, 1]],
    "rows": [1],
    "columns": [3],
    "regions": [2],
    "blocks": [[0, 2]],
}


def test_text_highlights_can_be_told_apart_without_colour():
    drawn = draw_text(SMALL, highlights=HIGHLIGHTS)
    assert drawn.splitlines() == [
        "     1   2   3   4",
        "                 v",
        "   ┌─A─────┬─B─────┐",
        " 1 │ ★   × │ a  [×]│",
        "   │   ·   │   ·   │",
        " 2>│    ( )│ a  [×]│",
        "   ├>C<┬─D─┴───┐   │",
        " 3 │   │[★]    │ × │",
        "   │   └───────┤   │",
        " 4 │           │   │",
        "   └───────────┴───┘",
        "",
        "4×4, 1 star in each row, column and region; 1 of 4 stars placed",
        "In play: row 2, column 4, region C; ( ) the reason; a: at most one star; [★] a",
        "star goes here; [×] no star here",
    ]


@pytest.mark.parametrize(("move", "cell"), [("r2c3*", "[★]"), ("R2C3x", "[×]"), (" r2c3* ", "[★]")])
def test_text_brackets_the_cell_of_a_move(move: str, cell: str):
    assert draw_text(SMALL, move=move).splitlines()[4] == f" 2 │       │{cell}    │"


def test_brackets_of_narrow_cells_close_or_lean_on_the_border():
    puzzle = Puzzle(25, 6, tuple(min(col // 2, 24) for _ in range(25) for col in range(25)), "." * 625)
    drawn = draw_text(puzzle, highlights={"causes": [[0, 0], [0, 1]], "removals": [[1, 0], [1, 1]]}).splitlines()
    assert drawn[2].startswith(" 1 │( )( │")
    assert drawn[4].startswith(" 2 │[×][×│")


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
@pytest.mark.parametrize("highlights", [None, HIGHLIGHTS])
def test_text_is_at_most_80_columns_wide_and_colour_only_adds_escape_codes(puzzle: Puzzle, highlights):
    plain = draw_text(puzzle, highlights=highlights)
    assert max(map(len, plain.splitlines())) <= 80
    assert "\x1b" not in plain
    coloured = draw_text(puzzle, highlights=highlights, colour=True)
    assert coloured.count("\x1b[48") > puzzle.size
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    for line in coloured.splitlines():
        assert "\x1b[48" not in line.rpartition("\x1b[0m")[2], "colour must not run on beyond its line"


def background(paint: Paint) -> str:
    return "\x1b[48;2;{};{};{}m".format(*paint)


def test_colour_paints_causes_and_removals_apart():
    coloured = draw_text(SMALL, highlights=HIGHLIGHTS, colour=True)
    counts = [coloured.count(background(paint)) for paint in (BLUE, CROSS_OUT, GOLD)]
    assert counts == [1, 2, 1]


# Both solutions

ONE, OTHER = [[0, 1], [1, 3], [2, 0], [3, 2]], [[0, 2], [1, 0], [2, 3], [3, 1]]
TWO = {"verdict": "NO", "form": "two solutions", "solutions": [ONE, OTHER]}


def test_text_draws_both_solutions_side_by_side_and_brackets_what_differs():
    shared = {"form": "two solutions", "solutions": [[*ONE[:3], [3, 2]], [*ONE[:3], [3, 3]]]}
    lines = draw_text(CORNERS, certificate=shared).splitlines()
    assert lines[0] == "   First solution        Second solution"
    assert lines[3] == " 1 │     ★ │       │   1 │     ★ │       │"
    assert lines[9] == " 4 │       │[★] [ ]│   4 │       │[ ] [★]│"
    assert lines[-1] == "[ ] where the two differ"


@pytest.mark.parametrize("size", [11, 12, 25])
def test_two_solutions_of_big_boards_fit_into_80_columns(size: int):
    puzzle = grown_board(size, 3, marks=".")
    drawn = draw_text(puzzle, certificate={"form": "two solutions", "solutions": [[[0, 0]], [[0, 1]]]})
    assert max(map(len, drawn.splitlines())) <= 80
    assert drawn.count("★") == 2
    assert drawn.count("solution") == 2
    assert len(drawn.splitlines()) == (2 * size + 3 + 3 if size == 11 else 2 * (2 * size + 4) + 2)


def test_svg_draws_both_solutions_and_rings_what_differs():
    svg = draw_svg(CORNERS, certificate=TWO)
    texts = [element.text for element in elements(svg, "text")]
    assert "First solution" in texts
    assert "Second solution" in texts
    assert len(elements(svg, "polygon")) == 8
    rings = [rect for rect in painted(svg, "rect", "stroke", INK) if rect.get("width") == str(CELL)]
    assert len(rings) == 16, "all eight cells differ, on both boards"
    same = draw_svg(CORNERS, certificate={**TWO, "solutions": [ONE, [*ONE[:3], [3, 3]]]})
    assert len([rect for rect in painted(same, "rect", "stroke", INK) if rect.get("width") == str(CELL)]) == 4


# SVG


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
@pytest.mark.parametrize("highlights", [None, HIGHLIGHTS])
def test_svg_is_one_picture_that_needs_nothing(puzzle: Puzzle, highlights):
    svg = draw_svg(puzzle, highlights=highlights)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= DRAWN_WITH
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name in ("id", "href", "style") or name.startswith("on")}
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == root.get("aria-label")
    assert "Row 1, regions A" in (root.findtext(f"{SVG}desc") or "")
    assert svg == draw_svg(puzzle, highlights=highlights)


def border_pieces(svg: str) -> set[tuple[str, int, int]]:
    """Return the sides of cells that the thick path covers: `h` above a cell or `v` left of it, its row and column."""
    thick = [path.get("d") or "" for path in elements(svg, "path") if path.get("stroke-width") == "4"]
    assert len(thick) == 1
    pieces = []
    for x, y, way, length in re.findall(r"M(\d+) (\d+)([hv])(\d+)", thick[0]):
        row, col = int(y) // CELL, int(x) // CELL
        for at in range(int(length) // CELL):
            pieces.append((way, row, col + at) if way == "h" else (way, row + at, col))
    assert len(pieces) == len(set(pieces)), "no side is drawn twice"
    return set(pieces)


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
def test_svg_borders_stand_exactly_between_regions(puzzle: Puzzle):
    size = puzzle.size

    def region(row: int, col: int) -> int:
        return puzzle.regions[row * size + col] if 0 <= row < size and 0 <= col < size else -1

    sides = [("h", row, col, row - 1, col) for row in range(size + 1) for col in range(size)]
    sides += [("v", row, col, row, col - 1) for row in range(size) for col in range(size + 1)]
    wanted = {(way, row, col) for way, row, col, r, c in sides if region(row, col) != region(r, c)}
    assert border_pieces(draw_svg(puzzle)) == wanted


@pytest.mark.parametrize("puzzle", BOARDS, ids=lambda puzzle: str(puzzle.size))
def test_svg_draws_each_star_once_in_its_cell(puzzle: Puzzle):
    middles = []
    for star in elements(draw_svg(puzzle), "polygon"):
        points = [tuple(map(float, point.split(","))) for point in (star.get("points") or "").split()]
        assert len(points) == 10
        assert len({int(y // CELL) * puzzle.size + int(x // CELL) for x, y in points}) == 1, "within its cell"
        middles.append(int(points[0][1] // CELL) * puzzle.size + int(points[0][0] // CELL))
    assert middles == [cell for cell, mark in enumerate(puzzle.marks) if mark == "*"]


def test_svg_numbers_rows_and_columns():
    texts = [element.text for element in elements(draw_svg(SMALL), "text")]
    assert sorted(text for text in texts if text and text.isdigit()) == sorted("12341234")


@pytest.mark.parametrize("form", ["stars", "only solution"])
def test_a_solution_adds_its_stars_to_those_on_the_board(form: str):
    certificate = {"verdict": "YES", "form": form, "stars": [[0, 0], [1, 2]], "proof": []}
    svg = draw_svg(SMALL, certificate=certificate)
    assert len(elements(svg, "polygon")) == 2
    assert len(painted(svg, "polygon", "fill", GOLD)) == 1, "the star at r1c1 is the player's own"
    assert "2 of 4 stars placed" in draw_text(SMALL, certificate=certificate)
    assert draw_text(SMALL, certificate=certificate).count("★") == 2


@pytest.mark.parametrize(("value", "glyph"), [("star", "★"), ("cross", "×")])
def test_an_explained_step_marks_its_cells(value: str, glyph: str):
    cells: dict[str, list[list[int]]] = {"stars": [], "crosses": []}
    cells["stars" if value == "star" else "crosses"] = [[1, 0], [3, 2]]
    certificate = {"form": "explained step", "technique": "neighbour", **cells}
    drawn = draw_text(SMALL, certificate=certificate)
    assert drawn.splitlines()[4].startswith(f" 2 │[{glyph}]")
    assert drawn.splitlines()[8].startswith(f" 4 │        [{glyph}]")
    svg = draw_svg(SMALL, certificate=certificate)
    assert len(painted(svg, "polygon", "fill", GOLD)) == (3 if value == "star" else 0), "two, and one in the key"
    assert len(painted(svg, "circle", "stroke", CROSS_OUT)) == (0 if value == "star" else 3)


def test_an_explained_chain_shows_the_stars_at_its_end():
    steps = [{"stars": [[1, 2]], "crosses": [[0, 1]]}, {"stars": [], "crosses": [[3, 3]]}]
    certificate = {"form": "explained chain", "steps": steps}
    assert draw_text(SMALL, certificate=certificate).count("★") == 2, "one of them is the player's own"


def test_a_refutation_leaves_the_board_as_it_is():
    assert draw_svg(SMALL, certificate={"form": "refutation", "proof": []}) == draw_svg(SMALL)


def test_svg_highlights_have_a_shape_each():
    svg = draw_svg(SMALL, highlights=HIGHLIGHTS)
    for tag, attribute, paint, count in (
        ("circle", "stroke", CROSS_OUT, 2 + 1),  # one more in the key
        ("polygon", "fill", GOLD, 1 + 1),
        ("rect", "stroke", BLUE, 2 + 2),  # the cause and the block
        ("rect", "fill", BLUE, 3 + 1 + 1),  # plates of a row, a column and a region; the cause
    ):
        assert len(painted(svg, tag, attribute, paint)) == count, (tag, attribute)
    assert len([rect for rect in elements(svg, "rect") if rect.get("stroke-dasharray")]) == 2
    desc = ElementTree.fromstring(svg).findtext(f"{SVG}desc") or ""
    for said in (
        "Stars: r1c1.",
        "Because of: r2c2.",
        "To star: r3c2.",
        "To cross out: r1c4, r2c4.",
        "block from: r1c3.",
        "Rows in play: 2.",
        "Columns in play: 4.",
        "Regions in play: C.",
    ):
        assert said in desc


def test_cells_that_play_no_part_step_back():
    plain, focused = draw_svg(SMALL), draw_svg(SMALL, highlights={"regions": [3]})
    for paint, counts in zip(choose_paints(SMALL), [(4, 0), (6, 0), (4, 0), (2, 2)], strict=True):
        fills = [
            sum(rect.find(f"{SVG}title") is not None for rect in painted(svg, "rect", "fill", paint))
            for svg in (plain, focused)
        ]
        assert tuple(fills) == counts


@pytest.mark.parametrize("highlights", [{}, {"of others": 1}, {"causes": None, "rows": "x", "blocks": [7, [1], "ab"]}])
def test_highlights_that_mean_nothing_are_left_out(highlights):
    assert draw_svg(SMALL, highlights=highlights) == draw_svg(SMALL)
    assert draw_text(SMALL, highlights=highlights) == draw_text(SMALL)


@pytest.mark.parametrize(
    ("highlights", "said"),
    [
        ({"causes": [[0, 4]]}, "at highlights.causes: expected a row and a column from 0 to 3, found [0, 4]"),
        ({"blocks": [[4, 0]]}, "at highlights.blocks: expected a row and a column from 0 to 3, found [4, 0]"),
        ({"regions": [-1]}, "at highlights.regions: expected a number from 0 to 3, found -1"),
    ],
)
@pytest.mark.parametrize("draw", [draw_svg, draw_text])
def test_highlights_outside_the_board_are_refused(draw, highlights, said: str):
    with pytest.raises(ParseError) as caught:
        draw(SMALL, highlights=highlights)
    assert said in str(caught.value)


@pytest.mark.parametrize("move", ["", "r1c1", "r5c1*", "r1c0x", "c1r1*", "r1c1**"])
@pytest.mark.parametrize("draw", [draw_svg, draw_text])
def test_moves_that_are_none_are_refused(draw, move: str):
    with pytest.raises(ParseError):
        draw(SMALL, move=move)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"form": "stars"}, "at stars: expected a list of cells"),
        ({"form": "stars", "stars": [[0, 0], [0]]}, "at stars[1]: expected a cell as [row, column], found [0]"),
        ({"form": "only solution", "stars": [[4, 0]]}, "at stars[0]: expected a row and a column from 0 to 3"),
        ({"form": "two solutions", "solutions": [[]]}, "at solutions: expected two solutions"),
        ({"form": "two solutions", "solutions": [[], [True]]}, "at solutions[1][0]: expected a cell"),
        ({"form": "explained step", "stars": []}, "at crosses: expected a list of cells"),
        ({"form": "explained chain", "steps": [7]}, "at steps: expected a list of steps"),
        (
            {"form": "explained chain", "steps": [{"stars": [[9, 0]], "crosses": []}]},
            "at steps[0].stars[0]: expected a row and a column from 0 to 3",
        ),
    ],
)
@pytest.mark.parametrize("draw", [draw_svg, draw_text])
def test_certificates_that_do_not_fit_are_refused(draw, body, said: str):
    with pytest.raises(ParseError) as caught:
        draw(SMALL, certificate=body)
    assert said in str(caught.value)


# Paints


def contrast(one: Paint, other: Paint) -> float:
    from solvent.drawing.palette import relative_luminance

    darker, lighter = sorted((relative_luminance(one), relative_luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("seed", range(30))
def test_connected_regions_side_by_side_never_share_a_paint(seed: int):
    puzzle = grown_board(4 + seed * 21 // 29, seed)
    paints = choose_paints(puzzle)
    size = puzzle.size
    lines = [range(row * size, (row + 1) * size) for row in range(size)]
    lines += [range(col, size * size, size) for col in range(size)]
    for line in lines:
        for cell, beside in pairwise(line):
            one, other = puzzle.regions[cell], puzzle.regions[beside]
            assert one == other or paints[one] != paints[other]


def test_regions_that_all_touch_each_other_are_painted_somehow():
    size = 25
    puzzle = Puzzle(size, 1, tuple((row * col) % size for row in range(size) for col in range(size)), "." * size * size)
    assert set(choose_paints(puzzle)) == set(PAINTS)
    assert max(map(len, draw_text(puzzle).splitlines())) <= 80
    assert len(border_pieces(draw_svg(puzzle))) > size * size


@pytest.mark.parametrize("sight", SIGHTS)
def test_paints_stay_apart_for_every_kind_of_sight(sight: str):
    assert min(difference(a, b, sight) for a, b in combinations(PAINTS, 2)) >= 13
    assert min(difference(a, b, sight) for a, b in combinations((BLUE, CROSS_OUT, GOLD, INK), 2)) >= 25


@pytest.mark.parametrize("paint", [*PAINTS, PAPER])
def test_signs_can_be_read_on_every_paint(paint: Paint):
    assert contrast(paint, INK) >= 9
    assert contrast(paint, FAINT_INK) >= 4
    assert contrast(paint, BLUE) >= 4
    assert contrast(PAPER, BLUE) >= 4.5, "numbers of lines in play are paper on blue"
    assert contrast(PAPER, CROSS_OUT) >= 4.5, "crosses to make stand on a disc of paper"
    assert contrast(GOLD, INK) >= 9
