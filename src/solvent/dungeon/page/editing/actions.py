"""The shape of each action of the editor. Places are floor, row and column, counted from 0.

| `do` | with | means |
| --- | --- | --- |
| `paint` | `terrain`, `at` | lay floor, wall, nothing, water or one-way tiles |
| `clear` | `corner`, `height`, `width`, `terrain` | take everything off a rectangle, and lay terrain there |
| `put` | `thing`, `at`, `add` | put something, in the words of the text format: `key red` |
| `erase` | `at`, `what`, `number` | take away all that stands on tiles; with `what` and `number`, one thing |
| `set` | `what`, `number`, `thing` | say anew what a pickup, a gate or a switch is |
| `split` | `number` | make each tile of a gate a gate of its own |
| `move` | `at`, `to` | carry all that stands on a tile to another |
| `paste` | `corner`, `height`, `width`, `to`, `cut`, `text` | copy a rectangle, or carry it |
| `connect` | `at`, `to`, `kind`, `both`, `gate` | lead a way to another tile, or have a switch work a barrier |
| `disconnect` | `at`, `to` | take away the ways of a tile, or those between two |
| `way` | `number`, `kind`, `both`, `gate` | say anew what a way is, and whether it leads back |
| `resize` | `floor`, `north`, `east`, `south`, `west`, `terrain`, `cut` | add rows and columns, or take some away |
| `add_floor`, `rename_floor`, `remove_floor` | `floor`, `name`, … | change the storeys |
| `room`, `remove_room` | `name`, `corner`, `height`, `width`, `labels`, `was` | name a rectangle |
| `rename` | `what`, `name`, `to` | give a switch, a colour or an item another name, wherever it is named |
| `title`, `goal`, `states`, `rules` | | change the title, what goals need, the states of a switch, the rules |
| `fix` | `text` | go on with a dungeon that an explanation changed |
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from solvent.dungeon.model import Place

MAX_PLACES = 40_000
Index = Annotated[int, Meta(ge=0)]
Side = Annotated[int, Meta(ge=1, le=1_000)]
Change = Annotated[int, Meta(ge=-1_000, le=1_000)]
Words = Annotated[str, Meta(max_length=2_000)]
Places = Annotated[list[Place], Meta(min_length=1, max_length=MAX_PLACES)]
Terrain = Literal["floor", "wall", "nothing", "water", "one-way north", "one-way east", "one-way south", "one-way west"]
WayKind = Literal["stairs", "warp", "door", "passage"]


class Action(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """What all actions have in common."""


class Paint(Action, tag="paint"):
    """Lay terrain. What cannot stand on it is taken away."""

    terrain: Terrain
    at: Places


class Clear(Action, tag="clear"):
    """Take everything off a rectangle."""

    corner: Place
    height: Side
    width: Side
    terrain: Terrain = "floor"


class Put(Action, tag="put"):
    """Put something on each of some tiles. Floor is laid under what needs it."""

    thing: Words
    at: Places
    add: bool = False
    """Whether what lies there already stays beside it."""


class Erase(Action, tag="erase"):
    """Take things away; the ground stays."""

    at: Annotated[list[Place], Meta(max_length=MAX_PLACES)] = []
    what: Literal["", "pickup", "gate", "switch", "block", "goal", "way"] = ""
    number: Index = 0


class SetThing(Action, tag="set"):
    """Say anew what something is, where it stands."""

    what: Literal["pickup", "gate", "switch"]
    number: Index
    thing: Words


class Split(Action, tag="split"):
    """Part a gate."""

    number: Index


class Move(Action, tag="move"):
    """Carry what stands on a tile."""

    at: Place
    to: Place


class Paste(Action, tag="paste"):
    """Copy or carry a rectangle."""

    corner: Place
    height: Side
    width: Side
    to: Place
    cut: bool = False
    text: str = ""
    """The dungeon it was copied in, in the text format; empty: this one."""


class Connect(Action, tag="connect"):
    """Join two tiles, or a switch and a barrier."""

    at: Place
    to: Place
    kind: WayKind = "stairs"
    both: bool = True
    gate: Words = ""
    """What bars it, such as `lock red`; empty for nothing."""


class Disconnect(Action, tag="disconnect"):
    """Take ways away."""

    at: Place
    to: Place | None = None


class SetWay(Action, tag="way"):
    """Say anew what a way is."""

    number: Index
    kind: WayKind
    both: bool
    gate: Words = ""


class Resize(Action, tag="resize"):
    """Change the size of a storey."""

    floor: Index
    north: Change = 0
    east: Change = 0
    south: Change = 0
    west: Change = 0
    terrain: Terrain = "wall"
    cut: bool = False
    """Whether what stands on tiles that go may go with them."""


class AddFloor(Action, tag="add_floor"):
    """Add a storey after the others."""

    name: Words
    rows: Side = 15
    columns: Side = 20
    terrain: Terrain = "wall"


class RenameFloor(Action, tag="rename_floor"):
    """Give a storey another name."""

    floor: Index
    name: Words


class RemoveFloor(Action, tag="remove_floor"):
    """Take a storey away, with all that stands on it."""

    floor: Index


class SetRoom(Action, tag="room"):
    """Name a rectangle, or change a room that has the name `was`."""

    name: Words
    corner: Place
    height: Side
    width: Side
    labels: Annotated[list[Words], Meta(max_length=20)] = []
    was: str = ""


class RemoveRoom(Action, tag="remove_room"):
    """Let a room have no name; its tiles stay."""

    name: Words


class SetTitle(Action, tag="title"):
    """Change the title."""

    title: Annotated[str, Meta(max_length=300)]


class SetGoal(Action, tag="goal"):
    """Change what goals need."""

    rule: Words


class SetStates(Action, tag="states"):
    """Change the states of a switch; none for off and on."""

    switch: Words
    states: Annotated[list[Words], Meta(max_length=60)]


class SetRules(Action, tag="rules"):
    """Change the rules it is played by."""

    rules: dict[str, str | int | bool | None]


class Rename(Action, tag="rename"):
    """Give something another name, everywhere."""

    what: Literal["switch", "key", "item"]
    name: Words
    to: Words


class UseFix(Action, tag="fix"):
    """Go on with a changed dungeon."""

    text: str


AnyAction = (
    Paint
    | Clear
    | Put
    | Erase
    | SetThing
    | Split
    | Move
    | Paste
    | Connect
    | Disconnect
    | SetWay
    | Resize
    | AddFloor
    | RenameFloor
    | RemoveFloor
    | SetRoom
    | RemoveRoom
    | SetTitle
    | SetGoal
    | SetStates
    | SetRules
    | Rename
    | UseFix
)
