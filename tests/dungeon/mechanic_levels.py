"""Levels that show what games do beside locks and keys: gates with rules, levers, dials, held plates, things that
appear or come back, blocks that are pushed on, and returning to the start."""

from __future__ import annotations

from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Block,
    Cleared,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Have,
    Pickup,
    Room,
    Rules,
    Switch,
    SwitchAt,
    Way,
)

BOW_OR_BOMBS = AnyOf((Have("item", "bow"), AllOf((Have("bombs", count=2), Have("item", "lamp")))))


def keep() -> Dungeon:
    """Return a level with one of everything. The goal needs both medallions."""
    terrain = (
        "#################",
        "#.......#.......#",
        "#.......#.......#",
        "#...............#",
        "#.......#.......#",
        "####.########.###",
        "#.......#.......#",
        "#.......#.......#",
        "#...............#",
        "#.......#.......#",
        "#################",
    )
    return Dungeon(
        floors=(Floor("", terrain),),
        start=(0, 2, 2),
        goals=((0, 9, 14),),
        pickups=(
            Pickup((0, 1, 5), "bombs", count=3, renews=True),
            Pickup((0, 2, 14), "item", "medallion"),
            Pickup((0, 4, 11), "monster"),
            Pickup((0, 4, 14), "key", "red", rule=Cleared("east")),
            Pickup((0, 6, 7), "item", "lamp"),
            Pickup((0, 9, 1), "item", "medallion", rule=SwitchAt("tide", "low")),
        ),
        gates=(
            Gate("rule", cells=((0, 3, 8),), rule=BOW_OR_BOMBS, name="east door"),
            Gate("barrier", ("stone",), cells=((0, 5, 4),)),
            Gate("lock", ("red",), cells=((0, 5, 13),)),
            Gate("rule", cells=((0, 8, 8),), rule=AllOf((SwitchAt("tide", "high"), SwitchAt("crystal")))),
        ),
        switches=(
            Switch((0, 2, 6), "stone", "held"),
            Switch((0, 4, 2), "crystal", sets="on"),
            Switch((0, 6, 2), "tide", "lever", reach=((0, 6, 1), (0, 6, 2), (0, 6, 3), (0, 7, 2))),
            Switch((0, 10, 5), "crystal", "lever", "off", ((0, 7, 5), (0, 8, 5), (0, 9, 5)), Have("item", "lamp")),
        ),
        dials=(Dial("tide", ("high", "low")),),
        blocks=(Block((0, 2, 4)),),
        rooms=(
            Room("west", (0, 1, 1), 4, 7),
            Room("east", (0, 1, 9), 4, 7),
            Room("pool", (0, 6, 1), 4, 7),
            Room("shrine", (0, 6, 9), 4, 7),
        ),
        rules=Rules(push="on", blocks="reset", home="always"),
        title="The keep",
        goal_rule=Have("item", "medallion", 2),
    )  # fmt: skip


def two_ways() -> Dungeon:
    """Return two rooms of which only the names are known, joined by several ways at once, and a third."""
    hall, den, vault = (0, 0, 0), (1, 0, 0), (2, 0, 0)
    return Dungeon(
        floors=tuple(Floor(name, (".",)) for name in ("hall", "den", "vault")),
        start=hall,
        goals=(vault,),
        pickups=(Pickup(hall, "item", "bow"), Pickup(den, "item", "star"), Pickup(den, "item", "star", 2)),
        gates=(
            Gate("lock", ("",)),
            Gate("rule", rule=BOW_OR_BOMBS),
            Gate("rule", rule=Have("item", "star", 3), name="star door"),
        ),
        switches=(Switch(den, "crystal", "lever", reach=(den,)),),
        ways=(
            Way(hall, den, "door", 0),
            Way(hall, den, "door", 1),
            Way(den, hall, "door", 0),
            Way(den, hall, "door", 1),
            Way(den, vault, "door", 2),
        ),
        rules=Rules(home="always"),
        title="Two ways",
    )


def warps() -> Dungeon:
    """Return a map on which three warps lead from one tile to another, each behind something else."""
    return Dungeon(
        floors=(Floor("", ("############", "#..........#", "############", "#..........#", "############")),),
        start=(0, 1, 1),
        goals=((0, 3, 10),),
        pickups=(Pickup((0, 1, 2), "item", "bow"),),
        gates=(Gate("lock", ("",)), Gate("rule", rule=Have("item", "bow"))),
        ways=(
            Way((0, 1, 3), (0, 3, 8), "warp"),
            Way((0, 1, 3), (0, 3, 8), "warp", 0),
            Way((0, 1, 3), (0, 3, 8), "warp", 1),
        ),
    )
