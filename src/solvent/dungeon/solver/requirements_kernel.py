"""Look whether requirements hold in a packed state.

A requirement is a few steps, each part before what joins it. A step puts what it finds on a stack, or joins the two on
top. Numbers of things are added up one word at a time before they are compared.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

import cython

from solvent.engine.arrays import SHORT, UNSIGNED, row_of

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.state_kernel import PackedState
    from solvent.engine.bits import popcount

CONSTANT, EQUALS, AT_LEAST, ADD, ENOUGH, INVERT, BOTH, EITHER = range(8)
"""What a step does. CONSTANT: put `value`. EQUALS: whether the bits of `mask` are those of `value`. AT_LEAST: whether
the number in `mask` is. ADD: count each bit of `mask` as `value`. ENOUGH: whether the count is; it begins again at 0.
INVERT, BOTH and EITHER take from the stack what they join."""

_CONSTANT = cython.declare(cython.longlong, CONSTANT)
_EQUALS = cython.declare(cython.longlong, EQUALS)
_AT_LEAST = cython.declare(cython.longlong, AT_LEAST)
_ADD = cython.declare(cython.longlong, ADD)
_ENOUGH = cython.declare(cython.longlong, ENOUGH)
_INVERT = cython.declare(cython.longlong, INVERT)
_BOTH = cython.declare(cython.longlong, BOTH)


@cython.final
@cython.cclass
class Programs:
    """Hold requirements as steps. The fields are described in `requirements_kernel.pxd`."""

    def __init__(self, programs: Sequence[Sequence[tuple[int, int, int, int, int]]]) -> None:
        """Take over the steps of each requirement: what it does, word, mask, shift and value."""
        steps = [step for program in programs for step in program]
        firsts = [0]
        deepest = 1
        end = 0
        for program in programs:
            end += len(program)
            firsts.append(end)
            depth = 0
            for step in program:
                depth += {ADD: 0, INVERT: 0, BOTH: -1, EITHER: -1}.get(step[0], 1)
                deepest = max(deepest, depth)
        self.count = len(programs)
        self.first = row_of(firsts, SHORT)
        self.kind = bytearray(step[0] for step in steps) or bytearray(1)
        self.word = row_of((step[1] for step in steps), SHORT)
        self.mask = row_of((step[2] for step in steps), UNSIGNED)
        self.shift = row_of((step[3] for step in steps), SHORT)
        self.value = row_of((step[4] for step in steps), UNSIGNED)
        self.stack = bytearray(deepest)

    def holds(self, requirement: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a requirement holds."""
        top: cython.longlong = -1
        counted: cython.ulonglong = 0
        for step in range(self.first[requirement], self.first[requirement + 1]):
            kind: cython.longlong = self.kind[step]
            if kind == _ADD:
                counted += popcount(state.words[self.word[step]] & self.mask[step]) * self.value[step]
            elif kind == _INVERT:
                self.stack[top] = self.stack[top] == 0
            elif kind == _CONSTANT:
                top += 1
                self.stack[top] = self.value[step] != 0
            elif kind == _EQUALS:
                top += 1
                self.stack[top] = state.words[self.word[step]] & self.mask[step] == self.value[step]
            elif kind == _AT_LEAST:
                top += 1
                number: cython.ulonglong = (state.words[self.word[step]] & self.mask[step]) >> self.shift[step]
                self.stack[top] = number >= self.value[step]
            elif kind == _ENOUGH:
                top += 1
                self.stack[top] = counted >= self.value[step]
                counted = 0
            elif kind == _BOTH:
                top -= 1
                self.stack[top] = self.stack[top] != 0 and self.stack[top + 1] != 0
            else:
                top -= 1
                self.stack[top] = self.stack[top] != 0 or self.stack[top + 1] != 0
        return self.stack[0] != 0
