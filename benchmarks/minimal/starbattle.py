"""Star Battle with python-sat: so many stars in each row, column and region, none touching."""

from __future__ import annotations

import sys

from pysat.card import CardEnc
from pysat.solvers import Cadical153

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
size, stars = map(int, lines[0].split())
layout = lines[1 : size + 1]
cells = [(row, col) for row in range(size) for col in range(size)]


def star(row: int, col: int) -> int:
    """Return the variable that says that a star stands here."""
    return row * size + col + 1


units = [[star(row, col) for col in range(size)] for row in range(size)]
units += [[star(row, col) for row in range(size)] for col in range(size)]
for letter in sorted(set("".join(layout))):
    units.append([star(row, col) for row, col in cells if layout[row][col] == letter])

clauses = []
top = size * size
for unit in units:
    counted = CardEnc.equals(lits=unit, bound=stars, top_id=top)
    top = max(top, counted.nv)
    clauses += counted.clauses
for row, col in cells:
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        if row + down < size and 0 <= col + right < size:
            clauses.append([-star(row, col), -star(row + down, col + right)])

with Cadical153(bootstrap_with=clauses) as solver:
    if solver.solve():
        true = {literal for literal in solver.get_model() if literal > 0}
        print("YES")
        for row in range(size):
            print("".join("*" if star(row, col) in true else "." for col in range(size)))
    else:
        print("NO")
