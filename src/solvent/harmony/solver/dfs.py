"""Depth-first search with the invalidity tests: answers tiny boards at once, and shows what the tests are worth."""

from __future__ import annotations

import time

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.core.pruning import InvalidityTest, InvalidityTestCoordinator, TestCount
from solvent.engine.driver import WORKING, drive
from solvent.engine.hash_table_kernel import HashTable
from solvent.harmony.invalidity.position_kernel import Position
from solvent.harmony.invalidity.tests_kernel import CountedTest, HarmonyTest, chain_tests
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.dfs_kernel import EXHAUSTED, FOUND, TABLE_FULL, WORD_BITS, Search

SMALL_MEGABYTES = 1.0
"""Less than this is not worth asking for, which takes as long as the search of a tiny board."""
FIRST_TABLE_ENTRIES = 1 << 9
BYTES_PER_ENTRY = 35
"""What the table of visited boards takes for each entry it has room for: 24 bytes a slot, 7 in 10 of them filled."""
TIMED_BATCHES, CALLS_A_BATCH, CELLS_A_BATCH = 4, 50, 20_000
"""Calls of a test that are timed to tell what all its calls inside the kernel took; fewer on large boards."""


class SearchResult(Struct, frozen=True):
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
    if sum(board.moves) % 2:
        return SearchResult(None, True, None, 0, 0)
    needed = (8 * board.rows * board.cols * (board.rows + board.cols) + 8 * board.swaps) / 1e6
    too_large = meter.memory_reason(needed, "the depth-first search") if needed > SMALL_MEGABYTES else None
    if too_large is not None:
        return SearchResult(None, False, too_large, 0, 0)
    tests = chain_tests([_own_test(test) for test in coordinator.tests])
    position = Position(board.rows, board.cols, board.colours, board.moves)
    if tests is not None and tests.is_invalid(position):
        _book_tests(board, coordinator, tests)
        return SearchResult(None, True, None, 0, 0)
    meter.checkpoint()
    kernel = Search(position, board.swaps, tests, HashTable(FIRST_TABLE_ENTRIES))
    kernel.keep_boards(*_key_bits(board))
    no_room: Reason | None = None

    def step(limit: int) -> tuple[int, int]:
        nonlocal no_room
        before = kernel.visited
        status = kernel.run(limit)
        if status == TABLE_FULL:
            needed = 3 * BYTES_PER_ENTRY * kernel.known.capacity / 1e6
            no_room = meter.memory_reason(needed, "the table of visited boards")
            if no_room is None:
                kernel.known.grow()
                status = WORKING
        return status, kernel.visited - before

    status, reason = drive(step, meter, listen=listen, message="trying every line")
    _book_tests(board, coordinator, tests)
    plan = tuple(kernel.line()) if status == FOUND else None
    return SearchResult(plan, status == EXHAUSTED, no_room or reason, kernel.visited, kernel.repeated)


def has_exact_keys(board: Board) -> bool:
    """Tell whether boards of this size fit the table of visited boards; larger ones are searched without it."""
    return _key_bits(board) != (0, 0)


def _key_bits(board: Board) -> tuple[int, int]:
    """Return the bits a colour and the moves take in a key, or zeros if a board does not fit two words."""
    colour = max(1, max(board.colours).bit_length())
    moves = max(1, max(board.moves).bit_length())
    columns_per_word = WORD_BITS // (board.rows * (colour + moves))
    if columns_per_word == 0 or -(-board.cols // columns_per_word) > 2:
        return 0, 0
    return colour, moves


def _own_test(test: InvalidityTest[Board]) -> HarmonyTest:
    """Return a test the kernel can call; those that users write in Python are for searches of their own."""
    if not isinstance(test, HarmonyTest) or not test.sound:
        raise ValueError(f"expected a sound test of Solvent's own, found {test.name}")
    return test


def _book_tests(board: Board, coordinator: InvalidityTestCoordinator[Board], tests: CountedTest | None) -> None:
    """Book what the tests did inside the kernel. It has no clock, so a call's time is measured on the first board."""
    position = Position(board.rows, board.cols, board.colours, board.moves)
    calls_a_batch = max(1, min(CALLS_A_BATCH, CELLS_A_BATCH // (board.rows * board.cols)))
    while tests is not None and tests.calls > 0:
        calls = min(tests.calls, calls_a_batch)
        batches = []
        for _ in range(TIMED_BATCHES):
            began = time.perf_counter()
            tests.repeat(position, calls)
            batches.append(time.perf_counter() - began)
        seconds = min(batches) / calls * tests.calls  # the fastest batch was disturbed least
        coordinator.record(tests.test.name, TestCount(tests.calls, tests.hits, seconds))
        tests = tests.following
