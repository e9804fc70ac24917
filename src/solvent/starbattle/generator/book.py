"""Lay out boards as a book to print: a few a page, numbered and graded, with solutions and grades at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from solvent.core.answer import Answer
from solvent.core.errors import BadOption
from solvent.drawing.pdf import PAPERS, Page, write_pdf
from solvent.drawing.phrases import counted
from solvent.starbattle.hints.grading import grade_of
from solvent.starbattle.hints.path import walk
from solvent.starbattle.hints.position import position_of
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle

TITLE = "Star Battle"
_SOLUTIONS = ["Solutions", "Each puzzle has exactly one. The grade goes from 1, very easy, to 100, fiendish."]
MARGIN, GAP, CAPTION = 50.0, 26.0, 18.0
"""Points around the page, between boards, and above a board for its number."""
HEADING = 58.0
"""Points for the title and the rules on the first page."""
BOARDS_A_PAGE = ((6, 2, 3), (10, 2, 2), (14, 1, 2), (25, 1, 1))
"""Up to this size of boards, how many stand side by side and one above the other."""
SOLUTIONS_A_PAGE = ((10, 3, 4), (14, 2, 3), (25, 2, 2))
LARGEST_CELL = 30.0
THIN, THICK = 0.4, 2.0
GRID_GREY = 0.55
STAR_POINTS = 5


def lay_out_book(made: Sequence[tuple[Puzzle, Sequence[Answer]]], paper: str) -> bytes:
    """Return a PDF with these boards; each comes with the answers that were proved when it was made."""
    if paper not in PAPERS:
        raise BadOption(f"paper: expected {' or '.join(PAPERS)}, found {paper!r}")
    grades = [_grade(puzzle) for puzzle, _ in made]
    pages: list[Page] = []
    captions = [f"{number}   {grade.partition(',')[0]}".rstrip() for number, grade in enumerate(grades, start=1)]
    boards = [puzzle for puzzle, _ in made]
    for page, place, index, cell in _places(boards, BOARDS_A_PAGE, pages, paper, _title(boards)):
        _draw(page, place, cell, boards[index], captions[index], bold=True)
    captions = [f"{number}   {grade}".rstrip() for number, grade in enumerate(grades, start=1)]
    boards = [_solution(puzzle, answers) for puzzle, answers in made]
    for page, place, index, cell in _places(boards, SOLUTIONS_A_PAGE, pages, paper, _SOLUTIONS):
        _draw(page, place, cell, boards[index], captions[index], bold=False)
    for number, page in enumerate(pages, start=1):
        page.text((page.width - MARGIN - 12, page.height - MARGIN / 2), str(number), size=9)
    return write_pdf(pages, title=TITLE)


def _title(boards: Sequence[Puzzle]) -> list[str]:
    stars = sorted({puzzle.stars for puzzle in boards})
    many = counted(stars[0], "star") if len(stars) == 1 else "the same number of stars"
    rules = f"Place {many} in each row, column and outlined region. Stars never touch, not even at a corner."
    return [f"{TITLE}: {counted(len(boards), 'puzzle')}", rules]


def _solution(puzzle: Puzzle, answers: Sequence[Answer]) -> Puzzle:
    """Return the board with the stars of the certificate that they are its only ones."""
    certificate = next(answer.certificate for answer in answers if answer.question == "unique")
    assert certificate is not None
    starred = {row * puzzle.size + column for row, column in certificate["stars"]}
    marks = "".join(STAR if cell in starred else UNKNOWN for cell in range(puzzle.size**2))
    return replace(puzzle, marks=marks)


def _places(
    boards: Sequence[Puzzle], layouts: Sequence[tuple[int, int, int]], pages: list[Page], paper: str, heading: list[str]
) -> Iterator[tuple[Page, tuple[float, float], int, float]]:
    """Yield the page, the upper left corner and the side of a cell of each board; new pages are added as needed."""
    size = max(puzzle.size for puzzle in boards)
    across, down = next((across, down) for most, across, down in layouts if size <= most)
    for index in range(len(boards)):
        slot = index % (across * down)
        if slot == 0:
            pages.append(Page(paper))
            if index == 0:
                pages[-1].text((MARGIN, MARGIN + 14), heading[0], size=18, bold=True)
                pages[-1].text((MARGIN, MARGIN + 32), heading[1], size=10)
        page = pages[-1]
        top = MARGIN + HEADING  # the same on every page, so that boards of one book are of one size
        width = (page.width - 2 * MARGIN - GAP * (across - 1)) / across
        height = (page.height - MARGIN - top - GAP * (down - 1)) / down
        cell = min(LARGEST_CELL, width / size, (height - CAPTION) / size)
        row, column = divmod(slot, across)
        yield page, (MARGIN + column * (width + GAP), top + row * (height + GAP) + CAPTION), index, cell


def _draw(page: Page, place: tuple[float, float], cell: float, puzzle: Puzzle, caption: str, *, bold: bool) -> None:
    """Draw a board: a thin grid, thick borders, and stars where there are any."""
    left, top = place
    size, regions = puzzle.size, puzzle.regions
    page.text((left, top - 6), caption, size=11 if bold else 8, bold=bold)

    def corner(row: int, column: int) -> tuple[float, float]:
        return left + column * cell, top + row * cell

    inner = range(1, size)
    page.lines([(corner(row, 0), corner(row, size)) for row in inner], thick=THIN, grey=GRID_GREY)
    page.lines([(corner(0, column), corner(size, column)) for column in inner], thick=THIN, grey=GRID_GREY)
    borders = [
        (corner(row, column + 1), corner(row + 1, column + 1))
        for row in range(size)
        for column in range(size - 1)
        if regions[row * size + column] != regions[row * size + column + 1]
    ]
    borders += [
        (corner(row + 1, column), corner(row + 1, column + 1))
        for row in range(size - 1)
        for column in range(size)
        if regions[row * size + column] != regions[(row + 1) * size + column]
    ]
    edge = [corner(0, 0), corner(0, size), corner(size, size), corner(size, 0)]
    borders += list(zip(edge, [*edge[1:], edge[0]], strict=True))
    page.lines(borders, thick=THICK if cell > 14 else THICK / 2)
    for index, mark in enumerate(puzzle.marks):
        if mark == STAR:
            row, column = divmod(index, size)
            x, y = corner(row, column)
            page.polygon(_star(x + cell / 2, y + cell / 2, cell * 0.4))


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a star with five points, one of them upwards."""
    turn = math.pi / STAR_POINTS
    return [
        (x + reach * math.sin(step * turn), y - reach * math.cos(step * turn))
        for step in range(2 * STAR_POINTS)
        for reach in (radius if step % 2 == 0 else radius * 0.4,)
    ]


def _grade(puzzle: Puzzle) -> str:
    """Return the grade as `medium, 34 of 100`; nothing where the path of steps does not reach the end."""
    path = walk(position_of(puzzle))
    if path is None:
        return ""
    grade = grade_of(path.efforts())
    return f"{grade.word}, {grade.number} of 100"
