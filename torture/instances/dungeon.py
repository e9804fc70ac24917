"""Small random dungeons with a bit of everything. Most make no sense, and that is the point."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from solvent.dungeon.model import (
    ONE_WAYS,
    WALL,
    WATER,
    Block,
    Dungeon,
    Floor,
    Gate,
    Not,
    Pickup,
    Place,
    Room,
    Rules,
    Switch,
    Way,
)

MIXTURES = ("kL", "kKL", "kLsDd", "kLo", "kLS", "kLTt~l", "mSkL", "kLv^<>", "kLsDoS>v", "bB", "bBkLRr", "kL", "tTl~")
"""What some tiles hold, by letter."""
PICKUPS = {
    "k": ("key", "", 1),
    "K": ("key", "", 2),
    "r": ("key", "red", 1),
    "b": ("bombs", "", 0),
    "t": ("item", "torch", 1),
    "l": ("item", "ladder", 1),
    "m": ("monster", "", 1),
}
GATES = {
    "L": ("lock", ("",), False),
    "R": ("lock", ("red",), False),
    "B": ("cracked", (), False),
    "T": ("item", ("torch",), False),
    "D": ("barrier", ("lever",), False),
    "d": ("barrier", ("lever",), True),
    "S": ("soft", ("den",), False),
}
SHAPES = ((1, 6), (1, 8), (2, 4), (2, 5), (3, 3), (3, 4), (4, 4), (3, 5))


def make_dungeon(dice: Random) -> Dungeon:
    """Make a dungeon of a few tiles crammed with things, so that there is something to lose behind most steps."""
    height, width = dice.choice(SHAPES)
    mixture = dice.choice(MIXTURES)
    letters = [dice.choice("...#" + mixture) for _ in range(height * width)]
    placed = "@GkL" if "k" in mixture else "@GbB" if "b" in mixture else "@GtT"
    for number, letter in zip(dice.sample(range(len(letters)), 4), placed, strict=True):
        letters[number] = letter
    if "s" not in letters:
        letters = ["." if letter in "Dd" else letter for letter in letters]
    drawn = {(0, *divmod(number, width)): letter for number, letter in enumerate(letters)}
    return _assemble(dice, drawn, height, width)


def _assemble(dice: Random, drawn: dict[Place, str], height: int, width: int) -> Dungeon:
    def rows(terrain: set[str]) -> tuple[str, ...]:
        letters = [letter if letter in terrain else "." for letter in drawn.values()]
        return tuple("".join(letters[row * width : (row + 1) * width]) for row in range(height))

    dry = [place for place, letter in drawn.items() if letter not in (WALL, WATER)]
    gates = [Gate(*GATES[letter][:2], (place,), GATES[letter][2]) for place, letter in drawn.items() if letter in GATES]
    if dice.random() < 0.15 and len(gates) > 1 and gates[0].kind == gates[1].kind and gates[0].needs == gates[1].needs:
        gates[:2] = [replace(gates[0], cells=(*gates[0].cells, *gates[1].cells))]
    top, left = dice.randrange(height), dice.randrange(width)
    den = Room("den", (0, top, left), dice.randrange(1, height - top + 1), dice.randrange(1, width - left + 1))
    ways = []
    for _ in range(dice.choice((0, 0, 0, 1, 2))):
        source, target = dice.sample(dry, 2)
        gate = dice.randrange(len(gates)) if gates and dice.random() < 0.3 else None
        ways.append(Way(source, target, dice.choice(("stairs", "warp", "door")), gate))
        if dice.random() < 0.6:
            ways.append(Way(target, source, ways[-1].kind, dice.choice((gate, None))))
    return Dungeon(
        floors=(Floor("ground", rows({WALL, WATER, *ONE_WAYS})),),
        start=_find(drawn, "@")[0],
        goals=tuple(_find(drawn, "G")),
        pickups=tuple(Pickup(place, *PICKUPS[letter]) for place, letter in drawn.items() if letter in PICKUPS),
        gates=tuple(gates),
        switches=tuple(Switch(place, "lever") for place in _find(drawn, "s")),
        blocks=tuple(Block(place) for place in _find(drawn, "o")),
        ways=tuple(sorted(ways, key=lambda way: (way.source, way.target))),
        rooms=(den,),
        rules=make_rules(dice),
    )


def make_rules(dice: Random) -> Rules:
    """Choose rules, the usual ones most often."""
    return Rules(
        keys=dice.choice(((), (), (), (("", 1),), (("", 1), ("red", 1)))),
        bombs=dice.choice((0, 0, 0, 1, None)),
        items=dice.choice(((), (), (), (), ("torch",), ("ladder",))),
        bombs_per_pickup=dice.choice((1, 2)),
        keys_counted=dice.random() < 0.95,
        crossing=dice.choice(("any", "one")),
        soft=dice.choice(("open", "clear", "shut")),
        push=dice.choice(("once", "once", "never")),
        player=dice.choice(("any", "any", "thorough")),
    )


def _find(drawn: dict[Place, str], wanted: str) -> list[Place]:
    return [place for place, letter in drawn.items() if letter == wanted]


def make_tree(dice: Random) -> Dungeon:
    """Make a corridor with side rooms, each behind a door that takes a key and with keys in it or none."""
    length = dice.randrange(4, 9)
    corridor = ["."] * length
    rooms, doors = [WALL] * length, [WALL] * length
    corridor[0], corridor[-1] = dice.choice("@k"), "G"
    for column in range(1, length - 1):
        corridor[column] = dice.choice(".....kLT")
        if dice.random() < 0.35:
            doors[column], rooms[column] = dice.choice(("L", "L", ".", "T")), dice.choice("kkKt.")
    if "@" not in corridor:
        corridor[1] = "@"
    drawn = {
        (0, row, column): line[column] for row, line in enumerate((rooms, doors, corridor)) for column in range(length)
    }
    made = _assemble(dice, drawn, 3, length)
    return replace(made, ways=(), rules=replace(made.rules, push="never", soft="open"))


def perturb_dungeon(dice: Random, dungeon: Dungeon) -> Dungeon:
    """Change one thing: a wall, a pickup, a gate, the start, the goal or a rule; the result is a dungeon still."""
    kind = dice.randrange(10)
    places = [
        (0, row, column)
        for row, line in enumerate(dungeon.floors[0].terrain)
        for column, letter in enumerate(line)
        if letter not in (WALL, WATER) and (0, row, column) not in {block.place for block in dungeon.blocks}
    ]
    if kind == 0:
        return replace(dungeon, floors=(_with_other_tile(dice, dungeon),))
    if kind == 1 and dungeon.pickups:
        kept = list(dungeon.pickups)
        moved = kept.pop(dice.randrange(len(kept)))
        if dice.random() < 0.5:
            kept.append(replace(moved, place=dice.choice(places)))
        return replace(dungeon, pickups=tuple(sorted(kept, key=lambda pickup: pickup.place)))
    if kind == 2 and dungeon.gates and not dungeon.ways:
        gates = list(dungeon.gates)
        del gates[dice.randrange(len(gates))]
        return replace(dungeon, gates=tuple(gates))
    if kind == 3:
        return replace(dungeon, start=dice.choice(places))
    if kind == 4:
        return replace(dungeon, goals=(dice.choice(places),))
    if kind == 5 and dungeon.ways:
        ways = list(dungeon.ways)
        del ways[dice.randrange(len(ways))]
        return replace(dungeon, ways=tuple(ways))
    if kind == 6 and dungeon.gates:
        number = dice.randrange(len(dungeon.gates))
        other = replace(
            dungeon.gates[number], kind="lock", needs=(dice.choice(("", "red")),), open_at_first=False, rule=None
        )
        return replace(dungeon, gates=(*dungeon.gates[:number], other, *dungeon.gates[number + 1 :]))
    if kind > 7:
        return _with_other_requirement(dice, dungeon)
    return replace(dungeon, rules=make_rules(dice))


def _with_other_requirement(dice: Random, dungeon: Dungeon) -> Dungeon:
    """Return the dungeon with a requirement dropped, or turned into its opposite, or with plainer rules."""
    asking = [number for number, gate in enumerate(dungeon.gates) if gate.rule is not None]
    appearing = [number for number, pickup in enumerate(dungeon.pickups) if pickup.rule is not None]
    if asking and dice.random() < 0.5:
        number = dice.choice(asking)
        rule = dungeon.gates[number].rule
        assert rule is not None
        other = replace(dungeon.gates[number], rule=rule.part if isinstance(rule, Not) else Not(rule))
        return replace(dungeon, gates=(*dungeon.gates[:number], other, *dungeon.gates[number + 1 :]))
    if appearing and dice.random() < 0.5:
        number = dice.choice(appearing)
        seen = replace(dungeon.pickups[number], rule=None)
        return replace(dungeon, pickups=(*dungeon.pickups[:number], seen, *dungeon.pickups[number + 1 :]))
    if dungeon.goal_rule is not None:
        return replace(dungeon, goal_rule=None)
    rules = replace(dungeon.rules, push=dice.choice(("once", "on")), blocks=dice.choice(("stay", "reset")))
    return replace(dungeon, rules=replace(rules, home=dice.choice(("never", "always"))))


def _with_other_tile(dice: Random, dungeon: Dungeon) -> Floor:
    """Return the floor with a bare tile walled up, or a wall taken down."""
    floor = dungeon.floors[0]
    used = {dungeon.start, *dungeon.goals, *(pickup.place for pickup in dungeon.pickups)}
    used |= {cell for gate in dungeon.gates for cell in gate.cells} | {switch.place for switch in dungeon.switches}
    used |= {block.place for block in dungeon.blocks} | {
        end for way in dungeon.ways for end in (way.source, way.target)
    }
    free = [
        (row, column)
        for row, line in enumerate(floor.terrain)
        for column, letter in enumerate(line)
        if (0, row, column) not in used and letter in ".#"
    ]
    if not free:
        return floor
    row, column = dice.choice(free)
    line = floor.terrain[row]
    other = "." if line[column] == WALL else WALL
    changed = line[:column] + other + line[column + 1 :]
    return replace(floor, terrain=(*floor.terrain[:row], changed, *floor.terrain[row + 1 :]))


def make_den(dice: Random) -> Dungeon:
    """Make a den with monsters, some of them out of reach, and doors that stay shut while one of them lives."""
    height, width = dice.choice((2, 3, 4)), dice.choice((2, 3))
    inside = [[dice.choice("..mm##>k") for _ in range(width)] for _ in range(height)]
    border = [dice.choice("SS#L") for _ in range(height)]
    outside = [[dice.choice("...k#") for _ in range(2)] for _ in range(height)]
    inside[dice.randrange(height)][0] = "@"
    outside[dice.randrange(height)][1] = "G"
    rows = [[*den, door, *rest] for den, door, rest in zip(inside, border, outside, strict=True)]
    drawn = {(0, row, column): letter for row, line in enumerate(rows) for column, letter in enumerate(line)}
    made = _assemble(dice, drawn, height, width + 3)
    return replace(
        made, ways=(), rooms=(Room("den", (0, 0, 0), height, width),), rules=replace(made.rules, soft="clear")
    )


WAY_GATES = (
    *(("lock", ("",)), ("lock", ("",)), ("lock", ("red",)), ("cracked", ()), ("item", ("torch",))),
    *(("item", ("ladder", "torch")), ("barrier", ("lever",)), ("soft", ("den",))),
)


def make_room_graph(dice: Random) -> Dungeon:
    """Make rooms of a single tile, joined by doors, some of them one-way and some with a gate."""
    rooms = dice.randrange(3, 8)
    places = [(number, 0, 0) for number in range(rooms)]
    gates: list[Gate] = []
    ways: dict[tuple[Place, Place], Way] = {}
    pairs = [(place, dice.choice(places[:number])) for number, place in enumerate(places) if number]
    pairs += [(source, target) for source, target in (dice.sample(places, 2) for _ in range(dice.randrange(3)))]
    for pair in pairs:
        source, target = pair if dice.random() < 0.5 else pair[::-1]
        gate = None
        if dice.random() < 0.6 and len(gates) < 6:
            kind, needs = dice.choice(WAY_GATES)
            gates.append(Gate(kind, needs, (), kind == "barrier" and dice.random() < 0.3))
            gate = len(gates) - 1
        ways[source, target] = Way(source, target, "door", gate)
        if dice.random() < 0.75:
            ways[target, source] = Way(target, source, "door", gate)
    things = [dice.choice("kkKrbtlm") for _ in range(dice.randrange(5))]
    pickups = sorted((Pickup(dice.choice(places), *PICKUPS[thing]) for thing in things), key=lambda one: one.place)
    return Dungeon(
        floors=tuple(Floor(chr(ord("A") + number), (".",)) for number in range(rooms)),
        start=places[0],
        goals=(places[-1],),
        pickups=tuple(pickups),
        gates=tuple(gates),
        switches=tuple(sorted({Switch(dice.choice(places), "lever") for _ in range(dice.choice((1, 1, 2)))}, key=repr)),
        ways=tuple(sorted(ways.values(), key=lambda way: (way.source, way.target))),
        rooms=(Room("den", dice.choice(places), 1, 1),),
        rules=make_rules(dice),
    )
