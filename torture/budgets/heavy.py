"""Certificates that are long to check, true or not, for checks with a limit."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import Any

from solvent.valency.model import Lattice


def make_heavy(problem: Any, dice: Random, part: float = 1.0) -> dict[str, Any]:
    """Return a certificate with a great deal in it, or only with a part of that."""
    return {"solvent": 1, "domain": problem.domain, **_MAKERS[problem.domain](problem, dice, part)}


def _proof(dice: Random, variables: int, lines: int) -> str:
    clauses = (" ".join(str(dice.randint(1, variables) * dice.choice((1, -1))) for _ in range(3)) for _ in range(lines))
    return "".join(f"{clause} 0\n" for clause in clauses) + "0\n"


def _dungeon(problem: Any, dice: Random, part: float) -> dict[str, Any]:
    rules = asdict(problem.rules)
    rules |= {"keys": [list(key) for key in rules["keys"]], "items": list(rules["items"])}
    rows = problem.floors[0].terrain
    if dice.random() < 0.4:
        body: dict[str, Any] = {"plan": list("EW") * int(500_000 * part)}
        return {"question": "solvable", "verdict": "YES", "form": "plan", "rules": rules, **body}
    places = [(0, dice.randrange(len(rows)), dice.randrange(len(rows[0]))) for _ in range(300)]
    count = len(problem.gates)
    states = [
        {"at": place, "opened": sorted(dice.sample(range(count), dice.randint(0, count)))}
        for place in [problem.start, *places]
        if rows[place[1]][place[2]] == "."
    ]
    if dice.random() < 0.5:
        return {"question": "solvable", "verdict": "NO", "form": "closed set", "rules": rules, "states": states}
    ranks = [dice.randrange(9) for _ in states]
    return {"question": "losable", "verdict": "NO", "form": "safe", "rules": rules, "states": states, "ranks": ranks}


def _harmony(problem: Any, dice: Random, part: float) -> dict[str, Any]:
    names = [f"{chr(65 + cell // problem.cols)}{cell % problem.cols + 1}" for cell in range(len(problem.moves))]
    live = [name for name, moves in zip(names, problem.moves, strict=True) if moves]
    if dice.random() < 0.5:
        rule = dice.choice(("crowded row", "component colours"))
        same = [name for name, colour in zip(names, problem.colours, strict=True) if colour == 0]
        cells = same if rule == "crowded row" else live
        return {"question": "solvable", "verdict": "NO", "form": "invariant", "rule": rule, "cells": cells}
    body = {"component": live, "most_moves": dice.choice((1, 2, 3)), "proof": _proof(dice, 500, int(20_000 * part))}
    return {"question": "solvable", "verdict": "NO", "form": "refutation", **body}


def _starbattle(problem: Any, dice: Random, part: float) -> dict[str, Any]:
    proof = _proof(dice, problem.size**2, int(200_000 * part))
    if dice.random() < 0.5:
        return {"question": "solvable", "verdict": "NO", "form": "refutation", "proof": proof}
    stars = [[cell // problem.size, cell % problem.size] for cell in range(0, problem.size**2, problem.size + 2)]
    return {"question": "unique", "verdict": "YES", "form": "only solution", "stars": stars, "proof": proof}


def _valency(problem: Any, dice: Random, part: float) -> dict[str, Any]:
    cluster = problem.cluster
    nodes = cluster.width * cluster.height if isinstance(cluster, Lattice) else len(cluster.positions)
    if dice.random() < 0.5:
        return {"question": "solvable", "verdict": "YES", "form": "assignment", "modules": [0] * nodes}
    some = list(range(min(nodes, 20_000)))
    elements = [{"node": node} for node in some]
    body = {"nodes": some, "elements": elements, "proof": _proof(dice, 3 * len(some), int(50_000 * part))}
    return {"question": "solvable", "verdict": "NO", "form": "refutation", **body}


_MAKERS = {"dungeon": _dungeon, "harmony": _harmony, "starbattle": _starbattle, "valency": _valency}
