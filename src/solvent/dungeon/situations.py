"""The situations of certificates as states, and what can be walked over in one without changing anything."""

from __future__ import annotations

from collections.abc import Mapping

from solvent.core.errors import ParseError
from solvent.drawing.highlights import are_numbers, items_in, numbers_in
from solvent.dungeon.model import Cleared, Dungeon, Have, Pickup, Place
from solvent.dungeon.requirements import leaves_of, requirements_of
from solvent.dungeon.rules import BOMBS, Game, State, resource_of, walk_between, walk_from


def state_of_situation(game: Game, situation: object, path: str) -> State:
    """Return a state that a situation stands for; raises ParseError, naming `path`, for what does not fit the dungeon.

    With an item that only has to be there, everything of its name counts as taken; of one that is counted, and of keys,
    bombs and monsters, what the situation lists.
    """
    dungeon = game.dungeon
    if not isinstance(situation, Mapping):
        raise ParseError("a situation", situation, path=path)
    places = read_places(dungeon, [situation.get("at")], f"{path}.at")
    if not places:
        raise ParseError("a place as [floor, row, column]", situation.get("at"), path=f"{path}.at")
    taken = _numbers(situation.get("taken"), len(dungeon.pickups), f"{path}.taken")
    items = {item for item in items_in(situation.get("items")) if isinstance(item, str)}
    counted_items = _counted_items(dungeon)
    held = {
        number
        for number, pickup in enumerate(dungeon.pickups)
        if pickup.kind == "item" and pickup.name in items and pickup.name not in counted_items
    }
    return State(
        place=places[0],
        taken=taken | held,
        opened=_numbers(situation.get("opened"), len(dungeon.gates), f"{path}.opened"),
        fallen=_numbers(situation.get("fallen"), len(dungeon.gates), f"{path}.fallen"),
        on=frozenset(name for name in items_in(situation.get("on")) if isinstance(name, str)),
        moved=_read_moved(dungeon, situation.get("moved"), path),
        dials=_read_dials(dungeon, situation.get("dials"), path),
        stock=_read_stock(game, situation.get("stock"), path),
    )


def _read_moved(dungeon: Dungeon, value: object, path: str) -> tuple[str, ...]:
    moved = [""] * len(dungeon.blocks)
    for pair in items_in(value):
        fits = isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[1], str)
        if not fits or pair[0] not in _numbers([pair[0]], len(moved), path) or not is_block_walk(pair[1]):
            raise ParseError("a block and the walk to where it was pushed, such as SSE", pair, path=f"{path}.moved")
        moved[pair[0]] = pair[1]
    return tuple(moved)


def is_block_walk(walk: str) -> bool:
    """Tell whether a walk is written as that of a block is: north or south first, then east or west."""
    if not walk or not set(walk) <= set("NESW"):
        return False
    return walk == walk_between((0, 0, 0), walk_from((0, 0, 0), walk))


def _read_dials(dungeon: Dungeon, value: object, path: str) -> tuple[int, ...]:
    states = [0] * len(dungeon.dials)
    known = {dial.switch: number for number, dial in enumerate(dungeon.dials)}
    for pair in items_in(value):
        fits = isinstance(pair, list | tuple) and len(pair) == 2 and pair[0] in known
        if not fits or pair[1] not in dungeon.dials[known[pair[0]]].states:
            raise ParseError("a switch and its state", pair, path=f"{path}.dials")
        states[known[pair[0]]] = dungeon.dials[known[pair[0]]].states.index(pair[1])
    return tuple(states)


def _read_stock(game: Game, value: object, path: str) -> tuple[int, ...]:
    stock = [0] * len(game.renewing)
    for pair in items_in(value):
        fits = isinstance(pair, list | tuple) and len(pair) == 2 and pair[0] in game.renewing
        if not fits or not isinstance(pair[1], int) or pair[1] < 0:
            raise ParseError("a resource and how many are in hand", pair, path=f"{path}.stock")
        stock[game.renewing[pair[0]]] = pair[1]
    return tuple(stock)


