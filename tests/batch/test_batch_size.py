"""How many tasks travel together."""

from __future__ import annotations

from collections import deque

from solvent.batch.batch_size import (
    FIRST_SOURCES,
    LEAST_SECONDS,
    MAX_SOURCES,
    MAX_TASKS,
    SECONDS_OF_READING,
    SHARE_OF_OVERHEAD,
    BatchSizer,
    ReadSizer,
)
from solvent.batch.records import Instance, Task


def task(number: int, *, size: int = 36, question: str = "solvable") -> Task:
    instance = Instance(hash=str(number), domain="lamps", size=size, packed=b"")
    return Task(f"key{number}", instance, question, f"lamp{number}", "1")


def queue(count: int, **facts: object) -> deque[Task]:
    return deque(task(number, **facts) for number in range(count))


def test_a_kind_nobody_measured_travels_alone():
    sizing = BatchSizer(0.0005)
    waiting = queue(10)
    assert sizing.take_batch(waiting) == (task(0),)
    assert len(waiting) == 9


def test_a_batch_holds_as_much_work_as_aimed_for():
    sizing = BatchSizer(0.0005)
    sizing.learn(task(0), LEAST_SECONDS / 10)
    assert len(sizing.take_batch(queue(100))) == 10
    assert len(sizing.take_batch(queue(100, size=1000))) == 1
    assert len(sizing.take_batch(queue(100, question="unique"))) == 1


def test_dear_sending_makes_larger_batches():
    sizing = BatchSizer(0.02)
    assert sizing.target_seconds == 0.02 / SHARE_OF_OVERHEAD
    sizing.learn(task(0), 0.0101)
    assert len(sizing.take_batch(queue(1000))) == 99


def test_a_batch_never_takes_more_than_its_share_nor_without_bound():
    sizing = BatchSizer(0.0005)
    sizing.learn(task(0), 1e-9)
    assert len(sizing.take_batch(queue(40), share=4)) == 10
    assert len(sizing.take_batch(queue(3), share=4)) == 1
    assert len(sizing.take_batch(queue(10 * MAX_TASKS))) == MAX_TASKS


def test_the_mean_follows_what_is_measured():
    sizing = BatchSizer(0.0005)
    sizing.learn(task(0), 0.001)
    for _ in range(200):
        sizing.learn(task(0), 1.0)
    assert 0.9 < sizing.expected_seconds(task(1)) <= 1.0


def test_sources_are_read_together_as_far_as_that_takes_a_moment():
    sizing = ReadSizer()
    assert sizing.sources == FIRST_SOURCES
    sizing.learn([SECONDS_OF_READING / 10] * 3)
    assert sizing.sources == 10
    for _ in range(20):
        sizing.learn([0.0] * 50)
    assert sizing.sources == MAX_SOURCES
    for _ in range(20):
        sizing.learn([5 * SECONDS_OF_READING])
    assert sizing.sources == 1
