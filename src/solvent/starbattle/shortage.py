"""Why a board has no solution, where counting shows it: a region too small, or too many regions on too few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from solvent.drawing.phrases import capitalised, counted, listed, plural
from solvent.starbattle.cells import format_region
from solvent.starbattle.model import Puzzle
from solvent.starbattle.rules import neighbours_of, regions_of


class WhyUnsolvable(NamedTuple):
    """Hold a reason in words, and the regions it is about."""

    text: str
    regions: tuple[int, ...]


def why_unsolvable(puzzle: Puzzle) -> WhyUnsolvable | None:
    """Return the first reason that counting finds; None if it takes more than that."""
    return next(_reasons(puzzle), None)


def _reasons(puzzle: Puzzle) -> Iterator[WhyUnsolvable]:
    wanted = puzzle.stars
    for unit in regions_of(puzzle.size, puzzle.regions):
        room = _room(puzzle.size, unit.cells, wanted)
        if room < wanted:
            yield WhyUnsolvable(
                f"Region {format_region(unit.index)} needs {counted(wanted, 'star')}, "
                f"and only {room} can stand in it without touching.",
                (unit.index,),
            )
    yield from _crowded(puzzle, "row", lambda cell: cell // puzzle.size)
    yield from _crowded(puzzle, "column", lambda cell: cell % puzzle.size)


def _crowded(puzzle: Puzzle, kind: str, line_of: Callable[[int], int]) -> Iterator[WhyUnsolvable]:
    """Find neighbouring lines that hold more regions whole than they have stars for, or meet too few regions."""
    size = puzzle.size
    spans = [sorted({line_of(cell) for cell in unit.cells}) for unit in regions_of(size, puzzle.regions)]
    for length in range(1, size):
        for first in range(size - length + 1):
            last = first + length - 1
            inside = [region for region, lines in enumerate(spans) if first <= lines[0] and lines[-1] <= last]
            meeting = [region for region, lines in enumerate(spans) if any(first <= line <= last for line in lines)]
            lines = f"{kind} {first + 1}" if length == 1 else f"{kind}s {first + 1} to {last + 1}"
            if len(inside) > length:
                yield WhyUnsolvable(
                    f"{capitalised(_regions(inside))} lie in {lines} only: "
                    f"{counted(len(inside) * puzzle.stars, 'star')} where {length * puzzle.stars} may stand.",
                    tuple(inside),
                )
            if len(meeting) < length:
                yield WhyUnsolvable(
                    f"{capitalised(lines)} {plural(length, 'needs', 'need')} {counted(length * puzzle.stars, 'star')}, "
                    f"and only {_regions(meeting)} {plural(len(meeting), 'reaches', 'reach')} there, "
                    f"with {len(meeting) * puzzle.stars}.",
                    tuple(meeting),
                )


def _regions(regions: Sequence[int]) -> str:
    names = listed([format_region(region) for region in regions])
    return f"{plural(len(regions), 'region')} {names}"


def _room(size: int, cells: Sequence[int], wanted: int) -> int:
    """Return how many stars can stand on some cells without touching, counted no further than wanted."""
    best = 0
    waiting: list[tuple[int, frozenset[int]]] = [(0, frozenset(cells))]
    neighbours = neighbours_of(size)
    while waiting and best < wanted:
        placed, free = waiting.pop()
        best = max(best, placed)
        blocks = {(cell // size // 2, cell % size // 2) for cell in free}  # each has room for one
        if placed + len(blocks) <= best:
            continue
        cell = min(free)
        waiting.append((placed, free - {cell}))
        waiting.append((placed + 1, free - {cell} - set(neighbours[cell])))
    return best
