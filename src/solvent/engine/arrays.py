"""Rows and tables of numbers for kernels, without numpy: flat memory that C and Python both see.

Each function returns a `memoryview` over memory of its own, filled with zeros. A kernel's typed field takes it as it
is; uncompiled, the same object is indexed by Python, which checks every index and every value it is given. A row or
table that is asked for without entries has one, since Python cannot shape memory that is not there; kernels keep their
own counts.

Large memory comes from the system page by page, as it is touched: clearing a gigabyte beforehand would take a second in
which nothing can be stopped, for memory that may never be needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

SIGNED, UNSIGNED, SHORT, TINY, FRACTION = "q", "Q", "i", "b", "d"
"""The kinds of number: 64 bits with and without a sign, 32 bits, 8 bits, and a float of 64 bits."""

LARGE_BYTES = 1 << 20
"""From this size on, memory comes from the system."""

_BYTES = {SIGNED: 8, UNSIGNED: 8, SHORT: 4, TINY: 1, FRACTION: 8}


def new_row(length: int, kind: str = SIGNED) -> memoryview:
    """Make a row of zeros."""
    return _zeros(_BYTES[kind] * max(1, length)).cast(kind)  # type: ignore[call-overload,no-any-return]


def new_table(rows: int, columns: int, kind: str = SIGNED) -> memoryview:
    """Make a table of zeros, indexed `table[row, column]`."""
    shape = (max(1, rows), max(1, columns))
    memory = _zeros(_BYTES[kind] * shape[0] * shape[1])
    return memory.cast(kind, shape)  # type: ignore[call-overload,no-any-return]


def _zeros(size: int) -> memoryview:
    if size < LARGE_BYTES:
        return memoryview(bytearray(size))
    import mmap

    try:
        if hasattr(mmap, "MAP_PRIVATE"):
            memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        else:
            memory = mmap.mmap(-1, size)
    except (OSError, OverflowError):
        raise MemoryError(f"the machine has no {size / 1e6:,.0f} MB more") from None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a kernel without large pages does it page by page
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)


def row_of(numbers: Iterable[int] | Iterable[float], kind: str = SIGNED) -> memoryview:
    """Make a row that holds these numbers."""
    from array import array

    held = array(kind, numbers)
    return memoryview(held) if held else new_row(1, kind)


def longer_row(row: memoryview, length: int) -> memoryview:
    """Return a row of this length that begins with what the other holds and goes on with zeros."""
    longer = new_row(length, row.format)
    longer[: len(row)] = row
    return longer


def longer_table(table: memoryview, rows: int) -> memoryview:
    """Return a table of so many rows that begins with those of the other and goes on with zeros."""
    assert table.shape is not None
    columns = table.shape[1]
    longer = new_table(rows, columns, table.format)
    longer.cast("B")[: table.nbytes] = table.cast("B")
    return longer
