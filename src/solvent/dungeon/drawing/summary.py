"""Sum up a dungeon of which only the names of the rooms are known, in a few lines for a terminal.

With something to point at, as a hint has, that is where the player is, what is in hand and where the ways from there
lead; else what there is in all rooms together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from solvent.drawing.phrases import capitalised, counted, listed, numbers_sorted, plural
from solvent.drawing.terminal import wrap
from solvent.dungeon.drawing.listing import things_in_rooms, ways_out
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import captions_for
from solvent.dungeon.events import describe_pickup, describe_switch, room_name
from solvent.dungeon.model import Dungeon, Gate
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rules import Game, State

MAX_LISTED = 12
"""Rooms up to which they are listed all the same, where no hint follows."""
MAX_LISTED_FOR_HINT = 6
"""The same above a hint, which names the next room itself."""
_MAX_NAMED = 8
"""Rooms or ways that are named before the rest is only counted."""
_RULED = "gate with a rule of its own"


def sum_up(dungeon: Dungeon, overlay: Overlay) -> str:
    """Return lines for people, at most 80 columns wide."""
    head = [dungeon.title] if dungeon.title else []
    if overlay.path or overlay.target is not None or overlay.danger:
        lines = [*head, *_here(dungeon, overlay)]
    else:
        lines = [*head, *_all_rooms(dungeon, overlay)]
        lines += [] if overlay.walk is not None else captions_for(dungeon, overlay)
        lines += _here(dungeon, overlay) if dungeon.played else []
    return "\n".join(line for text in lines for line in wrap(text, indent="  "))


def _here(dungeon: Dungeon, overlay: Overlay) -> Iterator[str]:
    """Yield where the player is, what is in hand, and where the ways from there lead."""
    game, state = Game(dungeon), overlay.state
    room = room_name(dungeon, state.place) or "a room without a name"
    things = [thing for thing in things_in_rooms(dungeon, overlay)[state.place] if thing not in ("you", "start")]
    here = "" if dungeon.played else ", the start"
    yield f"You are in {room}{here}{f', with {listed(things)}' if things else ''}."
    yield f"In hand: {listed(in_hand(game, state)) or 'nothing'}."
    ways = [f"{number} to {leads}" for number, leads in ways_out(game, overlay, state.place)]
    if not ways:
        yield "No way leads out."
    elif len(ways) > _MAX_NAMED:
        yield f"Ways: {'; '.join(ways[:_MAX_NAMED])}; and {len(ways) - _MAX_NAMED} more."
    else:
        yield f"{plural(len(ways), 'Way')}: {'; '.join(ways)}."


def in_hand(game: Game, state: State) -> list[str]:
    """Return what the player has, in words."""
    dungeon = game.dungeon
    colours = {pickup.name for pickup in dungeon.pickups if pickup.kind == "key"} | {
        name for name, _ in game.rules.keys
    }
    keys = {colour: game.keys(state, colour) for colour in sorted(colours)}
    found = [counted(count, f"{colour} key".strip()) for colour, count in keys.items() if count]
    bombs = game.bombs(state)
    # Bombs without end go without saying where nothing asks for them.
    if bombs is None and any(gate.kind == "cracked" for gate in dungeon.gates):
        found.append("bombs without end")
    elif bombs:
        found.append(counted(bombs, "bomb"))
    items = {pickup.name for pickup in dungeon.pickups if pickup.kind == "item"} | set(game.rules.items)
    counts = {item: game.items(state, item) for item in sorted(items)}
    return found + [f"the {item}" if n == 1 else counted(n, item) for item, n in counts.items() if n]


def _all_rooms(dungeon: Dungeon, overlay: Overlay) -> Iterator[str]:
    """Yield what there is in all rooms together."""
    passages = {frozenset((way.source, way.target)) for way in dungeon.ways}
    goals = [dungeon.floors[goal[0]].name for goal in dungeon.goals]
    rooms = f"{counted(len(dungeon.floors), 'room')}, {counted(len(passages), 'passage')}"
    yield f"{rooms}; start in {_rooms([dungeon.floors[dungeon.start[0]].name])}, goal in {_rooms(goals)}."
    places: dict[str, list[str]] = defaultdict(list)
    for number, pickup in enumerate(dungeon.pickups):
        if number not in overlay.state.taken and pickup.kind != "monster":
            name = describe_pickup(pickup, dungeon.rules.bombs_per_pickup)
            places[name].append(dungeon.floors[pickup.place[0]].name)
    for switch in dungeon.switches:
        places[describe_switch(switch)].append(dungeon.floors[switch.place[0]].name)
    if places:
        yield capitalised("; ".join(f"{name} in {_rooms(found)}" for name, found in sorted(places.items()))) + "."
    monsters = {pickup.place for n, pickup in enumerate(dungeon.pickups) if pickup.kind == "monster"}
    if monsters:
        yield f"Monsters in {counted(len(monsters), 'room')}."
    gates = Counter(_kind(gate) for gate in dungeon.gates)
    if dungeon.goal_rule is not None:
        yield f"The goal needs {describe_requirement(dungeon.goal_rule)}."
    if gates:
        kinds = [_count(count, kind) for kind, count in sorted(gates.items())]
        yield f"{capitalised(listed(kinds))}."


def _count(number: int, kind: str) -> str:
    """Write `2 gates for ladder`."""
    if kind == _RULED:
        return counted(number, _RULED, "gates with rules of their own")
    noun, *rest = next((kind.split(word, 1) for word in (" for ", " of ") if word in kind), [kind])
    ending = kind[len(noun) :] if rest else ""
    return counted(number, noun) + ending


def _kind(gate: Gate) -> str:
    needs = listed(gate.needs)
    return {
        "lock": f"{needs} lock".strip(),
        "cracked": "cracked wall",
        "item": f"gate for {needs}",
        "barrier": f"barrier of {needs}",
        "soft": "shutter",
        "rule": _RULED,
    }[gate.kind]


def _rooms(names: list[str]) -> str:
    ordered = numbers_sorted(list(dict.fromkeys(names)))
    word = plural(len(ordered), "room") + " " if all(name[:1].isdigit() for name in ordered) else ""
    return word + listed(ordered, most=_MAX_NAMED)
