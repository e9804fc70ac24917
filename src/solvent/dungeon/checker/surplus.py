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
from itertools import islice, pairwise

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

MAX_KEPT = 2_000_000
"""How many numbers to keep of what was worked out for other keys."""


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why keys or bombs might run short, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, SurplusBody)
    board = lay_out(dungeon, meter)
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
    fewest: list[str] | None = None
    for entry in meter.each(sorted(entries), every=1):
        faults = _faults(tree, body, *entry)
        if fewest is None or len(faults) < len(fewest):
            fewest = faults
        if not fewest:
            break
    return fewest or []


def find_least(tree: Tree, gate: int, node: int) -> int:
    """Return the least that can be in hand of what a gate takes, while it is shut and the node before it is reached."""
    purse = tree.maze.ledger.purses[gate]
    if purse.gates[0] not in tree.weighed:
        if len(tree.weighed) * len(tree.nodes) > MAX_KEPT:
            tree.weighed.clear()
        tree.maze.meter.checkpoint()
        tree.weighed[purse.gates[0]] = _weigh(tree, purse)
    before, within = tree.weighed[purse.gates[0]]
    return before[tree.door_of[gate]] if gate in tree.door_of else within[node]


def _weigh(tree: Tree, purse: Purse) -> tuple[list[int], list[int]]:
    """Return the least there can be before each node is entered, and once it is entered."""
    nodes, maze = tree.nodes, tree.maze
    weights = [0] * len(nodes)
    for pickup, each in purse.pickups.items():
        area = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.pickups[pickup].place))
        if area in tree.node_of:
            weights[tree.node_of[area]] += each
    for gate in purse.gates:
        if gate in tree.door_of:
            weights[tree.door_of[gate]] -= 1
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
    needed = items | _walk_to(tree, node, gates, set())
    held = 0
    walked: set[int] = set()
    for name, number in tree.maze.meter.each(body.items, every=20):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return [*found, "and more"]
        place = _node_of_item(tree, name, number)
        if isinstance(place, str):
            found.append(place)
            continue
        on_the_way = _walk_to(tree, place, gates, walked)
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
    least = {number: find_least(tree, number, home) for number, home in tree.maze.meter.each(gates.items())}
    found += islice(_faults_of_least(body.least, least), MAX_VIOLATIONS_LISTED + 1)
    return found[:MAX_VIOLATIONS_LISTED] + ["and more"] * (len(found) > MAX_VIOLATIONS_LISTED)


def _faults_of_least(listed: Sequence[tuple[int, int]], least: dict[int, int]) -> Iterator[str]:
    if any(one[0] >= other[0] for one, other in pairwise(listed)):
        yield "least is not sorted, or lists a gate twice"
    numbers = {number for number, _ in listed}
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


def _walk_to(tree: Tree, node: int, gates: dict[int, int], walked: set[int]) -> int:
    """Return the items that the way from the start to a node needs; add the gates that take something.

    The way to nodes that were walked to before was looked at then, so it begins at the last of those.
    """
    needs, looked = 0, 0
    while node > 0 and node not in walked:
        walked.add(node)
        looked += 1
        if looked % 1000 == 0:
            tree.maze.meter.checkpoint()
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
    names = (name for name, bit in tree.maze.ledger.items.items() if bit & items)
    shown = list(islice(names, MAX_VIOLATIONS_LISTED + 1))
    return ", ".join(shown[:MAX_VIOLATIONS_LISTED]) + ", and more" * (len(shown) > MAX_VIOLATIONS_LISTED)
