"""The dungeons that are measured: public ones, our own examples, generated ones, and a hub with many locks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import solvent
from benchmarks.dungeon_pddl import Encoding, NotExpressible
from benchmarks.machine import PROJECT
from solvent.dungeon.model import FLOOR, WALL, Dungeon, Floor, Gate, Pickup, Place
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.ruling import with_rules

PUBLIC, STRICT, EXAMPLES = "Zelda", "Zelda, strict", "examples"
STRICT_RULES = {"bombs": "0", "soft": "clear"}
"""Rules under which bombs are counted and monsters bar the way: more to keep in mind than as the corpus is read."""


@dataclass(frozen=True, slots=True)
class LevelClass:
    """Hold the dungeons of one kind that are measured, under their names."""

    name: str
    levels: dict[str, Dungeon]
    left_out: int = 0
    """How many others there were that the peers have no words for."""


def default_folder() -> Path:
    """Return where public dungeons are looked for: in `SOLVENT_CORPORA`, or beside the project."""
    corpora = Path(os.environ.get("SOLVENT_CORPORA") or PROJECT.parent / "shared" / "data")
    return corpora / "vglc-zelda" / "Processed"


def load_public(folder: Path, names: Iterable[str] | None = None) -> tuple[list[LevelClass], dict[str, str]]:
    """Load the maps in a folder, as they are read and under strict rules; also returns what could not be read.

    Empty if there are none. `names` chooses files by their names without ending.
    """
    found: dict[str, Dungeon] = {}
    unread: dict[str, str] = {}
    for path in sorted(folder.glob("tloz*.txt")):
        if names is None or path.stem in names:
            try:
                found[path.stem] = solvent.load(path, domain="dungeon")
            except solvent.ParseError as error:
                unread[path.stem] = str(error)
    if not found:
        return [], unread
    strict = {name: with_rules(dungeon, STRICT_RULES) for name, dungeon in found.items()}
    return [LevelClass(PUBLIC, found), LevelClass(STRICT, strict)], unread


def load_examples() -> LevelClass:
    """Return the dungeons that come with Solvent."""
    return LevelClass(EXAMPLES, {one.name: solvent.parse(one.text) for one in solvent.examples("dungeon")})


def generate_class(rooms: int, seeds: Iterable[int]) -> LevelClass:
    """Generate dungeons of so many rooms; locks, cracked walls and items grow with them."""
    options = {"rooms": rooms, "locks": rooms // 3, "bombs": rooms // 10, "items": min(8, 1 + rooms // 40)}
    levels = {f"seed {seed}": solvent.generate("dungeon", seed=seed, **options) for seed in seeds}
    return LevelClass(f"{rooms} rooms", levels)


def hub_class(keys: int, leaves: int) -> LevelClass:
    """Return hubs with keys and more locks than keys: all that can be opened in any order is what makes them hard."""
    levels = {"leaves empty": make_hub(keys, leaves), "keys in leaves": make_hub(keys, leaves, refill=True)}
    return LevelClass(f"hub {keys}/{leaves}", levels)


def make_hub(keys: int, leaves: int, *, refill: bool = False) -> Dungeon:
    """Return a corridor with keys in it and locked leaves on both sides, the goal in the last of them.

    With `refill`, every other leaf holds a key.
    """
    pairs = (leaves + 1) // 2
    width = max(2 * pairs + 1, keys + 3)
    rows = [[WALL] * width for _ in range(7)]
    rows[3][1:-1] = [FLOOR] * (width - 2)
    leaf_places: list[Place] = []
    gates = []
    for index in range(leaves):
        column, side = 1 + 2 * (index // 2), -1 if index % 2 == 0 else 1
        lock, leaf = (0, 3 + side, column), (0, 3 + 2 * side, column)
        rows[lock[1]][column] = rows[leaf[1]][column] = FLOOR
        gates.append(Gate("lock", ("",), (lock,)))
        leaf_places.append(leaf)
    places = [(0, 3, 2 + index) for index in range(keys)]
    if refill:
        places += leaf_places[:-1:2]
    return assemble(
        DungeonParts(
            [Floor("", tuple(map("".join, rows)))],
            starts=[(0, 3, 1)],
            goals=[leaf_places[-1]],
            pickups=[Pickup(place, "key") for place in places],
            gates=gates,
            title=f"A hub with {keys} keys and {leaves} locks",
        )
    )


def only_expressible(group: LevelClass) -> LevelClass:
    """Return the class without the dungeons that cannot be written as PDDL."""
    levels = {name: dungeon for name, dungeon in group.levels.items() if is_expressible(dungeon)}
    return replace(group, levels=levels, left_out=len(group.levels) - len(levels))


def is_expressible(dungeon: Dungeon) -> bool:
    """Tell whether a dungeon can be written as PDDL."""
    try:
        Encoding(dungeon)
    except NotExpressible:
        return False
    return True
