"""What can never be reached, what is in the way, and what else could be reached if keys were no issue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import capitalised, counted
from solvent.dungeon.events import describe_place
from solvent.dungeon.explaining.having import Having
from solvent.dungeon.explaining.land import (
    Land,
    Thing,
    as_json,
    describe_things,
    listing,
    look_at,
    name_rooms,
    pickups_among,
    runs_of,
    things_leapt_over,
    things_on,
)
from solvent.dungeon.explaining.reach import Reach, explore_reach
from solvent.dungeon.model import WATER, Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.solver.barriers import describe_barriers, describe_missing_way
from solvent.dungeon.solver.flags import Flags, chosen, flags_of, join_pairs, only_in, opposite
from solvent.dungeon.solver.obstacles import (
    Obstacle,
    describe_obstacle,
    describe_wrong_ways,
    obstacles_between,
    stocks_within,
)

MAX_SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Hold one part of a dungeon that no player ever sees."""

    cells: Flags
    things: tuple[tuple[str, str, Place], ...]
    obstacles: tuple[Obstacle, ...]
    """What bars the moves into it from where players come; empty if no move leads there."""


def find_hidden(land: Land, reach: Reach) -> list[Hidden]:
    """Return the parts that can never be reached: goals first, then those that hold something, then the largest.

    Water that no player crosses, gates, blocks and where blocks come to rest are no part of their own.
    """
    ground = land.ground
    seen = reach.cells if reach.exact else reach.at_most
    never = opposite(seen)
    inner = ground.cells.arcs_between(never, never)
    sources, targets = memoryview(ground.cells.source), memoryview(ground.cells.target)
    parts = join_pairs(ground.cells.nodes, ((sources[arc], targets[arc]) for arc in inner), land.meter)
    by_part: dict[int, list[int]] = {}
    for cell in land.meter.each(chosen(never)):
        by_part.setdefault(parts[cell], []).append(cell)
    niches = {rest.node for rest in ground.cells.rests if rest.value}

    def wet(cell: int) -> bool:
        return ground.game.terrain(ground.place(cell)) == WATER

    found = []
    for cells in land.meter.each(by_part.values(), every=1):
        flags = flags_of(cells, len(never))
        things = tuple(things_on(land, flags, seen))
        plain = (cell for cell in land.meter.each(cells) if land.is_plain[cell] and cell not in niches)
        dry = any(not wet(cell) for cell in plain)
        if dry or things:
            found.append(Hidden(flags, things, tuple(obstacles_between(ground, seen, flags, land.meter))))

    def weight(part: Hidden) -> tuple[int, ...]:
        goals = sum(kind == "goal" for kind, _, _ in part.things)
        return -goals, -len(part.things), -part.cells.count(1)

    return sorted(found, key=weight)


def describe_hidden(
    land: Land, reach: Reach, hidden: list[Hidden], having: Having
) -> tuple[list[str], list[dict[str, object]]]:
    """Return what can never be reached as lines for people and as JSON values."""
    lines: list[str] = []
    data: list[dict[str, object]] = []
    seen = reach.cells if reach.exact else reach.at_most
    stocks = stocks_within(land.ground, land.state, seen, land.meter)
    for part in land.meter.each(hidden, every=1):
        rooms = name_rooms(land, part.cells, reach.cells)
        named = {describe_place(land.dungeon, place) for _, _, place in part.things}
        what = listing(
            [*describe_things(land, part.things), *(room for room in rooms if room not in named)]
        ) or counted(part.cells.count(1), "tile")
        barred = [describe_obstacle(land.dungeon, obstacle, stocks) for obstacle in part.obstacles]
        if not barred:
            wrong = describe_wrong_ways(land.ground, part.cells, seen, land.meter)
            barred = [wrong] if wrong else []
        why = listing(barred, 4) if barred else _describe_surroundings(land, part, seen)
        if len(lines) < MAX_SHOWN:
            lines.append(f"{what[0].upper()}{what[1:]}: {why}.")
        data.append(
            {
                "rooms": rooms,
                "where": runs_of(land, part.cells),
                "things": as_json(part.things),
                "tiles": part.cells.count(1),
                "because": barred,
                "gates": [obstacle.gate for obstacle in part.obstacles if obstacle.gate is not None],
                "missing": sorted({item for obstacle in part.obstacles for item in obstacle.missing}),
            }
        )
    nothing: dict[str, object] = {"rooms": [], "where": [], "tiles": 0, "because": [], "gates": [], "missing": []}
    for thing, why in _never_there(land, hidden, having):
        lines.append(f"{capitalised(listing(describe_things(land, [thing])))}: {why}.")
        data.append({**nothing, "because": [why], "things": as_json([thing])})
    if leapt := things_leapt_over(land):
        what = listing(describe_things(land, leapt))
        lines.append(f"{what[0].upper()}{what[1:]}: you leap over the water, so what lies on it stays there.")
        data.append({**nothing, "things": as_json(leapt)})
    lying = [number for number in range(len(land.dungeon.pickups)) if number not in land.state.taken]
    if len(hidden) > MAX_SHOWN:
        lines.append(f"And {len(hidden) - MAX_SHOWN} more places.")
    if not reach.exact:
        lines.append("Not every situation was looked at: more may be out of reach.")
    elif any(having.is_open(land.dungeon, number) for number in lying):
        lines.append("Whether everything that appears can be had was not established.")
    elif not data:
        lines.append("Nothing: every place and thing can be reached.")
    return lines, data


