"""A formula in conjunctive normal form, held in flat rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from solvent.engine.arrays import SHORT, SIGNED, new_row
from solvent.engine.clauses_kernel import LiteralRow, StartRow

MAX_VARIABLES = (1 << 30) - 1
"""Two literals a variable must fit 31 bits."""

_WHOLE_NUMBERS = "bBhHiIlLqQ"


class Row(Protocol):
    """Whole numbers in a row: a list, an array, a memoryview."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: Any, /) -> Any: ...


@dataclass(frozen=True, slots=True, eq=False, init=False)
class ClauseList:
    """Hold clauses as whole numbers: variable v is the literal v, its negation -v, and variables count from 1.

    Any rows of whole numbers are accepted (arrays, memoryviews, lists) and kept as the kinds below. A literal 0, a
    literal beyond `variables` or starts that do not cut `literals` into consecutive pieces raise ValueError. The rows
    must not be changed afterwards.
    """

    literals: memoryview
    """The literals of all clauses, one clause after the other; 32 bits each."""
    starts: memoryview
    """Clause i is `literals[starts[i]:starts[i + 1]]`; 64 bits each, one entry more than there are clauses."""
    variables: int
    """How many variables there are, whether they occur or not."""

    def __init__(self, literals: Row, starts: Row, variables: int) -> None:
        variables = int(variables)
        if not 0 <= variables <= MAX_VARIABLES:
            raise ValueError(f"expected 0 to {MAX_VARIABLES} variables, found {variables}")
        object.__setattr__(self, "variables", variables)
        object.__setattr__(self, "literals", _literal_row(literals, variables))
        object.__setattr__(self, "starts", _start_row(starts, len(self.literals)))

    @classmethod
    def of(cls, clauses: Iterable[Sequence[int]], *, variables: int | None = None) -> ClauseList:
        """Gather clauses given one by one; without `variables`, the largest one that occurs is the last."""
        literals, starts = array(SIGNED), array(SIGNED, [0])  # not lists: there may be millions
        for clause in clauses:
            literals.extend(clause)
            starts.append(len(literals))
        if variables is None:
            variables = max(max(literals), -min(literals)) if literals else 0
        return cls(literals, starts, variables)

    def __len__(self) -> int:
        """Return the number of clauses."""
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[int]]:
        """Yield each clause as a list of literals."""
        return self.between(0, len(self))

    def between(self, first: int, end: int) -> Iterator[list[int]]:
        """Yield the clauses from number `first` to just before `end`, one at a time: there may be millions."""
        starts = self.starts[first : end + 1].tolist()
        begin = starts[0]
        literals = self.literals[begin : starts[-1]].tolist()
        if begin != 0:
            starts = [start - begin for start in starts]
        for left, right in pairwise(starts):
            yield literals[left:right]

    def __repr__(self) -> str:
        return f"<ClauseList: {len(self)} clauses, {self.variables} variables>"


def _row(values: Row, name: str) -> memoryview:
    """Return whole numbers as a row, in 32 bits if they came that way, else in 64."""
    try:
        row = memoryview(values)  # type: ignore[arg-type]
    except TypeError:  # not memory: a list or the like
        try:
            return memoryview(array("q", list(values)))  # type: ignore[call-overload]
        except (TypeError, OverflowError):
            raise ValueError(f"expected {name} as one row of whole numbers, found {values!r:.80}") from None
    if row.ndim != 1 or (row.format not in _WHOLE_NUMBERS and row.nbytes > 0):
        raise ValueError(f"expected {name} as one row of whole numbers, found shape {row.shape} of {row.format!r}")
    if row.nbytes == 0:
        return memoryview(array(SIGNED))
    if row.format in "ilq" and row.itemsize in (4, 8) and row.c_contiguous and not row.readonly:
        return row  # kernels take memory that may be written to, though they do not write
    try:
        return memoryview(array(SIGNED, row.tolist()))
    except OverflowError:
        raise ValueError(f"expected {name} of 64 bits, found {max(row.tolist())}") from None


def _literal_row(values: Row, variables: int) -> memoryview:
    row = _row(values, "literals")
    if len(row) == 0:
        return memoryview(array(SHORT))
    if row.itemsize == 4:
        literals, bad = row, LiteralRow(row).first_bad(variables)
    else:
        literals = new_row(len(row), SHORT)
        bad = LiteralRow(literals).take_from(row, variables)
    if bad >= 0:
        raise ValueError(
            f"expected literals from 1 to {variables} or their negations, found {row[bad]} at literals[{bad}]"
        )
    return literals


def _start_row(values: Row, end: int) -> memoryview:
    row = _row(values, "starts")
    if row.itemsize != 8:
        row = memoryview(array(SIGNED, row.tolist()))
    if len(row) == 0 or row[0] != 0 or row[-1] != end:
        raise ValueError(f"expected starts to run from 0 to {end}, found {row[:1].tolist()} to {row[-1:].tolist()}")
    falling = StartRow(row).first_falling()
    if falling >= 0:
        raise ValueError(f"expected starts that never fall, found {row[falling]} at starts[{falling}]")
    return row
