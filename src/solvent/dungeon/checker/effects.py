"""What moves are for many states at once: what each asks of the bits, and does to them.

`play` says what a move does in a single state; this module says the same of bits, and tests compare the two.

A move is *calm* if it is legal and changes nothing but the place and what is held of ordinary things (see `delicate`);
step by step, that must not change either. For most moves a comparison of bits tells. The others have *unusual* parts,
or lead to what is there only at times: such a move is tried, and what comes out tells whether it is calm. That is right
for every state with these bits, since a move depends on nothing but the bits and the area it begins in.
"""

from __future__ import annotations

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import Areas, place_of
from solvent.dungeon.checker.board import Board, find_walk
from solvent.dungeon.checker.conditions import block_on, holds
from solvent.dungeon.checker.ledger import Ledger, Stock, in_hand, read_field, write_field, write_stock
from solvent.dungeon.model import Place, Requirement, Switch


class Unusual(Struct, frozen=True):
    """Hold what a move asks for or does that a comparison of bits does not tell."""

    place: Place
    """Where the player stands before it."""
    rules: tuple[Requirement, ...] = ()
    """What must hold there."""
    onto: Place | None = None
    """Where it leads, if blocks that are pushed on and on can be there."""
    behind: Place | None = None
    """Where a block there would be pushed to; None if this move cannot push."""
    turns: tuple[Switch, ...] = ()
    """What it turns, one after the other."""


class Move(Struct, frozen=True, gc=False):
    """Hold one kind of move between two areas."""

    source: int
    target: int
    tile: int
    """A tile it can be made from, for messages."""
    letter: str
    """What the move is called in a plan."""
    goal: bool
    """Whether it ends on a goal."""
    needs: int
    """Bits of the items that must be held and of the monsters that must be beaten."""
    care: int
    want: int
    """It is illegal unless `bits & care == want`, whatever there is to spend."""
    takes: tuple[int, ...]
    """Gates that take a key or a bomb, unless they are open."""
    block: int
    """Bit of the block that stands on the target until it is pushed; 0 if none does."""
    push: int
    """Bits of that block having been pushed in this direction; 0 if this move cannot."""
    behind: int
    """Bits of blocks resting where it would be pushed to."""
    sets: int
    """Bits of doors that fall shut."""
    resets: int
    """Bits of blocks that go back to where they stood at first."""
    toggles: int
    """Bits of switches."""
    unusual: Unusual | None
    can_be_calm: bool
    calm_care: int
    calm_want: int
    """If it can be calm, it is while `bits & calm_care == calm_want`, or only then if it must be tried."""
    must_be_tried: bool
    """Whether that does not tell; see `is_calm`."""


Calm = tuple[int, int, int, Move | None]
"""(care, want, area, move): a move to or from an area that is calm while `bits & care == want`; or only then, where the
move is given: it must be tried."""


class Find(Struct, frozen=True):
    """Hold something that may be taken in an area, where a bit does not tell what happens."""

    rule: Requirement | None
    """It is there while this holds."""
    own: int
    """The bit that says that it was taken; 0 if that does not matter."""
    bits: int
    """Bits of what is held then."""
    stock: Stock | None = None
    """What it adds to, if it is of a resource that renews."""
    count: int = 0
    renews: bool = False


class Maze(Struct, frozen=True):
    """Hold a dungeon as areas and moves between them."""

    board: Board
    ledger: Ledger
    areas: Areas
    moves: list[list[Move]]
    """The moves from each area; none from a goal, where the game is over."""
    lies: list[int]
    """What always lies in each area until it is taken, matters, and is ordinary, as bits."""
    gives: list[int]
    """What is had after a move to an area, whatever else is there."""
    finds: dict[int, tuple[Find, ...]]
    """Areas with things that are there at times, or that renew, and all that is there and matters, in order."""
    calm_from: list[list[Calm]]
    calm_to: list[list[Calm]]
    loose: int
    """Bits that a calm move may change."""

    @property
    def meter(self) -> Meter:
        """Return the account of what the check costs."""
        return self.board.meter


def is_calm(maze: Maze, move: Move, bits: int) -> bool:
    """Tell whether a move is legal and changes nothing but the place, and what is held if that is not looked at."""
    if not move.can_be_calm or bits & move.calm_care != move.calm_want:
        return False
    return not move.must_be_tried or comes_to_the_same(maze, move, bits)