def _never_there(land: Land, hidden: list[Hidden], having: Having) -> Iterator[tuple[Thing, str]]:
    """Yield what no play takes although its place can be reached, and why, once for each."""
    out_of_reach = {thing for part in hidden for thing in part.things}
    for number in sorted(having.never - land.state.taken):
        pickup = land.dungeon.pickups[number]
        for thing in pickups_among(land, [number]):
            if thing not in out_of_reach and land.ground.cell(pickup.place) >= 0:
                needs = "" if pickup.rule is None else f" (needs {describe_requirement(pickup.rule)})"
                yield thing, f"never there for you to take{needs}"


def _describe_surroundings(land: Land, part: Hidden, seen: Flags) -> str:
    """Say what lies around a part to which no move leads."""
    there = [land.ground.place(cell) for cell in chosen(part.cells)]
    if all(is_single_tile(land.dungeon, floor) for floor in {place[0] for place in there}):
        return "nothing leads there"
    here = [land.ground.place(cell) for cell in land.meter.each(chosen(seen))]
    if missing := describe_missing_way(land.dungeon, here, there):
        return f"no way leads {missing}"
    barriers = describe_barriers(land.dungeon, here, there, land.meter)
    return f"{barriers} all around" if barriers else "nothing leads there"


def without_counting(
    land: Land, reach: Reach, questions: SubQuestions[Dungeon]
) -> tuple[list[str], dict[str, Any], list[tuple[Dungeon, Certificate]]]:
    """Answer both questions with locks that open without keys, and bombs without end; say what else is within reach."""
    rules = land.dungeon.rules
    counted = [
        gate
        for gate in land.dungeon.gates
        if (gate.kind == "lock" and rules.keys_counted) or (gate.kind == "cracked" and rules.bombs is not None)
    ]
    if not counted:
        return ["No lock takes a key and no wall takes a bomb, so nothing changes."], {}, []
    free = replace(land.dungeon, rules=replace(rules, keys_counted=False, bombs=None))
    lines, certificates = [], []
    data: dict[str, Any] = {}
    for question, words in (("solvable", "be finished"), ("losable", "be lost")):
        finding = questions.ask(free, question)
        data[question] = finding.verdict.value
        if finding.certificate is not None:
            certificates.append((free, finding.certificate))
        if finding.verdict is Verdict.UNKNOWN:
            lines.append(f"Whether it could {words} is not known: {finding.reason}.")
        else:
            lines.append(f"It could {'' if finding.verdict is Verdict.YES else 'not '}{words}.")
    there = look_at(free, questions.meter)
    # Cells are numbered alike: terrain is the same.
    more = only_in(explore_reach(there, questions).cells, reach.cells)
    if not reach.exact:
        return lines, data, certificates
    rooms, things = name_rooms(land, more, reach.cells), things_on(land, more)
    data |= {"rooms": rooms, "things": as_json(things)}
    also = listing([*describe_things(land, things), *rooms])
    lines.append(f"Then also within reach: {also}." if also else "Nothing more would be within reach.")
    return lines, data, certificates
