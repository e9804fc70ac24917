"""Chains: put a mark on trial, follow simple steps from it, and come to a unit that has too little room for its stars.

A chain is first followed blindly, plainest steps first, until it closes. Then everything it does not need is taken out
again: each step, and each cell of a step, without which it still closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from solvent.starbattle.hints.application import Work
from solvent.starbattle.hints.chains.rules import (
    Derived,
    Memory,
    Rule,
    are_neighbours,
    derive,
    sharings,
    shortage,
)
from solvent.starbattle.hints.position import Cells, Position, Scratch, Units, cells_in

MAX_STEPS = 80
"""Steps after which a chain that has not closed is given up. One half as long is too much to follow."""
WORK_OF_LOOK = 20
"""Units of work for looking over all units once, and for replaying a chain."""


class Move(Struct, frozen=True):
    """Hold one step of a chain: a rule and those of its conclusions that are used, or a hypothesis within."""

    rule: Rule
    stars: Cells
    crosses: Cells
    inner: Chain | None = None
    """The chain that shows this move, if it is a hypothesis itself; the rule then says nothing."""


class Contradiction(Struct, frozen=True):
    """Hold where a chain closes: the units to count and to take off, whose area has too little room."""

    plus: Units
    minus: Units = ()


class Chain(Struct, frozen=True):
    """Hold a hypothesis that leads to a contradiction."""

    cell: int
    star: bool
    """True if a star was put on trial, False if a cross was."""
    moves: tuple[Move, ...]
    end: Contradiction

    @property
    def length(self) -> int:
        """How many steps there are, those of hypotheses within included."""
        return sum(1 if move.inner is None else 2 + move.inner.length for move in self.moves)

    @property
    def cells(self) -> int:
        """How many cells are marked on the way."""
        return sum((move.stars | move.crosses).bit_count() for move in self.moves)

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """Sort chains: the shortest first, then plain steps, few units at the end, few cells, reading order."""
        plain = sum(_HARDNESS[move.rule.kind] for move in self.moves)
        return self.length, plain, len(self.end.plus) + len(self.end.minus), self.cells, self.cell


_HARDNESS = {"fill": 0, "tiled": 1, "placements": 2, "pair": 4, "hypothesis": 8}


def scratch_of(position: Position) -> Scratch:
    """Return a board to try marks on."""
    return Scratch(position.geometry, position.open, list(position.needs))


def assume(board: Scratch, cell: int, *, star: bool) -> Scratch:
    """Return a board on which an open cell has the mark on trial."""
    tried = board.copy()
    if star:
        tried.place(cell)
    else:
        tried.open &= ~(1 << cell)
    return tried


class Effort(Struct, frozen=True):
    """Say how far to follow a mark."""

    most_steps: int
    """Steps after which it is given up, before anything is taken out again."""
    wide: bool
    """True also looks at many units at once, and at those the mark has not changed."""


QUICK, PATIENT, STUBBORN = Effort(2, False), Effort(10, True), Effort(MAX_STEPS, True)


def find_chain(
    base: Scratch, cell: int, *, star: bool, memory: Memory, work: Work, effort: Effort = STUBBORN
) -> Chain | None:
    """Return a chain from this mark to a contradiction with nothing needless in it, or None if simple steps find none.

    At first only units are looked at which the mark has changed. If that does not close, everything is.
    """
    for everywhere in (False, True) if effort.wide else (False,):
        board = assume(base, cell, star=star)
        moves: list[Move] = []
        end = follow(board, moves, None if everywhere else base, memory, work, effort)
        if end is not None:
            return trim(base, Chain(cell, star, tuple(moves), end), memory, work)
    return None


def follow(
    board: Scratch, moves: list[Move], base: Scratch | None, memory: Memory, work: Work, effort: Effort = STUBBORN
) -> Contradiction | None:
    """Make simple steps on a board, and note them, until it closes; None if there are no more.

    With `base`, units that look as they do there are left alone.
    """
    while True:
        work.spend(WORK_OF_LOOK)
        found = _next_step(board, base, memory, work, effort.wide)
        if found is None or isinstance(found, Contradiction):
            return found
        if len(moves) >= effort.most_steps:
            return None
        rule, derived = found
        stars, crosses = apply(board, derived.stars, derived.crosses)
        moves.append(Move(rule, stars, crosses))


def apply(board: Scratch, stars: Cells, crosses: Cells) -> tuple[Cells, Cells]:
    """Make marks, as far as the cells are open when their turn comes; returns which were made."""
    placed = 0
    for cell in cells_in(stars):
        if board.place(cell):
            placed |= 1 << cell
    crosses &= board.open
    board.open &= ~crosses
    return placed, crosses


def _next_step(
    board: Scratch, base: Scratch | None, memory: Memory, work: Work, wide: bool
) -> tuple[Rule, Derived] | Contradiction | None:
    """Return the plainest step there is on a board, or where it closes, or None."""
    geometry, needs = board.geometry, board.needs
    units = [unit for unit in range(3 * geometry.size) if needs[unit] > 0 and _is_fresh(board, base, unit)]
    full: int | None = None
    for unit in units:
        area = board.open & geometry.masks[unit]
        if memory.cover_within(geometry, area, needs[unit] - 1) is not None:
            return Contradiction((unit,))
        if full is None and area.bit_count() == needs[unit]:
            full = unit
    if full is not None:
        return Rule("fill", (full,)), Derived(board.open & geometry.masks[full], 0)
    fresh = set(units)
    neighbours = [
        (line, line + 1)
        for line in range(2 * geometry.size - 1)
        if are_neighbours(board, (line, line + 1)) and (line in fresh or line + 1 in fresh)
    ]
    for pair in neighbours:
        if shortage(board, pair, (), memory) is not None:
            return Contradiction(pair)
    work.spend(WORK_OF_LOOK)
    for rule in _local_rules(units, neighbours):
        derived = derive(board, rule, memory)
        if derived is not None:
            return rule, derived
    return _wide_step(board, neighbours, memory, work) if wide else None


def _is_fresh(board: Scratch, base: Scratch | None, unit: int) -> bool:
    if base is None:
        return True
    return board.needs[unit] != base.needs[unit] or bool((board.open ^ base.open) & board.geometry.masks[unit])


def _local_rules(units: Sequence[int], neighbours: Sequence[Units]) -> Iterator[Rule]:
    yield from (Rule("tiled", (unit,)) for unit in units)
    yield from (Rule("tiled", pair) for pair in neighbours)
    yield from (Rule("placements", (unit,)) for unit in units)


def _wide_step(
    board: Scratch, neighbours: Sequence[Units], memory: Memory, work: Work
) -> tuple[Rule, Derived] | Contradiction | None:
    """Look at many units at once: lines against regions, then every way to fill two neighbouring lines."""
    for sharing in sharings(board):
        work.spend(10 * WORK_OF_LOOK)
        for plus, minus in sharing.sets:
            if shortage(board, plus, minus, memory) is not None:
                return Contradiction(plus, minus)
            derived = derive(board, Rule("tiled", plus, minus), memory)
            if derived is not None:
                return Rule("tiled", plus, minus), derived
    for pair in neighbours:
        work.spend(WORK_OF_LOOK)
        derived = derive(board, Rule("pair", pair), memory)
        if derived is not None:
            return Rule("pair", pair), derived
    return None


def replay(base: Scratch, chain: Chain, memory: Memory) -> Chain | None:
    """Return the chain as far as it is needed to close on a board, or None if it does not close there.

    Moves that have become impossible or say nothing new are left out, also in the hypotheses inside.
    """
    board = assume(base, chain.cell, star=chain.star)
    kept: list[Move] = []
    for move in chain.moves:
        if shortage(board, chain.end.plus, chain.end.minus, memory) is not None:
            break
        again = _repeat(board, move, memory)
        if again is not None:
            kept.append(again)
    if shortage(board, chain.end.plus, chain.end.minus, memory) is None:
        return None
    return replace(chain, moves=tuple(kept))


def _repeat(board: Scratch, move: Move, memory: Memory) -> Move | None:
    """Make a move on another board, as far as it holds there; None if nothing of it does."""
    inner = move.inner
    if inner is None:
        derived = derive(board, move.rule, memory)
        if derived is None:
            return None
        stars, crosses = derived.stars & move.stars, derived.crosses & move.crosses
    else:
        inner = replay(board, inner, memory) if board.open >> inner.cell & 1 else None
        if inner is None:
            return None
        stars, crosses = move.stars, move.crosses
    stars, crosses = apply(board, stars, crosses)
    return Move(move.rule, stars, crosses, inner) if stars | crosses else None


def trim(base: Scratch, chain: Chain, memory: Memory, work: Work) -> Chain:
    """Take out every move without which the chain still closes, from the end; first many at once, then one by one."""
    chain = replay(base, replace(chain, moves=_connected(base, chain)), memory) or chain
    at_once = max(1, len(chain.moves) // 2)
    while True:
        end = len(chain.moves)
        while end > 0:
            work.spend(WORK_OF_LOOK + len(chain.moves))
            first = max(0, end - at_once)
            shorter = replay(base, replace(chain, moves=chain.moves[:first] + chain.moves[end:]), memory)
            if shorter is not None:
                chain = shorter
            end = min(first, len(chain.moves))
        if at_once == 1:
            return chain
        at_once //= 2


def _connected(base: Scratch, chain: Chain) -> tuple[Move, ...]:
    """Return the moves that have anything to do with the end: those that close cells which a later one looks at."""
    board = assume(base, chain.cell, star=chain.star)
    closed = []
    for move in chain.moves:
        before = board.open
        apply(board, move.stars, move.crosses)
        closed.append(before & ~board.open)
    looked_at = base.geometry.cells_of(chain.end.plus + chain.end.minus)
    kept: list[Move] = []
    for move, cells in zip(reversed(chain.moves), reversed(closed), strict=True):
        if not cells & looked_at:
            continue
        kept.append(move)
        if move.inner is not None or move.rule.kind == "pair":  # these may look anywhere
            looked_at = -1
        looked_at |= base.geometry.cells_of(move.rule.plus + move.rule.minus)
    return tuple(reversed(kept))


def trim_cells(base: Scratch, chain: Chain, memory: Memory) -> Chain:
    """Take out every single mark of every move without which the chain still closes, from the end."""
    for index in reversed(range(len(chain.moves))):
        if index >= len(chain.moves) or chain.moves[index].inner is not None:
            continue
        for cell in cells_in(chain.moves[index].stars | chain.moves[index].crosses):
            move = chain.moves[index]
            less = replace(move, stars=move.stars & ~(1 << cell), crosses=move.crosses & ~(1 << cell))
            shorter = replay(
                base, replace(chain, moves=(*chain.moves[:index], less, *chain.moves[index + 1 :])), memory
            )
            if shorter is not None:
                chain = shorter
                if index >= len(chain.moves):
                    break
    return chain
