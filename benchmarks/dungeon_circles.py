"""Dungeons whose doors lie in circles, and generated ones, as they grow: CPU seconds for both questions, with proof.

`python -m benchmarks.dungeon_circles` prints them; `--most N` leaves out larger ones, `--only NAME` other families. A
family is a function from a number of rooms to a dungeon in `FAMILIES`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from math import isqrt

import click

import solvent
from benchmarks.dungeon_levels import make_hub
from solvent.dungeon.model import FLOOR, WALL, Dungeon, Floor, Gate, Pickup, Place, Rules
from solvent.dungeon.notation.assembling import DungeonParts, assemble

Cell = tuple[int, int]
"""Row and column of a room; rooms are two tiles apart."""
SIZES = (10, 20, 40, 80, 160, 320, 640, 1280, 2560)
QUESTIONS = ("solvable", "losable")


def make_rooms(
    cells: Iterable[Cell], gates: Mapping[tuple[Cell, Cell], Gate], things: Iterable[Pickup], goal: Cell, rules: Rules
) -> Dungeon:
    """Return rooms of one tile with gates between neighbours, each goal in a niche of its own behind the last room."""
    cells = list(cells)
    height, width = 2 * max(row for row, _ in cells) + 3, 2 * max(column for _, column in cells) + 3
    rows = [[WALL] * width for _ in range(height)]
    for cell in cells:
        _, row, column = tile_of(cell)
        rows[row][column] = FLOOR
    placed = []
    for (one, other), gate in gates.items():
        row, column = one[0] + other[0] + 1, one[1] + other[1] + 1
        rows[row][column] = FLOOR
        placed.append(Gate(gate.kind, gate.needs, ((0, row, column),)))
    return assemble(
        DungeonParts(
            [Floor("", tuple(map("".join, rows)))],
            starts=[tile_of(cells[0])],
            goals=[tile_of(goal)],
            pickups=list(things),
            gates=placed,
            rules=rules,
        )
    )


def tile_of(cell: Cell) -> Place:
    """Return the tile of a room."""
    return 0, 2 * cell[0] + 1, 2 * cell[1] + 1


def ring(rooms: int, colours: tuple[str, ...] = ("",)) -> Dungeon:
    """Return rooms in a circle with a lock between neighbours; each room holds what opens the next lock."""
    side = max(2, rooms // 2)
    cells = [(0, column) for column in range(side)] + [(1, column) for column in reversed(range(side))]
    gates, things = {}, []
    for number, cell in enumerate(cells):
        colour = colours[number % len(colours)]
        gates[cell, cells[(number + 1) % len(cells)]] = Gate("lock", (colour,))
        things.append(Pickup(tile_of(cell), "key", colour))
        if len(colours) > 1 and number == 0:
            things += [Pickup(tile_of(cell), "key", other) for other in colours]
    return make_rooms(cells, gates, things, cells[side], Rules())


def two_colours(rooms: int) -> Dungeon:
    """Return a ring whose locks are of two colours, with a key of each in every room."""
    side = max(2, rooms // 2)
    cells = [(0, column) for column in range(side)] + [(1, column) for column in reversed(range(side))]
    gates = {
        (cell, cells[(number + 1) % len(cells)]): Gate("lock", (("red", "blue")[number % 2],))
        for number, cell in enumerate(cells)
    }
    things = [Pickup(tile_of(cell), "key", colour) for cell in cells for colour in ("red", "blue")]
    return make_rooms(cells, gates, things, cells[side], Rules())


def ladder(rooms: int) -> Dungeon:
    """Return a row of circles, each sharing two rooms with the next; each room holds a key or two."""
    side = max(2, rooms // 2)
    gates: dict[tuple[Cell, Cell], Gate] = {}
    for column in range(side):
        gates[(0, column), (1, column)] = Gate("lock", ("",))
        for row in range(2) if column else ():
            gates[(row, column - 1), (row, column)] = Gate("lock", ("",))
    cells = [(row, column) for column in range(side) for row in range(2)]
    things = [Pickup(tile_of(cell), "key", "", 2 if cell[0] else 1) for cell in cells]
    return make_rooms(cells, gates, things, cells[-1], Rules())


def grid(rooms: int) -> Dungeon:
    """Return rooms in a square with locks and cracked walls on every side, two keys and bombs in each."""
    side = max(2, isqrt(rooms))
    cells = [(row, column) for row in range(side) for column in range(side)]
    gates: dict[tuple[Cell, Cell], Gate] = {}
    for row, column in cells:
        if row:
            gates[(row - 1, column), (row, column)] = Gate("lock", ("",))
        if column:
            gates[(row, column - 1), (row, column)] = Gate("cracked")
    things = [thing for cell in cells for thing in (Pickup(tile_of(cell), "key"), Pickup(tile_of(cell), "bombs"))]
    return make_rooms(cells, gates, things, cells[-1], Rules(bombs_per_pickup=1))


def full_grid(rooms: int) -> Dungeon:
    """Return rooms in a square with locks on every side, two keys in each."""
    side = max(2, isqrt(rooms))
    cells = [(row, column) for row in range(side) for column in range(side)]
    gates: dict[tuple[Cell, Cell], Gate] = {}
    for row, column in cells:
        if row:
            gates[(row - 1, column), (row, column)] = Gate("lock", ("",))
        if column:
            gates[(row, column - 1), (row, column)] = Gate("lock", ("",))
    things = [Pickup(tile_of(cell), "key", "", 2) for cell in cells]
    return make_rooms(cells, gates, things, cells[-1], Rules())


def hub(rooms: int) -> Dungeon:
    """Return a corridor with locked rooms on both sides and a key for each of them in the corridor."""
    return make_hub(rooms - 1, rooms - 1)


def generated(rooms: int) -> Dungeon:
    """Return a generated dungeon with a lock for every eight rooms."""
    made: Dungeon = solvent.generate("dungeon", seed=1, rooms=min(rooms, 2000), locks=rooms // 8)
    return made


FAMILIES: dict[str, Callable[[int], Dungeon]] = {
    "ring": ring,
    "ring, two colours": two_colours,
    "rings in a row": ladder,
    "grid, locks": full_grid,
    "grid, locks and walls": grid,
    "hub": hub,
    "generated": generated,
}


@click.command()
@click.option("--most", default=SIZES[-1], show_default=True, help="Rooms of the largest.")
@click.option("--only", type=click.Choice(list(FAMILIES)), multiple=True, help="Leave out other families.")
@click.option("--seconds", default=30.0, show_default=True, help="The limit for one question.")
def main(most: int, only: tuple[str, ...], seconds: float) -> None:
    """Print CPU seconds for both questions, with proof, as dungeons grow."""
    for name in only or FAMILIES:
        for rooms in (size for size in SIZES if size <= most):
            dungeon = FAMILIES[name](rooms)
            cells = []
            slow = False
            for question in QUESTIONS:
                start = time.process_time()
                answer = solvent.ask(dungeon, question, seconds=seconds)
                spent = time.process_time() - start
                form = answer.certificate["form"] if answer.certificate else "-"
                cells.append(f"{question} {answer.verdict.value} {spent:.2f} s ({form})")
                slow |= spent > seconds / 2
            click.echo(f"{name:22} {rooms:5} rooms {len(dungeon.gates):5} gates  {'  '.join(cells)}")
            if slow:
                break


if __name__ == "__main__":
    main()
