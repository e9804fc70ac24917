"""Check a plan or a closed set of Harmony. Plain Python; nothing of Solvent is used.

    python harmony.py STATEMENT.json

Prints VERIFIED and exits with 0, or says what is wrong and exits with 1.

A board is a list of tiles, row by row, each the number of the row where it belongs and how many moves it has left. A
swap exchanges two tiles of one row or one column that both have moves left, and costs each of them one. A board is
solved if every tile is in its row and none has moves left. A plan is right if its swaps are legal one after the other
and solve the board. A closed set shows that there is none: it holds the board, no solved one, and every board that a
swap leads to from one of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

Tiles = tuple[tuple[int, int], ...]


class Wrong(Exception):
    """Say why a statement is not accepted."""


def swap(tiles: Tiles, cols: int, one: int, other: int) -> Tiles | None:
    """Return the board after a swap, or None if it is not legal."""
    in_line = one // cols == other // cols or one % cols == other % cols
    if one == other or not in_line or tiles[one][1] < 1 or tiles[other][1] < 1:
        return None
    after = list(tiles)
    after[one] = (tiles[other][0], tiles[other][1] - 1)
    after[other] = (tiles[one][0], tiles[one][1] - 1)
    return tuple(after)


def boards_after(tiles: Tiles, cols: int) -> Iterator[Tiles]:
    """Yield every board that one swap leads to."""
    for one in range(len(tiles)):
        for other in range(one + 1, len(tiles)):
            after = swap(tiles, cols, one, other)
            if after is not None:
                yield after


def is_solved(tiles: Tiles, cols: int) -> bool:
    """Tell whether every tile is home and has no moves left."""
    return all(home == cell // cols and moves == 0 for cell, (home, moves) in enumerate(tiles))


def check(statement: dict[str, Any]) -> None:
    """Raise Wrong unless the statement is true."""
    rows, cols = statement["rows"], statement["cols"]
    board: Tiles = tuple((home, moves) for home, moves in statement["tiles"])
    if statement["game"] != "harmony" or len(board) != rows * cols or cols < 1:
        raise Wrong("expected a board of Harmony with a tile on each cell")
    if not all(type(number) is int and number >= 0 for tile in board for number in tile):
        raise Wrong("expected tiles of two whole numbers each")
    if "plan" in statement:
        for number, (one, other) in enumerate(statement["plan"], start=1):
            after = swap(board, cols, one, other) if min(one, other) >= 0 and max(one, other) < len(board) else None
            if after is None:
                raise Wrong(f"swap {number} of the plan is not legal")
            board = after
        if not is_solved(board, cols):
            raise Wrong("the board is not solved after the plan")
        return
    states = {tuple(zip(state[::2], state[1::2], strict=True)) for state in statement["states"]}
    if board not in states:
        raise Wrong("the set does not hold the board itself")
    for state in states:
        if len(state) != len(board):
            raise Wrong("a board of the set has another size")
        if is_solved(state, cols):
            raise Wrong("the set holds a solved board")
        if any(after not in states for after in boards_after(state, cols)):
            raise Wrong(f"a swap leads out of the set, from {state}")


def main() -> int:
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        print("usage: python harmony.py STATEMENT.json")
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            check(json.load(file))
    except (Wrong, ValueError, KeyError, TypeError, OSError) as error:
        print(f"NOT VERIFIED: {error}")
        return 1
    print("VERIFIED")
    return 0


if __name__ == "__main__":
    sys.exit(main())
