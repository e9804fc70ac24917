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
from torture.judges.dungeon import Moves, Rulebook, TooLarge, all_states
from torture.judges.dungeon.twin import all_rules, asked

NEW = (
    *("rules", "levers", "dials", "held", "sets", "push on", "reset", "home", "renewing", "appearing", "counted"),
    "goal rule",
)
OLD = ("locks", "bombs", "items", "monsters", "plates", "one-ways", "blocks", "water", "ways")
WHEEL = ("low", "middle", "high")
MAX_STATES = 1_200
MAX_CHANGES = 9
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
        order = sorted(
            range(len(self.gates)), key=lambda n: (not self.gates[n].cells, min(self.gates[n].cells or [(n, 0, 0)]))
        )
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
            ways=tuple(
                sorted(
                    set(ways), key=lambda way: (way.source, way.target, way.kind, -1 if way.gate is None else way.gate)
                )
            ),
            rooms=tuple(self.rooms),
            rules=self.rules,
            goal_rule=self.goal_rule,
        )


def make_rich_dungeon(dice: Random, most: int = MAX_STATES) -> Dungeon:
    """Make a dungeon that has no more states than this."""
    while True:
        draft = _draw_room_graph(dice) if dice.random() < 0.3 else _draw_map(dice)
        made = _with_goal(draft, most)
        if made is not None:
            return replace(made, played=_random_walk(made, dice)) if dice.random() < 0.12 else made


def _draw_features(dice: Random, new: Sequence[str], old: Sequence[str]) -> set[str]:
    features = {*dice.sample(new, dice.choice((1, 2, 2, 3, 3, 4))), *dice.sample(old, dice.choice((0, 1, 1, 2, 2, 3)))}
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
    if "home" in features:
        features.add(dice.choice(("one-ways", "ways")))
    return features


# maps


def _draw_map(dice: Random) -> Draft:
    """Divide a small map into rooms, with something in each gap."""
    draft = Draft(dice, _draw_features(dice, NEW, OLD))
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
            draft.blocks.append(
                Block(dice.choice([place for place in draft.free() if place != draft.start] or draft.free()))
            )
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
    if draft.has("blocks", 0.3) and not draft.blocks:
        draft.blocks.append(Block(gap))
    elif dice.random() < 0.85:
        _add_gate(draft, (gap,), room)


# rooms of a single tile


def _draw_room_graph(dice: Random) -> Draft:
    """Draw rooms of a single tile joined by ways, some of them parallel behind different gates."""
    features = _draw_features(
        dice, [one for one in NEW if one not in ("push on", "reset")], ("locks", "bombs", "items", "monsters", "plates")
    )
    draft = Draft(dice, features - {"blocks", "ways", "one-ways"} | {"rules"})
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
    }
    choices = [kind for kind in kinds if kind in draft.features] or ["rules"]
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
    if rule is not None and any(isinstance(atom, SwitchAt) for atom, _ in asked(rule)):
        rule = (
            None
            if not {atom.switch for atom, _ in asked(rule) if isinstance(atom, SwitchAt)}
            <= {one.name for one in draft.switches}
            else rule
        )
    renews = what != "item" and draft.has("renewing", 0.6)
    if renews or what == "bombs":
        number = dice.choice((1, 1, 2)) if what == "key" else dice.choice((0, 1, 2))
    else:
        number = dice.choice((1, 1, 2)) if name == "gem" or what == "key" else 1
    rooms = [draft.rooms[0], draft.rooms[0], None] if dice.random() < 0.7 else [None]
    found = Pickup(dice.choice(draft.free(dice.choice(rooms))), what, name, number, rule, renews)
    if not any(
        replace(one, rule=None, renews=False) == replace(found, rule=None, renews=False) for one in draft.pickups
    ):
        draft.pickups.append(found)


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
        place = dice.choice([one for one in draft.free(draft.rooms[0] if dice.random() < 0.5 else None)])
        if all((one.place, one.name) != (place, name) for one in draft.switches):
            draft.switches.append(Switch(place, name, kind, sets))


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
        rule = _requirement(draft, 0) if dice.random() < 0.3 else None
        if rule is not None and any(isinstance(atom, SwitchAt) for atom, _ in asked(rule)):
            rule = None  # that switch may have nothing to turn it
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
    if len(states) < 6:
        return None
    reached = list(dict.fromkeys(state.place for state in states))
    blocks = {block.place for block in draft.blocks}
    gaps = [place for place in reached if place not in draft.tiles()]
    never = [place for place in draft.tiles() if place not in reached and place not in blocks]
    late = [place for place in reached[len(reached) // 2 :] if place not in blocks and place != draft.start]
    late = [place for place in late if draft.terrain(place) != WATER and (place not in gaps or dice.random() < 0.3)]
    places = never if never and dice.random() < 0.25 else late
    if not places:
        return None
    draft.goals = tuple(dice.choice(places) for _ in range(dice.choice((1, 1, 1, 1, 2))))
    made = draft.finished()
    return made if _is_lively(made, states, dice) else None


def _is_lively(dungeon: Dungeon, without_goal: Moves, dice: Random) -> bool:
    """Tell whether something can change at all; what has no state but the place is mostly thrown away."""
    places = {state.place for state in without_goal}
    return len(without_goal) > len(places) or dice.random() < 0.1 or bool(dungeon.played)


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
