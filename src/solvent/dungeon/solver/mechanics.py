"""What gates, stocks, blocks and tiles do, in numbers: the rows that kernels are given, and their kinds.

Kernels get the kinds from `mechanics.pxd`; this file is for Python, and for kernels that run uncompiled.
"""

from __future__ import annotations

from typing import NamedTuple

SPEND, NEED, NEED_ON, NEED_OFF, SHUT, NEVER, RULE = range(7)
"""What a gate does to a player who wants through: it takes something once; asks for bits that are set; for a switch
that is on, or off; falls shut behind them; never opens; asks for a requirement to hold before the move."""
TAKE, GAIN, TOGGLE, ASSIGN, ADVANCE, SEIZE, EARN, REFILL = range(8)
"""What entering a tile does. TAKE sets a bit; GAIN sets a bit and adds to a stock: of both, more is never worse, and
they come first. TOGGLE flips a bit; ASSIGN gives a field a value; ADVANCE counts a field on, from its last value to 0;
SEIZE and EARN are TAKE and GAIN of things of which having more may bar a way; REFILL fills a stock up to a number."""
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
GATES_A_MOVE = 4
"""How many gates a move can meet: see `Demand.gates`."""
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
    rule: int = -1
    """For RULE: the number of the requirement."""


class StockRow(NamedTuple):
    """Hold a resource that can be spent: keys of a colour, or bombs."""

    word: int
    shift: int
    most: int
    """The largest number its field can hold: ones only."""
    gates: tuple[tuple[int, int], ...]
    """The bits of the gates it is spent on, as pairs of a word and a mask."""
    spare: int = 0
    """How many more are worth having than there are gates to spend them on: as many as a requirement asks for."""


class Action(NamedTuple):
    """Hold what happens to a state, by entering a node or by a move of its own."""

    kind: int
    word: int
    mask: int
    stock: int = 0
    """For GAIN, EARN and REFILL: the number of the stock. For ASSIGN and ADVANCE: where the field begins."""
    amount: int = 0
    """By how much a stock grows, or up to what it is filled; the value of ASSIGN; of ADVANCE, how many there are."""
    rule: int = -1
    """The number of the requirement without which it does not happen; -1 for none."""
    follows: bool = False
    """Whether it happens exactly when the one before it did: one thing that sets several bits."""


class Demand(NamedTuple):
    """Hold what a move asks for, and does whatever lies where it leads."""

    gates: tuple[int, int, int, int] = (NO_GATE, NO_GATE, NO_GATE, NO_GATE)
    """The gate on the tile it ends on, the gate of the way, the gate that stands for water, and the one that stands for
    what goals and levers need."""
    block: int = -1
    """The block that stood on the tile it ends on at first."""
    behind: int = -1
    """The node that a block is pushed onto which is on the tile it ends on; -1 if none can be."""
    actions: tuple[Action, ...] = ()
    """What the move does by itself: works a lever, or lets blocks go back."""
    stays: bool = False
    """Whether the player stays where they are: plates are not stepped on."""


NOTHING_ASKED = Demand()
"""The first demand of every graph."""


class Effect(NamedTuple):
    """Hold what entering a node does."""

    node: int
    order: int
    """Effects of a node happen in this order: plates before things that are taken."""
    action: Action

    @property
    def kind(self) -> int:
        """Return the kind of the action."""
        return self.action.kind

    @property
    def word(self) -> int:
        """Return the word that changes."""
        return self.action.word

    @property
    def mask(self) -> int:
        """Return the bits that change."""
        return self.action.mask


class Rest(NamedTuple):
    """Say that a block is on a node if its field has this value."""

    node: int
    block: int
    value: int
