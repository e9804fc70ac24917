"""A user's own invalidity tests in a search: which domain takes them, and the trial each has to stand first.

A trial only goes through small instances, so what it lets pass may still be wrong. No answer rests on that: a domain
that takes such tests proves its NO without them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from solvent.core.budget import Meter
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, UnsoundTest
from solvent.core.events import Event, Kind, Listener
from solvent.core.options import resolve_options
from solvent.core.pruning import FunctionTest, InvalidityTest, as_test, ask_test
from solvent.core.trial import Trial

CALLS_BETWEEN_LOOKS = 32
"""Calls of a test on trial before the budget is looked at again."""
_passed: deque[tuple[str, object]] = deque(maxlen=100)
"""The domain and the test of the last trials that found no counterexample, so that many questions need one trial."""


def accept_tests(domain: Domain[Any], tests: Sequence[object]) -> tuple[InvalidityTest[Any], ...]:
    """Return what a user gave as invalidity tests, or raise BadOption."""
    if domain.audit is None or not domain.audit.joins_search:
        raise BadOption(f"{domain.name} takes no invalidity tests of your own")
    accepted = tuple(as_test(test, f"test {number}") for number, test in enumerate(tests, start=1))
    names = [test.name for test in accepted]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"two tests are called {name}; give each a name of its own")
    return accepted


def require_sound(domain: Domain[Any], tests: Sequence[InvalidityTest[Any]], meter: Meter, listen: Listener) -> None:
    """Raise UnsoundTest, with the counterexample, if a test fires on a small instance that can be solved.

    Looks for one within the bounds of `solvent audit`, once for each test.
    """
    assert domain.audit is not None
    for test in tests:
        written = test.function if isinstance(test, FunctionTest) else test
        if any(name == domain.name and known is written for name, known in _passed):
            continue
        listen(Event(Kind.STAGE, f"trying {test.name} on small instances"))
        trial = Trial(_Metered(test, meter), strength=False, listen=listen)
        for scope in domain.audit.run(trial, resolve_options(domain.audit.options, {})):
            if scope.first_counterexample is not None:
                raise UnsoundTest(test.name, scope.label, scope.first_counterexample)
        _passed.append((domain.name, written))


class _Metered:
    """Ask a test, and end the trial where the budget does."""

    def __init__(self, test: InvalidityTest[Any], meter: Meter) -> None:
        self.name, self.reason = test.name, test.reason
        self._test, self._meter = test, meter
        self._calls = 0

    def is_invalid(self, state: Any, /) -> bool:
        """Ask the test."""
        self._calls += 1
        if self._calls % CALLS_BETWEEN_LOOKS == 0:
            self._meter.checkpoint()
        return ask_test(self._test, state)
