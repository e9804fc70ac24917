"""Cover tiles of one look with as few rectangles as a simple sweep finds, so that big maps make small files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

Run = tuple[int, int, int]
"""Tiles side by side: their row, the first column and one after the last."""


def cover(runs: Iterable[Run], side: int = 1) -> str:
    """Return path data that covers runs, given row by row; equal runs below each other are one rectangle."""
    rectangles: list[str] = []
    growing: dict[tuple[int, int], int] = {}
    last = -2

    def finish(spans: list[tuple[int, int]], end: int) -> None:
        for first, after in spans:
            top = growing.pop((first, after))
            width, height = (after - first) * side, (end - top) * side
            rectangles.append(f"M{first * side} {top * side}h{width}v{height}h-{width}z")

    for row, found in groupby(runs, key=lambda run: run[0]):
        spans = dict.fromkeys((first, after) for _, first, after in found)
        finish([span for span in growing if span not in spans or row != last + 1], last + 1)
        for span in spans:
            growing.setdefault(span, row)
        last = row
    finish(list(growing), last + 1)
    return "".join(rectangles)


def find_runs(row: int, columns: Sequence[int]) -> list[Run]:
    """Return the runs of neighbouring columns, which are sorted and of one look."""
    runs: list[Run] = []
    for column in columns:
        if runs and runs[-1][2] == column:
            runs[-1] = row, runs[-1][1], column + 1
        else:
            runs.append((row, column, column + 1))
    return runs
