"""Harmony with python-sat: the board after each swap, as many swaps as moves allow, until all are home."""

from __future__ import annotations

import sys
from itertools import combinations, count

from pysat.card import CardEnc
from pysat.solvers import Cadical153

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
sizes = {words[0]: int(words[1]) for words in lines if words[0] in ("ROWS", "COLS")}
rows, cols = sizes["ROWS"], sizes["COLS"]
start, home, moves = [], [], []  # of each tile: its cell, the row it belongs to, its moves
colours = lines[lines.index(["BOARD"]) + 1 :]
for target, (_, *tiles) in enumerate(colours):
    for place, number in zip(tiles[::2], tiles[1::2], strict=True):
        start.append((ord(place[0]) - ord("A")) * cols + int(place[1:]) - 1)
        home.append(target)
        moves.append(int(number))

cells, tiles_there, steps = range(rows * cols), range(rows * cols), sum(moves) // 2
swaps = [(a, b) for a, b in combinations(cells, 2) if a // cols == b // cols or a % cols == b % cols]
numbers = count(1)
at = [[[next(numbers) for _ in cells] for _ in tiles_there] for _ in range(steps + 1)]
swap = [[next(numbers) for _ in swaps] for _ in range(steps)]
moved = [[next(numbers) for _ in tiles_there] for _ in range(steps)]
clauses = [[at[0][tile][start[tile]]] for tile in tiles_there]
top = next(numbers)


def exactly(literals: list[int], bound: int) -> None:
    """Have so many of these be true."""
    global top
    counted = CardEnc.equals(lits=literals, bound=bound, top_id=top)
    top = max(top, counted.nv)
    clauses.extend(counted.clauses)


for step in range(steps + 1):
    for tile in tiles_there:
        exactly(at[step][tile], 1)
for step in range(steps):
    exactly(swap[step], 1)
    for tile in tiles_there:
        for cell in cells:
            here, touching = at[step][tile][cell], [n for n, pair in enumerate(swaps) if cell in pair]
            for n in touching:
                other = sum(swaps[n]) - cell
                clauses.append([-here, -swap[step][n], at[step + 1][tile][other]])
                clauses.append([-here, -swap[step][n], moved[step][tile]])
            for n in set(range(len(swaps))) - set(touching):
                clauses.append([-here, -swap[step][n], at[step + 1][tile][cell]])
                clauses.append([-here, -swap[step][n], -moved[step][tile]])
for tile in tiles_there:
    clauses.append([at[steps][tile][cell] for cell in cells if cell // cols == home[tile]])
    if moves[tile] == 0:
        clauses += [[-moved[step][tile]] for step in range(steps)]
    else:
        exactly([moved[step][tile] for step in range(steps)], moves[tile])

with Cadical153(bootstrap_with=clauses) as solver:
    if sum(moves) % 2 == 0 and solver.solve():
        true = {literal for literal in solver.get_model() if literal > 0}
        print("YES")
        for step in range(steps):
            a, b = next(pair for n, pair in enumerate(swaps) if swap[step][n] in true)
            print("-".join(f"{chr(ord('A') + cell // cols)}{cell % cols + 1}" for cell in (a, b)))
    else:
        print("NO")
