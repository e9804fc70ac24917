"""Dungeons joined behind one hub room, and hubs of locked cells: large levels made of parts that share little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import solvent
from benchmarks.dungeon_levels import LevelClass
from solvent.dungeon.model import FLOOR, Block, Dungeon, Floor, Gate, Pickup, Place, Room, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble

GOALS = ("last", "any", "trophies")
"""What wins: the goal of the last part; the goal of any part; a room behind a gate that needs a trophy of each part."""


def join_parts(parts: Sequence[Dungeon], *, shared_keys: bool, goal: str = "last") -> Dungeon:
    """Return a dungeon in which each part hangs at a hub of a single tile, by a way there and a way back.

    Without `shared_keys`, every part has keys of its own colours; switches, rooms and items other than what crosses
    water are its own in any case.
    What the parts' rules let a player carry is carried from the start; the other rules are those of the first part.
    """
    assert goal in GOALS, goal
    hub: Place = (0, 0, 0)
    floors = [Floor("hub", (FLOOR,))]
    pickups: list[Pickup] = []
    gates: list[Gate] = []
    switches: list[Switch] = []
    blocks: list[Block] = []
    ways: list[Way] = []
    rooms: list[Room] = []
    goals: list[Place] = []
    keys: dict[str, int] = {}
    items: list[str] = []
    for number, part in enumerate(parts, 1):
        first = len(floors)
        own = f"part {number} "

        def moved(place: Place, first: int = first) -> Place:
            return (place[0] + first, *place[1:])

        def colour(name: str, own: str = own) -> str:
            return name if shared_keys else f"{own}{name}".strip()

        def item(name: str, own: str = own) -> str:
            return name if name == parts[0].rules.water else own + name  # what crosses water does so everywhere

        def needs(gate: Gate, own: str = own) -> tuple[str, ...]:
            if gate.kind == "lock":
                return (colour(gate.needs[0], own),)
            return tuple(sorted(item(name, own) for name in gate.needs))

        floors += (replace(floor, name=f"{own}{floor.name}".strip()) for floor in part.floors)
        pickups += (
            replace(
                pickup,
                place=moved(pickup.place),
                name=colour(pickup.name, own)
                if pickup.kind == "key"
                else item(pickup.name, own)
                if pickup.kind == "item"
                else pickup.name,
            )
            for pickup in part.pickups
        )
        switches += (Switch(moved(switch.place), own + switch.name) for switch in part.switches)
        blocks += (replace(block, place=moved(block.place)) for block in part.blocks)
        ways += (
            replace(
                way,
                source=moved(way.source),
                target=moved(way.target),
                gate=None if way.gate is None else way.gate + len(gates),
            )
            for way in part.ways
        )
        gates += (
            replace(gate, needs=needs(gate), cells=tuple(map(moved, gate.cells)), name=f"{own}{gate.name}".strip())
            for gate in part.gates
        )
        rooms += (replace(room, name=own + room.name, corner=moved(room.corner)) for room in part.rooms)
        mouth = moved(part.start)
        ways += (Way(hub, mouth, "door"), Way(mouth, hub, "door"))
        for name, count in part.rules.keys:
            keys[colour(name, own)] = keys.get(colour(name, own), 0) + count
        items += (item(name, own) for name in part.rules.items)
        if goal == "trophies":
            pickups += (Pickup(moved(place), "item", f"trophy {number}") for place in part.goals)
        elif goal == "any" or number == len(parts):
            goals += map(moved, part.goals)
    if goal == "trophies":
        gates.append(Gate("item", tuple(sorted(f"trophy {number}" for number in range(1, len(parts) + 1)))))
        ways.append(Way(hub, (len(floors), 0, 0), "door", len(gates) - 1))
        goals.append((len(floors), 0, 0))
        floors.append(Floor("treasury", (FLOOR,)))
    rules = replace(
        parts[0].rules,
        keys=tuple(sorted((name, count) for name, count in keys.items() if count)),
        items=tuple(sorted(set(items))),
    )
    return assemble(
        DungeonParts(
            floors,
            starts=[hub],
            goals=goals,
            pickups=pickups,
            gates=gates,
            switches=switches,
            blocks=blocks,
            ways=ways,
            rooms=rooms,
            rules=rules,
            title=f"{len(parts)} dungeons behind a hub",
        )
    )


def quest_classes(folder: Path, count: int) -> Iterator[LevelClass]:
    """Yield so many dungeons of Zelda's first quest, or as many generated ones, joined; each wins in several ways.

    The room graphs lie beside the folder of the maps; without them, only generated ones are yielded.
    """
    graphs = [folder.parent / "Graph Processed" / f"LoZ_{number}.dot" for number in range(1, count + 1)]
    sources = {"Zelda": [solvent.load(path) for path in graphs]} if all(path.is_file() for path in graphs) else {}
    sources["generated"] = [
        solvent.generate("dungeon", rooms=30, locks=6, losable=seed % 2 == 0, seed=seed) for seed in range(count)
    ]
    for name, parts in sources.items():
        for keys in ("own", "shared"):
            levels = {goal: join_parts(parts, shared_keys=keys == "shared", goal=goal) for goal in GOALS}
            yield LevelClass(f"{len(parts)} × {name}, {keys} keys", levels)


def locked_hub(locks: int, keys: int, *, spare: int = 0) -> Dungeon:
    """Return a hall with so many locked cells, the goal in the last, and so many keys, all but `spare` of them outside.

    With `spare`, the first cells hold a key each.
    """
    width = 2 * locks + 1
    hall, cells = "." * width, ".#" * locks + "#"
    gates = [Gate("lock", ("",), ((0, 1, 2 * number),)) for number in range(locks)]
    pickups = [Pickup((0, 0, 1 + number), "key") for number in range(keys - spare)]
    pickups += [Pickup((0, 2, 2 * number), "key") for number in range(spare)]
    return assemble(
        DungeonParts(
            [Floor("", (hall, cells, cells))],
            starts=[(0, 0, 0)],
            goals=[(0, 2, 2 * locks - 2)],
            pickups=pickups,
            gates=gates,
            title=f"a hub of {locks} locks and {keys} keys",
        )
    )
