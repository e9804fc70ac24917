"""Small random dungeons: rooms divided by walls with something in each gap, under any rules; and spoiled texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from hypothesis import strategies as st
from torture.instances.rich_dungeon import make_rich_dungeon
from torture.judges.dungeon import TooLarge, Truth, Twin, all_states, truth

from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    WALL,
    WATER,
    Block,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Place,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.dungeon.notation.assembling import DungeonParts, assemble

ALL = ("locks", "bombs", "items", "water", "one-ways", "switches", "soft", "blocks", "ways")
"""The mechanics a dungeon may have."""
MAX_CHANGES = 12
"""The most things that can be taken, opened, switched or pushed: each may double the number of states."""


@dataclass
class _Sketch:
    """Hold a dungeon in the making."""

    dice: Random
    mechanics: Sequence[str]
    grids: list[list[list[str]]] = field(default_factory=list)
    rooms: list[Room] = field(default_factory=list)
    gaps: list[tuple[Place, Room, Room]] = field(default_factory=list)
    pickups: list[Pickup] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    rules: Rules = field(default_factory=Rules)
    start: Place = (0, 0, 0)
    goals: list[Place] = field(default_factory=list)

    def has(self, mechanic: str, chance: float = 1.0) -> bool:
        return mechanic in self.mechanics and self.dice.random() < chance

    def terrain(self, place: Place) -> str:
        return self.grids[place[0]][place[1]][place[2]]

    def lay(self, place: Place, terrain: str) -> None:
        self.grids[place[0]][place[1]][place[2]] = terrain

    def free(self, room: Room | None = None) -> list[Place]:
        """Return the tiles of bare floor inside a room, or inside any."""
        used = {pickup.place for pickup in self.pickups} | {block.place for block in self.blocks}
        used.update(switch.place for switch in self.switches)
        used.update(end for way in self.ways for end in (way.source, way.target))
        places = [place for one in (self.rooms if room is None else [room]) for place in tiles_of(one)]
        return [place for place in places if self.terrain(place) == FLOOR and place not in used]

    def changes(self) -> int:
        lasting = sum(gate.kind in ("lock", "cracked", "soft") for gate in self.gates)
        switches = {switch.name for switch in self.switches}
        return len(self.pickups) + lasting + len(switches) + len(self.blocks)

    def assembled(self) -> Dungeon:
        """Return the dungeon as it is by now."""
        floors = [
            Floor(f"floor {number}", tuple("".join(row) for row in grid)) for number, grid in enumerate(self.grids)
        ]
        made = assemble(
            DungeonParts(
                floors,
                starts=[self.start],
                goals=self.goals or [self.start],
                pickups=self.pickups,
                gates=self.gates,
                switches=self.switches,
                blocks=self.blocks,
                ways=self.ways,
                rooms=self.rooms,
                rules=self.rules,
            ),
            strict=False,
        )
        return made if self.goals else replace(made, goals=())

    def within_reach(self) -> list[Place]:
        """Return the places that can be reached by now, nearest first; few enough states are looked at."""
        try:
            states = all_states(self.assembled(), most=2_000)
        except TooLarge:
            return self.free()
        return list(dict.fromkeys(state.place for state in states))


def tiles_of(room: Room) -> list[Place]:
    """Return every place in a room."""
    floor, top, left = room.corner
    return [(floor, top + row, left + column) for row in range(room.height) for column in range(room.width)]


@cache
def random_truth(seed: int) -> Truth:
    """Return what is true of a random dungeon with all mechanics."""
    return truth(random_dungeon(seed))


@cache
def random_dungeon(seed: int, *, mechanics: tuple[str, ...] = ALL) -> Dungeon:
    """Make a dungeon with some of the mechanics; it may be solvable or not, safe or not."""
    dice = Random(seed)
    made = _attempt(dice, mechanics)
    wanted = dice.random() < 0.4  # left to chance, few of them could be won and lost as well
    for _ in range(4 if wanted else 0):
        if _can_be_won_and_lost(made):
            break
        made = _attempt(dice, mechanics)
    made = replace(made, title=f"random {seed}")
    return replace(made, played=_random_walk(made, dice)) if dice.random() < 0.2 else made


@cache
def random_rich_dungeon(seed: int, *, picky: bool = True) -> Dungeon:
    """Make a small dungeon with some of all mechanics there are; it has few enough states to look at each.

    Unless picky, less care is taken that its mechanics matter, and less time.
    """
    return replace(make_rich_dungeon(Random(f"rich {seed}"), picky=picky), title=f"rich {seed}")


def _can_be_won_and_lost(dungeon: Dungeon) -> bool:
    try:
        _, plan, lost = truth(dungeon, most=2_000)
        return plan is not None and lost is not None
    except TooLarge:
        return True


def _attempt(dice: Random, mechanics: Sequence[str]) -> Dungeon:
    chosen = dice.sample(mechanics, min(len(mechanics), dice.choice((2, 3, 4, 5, 6, 7))))
    sketch = _Sketch(dice, chosen)
    for floor in range(2 if "ways" in chosen and dice.random() < 0.7 else 1):
        _draw_floor(sketch, floor, small="ways" in chosen)
    for gap in sketch.gaps:
        _fill_gap(sketch, *gap)
    _merge_gates(sketch)
    if "ways" in chosen:
        _add_ways(sketch)
    _name_gates(sketch)
    _scatter(sketch)
    if len(sketch.free()) < 2:
        return _attempt(dice, mechanics)
    sketch.rules = _random_rules(sketch)
    sketch.start = dice.choice(sketch.free())
    _place_switches(sketch)
    sketch.start = _choose_start(sketch)
    _supply(sketch)
    sketch.goals = _choose_goals(sketch)
    return sketch.assembled()


def _draw_floor(sketch: _Sketch, floor: int, *, small: bool) -> None:
    """Divide a floor of up to 7 by 9 tiles into rooms, and choose the gaps between them."""
    dice = sketch.dice
    heights = _sides(dice, 5 if small else 7, dice.choice((1, 2, 2)))
    widths = _sides(dice, 7 if small else 9, dice.choice((2, 2, 3) if small else (2, 3, 3)))
    filling = WALL if dice.random() < 0.8 else NOTHING
    grid = [[filling] * (sum(widths) + len(widths) - 1) for _ in range(sum(heights) + len(heights) - 1)]
    sketch.grids.append(grid)
    rooms: dict[tuple[int, int], Room] = {}
    for i, height in enumerate(heights):
        for j, width in enumerate(widths):
            corner = (floor, sum(heights[:i]) + i, sum(widths[:j]) + j)
            rooms[i, j] = Room(f"room {len(sketch.rooms)}", corner, height, width)
            sketch.rooms.append(rooms[i, j])
            for place in tiles_of(rooms[i, j]):
                sketch.lay(place, FLOOR if height * width < 4 or dice.random() < 0.94 else filling)
    joined = {(0, 0)}
    borders = [(a, b) for a in rooms for b in rooms if b in ((a[0] + 1, a[1]), (a[0], a[1] + 1))]
    dice.shuffle(borders)
    while len(joined) < len(rooms):  # first what joins them all, then some more
        one, other = next(pair for pair in borders if len(joined.intersection(pair)) == 1)
        borders.remove((one, other))
        joined.update((one, other))
        _open_gap(sketch, rooms[one], rooms[other])
    for one, other in borders:
        if dice.random() < 0.5:
            _open_gap(sketch, rooms[one], rooms[other])


def _sides(dice: Random, length: int, count: int) -> list[int]:
    """Return the sides of rooms in a line that, with walls between them, are not longer than that."""
    sides = [dice.choice((1, 2, 2, 3, 3)) for _ in range(count)]
    while sum(sides) + count - 1 > length:
        sides[sides.index(max(sides))] -= 1
    return sides


def _open_gap(sketch: _Sketch, one: Room, other: Room) -> None:
    floor, top, left = one.corner
    if other.corner[1] == top:
        gap = (floor, top + sketch.dice.randrange(one.height), left + one.width)
    else:
        gap = (floor, top + one.height, left + sketch.dice.randrange(one.width))
    sketch.lay(gap, FLOOR)
    sketch.gaps.append((gap, one, other))


def _fill_gap(sketch: _Sketch, gap: Place, one: Room, other: Room) -> None:
    kinds = [kind for kind in ALL[:-1] if kind in sketch.mechanics]
    kind = sketch.dice.choice([*kinds, *kinds, *kinds, "nothing"])
    if kind == "one-ways":
        across = one.corner[1] == other.corner[1]
        sketch.lay(gap, sketch.dice.choice("><" if across else "^v"))
    elif kind == "water":
        sketch.lay(gap, WATER)
    elif kind == "blocks":
        if sketch.changes() < MAX_CHANGES - 5:
            sketch.blocks.append(Block(gap))
    elif kind != "nothing" and sketch.changes() < MAX_CHANGES - 5:
        sketch.gates.append(_random_gate(sketch, kind, (gap,), (one, other)))


def _random_gate(sketch: _Sketch, kind: str, cells: tuple[Place, ...], rooms: Sequence[Room]) -> Gate:
    dice = sketch.dice
    if kind == "locks":
        return Gate("lock", (dice.choice(("", "", "red")),), cells)
    if kind == "bombs":
        return Gate("cracked", (), cells)
    if kind == "items":
        needs = dice.choice((("torch",), ("torch",), ("ladder",), ("ladder", "torch")))
        return Gate("item", needs, cells)
    if kind == "switches":
        return Gate("barrier", (dice.choice(("lever", "lever", "chain")),), cells, dice.random() < 0.4)
    return Gate("soft", (dice.choice(rooms).name,), cells)


def _choose_start(sketch: _Sketch) -> Place:
    """Return, of a few places, the one from which most can be reached with nothing found yet."""

    def reach(place: Place) -> int:
        sketch.start = place
        return len(sketch.within_reach())

    return max([sketch.start, *sketch.dice.choices(sketch.free() or [sketch.start], k=2)], key=reach)


def _choose_goals(sketch: _Sketch) -> list[Place]:
    """Return a goal far from the start or out of reach, or two; seldom the start itself."""
    dice = sketch.dice
    if dice.random() < 0.01:
        return [sketch.start]
    gaps = [gap for gap, _, _ in sketch.gaps if sketch.terrain(gap) == FLOOR]
    standing = {block.place for block in sketch.blocks}
    places = [place for place in (*sketch.free(), *gaps) if place not in standing and place != sketch.start]
    reached = [place for place in sketch.within_reach() if place in places]
    far = reached[len(reached) * 3 // 4 :] or [sketch.start]
    never = [place for place in places if place not in reached] or far
    count = dice.choice((1, 1, 1, 1, 1, 2))
    return [dice.choice(dice.choices((far, never, places or far), weights=(9, 10, 2))[0]) for _ in range(count)]


def _add_ways(sketch: _Sketch) -> None:
    """Join the floors by stairs, and add a way or two that nobody asked for."""
    dice = sketch.dice
    pairs = [(0, 1)] if len(sketch.grids) == 2 else []
    pairs.extend(dice.choices([(0, 0), (0, 1), (1, 0)] if pairs else [(0, 0)], k=dice.choice((0, 1, 1, 2))))
    for one, other in pairs:
        sources = [place for place in sketch.free() if place[0] == one]
        targets = [place for place in sketch.free() if place[0] == other]
        if not sources or not targets:
            continue
        source, target = dice.choice(sources), dice.choice(targets)
        if source == target:
            continue
        gate = None
        kinds = [kind for kind in ("locks", "bombs", "items", "switches", "soft") if kind in sketch.mechanics]
        if kinds and sketch.changes() < MAX_CHANGES - 2 and dice.random() < 0.5:
            gate = len(sketch.gates)
            sketch.gates.append(_random_gate(sketch, dice.choice(kinds), (), sketch.rooms))
        elif sketch.gates and dice.random() < 0.5:
            gate = dice.randrange(len(sketch.gates))  # one gate for a tile and a way, perhaps met in the same move
            if sketch.gates[gate].cells and dice.random() < 0.5 and source != sketch.gates[gate].cells[0]:
                target = sketch.gates[gate].cells[0]
        elif sketch.blocks and dice.random() < 0.2:
            target = dice.choice(sketch.blocks).place
        kind = dice.choice(("stairs", "warp", "door", "passage"))
        sketch.ways.append(Way(source, target, kind, gate))
        if dice.random() < 0.65:
            sketch.ways.append(Way(target, source, kind, gate if dice.random() < 0.8 else None))


def _merge_gates(sketch: _Sketch) -> None:
    """Let two gates of a kind be one, now and then."""
    merged: list[Gate] = []
    for gate in sketch.gates:
        alike = [n for n, one in enumerate(merged) if (one.kind, one.needs) == (gate.kind, gate.needs)]
        if alike and sketch.dice.random() < 0.2:
            merged[alike[0]] = replace(merged[alike[0]], cells=merged[alike[0]].cells + gate.cells)
        else:
            merged.append(gate)
    sketch.gates = merged


def _name_gates(sketch: _Sketch) -> None:
    """Name what bars more than one place: people have no other way to say that it is one gate. And some others."""
    for number, gate in enumerate(sketch.gates):
        places = len(gate.cells) + sum(way.gate == number for way in sketch.ways)
        if places > 1 or sketch.dice.random() < 0.3:
            sketch.gates[number] = replace(gate, name=f"Orm's gate {number}")


def _scatter(sketch: _Sketch) -> None:
    """Put blocks, water and one-ways inside rooms."""
    dice = sketch.dice
    for place in sketch.free():
        if sketch.has("water", 0.08):
            sketch.lay(place, WATER)
        elif sketch.has("one-ways", 0.05):
            sketch.lay(place, dice.choice([*ONE_WAYS]))
        elif sketch.has("blocks", 0.14) and sketch.changes() < MAX_CHANGES - 5:
            sketch.blocks.append(Block(place))


def _distance(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) * 6 + abs(one[1] - other[1]) + abs(one[2] - other[2])


def _random_rules(sketch: _Sketch) -> Rules:
    dice = sketch.dice
    carried = {colour: dice.choice((0, 0, 0, 0, 1)) for colour in ("", "red")} if "locks" in sketch.mechanics else {}
    bombs: Sequence[int | None] = (0, 0, 0, 0, 1, None) if "bombs" in sketch.mechanics else (0, 1, None)
    return Rules(
        keys=tuple(sorted((colour, count) for colour, count in carried.items() if count)),
        bombs=dice.choice(bombs),
        items=dice.choice(((), (), (), (), ("torch",), ("ladder",))),
        bombs_per_pickup=dice.choice((0, 1, 1, 1, 2, 4)),
        keys_counted=dice.random() < 0.9,
        water=dice.choice(("ladder", "ladder", "ladder", "torch")),
        crossing=dice.choice(("any", "one")),
        soft=dice.choice(("open", "clear", "clear", "shut", "shut")),
        push=dice.choice(("once", "once", "once", "never")),
        player=dice.choice(("any", "any", "thorough")),
    )


def _supply(sketch: _Sketch) -> None:
    """Put down what the gates ask for, sometimes too little of it, and a few things that nobody needs."""
    dice = sketch.dice
    wanted = _wanted(sketch)
    dice.shuffle(wanted)
    for kind, name, count in wanted:
        if sketch.changes() >= MAX_CHANGES:
            break
        dens = [room for room in sketch.rooms if kind == "monster" and room.name == name]
        places = sketch.free(dens[0] if dens else None)
        places.extend([sketch.start] if dice.random() < 0.05 else [])
        places.extend(cell for gate in sketch.gates for cell in gate.cells if dice.random() < 0.05)
        if sketch.has("water", 0.3):
            places.extend(place for room in sketch.rooms for place in tiles_of(room) if sketch.terrain(place) == WATER)
        if not dens and dice.random() < 0.8:
            # What can be had makes a difference; elsewhere it is as good as missing.
            reached = set(sketch.within_reach())
            places = [place for place in places if place in reached] or places
        if places:
            sketch.pickups.append(Pickup(dice.choice(places), kind, "" if kind == "monster" else name, count))


def _wanted(sketch: _Sketch) -> list[tuple[str, str, int]]:
    """Return kind, name and count of what is to be put down; the name of a monster is that of its room."""
    dice, rules = sketch.dice, sketch.rules
    wanted: list[tuple[str, str, int]] = []
    for colour in ("", "red"):
        locks = sum(gate.kind == "lock" and gate.needs[0] == colour for gate in sketch.gates)
        missing = locks - dict(rules.keys).get(colour, 0) + (dice.choice((-1, 0, 0, 0, 1)) if locks else 0)
        while missing > 0:
            count = min(missing, dice.choice((1, 1, 1, 2)))
            wanted.append(("key", colour, count))
            missing -= count
    if any(gate.kind == "cracked" for gate in sketch.gates) and rules.bombs is not None:
        wanted.extend([("bombs", "", dice.choice((0, 1, 1, 2)))] * dice.choice((0, 1, 1, 1, 2)))
    needed = {name for gate in sketch.gates if gate.kind == "item" for name in gate.needs}
    if "water" in sketch.mechanics:
        needed.add(rules.water)
    wanted.extend(("item", name, 1) for name in sorted(needed) if dice.random() < 0.9)
    dens = sorted({gate.needs[0] for gate in sketch.gates if gate.kind == "soft"})
    wanted.extend(("monster", room, 1) for room in dens if dice.random() < 0.8)
    if dice.random() < 0.15:
        wanted.append(dice.choice((("item", "map", 1), ("key", "green", 1), ("monster", "", 1), ("bombs", "", 3))))
    return wanted


def _place_switches(sketch: _Sketch) -> None:
    """Put a few plates of each switch that some barrier needs; a barrier must have one. And some that do nothing."""
    dice = sketch.dice
    barriers = [gate for gate in sketch.gates if gate.kind == "barrier"]
    near_start = sorted(sketch.free(), key=lambda place: _distance(sketch.start, place))
    idle = ["bell"] if "switches" in sketch.mechanics and dice.random() < 0.15 else []
    for name in sorted({gate.needs[0] for gate in barriers}) + idle:
        places = [place for place in near_start if place != sketch.start] or near_start
        cells = [cell for gate in sketch.gates for cell in gate.cells]
        for _ in range(dice.choice((1, 1, 2, 3))):
            chosen = places[int(len(places) * dice.random() ** 2)]  # rather near the start
            if cells and dice.random() < 0.1:
                chosen = dice.choice(cells)
            if Switch(chosen, name) not in sketch.switches:
                sketch.switches.append(Switch(chosen, name))


def _random_walk(dungeon: Dungeon, dice: Random) -> tuple[str, ...]:
    """Return a few legal moves, which seldom end the game."""
    twin = Twin(dungeon)
    state, walk = twin.beginning(), []
    for _ in range(dice.randint(1, 8)):
        choices = [(move, after) for move in twin.moves if (after := twin.step(state, move)) is not None]
        choices = [(move, after) for move, after in choices if not twin.is_won(after) or dice.random() < 0.1]
        if not choices:
            break
        move, state = dice.choice(choices)
        walk.append(move)
    return tuple(walk)


def dungeons(mechanics: Sequence[str] = ALL) -> st.SearchStrategy[Dungeon]:
    """Draw small dungeons; a simpler one is one with fewer mechanics or a smaller seed."""
    some = st.lists(st.sampled_from(list(mechanics)), unique=True, min_size=1)
    return st.builds(
        lambda chosen, seed: random_dungeon(seed, mechanics=tuple(name for name in mechanics if name in chosen)),
        some,
        st.integers(0, 100_000),
    )


@st.composite
def spoiled(draw: st.DrawFn, text: str) -> str:
    """Draw a text with a few characters or lines dropped, doubled, exchanged or replaced."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(text) - 1)))
        lines = text.split("\n")
        line = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(("drop", "put", "replace", "drop line", "double line", "exchange lines", "cut")))
        glyph = draw(st.sampled_from("#._ ~^>v<@GkLbBmo=+:,->x0129(){}[]\"'\\\n\t\u00e9\u2603"))
        if change == "drop":
            text = text[:at] + text[at + 1 :]
        elif change == "put":
            text = text[:at] + glyph + text[at:]
        elif change == "replace":
            text = text[:at] + glyph + text[at + 1 :]
        elif change == "cut":
            text = text[:at]
        else:
            other = draw(st.integers(0, len(lines) - 1))
            if change == "drop line":
                del lines[line]
            elif change == "double line":
                lines.insert(other, lines[line])
            else:
                lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
    return text


