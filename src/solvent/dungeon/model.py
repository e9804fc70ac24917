"""What a dungeon is: floors, what stands on them, what joins them, and the rules it is played by. Data, no logic."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from solvent.core.source import Source

Place = tuple[int, int, int]
"""Floor, row and column, each counted from 0. Row 0 is the northernmost, column 0 the westernmost."""

WALL, NOTHING, FLOOR, WATER = "#", " ", ".", "~"
"""Terrain: no player can stand on WALL or NOTHING; on WATER only with the item that crosses it."""
ONE_WAYS = {"^": "N", ">": "E", "v": "S", "<": "W"}
"""Terrain that is walked one way: both the step onto it and the step off it go in this direction."""
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
"""The four directions, as the change of row and column."""
RETURN = "r"
"""The move back to the start, where the rules allow it."""
USE = "u"
"""What the move begins with that works a lever; the number of the switch follows."""


@dataclass(frozen=True, slots=True)
class Have:
    """Ask for something in hand. Nothing is spent."""

    what: str
    """`item`, `key` or `bombs`."""
    name: str = ""
    """The name of the item, or the colour of the key (empty for plain ones)."""
    count: int = 1
    """How many at least. Items that are carried from the start count as one each."""


@dataclass(frozen=True, slots=True)
class SwitchAt:
    """Ask for a switch to be in one of its states."""

    switch: str
    state: str = "on"


@dataclass(frozen=True, slots=True)
class Cleared:
    """Ask for all monsters of a room to be beaten."""

    room: str


@dataclass(frozen=True, slots=True)
class Not:
    """Ask for something not to hold, or not yet."""

    part: Requirement


@dataclass(frozen=True, slots=True)
class AllOf:
    """Ask for all of several things; of none, it always holds."""

    parts: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Ask for any of several things; of none, it never holds."""

    parts: tuple[Requirement, ...]


Requirement: TypeAlias = "Have | SwitchAt | Cleared | Not | AllOf | AnyOf"
"""What must hold for a gate to be passed, a pickup to be there, or a lever to be worked."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Hold one storey. A room of which only the name is known is a storey of a single tile."""

    name: str
    terrain: tuple[str, ...]
    """Rows of terrain letters, all equally long."""


@dataclass(frozen=True, slots=True)
class Pickup:
    """Hold something that is taken by a player who steps on its tile."""

    place: Place
    kind: str
    """`key`, `bombs`, `item`, or `monster`: one that is beaten by a player who steps there."""
    name: str = ""
    """The colour of a key (empty for plain ones), or the name of an item; empty otherwise."""
    count: int = 1
    """How many; 0 for as many bombs as the rules say. Monsters come one by one."""
    rule: Requirement | None = None
    """It is there while this holds, until it is taken, as a key that appears once a room is cleared; None: always."""
    renews: bool = False
    """For keys and bombs: it is never used up. Each time a player comes there with fewer, they have `count` again."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Hold what bars the way until something is had, spent or switched.

    A gate bars the step onto each of its cells, and each way that names it. All of them are one gate: what opens it
    there opens it everywhere.
    """

    kind: str
    """`lock` takes a key, `cracked` takes a bomb, and both stay open. `item` is passed with all the items it needs.
    `barrier` is open or shut by a switch. `soft` is as the rule `soft` says; it belongs to a room. `rule` is open while
    its `rule` holds."""
    needs: tuple[str, ...] = ()
    """lock: the colour of the key. item: names of items, sorted. barrier: the switch. soft: the room. Others: none."""
    cells: tuple[Place, ...] = ()
    open_at_first: bool = False
    """For a barrier: open while its switch is off, and shut while it is on."""
    name: str = ""
    """What people call it; may be empty."""
    rule: Requirement | None = None
    """For a gate of the kind `rule`, what must hold where the player stands before it."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Hold a plate or a lever. All of one name are one switch."""

    place: Place
    """Where it is. A lever may be in a wall."""
    name: str
    kind: str = "plate"
    """`plate`: each step onto it turns the switch. `held`: the switch is on while the player stands on this plate, or a
    block does, and off otherwise. `lever`: turned by a move of its own, from one of the places in `reach`."""
    sets: str = ""
    """The state that turning it leads to; empty: the next one, and from the last to the first."""
    reach: tuple[Place, ...] = ()
    """For a lever, the places it can be worked from, sorted: beside it, or in sight of it."""
    rule: Requirement | None = None
    """For a lever, what working it needs, such as a bow."""


