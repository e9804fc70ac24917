"""Check that a goal can be reached from every state there is: a list of situations, each with a rank.

Two forms. *Step by step*, a situation is exactly what is held and a region in which there is nothing left to take;
every legal move from it stays in it, wins, or leads into a situation of the list. So the list has all states that can
be reached. A rank counts down to a goal: from rank 0 a move wins, from any other rank a move leads to a smaller one.

*Safe* lists full situations only, which are far fewer, and adds a demand. For a thorough player there is nothing to
add: before a move that matters, such a player has taken what the situation holds. Any other player may have left
behind some of what lies in the region of a situation X; call that Z. What such a player holds lies between X without
Z, and X; for certain a little more than X without Z, see `find_sure_things`. The proof goes by: *the completion of
every state that can be reached is in the list.* A move keeps that true in either of these cases:

- It can be undone: it changes nothing but the place and opens doors for good, and a move from the ground it led to
  (where one always walks about freely) back to the ground it came from is calm, with what the move itself needed, what
  was found there, and what is held for certain. Then the region around where it came from still hangs together and Z
  can be taken from the other side.
  (Doors that fall shut, switches and pushed blocks are left out on purpose: after them one may be able to step back
  and still be unable to come again, or to get where Z lies.)
- Even with nothing of Z held, the completion of its result has all of Z again, except for a few things; and whichever
  of those few are held, the completion of the result is in the list.

Both rest on this: a thing that lies there, or appears there, does so for good until it is taken. So *safe* is only for
dungeons where what pickups appear by are items and beaten monsters, and never the lack of them (`is_growing`). And a
gate that opens takes something, which a requirement may ask for; a move that opens such a gate is not one that can be
undone. What a thing that is there only at times adds to a move need not be added for a player who has less, so it
counts among the few things.

Ranks then work as before, since a player who is in a state can get to its completion.

The time grows with the number of situations. For each, one look at each move of its region is the rule; at worst each
move asks for a completion, and a completion walks about the map once for each thing it adds. For each choice of the few
things that a move may lose (see MAX_LOST) there may be one more, within a limit for all of them together.
"""

from __future__ import annotations

from itertools import chain

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.checker.areas import area_at, join, tile_at
from solvent.dungeon.checker.certificate_schema import SafeBody
from solvent.dungeon.checker.conditions import asked_holdings
from solvent.dungeon.checker.ledger import in_hand
from solvent.dungeon.checker.moves import Maze, Move, build_maze, comes_to_the_same, is_calm, make_move
from solvent.dungeon.checker.play import lay_out, position, show_place
from solvent.dungeon.checker.requirements import is_growing
from solvent.dungeon.checker.situations import (
    MAX_VIOLATIONS_LISTED,
    Listing,
    complete,
    find_richer,
    find_same,
    list_situations,
    locate_state,
    moves_from,
    show_move,
)
from solvent.dungeon.model import Dungeon

