"""Work on long rows a slice at a time, with a look at the limits before each.

A single call of numpy on millions of entries cannot be stopped, and the memory it takes on the way is slow to get. So
whatever goes over all nodes or edges does so here, in slices that take some milliseconds. The functions return what
numpy's own do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.ordering_kernel import DigitSort

SLICE = 1 << 17
"""How many entries are worked on at once."""
KERNEL_STEPS = 1 << 20
"""How many entries a kernel goes over at once: some milliseconds."""
SMALL = 1 << 16
"""How many entries numpy sorts in some milliseconds."""

Row = npt.NDArray[Any]
Entry = TypeVar("Entry", bound=np.generic)
Indices = npt.NDArray[np.int64]


def slices(length: int, meter: Meter, *, width: int = 1) -> Iterable[slice]:
    """Give slices that cover a row, with a checkpoint before each; an entry counts as `width`."""
    size = max(1, SLICE // max(1, width))
    if not length:
        return ()
    if length <= size:  # most rows are short, and there are very many of them
        meter.checkpoint()
        return (slice(0, length),)
    return _many_slices(length, meter, size)


def _many_slices(length: int, meter: Meter, size: int) -> Iterator[slice]:
    for begin in range(0, length, size):
        meter.checkpoint()
        yield slice(begin, min(begin + size, length))


def run_through(run: Callable[[int], object], meter: Meter, steps: int = KERNEL_STEPS) -> None:
    """Call a kernel with a number of steps until it says that all is done, with a checkpoint before each call."""
    done: object = False
    while not done:
        meter.checkpoint()
        done = run(steps)


def full(length: int, value: Any, kind: type[Entry], meter: Meter) -> npt.NDArray[Entry]:
    """Return a row of one value."""
    row = np.empty(length, dtype=kind)
    for part in slices(length, meter):
        row[part] = value
    return row


def copy_of(row: npt.NDArray[Entry], meter: Meter) -> npt.NDArray[Entry]:
    """Return a copy of a row or table."""
    copied = np.empty(row.shape, dtype=row.dtype)
    for part in slices(len(row), meter, width=_width(row)):
        copied[part] = row[part]
    return copied


def joined(rows: Sequence[npt.NDArray[Entry]], kind: type[Entry], meter: Meter) -> npt.NDArray[Entry]:
    """Return rows one after the other."""
    whole = np.empty(sum(map(len, rows)), dtype=kind)
    begin = 0
    for row in rows:
        for part in slices(len(row), meter):
            whole[begin + part.start : begin + part.stop] = row[part]
        begin += len(row)
    return whole


def where_true(truths: npt.NDArray[np.bool_], meter: Meter) -> Indices:
    """Return where a row is true."""
    counts = [int(np.count_nonzero(truths[part])) for part in slices(len(truths), meter)]
    found = np.empty(sum(counts), dtype=np.int64)
    begin = 0
    for part, count in zip(slices(len(truths), meter), counts, strict=True):
        found[begin : begin + count] = np.flatnonzero(truths[part])
        found[begin : begin + count] += part.start
        begin += count
    return found


def running_total(counts: npt.NDArray[np.integer[Any]], meter: Meter) -> Indices:
    """Return where each piece begins if pieces of these lengths stand one after the other, and where the last ends."""
    starts = np.empty(len(counts) + 1, dtype=np.int64)
    starts[0] = 0
    for part in slices(len(counts), meter):
        np.cumsum(counts[part], out=starts[part.start + 1 : part.stop + 1])
        starts[part.start + 1 : part.stop + 1] += starts[part.start]
    return starts


def count_each(values: npt.NDArray[np.integer[Any]], length: int, meter: Meter) -> Indices:
    """Return how often each number from 0 to just below `length` stands in a row."""
    counts = np.zeros(length, dtype=np.int64)
    for part in slices(len(values), meter):
        some = values[part]
        low = int(some.min())
        found = np.bincount(some - low)
        if len(found) <= 2 * SLICE:
            counts[low : low + len(found)] += found
        else:
            np.add.at(counts, some, 1)
    return counts


def row_of(values: Sequence[float], kind: type[Entry], meter: Meter) -> npt.NDArray[Entry]:
    """Return numbers of a list or tuple as a row."""
    row = np.empty(len(values), dtype=kind)
    for part in slices(len(values), meter):
        row[part] = np.array(values[part], dtype=kind)
    return row


def as_list(row: Row, meter: Meter) -> list[Any]:
    """Return a row as a list."""
    listed: list[Any] = []
    for part in slices(len(row), meter):
        listed += row[part].tolist()
    return listed


def stable_order(values: Row, meter: Meter = UNLIMITED) -> npt.NDArray[np.int32]:
    """Return the places of the values from the smallest to the largest, equal ones as they stand.

    Values are whole numbers, or floats other than NaN. This is `np.argsort(values, kind="stable")`.
    """
    count = len(values)
    if count <= SMALL:
        meter.checkpoint()
        return np.argsort(values, kind="stable").astype(np.int32)
    keys = np.empty(count, dtype=np.uint64)
    places = np.empty(count, dtype=np.int32)
    for part in slices(count, meter):
        keys[part] = _sortable(values[part])
        places[part] = np.arange(part.start, part.stop, dtype=np.int32)
    spare = np.empty(count, dtype=np.int32)
    sort = DigitSort(keys.data, places.data, np.empty(count, dtype=np.uint64).data, spare.data)
    run_through(sort.run, meter)
    return spare if sort.is_swapped() else places


def _sortable(values: Row) -> npt.NDArray[np.uint64]:
    """Return numbers of 64 bits without a sign that are in the same order."""
    if values.dtype.kind in "ub":
        return values.astype(np.uint64)
    sign = np.uint64(1 << 63)
    if values.dtype.kind == "i":
        return values.astype(np.int64).view(np.uint64) ^ sign
    bits = (values.astype(np.float64) + 0.0).view(np.uint64)  # -0.0 becomes 0.0, which it is equal to
    return np.where(bits & sign != 0, ~bits, bits | sign)


def distinct(values: npt.NDArray[Entry], meter: Meter = UNLIMITED) -> npt.NDArray[Entry]:
    """Return the different values, sorted, as `np.unique` does without importing masked arrays, which takes 20 ms."""
    ordered = sorted_values(values, meter)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    for part in slices(max(0, len(ordered) - 1), meter):
        is_first[part.start + 1 : part.stop + 1] = ordered[part.start + 1 : part.stop + 1] != ordered[part]
    return gathered(ordered, where_true(is_first, meter), meter)


def first_of_each(values: Row, meter: Meter = UNLIMITED) -> npt.NDArray[np.int32]:
    """Return where each different value stands first, from the smallest value to the largest."""
    order = stable_order(values, meter)
    is_first = np.ones(len(order), dtype=np.bool_)
    for part in slices(max(0, len(order) - 1), meter):
        before, after = order[part], order[part.start + 1 : part.stop + 1]
        is_first[part.start + 1 : part.stop + 1] = values[after] != values[before]
    return gathered(order, where_true(is_first, meter), meter)


def sorted_values(values: npt.NDArray[Entry], meter: Meter = UNLIMITED) -> npt.NDArray[Entry]:
    """Return the values from the smallest to the largest."""
    if len(values) <= SMALL:
        return np.sort(values, axis=None)
    return gathered(values, stable_order(values, meter), meter)


def repeats(values: npt.NDArray[np.integer[Any]], meter: Meter = UNLIMITED) -> bool:
    """Tell whether a value stands in a row twice."""
    ordered = sorted_values(values, meter)
    return any(
        bool((ordered[part.start + 1 : part.stop + 1] == ordered[part]).any())
        for part in slices(max(0, len(ordered) - 1), meter)
    )


def gathered(row: npt.NDArray[Entry], places: npt.NDArray[np.integer[Any]], meter: Meter) -> npt.NDArray[Entry]:
    """Return the entries at some places."""
    found = np.empty((len(places), *row.shape[1:]), dtype=row.dtype)
    for part in slices(len(places), meter, width=_width(row)):
        found[part] = row[places[part]]
    return found


def in_pieces(items: Sequence[Any], meter: Meter, size: int = 1000) -> Iterator[list[Any]]:
    """Yield lists of a few items, with a checkpoint before each."""
    rest = iter(items)
    while piece := list(islice(rest, size)):
        meter.checkpoint()
        yield piece


def _width(row: Row) -> int:
    width = 1
    for length in row.shape[1:]:
        width *= length
    return width
