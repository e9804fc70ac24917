"""Say what keeps a player from the goal, once every situation is known."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.events import describe_ends, describe_place, name_gate
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Place
from solvent.dungeon.solver.distances_kernel import Distances
from solvent.dungeon.solver.exploring import Exploration, reached_cells
from solvent.dungeon.solver.flags import Flags, only_in
from solvent.dungeon.solver.ground import FIRST_WAY, Ground
from solvent.dungeon.solver.mechanics import Demand
from solvent.dungeon.solver.pacing import in_pieces

MAX_SAID = 4
"""How many obstacles a sentence names."""


class Obstacle(Struct, frozen=True):
    """Hold one thing that bars the way from where a player can come."""

    kind: str
    """The kind of gate, `water`, `block`, or `goal`: the game ends there."""
    place: Place
    """Where the player stands before it."""
    beyond: Place
    """Where the step would lead."""
    gate: int | None = None
    """The gate's number."""
    missing: tuple[str, ...] = ()
    """Items it asks for that no player can come by."""


def find_obstacles(exploration: Exploration, meter: Meter = UNLIMITED) -> list[Obstacle]:
    """Return what stands between the places that can be reached and the goal, if it can be reached past gates at all.

    Where nothing leads to the goal even with every gate open, the list is empty: walls are in the way.
    """
    reached = reached_cells(exploration, meter)
    beyond = cells_towards_goal(exploration.ground, reached, meter=meter)
    return obstacles_between(exploration.ground, reached, beyond, meter)


def cells_towards_goal(ground: Ground, besides: Flags | None = None, meter: Meter = UNLIMITED) -> Flags:
    """Return which cells lead to the goal if no item and no block mattered; without going over those `besides`."""
    every = bytearray([1]) * len(ground.cells.demands)
    goals = (ground.cell(goal) for goal in ground.dungeon.goals)
    distances = Distances(ground.cells, every, besides, goals)
    in_pieces(distances.run, meter)
    return distances.near()


def obstacles_between(ground: Ground, reached: Flags, beyond: Flags, meter: Meter = UNLIMITED) -> list[Obstacle]:
    """Return what bars the moves from cells that were reached to those beyond that were not; each gate once."""
    held = _items_within_reach(ground, reached)
    found: dict[object, Obstacle] = {}
    meter.checkpoint()
    for arc in meter.each(ground.cells.arcs_between(reached, only_in(beyond, reached)), every=100):
        obstacle = _obstacle(ground, arc, held)
        key = obstacle.gate if obstacle.gate is not None else (obstacle.kind, obstacle.beyond)
        found.setdefault("water" if obstacle.kind == "water" else key, obstacle)
    return list(found.values())


def gates_of_arc(ground: Ground, arc: int) -> Iterator[int]:
    """Yield the numbers of the gates that a move meets."""
    move = ground.cells.move[arc]
    own = ground.dungeon.ways[move - FIRST_WAY].gate if move >= FIRST_WAY else None
    if own is not None:
        yield own
    there = ground.game.gate_at.get(ground.place(ground.cells.target[arc]))
    if there is not None and there != own:
        yield there


def _items_within_reach(ground: Ground, reached: Flags) -> set[str]:
    found = set(ground.dungeon.rules.items)
    for pickup in ground.dungeon.pickups:
        cell = ground.cell(pickup.place)
        if pickup.kind == "item" and cell >= 0 and reached[cell]:
            found.add(pickup.name)
    return found


def _obstacle(ground: Ground, arc: int, held: set[str]) -> Obstacle:
    """Say what bars a move that no player can ever make."""
    dungeon, cells = ground.dungeon, ground.cells
    here, there = ground.place(cells.source[arc]), ground.place(cells.target[arc])
    demand: Demand = cells.demands[cells.demand[arc]]
    is_wet = demand.gates[2] >= 0
    if here in ground.game.goals:
        return Obstacle("goal", here, there)
    if max(demand.gates) >= 0:
        numbers = list(gates_of_arc(ground, arc))
        asking = {number: dungeon.gates[number].needs for number in numbers if dungeon.gates[number].kind == "item"}
        missing = {number: tuple(need for need in needs if need not in held) for number, needs in asking.items()}
        for number in sorted(numbers, key=lambda number: not missing.get(number)):  # what lacks something comes first
            if not is_wet or missing.get(number):
                return Obstacle(dungeon.gates[number].kind, here, there, number, missing.get(number, ()))
        if is_wet and (dungeon.rules.water not in held or not numbers):
            lacking = () if dungeon.rules.water in held else (dungeon.rules.water,)
            return Obstacle("water", here, there, missing=lacking)
        return Obstacle(dungeon.gates[numbers[0]].kind, here, there, numbers[0])
    # Nothing else can bar a move for good: the block stands there, or came to rest there.
    return Obstacle("block", here, there)


def describe_obstacles(exploration: Exploration, meter: Meter = UNLIMITED) -> str:
    """Return a sentence or two that name what keeps a player from the goal."""
    ground = exploration.ground
    dungeon = ground.dungeon
    obstacles = find_obstacles(exploration, meter)
    if not obstacles:
        solid = describe_solid(dungeon)
        return f"Even with every gate open, no way leads to the goal: {solid} are in the way."
    shown = [describe_obstacle(dungeon, obstacle) for obstacle in obstacles[:MAX_SAID]]
    more = "" if len(obstacles) <= MAX_SAID else f"; and {len(obstacles) - MAX_SAID} more"
    return f"In the way: {'; '.join(shown)}{more}."


def describe_solid(dungeon: Dungeon) -> str:
    """Name what can bar a way in this dungeon that is no gate."""
    letters = {letter for floor in dungeon.floors for row in floor.terrain for letter in set(row)}
    found = ["walls"]
    if letters & set(ONE_WAYS):
        found.append("one-way tiles")
    if dungeon.blocks and dungeon.rules.push == "never":
        found.append("blocks that cannot be pushed")
    if dungeon.rules.crossing == "one" and WATER in letters:
        found.append("water too wide to leap")
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"


def describe_obstacle(dungeon: Dungeon, obstacle: Obstacle) -> str:
    """Say what an obstacle is, where, and what is missing."""
    where = f"at {describe_place(dungeon, obstacle.beyond)}"
    if obstacle.kind == "goal":
        return f"the goal at {describe_place(dungeon, obstacle.place)}, where the game ends"
    if obstacle.kind == "block":
        return f"a block {where}"
    lacking = f", and no {' or '.join(obstacle.missing)} within reach" if obstacle.missing else ""
    if obstacle.gate is None:
        return f"water before {describe_place(dungeon, obstacle.place)}{lacking}"
    gate = dungeon.gates[obstacle.gate]
    if obstacle.beyond not in gate.cells:
        where = describe_ends(dungeon, obstacle.place, obstacle.beyond)
    name = f"{name_gate(gate)} {where}"
    if gate.kind == "lock":
        return f"{name}, with too few {gate.needs[0] + ' ' if gate.needs[0] else ''}keys"
    if gate.kind == "cracked":
        return f"{name}, with too few bombs"
    return f"{name}{lacking}"