STEP_BY_STEP = "safe, step by step"
MAX_LOST = 6
"""How many things one move may leave behind for good: each choice of them is looked at, and there are two to the n."""
MAX_LOOKED_AT = 30_000_000
"""How many areas to walk over for all such choices: the time must not grow out of hand."""


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the list does not show that no player can lose, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, SafeBody)
    board = lay_out(dungeon, meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    if len(body.ranks) != len(body.states):
        return [f"expected a rank for each of {len(body.states)} situations, found {len(body.ranks)} ranks"]
    if start.place in board.goals:
        return ["expected no situations, for the game is won already"] if body.states else []
    step_by_step = certificate["form"] == STEP_BY_STEP
    if not step_by_step and not all(is_growing(pickup.rule) for pickup in meter.each(dungeon.pickups)):
        return [f"there are pickups that may go again before they are taken; expected the form {STEP_BY_STEP!r}"]
    maze = build_maze(board, step_by_step=step_by_step)
    listing, found = list_situations(maze, body.states)
    found += [f"situation {n}: {show_value(rank)} is no rank" for n, rank in enumerate(body.ranks) if rank < 0][:1]
    if found:
        return found
    inspector = _Inspector(listing, body.ranks, step_by_step, dungeon.rules.player == "any" and not step_by_step)
    located = locate_state(maze, start)
    if located is None or inspector.find(*located) is None:
        found.append(f"no situation is the one at the beginning, at {show_place(dungeon, start.place)}")
    for number in meter.each(range(len(listing.situations)), every=1):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return [*found, "and more"]
        fault = inspector.find_fault(number)
        if fault:
            found.append(f"situation {number}: {fault}")
    return found


def find_sure_things(maze: Maze) -> list[int]:
    """Return for each area what a player who stands there is sure to hold, as bits.

    It lies there, or each move there needs it or comes from where it is sure to be held. Who stands in water holds what
    crosses it, and who is past the only corridor has taken what lies in the corridor.
    """
    start = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.start))
    assert start is not None
    sure = [maze.ledger.holdings] * maze.areas.count
    sure[start] = maze.ledger.carried | maze.lies[start]
    waiting = [start]
    looked = 0
    while waiting:
        source = waiting.pop()
        looked += 1 + len(maze.moves[source])
        if looked > 200:
            looked = 0
            maze.meter.checkpoint()
        for move in maze.moves[source]:
            there = sure[move.target] & (sure[source] | move.needs | maze.lies[move.target])
            if there != sure[move.target]:
                sure[move.target] = there
                waiting.append(move.target)
    return sure


def find_grounds(maze: Maze) -> list[int]:
    """Return for each area the first of those it is always one with: moves both ways that are calm whatever is held."""
    always = {
        (move.source, move.target)
        for move in maze.meter.each(chain.from_iterable(maze.moves))
        if move.can_be_calm and not move.calm_care and not move.needs and not move.must_be_tried
    }
    both_ways = sorted(pair for pair in maze.meter.each(always) if pair[::-1] in always)
    return join(maze.areas.count, both_ways, maze.meter)


