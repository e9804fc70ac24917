"""Read a clausal refutation written as DRUP text.

Each line is a clause to add (`1 -2 0`) or to delete (`d 1 -2 0`); lines that begin with `c` are comments, empty ones
are skipped. The first line that adds the empty clause (`0`) ends the proof, and nothing after it is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.errors import ParseError
from solvent.engine.jit.kernel import kernel

ADD, DELETE = 1, 2
"""What a step does; the kernel that follows proofs goes by the same numbers."""

_FINE, _NOT_A_LITERAL, _OUT_OF_RANGE, _NO_ZERO, _AFTER_ZERO = range(5)
_NEWLINE, _MINUS, _NOUGHT, _NINE, _COMMENT, _DELETION = (ord(letter) for letter in "\n-09cd")
_SPACE, _TAB, _RETURN = (ord(letter) for letter in " \t\r")


@dataclass(frozen=True, slots=True, eq=False)
class DrupProof:
    """Hold the steps of a proof in flat arrays."""

    literals: npt.NDArray[np.int32]
    """The literals of all steps, one step after the other."""
    starts: npt.NDArray[np.int64]
    """Step i is `literals[starts[i]:starts[i + 1]]`; one entry more than there are steps."""
    kinds: npt.NDArray[np.int8]
    """ADD or DELETE for each step."""
    lines: npt.NDArray[np.int64]
    """The line of the text each step stands on, counted from 1."""


def parse_drup(text: str, variables: int) -> DrupProof:
    """Read a proof over the given number of variables; raises ParseError at the first line that is not DRUP."""
    # Whatever is not ASCII becomes a question mark, which no line may hold outside comments.
    letters = np.frombuffer(text.encode("ascii", errors="replace"), dtype=np.uint8)
    most_steps = int(np.count_nonzero(letters == _NEWLINE)) + 1
    literals = np.empty(len(letters) // 2 + 1, dtype=np.int32)
    starts = np.zeros(most_steps + 1, dtype=np.int64)
    kinds = np.empty(most_steps, dtype=np.int8)
    lines = np.empty(most_steps, dtype=np.int64)
    status, steps, line = _read_steps(letters, variables, literals, starts, kinds, lines)
    if status != _FINE:
        expected = {
            _NOT_A_LITERAL: "a clause of whole numbers that ends with 0",
            _OUT_OF_RANGE: f"literals of the {variables} variables there are",
            _NO_ZERO: "a clause that ends with 0",
            _AFTER_ZERO: "nothing after the 0 that ends a clause",
        }[int(status)]
        raise ParseError(expected, text.split("\n", int(line))[int(line) - 1], line=int(line))
    return DrupProof(literals[: starts[steps]], starts[: steps + 1], kinds[:steps], lines[:steps])


@kernel
def _read_steps(letters: Any, variables: Any, literals: Any, starts: Any, kinds: Any, lines: Any) -> Any:
    """Read all lines of `letters` (uint8, shape (n,)) into the arrays of a DrupProof, which are large enough.

    Returns the status, the number of steps and the line reached. Reading a proof of 10 MB takes some 30 ms, so this is
    one call.
    """
    size = len(letters)
    place, line, steps, filled = 0, 0, 0, 0
    while place < size:
        line += 1
        while place < size and _is_blank(letters[place]):
            place += 1
        if place < size and letters[place] == _COMMENT:
            while place < size and letters[place] != _NEWLINE:
                place += 1
        if place >= size or letters[place] == _NEWLINE:
            place += 1
            continue
        kind = ADD
        if letters[place] == _DELETION:
            kind = DELETE
            place += 1
            if place < size and letters[place] != _NEWLINE and not _is_blank(letters[place]):
                return _NOT_A_LITERAL, steps, line
        ended = False
        while True:
            while place < size and _is_blank(letters[place]):
                place += 1
            if place >= size or letters[place] == _NEWLINE:
                break
            if ended:
                return _AFTER_ZERO, steps, line
            negative = letters[place] == _MINUS
            if negative:
                place += 1
            value, digits = np.int64(0), 0
            while place < size and _NOUGHT <= letters[place] <= _NINE:
                if value <= variables:  # beyond that it is out of range, and must not overflow
                    value = value * 10 + (np.int64(letters[place]) - _NOUGHT)
                digits += 1
                place += 1
            if digits == 0 or not (place >= size or letters[place] == _NEWLINE or _is_blank(letters[place])):
                return _NOT_A_LITERAL, steps, line
            if value > variables:
                return _OUT_OF_RANGE, steps, line
            if value == 0:
                if negative:
                    return _NOT_A_LITERAL, steps, line
                ended = True
            else:
                literals[filled] = -value if negative else value
                filled += 1
        if not ended:
            return _NO_ZERO, steps, line
        place += 1
        kinds[steps], lines[steps] = kind, line
        steps += 1
        starts[steps] = filled
        if kind == ADD and starts[steps - 1] == filled:
            break
    return _FINE, steps, line


@kernel
def _is_blank(letter: Any) -> Any:
    return letter in (_SPACE, _TAB, _RETURN)
