"""Make dungeons: first what is locked by what, then rooms on a grid, then tiles; then try to lose.

Each dungeon can be finished, and can be lost only if that was asked for: by the way it is planned (see `mission`), and
then once more by exploring it, as far as a fixed number of situations goes.
"""

from __future__ import annotations

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import GenerationFailed
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.dungeon.generator.building import build
from solvent.dungeon.generator.layout import lay_out
from solvent.dungeon.generator.mission import plan_mission
from solvent.dungeon.model import Dungeon
from solvent.engine.dice import Dice

MAX_ATTEMPTS = 40
MAX_PLANS = 12
"""Missions to draw for one in which something can be wasted, before a pit has to do."""
MAX_SITUATIONS = 20_000
"""Situations to explore before the plan alone is trusted; counted, so that a seed gives the same dungeon everywhere."""
MAX_ROOMS_WATCHED = 200
"""Rooms up to which players are considered who leave things lying about; with more, that they can come back for them is
left to `layout`, which makes one-way doors only where they can."""


def generate(
    *,
    seed: int,
    listen: Listener = ignore,
    meter: Meter = UNLIMITED,
    rooms: int,
    locks: int,
    bombs: int,
    items: int,
    losable: bool,
) -> Dungeon:
    """Make a dungeon with so many rooms, locked doors, cracked walls and items; it can be lost only if `losable`."""
    _require_enough_rooms(rooms, locks, bombs, items, losable)
    for attempt in range(MAX_ATTEMPTS):
        listen(Event(Kind.PROGRESS, "laying out rooms", attempt))
        dungeon = _attempt(Dice(f"{seed}/{attempt}", meter), rooms, locks, bombs, items, losable)
        if dungeon is not None and _is_as_wished(dungeon, losable, listen, meter):
            return dungeon
    wish = "can be lost" if losable else "cannot be lost"
    raise GenerationFailed(f"none of {MAX_ATTEMPTS} dungeons from seed {seed} {wish}; try another seed")


def _require_enough_rooms(rooms: int, locks: int, bombs: int, items: int, losable: bool) -> None:
    barred = locks + bombs + items
    if barred > rooms - 1:
        raise GenerationFailed(
            f"expected at least {barred + 1} rooms, one behind each lock, cracked wall and item's gate "
            f"({locks} + {bombs} + {items}) and one to begin in, found {rooms}"
        )
    if losable and rooms == barred + 1 and max(locks, bombs) < 2:
        raise GenerationFailed(
            f"expected 2 locks or 2 cracked walls to waste something on, or a room more to fall into, found {rooms} "
            f"rooms, {locks} locks and {bombs} cracked walls"
        )


def _attempt(dice: Dice, rooms: int, locks: int, bombs: int, items: int, losable: bool) -> Dungeon | None:
    """Draw one dungeon; None if nothing could be wasted in it and there is no room for a pit."""
    for _ in range(MAX_PLANS):
        mission = plan_mission(dice, rooms=rooms, locks=locks, bombs=bombs, items=items, flawed=losable)
        if mission is not None:
            return build(dice, mission, lay_out(dice, mission, pit=False))
    if rooms - 1 <= locks + bombs + items:
        return None
    mission = plan_mission(dice, rooms=rooms - 1, locks=locks, bombs=bombs, items=items, flawed=False)
    assert mission is not None
    return build(dice, mission, lay_out(dice, mission, pit=True))


def _is_as_wished(dungeon: Dungeon, losable: bool, listen: Listener, meter: Meter) -> bool:
    """Explore the dungeon and see; where that is too much work, its plan is trusted."""
    from solvent.dungeon.solver.exploring import GIVES_UP, begin, run
    from solvent.dungeon.solver.ground import ground_level
    from solvent.dungeon.solver.situations import Analysis

    found = Analysis.of(ground_level(dungeon, meter), meter)
    cell, words = found.locate(found.ground.game.present_state(meter))
    watch = not losable and len(dungeon.rooms) <= MAX_ROOMS_WATCHED
    exploration = begin(found.ground, found.areas(), cell, words, saturated=True, watch_loss=watch, meter=meter)
    ended, reason = run(exploration, meter.part(nodes=MAX_SITUATIONS), listen)
    meter.book(0)  # if it was not the number of situations that ended it
    if reason is not None:
        return True
    if ended == GIVES_UP:
        return False
    ranks = exploration.ranks(meter)
    return ranks.row()[0] >= 0 and (ranks.lost > 0) == losable
