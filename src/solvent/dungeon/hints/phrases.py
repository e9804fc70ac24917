"""Put moves into words for a player: what a move does, where that is, and where to look for it."""

from __future__ import annotations

from solvent.dungeon.events import WORDS_FOR_STEPS, name_gate, name_pickup, name_place
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.rules import Game, State, inside


def say_deed(game: Game, before: State, move: str, after: State, worth: frozenset[int]) -> str:
    """Say what a move does, as an order: `take a key at 3,8`. Of pickups only those that are worth it are named."""
    dungeon = game.dungeon
    here = f" at {say_place(dungeon, after.place)}"
    passing = here if move.isalpha() else f" {say_ends(dungeon, before.place, after.place)}"
    parts: list[tuple[str, str]] = []
    for number in sorted(after.opened - before.opened):
        gate = dungeon.gates[number]
        parts.append((f"{'open' if gate.kind == 'lock' else 'blast'} {name_gate(gate)}", passing))
    parts += [(f"go through {name_gate(dungeon.gates[n])}", passing) for n in sorted(after.fallen - before.fallen)]
    parts += [
        (f"push the block {WORDS_FOR_STEPS[now]}", here)
        for was, now in zip(before.moved, after.moved, strict=True)
        if was != now
    ]
    found = [dungeon.pickups[number] for number in sorted((after.taken - before.taken) & worth)]
    things = [name_pickup(pickup, game.rules.bombs_per_pickup) for pickup in found if pickup.kind != "monster"]
    if things:
        parts.append((f"take {' and '.join(things)}", here))
    monsters = len(found) - len(things)
    if monsters:
        parts.append(("beat a monster" if monsters == 1 else f"beat {monsters} monsters", here))
    parts += [(f"turn {name} {'on' if name in after.on else 'off'}", here) for name in sorted(after.on ^ before.on)]
    if game.is_won(after):
        parts.append(("reach the goal", here))
    if not parts:
        parts.append(("step onto", passing.removeprefix(" at")) if move.isalpha() else (_way(dungeon, move), passing))
    return _join(parts)


def _way(dungeon: Dungeon, move: str) -> str:
    return f"take the {dungeon.ways[int(move)].kind}"


def _join(parts: list[tuple[str, str]]) -> str:
    """Join deeds, and say the place only once where it is the same."""
    said = []
    for index, (deed, place) in enumerate(parts):
        again = index + 1 < len(parts) and parts[index + 1][1] == place
        said.append(deed if again else deed + place)
    return ", ".join(said)


def say_place(dungeon: Dungeon, place: Place) -> str:
    """Say where a place is: floor, row and column, and the room; by its name alone where that is all there is."""
    name = name_place(dungeon, place, {})
    room = room_name(dungeon, place)
    return name if not room or is_single_tile(dungeon, place[0]) else f"{name} ({room})"


def say_gate(dungeon: Dungeon, number: int) -> str:
    """Say what a gate is, and where it stands unless it has a name of its own."""
    gate = dungeon.gates[number]
    if gate.name:
        return gate.name
    if gate.cells:
        return f"{name_gate(gate)} at {say_place(dungeon, gate.cells[0])}"
    ends = next(((way.source, way.target) for way in dungeon.ways if way.gate == number), None)
    return name_gate(gate) if ends is None else f"{name_gate(gate)} {say_ends(dungeon, *ends)}"


def say_ends(dungeon: Dungeon, source: Place, target: Place) -> str:
    """Say from where to where a way leads; by the rooms, if these are two."""
    rooms = room_name(dungeon, source), room_name(dungeon, target)
    if all(rooms) and rooms[0] != rooms[1]:
        return f"from {rooms[0]} to {rooms[1]}"
    return f"from {say_place(dungeon, source)} to {say_place(dungeon, target)}"


def room_name(dungeon: Dungeon, place: Place) -> str:
    """Return what to call the room around a place; empty if the dungeon gives it no name."""
    name = next((room.name for room in dungeon.rooms if inside(place, room)), "")
    if not name and is_single_tile(dungeon, place[0]):
        name = dungeon.floors[place[0]].name
    return f"room {name}" if name[:1].isdigit() else name


def say_where(dungeon: Dungeon, here: Place, there: Place) -> str:
    """Say where to look, without giving the way away."""
    room = room_name(dungeon, there)
    if room:
        return f"Look around in {room}." if room == room_name(dungeon, here) else f"Look in {room}."
    if here[0] != there[0]:
        return f"Look on another floor: {dungeon.floors[there[0]].name or there[0] + 1}."
    down, right = there[1] - here[1], there[2] - here[2]
    if not down and not right:
        return "Look around here."
    # A direction that hardly counts beside the other is left out.
    upright = "" if 3 * abs(down) < abs(right) else "south" if down > 0 else "north"
    level = "" if 3 * abs(right) < abs(down) else "east" if right > 0 else "west"
    return f"Look to the {'-'.join(word for word in (upright, level) if word)}."


def capital(text: str) -> str:
    """Return a text that begins a sentence."""
    return text[:1].upper() + text[1:]
