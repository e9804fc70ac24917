"""What gates, stocks, blocks and tiles do, in numbers: the rows that kernels are given, and their kinds.

Kernels get the kinds from `mechanics.pxd`; this file is for Python, and for kernels that run uncompiled.
"""

from __future__ import annotations

from typing import NamedTuple

SPEND, NEED, NEED_ON, NEED_OFF, SHUT, NEVER = range(6)
"""What a gate does to a player who wants through: it takes something once; asks for bits that are set; for a switch
that is on, or off; falls shut behind them; never opens."""
TAKE, GAIN, TOGGLE = range(3)
"""What entering a tile does. TAKE sets a bit; GAIN sets a bit and adds to a stock; TOGGLE flips a bit."""
ILLEGAL, CALM, TOOK, CHANGED = range(4)
"""What a move does: it cannot be made; it changes only the place; it also takes something new; it changes gates,
switches or blocks (and may take something)."""
ALWAYS, IF_BITS, NEVER_CALM, TRY = range(4)
"""When a move between areas is calm: always; if some bits are set and others are not; never; or play it to see, since
blocks are in the way of an answer."""
EXACT, SATURATE, OVERLOOK = range(3)
"""What becomes of things in a region: they lie there; all of them are taken; they are walked over and not taken."""
WORKING, EXHAUSTED, FOUND, FULL, LOSSY, NEEDS_TABLE = range(6)
"""What a search returns: the limit was reached; nothing is left to expand; what was sought is found; something is too
small for what comes next; a move may give up what was not taken yet, so saturated taking would not be exact; a point
needs its table of macros."""
DONE, PAUSED, UNDECIDED = range(6, 9)
"""How far a piece of work got: to its end; to where no looks were left; to where it takes another way to know."""
NO_GATE = NOBODY = -1
LOOKS_A_NODE = 10_000
"""How many moves a search looks at for one node. Most situations and states take fewer, and are one node each."""
LOOKS_A_CALL = 1_000_000
"""How many moves a search looks at before it lets the budget be looked at: some ten milliseconds."""


class GateRow(NamedTuple):
    """Hold what a gate asks for."""

    kind: int
    word: int = 0
    """Of all kinds but NEED and NEVER: the word of a state with the gate's, or its switch's, bit."""
    mask: int = 0
    """That bit, where it stands in the word."""
    stock: int = 0
    """For SPEND: the number of the stock it is paid from."""
    needs: tuple[tuple[int, int], ...] = ()
    """For NEED: the bits that must be set, as pairs of a word and a mask."""


class StockRow(NamedTuple):
    """Hold a resource that can be spent: keys of a colour, or bombs."""

    word: int
    shift: int
    most: int
    """The largest number its field can hold: ones only."""
    gates: tuple[tuple[int, int], ...]
    """The bits of the gates it is spent on, as pairs of a word and a mask."""


class Demand(NamedTuple):
    """Hold what a move asks for."""

    gates: tuple[int, int, int] = (NO_GATE, NO_GATE, NO_GATE)
    """The gate on the tile it ends on, the gate of the way, and the gate that stands for water."""
    block: int = -1
    """The block that stood on the tile it ends on."""
    push: int = 0
    """What the block's field becomes when it is pushed; 0 if this move cannot push it."""
    behind: int = -1
    """The node it is pushed onto."""


NOTHING_ASKED = Demand()
"""The first demand of every graph."""


class Effect(NamedTuple):
    """Hold what entering a node does."""

    node: int
    kind: int
    word: int
    mask: int
    stock: int = 0
    amount: int = 0
    """For GAIN: which stock grows, and by how much."""


class Rest(NamedTuple):
    """Say that a block rests on a node if the field at this word and shift has this value."""

    node: int
    word: int
    shift: int
    value: int