def read_places(dungeon: Dungeon, value: object, path: str) -> list[Place]:
    """Return the places in a list; what is no place is left out, what lies outside the dungeon is an error."""
    places = []
    for item in items_in(value):
        if not are_numbers(item, 3):
            continue
        floor, row, column = item
        rows = dungeon.floors[floor].terrain if 0 <= floor < len(dungeon.floors) else ()
        if not (rows and 0 <= row < len(rows) and 0 <= column < len(rows[0])):
            raise ParseError("a place in the dungeon, as [floor, row, column]", list(item), path=path)
        places.append((floor, row, column))
    return places


def _numbers(value: object, end: int, path: str) -> frozenset[int]:
    return frozenset(numbers_in(value, end, f"a number below {end}", path))


# requirements


def _counted_items(dungeon: Dungeon) -> frozenset[str]:
    """Return the items of which some requirement asks for more than one."""
    atoms = (atom for rule in requirements_of(dungeon) for atom, _ in leaves_of(rule))
    return frozenset(atom.name for atom in atoms if isinstance(atom, Have) and atom.what == "item" and atom.count > 1)


def delicate_pickups(game: Game) -> frozenset[int]:
    """Return the pickups that a player may be better off without: taking one is a change, like turning a switch."""
    dungeon = game.dungeon
    unwanted: set[tuple[str, str]] = set()
    found: set[int] = set()
    stocks = _stocks_in_use(game)
    for rule in requirements_of(dungeon):
        for atom, positive in leaves_of(rule):
            if positive:
                continue
            if isinstance(atom, Have):
                unwanted.add((atom.what, "" if atom.what == BOMBS else atom.name))
            elif isinstance(atom, Cleared):
                found.update(game.monsters_of(atom.room))
    while True:
        more = {
            number for number, pickup in enumerate(dungeon.pickups) if _is_unwanted(pickup, unwanted, stocks)
        } - found
        if not more:
            return frozenset(found)
        found |= more
        # What makes something delicate appear is delicate as well.
        for appears in (dungeon.pickups[number].rule for number in found):
            for atom, _ in () if appears is None else leaves_of(appears):
                if isinstance(atom, Have):
                    unwanted.add((atom.what, "" if atom.what == BOMBS else atom.name))
                elif isinstance(atom, Cleared):
                    found.update(game.monsters_of(atom.room))


def _is_unwanted(pickup: Pickup, unwanted: set[tuple[str, str]], stocks: frozenset[str]) -> bool:
    stocked = pickup.kind in ("key", "bombs") and resource_of(pickup.kind, pickup.name) in stocks
    return stocked or (pickup.kind, "" if pickup.kind == "bombs" else pickup.name) in unwanted


def _stocks_in_use(game: Game) -> frozenset[str]:
    """Return the resources that renew and that some gate takes or some requirement asks about."""
    dungeon, rules = game.dungeon, game.rules
    used = {
        resource_of(gate.kind, gate.needs[0] if gate.needs else "")
        for gate in dungeon.gates
        if gate.kind in ("lock", "cracked")
    }
    for atom in (atom for rule in requirements_of(dungeon) for atom, _ in leaves_of(rule)):
        if isinstance(atom, Have) and atom.what != "item":
            used.add(resource_of(atom.what, atom.name))
    # Of what there is no end of, it does not matter how much is in hand.
    endless = {resource for resource in used if (rules.bombs is None if resource == BOMBS else not rules.keys_counted)}
    return frozenset(game.renewing) & (used - endless)


class Strolls:
    """Tell which moves change nothing but the place: what is taken on the way is a gain and no change."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._delicate = delicate_pickups(game)
        self._stocks = [game.renewing[resource] for resource in sorted(_stocks_in_use(game))]

    def is_calm(self, before: State, after: State) -> bool:
        """Tell whether a move from one state to another changed nothing that might be missed."""
        if after[2:-1] != before[2:-1] or any(after.stock[at] != before.stock[at] for at in self._stocks):
            return False
        return not self._delicate or self._delicate.isdisjoint(after.taken - before.taken)
