"""What a technique proposes: the cells it decides, what that rests on, and how to explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct, field

from solvent.core.answer import Reason
from solvent.core.budget import Budget, Meter
from solvent.starbattle.hints.position import Cells, Position, Scratch, cells_in


class Highlights(Struct, frozen=True):
    """Hold what to point at on the board, the reasons apart from what follows."""

    causes: Cells = 0
    """Cells the argument rests on."""
    units: tuple[int, ...] = ()
    """Rows, columns and regions in play, by their numbers in the geometry."""
    blocks: tuple[int, ...] = ()
    """Top-left cells of 2×2 blocks that hold at most one star each."""


class Why(Struct, frozen=True):
    """Say why cells come out as they do, in a sentence with `{cells}` where their names go: `r1c2 and r1c3`.

    With `{either}` they stand as `r1c2 or r1c3`.
    """

    cells: Cells
    one: str
    several: str = ""
    """The same sentence for more than one cell; empty where it does not change."""


class Application(Struct, frozen=True):
    """Hold one use of a technique on a position: a proposal until it is verified and its proof is checked."""

    technique: str
    stars: Cells
    """Cells it says are stars."""
    crosses: Cells
    """Cells it says stay empty."""
    witness: Mapping[str, Any]
    """What it rests on, as JSON values; the checker reads nothing else."""
    because: str
    """The reason in one sentence, without the cells that follow from it, such as `Region C fits in rows 2 and 3.`"""
    proof: tuple[str, ...]
    """The argument line by line, for a person to follow with a finger on the board."""
    reasons: tuple[Why, ...] = ()
    """What the argument says about each cell it decides; it follows the proof, as far as a cell is shown."""
    highlights: Highlights = field(default_factory=Highlights)
    title: str = ""
    """What people call it, where that is not the title of the technique."""
    parts: tuple[Application, ...] = ()
    """The same cell by cell, for one that is shown alone; empty where nothing is easier that way."""


class OutOfWork(Exception):
    """Raised when a technique search has used up what it was allowed."""


class Stopped(Exception):
    """Raised when the budget or a cancellation ends the looking; nothing may be shown then, whatever was found."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Work:
    """Count the work of looking for applications, so that the same input gives the same hint on any machine.

    One unit is one set of cells or units looked at, some microseconds. It counts as one node of the whole search.
    """

    UNITS_BETWEEN_CHECKS = 500
    """How much is done between two looks at the budget: some milliseconds."""

    def __init__(
        self,
        allowed: int | None = None,
        *,
        stop: Callable[[], Reason | None] | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.allowed = allowed
        self.spent = 0
        self._stop = stop
        self._meter = meter
        self._next_check = 0

    def budget(self, nodes: int | None) -> Budget:
        """Return a budget for a search of so many nodes, None for no limit of its own; book what it spends here."""
        return Budget(nodes=nodes) if self._meter is None else self._meter.left(nodes)

    def spend(self, units: int = 1) -> None:
        """Book work; raises OutOfWork once more is spent than was allowed, and Stopped if `stop` gives a reason."""
        self.spent += units
        if self._meter is not None:
            self._meter.spend(units)
        if self.allowed is not None and self.spent > self.allowed:
            raise OutOfWork
        if self._stop is not None and self.spent >= self._next_check:
            self._next_check = self.spent + self.UNITS_BETWEEN_CHECKS
            reason = self._stop()
            if reason is not None:
                raise Stopped(reason)


class Technique(Protocol):
    """One module of `techniques`: a name, how hard it is, and a way to find its applications."""

    NAME: str
    """As the witness format names it."""
    TITLE: str
    """For people."""
    DIFFICULTY: float
    """What one use adds to the grade; also the order in which techniques are tried."""

    def find(self, position: Position, work: Work) -> Iterator[Application]:
        """Yield applications that decide at least one unknown cell, the plainest first, in a fixed order."""


def pairs(cells: Cells | Iterable[int], size: int) -> list[list[int]]:
    """Write cells as [row, col] from 0, in reading order."""
    members = cells_in(cells) if isinstance(cells, int) else sorted(cells)
    return [list(divmod(cell, size)) for cell in members]


def unit_keys(board: Position | Scratch, units: Iterable[int]) -> list[list[Any]]:
    """Write units as the witnesses have them: their kind and number from 0."""
    return [[board.geometry.units[unit].kind, board.geometry.units[unit].index] for unit in sorted(units)]
