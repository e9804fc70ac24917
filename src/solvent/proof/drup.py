"""Read a clausal refutation written as DRUP text.

Each line is a clause to add (`1 -2 0`) or to delete (`d 1 -2 0`); lines that begin with `c` are comments, empty ones
are skipped. The first line that adds the empty clause (`0`) ends the proof, and nothing after it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import ParseError
from solvent.proof.drup_kernel import AFTER_ZERO, FINE, NO_ZERO, NOT_A_LITERAL, OUT_OF_RANGE, DrupReader

MEGABYTES_A_LETTER = 9e-6
"""What reading takes, at the most: two copies of the text, a number for every two letters, three for every line."""


@dataclass(frozen=True, slots=True, eq=False)
class DrupProof:
    """Hold the steps of a proof in flat rows."""

    literals: memoryview
    """The literals of all steps, one step after the other."""
    starts: memoryview
    """Step i is `literals[starts[i]:starts[i + 1]]`; one entry more than there are steps."""
    kinds: memoryview
    """ADD or DELETE for each step."""
    lines: memoryview
    """The line of the text each step stands on, counted from 1."""


def parse_drup(text: str, variables: int, meter: Meter = UNLIMITED) -> DrupProof:
    """Read a proof over the given number of variables; raises ParseError at the first line that is not DRUP."""
    meter.require_memory(MEGABYTES_A_LETTER * len(text), "reading the refutation")
    # Whatever is not ASCII becomes a question mark, which no line may hold outside comments.
    reader = DrupReader(bytearray(text, "ascii", "replace"), variables)
    status = reader.read()
    if status != FINE:
        expected = {
            NOT_A_LITERAL: "a clause of whole numbers that ends with 0",
            OUT_OF_RANGE: f"literals of the {variables} variables there are",
            NO_ZERO: "a clause that ends with 0",
            AFTER_ZERO: "nothing after the 0 that ends a clause",
        }[status]
        raise ParseError(expected, text.split("\n", reader.line)[reader.line - 1], line=reader.line)
    return DrupProof(*reader.rows())