def random_room_graph(seed: int) -> Dungeon:
    """Return a few rooms of one tile: moves that lead one way or both, free, cracked or locked, and some keys."""
    dice = Random(f"rooms {seed}")
    count = dice.randint(3, 7)
    rooms = [(number, 0, 0) for number in range(count)]
    gates: list[Gate] = []
    ways: dict[tuple[int, int], Way] = {}
    for _ in range(dice.randint(count, 2 * count + 2)):
        one, other = dice.sample(range(count), 2)
        if (one, other) in ways or (other, one) in ways:
            continue
        kind = dice.choice(("", "", "", "cracked", "lock", "lock"))
        gate = len(gates) if kind else None
        if kind:
            gates.append(Gate(kind, ("",) if kind == "lock" else ()))
        ways[one, other] = Way(rooms[one], rooms[other], "door", gate)
        if dice.random() < (0.9 if kind == "lock" else 0.6):
            ways[other, one] = Way(rooms[other], rooms[one], "door", gate)
    keys = [Pickup(dice.choice(rooms[:-1]), "key") for _ in range(dice.randint(0, 4))]
    return assemble(
        DungeonParts(
            [Floor(f"room {number}", (".",)) for number in range(count)],
            starts=[rooms[0]],
            goals=[rooms[-1]],
            pickups=list({key.place: key for key in keys}.values()),
            gates=gates,
            ways=list(ways.values()),
            rules=Rules(bombs=None, player=dice.choice(("any", "thorough"))),
        ),
        strict=False,
    )


