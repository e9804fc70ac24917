"""Say which tiles an answer rests on, for generators that make the level again with something else there.

Of a level that cannot be finished, those are the tiles that a player can reach and the tiles around them. The goal
stays out of reach in every level in which none of these tiles is *better* than it is here: a wall is no better than any
terrain, plain floor is no better than floor where something lies, a lock is no better than itself. For suppose that in
such a level a play leaves what is reached here. Make the same moves here: each step is open here too, whatever is taken
there is taken here, and what is spent here is spent there, so this level's player holds at least as much. So the first
step out is open here as well, and the tile would be reached. Locks that touch are one lock; whatever touches a reached
tile is blamed, so no locks within reach are joined that are apart here.

Where walls alone are to blame, anything may stand within them, but for one-ways through which nothing leads out.

Of a level that can be lost, the tiles of the walk that loses must stay as they are, and from its end the same holds.
The gates of the walk must stay as large as they are: what a key opens then is all that it opens here.

That is true where things only help, and each step depends on two tiles: not with switches, blocks, stairs, monsters,
doors that fall shut, or rules of one's own. There, what is reached and two tiles around it must stay as they are, which
is likely to be enough but not sure.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.judging import Blame, BlamedTile, Suggestion, Tile
from solvent.dungeon.describe_certificate import find_reach
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Place
from solvent.dungeon.notation.positions import TILE, Spot, find_positions
from solvent.dungeon.rules import Game, beside

_BLOCKING = frozenset((WALL, NOTHING))
_TERRAIN = frozenset((WALL, NOTHING, FLOOR, WATER, *ONE_WAYS))
START, GOAL, _TAKEN = "start", "goal", "taken"
_WALL_COST, _GATE_COST = 6, 2
"""How many steps a detour may take before it is shorter to break through a wall, or to have a gate opened."""
_ROUTES = 4
"""How many ways to the goal are suggested."""
_BARS, _SPENT, _WITHIN, _WALKED = range(4)
"""Which tiles are better to change: what bars the way, what a walk takes and opens, what is within reach, the rest."""


def tile_meanings(dungeon: Dungeon) -> dict[Tile, str]:
    """Return what each tile of a level with one map means: its terrain and all that stands there."""
    corner = _corner(dungeon)
    return {} if corner is None else _on_tiles(_meanings(dungeon), corner)


def tile_grounds(dungeon: Dungeon) -> dict[Tile, str]:
    """Return the terrain of each tile of a level with one map."""
    return {tile: meaning.partition("; ")[0] for tile, meaning in tile_meanings(dungeon).items()}


def _on_tiles(meanings: Mapping[Place, str], corner: tuple[int, int]) -> dict[Tile, str]:
    return {_tile(place, corner): meaning for place, meaning in meanings.items()}


def find_blame(dungeon: Dungeon, answer: Answer) -> Blame | None:
    """Return which tiles an answer rests on; None if its certificate does not show that tile by tile."""
    certificate, corner = answer.certificate, _corner(dungeon)
    if certificate is None or corner is None or dungeon.played:
        return None
    asked = (answer.question, answer.verdict, certificate["form"])
    if asked == ("solvable", Verdict.YES, "plan"):
        walk, states = certificate["plan"], None
    elif asked == ("solvable", Verdict.NO, "closed set"):
        walk, states = (), certificate["states"]
    elif asked == ("losable", Verdict.YES, "lost walk"):
        walk, states = certificate["walk"], certificate["states"]
    else:
        return None
    game = Game(dungeon)
    regions = _Regions(game)
    meanings = _meanings(dungeon)
    fixed = {state.place for state in game.walk(game.present_state(), walk)} | {dungeon.start}
    plain, reach, around, any_plain = _is_plain(dungeon), set[Place](), set[Place](), frozenset[str]()
    held_back, beside_gates = set[Place](), set[Place]()
    if plain:
        opened = [gate for gate in dungeon.gates if not fixed.isdisjoint(gate.cells)]
        fixed.update(cell for gate in opened for cell in gate.cells)
        beside_gates = set(_around(meanings, (cell for gate in opened for cell in gate.cells)))
    if states is not None:
        reach = regions.reach(certificate) if plain else find_reach(game, certificate)
        if not reach:
            return None
        if plain:
            ends = [dungeon.start, *(state.place for state in game.walk(game.present_state(), walk))]
            wide = regions.region(ends[-1], None)
            if wide.isdisjoint(dungeon.goals):  # walls alone are to blame, so nothing that lies within them helps
                reach, any_plain = wide, _plain_meanings(meanings)
                held_back = set(_held_back(meanings, wide))
        around = set(_around(meanings, reach)) - reach
        if not plain:
            around |= set(_around(meanings, around)) - reach

    gates = {meanings[cell] for gate in dungeon.gates for cell in gate.cells if cell in meanings}

    @cache
    def keeps(meaning: str, is_fixed: bool, gives: bool, apart: bool) -> frozenset[str]:
        found = frozenset((meaning,)) if is_fixed or not plain else _no_better(meaning)
        return (found | (any_plain if gives else frozenset())) - (gates if apart else frozenset()) | {meaning}

    def blamed(place: Place, group: int) -> BlamedTile:
        is_fixed, gives = place in fixed, group == _WITHIN and place not in held_back
        return BlamedTile(
            _tile(place, corner), keeps(meanings[place], is_fixed, gives, place in beside_gates), group=group
        )

    routes = _routes(dungeon, meanings, reach) if reach else []
    tiles = [blamed(place, _SPENT if dungeon.start != place and ";" in meanings[place] else _WALKED) for place in fixed]
    tiles += [blamed(place, _BARS) for place in around - fixed]
    tiles += [blamed(place, _WITHIN) for place in reach - fixed]
    apart = frozenset(_plain_meanings(meanings) - gates)
    tiles += [
        BlamedTile(_tile(place, corner), apart | {meanings[place]}, group=_WALKED)
        for place in beside_gates - fixed - around - reach
    ]
    order = {place: number for number, place in enumerate(place for route in routes for place in route)}
    tiles.sort(key=lambda each: (each.group, order.get((0, each.tile[1], each.tile[0]), len(order)), each.tile))
    free = [_tile(place, corner) for place in sorted(reach - fixed) if meanings[place] == FLOOR]
    gifts = [
        Suggestion(
            [[BlamedTile(tile, frozenset(), wants=meaning) for tile in free]],
            [_tile(place, corner) for place in elsewhere],
        )
        for meaning, elsewhere in _gifts(dungeon, meanings, reach, routes)
    ]
    ways = [Suggestion([[blamed(place, _BARS)] for place in route]) for route in routes]
    return Blame(tiles, plain, [*gifts, *ways], _on_tiles(meanings, corner))


def _corner(dungeon: Dungeon) -> tuple[int, int] | None:
    """Return the column and row of the first tile on its map; None if there are several floors."""
    if len(dungeon.floors) > 1:
        return None
    positions = find_positions(dungeon)
    if positions is None or positions.map is None:
        return 0, 0
    return positions.find(Spot(TILE, (0, 0, 0))).tile


def _tile(place: Place, corner: tuple[int, int]) -> Tile:
    return place[2] + corner[0], place[1] + corner[1]


def _meanings(dungeon: Dungeon) -> dict[Place, str]:
    """Return what each place means: its terrain letter, and whatever stands on it."""
    found = {
        (number, row, column): letter
        for number, floor in enumerate(dungeon.floors)
        for row, letters in enumerate(floor.terrain)
        for column, letter in enumerate(letters)
    }
    for place, thing in _things(dungeon):
        if place in found:
            found[place] += f"; {thing}"
    return found


def _things(dungeon: Dungeon) -> Iterator[tuple[Place, str]]:
    yield dungeon.start, START
    yield from ((place, GOAL) for place in dungeon.goals)
    for pickup in dungeon.pickups:
        yield pickup.place, f"{_TAKEN} {(pickup.kind, pickup.name, pickup.count, pickup.rule, pickup.renews)!r}"
    for gate in dungeon.gates:
        thing = repr((gate.kind, gate.needs, gate.open_at_first, gate.rule))
        yield from ((cell, thing) for cell in gate.cells)
    for switch in dungeon.switches:
        yield switch.place, repr((switch.kind, switch.name, switch.sets, switch.rule))
    yield from ((block.place, "block") for block in dungeon.blocks)
    for way in dungeon.ways:
        yield way.source, repr(("way", way.target, way.gate))
        yield way.target, repr(("from", way.source, way.gate))


def _is_plain(dungeon: Dungeon) -> bool:
    """Tell whether things only help, and each step depends on the two tiles it is between."""
    rules = dungeon.rules
    return (
        not (dungeon.switches or dungeon.blocks or dungeon.ways or dungeon.closed or dungeon.dials)
        and dungeon.goal_rule is None
        and all(gate.kind in ("lock", "cracked", "item") and gate.rule is None for gate in dungeon.gates)
        and all(one.kind != "monster" and one.rule is None and not one.renews for one in dungeon.pickups)
        and (rules.home, rules.player, rules.crossing) == ("never", "any", "any")
    )


def _no_better(meaning: str) -> frozenset[str]:
    """Return the meanings that help a player of a plain dungeon no more than this one, in any way."""
    terrain, _, things = meaning.partition("; ")
    only_taken = all(thing.startswith(_TAKEN) for thing in things.split("; ") if things)
    return (_TERRAIN if terrain == FLOOR and only_taken else _BLOCKING) | {meaning}


def _held_back(meanings: Mapping[Place, str], places: set[Place]) -> Iterator[Place]:
    """Yield the one-ways among places from which something else might lead out, onto what is no wall."""
    for place in places:
        if meanings[place].partition("; ")[0] in ONE_WAYS and any(
            meanings[near].partition("; ")[0] not in _BLOCKING
            for near in _around(meanings, [place])
            if near not in places
        ):
            yield place


def _plain_meanings(meanings: Mapping[Place, str]) -> frozenset[str]:
    """Return all that stands somewhere in a plain dungeon, but for its start and its goals."""
    found = (meaning for meaning in meanings.values() if not {START, GOAL} & set(meaning.split("; ")))
    return _TERRAIN.union(found)


class _Regions:
    """Find where a player of a plain dungeon gets, with each step of the terrain looked up once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._landings: dict[Place, list[tuple[Place, bool]]] = {}

    def reach(self, certificate: Certificate) -> set[Place]:
        """Return all places where a player may stand in the situations of a certificate."""
        regions: dict[Any, set[Place]] = {}
        waived = certificate.get("waived") or ()
        for situation in certificate["states"]:
            place, has = (
                tuple(situation["at"]),
                tuple(frozenset(situation.get(what, ())) for what in ("items", "opened")),
            )
            region = regions.setdefault(has, set())
            if place not in region:  # whatever is reached from there is in it otherwise
                region |= self.region(place, situation, waived)
        return set().union(*regions.values())

    def region(self, first: Place, situation: Mapping[str, Any] | None, waived: Iterable[int] = ()) -> set[Place]:
        """Return where a player gets in a situation without spending anything; in none, as if they had all there is."""
        dungeon, rules, gate_at = self.game.dungeon, self.game.rules, self.game.gate_at
        if situation is None:
            items = {pickup.name for pickup in dungeon.pickups if pickup.kind == "item"}
            opened = set(range(len(dungeon.gates)))
        else:
            items = set(situation.get("items", ()))
            opened = {*situation.get("opened", ()), *waived}
        items.update(rules.items)

        def is_open(number: int) -> bool:
            gate = dungeon.gates[number]
            if number in opened:
                return True
            if gate.kind == "item":
                return items.issuperset(gate.needs)
            return not rules.keys_counted if gate.kind == "lock" else rules.bombs is None

        shut = {place for place, number in gate_at.items() if not is_open(number)}
        found, waiting = {first}, [first]
        while waiting:
            here = waiting.pop()
            if here not in self._landings:
                landings = (self.game.landing(here, direction) for direction in STEPS)
                self._landings[here] = [landing for landing in landings if landing is not None]
            for near, is_wet in self._landings[here]:
                if near not in found and near not in shut and not (is_wet and rules.water not in items):
                    found.add(near)
                    waiting.append(near)
        return found


