"""Depth-first search with the invalidity tests: answers tiny boards at once, and shows what the tests are worth."""

from __future__ import annotations

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.errors import BadOption
from solvent.core.events import Listener, ignore
from solvent.core.pruning import InvalidityTest, InvalidityTestCoordinator, TestCount
from solvent.engine.driver import WORKING, drive
from solvent.engine.hash_table_kernel import HashTable
from solvent.harmony.invalidity.position_kernel import Position
from solvent.harmony.invalidity.tests_kernel import CountedTest, HarmonyTest, PythonTest, chain_tests
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.dfs_kernel import EXHAUSTED, FOUND, TABLE_FULL, WORD_BITS, Search

SMALL_MEGABYTES = 1.0
"""Less than this is not worth asking for, which takes as long as the search of a tiny board."""
FIRST_TABLE_ENTRIES = 1 << 9
BYTES_PER_ENTRY = 35
"""What the table of visited boards takes for each entry it has room for: 24 bytes a slot, 7 in 10 of them filled."""
TIMED_EVERY = 13
"""One call of a test in so many is timed: looking at the clock takes longer than most tests."""
DEAR_COST = 10
"""Nanoseconds on a 4×4 board from which a test counts as dear. Those written in Python all do."""
FIRST_CHUNK, FIRST_CHUNK_WITH_PYTHON = 4096, 64
"""Boards before the budget is looked at for the first time; a user's test may take long."""


class Strategy(Struct, frozen=True):
    """Say how the search goes about its tests. Whatever is chosen, it prunes the same boards or fewer."""

    only_affected: bool = True
    """Whether tests look only at what the last swap affected, where that is enough."""
    cached_counts: bool = True
    """Whether counts are kept up to date with each swap, instead of made anew for each board."""
    dear_tests_after: int = 0
    """The number of swaps before which dear tests are not asked."""
    time_tests: bool = False
    """Whether every call of a test is timed, instead of one in `TIMED_EVERY`."""


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
    board: Board,
    meter: Meter,
    coordinator: InvalidityTestCoordinator[Board],
    *,
    strategy: Strategy = Strategy(),  # noqa: B008  (it never changes)
    listen: Listener = ignore,
) -> SearchResult:
    """Try every line of play from a board that is not solved. One visited board is one node.

    Where a test that a user wrote raises something, this raises BrokenTest.
    """
    if sum(board.moves) % 2:
        return SearchResult(None, True, None, 0, 0)
    needed = (8 * board.rows * board.cols * (board.rows + board.cols) + 8 * board.swaps) / 1e6
    too_large = meter.memory_reason(needed, "the depth-first search") if needed > SMALL_MEGABYTES else None
    if too_large is not None:
        return SearchResult(None, False, too_large, 0, 0)
    members = [_as_kernel(test, board) for test in coordinator.tests]
    tests = _chain(members, strategy)
    position = Position(board.rows, board.cols, board.colours, board.moves)
    is_ruled_out = tests is not None and tests.is_invalid(position)
    _raise_errors(members)
    if is_ruled_out:
        _book_tests(coordinator, tests)
        return SearchResult(None, True, None, 0, 0)
    if strategy.cached_counts:
        position.keep_counts()
    meter.checkpoint()
    kernel = Search(position, board.swaps, tests, HashTable(FIRST_TABLE_ENTRIES))
    kernel.keep_boards(*_key_bits(board))
    no_room: Reason | None = None

    def step(limit: int) -> tuple[int, int]:
        nonlocal no_room
        before = kernel.visited
        status = kernel.run(limit)
        _raise_errors(members)
        if status == TABLE_FULL:
            needed = 3 * BYTES_PER_ENTRY * kernel.known.capacity / 1e6
            no_room = meter.memory_reason(needed, "the table of visited boards")
            if no_room is None:
                kernel.known.grow()
                status = WORKING
        return status, kernel.visited - before

    has_python = any(isinstance(test, PythonTest) for test in members)
    chunk = FIRST_CHUNK_WITH_PYTHON if has_python else FIRST_CHUNK
    status, reason = drive(step, meter, first_chunk=chunk, listen=listen, message="trying every line")
    _book_tests(coordinator, tests)
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


def _as_kernel(test: InvalidityTest[Board], board: Board) -> HarmonyTest:
    """Return a test the kernel can call: a compiled one as it is, one in Python by way of its boards."""
    if not isinstance(test, HarmonyTest):
        return PythonTest(test, board.palette)
    if not test.sound:
        raise ValueError(f"expected a sound test, found {test.name}")
    if "fires" not in vars(HarmonyTest) and any("fires" in vars(kind) for kind in type(test).__mro__):
        raise BadOption(f"{test.name} is a kernel that is not compiled, which would never fire; compile it first")
    return test


def _chain(tests: list[HarmonyTest], strategy: Strategy) -> CountedTest | None:
    """Put the tests in a row as the strategy says."""
    depths = [0 if test.cost < DEAR_COST else strategy.dear_tests_after for test in tests]
    return chain_tests(tests, 1 if strategy.time_tests else TIMED_EVERY, strategy.only_affected, depths)


def _raise_errors(tests: list[HarmonyTest]) -> None:
    """Raise what a test raised that a user wrote."""
    for test in tests:
        if isinstance(test, PythonTest) and test.error is not None:
            raise test.error


def _book_tests(coordinator: InvalidityTestCoordinator[Board], tests: CountedTest | None) -> None:
    """Book what the tests did inside the kernel."""
    while tests is not None:
        if tests.calls:
            seconds = tests.nanoseconds / 1e9 * tests.calls / tests.timed
            coordinator.record(tests.test.name, TestCount(tests.calls, tests.hits, seconds, tests.timed))
        tests = tests.following
