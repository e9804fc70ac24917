"""The kernel that reads DRUP text. `drup` says what that is."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, new_row
from solvent.proof.rup_kernel import ADD, DELETE

FINE, NOT_A_LITERAL, OUT_OF_RANGE, NO_ZERO, AFTER_ZERO = 0, 1, 2, 3, 4
"""What `read` ends with: all is read, or what is wrong with the line it came to."""

_FINE = cython.declare(cython.longlong, FINE)
_NOT_A_LITERAL = cython.declare(cython.longlong, NOT_A_LITERAL)
_OUT_OF_RANGE = cython.declare(cython.longlong, OUT_OF_RANGE)
_NO_ZERO = cython.declare(cython.longlong, NO_ZERO)
_AFTER_ZERO = cython.declare(cython.longlong, AFTER_ZERO)

_ADD = cython.declare(cython.longlong, ADD)
_DELETE = cython.declare(cython.longlong, DELETE)

_TAB = cython.declare(cython.longlong, 9)
_NEWLINE = cython.declare(cython.longlong, 10)
_RETURN = cython.declare(cython.longlong, 13)
_SPACE = cython.declare(cython.longlong, 32)
_MINUS = cython.declare(cython.longlong, 45)
_NOUGHT = cython.declare(cython.longlong, 48)
_NINE = cython.declare(cython.longlong, 57)
_COMMENT = cython.declare(cython.longlong, 99)
_DELETION = cython.declare(cython.longlong, 100)


@cython.final
@cython.cclass
class DrupReader:
    """Read the lines of a text into the rows of a proof, up to the one that adds the empty clause."""

    letters: cython.uchar[::1]
    """The text, with a newline at its end."""
    size: cython.longlong
    """How many letters there are before that newline."""
    place: cython.longlong
    """The next letter."""
    variables: cython.longlong
    """Literals may be 1 to this, or negated."""
    literals: cython.int[::1]
    """The literals of all steps so far."""
    filled = cython.declare(cython.longlong, visibility="readonly")
    """How many literals there are."""
    starts: cython.longlong[::1]
    """Where the literals of each step begin, and where the last one's end."""
    kinds: cython.schar[::1]
    """ADD or DELETE for each step."""
    lines: cython.longlong[::1]
    """The line each step stands on."""
    steps = cython.declare(cython.longlong, visibility="readonly")
    """How many steps there are."""
    line = cython.declare(cython.longlong, visibility="readonly")
    """The line reached, counted from 1."""

    def __init__(self, letters: bytearray, variables: int) -> None:
        steps = letters.count(b"\n") + 1
        self.size = len(letters)
        self.letters = letters + b"\n"
        self.place = 0
        self.variables = variables
        self.literals = new_row(len(letters) // 2 + 1, SHORT)
        self.filled = 0
        self.starts = new_row(steps + 1)
        self.kinds = new_row(steps, TINY)
        self.lines = new_row(steps)
        self.steps = 0
        self.line = 0

    def read(self) -> int:
        """Read everything; returns one of the statuses above. One call: a proof of 10 MB takes some 30 ms."""
        status: cython.longlong
        with cython.nogil:
            status = self._read_lines()
        return status

    def rows(self) -> tuple[memoryview, memoryview, memoryview, memoryview]:
        """Return literals, starts, kinds and lines of the steps that were read."""
        return (
            memoryview(self.literals)[: self.filled],
            memoryview(self.starts)[: self.steps + 1],
            memoryview(self.kinds)[: self.steps],
            memoryview(self.lines)[: self.steps],
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read_lines(self) -> cython.longlong:
        while self.place < self.size:
            self.line += 1
            self._skip_blanks()
            if self.letters[self.place] == _COMMENT:
                while self.letters[self.place] != _NEWLINE:
                    self.place += 1
            if self.letters[self.place] == _NEWLINE:
                self.place += 1
                continue
            kind = _ADD
            if self.letters[self.place] == _DELETION:
                kind = _DELETE
                self.place += 1
                if not _ends_word(self.letters[self.place]):
                    return _NOT_A_LITERAL
            status = self._read_clause()
            if status != _FINE:
                return status
            self.place += 1
            self.kinds[self.steps] = kind
            self.lines[self.steps] = self.line
            self.steps += 1
            self.starts[self.steps] = self.filled
            if kind == _ADD and self.starts[self.steps - 1] == self.filled:
                break
        return _FINE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read_clause(self) -> cython.longlong:
        """Read literals up to the end of the line; the last must be 0."""
        ended: cython.bint = False
        letter: cython.longlong
        while True:
            self._skip_blanks()
            place = self.place
            letter = self.letters[place]
            if letter == _NEWLINE:
                return _FINE if ended else _NO_ZERO
            if ended:
                return _AFTER_ZERO
            negative: cython.bint = letter == _MINUS
            if negative:
                place += 1
                letter = self.letters[place]
            value: cython.longlong = 0
            first = place
            while _NOUGHT <= letter <= _NINE:
                if value <= self.variables:  # beyond that it is out of range, and must not overflow
                    value = value * 10 + (letter - _NOUGHT)
                place += 1
                letter = self.letters[place]
            if place == first or not _ends_word(letter):
                return _NOT_A_LITERAL
            self.place = place
            if value > self.variables:
                return _OUT_OF_RANGE
            if value == 0:
                if negative:
                    return _NOT_A_LITERAL
                ended = True
            else:
                self.literals[self.filled] = -value if negative else value
                self.filled += 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _skip_blanks(self) -> cython.void:
        while _is_blank(self.letters[self.place]):
            self.place += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _is_blank(letter: cython.longlong) -> cython.bint:
    return letter == _SPACE or letter == _TAB or letter == _RETURN


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _ends_word(letter: cython.longlong) -> cython.bint:
    return _is_blank(letter) or letter == _NEWLINE