def _around(meanings: Mapping[Place, object], places: Iterable[Place]) -> Iterator[Place]:
    for place in places:
        for direction in STEPS:
            near = beside(place, direction)
            if near in meanings:
                yield near


def _routes(dungeon: Dungeon, meanings: Mapping[Place, str], reach: set[Place]) -> list[list[Place]]:
    """Return a few ways from what is reached to a goal, each as the tiles on it that are not open; short ones first."""
    gates = {cell for gate in dungeon.gates for cell in gate.cells}
    steps = {
        place: 1 if meaning == FLOOR else (_GATE_COST if place in gates else _WALL_COST)
        for place, meaning in meanings.items()
    }
    nearby: dict[Place, tuple[Place, ...]] = {}
    routes: list[list[Place]] = []
    for _ in range(_ROUTES):
        route = _route(dungeon, reach, steps, nearby)
        shut = [place for place in route if meanings[place] != FLOOR and place not in dungeon.goals]
        if not shut:
            break
        for place in shut:
            steps[place] += _WALL_COST
        beginning = [place for number, place in enumerate(shut) if number == route.index(place) - route.index(shut[0])]
        routes += [each for each in (shut, beginning) if each not in routes]
    return routes


def _gifts(
    dungeon: Dungeon, meanings: Mapping[Place, str], reach: set[Place], routes: list[list[Place]]
) -> Iterator[tuple[frozenset[str], list[Place]]]:
    """Yield what would open a gate on the cheapest way if it lay within reach, and where such things lie out of it."""
    needs: set[tuple[str, str]] = set()
    for gate in dungeon.gates:
        if routes and routes[0][0] in gate.cells:
            names = ("",) if gate.kind == "cracked" else gate.needs
            needs |= {({"lock": "key", "cracked": "bombs"}.get(gate.kind, "item"), name) for name in names}
    for kind, name in sorted(needs):
        lying = [one.place for one in dungeon.pickups if (one.kind, one.name) == (kind, name)]
        wants = frozenset(meanings[place] for place in lying)
        elsewhere = [place for place in lying if place not in reach]
        if wants:
            yield wants, []
            yield from ((wants, [place]) for place in elsewhere[:_ROUTES])


def _route(
    dungeon: Dungeon,
    reach: set[Place],
    steps: Mapping[Place, int],
    nearby: dict[Place, tuple[Place, ...]],
) -> list[Place]:
    """Return the cheapest way out of reach to a goal, by what a step onto each place costs; `nearby` is filled."""
    best: dict[Place, int] = dict.fromkeys(sorted(reach), 0)
    came: dict[Place, Place] = {}
    waiting = [(0, place) for place in best]
    goals = frozenset(dungeon.goals)
    while waiting:
        cost, place = heapq.heappop(waiting)
        if place in goals:
            way = [place]
            while way[-1] in came:
                way.append(came[way[-1]])
            return way[-2::-1]  # without the tile within reach
        if cost > best[place]:
            continue
        if place not in nearby:
            nearby[place] = tuple(_around(steps, [place]))
        for near in nearby[place]:
            further = cost + steps[near]
            if further < best.get(near, 1 << 30):
                best[near], came[near] = further, place
                heapq.heappush(waiting, (further, near))
    return []
