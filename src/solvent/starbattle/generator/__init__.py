"""Make puzzles: stars first, regions around them, borders moved until nothing else fits, then graded.

Every puzzle made here is unique by construction; callers have that proved and checked.
"""

from __future__ import annotations

import math

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, GenerationFailed
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.drawing.phrases import counted
from solvent.engine.dice import Dice
from solvent.starbattle.generator.regions import draw_regions, random_stars
from solvent.starbattle.generator.uniqueness import make_unique, puzzle_of
from solvent.starbattle.model import Puzzle, most_stars

MAX_MISSES = 250
"""Boards in a row that could not be made unique. A few are usual; boards with much more room than stars need more."""
MAX_GRADED = 300
"""Unique boards to grade before giving up on the grade or technique that was asked for."""


def generate(
    *,
    size: int,
    stars: int,
    grade: str | None = None,
    technique: str | None = None,
    seed: int,
    listen: Listener = ignore,
    meter: Meter = UNLIMITED,
) -> Puzzle:
    """Make a puzzle with exactly one solution, of this grade, that needs this technique."""
    if stars > most_stars(size):
        raise BadOption(f"stars: expected at most {most_stars(size)} on a board of size {size}, found {stars}")
    attempt = graded = misses = 0
    while graded < MAX_GRADED and misses < MAX_MISSES:
        progress = f"graded {counted(graded, 'board')}" if graded else "drawing boards"
        listen(Event(Kind.PROGRESS, progress, attempt))
        puzzle = _attempt(size, stars, Dice(f"{seed}/{attempt}", meter), meter)
        attempt += 1
        if puzzle is None:
            misses += 1
            continue
        misses = 0
        if (grade is None and technique is None) or _fulfils(puzzle, grade, technique, meter):
            return puzzle
        graded += 1
    if not graded:
        tried = f"none of {attempt} boards of size {size} with {stars} stars each could be made unique"
        raise GenerationFailed(f"{tried}; try more stars, or another seed")
    wishes = [f"is {grade}"] if grade is not None else []
    wishes += [f"needs the technique {technique}"] if technique is not None else []
    tried = f"{counted(graded, 'puzzle')} from seed {seed}"
    raise GenerationFailed(f"none of {tried} {' and '.join(wishes)}; try another seed")


def _attempt(size: int, stars: int, dice: Dice, meter: Meter) -> Puzzle | None:
    """Draw one board; None if it could not be made unique."""
    solution = random_stars(size, stars, dice, meter)
    regions = draw_regions(size, stars, solution, dice)
    if regions is None or not make_unique(stars, regions, solution, dice, meter):
        return None
    return puzzle_of(size, stars, regions)


def _fulfils(puzzle: Puzzle, grade: str | None, technique: str | None, meter: Meter) -> bool:
    """Walk the whole path of a puzzle and see whether it is what was asked for."""
    from solvent.starbattle.hints.grading import grade_of, hardest_for
    from solvent.starbattle.hints.path import walk
    from solvent.starbattle.hints.position import position_of

    hardest = math.inf if grade is None else hardest_for(grade)
    path = walk(position_of(puzzle), hardest=hardest, stop=meter.stop_reason, meter=meter)
    meter.book(0)  # if it was a limit that ended the walk
    if path is None:
        return False
    efforts = path.efforts()
    if technique is not None and technique not in {effort.technique for effort in efforts}:
        return False
    return grade is None or grade_of(efforts).word == grade
