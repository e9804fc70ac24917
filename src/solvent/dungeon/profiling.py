"""Show where a search spent its effort: a heat map, and the same counts as tables."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from solvent.core.errors import BadOption
from solvent.dungeon.drawing.heat import draw_heat
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import room_of, rooms_of


def profile_files(dungeon: Dungeon, stats: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that show how often each tile was expanded.

    `heat.svg` is a map, `tiles.csv` has a line for each tile that was expanded, `rooms.csv` one for each room. Tiles
    between rooms have no room; where some were expanded, the last line of `rooms.csv` has no name and adds them up.
    """
    if "heat" not in stats:
        raise BadOption(
            "profile: nothing was counted; only a search for a plan counts tiles, and only with the option profile"
        )
    counts: Counter[Place] = Counter()
    for floor, row, column, count in stats["heat"]:
        counts[floor, row, column] += count
    rooms = rooms_of(dungeon)
    room = room_of(dungeon, rooms)
    names: dict[Place, str] = {place: rooms[number].name for place, number in room.items()}
    tiles = [(*place, names.get(place, ""), count) for place, count in sorted(counts.items())]
    totals = [(area.name, len(area.places), sum(counts[place] for place in area.places)) for area in rooms]
    between = [count for place, count in counts.items() if place not in room]
    if between:
        totals.append(("", len(between), sum(between)))
    return {
        "heat.svg": draw_heat(dungeon, counts),
        "tiles.csv": _table(("floor", "row", "column", "room", "count"), tiles),
        "rooms.csv": _table(("room", "tiles", "count"), totals),
    }


def _table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue()
