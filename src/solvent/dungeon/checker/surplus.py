"""Check that keys and bombs never run short where they are needed, so that no player can lose.

*Everything can be undone.* There is nothing to switch, push or shut, so what is held and opened only ever grows; and
after every move there is a move straight back, or a walk back, that needs no more than the move itself, what was found
there, or what a player who makes it is sure to have. Then a player can always walk back the whole way and from there to
wherever the doors opened so far and the items held let them; and may be taken to have collected all that lies there.

*Zones form a tree*, rooted where the player starts, with the doors between them: see `zones`. Whatever takes something
is met from one zone only, and one move never meets it and another door that may be shut. So what can be reached, with
all that was spent, is always a part of this tree that contains the root and whatever no shut door divides from it. What
is in hand of a resource is then what was carried and what lies in that part, less one for each door that took one.

*Lower bounds.* `least` of a door is the minimum of that over all such parts with the door still shut, and the zone
before it reached. Each branch off the way there counts if it makes the number smaller, or if no door leads into it.

*Never stuck.* Follow the way to the goal to the first door that is shut. If it takes something, `least` says that it
can be opened. If it lacks an item, follow the way to that item instead, whose doors need only items listed before it.
So one more door can be opened, again and again, until the goal is entered. A goal ends the game: it is no part of a
zone, what lies there is of no use, and a door that only leads onto goals wastes nothing.

The time grows with the size of the map, times the number of colours that are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.certificate_schema import SurplusBody
from solvent.dungeon.checker.ledger import Purse
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.play import lay_out, position, show_place
from solvent.dungeon.checker.situations import MAX_VIOLATIONS_LISTED
from solvent.dungeon.checker.zones import Tree, grow_tree, ways_onto
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why keys or bombs might run short, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, SurplusBody)
    board = lay_out(dungeon)
    start = position(board)
    if isinstance(start, str):
        return [start]
    if start.place in board.goals:
        return ["the game is won already, so nothing can run short"]
    if body.goal not in board.goals:
        return [f"expected a goal, found {show_value(body.goal)}"]
    tree = grow_tree(build_maze(board))
    if isinstance(tree, str):
        return [f"does not apply: {tree}"]
    entries = set(ways_onto(tree, body.goal))
    if not entries:
        return [f"no way leads to the goal at {show_place(dungeon, body.goal)}"]
    # Where it can be entered in several ways, one that is as the certificate says is enough.
    return min((_faults(tree, body, *entry) for entry in sorted(entries)), key=len)


def find_least(tree: Tree, gate: int, node: int) -> int:
    """Return the least that can be in hand of what a gate takes, while it is shut and the node before it is reached."""
    purse = tree.maze.ledger.purses[gate]
    if purse not in tree.weighed:
        tree.weighed[purse] = _weigh(tree, purse)
    before, within = tree.weighed[purse]
    return before[tree.door_of[gate]] if gate in tree.door_of else within[node]


def _weigh(tree: Tree, purse: Purse) -> tuple[list[int], list[int]]:
    """Return the least there can be before each node is entered, and once it is entered."""
    nodes, maze = tree.nodes, tree.maze
    weights = [0] * len(nodes)
    for number, bit in maze.ledger.pickups.items():
        area = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.pickups[number].place))
        if area in tree.node_of:
            weights[tree.node_of[area]] += sum(each for each, bits in purse.taken if bits & bit)
    for gate, number in tree.door_of.items():
        weights[number] -= maze.ledger.opened[gate] & purse.spent != 0
    branches, counted = [0] * len(nodes), [0] * len(nodes)
    for number in range(len(nodes) - 1, 0, -1):
        whole = weights[number] + branches[number]
        counted[number] = min(0, whole) if nodes[number].is_door else whole
        branches[nodes[number].parent] += counted[number]
    before = [purse.carried] * len(nodes)
    for number in range(1, len(nodes)):
        parent = nodes[number].parent
        before[number] = before[parent] + weights[parent] + branches[parent] - counted[number]
    return before, [sum(parts) for parts in zip(before, weights, branches, strict=True)]


def _faults(tree: Tree, body: SurplusBody, node: int, gate: int, items: int) -> list[str]:
    """Return what is wrong with the certificate if the goal is entered in this way."""
    ledger = tree.maze.ledger
    found: list[str] = []
    gates = {gate: node} if gate >= 0 else {}
    needed = items | _walk_to(tree, node, gates)
    held = 0
    for name, number in body.items:
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return [*found, "and more"]
        place = _node_of_item(tree, name, number)
        if isinstance(place, str):
            found.append(place)
            continue
        on_the_way = _walk_to(tree, place, gates)
        if on_the_way & ~held:
            found.append(
                f"the way to {show_value(name)} needs {_names(tree, on_the_way & ~held)}, not listed before it"
            )
        if held & ledger.items[name]:
            found.append(f"{show_value(name)} is listed twice")
        needed |= on_the_way
        held |= ledger.items[name]
    if needed & ~held:
        found.append(f"{_names(tree, needed & ~held)}: needed, but not listed")
    if held & ~needed:
        found.append(f"{_names(tree, held & ~needed)}: listed, but not needed")
    found += _faults_of_least(body.least, {number: find_least(tree, number, home) for number, home in gates.items()})
    return found[:MAX_VIOLATIONS_LISTED] + ["and more"] * (len(found) > MAX_VIOLATIONS_LISTED)


def _faults_of_least(listed: Sequence[tuple[int, int]], least: dict[int, int]) -> Iterator[str]:
    numbers = [number for number, _ in listed]
    if numbers != sorted(set(numbers)):
        yield "least is not sorted, or lists a gate twice"
    for number, stated in listed:
        if number not in least:
            yield f"gate {show_value(number)} is listed, but no way leads through it, or it takes nothing"
        elif stated != least[number]:
            yield f"gate {number}: least is {least[number]}, not {show_value(stated)}"
    for number in sorted(least):
        if number not in numbers:
            yield f"gate {number} is on the way, but not listed"
        if least[number] < 1:
            yield f"gate {number}: there may be nothing left to open it with"


def _walk_to(tree: Tree, node: int, gates: dict[int, int]) -> int:
    """Return the items that the way from the start to a node needs; add the gates that take something."""
    needs = 0
    while node > 0:
        here = tree.nodes[node]
        needs |= here.needs
        if here.gate is not None:
            gates[here.gate] = here.parent
        node = here.parent
    return needs


def _node_of_item(tree: Tree, name: str, number: int) -> int | str:
    maze = tree.maze
    pickups = maze.board.dungeon.pickups
    if not 0 <= number < len(pickups) or pickups[number].kind != "item" or pickups[number].name != name:
        return f"pickup {show_value(number)} is not the item {show_value(name)}"
    area = area_at(maze.areas, tile_at(maze.areas.tiles, pickups[number].place))
    if area not in tree.node_of or name not in maze.ledger.items:
        return f"pickup {number}, {show_value(name)}, cannot be reached or does not matter"
    return tree.node_of[area]


def _names(tree: Tree, items: int) -> str:
    return ", ".join(name for name, bit in tree.maze.ledger.items.items() if bit & items)
