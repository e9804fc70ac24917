"""A dungeon of one key and one lock with python-sat: what leads where, as clauses; no way to the goal if they can hold.

Stricter than `solvent solve`, which also returns a shortest plan: here only the question itself is answered, and only
where every lock has a key of its own that no other lock could take.
"""

from __future__ import annotations

import sys

from pysat.solvers import Cadical153

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
grid = text.partition("map:\n")[2].partition("\n\n")[0].splitlines()
tiles = {(row, col): tile for row, line in enumerate(grid) for col, tile in enumerate(line) if tile not in "# "}
reached = {place: number for number, place in enumerate(tiles, start=1)}
where = {tile: place for place, tile in tiles.items()}
assert sorted(tiles.values()).count("k") == sorted(tiles.values()).count("L") == 1

clauses = [[reached[where["@"]]], [-reached[where["G"]]]]
for (row, col), number in reached.items():
    for beside in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
        if beside in reached:
            needed = [-reached[where["k"]]] if tiles[beside] == "L" else []
            clauses.append([-number, *needed, reached[beside]])

with Cadical153(bootstrap_with=clauses) as solver:
    print("NO" if solver.solve() else "YES")
