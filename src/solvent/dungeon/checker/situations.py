"""Situations: many states at once, which differ only in where in a region the player stands.

- A *region* is all areas that can be reached by calm moves and left again for where one came from, with what is held.
- The *completion* of a state adds what lies in its region, which may widen the region, until nothing is new. Whoever
  is there can walk about the region, take it all and come back; and whatever can be done with less can be done with
  more, since nothing that is taken ever bars a move or changes what it does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field

from solvent.core.errors import show_value
from solvent.dungeon.checker.areas import area_at, place_of, tile_at
from solvent.dungeon.checker.certificate_schema import SituationBody
from solvent.dungeon.checker.ledger import write_down
from solvent.dungeon.checker.moves import Maze, Move
from solvent.dungeon.checker.play import State, show_place

MAX_VIOLATIONS_LISTED = 20

Thing = TypeVar("Thing", bound=Hashable)


class Situation(Struct, frozen=True):
    """Hold one situation of a certificate, or one that was worked out."""

    area: int
    """One area of the region."""
    bits: int
    """Everything else; see `ledger`."""
    region: frozenset[int]
    lying: int
    """What lies in the region and matters, taken or not, as bits."""


class Listing(Struct, frozen=True):
    """Hold the situations of a certificate so that they can be found."""

    maze: Maze
    situations: list[Situation]
    same_bits: dict[int, list[int]] = field(default_factory=dict)
    """Numbers of situations by their bits."""
    same_surroundings: dict[int, list[int]] = field(default_factory=dict)
    """Numbers of situations by their bits without what is held."""
    met: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """Numbers of situations by surroundings and an area of their region, filled as asked for."""


def find_region(maze: Maze, area: int, bits: int) -> frozenset[int]:
    """Return the areas that calm moves lead to and back from."""
    reached, waiting = {area}, [area]
    while waiting:
        for care, want, other in maze.calm_from[waiting.pop()]:
            if bits & care == want and other not in reached:
                reached.add(other)
                waiting.append(other)
    region, waiting = {area}, [area]
    while waiting:
        for care, want, other in maze.calm_to[waiting.pop()]:
            if bits & care == want and other in reached and other not in region:
                region.add(other)
                waiting.append(other)
    return frozenset(region)


def look_around(maze: Maze, area: int, bits: int) -> Situation:
    """Return the situation as it is, with nothing added."""
    region = find_region(maze, area, bits)
    lying = 0
    for other in region:
        lying |= maze.lies[other]
    return Situation(area, bits, region, lying)


def complete(maze: Maze, area: int, bits: int) -> Situation:
    """Return the completion: with everything that can be had without giving anything up."""
    while True:
        situation = look_around(maze, area, bits)
        if situation.lying & ~bits == 0:
            return situation
        bits |= situation.lying


def locate_state(maze: Maze, state: State) -> tuple[int, int] | None:
    """Return the area and the bits of a state of play, or None where a player cannot stand."""
    area = area_at(maze.areas, tile_at(maze.areas.tiles, state.place))
    return None if area is None else (area, write_down(maze.ledger, maze.board, state))


def list_situations(maze: Maze, bodies: Sequence[SituationBody]) -> tuple[Listing, list[str]]:
    """Read the situations of a certificate; returns what is wrong with them too: bad data, not full, said twice."""
    listing = Listing(maze, [])
    found: list[str] = []
    for number, body in enumerate(bodies):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return listing, [*found, "and more"]
        bits = 0
        problem = None
        for read in _read_parts(maze, body):
            if isinstance(read, str):
                problem = read
                break
            bits |= read
        area = None if problem else _area_of(maze, body.at)
        if area is None:
            found.append(f"situation {number}: {problem or f'a player cannot stand at {show_value(body.at)}'}")
            continue
        situation = look_around(maze, area, bits)
        if situation.lying & ~bits:
            found.append(f"situation {number} leaves something that is within reach")
        if find_same(listing, area, bits) is not None:
            found.append(f"situation {number} is said twice")
        index = len(listing.situations)
        listing.situations.append(situation)
        listing.same_bits.setdefault(bits, []).append(index)
        listing.same_surroundings.setdefault(bits & ~maze.ledger.holdings, []).append(index)
    return listing, found


def find_same(listing: Listing, area: int, bits: int) -> int | None:
    """Return the number of the situation with exactly these bits and the area in its region."""
    for number in listing.same_bits.get(bits, ()):
        if area in listing.situations[number].region:
            return number
    return None


def find_richer(listing: Listing, area: int, bits: int) -> Iterator[int]:
    """Yield the situations that a state belongs to, or would if it held more."""
    surroundings = bits & ~listing.maze.ledger.holdings
    numbers = listing.met.get((surroundings, area))
    if numbers is None:
        numbers = [
            number
            for number in listing.same_surroundings.get(surroundings, ())
            if area in listing.situations[number].region
        ]
        listing.met[surroundings, area] = numbers
    for number in numbers:
        if bits & ~listing.situations[number].bits == 0:
            yield number


def show_move(maze: Maze, move: Move) -> str:
    """Return a move in words."""
    place = place_of(maze.areas.tiles, move.tile)
    return f"{move.letter} at {show_place(maze.board.dungeon, place)}"


def _area_of(maze: Maze, at: tuple[int, int, int]) -> int | None:
    """Return the area of a place anyone may have written, or None where a player cannot stand and play on."""
    floor, row, column = at
    floors = maze.board.dungeon.floors
    if not 0 <= floor < len(floors):
        return None
    rows = floors[floor].terrain
    if not (0 <= row < len(rows) and 0 <= column < len(rows[0])) or at in maze.board.goals:
        return None
    return area_at(maze.areas, tile_at(maze.areas.tiles, at))


def _read_parts(maze: Maze, body: SituationBody) -> Iterator[int | str]:
    """Yield the bits of each part of a situation, or a sentence that says what is wrong with it."""
    ledger = maze.ledger
    yield _bits_of("taken", body.taken, ledger.pickups)
    yield _bits_of("items", body.items, ledger.items)
    yield _bits_of("opened", body.opened, ledger.opened)
    yield _bits_of("fallen", body.fallen, ledger.fallen)
    yield _bits_of("on", body.on, ledger.on)
    yield _bits_of("moved", [block for block, _ in body.moved], ledger.moved)
    yield _bits_of("moved", body.moved, ledger.rests)
    for name, bit in ledger.items.items():
        if bit & ledger.carried and name not in body.items:
            yield f"{show_value(name)} is held from the beginning, but not here"


def _bits_of(part: str, listed: Sequence[Thing], known: Mapping[Thing, int]) -> int | str:
    bits = 0
    for thing in listed:
        bit = known.get(thing)
        if bit is None:
            return f"{part} lists {show_value(thing)}, which is not there or does not matter"
        if bit <= bits:  # bits are given in order, so a bit that is not above all others is out of order
            return f"{part} is not sorted, or lists {show_value(thing)} twice"
        bits |= bit
    return bits
