"""Small random dungeons with every mechanic there is: requirements, levers, dials, held plates, things that appear.

A few features are drawn, each puts down what makes it matter, and the goal is chosen among the places that are reached
late, or not at all. What has too many states to look at one by one is thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from solvent.dungeon.model import (
    FLOOR,
    STEPS,
    WALL,
    WATER,
    AllOf,
    AnyOf,
    Block,
    Cleared,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Have,
    Not,
    Pickup,
    Place,
    Requirement,
    Room,
    Rules,
    Switch,
    SwitchAt,
    Way,
)
from torture.instances.plainer_dungeon import Difference
from torture.judges.dungeon import Rulebook, TooLarge, all_states, delicate, is_monotone, truth
from torture.judges.dungeon.twin import all_rules, asked

NEW = (
    *("rules", "levers", "dials", "held", "sets", "push on", "reset", "home", "renewing", "appearing", "counted"),
    *("goal rule", "refusals", "refusals"),
)
OLD = ("locks", "bombs", "items", "monsters", "plates", "one-ways", "blocks", "water", "ways")
NEEDED = {
    "things that appear": ("appearing",),
    "things that renew": ("renewing",),
    "rules of levers": ("levers", "lever rules", "items"),
    "states that plates and levers set": ("sets",),
    "held plates": ("held", "push on"),
    "blocks pushed on": ("push on",),
    "blocks that reset": ("reset",),
    "the return to the start": ("home",),
    "any of": ("rules", "items"),
    "counts": ("counted",),
}
"""Mechanics that left to chance would seldom matter, and the features that bring them."""
WHEEL = ("low", "middle", "high")
MAX_STATES = 600
MAX_CHANGES = 12
"""The most things that can be taken, opened, switched or pushed: each may double the number of states."""


@dataclass
class Draft:
    """Hold a dungeon in the making."""

    dice: Random
    features: set[str]
    grids: list[list[list[str]]] = field(default_factory=list)
    rooms: list[Room] = field(default_factory=list)
    pickups: list[Pickup] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    start: Place = (0, 0, 0)
    goals: tuple[Place, ...] = ()
    goal_rule: Requirement | None = None

    def has(self, feature: str, chance: float = 1.0) -> bool:
        """Tell whether a feature was drawn, and the dice say so, too."""
        return feature in self.features and self.dice.random() < chance

    def tiles(self, room: Room | None = None) -> list[Place]:
        """Return the dry places inside a room, or inside any."""
        rooms = self.rooms if room is None else [room]
        places = [
            (one.corner[0], one.corner[1] + row, one.corner[2] + column)
            for one in rooms
            for row in range(one.height)
            for column in range(one.width)
        ]
        return [place for place in places if self.terrain(place) == FLOOR]

    def terrain(self, place: Place) -> str:
        """Return what a place is made of."""
        return self.grids[place[0]][place[1]][place[2]]

    def free(self, room: Room | None = None) -> list[Place]:
        """Return the places in a room that hold nothing; all dry ones if there are none."""
        used = {thing.place for things in (self.pickups, self.switches, self.blocks) for thing in things}
        used |= {end for way in self.ways for end in (way.source, way.target)} | {self.start}
        return [place for place in self.tiles(room) if place not in used] or self.unblocked(room)

    def unblocked(self, room: Room | None = None) -> list[Place]:
        """Return the dry places in a room with no block on them."""
        blocks = {block.place for block in self.blocks}
        return [place for place in self.tiles(room) if place not in blocks] or [self.start]

    def changes(self) -> int:
        """Count what can change."""
        lasting = sum(gate.kind in ("lock", "cracked") for gate in self.gates)
        return len(self.pickups) + lasting + len({one.name for one in self.switches}) + 2 * len(self.blocks)

    def finished(self) -> Dungeon:
        """Return the dungeon as it is by now, in order."""
        first_cells = [min(gate.cells, default=(len(self.grids), 0, 0)) for gate in self.gates]
        order = sorted(range(len(self.gates)), key=lambda number: first_cells[number])
        number_of = {old: new for new, old in enumerate(order)}
        ways = [way if way.gate is None else replace(way, gate=number_of[way.gate]) for way in self.ways]
        turned = {switch.name for switch in self.switches}
        return Dungeon(
            floors=tuple(
                Floor(f"floor {number}" if len(self.grids) > 1 else "", tuple("".join(row) for row in grid))
                for number, grid in enumerate(self.grids)
            ),
            start=self.start,
            goals=tuple(sorted(set(self.goals))),
            pickups=tuple(sorted(self.pickups, key=lambda one: (one.place, one.kind, one.name, one.count))),
            gates=tuple(self.gates[number] for number in order),
            switches=tuple(sorted(self.switches, key=lambda one: (one.place, one.name))),
            dials=(Dial("wheel", WHEEL),) if "wheel" in turned else (),
            blocks=tuple(sorted(self.blocks, key=lambda one: one.place)),
            ways=tuple(sorted(set(ways), key=_way_order)),
            rooms=tuple(self.rooms),
            rules=self.rules,
            goal_rule=self.goal_rule,
        )


def _way_order(way: Way) -> tuple[Place, Place, str, int]:
    return way.source, way.target, way.kind, -1 if way.gate is None else way.gate


def make_rich_dungeon(dice: Random, *, picky: bool = True) -> Dungeon:
    """Make a dungeon that has few enough states to look at each.

    Unless picky, many of them hold mechanics that make no difference; picking takes time.
    """
    most = MAX_STATES if dice.random() < 0.9 else 3 * MAX_STATES
    while True:
        chance = dice.random() if picky else 1.0
        mechanic = dice.choice([*NEEDED, "rules of levers", "blocks that reset"]) if chance < 0.5 else ""
        wanted = mechanic or ("contested" if chance < 0.65 else "regretted" if chance < 0.8 else "")
        for _ in range(8):  # left to chance, few could be won and lost as well, and most mechanics would not matter
            features = _draw_features(dice, NEEDED.get(mechanic, ()))
            in_rooms = dice.random() < 0.3 and not features & {"push on", "reset"}
            draft = _draw_room_graph(dice, features) if in_rooms else _draw_map(dice, features)
            if wanted == "regretted" and not delicate(draft.finished()):
                continue
            made = _with_goal(draft, most)
            if made is not None and _is_wanted(made, wanted):
                return replace(made, played=_random_walk(made, dice)) if dice.random() < 0.12 else made


def _is_wanted(dungeon: Dungeon, wanted: str) -> bool:
    if wanted == "contested":
        _, plan, lost = truth(dungeon)
        return plan is not None and lost is not None
    if wanted == "regretted":
        return not is_monotone(dungeon)
    return not wanted or Difference(dungeon, wanted).verdicts


def _draw_features(dice: Random, needed: Sequence[str]) -> set[str]:
    features = {*needed, *dice.sample(NEW, dice.choice((1, 2, 3, 4))), *dice.sample(OLD, dice.choice((1, 1, 2, 2, 3)))}
    if features & {"push on", "reset", "held"}:
        features.add("blocks")
    if "counted" in features:
        features.add(dice.choice(("rules", "goal rule")))
    if "appearing" in features:
        features.add(dice.choice(("locks", "items", "bombs")))
    if "renewing" in features:
        features.add(dice.choice(("locks", "bombs")))
    if "sets" in features:
        features.add(dice.choice(("plates", "levers", "dials")))
    if "refusals" in features:
        features.add(dice.choice(("items", "items", "counted", "locks", "monsters")))
    if "home" in features:
        features.add(dice.choice(("one-ways", "ways")))
    return features


# maps


def _draw_map(dice: Random, features: set[str]) -> Draft:
    """Divide a small map into rooms, with something in each gap."""
    draft = Draft(dice, features)
    heights = dice.choice(((1,), (2,), (2,), (3,), (1, 2), (2, 1), (1, 1)))
    widths = [dice.choice((1, 2, 2, 3)) for _ in range(dice.choice((2, 3)) if len(heights) == 1 else 2)]
    if "blocks" in draft.features:
        heights = dice.choice(((2,), (3,), (3,), (1, 2), (2, 2)))
    grid = [[WALL] * (sum(widths) + len(widths) + 1) for _ in range(sum(heights) + len(heights) + 1)]
    draft.grids.append(grid)
    for i, height in enumerate(heights):
        for j, width in enumerate(widths):
            corner = (0, sum(heights[:i]) + i + 1, sum(widths[:j]) + j + 1)
            draft.rooms.append(Room(f"room {len(draft.rooms)}", corner, height, width))
            for row in range(height):
                for column in range(width):
                    blank = height * width < 3 or dice.random() < 0.95
                    grid[corner[1] + row][corner[2] + column] = FLOOR if blank else WALL
    draft.start = dice.choice(draft.tiles(draft.rooms[0]) or draft.tiles())
    draft.rules = _draw_rules(draft)
    for number, room in enumerate(draft.rooms):
        across, down = (number + 1) % len(widths) != 0, number + len(widths) < len(draft.rooms)
        if across:
            _fill_gap(draft, room, (0, room.corner[1] + dice.randrange(room.height), room.corner[2] + room.width), "><")
        if down:
            _fill_gap(draft, room, (0, room.corner[1] + room.height, room.corner[2] + dice.randrange(room.width)), "v^")
    for _ in range(dice.choice((1, 1, 2)) if "blocks" in draft.features else 0):
        if len(draft.blocks) < 2:
            draft.blocks.append(Block(_place_for_block(draft)))
    draft.blocks = [block for block in dict.fromkeys(draft.blocks) if block.place != draft.start]
    for _ in range(dice.choice((1, 2)) if "ways" in draft.features else 0):
        source, target = dice.choice(draft.free()), dice.choice(draft.free())
        if source != target:
            gate = _add_gate(draft, ()) if dice.random() < 0.5 else None
            draft.ways.append(Way(source, target, dice.choice(("stairs", "warp")), gate))
            if dice.random() < 0.5:
                draft.ways.append(Way(target, source, draft.ways[-1].kind, gate))
    _furnish(draft)
    return draft


def _place_for_block(draft: Draft) -> Place:
    """Return a place inside a room; rather one beside a gap, or one that a block can be pushed from."""
    dice, free = draft.dice, [place for place in draft.free() if place != draft.start] or draft.free()
    inside = set(draft.tiles())
    beside_gaps, roomy = [], []
    for place in free:
        around = [(place[0], place[1] + down, place[2] + right) for down, right in STEPS.values()]
        ground = [one for one in around if draft.terrain(one) != WALL]
        if any(one not in inside for one in ground):
            beside_gaps.append(place)
        if len(ground) >= 3:
            roomy.append(place)
    return dice.choice(dice.choice([beside_gaps or free, roomy or free, free]))


def _fill_gap(draft: Draft, room: Room, gap: Place, arrows: str) -> None:
    dice = draft.dice
    letter = FLOOR
    if draft.has("one-ways", 0.4):
        letter = arrows[0] if dice.random() < 0.75 else arrows[1]
    elif draft.has("water", 0.3):
        letter = WATER
    draft.grids[0][gap[1]][gap[2]] = letter
    if letter != FLOOR:
        return
    if draft.has("blocks", 0.3) and not draft.blocks and "reset" not in draft.features:
        draft.blocks.append(Block(gap))
    elif dice.random() < 0.85:
        _add_gate(draft, (gap,), room)


# rooms of a single tile


def _draw_room_graph(dice: Random, features: set[str]) -> Draft:
    """Draw rooms of a single tile joined by ways, some of them parallel behind different gates."""
    draft = Draft(dice, features - {"blocks", "ways", "one-ways", "water"} | {"rules"})
    count = dice.randint(3, 6)
    draft.grids = [[[FLOOR]] for _ in range(count)]
    draft.rooms = [Room(f"room {number}", (number, 0, 0), 1, 1) for number in range(count)]
    draft.rules = _draw_rules(draft)
    pairs = [(dice.randrange(number), number) for number in range(1, count)]
    pairs += [tuple(sorted(dice.sample(range(count), 2))) for _ in range(dice.randrange(3))]  # type: ignore[misc]
    pairs += dice.sample(pairs, dice.choice((0, 1, 1, 2)))  # parallel to another
    for one, other in pairs:
        gate = _add_gate(draft, (), draft.rooms[one]) if dice.random() < 0.7 else None
        source, target = ((one, 0, 0), (other, 0, 0)) if dice.random() < 0.9 else ((other, 0, 0), (one, 0, 0))
        draft.ways.append(Way(source, target, "door", gate))
        if dice.random() < 0.7:
            back = gate if dice.random() < 0.8 else _add_gate(draft, (), draft.rooms[one])
            draft.ways.append(Way(target, source, "door", back))
    _furnish(draft)
    return draft


# what bars the way


def _add_gate(draft: Draft, cells: tuple[Place, ...], room: Room | None = None) -> int:
    """Add a gate of a kind that the features name, and return its number."""
    dice = draft.dice
    kinds: dict[str, Callable[[], Gate]] = {
        "locks": lambda: Gate("lock", (dice.choice(("", "", "red")),), cells),
        "bombs": lambda: Gate("cracked", (), cells),
        "items": lambda: Gate("item", ("torch",), cells),
        "monsters": lambda: Gate("soft", ((room or dice.choice(draft.rooms)).name,), cells),
        "plates": lambda: Gate("barrier", ("gong",), cells, dice.random() < 0.5),
        "levers": lambda: Gate("barrier", ("winch",), cells, dice.random() < 0.4),
        "held": lambda: Gate("barrier", ("scale",), cells, dice.random() < 0.25),
        "dials": lambda: Gate("rule", (), cells, rule=_atom(draft, "dials")),
        "rules": lambda: Gate("rule", (), cells, rule=_requirement(draft, 2)),
        "refusals": lambda: Gate("rule", (), cells, rule=_refusal(draft)),
    }
    choices = [kind for kind in kinds if kind in draft.features] or ["rules"]
    choices += [kind for kind in ("held", "dials", "levers") if kind in draft.features] * 2
    if "renewing" in draft.features:
        choices += [kind for kind in ("locks", "bombs") if kind in draft.features] * 3
    draft.gates.append(kinds[dice.choice(choices)]())
    return len(draft.gates) - 1


def _requirement(draft: Draft, depth: int) -> Requirement:
    dice = draft.dice
    form = dice.choice(("all", "any", "not", "one", "one")) if depth else dice.choice(("not", "one", "one", "one"))
    if form == "not":
        part = _requirement(draft, depth - 1) if depth and dice.random() < 0.3 else _atom(draft)
        return part.part if isinstance(part, Not) else Not(part)
    if form == "one":
        return _atom(draft)
    parts: dict[Requirement, None] = {}
    kind = AllOf if form == "all" else AnyOf
    for _ in range(dice.choice((2, 2, 3))):
        part = _requirement(draft, depth - 1)
        parts.update(dict.fromkeys(part.parts if isinstance(part, kind) else [part]))
    return kind(tuple(parts)) if len(parts) > 1 else next(iter(parts))


def _refusal(draft: Draft) -> Requirement:
    """Return what does not hold any more for a player who took too much, alone or beside something else."""
    dice = draft.dice
    choices = [name for name in ("items", "counted", "locks", "bombs", "monsters") if name in draft.features]
    refusal = Not(_atom(draft, dice.choice(choices or ["items"])))
    form = dice.random()
    return refusal if form < 0.6 else AnyOf((refusal, _atom(draft))) if form < 0.85 else AllOf((refusal, _atom(draft)))


def _atom(draft: Draft, kind: str = "") -> Requirement:
    dice = draft.dice
    atoms: dict[str, Callable[[], Requirement]] = {
        "items": lambda: Have("item", dice.choice(("torch", "bow"))),
        "counted": lambda: Have("item", "gem", dice.choice((1, 2, 2, 3))),
        "locks": lambda: Have("key", dice.choice(("", "", "red")), dice.choice((1, 1, 2))),
        "bombs": lambda: Have("bombs", "", dice.choice((1, 1, 2))),
        "monsters": lambda: Cleared(dice.choice(draft.rooms).name),
        "plates": lambda: SwitchAt("gong", dice.choice(("on", "on", "off"))),
        "levers": lambda: SwitchAt("winch", dice.choice(("on", "on", "off"))),
        "held": lambda: SwitchAt("scale", "on"),
        "dials": lambda: SwitchAt("wheel", dice.choice((*WHEEL, "high"))),
    }
    choices = [name for name in atoms if name in draft.features] or ["items"]
    return atoms[kind or dice.choice(choices)]()


# what lies about


def _draw_rules(draft: Draft) -> Rules:
    dice = draft.dice
    return Rules(
        keys=dice.choice(((), (), (), (("", 1),))),
        bombs=dice.choice((0, 0, 0, 0, 0, 1, None)),
        items=dice.choice(((), (), (), (), ("gem",), ("torch",))),
        bombs_per_pickup=dice.choice((1, 2)),
        keys_counted=dice.random() < 0.95,
        water=dice.choice(("torch", "bow")),
        crossing=dice.choice(("any", "one")),
        soft=dice.choice(("open", "clear", "clear", "clear", "shut")),
        push="on" if "push on" in draft.features else dice.choice(("once", "once", "on", "never")),
        blocks="reset" if "reset" in draft.features else "stay",
        home="always" if "home" in draft.features else "never",
        collect=dice.choice(((), (), ("gem",), ("torch",), ("bow", "gem"))),
        accessibility=dice.choice(("full", "full", "items", "minimal")),
        player=dice.choice(("any", "any", "thorough")),
    )


def _furnish(draft: Draft) -> None:
    """Put down what is asked for, sometimes too little of it."""
    dice = draft.dice
    if draft.has("goal rule"):
        draft.goal_rule = _requirement(draft, 1)
    if draft.has("appearing"):
        # Drawn now, so that what it asks for is put down as well.
        draft.pickups.append(Pickup(dice.choice(draft.free()), *_appearing(draft), rule=_requirement(draft, 1)))
    if draft.has("levers"):
        _add_lever(draft, "winch")
    atoms = [atom for rule in all_rules(draft.finished()) for atom, _ in asked(rule)]
    names = {atom.switch for atom in atoms if isinstance(atom, SwitchAt)}
    names |= {gate.needs[0] for gate in draft.gates if gate.kind == "barrier"}
    for name in sorted(names - {switch.name for switch in draft.switches}):
        _add_switch(draft, name)
    wanted = [(atom.what, atom.name, atom.count) for atom in atoms if isinstance(atom, Have)]
    wanted += [("item", name, 1) for gate in draft.gates if gate.kind == "item" for name in gate.needs]
    wanted += [("key", gate.needs[0], 1) for gate in draft.gates if gate.kind == "lock"]
    wanted += [("bombs", "", 1) for gate in draft.gates if gate.kind == "cracked"]
    if any(WATER in row for row in draft.grids[0]):
        wanted.append(("item", draft.rules.water, 1))
    dice.shuffle(wanted)
    dens = {atom.room for atom in atoms if isinstance(atom, Cleared)}
    dens |= {gate.needs[0] for gate in draft.gates if gate.kind == "soft"}
    for name in sorted(dens):
        if dice.random() < 0.8 and draft.changes() < MAX_CHANGES:
            [room] = [room for room in draft.rooms if room.name == name]
            draft.pickups.append(Pickup(dice.choice(draft.free(room)), "monster"))
    for what, name, count in wanted:
        if draft.changes() < MAX_CHANGES and dice.random() < 0.85:
            _supply(draft, what, name, count)


def _appearing(draft: Draft) -> tuple[str, str]:
    choices = {"locks": ("key", ""), "bombs": ("bombs", ""), "items": ("item", "torch"), "counted": ("item", "gem")}
    return draft.dice.choice([thing for name, thing in choices.items() if name in draft.features] or [("key", "")])


def _supply(draft: Draft, what: str, name: str, count: int) -> None:
    dice = draft.dice
    alike = [one for one in draft.pickups if (one.kind, one.name) == (what, name)]
    if what == "item" and sum(one.count for one in alike) >= count + (dice.random() < 0.3):
        return
    rule = _requirement(draft, 0) if draft.has("appearing", 0.5) else None
    if not _switches_of(rule) <= {switch.name for switch in draft.switches}:
        rule = None
    renews = what != "item" and draft.has("renewing", 0.8)
    if renews and any(one.renews for one in alike) and dice.random() < 0.8:
        return  # more gates than it fills at once: what makes renewing count
    if renews or what == "bombs":
        number = dice.choice((1, 1, 2)) if what == "key" else dice.choice((0, 1, 2))
    else:
        number = dice.choice((1, 1, 2)) if name == "gem" or what == "key" else 1
    rooms = [draft.rooms[0], draft.rooms[0], None] if dice.random() < 0.7 else [None]
    place = dice.choice(draft.free(dice.choice(rooms)))
    if all((one.place, one.kind, one.name, one.count) != (place, what, name, number) for one in draft.pickups):
        draft.pickups.append(Pickup(place, what, name, number, rule, renews))


def _switches_of(rule: Requirement | None) -> set[str]:
    return {atom.switch for atom, _ in asked(rule) if isinstance(atom, SwitchAt)}


def _add_switch(draft: Draft, name: str) -> None:
    """Put down what turns a switch."""
    dice = draft.dice
    if name == "winch" or (name == "wheel" and dice.random() < 0.5):
        _add_lever(draft, name)
        return
    for _ in range(dice.choice((1, 1, 2))):
        states = WHEEL if name == "wheel" else ("off", "on", "on")
        sets = dice.choice(states) if name != "scale" and draft.has("sets", 0.7) else ""
        kind = "held" if name == "scale" else "plate"
        place = dice.choice(draft.free(draft.rooms[0] if dice.random() < 0.5 else None))
        if kind == "held" and dice.random() < 0.7:
            place = dice.choice(_near_blocks(draft) or [place])
        if all((one.place, one.name) != (place, name) for one in draft.switches):
            draft.switches.append(Switch(place, name, kind, sets))


def _near_blocks(draft: Draft) -> list[Place]:
    """Return the free places two steps or less from a block, in a line with it."""
    blocks = [block.place for block in draft.blocks]
    return [
        place
        for place in draft.free()
        if any(
            place[0] == block[0]
            and (place[1] == block[1] or place[2] == block[2])
            and abs(place[1] - block[1]) + abs(place[2] - block[2]) <= 2
            for block in blocks
        )
    ]


def _add_lever(draft: Draft, name: str) -> None:
    """Put a lever into a wall or on the ground, worked from beside it; or one that is worked from afar."""
    dice = draft.dice
    for _ in range(dice.choice((1, 1, 1, 2))):
        stand = dice.choice(draft.unblocked(draft.rooms[0] if dice.random() < 0.6 else None))
        reach = {stand}
        place = stand
        grid = draft.grids[stand[0]]
        if len(grid) > 1:
            down, right = STEPS[dice.choice([*STEPS])]
            place = (stand[0], stand[1] + down, stand[2] + right)
        if dice.random() < 0.35:
            reach.add(dice.choice(draft.unblocked()))
        if place in {block.place for block in draft.blocks}:
            place = stand
        states = WHEEL if name == "wheel" else ("off", "on", "on")
        sets = dice.choice(states) if draft.has("sets", 0.7) else ""
        rule = _requirement(draft, 0) if dice.random() < 0.4 else None
        if "lever rules" in draft.features:
            rule = Have("item", "bow") if dice.random() < 0.5 else _refusal(draft)
        if _switches_of(rule):
            rule = None  # nothing may turn that switch
        if all((one.place, one.name) != (place, name) for one in draft.switches):
            draft.switches.append(Switch(place, name, "lever", sets, tuple(sorted(reach)), rule))


# the goal, and moves made already


def _with_goal(draft: Draft, most: int) -> Dungeon | None:
    """Choose a goal that is reached late, or not at all; None if there is too much to look at, or too little."""
    dice = draft.dice
    try:
        states = all_states(draft.finished(), most)
    except TooLarge:
        return None
    if len(states) < 8:
        return None
    reached = list(dict.fromkeys(state.place for state in states))
    blocks = {block.place for block in draft.blocks}
    gaps = [place for place in reached if place not in draft.tiles()]
    never = [place for place in draft.tiles() if place not in reached and place not in blocks]
    late = [place for place in reached[len(reached) * 2 // 3 :] if place not in blocks and place != draft.start]
    late = [place for place in late if draft.terrain(place) != WATER and (place not in gaps or dice.random() < 0.3)]
    places = never if never and dice.random() < 0.5 else late
    if not places:
        return None
    draft.goals = tuple(dice.choice(places) for _ in range(dice.choice((1, 1, 1, 1, 2))))
    made = draft.finished()
    least = dice.choice((8, 15, 40, 80))
    return made if len(all_states(made, most)) >= least else None


def _random_walk(dungeon: Dungeon, dice: Random) -> tuple[str, ...]:
    """Return a few legal moves that do not end the game."""
    book = Rulebook(dungeon)
    state, moves = book.beginning(), []
    for _ in range(dice.randint(1, 6)):
        choices = [(move, after) for move in book.moves if (after := book.step(state, move)) is not None]
        choices = [(move, after) for move, after in choices if not book.is_won(after)]
        if not choices:
            break
        move, state = dice.choice(choices)
        moves.append(move)
    return tuple(moves)
