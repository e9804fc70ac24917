"""Invalidity tests: small named reasons why a state can never be solved.

A test that fires on a solvable state makes a solver say "impossible" where it is not, so each one states why it never
does, and can be put to an exhaustive trial with `solvent audit`.
"""

from __future__ import annotations

import inspect
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from solvent.core.errors import BadOption, BrokenTest, LimitReached, show_value

State = TypeVar("State")
StateSeen = TypeVar("StateSeen", contravariant=True)
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class InvalidityTest(Protocol[StateSeen]):
    """Recognise some states that cannot be solved. Holds no mutable state, so any thread may call it."""

    @property
    def name(self) -> str:
        """The name users know it by."""

    @property
    def reason(self) -> str:
        """Why a state it fires on can never be solved, in words."""

    def is_invalid(self, state: StateSeen, /) -> bool:
        """Return True only if the state cannot be solved. When in doubt, False."""


@dataclass(frozen=True)
class FunctionTest:
    """Use a plain function as an invalidity test."""

    name: str
    reason: str
    function: Callable[[Any], Any]

    def is_invalid(self, state: Any, /) -> Any:
        """Ask the function."""
        return self.function(state)


def as_test(found: Any, place: str) -> InvalidityTest[Any]:
    """Take what a user wrote for an invalidity test: an object, a class of such objects, or a function.

    `place` is how to call it in an error.
    """
    if inspect.isclass(found):
        try:
            found = found()
        except Exception as error:
            raise BadOption(f"{place}: making one without arguments fails: {describe_raised(error)}") from error
    if callable(getattr(found, "is_invalid", None)):
        missing = [key for key in ("name", "reason") if not isinstance(getattr(found, key, None), str)]
        if missing:
            raise BadOption(f"{place}: expected an invalidity test with the text {' and '.join(missing)}")
        test: InvalidityTest[Any] = found
        return test
    if callable(found):
        reason = inspect.getdoc(found) or "no reason given; its docstring would stand here"
        return FunctionTest(getattr(found, "__name__", place), reason, found)
    raise BadOption(f"{place}: expected a function or an object with is_invalid(state), found {show_value(found)}")


def ask_test(test: InvalidityTest[Any], state: Any) -> bool:
    """Ask a test that may be a user's; what it raises, and an answer that is none, becomes BrokenTest."""
    try:
        fired: object = test.is_invalid(state)
        if fired is True or fired is False:
            return fired
        if isinstance(fired, str | bytes) or inspect.isawaitable(fired) or inspect.isgenerator(fired):
            raise BrokenTest(test.name, f"expected True or False, found {show_value(fired)}", str(state))
        return bool(fired)
    except (BrokenTest, LimitReached, MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: no test ends the process
        raise BrokenTest(test.name, describe_raised(error), str(state)) from error


def describe_raised(error: BaseException) -> str:
    """Say what a user's code raised, and where, such as `KeyError: 'x' (my_tests.py, line 3)`."""
    import traceback

    text = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, SyntaxError):  # its text says where
        return text
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame.filename)]
    return f"{text} ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else text


def _is_ours(filename: str) -> bool:
    return filename.startswith((_PACKAGE, "<frozen "))


@dataclass(frozen=True, slots=True)
class TestCount:
    """Count what one test did."""

    __test__ = False  # a name pytest would otherwise collect

    calls: int = 0
    hits: int = 0
    """How often it fired."""
    seconds: float = 0.0
    """What all calls took; if not all were timed, as much as the timed ones make likely."""
    timed: int = 0
    """How many of the calls were timed."""

    def __add__(self, other: TestCount) -> TestCount:
        return TestCount(
            self.calls + other.calls, self.hits + other.hits, self.seconds + other.seconds, self.timed + other.timed
        )

    def as_json(self) -> dict[str, Any]:
        """Return the counts as they appear in an answer's stats."""
        return {"calls": self.calls, "hits": self.hits, "seconds": round(self.seconds, 9), "timed": self.timed}


class InvalidityTestCoordinator(Generic[State]):
    """Run tests in the order they were given and stop at the first that fires.

    Put the cheapest first. The list never changes after construction. Counts are kept per thread, so threads
    never wait for each other or lose a count; `counts` adds them up.
    """

    def __init__(self, tests: Iterable[InvalidityTest[State]]) -> None:
        self.tests: tuple[InvalidityTest[State], ...] = tuple(tests)
        names = [test.name for test in self.tests]
        if len(set(names)) != len(names):
            raise ValueError(f"two invalidity tests share a name: {names}")
        self._own = threading.local()
        self._lock = threading.Lock()
        self._books: list[list[list[float]]] = []

    def first_invalid(self, state: State) -> InvalidityTest[State] | None:
        """Return the first test that proves the state unsolvable, or None if none does."""
        book = self._book()
        for test, entry in zip(self.tests, book, strict=True):
            began = time.perf_counter()
            fired = test.is_invalid(state)
            entry[0] += 1
            entry[1] += fired
            entry[2] += time.perf_counter() - began
            entry[3] += 1
            if fired:
                return test
        return None

    def is_invalid(self, state: State) -> bool:
        """Tell whether any test proves the state unsolvable."""
        return self.first_invalid(state) is not None

    def record(self, name: str, count: TestCount) -> None:
        """Add counts that were taken elsewhere, such as inside a kernel, to a test's account."""
        for test, entry in zip(self.tests, self._book(), strict=True):
            if test.name == name:
                entry[0] += count.calls
                entry[1] += count.hits
                entry[2] += count.seconds
                entry[3] += count.timed
                return
        raise KeyError(f"no invalidity test named {name!r} is registered here")

    def counts(self) -> dict[str, TestCount]:
        """Return the counts of all threads together, by test name, in registered order."""
        with self._lock:
            books = list(self._books)
        total = {test.name: TestCount() for test in self.tests}
        for book in books:
            for test, (calls, hits, seconds, timed) in zip(self.tests, book, strict=True):
                total[test.name] += TestCount(int(calls), int(hits), seconds, int(timed))
        return total

    def as_json(self) -> dict[str, Any]:
        """Return the counts as they appear in an answer's stats; tests that never ran are left out."""
        return {name: count.as_json() for name, count in self.counts().items() if count.calls}

    def _book(self) -> list[list[float]]:
        book: list[list[float]] | None = getattr(self._own, "book", None)
        if book is None:
            book = [[0, 0, 0.0, 0] for _ in self.tests]
            self._own.book = book
            with self._lock:
                self._books.append(book)
        return book
