"""Show where a search spent its effort: a heat map, and the same counts as tables."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from solvent.core.errors import BadOption
from solvent.drawing.phrases import counted
from solvent.dungeon.drawing.heat import draw_heat
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import Area, room_of, rooms_of

COUNTS = ("expanded", "walked", "situations")
"""The columns of the tables; `solver.work_by_tile` says what each counts."""


def profile_files(dungeon: Dungeon, stats: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that show the work on each tile and in each room.

    `heat.svg` is a map, `tiles.csv` has a line for each tile that was worked on, `rooms.csv` one for each room. Tiles
    between rooms have no room; where some were worked on, the last line of `rooms.csv` has no name and adds them up.
    """
    if "heat" not in stats:
        raise BadOption("profile: nothing was counted; that takes the option profile")
    counts: dict[str, Counter[Place]] = {name: Counter() for name in COUNTS}
    for name, found in (("expanded", stats["heat"]), ("walked", stats.get("walked", ()))):
        for floor, row, column, count in found:
            counts[name][floor, row, column] += count
    areas = [(count, list(_tiles(runs))) for count, runs in stats.get("explored", ())]
    for count, places in areas:
        counts["situations"].update(dict.fromkeys(places, count))
    rooms = rooms_of(dungeon)
    room = room_of(dungeon, rooms)
    worked_on = sorted(set().union(*counts.values()))
    tiles = [
        (*place, rooms[room[place]].name if place in room else "", *(counts[name][place] for name in COUNTS))
        for place in worked_on
    ]
    totals = {name: _totals(counts[name], room) for name in ("expanded", "walked")}
    totals["situations"] = Counter()
    for count, places in areas:  # an area counts once for each room it lies in, however many of its tiles do
        for number in {room.get(place, -1) for place in places}:
            totals["situations"][number] += count
    return {
        "heat.svg": _draw(dungeon, counts, totals),
        "tiles.csv": _table(("floor", "row", "column", "room", *COUNTS), tiles),
        "rooms.csv": _table(("room", "tiles", *COUNTS), _room_rows(rooms, worked_on, room, totals)),
    }


def _tiles(runs: Iterable[Sequence[int]]) -> Iterator[Place]:
    for floor, row, first, length in runs:
        for column in range(first, first + length):
            yield floor, row, column


def _totals(counts: Mapping[Place, int], room: Mapping[Place, int]) -> Counter[int]:
    """Return the sum of each room by its number, -1 for what lies between rooms."""
    totals: Counter[int] = Counter()
    for place, count in counts.items():
        totals[room.get(place, -1)] += count
    return totals


def _room_rows(
    rooms: Sequence[Area], worked_on: Sequence[Place], room: Mapping[Place, int], totals: Mapping[str, Counter[int]]
) -> Iterator[tuple[object, ...]]:
    for number, area in enumerate(rooms):
        yield (area.name, len(area.places), *(totals[name][number] for name in COUNTS))
    between = sum(place not in room for place in worked_on)
    if between:
        yield ("", between, *(totals[name][-1] for name in COUNTS))


def _draw(dungeon: Dungeon, counts: Mapping[str, Counter[Place]], totals: Mapping[str, Counter[int]]) -> str:
    """Draw the work of the search over states, or where there was none, that of exploring by areas."""
    expanded, walked, situations = (counts[name] for name in COUNTS)
    if not expanded and situations:
        explored = sum(count for number, count in totals["situations"].items() if number >= 0)
        caption = (
            f"Decided by areas: {counted(explored, 'situation')} in all rooms, at most {max(situations.values()):,}"
        )
        return draw_heat(dungeon, situations, caption=f"{caption} in one area.", totals=totals["situations"])
    work = expanded + walked
    caption = f"{counted(sum(expanded.values()), 'state')} expanded on {counted(len(expanded), 'tile')}"
    if walked:
        caption += f"; macros tried walk over {counted(len(walked), 'tile')} {sum(walked.values()):,} times"
    return draw_heat(dungeon, work, caption=f"{caption}." if work else "No search was needed.")


def _table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue()
