"""Say where in a dungeon's file stands what an answer is about, the most telling place first.

Of a walk that loses, that is the move of no return, then what it spends or takes. Of a dungeon that cannot be finished,
it is what bars the way first, in the order in which the answer names it. What the certificate does not show cheaply is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec.structs import asdict

from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.location import Location
from solvent.dungeon.derived import about, collected
from solvent.dungeon.describe_certificate import find_reach, gates_at_edge
from solvent.dungeon.events import describe_ends, describe_place, name_all, replay, way_of
from solvent.dungeon.model import USE, Dungeon, Place
from solvent.dungeon.notation.positions import (
    BLOCK,
    GATE,
    GOAL,
    NOWHERE,
    PICKUP,
    SWITCH,
    TILE,
    WAY,
    Spot,
    find_positions,
)
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.obstacles import Obstacle, cells_towards_goal, obstacles_between

MAX_LOCATIONS = 8
"""More would not be read."""


def locate(dungeon: Dungeon, answer: Answer) -> list[Location]:
    """Return where stands what the answer is about; of a PASS nothing."""
    spots = list(dict.fromkeys(_find_spots(dungeon, answer)))[:MAX_LOCATIONS]
    if not spots:
        return []
    positions = find_positions(dungeon)
    found: dict[Location, None] = {}  # a block and the tile it stands on may be one place
    for spot in spots:
        position = NOWHERE if positions is None else positions.find(spot)
        found[Location(description=_describe(dungeon, spot), **asdict(position))] = None
    return list(found)


def _describe(dungeon: Dungeon, spot: Spot) -> str:
    if spot.what == WAY:
        way = dungeon.ways[spot.number]
        return describe_ends(dungeon, way.source, way.target)
    return describe_place(dungeon, spot.place)


def _find_spots(dungeon: Dungeon, answer: Answer) -> Iterator[Spot]:
    certificate = answer.certificate
    if answer.question == "losable":
        if answer.verdict is Verdict.YES and certificate is not None:
            yield from _spots_of_loss(dungeon, certificate)
        return
    if answer.verdict is not Verdict.NO:
        return
    if answer.question == "collectable":
        yield from _spots_of_clash(dungeon, answer)
    elif certificate is not None and answer.question == "accessible":
        for proof in certificate["proofs"]:
            yield from _spots_out_of_reach(dungeon, proof)
    elif certificate is not None and answer.question == "monotone":
        yield from _spots_of_taking(dungeon, certificate)
    elif answer.question == "solvable":
        yield from _spots_in_the_way(dungeon, certificate)


def _goals(dungeon: Dungeon) -> list[Spot]:
    return [Spot(GOAL, goal) for goal in dungeon.goals]


# Walks


def _spots_of_loss(dungeon: Dungeon, certificate: Certificate) -> Iterator[Spot]:
    game = Game(dungeon)
    moves = certificate["walk"]
    if not moves:
        yield from _spots_in_the_way(dungeon, certificate)
        return
    walk = replay(game, game.present_state(), moves, "walk")
    before = replay(game, game.present_state(), moves[:-1], "walk").end
    yield Spot(TILE, walk.places[-2])
    yield from _spots_of_move(dungeon, before, walk.end, moves[-1])


def _spots_of_move(dungeon: Dungeon, before: State, after: State, move: str) -> Iterator[Spot]:
    """Yield what a move opens, shuts, works, pushes and takes, or else where it leads."""
    found: list[Spot] = []
    way = way_of(dungeon, move)
    for number in sorted((after.opened - before.opened) | (after.fallen - before.fallen)):
        cells = dungeon.gates[number].cells
        if after.place in cells:
            found.append(Spot(GATE, after.place, number))
        elif way is not None and dungeon.ways[way].gate == number:
            found.append(Spot(WAY, dungeon.ways[way].source, way))
        elif cells:
            found.append(Spot(GATE, before.place if before.place in cells else cells[0], number))
    if move.startswith(USE):
        number = int(move.removeprefix(USE))
        found.append(Spot(SWITCH, dungeon.switches[number].place, number))
    if after.moved != before.moved:
        found += [
            Spot(BLOCK, dungeon.blocks[number].place, number)
            for number, (old, new) in enumerate(zip(before.moved, after.moved, strict=True))
            if old != new
        ]
    found += [Spot(PICKUP, dungeon.pickups[number].place, number) for number in sorted(after.taken - before.taken)]
    if not found and way is not None:
        found.append(Spot(WAY, dungeon.ways[way].source, way))
    if not found and after.place != before.place:
        found.append(Spot(TILE, after.place))
    yield from found


def _spots_of_taking(dungeon: Dungeon, certificate: Certificate) -> Iterator[Spot]:
    """Yield what is better left where it lies, then what it puts out of reach."""
    game, moves, lost = Game(dungeon), certificate["walk"], certificate["lost"]
    before = replay(game, game.present_state(), moves[:-1], "walk").end
    after = replay(game, game.present_state(), moves, "walk").end
    yield from (Spot(PICKUP, dungeon.pickups[number].place, number) for number in sorted(after.taken - before.taken))
    if isinstance(lost, int) and 0 <= lost < len(dungeon.pickups):
        yield Spot(PICKUP, dungeon.pickups[lost].place, lost)
    else:
        yield from _goals(dungeon)


# What is out of reach


def _spots_in_the_way(dungeon: Dungeon, certificate: Certificate | None) -> Iterator[Spot]:
    """Yield what bars the way to the goal first, as far as the situations of a proof tell; else the goals."""
    spots: list[Spot] = []
    if certificate is not None and certificate.get("states"):
        reach = find_reach(Game(dungeon), certificate)
        spots = [_spot_of_obstacle(dungeon, each) for each in _obstacles(dungeon, reach)] if reach else []
    yield from spots or _goals(dungeon)


def _obstacles(dungeon: Dungeon, reach: set[Place]) -> Sequence[Obstacle]:
    ground = ground_level(dungeon)
    reached = bytearray(ground.cells.nodes)
    for place in reach:
        cell = ground.cell(place)
        if cell >= 0:
            reached[cell] = 1
    return obstacles_between(ground, reached, cells_towards_goal(ground, reached))


def _spot_of_obstacle(dungeon: Dungeon, obstacle: Obstacle) -> Spot:
    if obstacle.kind in ("goal", "goal rule", "closed"):
        return Spot(GOAL, obstacle.place if obstacle.kind == "goal" else obstacle.beyond)
    if obstacle.kind == "block":
        place = obstacle.block or obstacle.beyond
        number = next((at for at, block in enumerate(dungeon.blocks) if block.place == place), -1)
        return Spot(TILE, place) if number < 0 else Spot(BLOCK, place, number)
    if obstacle.gate is None:
        return Spot(TILE, obstacle.beyond)
    if obstacle.beyond in dungeon.gates[obstacle.gate].cells:
        return Spot(GATE, obstacle.beyond, obstacle.gate)
    return _spot_of_gate(dungeon, obstacle.gate, obstacle.place, obstacle.beyond)


def _spot_of_gate(dungeon: Dungeon, gate: int, source: Place, target: Place) -> Spot:
    """Return the way from one place to another that a gate bars."""
    for number, way in enumerate(dungeon.ways):
        if (way.gate, way.source, way.target) == (gate, source, target):
            return Spot(WAY, source, number)
    return Spot(TILE, target)


def _spots_out_of_reach(dungeon: Dungeon, proof: Certificate) -> Iterator[Spot]:
    """Yield what no play gets to, then the gates at the edge of what players reach."""
    numbers: Sequence[int] = proof["locations"]
    yield from (Spot(PICKUP, dungeon.pickups[number].place, number) for number in numbers)
    if not numbers:
        yield from _spots_in_the_way(dungeon, proof)
    elif proof["states"]:
        asked = about(dungeon, numbers)
        reach = find_reach(Game(asked), proof)
        own = replace(asked, gates=asked.gates[: len(dungeon.gates)])  # without those that only the question added
        for number, where in gates_at_edge(own, reach):
            if not isinstance(where, int):
                yield Spot(GATE, where, number)
            elif where < len(dungeon.ways) and own.ways[where] == dungeon.ways[where]:
                yield Spot(WAY, dungeon.ways[where].source, where)


def _spots_of_clash(dungeon: Dungeon, answer: Answer) -> Iterator[Spot]:
    """Yield the things that the answer names as those of which no play has all; the goals where it names none."""
    said, found = answer.because, []
    for number in sorted(collected(dungeon), key=lambda number: -len(dungeon.pickups[number].name)):
        name = name_all(dungeon, [number])
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said):
            found.append(number)
    spots = [Spot(PICKUP, dungeon.pickups[number].place, number) for number in sorted(found)]
    yield from spots or _goals(dungeon)
