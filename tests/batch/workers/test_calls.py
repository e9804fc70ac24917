"""What waits for workers is handed out: own work first, the oldest first, and nothing left while a worker is idle."""

import threading

from solvent.batch.workers.calls import Call, Calls
from solvent.batch.workers.jobs import Job


def call(label: str, worker: int | None = None) -> Call:
    return Call(Job(label), print, (), None, worker)


def taken(calls: Calls, *workers: int) -> list[str | None]:
    found = [calls.take(worker) for worker in workers]
    return [None if each is None else each.job.label for each in found]


def test_the_oldest_goes_first_where_all_workers_are_alike() -> None:
    calls = Calls()
    for label in "abc":
        calls.put(call(label))
    assert taken(calls, 1, 0, 1) == ["a", "b", "c"]


def test_a_worker_takes_its_own_first_and_then_what_is_meant_for_others() -> None:
    calls = Calls()
    for label, worker in (("a", 0), ("b", 1), ("c", None), ("d", 1), ("e", 0)):
        calls.put(call(label, worker))
    assert taken(calls, 1, 1, 1, 1, 1) == ["b", "c", "d", "a", "e"]


def test_what_waits_is_handed_out_after_closing_and_then_every_worker_is_let_go() -> None:
    calls = Calls()
    calls.put(call("a", 0))
    calls.close()
    assert taken(calls, 1, 0, 1) == ["a", None, None]


def test_closing_wakes_all_who_wait() -> None:
    calls = Calls()
    found: list[Call | None] = []
    threads = [threading.Thread(target=lambda number=number: found.append(calls.take(number))) for number in range(3)]
    for thread in threads:
        thread.start()
    calls.close()
    for thread in threads:
        thread.join(10)
    assert found == [None] * 3


def test_taking_all_leaves_nothing() -> None:
    calls = Calls()
    for label in "ab":
        calls.put(call(label, 1))
    assert [each.job.label for each in calls.take_all()] == ["a", "b"]
    calls.close()
    assert taken(calls, 1) == [None]
