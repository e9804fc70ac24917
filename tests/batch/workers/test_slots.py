from __future__ import annotations

import pytest

from solvent.batch.workers import slots
from solvent.batch.workers.slots import Clock


class Time:
    """A clock that a test winds by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(slots, "time", time)
    return time


def test_the_clock_counts_what_it_sees(time: Time) -> None:
    clock = Clock()
    for _ in range(20):
        time.now += 0.25
        clock.look()
    assert clock.since(100.0) == 5.0
    assert clock.since(102.0) == 3.0


def test_time_during_which_nobody_could_look_does_not_count(time: Time) -> None:
    clock = Clock()
    time.now += 0.5
    clock.look()
    time.now += 3600
    clock.look()
    time.now += 0.5
    clock.look()
    assert clock.since(100.0) == 1.0
    assert clock.since(100.5) == 0.5
    began_afterwards = 3700.5
    assert clock.since(began_afterwards) == 0.5
