"""A closed set as steps: every board that can be reached, nearest first, and why none of them is solved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import counted, listed
from solvent.harmony.checker.tiles import Tile, broken_rule, exchange, tiles_of, unsolved_parts
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_swap

MAX_BOARDS = 60
"""Boards that are shown; of the others it is said how many there are."""
MAX_NAMED = 6


def closed_set_steps(board: Board, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield the boards that can be reached, each with what is wrong with it and where it can lead."""
    count = len(certificate["states"])
    cols = board.cols
    text = f"From here {counted(count, 'board')} can be reached, this one included. None of them is solved."
    yield ProofStep(text=text, marks={"path": []})
    start = tiles_of(board)
    paths: dict[tuple[Tile, ...], list[Swap]] = {start: []}
    for number, tiles in enumerate(meter.each(list_growing(paths), every=1)):
        if number == MAX_BOARDS:
            left = counted(count - MAX_BOARDS, "board")
            text = f"The same holds of the other {left}: the checker has looked at each of them."
            yield ProofStep(text=text, marks={"path": []})
            break
        swaps = [pair for pair in combinations(range(len(tiles)), 2) if broken_rule(tiles, *pair, cols) is None]
        for swap in swaps:
            reached = list(tiles)
            exchange(reached, *swap)
            paths.setdefault(tuple(reached), [*paths[tiles], swap])
        path = paths[tiles]
        wrong = [cell for cell, (colour, moves) in enumerate(tiles) if colour != cell // cols or moves]
        came = f"After {listed([format_swap(swap, cols) for swap in path])}: " if path else "Here: "
        names = listed([format_swap(swap, cols) for swap in swaps], MAX_NAMED)
        goes = f"What can be swapped: {names}." if swaps else "No two tiles can be swapped any more."
        yield ProofStep(
            text=f"{came}not solved, as {next(unsolved_parts(tiles, cols))}. {goes}",
            marks={"path": [list(swap) for swap in path], "cells": wrong},
        )
    yield ProofStep(text="So no way leads to a solved board.", marks={"path": []})


def list_growing(paths: dict[tuple[Tile, ...], list[Swap]]) -> Iterator[tuple[Tile, ...]]:
    """Yield the keys in the order they were added, those that are added meanwhile included."""
    done = 0
    while done < len(paths):
        waiting = list(paths)[done:]
        done += len(waiting)
        yield from waiting
