"""Small random logic of randomizers, in many notations, and what follows from it, worked out without Solvent.

A rule is a nested tuple here: `("has", item, count)`, `("and", …)`, `("or", …)`, `("of", items, count)`, `("unique",
items, count)`, `("region", name)`, `("location", name)`, `("true",)` or `("false",)`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

ITEMS = ("Bow", "Lamp", "Gem", "Red (1)")
KEY = "Door Key"
Rule = tuple[Any, ...]


@dataclass
class World:
    """Hold one random logic."""

    regions: list[str]
    exits: list[tuple[str, str, Rule | None]]
    """From, to, and the rule; None for a lock that uses up a key."""
    locations: dict[str, tuple[str, str, Rule | None]]
    """Region, item, and the rule; None for a lock."""
    goal: Rule
    carried: dict[str, int]
    json: dict[str, Any] = field(default_factory=dict)


def random_world(seed: int, *, locks: bool) -> World:
    rng = random.Random(seed)
    regions = [f"R{number}" for number in range(rng.randint(2, 4))]
    names = [f"L{number}" for number in range(rng.randint(2, 5))]

    def rule(depth: int = 0) -> Rule:
        kinds = (
            ["has"] * 5 + ["true", "of", "unique"] + ["and", "or"] * (2 if depth < 2 else 0) + ["false"] * (depth > 0)
        )
        if not locks:
            kinds += ["region", "location"]
        kind = rng.choice(kinds)
        if kind == "has":
            return "has", rng.choice(ITEMS), rng.choice((1, 1, 1, 2))
        if kind in ("and", "or"):
            return (kind, *(rule(depth + 1) for _ in range(rng.randint(0 if depth else 1, 3))))
        if kind in ("of", "unique"):
            return kind, tuple(rng.sample(ITEMS, rng.randint(2, 3))), rng.randint(1, 3)
        return (kind, *{"region": [rng.choice(regions)], "location": [rng.choice(names)]}.get(kind, []))

    def barrier() -> Rule | None:
        return None if locks and rng.random() < 0.6 else rule() if rng.random() < 0.5 else ("true",)

    exits = [
        (source, target, barrier())
        for source in regions
        for target in regions
        if source != target and rng.random() < 0.6
    ]
    pool = (*ITEMS, *[KEY] * 4) if locks else ITEMS
    locations = {name: (rng.choice(regions), rng.choice(pool), barrier()) for name in names}
    carried = {item: rng.randint(1, 2) for item in ITEMS if rng.random() < 0.2}
    if locks and rng.random() < 0.6:
        carried[KEY] = 1
    world = World(regions, exits, locations, rule(), carried)
    world.json = write(world, rng)
    return world


def write(world: World, rng: random.Random) -> dict[str, Any]:
    """Return the world as a logic file; the notations are chosen at random."""

    def barred(rule: Rule | None) -> dict[str, Any]:
        if rule is not None:
            return {"rule": notation(rule, rng)}
        return rng.choice(({"consumes": KEY}, {"consumes": True, "rule": {"has": KEY}}))

    regions: dict[str, Any] = {name: {"exits": [], "locations": {}} for name in world.regions}
    for source, target, rule in world.exits:
        regions[source]["exits"].append({"to": target, **barred(rule)})
    for name, (region, item, rule) in world.locations.items():
        regions[region]["locations"][name] = {"item": item, **barred(rule)}
    file: dict[str, Any] = {
        "start": "R0",
        "regions": regions,
        "goal": {"rule": notation(world.goal, rng)},
        "start_inventory": world.carried,
        "keys": [KEY],
    }
    if rng.random() < 0.5:
        file["regions"] = [{"name": name, **region} for name, region in regions.items()]
    return file


def notation(rule: Rule, rng: random.Random) -> Any:
    kind, *rest = rule
    style = rng.choice(("rule", "type", "short", "text"))
    if kind == "has":
        item, count = rest
        plain = item.replace("(", "").replace(")", "")
        return {
            "rule": {"rule": "Has", "options": [], "args": {"item_name": item, "count": count}},
            "type": {"type": "item_check", "item": item, "count": count},
            "short": {"has": item, "count": count},
            "text": f"{plain} >= {count}",
        }[style]
    if kind in ("and", "or"):
        parts: list[Any] = [notation(part, rng) for part in rest]
        if parts and all(isinstance(part, str) for part in parts):
            return {"and": " & ", "or": " | "}[kind].join(f"({part})" for part in parts)
        if style == "type":
            return {"type": kind, "conditions": parts}
        if style == "short":
            return {{"and": "all", "or": "any"}[kind]: parts}
        return {"rule": kind.capitalize(), "children": parts}
    if kind in ("of", "unique"):
        names, count = rest
        called = "HasFromList" + ("Unique" if kind == "unique" else "")
        return {"rule": called, "args": {"item_names": list(names), "count": count}}
    if kind in ("region", "location"):
        return {"rule": f"CanReach{kind.capitalize()}", "args": {f"{kind}_name": rest[0]}}
    return {
        "rule": {"rule": f"{kind.capitalize()}_"},
        "type": {"type": "constant", "value": kind == "true"},
        "short": kind == "true",
        "text": {"true": "always", "false": "never"}[kind],
    }[style]


@dataclass
class Outcome:
    """Hold what can be reached at all, with any choice of locks to open."""

    locations: set[str] = field(default_factory=set)
    is_solvable: bool = False
    is_losable: bool = False
    """Whether some choice of locks to open leaves the goal out of reach."""


def play_everything(world: World) -> Outcome:
    """Try all orders of opening locks; between them, take all there is."""
    outcome = Outcome()
    leads_on: dict[frozenset[Any], list[frozenset[Any]]] = {}
    winning: set[frozenset[Any]] = set()
    waiting: list[frozenset[Any]] = [frozenset()]
    while waiting:
        opened = waiting.pop()
        if opened in leads_on:
            continue
        regions, reached = closure(world, opened)
        outcome.locations |= reached
        held = holdings(world, reached)
        if holds(world.goal, held, regions, reached):
            winning.add(opened)
        can_open = held.get(KEY, 0) > len(opened)
        leads_on[opened] = [opened | {lock} for lock in shut_locks(world, regions, opened)] if can_open else []
        waiting += leads_on[opened]
    outcome.is_solvable = bool(winning)
    for opened in sorted(leads_on, key=len, reverse=True):  # a state leads only to larger ones
        if any(after in winning for after in leads_on[opened]):
            winning.add(opened)
    outcome.is_losable = len(winning) < len(leads_on)
    return outcome


def closure(world: World, opened: frozenset[Any]) -> tuple[set[str], set[str]]:
    """Return the regions and locations within reach once these locks are open."""
    regions: set[str] = {"R0"}
    reached: set[str] = set()
    while True:
        held = holdings(world, reached)
        new_regions = {
            target
            for number, (source, target, rule) in enumerate(world.exits)
            if source in regions
            and (("exit", number) in opened if rule is None else holds(rule, held, regions, reached))
        }
        new_reached = {
            name
            for name, (region, _, rule) in world.locations.items()
            if region in regions
            and (("location", name) in opened if rule is None else holds(rule, held, regions, reached))
        }
        if new_regions <= regions and new_reached <= reached:
            return regions, reached
        regions |= new_regions
        reached |= new_reached


def shut_locks(world: World, regions: set[str], opened: frozenset[Any]) -> list[Any]:
    exits = (("exit", n) for n, (source, _, rule) in enumerate(world.exits) if rule is None and source in regions)
    chests = (("location", n) for n, (region, _, rule) in world.locations.items() if rule is None and region in regions)
    return [lock for lock in chain(exits, chests) if lock not in opened]


def holdings(world: World, reached: set[str]) -> dict[str, int]:
    held = dict(world.carried)
    for name in reached:
        item = world.locations[name][1]
        held[item] = held.get(item, 0) + 1
    return held


def holds(rule: Rule, held: dict[str, int], regions: set[str], reached: set[str]) -> bool:
    kind, *rest = rule
    match kind:
        case "has":
            return bool(held.get(rest[0], 0) >= rest[1])
        case "and":
            return all(holds(part, held, regions, reached) for part in rest)
        case "or":
            return any(holds(part, held, regions, reached) for part in rest)
        case "of":
            return bool(sum(held.get(item, 0) for item in rest[0]) >= rest[1])
        case "unique":
            return bool(sum(held.get(item, 0) > 0 for item in rest[0]) >= rest[1])
        case "region":
            return rest[0] in regions
        case "location":
            return rest[0] in reached
    return str(kind) == "true"


def spheres_of(world: World) -> dict[str, int]:
    """Return the sphere of each location that can be reached, where nothing is used up."""
    found: dict[str, int] = {}
    sphere = 0
    while True:
        sphere += 1
        held = holdings(world, set(found))
        regions, known = {"R0"}, set(found)
        # With what is held now: which regions, and which locations, though nothing new is picked up.
        while True:
            more = {t for s, t, rule in world.exits if s in regions and holds(rule or ("false",), held, regions, known)}
            there = {
                name
                for name, (region, _, rule) in world.locations.items()
                if region in regions and holds(rule or ("false",), held, regions, known)
            }
            if more <= regions and there <= known:
                break
            regions |= more
            known |= there
        new = known - set(found)
        if not new:
            return found
        found |= dict.fromkeys(new, sphere)