class _Inspector:
    """Look at situations one by one, keeping what was worked out on the way."""

    def __init__(self, listing: Listing, ranks: list[int], step_by_step: bool, may_leave_things: bool) -> None:
        self.listing = listing
        self.maze: Maze = listing.maze
        self.ranks = ranks
        self.step_by_step = step_by_step
        self.may_leave_things = may_leave_things
        self.purses = set(self.maze.ledger.purses.values())
        self.sufficient: dict[int, int] = {}
        self.completions: dict[tuple[int, int], int] = {}
        self.walked = 0
        """How many areas all completions walked over, at most."""
        self.looked_at = 0
        """How many of them for choices of what was left behind."""
        self.between: dict[tuple[int, int], list[Move]] = {}
        """Moves that can be calm, by the ground they come from and the one they lead to."""
        self.surely: list[int] = []
        self.grounds: list[int] = []
        if may_leave_things:
            self.surely = find_sure_things(self.maze)
            self.grounds = find_grounds(self.maze)
            for move in self.maze.meter.each(chain.from_iterable(self.maze.moves)):
                if move.can_be_calm:
                    self.between.setdefault((self.grounds[move.source], self.grounds[move.target]), []).append(move)

    def find_fault(self, number: int) -> str | None:
        """Return what is wrong with a situation or its rank, in words."""
        maze, situation = self.maze, self.listing.situations[number]
        bits = situation.bits
        # What may have been left behind; items that are carried from the beginning cannot be.
        left = situation.lying & ~maze.ledger.carried if self.may_leave_things else 0
        hangs_together = self._sufficient(number) & left == 0
        wins, lowest = False, None
        for move in moves_from(maze, situation.region):
            if self.listing.is_in(move.target, number) and is_calm(maze, move, bits):
                stays = move.source == move.target  # a lever that changes nothing
                if not (hangs_together or stays) and self._loses_count(number, left, move, bits):
                    return self._describe_loss(move)
                continue
            after = make_move(maze, move, bits)
            if after is None:
                continue
            if move.goal:
                wins = True
                continue
            reached = self.find(move.target, after)
            if reached is None:
                return f"{show_move(maze, move)} leads out of the list"
            if left and self._loses_count(number, left, move, after):
                return self._describe_loss(move)
            if lowest is None or self.ranks[reached] < lowest:
                lowest = self.ranks[reached]
        rank = self.ranks[number]
        if rank == 0 and not wins:
            return "its rank is 0, but no move ends on a goal"
        if rank > 0 and (lowest is None or lowest >= rank):
            return f"its rank is {show_value(rank)}, but no move leads to a smaller one"
        return None

    def _describe_loss(self, move: Move) -> str:
        shown = show_move(self.maze, move)
        if self.looked_at > MAX_LOOKED_AT:
            return f"{shown} and others may leave behind so much that not every choice can be looked at"
        return f"{shown} may leave something behind, and what then is not in the list"

    def find(self, area: int, bits: int) -> int | None:
        """Return the number of the situation a state completes to, or is in where nothing is completed."""
        if self.step_by_step:
            return find_same(self.listing, area, bits)
        number = self._completes_to(area, bits)
        return find_same(self.listing, area, self._complete(area, bits)) if number is None else number

    def _completes_to(self, area: int, bits: int) -> int | None:
        """Return the situation a state completes to where that can be seen at once, or None."""
        for number in find_richer(self.listing, area, bits):
            situation = self.listing.situations[number]
            if self._sufficient(number) & ~bits == 0 and situation.bits & ~(bits | situation.lying) == 0:
                return number
        return None

    def _complete(self, area: int, bits: int) -> int:
        completed = self.completions.get((area, bits))
        if completed is None:
            completed, walks = complete(self.maze, area, bits)
            self.walked += walks * self.maze.areas.count
            self.completions[area, bits] = completed
        return completed

    def _sufficient(self, number: int) -> int:
        """Return bits of things that are enough to walk all of a situation's region, and so to take what lies there."""
        needed = self.sufficient.get(number)
        if needed is None:
            situation = self.listing.situations[number]
            needed = 0
            for area in self.maze.meter.each(situation.region):
                for care, want, other, move in self.maze.calm_from[area]:
                    if (care or move) and situation.bits & care == want and self.listing.is_in(other, number):
                        needed |= want
                        for rule in move.unusual.rules if move and move.unusual else ():
                            needed |= asked_holdings(self.maze.ledger, rule)
                for find in self.maze.finds.get(area, ()):
                    needed |= asked_holdings(self.maze.ledger, find.rule)
            needed &= self.maze.ledger.holdings & situation.bits
            self.sufficient[number] = needed
        return needed

    def _loses_count(self, number: int, left: int, move: Move, after: int) -> bool:
        """Tell whether a player who may not have what was `left` can get out of the list by this move.

        `after` is what the move leads to with everything in hand.
        """
        ledger, bits = self.maze.ledger, self.listing.situations[number].bits
        certain = (bits & ~left) | (self.surely[move.source] & bits) | self.maze.lies[move.target]
        poorest = (after & ~ledger.holdings) | (certain & ledger.holdings)
        if (after ^ bits) & (~(ledger.holdings | ledger.openings) | ledger.asked_openings) == 0:
            backs = self.between.get((self.grounds[move.target], self.grounds[move.source]), ())
            needed = move.needs & ledger.holdings
            for back in self.maze.meter.each(backs):
                if after & back.calm_care != back.calm_want or back.needs & ~(move.needs | certain) != 0:
                    continue
                if not back.must_be_tried or comes_to_the_same(self.maze, back, poorest | needed):
                    return False
        other = self._completes_to(move.target, poorest)
        regained = self._complete(move.target, poorest) if other is None else self.listing.situations[other].bits
        lost = (left | (after & ~bits & ledger.holdings)) & ~regained
        if lost.bit_count() > MAX_LOST:
            return True
        had = lost
        while had:  # every choice of what is lost, but for all of it: that one is `after`
            had = (had - 1) & lost
            before = bits & ~(lost & ~had)
            if self.looked_at > MAX_LOOKED_AT:
                return True
            if any(in_hand(purse, before) < 0 for purse in self.purses):
                continue  # no player can have left behind what was spent
            walked = self.walked
            if make_move(self.maze, move, before) is not None and self.find(move.target, poorest | had) is None:
                return True
            self.looked_at += 1 + len(self.purses) + self.walked - walked
        return False
