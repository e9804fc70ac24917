"""Check that no goal of a dungeon can be reached, that a plan reaches one, or that a walk loses. Plain Python.

    python closed_set.py STATEMENT.json

Prints VERIFIED and what was shown, and exits with 0, or says what is wrong and exits with 1. Nothing of Solvent is
used.

The rules of play are in `play`, `pass_gate` and `holds`. A state is where the player stands, the numbers of the pickups
they took, and the world: what was opened, fell shut, was switched or pushed. No rule ever bars a move because something
was taken. So whatever a player can do, a player with more could do as well, to the same effect on the world.

A closed set is a list of states. Each stands for all states with the same world in which no more was taken, at any
place that moves lead to which change nothing else. It shows that no goal can be reached if it holds the first state,
and every move from it stays in it and ends on no goal. Gates that are `waived` stand open in it: what cannot be done
then cannot be done with the gates in place, as long as no rule asks about keys or bombs in hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
ONE_WAYS = {"^": "N", ">": "E", "v": "S", "<": "W"}
KEYS = {
    "level": "floors start goals goal_rule pickups gates ways switches dials blocks rooms rules played",
    "rules": "keys bombs items keys_counted water crossing soft push blocks home",
    "pickup": "place kind name count rule",
    "gate": "kind needs cells open_at_first rule",
    "way": "source target gate",
    "switch": "place name kind sets reach rule",
    "state": "place has world",
}
WORDS = {
    "pickup": ("key", "bombs", "item", "monster"),
    "gate": ("lock", "cracked", "item", "barrier", "soft", "rule"),
    "switch": ("plate", "held", "lever"),
    "crossing": ("any", "one"),
    "soft": ("open", "clear", "shut"),
    "push": ("once", "on", "never"),
    "blocks": ("stay", "reset"),
    "home": ("never", "always"),
}
Place = tuple[int, int, int]
"""Floor, row and column, from 0; row 0 is the northernmost."""
World = frozenset[tuple[str, Any, Any]]
"""What is not as it was at first: kind (`opened`, `fallen`, `switch`, `block`), number or name, and how it is now."""


class Wrong(Exception):
    """Say why a statement is not accepted."""


class State(NamedTuple):
    """Hold everything that moves can change."""

    place: Place
    has: frozenset[int]
    world: World


def require(condition: object, fault: str) -> None:
    """Raise Wrong unless something holds."""
    if not condition:
        raise Wrong(fault)


def record(data: Any, keys: str) -> Any:
    """Return an object with named fields; there must be these keys and no others, for nothing may go unread."""
    require(isinstance(data, dict), f"expected an object with the keys {keys}")
    odd = set(keys.split()) ^ set(data)
    require(not odd, f"unknown or missing: {', '.join(sorted(odd))}; expected the keys {keys}")
    return SimpleNamespace(**data)


class Level:
    """Hold a level, read with care: what is not known is an error."""

    def __init__(self, data: Any, waived: Iterable[int] = ()) -> None:
        level = record(data, KEYS["level"])
        self.rules = record(level.rules, KEYS["rules"])
        for rule in ("crossing", "soft", "push", "blocks", "home"):
            require(getattr(self.rules, rule) in WORDS[rule], f"unknown rule {rule}={getattr(self.rules, rule)}")
        require(type(self.rules.keys_counted) is bool and type(self.rules.items) is tuple, "unknown rules")
        self.start, self.goals, self.played = level.start, set(level.goals), level.played
        self.goal_rule, self.rooms, self.blocks, self.dials = level.goal_rule, level.rooms, level.blocks, level.dials
        self.pickups = [record(pickup, KEYS["pickup"]) for pickup in level.pickups]
        self.gates = [record(gate, KEYS["gate"]) for gate in level.gates]
        self.ways = [record(way, KEYS["way"]) for way in level.ways]
        self.switches = [record(switch, KEYS["switch"]) for switch in level.switches]
        for word, things in (("pickup", self.pickups), ("gate", self.gates), ("switch", self.switches)):
            for thing in things:
                require(thing.kind in WORDS[word], f"unknown {word}: {thing.kind}")
        for pickup in self.pickups:
            require(type(pickup.count) is int and pickup.count >= 0, "expected a whole number in each pickup")
        things = [*self.pickups, *self.gates, *self.switches]
        asked = [leaf for rule in (self.goal_rule, *(thing.rule for thing in things)) for leaf in leaves(rule)]
        for number in waived:
            require(number in range(len(self.gates)), "there is no such gate to waive")
            require(self.gates[number].kind in ("lock", "cracked", "item"), "a gate is waived that cannot be")
            require(
                not {"key", "bombs"} & {what for kind, what, *_ in asked if kind == "have"}, "no gate can be waived"
            )
            self.gates[number] = SimpleNamespace(
                **vars(self.gates[number]) | {"kind": "item", "needs": (), "rule": None}
            )
        self.tiles: dict[Place, str] = {
            (floor, row, column): letter
            for floor, rows in enumerate(level.floors)
            for row, letters in enumerate(rows)
            for column, letter in enumerate(letters)
        }
        require(set(self.tiles.values()) <= set("# .~^>v<"), "unknown terrain")
        cells = [(cell, number) for number, gate in enumerate(self.gates) for cell in gate.cells]
        self.gate_at = dict(cells)
        require(len(self.gate_at) == len(cells), "two gates stand on one tile")
        lying = {pickup.place for pickup in self.pickups}
        ends = {end for way in self.ways for end in (way.source, way.target)}
        plates = {switch.place for switch in self.switches if switch.kind == "plate"}
        self.cluttered = {*self.gate_at, *self.goals, *self.blocks, *lying, *ends, *plates}
        places = {self.start, *self.cluttered, *(place for switch in self.switches for place in switch.reach)}
        require(places <= set(self.tiles), "something is not on the map")
        gates = {way.gate for way in self.ways} - {None}
        require(gates <= set(range(len(self.gates))), "a way names a gate that is not there")
        self.lying: dict[Place, list[int]] = {}
        for number, pickup in enumerate(self.pickups):
            self.lying.setdefault(pickup.place, []).append(number)

    def tile(self, place: Place) -> str:
        """Return the terrain of a place: `#` wall, space nothing, `.` floor, `~` water, or one-way."""
        return self.tiles.get(place, " ")

    def inside(self, place: Place, room: str) -> bool:
        """Tell whether a place lies in a room."""
        floor, top, left, height, width = self.rooms[room]
        return place[0] == floor and place[1] - top in range(height) and place[2] - left in range(width)


def leaves(rule: Any, *, barred: bool = False) -> Iterator[Any]:
    """Yield what a requirement asks about; raise Wrong where it is not known, or asks for something not to be had."""
    if rule is None:
        return
    kind, *parts = rule
    if kind in ("all", "any", "not"):
        require(kind != "not" or len(parts) == 1, "expected one part of a requirement that says not")
        for part in parts:
            yield from leaves(part, barred=barred or kind == "not")
    else:
        require(kind in ("have", "cleared", "switch"), f"unknown requirement: {kind}")
        require(kind != "have" or parts[0] in ("item", "key", "bombs"), f"unknown requirement: have {parts[0]}")
        require(kind == "switch" or not barred, "a requirement asks not to have something")
        yield rule


def look(world: World, kind: str, key: Any, default: Any) -> Any:
    """Return how something is now; the default is how it was at first."""
    return next((value for one, other, value in world if one == kind and other == key), default)


def put(world: World, kind: str, key: Any, value: Any, default: Any = None) -> World:
    """Return the world with something changed."""
    rest = frozenset(entry for entry in world if entry[:2] != (kind, key))
    return rest if value == default else rest | {(kind, key, value)}


def in_hand(level: Level, state: State, what: str, name: str) -> float:
    """Return how many items of a name, keys of a colour, or bombs there are."""
    rules = level.rules
    taken = [level.pickups[number] for number in state.has]
    found: float = sum(pickup.count for pickup in taken if pickup.kind == what and pickup.name == name)
    if what == "item":
        return found + (name in rules.items)
    if not rules.keys_counted if what == "key" else rules.bombs is None:
        return float("inf")
    opened = [level.gates[number] for kind, number, _ in state.world if kind == "opened"]
    if what == "bombs":
        found += rules.bombs - sum(gate.kind == "cracked" for gate in opened)
    else:
        found += rules.keys.get(name, 0) - sum(gate.kind == "lock" and gate.needs[0] == name for gate in opened)
    return found


def block_on(level: Level, state: State, place: Place) -> int | None:
    """Return the number of the block on a place."""
    blocks = enumerate(level.blocks)
    return next((number for number, home in blocks if look(state.world, "block", number, home) == place), None)


def switch_state(level: Level, state: State, name: str) -> str:
    """Return the state of a switch; one that is held is on while the player or a block is on one of its plates."""
    plates = [switch.place for switch in level.switches if switch.kind == "held" and switch.name == name]
    if plates:
        on = any(place == state.place or block_on(level, state, place) is not None for place in plates)
        return "on" if on else "off"
    return str(look(state.world, "switch", name, level.dials.get(name, ("off", "on"))[0]))


def turn(level: Level, world: World, switch: Any) -> World:
    """Return the world after a plate or a lever has turned its switch: to the state it sets, or else to the next."""
    states = level.dials.get(switch.name, ("off", "on"))
    now = states.index(look(world, "switch", switch.name, states[0]))
    return put(world, "switch", switch.name, switch.sets or states[(now + 1) % len(states)], states[0])


def is_cleared(level: Level, state: State, room: str) -> bool:
    """Tell whether all monsters of a room are beaten."""
    pickups = enumerate(level.pickups)
    return all(n in state.has for n, one in pickups if one.kind == "monster" and level.inside(one.place, room))


def holds(level: Level, state: State, rule: Any) -> bool:
    """Tell whether a requirement holds for a player who stands where the state says."""
    if rule is None:
        return True
    kind, *parts = rule
    if kind == "have":
        what, name, count = parts
        return in_hand(level, state, what, name) >= int(count)
    if kind == "switch":
        return switch_state(level, state, parts[0]) == str(parts[1])
    if kind == "cleared":
        return is_cleared(level, state, parts[0])
    met = [holds(level, state, part) for part in parts]
    return not met[0] if kind == "not" else all(met) if kind == "all" else any(met)


def pass_gate(level: Level, state: State, number: int) -> World | None:
    """Return the world after a gate was passed, or None if it cannot be."""
    gate, world = level.gates[number], state.world
    if gate.kind in ("lock", "cracked"):
        what, name = ("key", gate.needs[0]) if gate.kind == "lock" else ("bombs", "")
        supply = in_hand(level, state, what, name)
        if supply == float("inf") or look(world, "opened", number, default=False):
            return world
        return put(world, "opened", number, value=True) if supply >= 1 else None
    if gate.kind == "item":
        passed = all(in_hand(level, state, "item", name) for name in gate.needs)
    elif gate.kind == "barrier":  # one whose switch has states of its own never counts as on
        on = gate.needs[0] not in level.dials and switch_state(level, state, gate.needs[0]) == "on"
        passed = on != gate.open_at_first
    elif gate.kind == "soft" and level.rules.soft == "shut":
        return None if look(world, "fallen", number, default=False) else put(world, "fallen", number, value=True)
    elif gate.kind == "soft" and level.rules.soft == "clear":
        passed = not level.inside(state.place, gate.needs[0]) or is_cleared(level, state, gate.needs[0])
    else:
        passed = True
    return world if passed else None


def beside(place: Place, direction: str) -> Place:
    """Return the next place in a direction."""
    return place[0], place[1] + STEPS[direction][0], place[2] + STEPS[direction][1]


def step(level: Level, state: State, direction: str) -> tuple[Place, bool] | None:
    """Return where a step leads, and whether it leads over water; None if the terrain bars it."""
    if ONE_WAYS.get(level.tile(state.place), direction) != direction:
        return None
    target, leaps = beside(state.place, direction), False
    if level.tile(target) == "~":
        if not in_hand(level, state, "item", level.rules.water):
            return None
        if level.rules.crossing == "one":
            target, leaps = beside(target, direction), True
    letter = level.tile(target)
    if letter in "# " or (leaps and letter == "~") or ONE_WAYS.get(letter, direction) != direction:
        return None
    return target, leaps


def play(level: Level, state: State, move: str) -> State | None:
    """Return the state after a move, or None if it is not legal.

    A move is a letter of STEPS, the number of a way, `u` and the number of a lever, or `r` for the return to the start.
    """
    gate, can_push = None, False
    if state.place in level.goals:
        return None
    if move in STEPS:
        stepped = step(level, state, move)
        if stepped is None:
            return None
        target, can_push = stepped[0], not stepped[1]
    elif move == "r":
        if level.rules.home != "always" or state.place == level.start:
            return None
        target = level.start
    elif not move.removeprefix("u").isdecimal():
        return None
    elif move.startswith("u"):
        lever = level.switches[int(move[1:])]
        if lever.kind != "lever" or state.place not in lever.reach or not holds(level, state, lever.rule):
            return None
        return take(level, state.place, state.has, turn(level, state.world, lever))
    else:
        way = level.ways[int(move)]
        if way.source != state.place:
            return None
        target, gate = way.target, way.gate
    if target in level.goals and not holds(level, state, level.goal_rule):
        return None
    world = state.world
    for number in dict.fromkeys((gate, level.gate_at.get(target))):  # one that is met twice is passed once
        if number is not None:
            if not holds(level, state, level.gates[number].rule):
                return None
            passed = pass_gate(level, state._replace(world=world), number)
            if passed is None:
                return None
            world = passed
    block = block_on(level, state, target)
    if block is not None:
        if not can_push or not can_be_pushed(level, state, block, move):
            return None
        world = put(world, "block", block, beside(target, move), level.blocks[block])
    if level.rules.blocks == "reset":
        for room in level.rooms:
            if level.inside(state.place, room) and not level.inside(target, room):
                for number, home in enumerate(level.blocks):
                    world = put(world, "block", number, home, home) if level.inside(home, room) else world
    for switch in level.switches:
        if switch.kind == "plate" and switch.place == target:
            world = turn(level, world, switch)
    return take(level, target, state.has, world)


def can_be_pushed(level: Level, state: State, block: int, direction: str) -> bool:
    """Tell whether a step pushes a block: the place behind it must be its first one, or bare floor."""
    home, push = level.blocks[block], level.rules.push
    now = look(state.world, "block", block, home)
    behind = beside(now, direction)
    if push == "never" or (push == "once" and now != home) or block_on(level, state, behind) is not None:
        return False
    return push == "on" if behind == home else level.tile(behind) == "." and behind not in level.cluttered


def take(level: Level, place: Place, has: frozenset[int], world: World) -> State:
    """Return the state with all taken that is there; one thing may make another appear."""
    state = State(place, has, world)
    lying = level.lying.get(place, ())
    while more := {n for n in lying if n not in state.has and holds(level, state, level.pickups[n].rule)}:
        state = state._replace(has=state.has | more)
    return state


def follow(level: Level, state: State, moves: Iterable[str], what: str) -> Iterator[State]:
    """Yield a state and the one after each of some moves; raise Wrong if one is not legal."""
    yield state
    for number, move in enumerate(moves, start=1):
        after = play(level, state, move)
        if after is None:
            raise Wrong(f"move {number} of {what} is not legal: {move} at {state.place}")
        state = after
        yield state


def moves_at(level: Level, place: Place) -> Iterator[str]:
    """Yield all moves that may be legal at a place."""
    yield from (*STEPS, "r")
    yield from (str(number) for number, way in enumerate(level.ways) if way.source == place)
    yield from (f"u{number}" for number, switch in enumerate(level.switches) if place in switch.reach)


def check_closed_set(level: Level, start: State, states: Iterable[Any]) -> None:
    """Raise Wrong unless the states show that no goal can be reached from the start."""
    require(start.place not in level.goals, "the player stands on a goal")
    held: dict[World, list[tuple[frozenset[int], set[Place]]]] = {}
    results = {start}
    for data in states:
        read = record(data, KEYS["state"])
        state = State(read.place, frozenset(read.has), frozenset(read.world))
        require(state.has <= set(range(len(level.pickups))), "a state has something that is not there")
        places, waiting = {state.place}, [state.place]
        while waiting:
            here = state._replace(place=waiting.pop())
            for move in moves_at(level, here.place):
                after = play(level, here, move)
                if after is None or (after.place in places and after[1:] == here[1:]):
                    continue
                require(after.place not in level.goals, f"a goal is reached by {move} from {here}")
                if after[1:] == here[1:]:
                    places.add(after.place)
                    waiting.append(after.place)
                else:
                    results.add(after)
        held.setdefault(state.world, []).append((state.has, places))
    for state in results:
        found = any(state.has <= has and state.place in places for has, places in held.get(state.world, ()))
        require(found, f"the set does not hold {state}")


def check(statement: Any) -> str:
    """Return what the statement shows, or raise Wrong."""
    statement = frozen(statement)
    require(isinstance(statement, dict) and statement.get("game") == "dungeon", "expected a statement about a dungeon")
    form = "plan" if "plan" in statement else "walk" if "walk" in statement else "set"
    keys = {"plan": "plan", "set": "waived states", "walk": "walk rescue waived states"}[form]
    told = record(statement, f"game level {keys}")
    level = Level(told.level)
    beginning = take(level, level.start, frozenset(), frozenset())
    *_, state = follow(level, beginning, level.played, "those played")
    if form == "plan":
        *_, end = follow(level, state, told.plan, "the plan")
        require(end.place in level.goals, "the plan does not end on a goal")
        return "the plan reaches a goal"
    if form == "walk":
        *before, end = follow(level, state, told.walk, "the walk")
        require(told.walk or not told.rescue, "a walk of no moves has no rescue")
        if before:
            *_, rescued = follow(level, before[-1], told.rescue, "the rescue")
            require(rescued.place in level.goals, "the rescue does not end on a goal")
        state = end
    for number in told.waived:
        state = state._replace(world=put(state.world, "opened", number, value=None))
    check_closed_set(Level(told.level, told.waived), state, told.states)
    return "no goal can be reached" + (" after the walk" if form == "walk" else "")


def frozen(data: Any) -> Any:
    """Return JSON with tuples for lists, so that places can be looked up."""
    if isinstance(data, dict):
        return {key: frozen(value) for key, value in data.items()}
    return tuple(map(frozen, data)) if isinstance(data, list) else data


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON that says no key twice."""
    require(len(dict(pairs)) == len(pairs), "a key is said twice")
    return dict(pairs)


def main() -> int:
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        print("usage: python closed_set.py STATEMENT.json")
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            shown = check(json.load(file, object_pairs_hook=without_doubles))
    except (Wrong, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OSError) as error:
        print(f"NOT VERIFIED: {error}")
        return 1
    print(f"VERIFIED: {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
