"""Make puzzles: stars first, regions around them, borders moved until nothing else fits, then graded.

Every puzzle made here is unique by construction; callers have that proved and checked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, GenerationFailed
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.drawing.phrases import counted
from solvent.engine.dice import Dice
from solvent.starbattle.generator.regions import draw_regions, puzzle_of, random_stars, shake
from solvent.starbattle.generator.uniqueness import LARGE, make_unique
from solvent.starbattle.model import Puzzle, most_stars

LARGEST_SIZES = {2: 20, 3: 20, 4: 20, 5: 22}
"""The largest boards with so many stars that come about in seconds; larger ones, of which none came or one in minutes,
are refused at once. With one star, or six, every size can be made."""
LARGEST_VERY_EASY, LARGEST_EASIER = 13, 17
"""The largest boards of which one in hundreds is very easy, with two stars and more, and those of which one is anything
but fiendish, with four and more. Larger ones with that wish are refused at once: none came."""
MAX_MISSES = 250
"""Boards in a row that could not be made unique. A few are usual."""
MAX_GRADED = 600
"""Unique boards to grade before giving up on the grade that was asked for; half as many for a technique, which does
not come nearer by and by."""
LARGE_MISSES, LARGE_GRADED = 100, 60
"""The same for large boards, which take seconds each."""
GRADED_AFRESH = 30
"""After so many, most boards are variations of the one that came nearest."""
FRESH_EVERY = 4
"""One in so many is still drawn afresh."""
VARIED_CELLS = 4
"""The most cells that change hands in a variation, before it is made unique again."""
_EASIER, _HARDER = ", or a smaller board, which is easier", ", or a larger board with more stars, which is harder"
_ADVICE: dict[str | None, str] = {
    **dict.fromkeys(("very easy", "easy"), _EASIER),
    **dict.fromkeys(("hard", "very hard", "fiendish"), _HARDER),
}


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
    largest = LARGEST_SIZES.get(stars, size)
    if size > largest:
        why = "larger boards have so much more room than stars that hardly any can be made unique"
        raise BadOption(f"size: expected at most {largest} with {stars} stars, found {size}: {why}")
    if grade is not None:
        _require_grade_possible(size, stars, grade)
    attempt = graded = misses = 0
    nearest: _Drawn | None = None
    most_graded, most_misses = (MAX_GRADED, MAX_MISSES) if size < LARGE else (LARGE_GRADED, LARGE_MISSES)
    if technique is not None:
        most_graded //= 2
    while graded < most_graded and misses < most_misses:
        progress = f"graded {counted(graded, 'board')}" if graded else "drawing boards"
        listen(Event(Kind.PROGRESS, progress, attempt))
        dice = Dice(f"{seed}/{attempt}", meter)
        attempt += 1
        if nearest is not None and graded >= GRADED_AFRESH and attempt % FRESH_EVERY:
            drawn = _vary(nearest, dice, meter)
        else:
            drawn = _attempt(size, stars, dice, meter)
        if drawn is None:
            misses += 1
            continue
        misses = 0
        if grade is None and technique is None:
            return drawn.puzzle
        distance = _distance(drawn.puzzle, grade, technique, meter)
        if distance == 0:
            return drawn.puzzle
        if distance is not None and (nearest is None or distance <= nearest.distance):
            nearest = drawn.at(distance)
        graded += 1
    if not graded:
        tried = f"none of {attempt} boards of size {size} with {stars} stars each could be made unique"
        raise GenerationFailed(f"{tried}; try more stars, or another seed")
    wishes = [f"is {grade}"] if grade is not None else []
    wishes += [f"needs the technique {technique}"] if technique is not None else []
    tried = f"{counted(graded, 'puzzle')} from seed {seed}"
    away = f" (the nearest was {nearest.distance:g} of 100 away)" if nearest is not None and grade is not None else ""
    raise GenerationFailed(f"none of {tried} {' and '.join(wishes)}{away}; try another seed{_ADVICE.get(grade, '')}")


def _require_grade_possible(size: int, stars: int, grade: str) -> None:
    """Raise BadOption for a grade that boards of this size hardly ever have."""
    largest = size
    if stars > 1 and grade == "very easy":
        largest = LARGEST_VERY_EASY
    elif stars > 3 and grade != "fiendish":
        largest = LARGEST_EASIER
    if size > largest:
        why = "hardly any larger board is; with fewer stars more are"
        raise BadOption(f"grade: expected size {largest} or less for {grade} with {stars} stars, found {size}: {why}")


class _Drawn(NamedTuple):
    """Hold a unique board, where its stars are, and how far it is from what was asked for."""

    puzzle: Puzzle
    solution: tuple[int, ...]
    distance: float = math.inf

    def at(self, distance: float) -> _Drawn:
        return self._replace(distance=distance)


def _attempt(size: int, stars: int, dice: Dice, meter: Meter) -> _Drawn | None:
    """Draw one board; None if it could not be made unique."""
    solution = random_stars(size, stars, dice, meter)
    regions = draw_regions(size, stars, solution, dice)
    if regions is None:
        return None
    only = make_unique(stars, regions, solution, dice, meter)
    return None if only is None else _Drawn(puzzle_of(size, stars, regions), only)


def _vary(drawn: _Drawn, dice: Dice, meter: Meter) -> _Drawn | None:
    """Move a few borders of a board, and make it unique again; None if that does not come about."""
    puzzle, regions = drawn.puzzle, list(drawn.puzzle.regions)
    shake(puzzle.size, regions, frozenset(drawn.solution), dice, 1 + int(dice.unit() * VARIED_CELLS))
    only = make_unique(puzzle.stars, regions, drawn.solution, dice, meter)
    return None if only is None else _Drawn(puzzle_of(puzzle.size, puzzle.stars, regions), only)


def _distance(puzzle: Puzzle, grade: str | None, technique: str | None, meter: Meter) -> float | None:
    """Walk the whole path of a puzzle and say how far it is from what was asked for: 0 if it is that, None if unknown.

    The grade counts in its own numbers; a technique that is not needed is one step more.
    """
    from solvent.starbattle.hints.grading import GRADE_LIMITS, grade_of, hardest_for
    from solvent.starbattle.hints.path import walk
    from solvent.starbattle.hints.position import position_of

    hardest = math.inf if grade is None else hardest_for(grade)
    path = walk(position_of(puzzle), hardest=hardest, stop=meter.stop_reason, meter=meter)
    meter.book(0)  # if it was a limit that ended the walk
    if path is None:
        return None
    efforts = path.efforts()
    missing = 0.0 if technique is None or technique in {effort.technique for effort in efforts} else 1.0
    if grade is None:
        return missing
    number = grade_of(efforts).number
    words = [word for _, word in GRADE_LIMITS]
    highest = GRADE_LIMITS[words.index(grade)][0]
    lowest = GRADE_LIMITS[words.index(grade) - 1][0] + 1 if grade != words[0] else 1
    return missing + max(lowest - number, number - highest, 0)
