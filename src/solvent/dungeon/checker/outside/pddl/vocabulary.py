"""The words of a dungeon in PDDL: names for its tiles and things, and requirements as formulas about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from solvent.dungeon.checker.board import Board, monsters_in, neighbour, takes_block
from solvent.dungeon.checker.requirements import all_rules, leaves
from solvent.dungeon.model import STEPS, AllOf, AnyOf, Cleared, Have, Not, Place, Requirement, SwitchAt

TRUE, FALSE = "(and)", "(or)"
"""Formulas that always hold, and never. No formula has either of them inside, for not every program reads them."""

Resource = tuple[str, str]
"""`item`, `key` or `bombs`, and the name or the colour."""


class Vocabulary(Struct, frozen=True):
    """Hold the names of what has any, and where blocks can be."""

    board: Board
    resources: dict[Resource, str]
    """All that is counted."""
    switches: dict[str, str]
    """Switches that are turned; one that is held follows from where the player and the blocks are."""
    settings: dict[str, str]
    """The states that switches have."""
    ranges: list[list[Place]]
    """For each block, all places it may ever be pushed to, its own first."""
    blocked: frozenset[Place]
    """All places that a block may ever be on."""
    ways_from: dict[Place, list[int]]
    """Numbers of the ways that begin at a place."""


def make_vocabulary(board: Board) -> Vocabulary:
    """Name all that a dungeon has."""
    dungeon = board.dungeon
    turned = sorted({switch.name for switch in dungeon.switches} - set(board.held_plates) | set(board.dials))
    settings = sorted({"off", "on"}.union(*board.dials.values())) if turned else []
    ranges = [list(_range_of(board, block)) for block in range(len(dungeon.blocks))]
    ways_from: dict[Place, list[int]] = {}
    for number, way in enumerate(dungeon.ways):
        ways_from.setdefault(way.source, []).append(number)
    names: set[str] = set()
    return Vocabulary(
        board=board,
        resources={one: _new_name(names, *one) for one in sorted(_counted(board))},
        switches={name: _new_name(names, "switch", name) for name in turned},
        settings={name: _new_name(names, "set", name) for name in settings},
        ranges=ranges,
        blocked=frozenset(place for places in ranges for place in places),
        ways_from=ways_from,
    )


def tile(place: Place) -> str:
    """Return the name of a tile."""
    floor, row, column = place
    return f"f{floor}r{row}c{column}"


def all_of(parts: Iterable[str]) -> str:
    """Return the formula that holds if all of some do."""
    parts = list(dict.fromkeys(part for part in parts if part != TRUE))
    if FALSE in parts:
        return FALSE
    return parts[0] if len(parts) == 1 else f"(and{''.join(f' {part}' for part in parts)})"


def any_of(parts: Iterable[str]) -> str:
    """Return the formula that holds if any of some does."""
    parts = list(dict.fromkeys(part for part in parts if part != FALSE))
    if TRUE in parts:
        return TRUE
    return parts[0] if len(parts) == 1 else f"(or{''.join(f' {part}' for part in parts)})"


def negation(part: str) -> str:
    """Return the formula that holds if another does not."""
    if part.startswith("(not "):
        return part[len("(not ") : -1]
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"(not {part})")


def has(words: Vocabulary, what: str, name: str, count: int) -> str:
    """Return the formula that asks for so many of something in hand."""
    if count <= 0 or not _is_counted(words.board, what):
        return TRUE
    return f"(>= (in-hand {words.resources[what, name]}) {count})"


def is_on(words: Vocabulary, switch: str) -> str:
    """Return the formula that asks for a switch with no states of its own to be on, with the player where they are."""
    if switch in words.board.held_plates:
        plates = words.board.held_plates[switch]
        blocks = (f"(blocked {tile(plate)})" for plate in plates if plate in words.blocked)
        return any_of([*(f"(player-on {tile(plate)})" for plate in plates), *blocks])
    if switch in words.switches and switch not in words.board.dials:
        return _is_set(words, switch, "on")
    return FALSE


def holds(words: Vocabulary, rule: Requirement | None) -> str:
    """Return a requirement as a formula about the state, with the player where they are."""
    match rule:
        case None:
            return TRUE
        case Have(what, name, count):
            return has(words, what, name, count)
        case SwitchAt(switch, wanted):
            return _switch_at(words, switch, wanted)
        case Cleared(room):
            monsters = sorted(monsters_in(words.board, words.board.rooms[room]))
            return all_of(f"(taken pickup-{number})" for number in monsters)
        case Not(part):
            return negation(holds(words, part))
        case AllOf(parts):
            return all_of(holds(words, part) for part in parts)
        case AnyOf(parts):
            return any_of(holds(words, part) for part in parts)
    raise AssertionError(f"{rule!r} is no requirement")


def _switch_at(words: Vocabulary, switch: str, wanted: str) -> str:
    if switch in words.board.dials:
        return _is_set(words, switch, wanted) if wanted in words.board.dials[switch] else FALSE
    if wanted not in ("on", "off"):
        return FALSE
    return is_on(words, switch) if wanted == "on" else negation(is_on(words, switch))


def _is_set(words: Vocabulary, switch: str, setting: str) -> str:
    return f"(is-set {words.switches[switch]} {words.settings[setting]})"


def _is_counted(board: Board, what: str) -> bool:
    rules = board.dungeon.rules
    return what == "item" or (rules.keys_counted if what == "key" else rules.bombs is not None)


def _counted(board: Board) -> Iterator[Resource]:
    """Yield all that is counted, some of it more than once."""
    dungeon, rules = board.dungeon, board.dungeon.rules
    found: list[Resource] = [(one.kind, one.name) for one in dungeon.pickups if one.kind != "monster"]
    found += [("key", colour) for colour, _ in rules.keys]
    found += [("item", name) for name in (*rules.items, rules.water)]
    found += [("key", gate.needs[0]) for gate in dungeon.gates if gate.kind == "lock"]
    found += [("bombs", "") for gate in dungeon.gates if gate.kind == "cracked"]
    found += [("item", name) for gate in dungeon.gates if gate.kind == "item" for name in gate.needs]
    asked = (leaf for rule in all_rules(dungeon) for leaf, _ in leaves(rule))
    found += [(leaf.what, leaf.name) for leaf in asked if isinstance(leaf, Have)]
    for what, name in dict.fromkeys(found):
        if _is_counted(board, what):
            yield what, name


def _range_of(board: Board, block: int) -> Iterator[Place]:
    """Yield all places a block may be pushed to, if the player could stand anywhere."""
    home = board.dungeon.blocks[block].place
    seen, waiting = {home}, [home]
    while waiting:
        place = waiting.pop()
        yield place
        if board.dungeon.rules.push == "never" or (board.dungeon.rules.push == "once" and place != home):
            continue
        for direction in STEPS:
            beside = neighbour(place, direction)
            if beside not in seen and takes_block(board, block, beside):
                seen.add(beside)
                waiting.append(beside)


def _new_name(names: set[str], kind: str, name: str) -> str:
    """Return a name that PDDL allows and nothing else has yet; capitals do not count there."""
    plain = re.sub("[^a-z0-9]+", "-", f"{kind} {name}".lower()).strip("-")
    number, found = 1, plain
    while found in names:
        number += 1
        found = f"{plain}-no{number}"
    names.add(found)
    return found
