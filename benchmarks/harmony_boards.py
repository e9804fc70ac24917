"""The Harmony boards that are measured: generated, spoilt until they cannot be solved, and public ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import solvent
from benchmarks.machine import PROJECT
from solvent.harmony.model import Board

SECONDS_TO_CONFIRM = 30.0
"""What the portfolio gets, before anything is measured, to prove that a spoilt board cannot be solved."""


@dataclass(frozen=True, slots=True)
class BoardClass:
    """Hold boards of one kind under their names."""

    name: str
    boards: dict[str, Board]
    left_out: int = 0
    """Candidates that nobody could decide beforehand; they are in no row of the table."""


@dataclass(frozen=True, slots=True)
class Size:
    """Say how large a square board is and how many swaps it takes."""

    side: int
    swaps: int

    def __str__(self) -> str:
        return f"{self.side}×{self.side} K={self.swaps}"

    def generate(self, seed: int) -> Board:
        """Make the board of a seed."""
        board: Board = solvent.generate("harmony", rows=self.side, cols=self.side, swaps=self.swaps, seed=seed)
        return board


SOLVABLE = (
    *(Size(3, 8), Size(4, 12), Size(5, 50), Size(6, 30), Size(6, 40), Size(6, 50), Size(8, 50), Size(8, 80)),
    *(Size(10, 60), Size(10, 80), Size(12, 300), Size(14, 500)),
)
UNSOLVABLE = (Size(3, 8), Size(4, 8), Size(5, 15), Size(6, 20))
NEAR_MISSES = (Size(4, 12), Size(5, 15), Size(6, 20))
QUICK_SOLVABLE = (Size(3, 8), Size(4, 12), Size(6, 30))
QUICK_UNSOLVABLE = (Size(4, 8),)
QUICK_NEAR_MISSES = (Size(5, 15),)


def solvable_class(size: Size, count: int) -> BoardClass:
    """Generate boards that can be solved, from the first seeds."""
    return BoardClass(str(size), {f"seed {seed}": size.generate(seed) for seed in range(count)})


def unsolvable_class(size: Size, count: int, *, near_misses: bool = False) -> BoardClass:
    """Generate boards and spoil them a little; keep those that are proved impossible.

    Most of them break an invariant, which costs next to nothing to see; near misses are those that break none.

    Who proves it is the portfolio, with a generous limit. A board it cannot decide is left out and counted, because
    leaving out what the portfolio finds hard would flatter it.
    """
    boards: dict[str, Board] = {}
    left_out = 0
    for seed in range(40 * count):
        if len(boards) == count:
            break
        board = spoil(size.generate(seed), seed)
        answer = solvent.ask(board, seconds=SECONDS_TO_CONFIRM, proof=False)
        if answer.verdict is solvent.Verdict.UNKNOWN:
            left_out += 1
        elif answer.verdict is solvent.Verdict.NO and not (near_misses and answer.stats["answered_by"] == "invariant"):
            boards[f"seed {seed}"] = board
    return BoardClass(f"{'near' if near_misses else 'NO'} {size}", boards, left_out)


def spoil(board: Board, seed: int) -> Board:
    """Exchange the colours of two tiles, or take a move from one tile and give it to another.

    Neither changes how many tiles a colour has or how many moves there are, so the plainest counts do not tell.
    """
    random = Random(seed)
    cells = range(len(board.moves))
    if seed % 2:
        giver = random.choice([cell for cell in cells if board.moves[cell] > 0])
        taker = random.choice([cell for cell in cells if cell != giver])
        moves = list(board.moves)
        moves[giver] -= 1
        moves[taker] += 1
        return replace(board, moves=tuple(moves))
    one = random.choice(cells)
    other = random.choice([cell for cell in cells if board.colours[cell] != board.colours[one]])
    colours = list(board.colours)
    colours[one], colours[other] = colours[other], colours[one]
    return replace(board, colours=tuple(colours))


def public_class() -> BoardClass | None:
    """Load the public boards from `SOLVENT_CORPORA`, or from beside the project; None where there are none."""
    corpora = Path(os.environ.get("SOLVENT_CORPORA") or PROJECT.parent / "shared" / "data")
    boards: dict[str, Board] = {}
    for path in sorted((corpora / "harmony").glob("*.txt")):
        boards[path.stem] = solvent.load(path, domain="harmony")
    return BoardClass("public", boards) if boards else None


def class_makers(*, quick: bool) -> list[Callable[[], BoardClass | None]]:
    """Return what makes each class, so that each is made just before it is measured."""
    if quick:
        return [
            *(partial(solvable_class, size, 3) for size in QUICK_SOLVABLE),
            *(partial(unsolvable_class, size, 3) for size in QUICK_UNSOLVABLE),
            *(partial(unsolvable_class, size, 3, near_misses=True) for size in QUICK_NEAR_MISSES),
        ]
    return [
        *(partial(solvable_class, size, 20) for size in SOLVABLE),
        *(partial(unsolvable_class, size, 20) for size in UNSOLVABLE),
        *(partial(unsolvable_class, size, 20, near_misses=True) for size in NEAR_MISSES),
        public_class,
    ]
