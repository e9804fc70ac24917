"""Say what is still closed at the edge of what can be reached, once every situation is known.

These are facts that cost next to nothing: which gates no player ever passed there, and how many keys are within reach
for how many locks. Why no way leads further is another question, which takes trials: see `explaining.reasons`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import counted, listed
from solvent.dungeon.events import describe_ends, describe_place, name_gate, name_key
from solvent.dungeon.model import ONE_WAYS, STEPS, Dungeon, Place
from solvent.dungeon.rules import BOMBS, State, beside, resource_of
from solvent.dungeon.solver.barriers import are_in_the_way, describe_barriers, describe_missing_way
from solvent.dungeon.solver.distances_kernel import Distances
from solvent.dungeon.solver.exploring import Exploration, reached_cells
from solvent.dungeon.solver.flags import Flags, chosen, only_in
from solvent.dungeon.solver.ground import FIRST_WAY, Ground
from solvent.dungeon.solver.layout import spends
from solvent.dungeon.solver.mechanics import Demand
from solvent.dungeon.solver.pacing import in_pieces

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
MAX_NAMED = 4
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
    block: Place | None = None
    """Where the block in the way stands now; it may be pushed from there to where it bars the way."""


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
    dungeon = ground.dungeon
    moved = ground.game.present_state(meter).moved if dungeon.played and dungeon.blocks else ()
    found: dict[object, Obstacle] = {}
    meter.checkpoint()
    for arc in meter.each(ground.cells.arcs_between(reached, only_in(beyond, reached)), every=100):
        obstacle = _obstacle(ground, arc, held, moved)
        key = obstacle.gate if obstacle.gate is not None else (obstacle.kind, obstacle.block or obstacle.beyond)
        found.setdefault("water" if obstacle.kind == "water" else key, obstacle)
    return list(found.values())


def gates_of_arc(ground: Ground, arc: int) -> Iterator[int]:
    """Yield the numbers of the gates that a move meets."""
    move = ground.cells.move[arc]
    way = ground.way_of(move)
    own = None if way is None else ground.dungeon.ways[way].gate
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


def _obstacle(ground: Ground, arc: int, held: set[str], moved: Sequence[str]) -> Obstacle:
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
        if numbers:
            return Obstacle(dungeon.gates[numbers[0]].kind, here, there, numbers[0])
        return Obstacle("goal rule" if there in ground.game.goals else "closed", here, there)
    # Nothing else can bar a move for good: the block stands there, or came to rest there.
    return Obstacle("block", here, there, block=_block_in_the_way(ground, here, there, moved))


def _block_in_the_way(ground: Ground, here: Place, there: Place, moved: Sequence[str]) -> Place:
    """Return where the block stands now that bars the step: there, or where it will have been pushed from."""
    block_at = ground.game.block_at

    def stands(place: Place) -> bool:
        return place in block_at and not (moved and moved[block_at[place]])

    around = {direction: beside(there, OPPOSITE[direction]) for direction in STEPS}
    rests = (
        any(place in block_at and moved[block_at[place]] == way for way, place in around.items()) if moved else False
    )
    if stands(there) or rests:
        return there
    return next((place for place in (here, *around.values()) if stands(place)), there)


class Stock(Struct, frozen=True):
    """Count keys of a colour, or bombs, and what they open, as far as players can come."""

    things: int
    """In hand or lying within reach."""
    gates: int
    """Locks or cracked walls that players come to, those that can be opened included."""


def stocks_within(ground: Ground, state: State, reached: Flags, meter: Meter = UNLIMITED) -> dict[str, Stock]:
    """Return the stock of each resource, by its name."""
    dungeon, game = ground.dungeon, ground.game
    met = {number for arc in meter.each(ground.cells.arcs_that_ask(reached)) for number in gates_of_arc(ground, arc)}
    gates: dict[str, int] = {}
    for number in met - state.opened:
        if spends(dungeon, number):
            name = resource_of(dungeon.gates[number].kind, "".join(dungeon.gates[number].needs))
            gates[name] = gates.get(name, 0) + 1
    things = {name: game.keys(state, name.removeprefix("key").strip()) for name in gates if name != BOMBS}
    things |= {BOMBS: game.bombs(state) or 0} if BOMBS in gates else {}
    for number, pickup in enumerate(meter.each(dungeon.pickups)):
        name, cell = resource_of(pickup.kind, pickup.name), ground.cell(pickup.place)
        is_meant = pickup.kind in ("key", "bombs") and name in things
        if is_meant and number not in state.taken and cell >= 0 and reached[cell]:
            things[name] += pickup.count or (dungeon.rules.bombs_per_pickup if name == BOMBS else 0)
    return {name: Stock(things[name], count) for name, count in gates.items()}


def describe_obstacles(exploration: Exploration, state: State, meter: Meter = UNLIMITED) -> str:
    """Return a sentence or two on what is still closed on the way to the goal from a state."""
    ground = exploration.ground
    dungeon = ground.dungeon
    reached = reached_cells(exploration, meter)
    beyond = cells_towards_goal(ground, reached, meter=meter)
    obstacles = obstacles_between(ground, reached, beyond, meter)
    if not obstacles:
        no = "Even with every gate open, no" if dungeon.gates else "No"
        return f"{no} way leads {_describe_separation(ground, reached, beyond, meter)}."
    stocks = stocks_within(ground, state, reached, meter)
    shown = [describe_obstacle(dungeon, obstacle, stocks) for obstacle in obstacles[:MAX_NAMED]]
    more = "" if len(obstacles) <= MAX_NAMED else f"; and {len(obstacles) - MAX_NAMED} more"
    closed = f"First in the way: {'; '.join(shown)}{more}."
    own = {_resource(dungeon, obstacle) for obstacle in obstacles}
    if any(name in stocks and stocks[name].things < stocks[name].gates for name in own):
        return closed
    short = [describe_stock(dungeon, name, stock) for name, stock in sorted(stocks.items()) if _is_short(stock)]
    return f"{closed} Within reach: {', '.join(short)}." if short else closed


def _describe_separation(ground: Ground, reached: Flags, beyond: Flags, meter: Meter) -> str:
    """Say to where no way leads past any gate, and why; begins with `to` or `from`."""
    dungeon = ground.dungeon
    wrong = describe_wrong_ways(ground, beyond, reached, meter)
    if wrong:
        return f"to the goal: {wrong}"
    here = [ground.place(cell) for cell in meter.each(chosen(reached))]
    missing = describe_missing_way(dungeon, here, dungeon.goals)
    if missing:
        return f"{missing}, where the goal is"
    barriers = describe_barriers(dungeon, here, dungeon.goals, meter)
    return f"to the goal: {are_in_the_way(barriers)}" if barriers else "to the goal"


def _is_short(stock: Stock) -> bool:
    return stock.things < stock.gates


def _resource(dungeon: Dungeon, obstacle: Obstacle) -> str:
    gate = None if obstacle.gate is None else dungeon.gates[obstacle.gate]
    return resource_of(gate.kind, "".join(gate.needs)) if gate is not None and gate.kind in ("lock", "cracked") else ""


def describe_stock(dungeon: Dungeon, name: str, stock: Stock) -> str:
    """Write `1 red key for 2 red locks`."""
    thing, opens = "bomb", "cracked wall"
    if name != BOMBS:
        thing = name_key(dungeon, name.removeprefix("key").strip())
        opens = f"{thing.removesuffix('key')}lock"
    return f"{counted(stock.things, thing) if stock.things else f'no {thing}'} for {counted(stock.gates, opens)}"


MAX_WRONG_WAYS = 3
MAX_CELLS_FOLLOWED = 50_000
"""How far one-way passages are followed; further would take longer than the sentence is worth."""


def _cells_from(ground: Ground, first: Flags, besides: Flags, meter: Meter) -> Flags:
    """Return the cells that lead on from some if every gate were open, without those `besides`."""
    found = bytearray(first)
    waiting = chosen(first)[:MAX_CELLS_FOLLOWED]
    first_arc, target = memoryview(ground.cells.first_arc), memoryview(ground.cells.target)
    for cell in meter.each(waiting):  # grows while it is walked through
        if len(waiting) > MAX_CELLS_FOLLOWED:
            break
        for arc in range(first_arc[cell], first_arc[cell + 1]):
            there = target[arc]
            if not found[there] and not besides[there]:
                found[there] = 1
                waiting.append(there)
    return found


def describe_wrong_ways(ground: Ground, beyond: Flags, reached: Flags, meter: Meter = UNLIMITED) -> str:
    """Say which passages lead only from beyond to where players come; empty if there are none, or too far to find."""
    dungeon = ground.dungeon
    ways: dict[str, None] = {}
    tiles: dict[Place, None] = {}
    leading_out = _cells_from(ground, only_in(beyond, reached), reached, meter)
    for arc in meter.each(ground.cells.arcs_between(leading_out, reached), every=100):
        here, there = ground.place(ground.cells.source[arc]), ground.place(ground.cells.target[arc])
        move = ground.cells.move[arc]
        way = ground.way_of(move)
        if way is not None:
            ways[f"the {dungeon.ways[way].kind} {describe_ends(dungeon, here, there)}"] = None
        elif move < FIRST_WAY:
            tiles.update({place: None for place in (here, there) if ground.game.terrain(place) in ONE_WAYS})
    named = [*ways, *(f"the one-way tile at {describe_place(dungeon, place)}" for place in tiles)]
    if not named:
        return ""
    leads = "lead" if len(named) > 1 or named[0].startswith("the stairs ") else "leads"
    return f"{listed(named, MAX_WRONG_WAYS)} {leads} only the other way"


def describe_obstacle(dungeon: Dungeon, obstacle: Obstacle, stocks: Mapping[str, Stock]) -> str:
    """Say what an obstacle is, where, and what is missing."""
    where = f"at {describe_place(dungeon, obstacle.beyond)}"
    if obstacle.kind == "goal":
        return f"the goal at {describe_place(dungeon, obstacle.place)}, where the game ends"
    if obstacle.kind == "goal rule":
        return f"what the goal {where} needs"
    if obstacle.kind == "closed":
        return f"the goal {where}, where the game ends"
    if obstacle.kind == "block":
        return f"a block at {describe_place(dungeon, obstacle.block or obstacle.beyond)}"
    lacking = f", and no {' or '.join(obstacle.missing)} within reach" if obstacle.missing else ""
    if obstacle.gate is None:
        return f"water before {describe_place(dungeon, obstacle.place)}{lacking}"
    gate = dungeon.gates[obstacle.gate]
    if obstacle.beyond not in gate.cells:
        where = describe_ends(dungeon, obstacle.place, obstacle.beyond)
    stock = stocks.get(_resource(dungeon, obstacle))
    if stock is not None and _is_short(stock):
        lacking = f", with {describe_stock(dungeon, _resource(dungeon, obstacle), stock)} within reach"
        if not stock.things:
            thing = "bomb" if gate.kind == "cracked" else name_key(dungeon, gate.needs[0])
            lacking = f", and no {thing} within reach"
    return f"{name_gate(gate)} {where}{lacking}"
