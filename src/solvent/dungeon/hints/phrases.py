"""Describe moves to a player: what a move does, where that is, and where to look for it."""

from __future__ import annotations

from solvent.dungeon.events import (
    describe_ends,
    describe_place,
    is_near,
    lever_of,
    list_actions,
    locate,
    room_name,
    way_of,
)
from solvent.dungeon.model import RETURN, Dungeon, Place
from solvent.dungeon.rules import Game, State


def describe_action(game: Game, before: State, move: str, after: State, worth: frozenset[int]) -> str:
    """Say what a move does, as an order: `take a key at row 3, column 8`. Only pickups that are worth it are named."""
    dungeon = game.dungeon
    here = f" {locate(dungeon, after.place)}"
    way, lever = way_of(dungeon, move), lever_of(dungeon, move)
    passing = here if way is None else f" {describe_ends(dungeon, before.place, after.place)}"
    parts = [
        (action, passing if on_the_way else here)
        for action, on_the_way in list_actions(game, before, after, move=move, worth=worth, orders=True)
    ]
    if lever is not None:
        from_here = "" if is_near(lever.place, after.place) else f", from {describe_place(dungeon, after.place)}"
        parts[0] = parts[0][0], f" {locate(dungeon, lever.place)}{from_here}"
    elif move == RETURN:
        parts[0] = parts[0][0], ""
    pressed = _plates_pressed(game, before, after)
    parts = [(action, f" {locate(dungeon, pressed[action])}" if action in pressed else at) for action, at in parts]
    if not parts:
        return (
            f"go to {describe_place(dungeon, after.place)}"
            if way is None
            else f"take the {dungeon.ways[way].kind}{passing}"
        )
    joined = []
    for index, (action, place) in enumerate(parts):  # a place that several share is named once
        again = index + 1 < len(parts) and parts[index + 1][1] == place
        joined.append(action if again else action + place)
    return ", ".join(joined)


def _plates_pressed(game: Game, before: State, after: State) -> dict[str, Place]:
    """Return for each plate that a block comes to hold down the order to do so, as `list_actions` has it, and where."""
    return {
        f"hold {name} down": plate
        for name, plates in game.held_plates.items()
        for plate in sorted(plates)
        if game.block_on(after, plate) is not None and game.block_on(before, plate) is None
    }


def describe_direction(dungeon: Dungeon, here: Place, there: Place) -> str:
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
