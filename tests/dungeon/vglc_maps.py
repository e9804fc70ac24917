"""Small tile maps and graphs of our own, in the manner of the Video Game Level Corpus."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game

DOORS = {
    "N": [(1, 4), (1, 5), (1, 6)],
    "S": [(14, 4), (14, 5), (14, 6)],
    "W": [(7, 1), (8, 1)],
    "E": [(7, 9), (8, 9)],
}


def room(doors: str = "", inside: Mapping[tuple[int, int], str] | None = None, fill: str = "F") -> list[str]:
    """Draw one room: doors in some of its walls, floor inside, and other letters on some tiles."""
    tiles = [["W"] * 11 for _ in range(16)]
    for row in range(2, 14):
        tiles[row][2:9] = fill * 7
    for side in doors:
        for row, column in DOORS[side]:
            tiles[row][column] = "D"
    for (row, column), letter in (inside or {}).items():
        tiles[row][column] = letter
    return ["".join(row) for row in tiles]


def lay(grid: Sequence[Sequence[list[str] | None]]) -> str:
    """Put rooms beside and below each other; None is a place without one."""
    empty = ["-" * 11] * 16
    return "".join("".join((each or empty)[row] for each in rooms) + "\n" for rooms in grid for row in range(16))


def dot(nodes: Mapping[str, str], *edges: tuple[str, str, str] | tuple[str, str, str, str]) -> str:
    """Write a graph. An edge has a label for both directions, or one for each; `-` for one that is not there."""
    lines = ["digraph {", *(f'{node} [label="{label}"]' for node, label in nodes.items())]
    for one, other, *labels in edges:
        forth, back = labels[0], labels[-1]
        lines += [f'{one} -> {other} [label="{forth}"]'] * (forth != "-")
        lines += [f'{other} -> {one} [label="{back}"]'] * (back != "-")
    return "\n".join([*lines, "}"]) + "\n"


def write_pair(folder: Path, map_text: str, graph_text: str) -> Path:
    """Write a map and its graph beside each other; returns the map's file."""
    path = folder / "cave.txt"
    path.write_text(map_text)
    (folder / "cave.dot").write_text(graph_text)
    return path


def shortest_plan(dungeon: Dungeon) -> list[str] | None:
    """Find a shortest plan by looking at every state."""
    game = Game(dungeon)
    first = game.start_state()
    plans: dict[object, list[str]] = {first: []}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        if game.is_won(state):
            return plans[state]
        for move, following in game.moves(state):
            if following not in plans:
                plans[following] = [*plans[state], move]
                waiting.append(following)
    return None


STATUES = {(2, 2): "M", (2, 8): "M", (13, 2): "M", (13, 8): "M"}
"""What marks the room with the goal."""