def random_circles(seed: int) -> Dungeon:
    """Return a few rooms joined in circles by gates that can be passed both ways, with about enough to open them."""
    dice = Random(f"circles {seed}")
    count = dice.randint(3, 6)
    rooms = [(number, 0, 0) for number in range(count)]
    pairs = [(one, one + 1) for one in range(count - 1)] if dice.random() < 0.6 else []
    pairs += [(dice.randrange(one), one) for one in range(1, count)] if not pairs else [(0, count - 1)]
    for _ in range(dice.randint(0, 3)):
        pairs.append(tuple(sorted(dice.sample(range(count), 2))))
    kinds = dice.choice(("l", "l", "lr", "lc", "lrc", "llt", "lct"))
    gates: list[Gate] = []
    ways: list[Way] = []
    things: list[tuple[str, str]] = []
    for one, other in dict.fromkeys(pairs):
        kind = dice.choice(kinds) if dice.random() < 0.9 else ""
        gate = None
        if kind and gates and dice.random() < 0.07:
            gate = dice.randrange(len(gates))  # one gate in two places
        elif kind:
            gate = len(gates)
            made = {"l": ("lock", ("",)), "r": ("lock", ("red",)), "c": ("cracked", ()), "t": ("item", ("torch",))}
            gates.append(Gate(*made[kind]))
            things.append({"l": ("key", ""), "r": ("key", "red"), "c": ("bombs", ""), "t": ("item", "torch")}[kind])
        ways.append(Way(rooms[one], rooms[other], "door", gate))
        if dice.random() < 0.95:
            ways.append(Way(rooms[other], rooms[one], "door", gate if dice.random() < 0.95 else None))
    if things and dice.random() < 0.4:
        things.append(dice.choice(things))
    if things and dice.random() < 0.2:
        things.remove(dice.choice(things))
    goal = dice.randrange(1, count)
    floors = [Floor(f"room {number}", ("..." if number == goal else "..",)) for number in range(count)]
    pickups: dict[Place, Pickup] = {}
    for kind, name in things:
        where = 0 if dice.random() < 0.25 else dice.randrange(count)
        place = (where, 0, dice.choice((0, 1)))
        if place in pickups and pickups[place].name == name and pickups[place].kind == kind != "item":
            pickups[place] = replace(pickups[place], count=pickups[place].count + 1)
        elif place not in pickups:
            pickups[place] = Pickup(place, kind, name)
    if dice.random() < 0.3 and gates:
        floors[goal] = Floor(f"room {goal}", ("....",))
        gates.append(Gate("lock", (dice.choice(("", "", "red")),), ((goal, 0, 2),)))
    return assemble(
        DungeonParts(
            floors,
            starts=[(0, 0, 1)],
            goals=[(goal, 0, len(floors[goal].terrain[0]) - 1)],
            pickups=list(pickups.values()),
            gates=gates,
            ways=ways,
            rules=Rules(
                keys=dice.choice(((), (), (("", 1),))),
                bombs=dice.choice((0, 0, 1)),
                bombs_per_pickup=1,
                player=dice.choice(("any", "any", "thorough")),
            ),
        ),
        strict=False,
    )
