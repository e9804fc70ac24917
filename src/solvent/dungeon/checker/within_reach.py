"""Check that a goal stays within reach whatever a player does, without following everything a player can do.

**Stages.** The certificate has stages. Each but the last names an item, and shows: from every state that can be
reached, and in which the items of all earlier stages are in hand, moves lead to a state with this item in hand, or to a
goal. The last one shows the same of a goal. Since what is in hand is never lost, going through the stages one after the
other leads to a goal from every state. A stage is checked in the dungeon with the earlier items carried from the start
(a state with those in hand is one of that dungeon too, and all that can be done from it is the same), and with every
place of its own item as one more goal (who does not have the item was never there). The walk that led to such a state
is one of that dungeon as well, but a thorough player's need not be a thorough one there: what the items lead to could
not be taken before they were had. So a thorough player counts as any player where earlier items are carried. If the
item is in hand at the beginning, there is nothing to show.

**Forgotten gates.** In a stage, locks, cracked walls and gates that need items may be *forgotten*: it is not known
whether they are open. A player may have gone through them whenever that is worst; the way to the goal must do without
them. Of locks of one colour all are forgotten or none, and of cracked walls likewise: so what is in hand for the others
is known. What is only of use at forgotten gates does not matter. Here, a forgotten lock or cracked wall becomes a gate
that needs an item of its own, *being open*, and one that needs items becomes one that needs other items in their place,
*having them*. None of those is to be had here: the gate is shut without them and open with them. A player who passed a
forgotten gate has, from then on, what stands for that: it stays open, and what is in hand stays there.

**Homes.** A *home* H is a situation with all forgotten gates shut: a region R and bits b. Everything that lies in R is
in b. A *ground* is areas between which a player always walks about freely. A state *hangs at* H if all its bits but
what is in hand are those of b, forgotten gates aside; it holds no more than b; and by calm moves that can all be walked
back, the player can get to an area h of R, and come to hold exactly b.

A move is *undone* by another if that leads from the ground where the first ends to the ground where it began, is calm
after it, and needs nothing and passes no forgotten gate but what the first did, what lies on the ground where it ends,
and what a player is sure to have or to have passed where it began (see `find_sure_things`); and if the first changes
nothing but the place, what is in hand, and which gates are open. The *surroundings* W of H are the areas that moves
lead to from R, each legal with b and all forgotten gates open, each undone by another, and each finding and opening
nothing that is not in b. Claim: *every state that can be reached hangs at a home of the list, with the player in its
surroundings.* Take a move from such a state. With b and all forgotten gates open it is legal too, for the player holds
no more than that.

- It ends on a goal: nothing is left to show.
- It is undone by another. Then the player can still walk to h and back: what it takes stays in hand, gates stay open,
  and nothing else changed. The player can also take all that lies on the ground where the move ends, and then, back at
  h, all that is within reach there with forgotten gates shut, again and again: the *completion* at h of b, of the gates
  opened and of these things. The home with these bits must be in the list; often it is H itself.
- It is calm and within R, and one can walk about R without anything that may not have been taken yet: the player can
  still walk to h and back.
- Any other move: the player settles down where it leads. If nothing of b can have been left behind, the player holds
  exactly b, and the home of the completion there must be in the list. What a player may not have taken yet lies in W;
  nothing was left behind if all that lies in W and is in b is carried from the start, or if the player is a thorough
  one, and the move is certainly not calm: such a player has emptied the region before, and all that the player can walk
  to and back from by calm moves belongs to it.
  Where something may have been left, the list is not accepted. With `step_by_step`, taking is a move that is not calm,
  completing adds nothing, and so the player always holds exactly b.

**Ranks.** From a state that hangs at H, the player can get to R and hold exactly b. From rank 0, a move from R that
needs no forgotten gate ends on a goal. From any other rank, such a move leads to where a home of a smaller rank is the
one the claim speaks of. So ranks count down to a goal.

All of this rests on having more, or a gate being open, never barring a move; where a dungeon has mechanics beside the
ones this was thought through for (`old_mechanics`), no such list is accepted. The time grows with the number of homes
times the size of the map.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.checker.certificate_schema import StageBody, WithinReachBody
from solvent.dungeon.checker.moves import Maze, Move, build_maze, make_move
from solvent.dungeon.checker.old_mechanics import find_other_mechanics
from solvent.dungeon.checker.play import Board, State, lay_out, position, show_place
from solvent.dungeon.checker.safe import find_grounds, find_sure_things
from solvent.dungeon.checker.situations import (
    MAX_VIOLATIONS_LISTED,
    Listing,
    complete,
    find_same,
    list_situations,
    locate_state,
    show_move,
)
from solvent.dungeon.checker.waiving import carry_over, waiving_violations
from solvent.dungeon.model import Dungeon, Gate

LOOKS_BETWEEN_CHECKPOINTS = 500


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the stages do not show that no player can lose, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, WithinReachBody)
    other = find_other_mechanics(dungeon)
    if other:
        return [f"does not apply: {other}"]
    board = lay_out(dungeon, meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    if not body.stages or body.stages[-1].item is not None:
        return ["expected stages, the last of which is about a goal"]
    if start.place in board.goals:
        return ["the game is won already, and needs no such proof"]
    had: list[str] = []
    for number, stage in enumerate(meter.each(body.stages, every=1)):
        found = _stage_violations(board, start, stage, had)
        if found:
            return [f"stage {number}: {violation}" for violation in found]
        if stage.item is not None:
            had.append(stage.item)
        elif number < len(body.stages) - 1:
            return [f"stage {number}: expected an item, for only the last stage is about a goal"]
    return []


def _stage_violations(board: Board, start: State, stage: StageBody, had: list[str]) -> list[str]:
    """Return what is wrong with one stage; the items `had` are in hand by then."""
    dungeon = board.dungeon
    if len(stage.ranks) != len(stage.states):
        return [f"expected a rank for each of {len(stage.states)} situations, found {len(stage.ranks)} ranks"]
    if min(stage.ranks, default=0) < 0:
        return [f"{show_value(min(stage.ranks))} is no rank"]
    found = waiving_violations(dungeon, stage.forgotten) or _divided_purses(dungeon, stage.forgotten)
    if found:
        return found
    if stage.item is not None:
        places = board.items.get(stage.item, frozenset())
        if stage.item in dungeon.rules.items or stage.item in had or not start.taken.isdisjoint(places):
            return ["expected no situations, for the item is in hand already"] if stage.states else []
    harder, keys = _forget(dungeon, stage, had)
    maze = build_maze(lay_out(harder, board.meter), step_by_step=stage.step_by_step)
    listing, found = list_situations(maze, stage.states)
    # Who had fewer items then may have left behind, without having been careless, what these items lead to.
    thorough = dungeon.rules.player == "thorough" and not had
    return found or _Inspector(listing, stage, keys, thorough).violations(carry_over(start, stage.forgotten))


def _divided_purses(dungeon: Dungeon, forgotten: list[int]) -> list[str]:
    """Return which locks of one colour, or cracked walls, are forgotten only in part."""
    chosen = set(forgotten)
    states: dict[tuple[str, tuple[str, ...]], bool] = {}
    for number, gate in enumerate(dungeon.gates):
        if gate.kind in ("lock", "cracked"):
            kind = (gate.kind, gate.needs if gate.kind == "lock" else ())
            if states.setdefault(kind, number in chosen) != (number in chosen):
                return [f"gate {number}: of those that are paid from one purse, all must be forgotten or none"]
    return []


def _forget(dungeon: Dungeon, stage: StageBody, had: list[str]) -> tuple[Dungeon, frozenset[str]]:
    """Return the dungeon of a stage, and the names of the items that stand for forgotten gates being open."""
    names = {pickup.name for pickup in dungeon.pickups} | {name for gate in dungeon.gates for name in gate.needs}
    names |= {*dungeon.rules.items, dungeon.rules.water}
    prefix = "open gate "
    while any(name.startswith(prefix) for name in names):
        prefix += "of "
    gates = list(dungeon.gates)
    stands_for: set[str] = set()
    for number in stage.forgotten:
        gate = gates[number]
        needs = [f"{prefix}with {name}" for name in gate.needs] if gate.kind == "item" else [f"{prefix}{number}"]
        stands_for.update(needs)
        gates[number] = Gate("item", tuple(sorted(needs)), gate.cells)
    goals = set(dungeon.goals)
    if stage.item is not None:
        goals |= {pickup.place for pickup in dungeon.pickups if pickup.kind == "item" and pickup.name == stage.item}
    harder = replace(
        dungeon,
        gates=tuple(gates),
        goals=tuple(sorted(goals)),
        rules=replace(dungeon.rules, items=tuple(sorted({*dungeon.rules.items, *had}))),
        played=(),
    )
    return harder, frozenset(stands_for)


class _Inspector:
    """Look at the homes of a stage one by one."""

    def __init__(self, listing: Listing, stage: StageBody, open_gates: frozenset[str], thorough: bool) -> None:
        self.listing, self.stage = listing, stage
        self.maze: Maze = listing.maze
        ledger = self.maze.ledger
        self.open = sum(ledger.items[name] for name in open_gates if name in ledger.items)
        """All forgotten gates open, as bits."""
        self.thorough = thorough
        """Whether a step for good shows that nothing was left behind."""
        self.grounds = find_grounds(self.maze)
        """For each area the first of its ground."""
        self.lies = [0] * self.maze.areas.count
        """What lies on the ground of an area, by the first of the ground."""
        for area, ground in enumerate(self.maze.meter.each(self.grounds)):
            self.lies[ground] |= self.maze.lies[area]
        self.back: dict[tuple[int, int], list[Move]] = {}
        """Moves that can be calm, by the grounds they come from and lead to."""
        for moves in self.maze.meter.each(self.maze.moves):
            for move in moves:
                if move.can_be_calm:
                    ends = (self.grounds[move.source], self.grounds[move.target])
                    self.back.setdefault(ends, []).append(move)
        self.surely = find_sure_things(self.maze)
        self.completions: dict[tuple[int, int], int] = {}

    def violations(self, start: State) -> list[str]:
        """Return what is wrong with the list of homes."""
        found: list[str] = []
        located = locate_state(self.maze, start)
        if located is None or self.home_at(*located) is None:
            found.append(
                f"no situation is the one at the beginning, at {show_place(self.maze.board.dungeon, start.place)}"
            )
        for number in self.maze.meter.each(range(len(self.listing.situations)), every=1):
            if len(found) >= MAX_VIOLATIONS_LISTED:
                return [*found, "and more"]
            fault = self.find_fault(number)
            if fault:
                found.append(f"situation {number}: {fault}")
        return found

    def home_at(self, area: int, bits: int) -> int | None:
        """Return the number of the home of the completion of some bits at an area."""
        if self.stage.step_by_step:
            return find_same(self.listing, area, bits)
        completed = self.completions.get((area, bits))
        if completed is None:
            completed, _ = complete(self.maze, area, bits)
            self.completions[area, bits] = completed
        return find_same(self.listing, area, completed)

    def find_fault(self, number: int) -> str | None:
        """Return what is wrong with a home or its rank, in words."""
        home = self.listing.situations[number]
        bits = home.bits
        if bits & self.open:
            return "a forgotten gate is open"
        moves, lying = self._look_around(number)
        left = 0 if self.stage.step_by_step else lying & bits & ~self.maze.ledger.carried
        hangs_together = left == 0 or not self._needs_any(number, left)
        wins, lowest = False, None
        for move in self.maze.meter.each(moves, every=100):
            after = make_move(self.maze, move, bits | self.open)
            if after is None:
                continue
            after &= ~self.open
            is_known = not move.needs & self.open and self.listing.is_in(move.source, number)
            if move.goal:
                wins = wins or is_known
                continue
            if self._is_undone(move, bits, after):
                after |= self._lies_at(move.target)
                if after == bits:
                    continue
                reached = self.home_at(home.area, after)
            elif is_known and hangs_together and self._is_calm(move, bits) and self.listing.is_in(move.target, number):
                continue
            else:
                if left and not (self.thorough and self._changes_more(bits, after)):
                    return f"{show_move(self.maze, move)} may leave something behind"
                reached = self.home_at(move.target, after)
            if reached is None:
                return f"{show_move(self.maze, move)} leads out of the list"
            if is_known and (lowest is None or self.stage.ranks[reached] < lowest):
                lowest = self.stage.ranks[reached]
        rank = self.stage.ranks[number]
        if rank == 0 and not wins:
            return "its rank is 0, but no move ends on a goal"
        if rank > 0 and (lowest is None or lowest >= rank):
            return f"its rank is {show_value(rank)}, but no move leads to a smaller one"
        return None

    def _look_around(self, number: int) -> tuple[list[Move], int]:
        """Return the moves from the surroundings of a home, and what lies there."""
        home = self.listing.situations[number]
        around, waiting = set(home.region), list(home.region)
        found: list[Move] = []
        lying = home.lying
        looked = 0
        while waiting:
            area = waiting.pop()
            lying |= self.maze.lies[area]
            moves = self.maze.moves[area]
            found += moves
            looked += 1 + len(moves)
            if looked > LOOKS_BETWEEN_CHECKPOINTS:
                looked = 0
                self.maze.meter.checkpoint()
            for move in moves:
                if move.target in around or move.goal:
                    continue
                after = make_move(self.maze, move, home.bits | self.open)
                if after is None or (after | self._lies_at(move.target)) & ~self.open != home.bits:
                    continue
                if self._is_undone(move, home.bits, home.bits):
                    around.add(move.target)
                    waiting.append(move.target)
        return found, lying

    def _lies_at(self, area: int) -> int:
        """Return what lies on the ground of an area."""
        return self.lies[self.grounds[area]]

    def _is_undone(self, move: Move, bits: int, after: int) -> bool:
        """Tell whether a move that leads from some bits to others is undone by another."""
        ledger = self.maze.ledger
        if not move.can_be_calm or (after ^ bits) & ~(ledger.holdings | ledger.openings):
            return False
        sure = move.needs | self._lies_at(move.target) | self.surely[move.source]
        known = after | self._lies_at(move.target) | self.open
        return any(
            known & back.calm_care == back.calm_want and not back.needs & ~sure
            for back in self.back.get((self.grounds[move.target], self.grounds[move.source]), ())
        )

    def _is_calm(self, move: Move, bits: int) -> bool:
        return move.can_be_calm and bits & move.calm_care == move.calm_want

    def _changes_more(self, bits: int, after: int) -> bool:
        """Tell whether a move is not calm, however it is made: it changes more than the place and what is in hand."""
        return bool((after ^ bits) & ~self.maze.ledger.holdings)

    def _needs_any(self, number: int, left: int) -> bool:
        """Tell whether walking about a home needs any of these things."""
        home = self.listing.situations[number]
        for area in self.maze.meter.each(home.region):
            for care, want, other, _ in self.maze.calm_from[area]:
                if want & left and home.bits & care == want and self.listing.is_in(other, number):
                    return True
        return False
