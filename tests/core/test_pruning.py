from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.core.pruning import InvalidityTestCoordinator, TestCount


@dataclass
class Multiple:
    """Fires on multiples of a number, and notes whom it was asked about."""

    name: str
    of: int
    reason: str = "for the test"
    seen: list[int] = field(default_factory=list)

    def is_invalid(self, state: int, /) -> bool:
        self.seen.append(state)
        return state % self.of == 0


def test_tests_run_in_registered_order_and_stop_at_the_first_that_fires():
    even, third, fifth = Multiple("even", 2), Multiple("third", 3), Multiple("fifth", 5)
    coordinator = InvalidityTestCoordinator([even, third, fifth])
    assert coordinator.first_invalid(6) is even
    assert coordinator.first_invalid(9) is third
    assert coordinator.first_invalid(7) is None
    assert (even.seen, third.seen, fifth.seen) == ([6, 9, 7], [9, 7], [7])


def test_is_invalid_says_whether_any_fires():
    coordinator = InvalidityTestCoordinator([Multiple("even", 2)])
    assert coordinator.is_invalid(4)
    assert not coordinator.is_invalid(5)
    assert not InvalidityTestCoordinator[int]([]).is_invalid(4)


def test_calls_and_hits_are_counted_by_name_in_registered_order():
    coordinator = InvalidityTestCoordinator([Multiple("third", 3), Multiple("even", 2)])
    for state in range(1, 13):
        coordinator.is_invalid(state)
    counts = coordinator.counts()
    assert list(counts) == ["third", "even"]
    assert (counts["third"].calls, counts["third"].hits) == (12, 4)
    assert (counts["even"].calls, counts["even"].hits) == (8, 4)
    assert counts["third"].seconds >= 0


@given(st.lists(st.integers(1, 100)))
def test_counts_add_up_whatever_the_states(states: list[int]):
    coordinator = InvalidityTestCoordinator([Multiple("even", 2), Multiple("third", 3)])
    fired = sum(coordinator.is_invalid(state) for state in states)
    counts = coordinator.counts()
    assert counts["even"].calls == len(states)
    assert counts["third"].calls == len(states) - counts["even"].hits
    assert counts["even"].hits + counts["third"].hits == fired


def test_counts_from_elsewhere_are_added():
    coordinator = InvalidityTestCoordinator([Multiple("even", 2), Multiple("third", 3)])
    coordinator.is_invalid(2)
    coordinator.record("third", TestCount(calls=100, hits=10, seconds=1.5))
    coordinator.record("third", TestCount(calls=1))
    assert coordinator.counts()["third"] == TestCount(101, 10, 1.5)
    assert coordinator.counts()["even"].calls == 1
    with pytest.raises(KeyError, match="riddle"):
        coordinator.record("riddle", TestCount(calls=1))


def test_stats_leave_out_what_never_ran():
    coordinator = InvalidityTestCoordinator([Multiple("even", 2), Multiple("third", 3)])
    coordinator.is_invalid(2)
    assert list(coordinator.as_json()) == ["even"]
    assert {key: coordinator.as_json()["even"][key] for key in ("calls", "hits")} == {"calls": 1, "hits": 1}


def test_two_tests_must_not_share_a_name():
    with pytest.raises(ValueError, match="share a name"):
        InvalidityTestCoordinator([Multiple("even", 2), Multiple("even", 4)])


def test_eight_threads_lose_no_count():
    rounds = 2000
    coordinator = InvalidityTestCoordinator([Multiple("even", 2), Multiple("third", 3)])
    barrier = threading.Barrier(8)

    def hammer() -> None:
        barrier.wait()
        for state in range(rounds):
            coordinator.is_invalid(state)
            coordinator.record("third", TestCount(calls=1))

    threads = [threading.Thread(target=hammer) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = coordinator.counts()
    assert (counts["even"].calls, counts["even"].hits) == (8 * rounds, 8 * rounds // 2)
    assert counts["third"].calls == 8 * (rounds // 2 + rounds)


def test_counts_survive_the_thread_that_made_them():
    coordinator = InvalidityTestCoordinator([Multiple("even", 2)])
    thread = threading.Thread(target=coordinator.is_invalid, args=(4,))
    thread.start()
    thread.join()
    assert coordinator.counts()["even"].hits == 1


def test_counts_are_plain_sums():
    assert TestCount(1, 2, 0.5) + TestCount(10, 20, 0.25) == TestCount(11, 22, 0.75)
    assert TestCount(3, 1, 0.12345678).as_json() == {"calls": 3, "hits": 1, "seconds": 0.12345678, "timed": 0}