@dataclass(frozen=True, slots=True)
class Dial:
    """Name the states of a switch that has others than `off` and `on`. It begins in the first."""

    switch: str
    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Hold a block: a player who walks against it pushes it one tile on, if that tile is bare floor."""

    place: Place


@dataclass(frozen=True, slots=True)
class Way:
    """Hold a way between two tiles that need not be neighbours; it is taken in one move, in this direction only."""

    source: Place
    target: Place
    kind: str = "stairs"
    """`stairs`, `warp`, `door`, or `passage` (a wall one can walk through). Only words: all are taken alike."""
    gate: int | None = None
    """The number of the gate that bars it."""


@dataclass(frozen=True, slots=True)
class Room:
    """Hold a rectangle of a floor that people call a room."""

    name: str
    corner: Place
    """Its north-west tile."""
    height: int
    width: int
    labels: tuple[str, ...] = ()
    """What is said of it, such as `boss`; nothing follows from a label."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Hold the rules that dungeons differ in. Every answer records them."""

    keys: tuple[tuple[str, int], ...] = ()
    """Keys carried at the start: colour and number, sorted, none of them 0."""
    bombs: int | None = 0
    """Bombs carried at the start; None for as many as one likes."""
    items: tuple[str, ...] = ()
    """Items carried at the start, sorted."""
    bombs_per_pickup: int = 4
    """How many bombs lie where the dungeon does not say."""
    keys_counted: bool = True
    """False: locks open without keys."""
    water: str = "ladder"
    """The item that crosses water."""
    crossing: str = "any"
    """`any`: with the item, water is floor. `one`: one step carries over a single tile of water, to land beyond."""
    soft: str = "clear"
    """Soft-locked doors. `open`: always open. `clear`: no way out of their room while it holds monsters; one can get
    in. `shut`: they fall shut for good behind a player who goes through."""
    push: str = "once"
    """`once`: each block can be pushed one tile, once. `on`: on and on, any way. `never`: they are walls."""
    blocks: str = "stay"
    """`stay`: blocks stay where they were pushed. `reset`: they are back where they stood once the player has left the
    rooms they stood in."""
    home: str = "never"
    """Whether a player can go back to the start at any time, keeping everything, as by saving and quitting: `never`, or
    `always`."""
    collect: tuple[str, ...] = ()
    """The items that the question `collectable` is about, sorted; none named: all there are."""
    accessibility: str = "full"
    """What the question `accessible` is about. `full`: everything that can be taken, and the goal. `items`: the items
    that anything asks for, and the goal. `minimal`: the goal."""
    player: str = "any"
    """Who may lose. `any`: any player. `thorough`: only one who takes all that is within reach, and can be had without
    giving anything up, before each step that cannot be undone."""


@dataclass(frozen=True, slots=True)
class Dungeon:
    """Hold one dungeon, and the moves played in it so far.

    Tuples are sorted (pickups, switches and blocks by place; gates by first cell, those without after them; ways by
    source and target), so that equal dungeons are equal.
    """

    floors: tuple[Floor, ...]
    start: Place
    goals: tuple[Place, ...]
    """The game is won, and over, on any of these."""
    pickups: tuple[Pickup, ...] = ()
    gates: tuple[Gate, ...] = ()
    switches: tuple[Switch, ...] = ()
    dials: tuple[Dial, ...] = ()
    """Switches with states of their own, sorted by name."""
    blocks: tuple[Block, ...] = ()
    ways: tuple[Way, ...] = ()
    rooms: tuple[Room, ...] = ()
    rules: Rules = Rules()
    title: str = ""
    goal_rule: Requirement | None = None
    """What the goals need: while it does not hold, no step leads onto one."""
    closed: tuple[Place, ...] = ()
    """Places that no step leads onto, whatever is held. No file has them; questions about a part of a dungeon do."""
    played: tuple[str, ...] = ()
    """Moves made already: N, E, S, W, the number of a way, RETURN, or USE and the number of a switch. Questions are
    about the position after them."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """What reading it had to assume, for people."""
    source: Source | None = field(default=None, compare=False, repr=False)
    """What it was read from; no part of what is equal."""

    domain: ClassVar[str] = "dungeon"

    def __str__(self) -> str:
        from solvent.dungeon.drawing import draw_text

        return draw_text(self, colour=False)

    def _repr_svg_(self) -> str:
        from solvent.dungeon.drawing import draw_svg

        return draw_svg(self)
