from __future__ import annotations

import mmap
import os
from collections.abc import Iterator

import pytest

from solvent.batch.workers.shared_page import SIZE, Mark, Page, make_page

MARK = Mark(began=123.5, seconds=60.0, megabytes=400.0, megabytes_before=51.25)


@pytest.fixture
def descriptor() -> Iterator[int]:
    descriptor = make_page()
    yield descriptor
    os.close(descriptor)


def test_what_one_end_writes_the_other_reads(descriptor: int) -> None:
    writer, reader = Page(descriptor), Page(descriptor)
    assert reader.read() is None
    writer.write(MARK)
    assert reader.read() == MARK
    writer.write(None)
    assert reader.read() is None
    writer.write(Mark(1.0, 2.0, 3.0, 0.0))
    assert reader.read() == Mark(1.0, 2.0, 3.0, 0.0)


def test_another_process_reads_it_too(descriptor: int) -> None:
    child = os.fork()
    if child == 0:
        Page(descriptor).write(MARK)
        os._exit(0)
    os.waitpid(child, 0)
    assert Page(descriptor).read() == MARK


def test_half_a_mark_is_none(descriptor: int) -> None:
    writer, reader = Page(descriptor), Page(descriptor)
    writer.write(MARK)
    with mmap.mmap(descriptor, SIZE) as raw:
        raw[0] += 1  # as the writer leaves it while it writes
    assert reader.read() is None
    writer.write(MARK)
    assert reader.read() == MARK


def test_a_closed_page_is_let_go(descriptor: int) -> None:
    page = Page(descriptor)
    page.close()
    with pytest.raises(ValueError, match="closed"):
        page.read()
