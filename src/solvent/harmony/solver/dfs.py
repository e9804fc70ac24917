"""Depth-first search with the invalidity tests: answers tiny boards at once, and shows what the tests are worth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.core.pruning import InvalidityTestCoordinator, TestCount
from solvent.engine.driver import drive
from solvent.engine.jit import hash_table
from solvent.harmony.invalidity import SOUND_TESTS
from solvent.harmony.invalidity.dispatch import any_fires, fire_repeatedly
from solvent.harmony.model import Board, Swap
from solvent.harmony.rules import aligned_pairs
from solvent.harmony.solver import dfs_kernel

FIRST_TABLE_ENTRIES = 1 << 12
TIMED_BATCHES, CALLS_A_BATCH = 4, 50
"""Calls of a test that are timed to tell what all its calls inside the kernel took."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hold what the search found: a plan, or that there is none, or why it stopped."""

    plan: tuple[Swap, ...] | None
    exhausted: bool
    """True when every line was tried, so that there is no plan."""
    reason: Reason | None
    boards: int
    """Boards visited."""
    repeated: int
    """Boards that had been visited before."""


def search(
    board: Board, meter: Meter, coordinator: InvalidityTestCoordinator[Board], *, listen: Listener = ignore
) -> SearchResult:
    """Try every line of play from a board that is not solved. One visited board is one node."""
    tests = np.array([_number_of(test.name) for test in coordinator.tests], np.int64)
    rows, cols, cells, deepest = board.rows, board.cols, board.rows * board.cols, board.swaps
    if sum(board.moves) % 2:
        return SearchResult(None, True, None, 0, 0)
    too_large = meter.memory_reason(2 * (deepest + 1) * cells * 8 / 1e6, "the depth-first search")
    if too_large is not None:
        return SearchResult(None, False, too_large, 0, 0)
    colours = np.empty((deepest + 1, cells), np.int64)
    moves = np.empty((deepest + 1, cells), np.int64)
    colours[0], moves[0] = board.colours, board.moves
    upcoming = np.zeros(deepest + 1, np.int64)
    pairs = np.array(sorted(aligned_pairs(rows, cols)), np.int64).reshape(-1, 2)
    calls, hits = np.zeros(len(tests), np.int64), np.zeros(len(tests), np.int64)
    if any_fires(rows, cols, colours[0], moves[0], tests, calls, hits):
        _book_tests(board, coordinator, tests, calls, hits)
        return SearchResult(None, True, None, 0, 0)
    progress = np.zeros(3, np.int64)
    bits = _key_bits(board)
    columns = np.zeros(cols, np.int64)
    table = hash_table.new_table(FIRST_TABLE_ENTRIES)

    no_room: Reason | None = None

    def step(limit: int) -> tuple[int, int]:
        nonlocal table, no_room
        before = int(progress[dfs_kernel.VISITED])
        status = dfs_kernel.search(
            limit, rows, cols, colours, moves, upcoming, pairs, table, bits, columns, tests, calls, hits, progress
        )
        if status == dfs_kernel.TABLE_FULL:
            no_room = meter.memory_reason(3 * table.nbytes / 1e6, "the table of visited boards")
            if no_room is None:
                table = hash_table.grow(table)
                status = 0
        return status, int(progress[dfs_kernel.VISITED]) - before

    status, reason = drive(step, meter, listen=listen, message="trying every line")
    _book_tests(board, coordinator, tests, calls, hits)
    plan = None
    if status == dfs_kernel.FOUND:
        plan = tuple((int(a), int(b)) for a, b in (pairs[upcoming[depth] - 1] for depth in range(deepest)))
    boards, repeated = int(progress[dfs_kernel.VISITED]), int(progress[dfs_kernel.REPEATED])
    return SearchResult(plan, status == dfs_kernel.EXHAUSTED, no_room or reason, boards, repeated)


def has_exact_keys(board: Board) -> bool:
    """Tell whether boards of this size fit the table of visited boards; larger ones are searched without it."""
    return bool(_key_bits(board)[0])


def _key_bits(board: Board) -> Any:
    """Return the bits a colour and the moves take in a key, or zeros if a board does not fit two words."""
    colour = max(1, max(board.colours).bit_length())
    moves = max(1, max(board.moves).bit_length())
    column = board.rows * (colour + moves)
    columns_per_word = dfs_kernel.WORD_BITS // column
    if columns_per_word == 0 or -(-board.cols // columns_per_word) > 2:
        return np.zeros(2, np.int64)
    return np.array([colour, moves], np.int64)


def _number_of(name: str) -> int:
    return next(number for number, test in enumerate(SOUND_TESTS) if test.name == name)


def _book_tests(board: Board, coordinator: InvalidityTestCoordinator[Board], tests: Any, calls: Any, hits: Any) -> None:
    """Book what the tests did inside the kernel. It has no clock, so a call's time is measured on the first board."""
    colours, moves = np.array(board.colours, np.int64), np.array(board.moves, np.int64)
    for index, test in enumerate(coordinator.tests):
        if calls[index] == 0:
            continue
        fire_repeatedly(1, tests[index], board.rows, board.cols, colours, moves)  # compile it first
        batches = []
        for _ in range(TIMED_BATCHES):
            began = time.perf_counter()
            fire_repeatedly(CALLS_A_BATCH, tests[index], board.rows, board.cols, colours, moves)
            batches.append(time.perf_counter() - began)
        seconds = min(batches) / CALLS_A_BATCH * int(calls[index])  # the fastest batch was disturbed least
        coordinator.record(test.name, TestCount(int(calls[index]), int(hits[index]), seconds))