def comes_to_the_same(maze: Maze, move: Move, bits: int) -> bool:
    """Try a move: tell whether it is legal and changes only what a calm one may."""
    after = make_move(maze, move, bits)
    return after is not None and (after ^ bits) & ~maze.loose == 0


def make_move(maze: Maze, move: Move, bits: int) -> int | None:
    """Return the bits after a move, or None if it is illegal."""
    if bits & move.care != move.want:
        return None
    board, ledger, unusual = maze.board, maze.ledger, move.unusual
    if unusual is not None:
        for rule in unusual.rules:
            if not holds(board, ledger, rule, bits, unusual.place):
                return None
    after = bits
    for gate in move.takes:
        if not after & ledger.opened[gate]:
            spent = _open(ledger, gate, after)
            if spent is None:
                return None
            after = spent
    if move.block and not bits & move.block:
        if not move.push or bits & move.behind:
            return None
        after |= move.push
    if unusual is not None and unusual.onto is not None:
        pushed = _push(maze, unusual.onto, unusual.behind, after)
        if pushed is None:
            return None
        after = pushed
    after = ((after | move.sets) & ~move.resets) ^ move.toggles
    for switch in unusual.turns if unusual is not None else ():
        after = _turn(board, ledger, switch, after)
    return arrive(maze, move.target, after)


def arrive(maze: Maze, area: int, bits: int) -> int:
    """Return the bits once all was taken that is there; one thing may make another appear."""
    finds = maze.finds.get(area)
    if finds is None:
        return bits | maze.gives[area]
    place = place_of_area(maze, area)
    before = -1
    while bits != before:
        before = bits
        for find in finds:
            if not bits & find.own and holds(maze.board, maze.ledger, find.rule, bits, place):
                if find.stock is not None:
                    had = read_field(find.stock.field, bits)
                    bits = write_stock(find.stock, bits, max(had, find.count) if find.renews else had + find.count)
                bits |= find.bits
    return bits


def lying_in(maze: Maze, area: int, bits: int) -> int:
    """Return what there is in an area that is ordinary and matters, taken or not."""
    lying = maze.lies[area]
    finds = maze.finds.get(area)
    if finds is not None:
        place = place_of_area(maze, area)
        for find in finds:
            if find.rule is not None and holds(maze.board, maze.ledger, find.rule, bits, place):
                lying |= find.bits & maze.ledger.holdings
    return lying


def place_of_area(maze: Maze, area: int) -> Place:
    """Return the place of an area that is a single tile."""
    return place_of(maze.areas.tiles, maze.areas.tile_of[area])


def _open(ledger: Ledger, gate: int, bits: int) -> int | None:
    """Return the bits with a gate opened by a key or a bomb, or None if there is none."""
    stock = ledger.stock_of.get(gate)
    if stock is None:
        return bits | ledger.opened[gate] if in_hand(ledger.purses[gate], bits) >= 1 else None
    had = read_field(stock.field, bits)
    return write_stock(stock, bits | ledger.opened[gate], had - 1) if had >= 1 else None


def _push(maze: Maze, onto: Place, behind: Place | None, bits: int) -> int | None:
    """Return the bits with the block pushed that is on a place, if there is one; None if it stands fast."""
    ledger = maze.ledger
    block = block_on(ledger, bits, onto)
    if block is None:
        return bits
    if behind is None or block_on(ledger, bits, behind) is not None:
        return None
    walk = find_walk(maze.board.dungeon.blocks[block].place, behind)
    if walk and (block, walk) not in ledger.rests:
        return None
    return (bits & ~ledger.places[block].mask) | (ledger.rests[block, walk] if walk else 0)


def _turn(board: Board, ledger: Ledger, switch: Switch, bits: int) -> int:
    if switch.name in board.dials:
        states, field = board.dials[switch.name], ledger.dials[switch.name]
        to = states.index(switch.sets) if switch.sets else (read_field(field, bits) + 1) % len(states)
        return write_field(field, bits, to)
    bit = ledger.on[switch.name]
    if switch.sets:
        return bits | bit if switch.sets == "on" else bits & ~bit
    return bits ^ bit
