"""Sources that come slowly: nobody waits for them, none is lost, and nobody runs far ahead."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from helpers.processes import looking
from solvent.batch.records import Source
from solvent.batch.sources import nonblocking
from solvent.batch.sources.nonblocking import without_waiting


def sources(count: int) -> list[Source]:
    return [Source(number, f"level{number}", text="a text") for number in range(count)]


def test_all_come_in_order() -> None:
    given = sources(1_000)
    assert [source for source in without_waiting(given) if source is not None] == given


def test_there_may_be_none() -> None:
    assert list(without_waiting([])) == []


def test_what_is_not_there_yet_is_not_waited_for() -> None:
    first, second = sources(2)
    go_on = threading.Event()

    def slowly() -> Iterator[Source]:
        yield first
        go_on.wait()
        yield second

    found = without_waiting(slowly())
    try:
        assert next(source for source in found if source is not None) is first
        assert next(found) is None
        assert next(found) is None
    finally:
        go_on.set()
    assert [source for source in found if source is not None] == [second]


def test_what_goes_wrong_with_finding_them_is_raised_after_those_that_were_found() -> None:
    given = sources(3)

    def broken() -> Iterator[Source]:
        yield from given
        raise OSError("the disk is gone")

    found = (source for source in without_waiting(broken()) if source is not None)
    assert [next(found) for _ in given] == given
    with pytest.raises(OSError, match="the disk is gone"):
        next(found)


def test_it_runs_only_so_far_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nonblocking, "SOURCES_AHEAD", 10)
    drawn = [0]

    def endless() -> Iterator[Source]:
        while True:
            drawn[0] += 1
            yield Source(drawn[0], "level", text="a text")

    found = without_waiting(endless())
    assert next(source for source in found if source is not None).number == 1
    for _ in looking():
        if drawn[0] == 12:  # one taken, ten waiting, one in hand
            break
    for _ in range(5):
        next(found)
    assert drawn[0] <= 17


def test_the_thread_does_not_keep_the_process_alive() -> None:
    go_on = threading.Event()

    def never() -> Iterator[Source]:
        go_on.wait()
        yield from sources(1)

    assert next(without_waiting(never())) is None
    drawing = [thread for thread in threading.enumerate() if thread.name == "solvent-sources"]
    go_on.set()
    assert drawing
    assert all(thread.daemon for thread in drawing)


def test_the_thread_ends_when_nobody_takes_the_rest() -> None:
    before = set(threading.enumerate())  # one of an earlier test may still be ending
    found = without_waiting(sources(10 * nonblocking.SOURCES_AHEAD))
    assert next(source for source in found if source is not None)
    (thread,) = (
        thread for thread in threading.enumerate() if thread.name == "solvent-sources" and thread not in before
    )
    found.close()
    thread.join(30)
    assert not thread.is_alive()
