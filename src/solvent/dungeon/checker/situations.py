"""Situations: many states at once, which differ only in where in a region the player stands.

- A *region* is all areas that can be reached by calm moves and left again for where one came from, with what is held.
- The *completion* of a state adds what lies in its region and is ordinary, which may widen the region or make more
  appear, until nothing is new. A player who is there can walk about the region, take it all and come back; and whatever
  can be done with less can be done with more, since nothing ordinary that is taken ever bars a move or changes what it
  does (see `delicate`). What is there only at times is looked at with the player on its tile; nothing else that it may
  depend on changes within a region, but for ordinary things, which only help.

All areas of a map fall into regions, once it is said what is held, opened and so on: no two of them overlap. So those
of many situations with equal bits are found in one walk about the map.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct, field

from solvent.core.errors import show_value
from solvent.dungeon.checker.areas import area_at, place_of, tile_at
from solvent.dungeon.checker.board import State, show_place
from solvent.dungeon.checker.certificate_schema import SituationBody, read_situation
from solvent.dungeon.checker.ledger import most_that_matter, write_down, write_field
from solvent.dungeon.checker.moves import Maze, Move, comes_to_the_same, lying_in, require_room

MAX_VIOLATIONS_LISTED = 20
LOOKS_BETWEEN_CHECKPOINTS = 2_000
BYTES_AN_AREA = 80
"""What an area of a region takes in memory."""

Thing = TypeVar("Thing", bound=Hashable)


class Situation(Struct, frozen=True):
    """Hold one situation of a certificate, or one that was worked out."""

    area: int
    """One area of the region."""
    bits: int
    """Everything else; see `ledger`."""
    region: Collection[int]
    """Areas; `Listing.is_in` looks an area up in those of a certificate."""
    lying: int
    """What there is in the region that is ordinary and matters, taken or not, as bits."""


class Listing(Struct, frozen=True):
    """Hold the situations of a certificate so that they can be found."""

    maze: Maze
    situations: list[Situation]
    at: dict[int, dict[int, int]] = field(default_factory=dict)
    """By bits and area, the number of the situation that has the area in its region."""
    same_surroundings: dict[int, list[int]] = field(default_factory=dict)
    """The bits of situations, by those bits without what is held."""

    def is_in(self, area: int, number: int) -> bool:
        """Tell whether an area is in the region of a situation."""
        return self.at[self.situations[number].bits].get(area) == number


def find_region(maze: Maze, area: int, bits: int) -> frozenset[int]:
    """Return the areas that calm moves lead to and back from."""
    looked = 0
    reached, waiting = {area}, [area]
    while waiting:
        calm = maze.calm_from[waiting.pop()]
        for care, want, other, move in calm:
            if bits & care != want or other in reached:
                continue
            if move is None or comes_to_the_same(maze, move, bits):
                reached.add(other)
                waiting.append(other)
        looked += 1 + len(calm)
        if looked > LOOKS_BETWEEN_CHECKPOINTS:
            looked = 0
            maze.meter.checkpoint()
    region, waiting = {area}, [area]
    while waiting:
        calm = maze.calm_to[waiting.pop()]
        for care, want, other, move in calm:
            if bits & care != want or other not in reached or other in region:
                continue
            if move is None or comes_to_the_same(maze, move, bits):
                region.add(other)
                waiting.append(other)
        looked += 1 + len(calm)
        if looked > LOOKS_BETWEEN_CHECKPOINTS:
            looked = 0
            maze.meter.checkpoint()
    return frozenset(region)


def find_regions(maze: Maze, areas: Sequence[int], bits: int) -> dict[int, frozenset[int]]:
    """Return the region of each of some areas, walking over each calm move once.

    Depth first: an area belongs to the region of the first one that a walk from it leads back to, among those the walk
    came by; so a region is complete once the walk leaves the area that it was entered by.
    """
    wanted = set(areas)
    regions: dict[int, frozenset[int]] = {}
    entered: dict[int, int] = {}  # in which order areas were come to
    back: dict[int, int] = {}  # the earliest area that a walk from there leads back to, as far as is known
    open_areas: list[int] = []
    is_open: set[int] = set()
    looked = 0
    for first in areas:
        if first in entered:
            continue
        walk = [(first, iter(maze.calm_from[first]))]
        entered[first] = back[first] = len(entered)
        open_areas.append(first)
        is_open.add(first)
        while walk:
            here, ahead = walk[-1]
            for care, want, there, move in ahead:
                looked += 1
                if bits & care != want or not (move is None or comes_to_the_same(maze, move, bits)):
                    continue
                if there not in entered:
                    entered[there] = back[there] = len(entered)
                    open_areas.append(there)
                    is_open.add(there)
                    walk.append((there, iter(maze.calm_from[there])))
                    break
                if there in is_open:
                    back[here] = min(back[here], entered[there])
            else:
                walk.pop()
                if walk:
                    back[walk[-1][0]] = min(back[walk[-1][0]], back[here])
                if back[here] == entered[here]:
                    region: list[int] = []
                    while not region or region[-1] != here:
                        region.append(open_areas.pop())
                    is_open.difference_update(region)
                    asked = wanted.intersection(region)
                    whole = frozenset(region) if asked else None
                    for area in asked:
                        assert whole is not None
                        regions[area] = whole
            looked += 1
            if looked > LOOKS_BETWEEN_CHECKPOINTS:
                looked = 0
                maze.meter.checkpoint()
    return regions


def look_around(maze: Maze, area: int, bits: int) -> Situation:
    """Return the situation as it is, with nothing added."""
    region = find_region(maze, area, bits)
    return Situation(area, bits, region, _lying(maze, region, bits))


def complete(maze: Maze, area: int, bits: int) -> tuple[int, int]:
    """Return the bits of the completion: with everything that can be had without giving anything up.

    Returns too how many walks about the map that took.
    """
    walks = 1
    while lying := look_around(maze, area, bits).lying & ~bits:
        bits |= lying
        walks += 1
    return bits, walks


def _lying(maze: Maze, region: Collection[int], bits: int) -> int:
    lying = 0
    for area in maze.meter.each(region):
        lying |= lying_in(maze, area, bits) if area in maze.finds else maze.lies[area]
    return lying


def locate_state(maze: Maze, state: State) -> tuple[int, int] | None:
    """Return the area and the bits of a state of play, or None where a player cannot stand."""
    area = area_at(maze.areas, tile_at(maze.areas.tiles, state.place))
    return None if area is None else (area, write_down(maze.ledger, maze.board, state))


def list_situations(maze: Maze, bodies: Sequence[object]) -> tuple[Listing, list[str]]:
    """Read the situations of a certificate; returns what is wrong with them too: bad data, not full, said twice."""
    meter = maze.meter
    found: dict[int, str] = {}
    read: list[tuple[int, int]] = []
    same_bits: dict[int, list[int]] = {}
    taken = 0
    for number, data in enumerate(meter.each(bodies, every=20)):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return Listing(maze, []), _in_order(found)
        situation = _read_situation(maze, read_situation(data, number))
        if isinstance(situation, str):
            found[number] = f"situation {number}: {situation}"
            continue
        same_bits.setdefault(situation[1], []).append(len(read))
        read.append(situation)
        taken += 200 + situation[1].bit_length() // 8
        if number % 1000 == 0:
            require_room(meter, taken, "the situations")
    if found:
        return Listing(maze, []), _in_order(found)
    situations: list[Situation | None] = [None] * len(read)
    listing = Listing(maze, [])
    for bits, numbers in same_bits.items():
        meter.checkpoint()
        first = read[numbers[0]][0]
        if len(numbers) == 1:
            regions = {first: find_region(maze, first, bits)}
        else:
            regions = find_regions(maze, [read[number][0] for number in numbers], bits)
        homes: dict[int, int] = {}
        for number in meter.each(numbers):
            area = read[number][0]
            if area in homes:
                found[number] = f"situation {number} is said twice"
                continue
            region = regions[area]
            lying = _lying(maze, region, bits)
            if lying & ~bits:
                found[number] = f"situation {number} leaves something that is within reach"
            situations[number] = Situation(area, bits, array("i", sorted(region)), lying)
            homes.update(dict.fromkeys(region, number))
            taken += BYTES_AN_AREA * len(region)
        listing.at[bits] = homes
        listing.same_surroundings.setdefault(bits & ~maze.ledger.holdings, []).append(bits)
        require_room(meter, taken, "the regions of the situations")
        if len(found) >= MAX_VIOLATIONS_LISTED:
            break
    listing.situations.extend(situation for situation in situations if situation is not None)
    return listing, _in_order(found)


def _in_order(found: dict[int, str]) -> list[str]:
    """Return what is wrong with situations by their numbers, not too much of it."""
    listed = [found[number] for number in sorted(found)[:MAX_VIOLATIONS_LISTED]]
    return listed + ["and more"] * (len(found) >= MAX_VIOLATIONS_LISTED)


def find_same(listing: Listing, area: int, bits: int) -> int | None:
    """Return the number of the situation with exactly these bits and the area in its region."""
    return listing.at.get(bits, _NOWHERE).get(area)


_NOWHERE: dict[int, int] = {}


def find_richer(listing: Listing, area: int, bits: int) -> Iterator[int]:
    """Yield the situations that a state belongs to, or would if it held more."""
    same = find_same(listing, area, bits)
    if same is not None:
        yield same
    surroundings = bits & ~listing.maze.ledger.holdings
    for richer in listing.maze.meter.each(listing.same_surroundings.get(surroundings, ())):
        if richer != bits and bits & ~richer == 0:
            number = listing.at[richer].get(area)
            if number is not None:
                yield number


def moves_from(maze: Maze, region: Collection[int]) -> Iterator[Move]:
    """Yield the moves from the areas of a region."""
    return maze.meter.each((move for area in region for move in maze.moves[area]), every=20)


def show_move(maze: Maze, move: Move) -> str:
    """Return a move in words."""
    place = place_of(maze.areas.tiles, move.tile)
    return f"{move.letter} at {show_place(maze.board.dungeon, place)}"


def _read_situation(maze: Maze, body: SituationBody) -> tuple[int, int] | str:
    """Return the area and the bits of a situation anyone may have written, or what is wrong with it."""
    bits = 0
    for part in _read_parts(maze, body):
        if isinstance(part, str):
            return part
        bits |= part
    for resource, number in body.stock:
        stock = maze.ledger.stock.get(resource)
        if stock is None:
            return f"stock lists {show_value(resource)}, which does not renew or does not matter"
        most = most_that_matter(stock, bits)
        if not 0 < number <= most:
            return f"stock lists {show_value(number)} of {show_value(resource)}, but only 1 to {most} can matter"
        bits = write_field(stock.field, bits, number)
    area = _area_of(maze, body.at)
    return f"a player cannot stand at {show_value(body.at)}" if area is None else (area, bits)


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
    yield from _items_of_no_name(maze, body)
    yield _bits_of("opened", body.opened, ledger.opened)
    yield _bits_of("fallen", body.fallen, ledger.fallen)
    yield _bits_of("on", body.on, ledger.on)
    if not ledger.places:
        yield _bits_of("moved", [block for block, _ in body.moved], ledger.moved)
    yield _bits_of("moved", body.moved, ledger.rests)
    yield from _unsorted("moved", [block for block, _ in body.moved])
    yield _bits_of("dials", body.dials, ledger.turned)
    yield from _unsorted("dials", [switch for switch, _ in body.dials])
    yield from _unsorted("stock", [resource for resource, _ in body.stock])
    if ledger.carried:
        held = set(body.items)
        for name in ledger.carried_items:
            if name not in held:
                yield f"{show_value(name)} is held from the beginning, but not here"


def _items_of_no_name(maze: Maze, body: SituationBody) -> Iterator[str]:
    """Yield a sentence for an item that was taken by its number and is not held by its name.

    No state is like that; and one that holds less could come to hold more, for what was taken is not there any more.
    """
    for number in body.taken:
        pickup = maze.board.dungeon.pickups[number]  # it is one that matters: that was looked at before
        if pickup.kind == "item" and pickup.name not in body.items:
            yield f"taken lists {number}, but items does not list {show_value(pickup.name)}"


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


def _unsorted(part: str, listed: Sequence[int] | Sequence[str]) -> Iterator[str]:
    """Yield a sentence if things are not listed in order, each once."""
    for thing, other in pairwise(listed):
        if other <= thing:  # type: ignore[operator]
            yield f"{part} is not sorted, or lists {show_value(other)} twice"
