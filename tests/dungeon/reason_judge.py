"""Judge reasons by brute force: change the dungeon as a reason says, and look at every state.

Nothing here comes from the code under test but the model: changes are made anew, and states are those of the twin.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from torture.judges.dungeon import TooLarge, Twin, all_states, first_state
from torture.judges.dungeon.rulebook import beside

from solvent.dungeon.model import FLOOR, ONE_WAYS, STEPS, Dungeon, Gate, Place, Way

PLENTY = 50
Json = dict[str, Any]


def can_finish(dungeon: Dungeon, most: int = 60_000) -> bool:
    """Tell whether a goal can be reached, or raise TooLarge."""
    twin, first = Twin(dungeon), first_state(dungeon)
    found, waiting = {first}, deque([first])
    while waiting:
        state = waiting.popleft()
        if twin.is_won(state):
            return True
        for move in twin.moves:
            after = twin.step(state, move)
            if after is not None and after not in found:
                found.add(after)
                waiting.append(after)
        if len(found) > most:
            raise TooLarge(f"more than {most} states")
    return False


def with_more(dungeon: Dungeon, kind: str, colour: str, count: int) -> Dungeon:
    """Return the dungeon with more keys or bombs carried."""
    rules = dungeon.rules
    if kind == "bombs":
        return replace(dungeon, rules=replace(rules, bombs=(rules.bombs or 0) + count))
    keys = dict(rules.keys)
    keys[colour] = keys.get(colour, 0) + count
    return replace(dungeon, rules=replace(rules, keys=tuple((c, n) for c, n in sorted(keys.items()) if n)))


def without(dungeon: Dungeon, *, gates: Collection[int] = (), blocks: Collection[int] = ()) -> Dungeon:
    """Return the dungeon with gates and blocks taken away."""
    number_after: dict[int | None, int | None] = {None: None}
    kept: list[Gate] = []
    for number, gate in enumerate(dungeon.gates):
        number_after[number] = None if number in gates else len(kept)
        kept += [] if number in gates else [gate]
    return replace(
        dungeon,
        gates=tuple(kept),
        ways=tuple(replace(way, gate=number_after[way.gate]) for way in dungeon.ways),
        blocks=tuple(block for number, block in enumerate(dungeon.blocks) if number not in blocks),
    )


def with_floor(dungeon: Dungeon, places: Collection[Place]) -> Dungeon:
    """Return the dungeon with plain floor on some places."""
    floors = [
        replace(
            floor,
            terrain=tuple(
                "".join(FLOOR if (storey, row, column) in places else letter for column, letter in enumerate(line))
                for row, line in enumerate(floor.terrain)
            ),
        )
        for storey, floor in enumerate(dungeon.floors)
    ]
    return replace(dungeon, floors=tuple(floors))


def with_way_back(dungeon: Dungeon, number: int) -> Dungeon:
    """Return the dungeon with a way that leads back; it comes last, so that moves keep their names."""
    way = dungeon.ways[number]
    return replace(dungeon, ways=(*dungeon.ways, Way(way.target, way.source, way.kind, way.gate)))


def holding(dungeon: Dungeon, item: str) -> Dungeon:
    """Return the dungeon with one more item carried."""
    return replace(dungeon, rules=replace(dungeon.rules, items=tuple(sorted({*dungeon.rules.items, item}))))


def lifted(dungeon: Dungeon, cause: Json, count: int | None = None) -> Dungeon:
    """Return the dungeon without what a cause names; of keys and bombs as many more as it says, or `count`."""
    if cause["kind"] in ("keys", "bombs"):
        return with_more(dungeon, cause["kind"], cause["what"], cause["numbers"]["missing"] if count is None else count)
    if cause["kind"] == "item":
        return holding(dungeon, cause["what"])
    if cause["kind"] == "one-way" and "way" in cause:
        return with_way_back(dungeon, cause["way"])
    if cause["kind"] == "one-way":
        return with_floor(dungeon, {(floor, row, column) for floor, row, column in cause["where"]})
    if cause["kind"] == "block":
        return without(dungeon, blocks=[cause["block"]])
    if cause["kind"] == "water":
        return replace(dungeon, rules=replace(dungeon.rules, crossing="any"))
    assert cause["kind"] in ("switch", "monsters", "falls shut", "item gate"), cause["kind"]
    return without(dungeon, gates=[cause["gate"]])


def all_lifted(dungeon: Dungeon, causes: Collection[Json], count: int | None = None) -> Dungeon:
    """Return the dungeon without what several causes name."""
    # Gates and blocks are counted before the others are gone: so the highest numbers go first.
    for cause in sorted(causes, key=lambda cause: -max(cause.get("gate", -1), cause.get("block", -1))):
        dungeon = lifted(dungeon, cause, count)
    return dungeon


def every_single(dungeon: Dungeon) -> Iterator[Dungeon]:
    """Yield the dungeon without each single thing that could bar the way."""
    rules = dungeon.rules
    for colour in {gate.needs[0] for gate in dungeon.gates if gate.kind == "lock"}:
        yield with_more(dungeon, "keys", colour, PLENTY)
    if rules.bombs is not None:
        yield with_more(dungeon, "bombs", "", PLENTY)
    for item in {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs} | {rules.water}:
        yield holding(dungeon, item)
    for number in one_way_ways(dungeon):
        yield with_way_back(dungeon, number)
    for group in one_way_groups(dungeon):
        yield with_floor(dungeon, group)
    for number in range(len(dungeon.gates)):
        yield without(dungeon, gates=[number])
    for number in range(len(dungeon.blocks)):
        yield without(dungeon, blocks=[number])
    if not dungeon.played:
        yield replace(dungeon, rules=replace(rules, crossing="any"))


def one_way_ways(dungeon: Dungeon) -> list[int]:
    """Return the ways between two places of which none leads back."""
    ends = [(way.source, way.target) for way in dungeon.ways]
    return [number for number, (source, target) in enumerate(ends) if (target, source) not in ends]


def one_way_groups(dungeon: Dungeon) -> list[set[Place]]:
    """Return the one-way tiles that lie together and point the same way."""
    letters = {
        (storey, row, column): letter
        for storey, floor in enumerate(dungeon.floors)
        for row, line in enumerate(floor.terrain)
        for column, letter in enumerate(line)
        if letter in ONE_WAYS
    }
    groups: list[set[Place]] = []
    while letters:
        place, letter = letters.popitem()
        group = [place]
        for tile in group:
            near = [beside(tile, step) for step in STEPS]
            group += [one for one in near if letters.get(one) == letter and letters.pop(one)]
        groups.append(set(group))
    return groups


def without_everything(dungeon: Dungeon, but: Json | None = None) -> Dungeon:
    """Return the dungeon with nothing but walls in the way, and what one cause names."""
    but = but or {"kind": "walls"}
    kind, what = but["kind"], but.get("what")
    for number in one_way_ways(dungeon):
        dungeon = dungeon if number == but.get("way") else with_way_back(dungeon, number)
    kept = {tuple(place) for place in but["where"]} if kind == "one-way" else set()
    groups = [group for group in one_way_groups(dungeon) if not group & kept]
    dungeon = with_floor(dungeon, set().union(*groups)) if groups else dungeon
    wanted = {
        "keys": lambda gate: (gate.kind, gate.needs) == ("lock", (what,)),
        "bombs": lambda gate: gate.kind == "cracked",
        "item": lambda gate: gate.kind == "item" and what in gate.needs,
    }.get(kind, lambda _gate: False)
    gates = [n for n, gate in enumerate(dungeon.gates) if n != but.get("gate") and not wanted(gate)]
    dungeon = without(dungeon, gates=gates, blocks=[n for n in range(len(dungeon.blocks)) if n != but.get("block")])
    if not dungeon.played and kind != "water":
        dungeon = replace(dungeon, rules=replace(dungeon.rules, crossing="any"))
    items = {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs} | {dungeon.rules.water}
    for item in items - ({what} if kind == "item" else set()):
        dungeon = holding(dungeon, item)
    return dungeon


def judge_numbers(dungeon: Dungeon, cause: Json) -> None:
    """Check the numbers of keys or bombs in a dungeon in which the other causes are lifted."""
    numbers, kind = cause["numbers"], "key" if cause["kind"] == "keys" else "bombs"
    twin, first = Twin(dungeon), first_state(dungeon)
    in_hand = twin.keys(first, cause["what"]) if kind == "key" else twin.bombs(first)
    places = {state.place for state in all_states(dungeon)}

    def count(within: Collection[Place] | None) -> int:
        return in_hand + sum(
            pickup.count or (dungeon.rules.bombs_per_pickup if kind == "bombs" else 0)
            for number, pickup in enumerate(dungeon.pickups)
            if pickup.kind == kind and (kind == "bombs" or pickup.name == cause["what"])
            if number not in first.taken and (within is None or pickup.place in within)
        )

    assert numbers["exist"] == count(None)
    assert numbers["within_reach"] == count(places)
    endless = with_more(dungeon, cause["kind"], cause["what"], PLENTY)
    won = [state for state in all_states(endless) if state.place in dungeon.goals]

    def opened(state: Any) -> int:
        return sum(_takes(dungeon.gates[gate], cause) for gate in state.opened - first.opened)

    assert numbers["needed"] == min(map(opened, won))
    for fewer in range(numbers["missing"]):
        assert not can_finish(with_more(dungeon, cause["kind"], cause["what"], fewer))


def _takes(gate: Gate, cause: Json) -> bool:
    return gate.kind == "cracked" if cause["kind"] == "bombs" else (gate.kind, gate.needs) == ("lock", (cause["what"],))


def sealed(dungeon: Dungeon, number: int) -> Dungeon:
    """Return the dungeon with a gate that never opens."""
    shut = Gate("item", ("a thing that lies nowhere",), dungeon.gates[number].cells)
    return replace(dungeon, gates=(*dungeon.gates[:number], shut, *dungeon.gates[number + 1 :]))


def judge_reasons(dungeon: Dungeon, reasons: Json) -> str:
    """Check every reason of a dungeon that cannot be finished; return what kind of reason it is."""
    if not reasons["established"]:
        assert reasons["not_established"]
        return "not established"
    causes = reasons["causes"]
    assert causes
    assert not can_finish(dungeon)
    if causes[0]["kind"] == "walls":
        assert len(causes) == 1
        assert not can_finish(without_everything(dungeon))
        return "walls"
    if not reasons["together"]:
        for cause in causes:
            assert cause["bars_alone"] or not cause["words"].startswith("Every way")
            assert not cause["bars_alone"] or not can_finish(without_everything(dungeon, but=cause)), cause["words"]
            assert can_finish(lifted(dungeon, cause)), cause["words"]
            judge_cause(dungeon, cause, [])
        return str(causes[0]["kind"])
    assert len(causes) > 1
    assert can_finish(all_lifted(dungeon, causes))
    for number, cause in enumerate(causes):
        rest = all_lifted(dungeon, [*causes[:number], *causes[number + 1 :]], PLENTY)
        assert not can_finish(rest), cause["words"]
        judge_cause(dungeon, cause, [(other, number < at) for at, other in enumerate(causes) if at != number])
    for changed in every_single(dungeon):
        assert not can_finish(changed)
    return "no single cause"


def judge_cause(dungeon: Dungeon, cause: Json, others: list[tuple[Json, bool]]) -> None:
    """Check what a cause says, once the others are lifted: those after it without end, those before as they say."""
    gone = [other["gate"] for other, _ in others if "gate" in other]
    endless = [other for other, is_endless in others if is_endless]
    counted = [other for other, is_endless in others if not is_endless]
    # In one go, since numbers are those of the dungeon as it is.
    stocks = [other for other in endless if other["kind"] in ("keys", "bombs")]
    base = all_lifted(dungeon, [*counted, *(other for other in endless if other not in stocks)])
    base = all_lifted(base, stocks, PLENTY)
    if cause["numbers"]:
        judge_numbers(base, cause)
    places = {state.place for state in all_states(base)}
    if "no other way leads" in cause["words"]:
        assert tuple(cause["where"][0]) not in places
    if cause["kind"] == "item" and "out of reach" in cause["words"]:
        assert not any(tuple(place) in places for place in cause["where"])
    if "you cannot have" not in cause["words"] and "fetch" in cause["words"] and cause["kind"] == "item":
        assert any(tuple(place) in places for place in cause["where"])
    if cause["kind"] in ("keys", "bombs", "item"):
        for gate in cause["gates"]:
            assert gate not in gone
            number = gate - sum(other < gate for other in gone)
            shut = sealed(lifted(base, cause, PLENTY), number)
            assert not can_finish(shut), f"gate {gate} is not on every way: {cause['words']}"
