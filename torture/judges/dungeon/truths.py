"""What is true of a dungeon, question by question, by looking at every state."""

from __future__ import annotations

from typing import NamedTuple

from solvent.dungeon.model import WATER, Dungeon, Have
from torture.judges.dungeon.rulebook import Rulebook, State, resource_named
from torture.judges.dungeon.states import Moves, all_states, can_win, depths_of, states_from, thorough_moves
from torture.judges.dungeon.twin import all_rules, asked, delicate

GOAL = -1
"""Stands for the goal among the numbers of pickups."""
MOST = 200_000
"""How many states are looked at before giving up."""


class Truth(NamedTuple):
    """Hold what is true of a dungeon."""

    states: int
    """How many states can be reached."""
    plan: int | None
    """The fewest moves to a goal; None if no goal can be reached."""
    lost: int | None
    """The fewest moves into a state from which no goal can be reached; None if nobody gets there.

    Where only a thorough player may lose, only the walks of such a player count.
    """


def truth(dungeon: Dungeon, most: int = MOST) -> Truth:
    """Return what is true of a dungeon, or raise TooLarge."""
    states = all_states(dungeon, most)
    won = won_states(dungeon, states)
    alive = can_win(states, won)
    depths = depths_of(states)
    plan = min((depths[state] for state in won), default=None)
    if len(alive) < len(states) and dungeon.rules.player == "thorough":
        depths = depths_of(thorough_moves(dungeon, states))
    lost = min((depths[state] for state in states if state not in alive and state in depths), default=None)
    return Truth(len(states), plan, lost)


def won_states(dungeon: Dungeon, states: Moves) -> set[State]:
    """Return the states in which the player stands on a goal."""
    return {state for state in states if state.place in dungeon.goals}


def shortest_plan(dungeon: Dungeon, most: int = MOST) -> int | None:
    """Return the fewest moves to a goal, or None if no goal can be reached."""
    return truth(dungeon, most).plan


def shortest_lost_walk(dungeon: Dungeon, most: int = MOST) -> int | None:
    """Return the fewest moves into a state from which no goal can be reached, or None if nobody gets there."""
    return truth(dungeon, most).lost


def dead_states(dungeon: Dungeon, most: int = MOST) -> set[State]:
    """Return the states that can be reached and from which no goal can."""
    states = all_states(dungeon, most)
    return set(states) - can_win(states, won_states(dungeon, states))


def to_collect(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that collecting is about: items the rules name, or all items."""
    wanted = dungeon.rules.collect
    return frozenset(
        number
        for number, pickup in enumerate(dungeon.pickups)
        if pickup.kind == "item" and (not wanted or pickup.name in wanted)
    )


def shortest_collecting_plan(dungeon: Dungeon, most: int = MOST) -> int | None:
    """Return the fewest moves that take all there is to collect and end on a goal, or None if none do."""
    states = all_states(dungeon, most)
    wanted, depths = to_collect(dungeon), depths_of(states)
    return min((depths[state] for state in won_states(dungeon, states) if state.taken >= wanted), default=None)


def to_access(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that must be within somebody's reach, and GOAL."""
    wanted = {GOAL}
    if dungeon.rules.accessibility == "full":
        wanted |= {number for number, pickup in enumerate(dungeon.pickups) if pickup.kind != "monster"}
    elif dungeon.rules.accessibility == "items":
        names = {name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs}
        atoms = [atom for rule in all_rules(dungeon) for atom, _ in asked(rule)]
        names |= {atom.name for atom in atoms if isinstance(atom, Have) and atom.what == "item"}
        if any(WATER in row for floor in dungeon.floors for row in floor.terrain):
            names.add(dungeon.rules.water)
        pickups = enumerate(dungeon.pickups)
        wanted |= {number for number, pickup in pickups if pickup.kind == "item" and pickup.name in names}
    return frozenset(wanted)


def within_reach(dungeon: Dungeon, states: Moves) -> frozenset[int]:
    """Return all that some play takes, in these states and moves, or took before; and GOAL if one ends there.

    What renews counts as taken by a player who stands there while its rule holds.
    """
    book = Rulebook(dungeon)
    found: set[int] = set()
    first = next(iter(states))
    if first == book.beginning():
        book.beginning(found)
    for state, moves in states.items():
        found |= state.taken
        for move in moves:
            book.step(state, move, found)
    if won_states(dungeon, states):
        found.add(GOAL)
    return frozenset(found)


def inaccessible(dungeon: Dungeon, most: int = MOST) -> frozenset[int]:
    """Return what no play takes although it must be within reach: numbers of pickups, and GOAL. None: accessible."""
    return to_access(dungeon) - within_reach(dungeon, all_states(dungeon, most)) - taken_before(dungeon)


def taken_before(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that the moves played took, those that renew included."""
    book, found = Rulebook(dungeon), set[int]()
    state = book.beginning(found)
    for move in dungeon.played:
        after = book.step(state, move, found)
        if after is None:
            raise ValueError(f"the moves played are not legal: {dungeon.played}")
        state = after
    return frozenset(found)


class Loss(NamedTuple):
    """Hold a move that takes something away by taking something."""

    moves: int
    """The fewest moves to get there, the move that takes it included."""
    taken: frozenset[int]
    """Numbers of the pickups that the move takes."""
    gone: frozenset[int]
    """What is out of reach after it, and would not be had they not been taken: numbers of pickups, and GOAL."""


def first_loss_by_taking(dungeon: Dungeon, most: int = MOST) -> Loss | None:
    """Return a first move that takes away access by taking something; None if collecting never does (monotone).

    After each move that takes something delicate, look at what a player can get at from there, and at what they could
    had nothing been taken by the move: what lies there is not marked as taken, and of what renews there is as much as
    before, less what the move spent.
    """
    states = all_states(dungeon, most)
    feared, depths = delicate(dungeon), depths_of(states)
    reach: dict[State, frozenset[int]] = {}

    def reach_from(state: State) -> frozenset[int]:
        if state not in reach:
            reach[state] = within_reach(dungeon, states_from(dungeon, state, most))
        return reach[state]

    for state, moves in states.items():  # nearest first
        for after in moves.values():
            taken = after.taken - state.taken
            if taken & feared:
                without = after._replace(taken=state.taken, stock=_stock_spent(dungeon, state, after))
                gone = reach_from(without) - taken - reach_from(after)
                if gone:
                    return Loss(depths[state] + 1, taken, gone)
    return None


def _stock_spent(dungeon: Dungeon, before: State, after: State) -> tuple[tuple[str, int], ...]:
    """Return what is left of each resource that renews if a move takes nothing, only pays at gates."""
    opened = [dungeon.gates[number] for number in after.opened - before.opened]
    paid = [resource_named("key", gate.needs[0]) if gate.kind == "lock" else "bombs" for gate in opened]
    return tuple((name, had - paid.count(name)) for name, had in before.stock)


def is_monotone(dungeon: Dungeon, most: int = MOST) -> bool:
    """Tell whether collecting something never takes access to anything away."""
    return first_loss_by_taking(dungeon, most) is None


def verdict(dungeon: Dungeon, question: str, most: int = MOST) -> bool:
    """Return whether the answer to a question is YES, or raise TooLarge."""
    if question == "collectable":
        return shortest_collecting_plan(dungeon, most) is not None
    if question == "accessible":
        return not inaccessible(dungeon, most)
    if question == "monotone":
        return is_monotone(dungeon, most)
    found = truth(dungeon, most)
    return (found.plan if question == "solvable" else found.lost) is not None
