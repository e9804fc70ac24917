"""A formula in conjunctive normal form, held in flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_VARIABLES = (1 << 30) - 1
"""Two literals a variable must fit 31 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseList:
    """Hold clauses as whole numbers: variable v is the literal v, its negation -v, and variables count from 1.

    Any integer arrays are accepted and stored as the types below. A literal 0, a literal beyond `variables` or starts
    that do not cut `literals` into consecutive pieces raise ValueError. The arrays must not be changed afterwards.
    """

    literals: npt.NDArray[np.int32]
    """The literals of all clauses, one clause after the other."""
    starts: npt.NDArray[np.int64]
    """Clause i is `literals[starts[i]:starts[i + 1]]`; one entry more than there are clauses."""
    variables: int
    """How many variables there are, whether they occur or not."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", int(self.variables))
        if not 0 <= self.variables <= MOST_VARIABLES:
            raise ValueError(f"expected 0 to {MOST_VARIABLES} variables, found {self.variables}")
        literals = _whole_numbers(self.literals, "literals")
        starts = _whole_numbers(self.starts, "starts")
        _reject_bad_literals(literals, self.variables)
        _reject_bad_starts(starts, len(literals))
        object.__setattr__(self, "literals", np.ascontiguousarray(literals, dtype=np.int32))
        object.__setattr__(self, "starts", np.ascontiguousarray(starts, dtype=np.int64))

    @classmethod
    def of(cls, clauses: Iterable[Sequence[int]], *, variables: int | None = None) -> ClauseList:
        """Gather clauses given one by one; without `variables`, the largest one that occurs is the last."""
        gathered, ends = array("q"), array("q", [0])  # not lists: there may be millions
        for clause in clauses:
            gathered.extend(clause)
            ends.append(len(gathered))
        literals = np.array(gathered, dtype=np.int64)
        if variables is None:
            variables = max(int(literals.max()), -int(literals.min())) if len(literals) else 0
        return cls(literals, np.array(ends), variables)  # type: ignore[arg-type]  # made int32 once it is known to fit

    def __len__(self) -> int:
        """Return the number of clauses."""
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[int]]:
        """Yield each clause as a list of literals."""
        literals, starts = self.literals.tolist(), self.starts.tolist()
        for begin, end in pairwise(starts):
            yield literals[begin:end]

    def __repr__(self) -> str:
        return f"<ClauseList: {len(self)} clauses, {self.variables} variables>"


def _whole_numbers(values: Any, name: str) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise ValueError(f"expected {name} as one row of whole numbers, found shape {array.shape} of {array.dtype}")
    return array


def _reject_bad_literals(literals: npt.NDArray[Any], variables: int) -> None:
    if len(literals) == 0:
        return
    bad = (literals == 0) | (literals > variables) | (literals < -variables)
    if bad.any():
        place = int(np.argmax(bad))
        raise ValueError(
            f"expected literals from 1 to {variables} or their negations, found {literals[place]} at literals[{place}]"
        )


def _reject_bad_starts(starts: npt.NDArray[Any], end: int) -> None:
    if len(starts) == 0 or starts[0] != 0 or starts[-1] != end:
        raise ValueError(
            f"expected starts to run from 0 to {end}, found {starts[:1].tolist()} to {starts[-1:].tolist()}"
        )
    falling = starts[1:] < starts[:-1]
    if falling.any():
        place = int(np.argmax(falling)) + 1
        raise ValueError(f"expected starts that never fall, found {starts[place]} at starts[{place}]")
