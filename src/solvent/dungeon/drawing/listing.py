"""List the rooms of a dungeon of which only the names are known, for a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from solvent.drawing.terminal import wrap
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import gate_is_open
from solvent.dungeon.events import describe_need, describe_pickup, describe_switch
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rules import Game


def list_rooms(dungeon: Dungeon, overlay: Overlay) -> str:
    """Return each room with what is in it and the ways out, with the numbers by which these are moves.

    `>` stands before rooms and ways of the walk, `+` before rooms that can be reached where that is not enough, `!`
    before rooms to beware of, `*` before the one to go to.
    """
    game = Game(dungeon)
    walk = overlay.walk
    visited = {*(walk.places if walk else ()), *overlay.path}
    taken = {move for move in walk.moves if move.isdigit()} if walk else set()
    inside = things_in_rooms(dungeon, overlay)
    lines: list[str] = []
    for floor, storey in enumerate(dungeon.floors):
        place = (floor, 0, 0)
        sign = ">" if place in visited else "+" if place in overlay.reach else " "
        sign = "!" if place in overlay.danger else "*" if place == overlay.target else sign
        things = f" ({', '.join(inside[place])})" if inside[place] else ""
        ways = "; ".join(
            f"{'>' if str(number) in taken else ''}{number} to {leads}"
            for number, leads in ways_out(game, overlay, place)
        )
        line = f"{sign} {storey.name or 'the room'}{things}{': ' if ways else ''}{ways}"
        # What begins with blanks would lose them when it is wrapped.
        first, *rest = wrap(f"|{line}", 79, indent="     ")
        lines += [first[1:], *rest]
    return "\n".join(line.rstrip() for line in lines)


def things_in_rooms(dungeon: Dungeon, overlay: Overlay) -> dict[Place, list[str]]:
    """Return what is in each room now, in words."""
    state = overlay.state
    inside: dict[Place, list[str]] = defaultdict(list)
    inside[state.place].append("you" if dungeon.played else "start")
    for goal in dungeon.goals:
        rule = dungeon.goal_rule
        inside[goal].append("goal" if rule is None else f"goal, needs {describe_requirement(rule)}")
    for number, pickup in enumerate(dungeon.pickups):
        if number not in state.taken:
            inside[pickup.place].append(describe_pickup(pickup, dungeon.rules.bombs_per_pickup))
    game = Game(dungeon)
    for number, switch in enumerate(dungeon.switches):
        now = game.switch_state(state, switch.name)
        inside[switch.place].append(describe_switch(switch, number, now="" if now in ("off", "on") else now))
    return inside


def ways_out(game: Game, overlay: Overlay, place: Place) -> Iterator[tuple[int, str]]:
    """Yield the number of each way out of a room, and where it leads and through what."""
    dungeon = game.dungeon
    for number in game.ways_from.get(place, ()):
        way = dungeon.ways[number]
        leads = dungeon.floors[way.target[0]].name
        leads += f" ({way.kind})" if way.kind != "door" else ""
        if way.gate is not None:
            opened = ", open now" if gate_is_open(game, way.gate, overlay.state) else ""
            leads += f", {describe_need(dungeon.gates[way.gate])}{opened}"
            leads += ", which stands in the way" if way.gate in overlay.shut else ""
        yield number, leads
