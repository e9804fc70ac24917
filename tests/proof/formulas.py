"""Formulas with a known answer, and proofs by real solvers."""

from __future__ import annotations

import itertools
import random

from pysat.solvers import Solver

Clauses = list[list[int]]


def random_formula(variables: int, clauses: int, seed: int, *, width: int = 3) -> Clauses:
    """Draw clauses of distinct variables."""
    draw = random.Random(seed)
    return [
        [variable * draw.choice((1, -1)) for variable in draw.sample(range(1, variables + 1), width)]
        for _ in range(clauses)
    ]


def planted_formula(variables: int, clauses: int, seed: int) -> Clauses:
    """Draw clauses that an assignment drawn before satisfies."""
    draw = random.Random(seed)
    solution = {variable * draw.choice((1, -1)) for variable in range(1, variables + 1)}
    found: Clauses = []
    while len(found) < clauses:
        clause = [variable * draw.choice((1, -1)) for variable in draw.sample(range(1, variables + 1), 3)]
        if solution & set(clause):
            found.append(clause)
    return found


def pigeonhole(holes: int) -> Clauses:
    """Put one pigeon more than there are holes into holes, one in each."""
    pigeons = range(holes + 1)

    def sits(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    somewhere = [[sits(pigeon, hole) for hole in range(holes)] for pigeon in pigeons]
    alone = [
        [-sits(first, hole), -sits(second, hole)]
        for hole in range(holes)
        for first, second in itertools.combinations(pigeons, 2)
    ]
    return somewhere + alone


def odd_cycle_parity(nodes: int) -> Clauses:
    """Say that the edges of a ladder have an odd sum at one node and an even one at all others, which cannot be."""
    edges = [(node, (node + 1) % nodes) for node in range(nodes)] + [
        (node, (node + 2) % nodes) for node in range(nodes)
    ]
    clauses: Clauses = []
    for node in range(nodes):
        touching = [number for number, edge in enumerate(edges, start=1) if node in edge]
        odd = node == 0
        for signs in itertools.product((1, -1), repeat=len(touching)):
            if (signs.count(-1) % 2 == 1) != odd:
                clauses.append([sign * edge for sign, edge in zip(signs, touching, strict=True)])
    return clauses


def solver_proof(clauses: Clauses, solver: str) -> str:
    """Let a solver refute the clauses and return what it logged, with the empty clause at the end."""
    with Solver(name=solver, with_proof=True) as worker:
        for clause in clauses:
            worker.add_clause(clause)
        assert worker.solve() is False
        lines = list(worker.get_proof())
    if "0" not in lines:
        lines.append("0")
    return "\n".join(lines)


def is_satisfiable(clauses: Clauses, variables: int) -> bool:
    """Try every assignment."""
    for signs in itertools.product((1, -1), repeat=variables):
        true = {sign * variable for variable, sign in enumerate(signs, start=1)}
        if all(true & set(clause) for clause in clauses):
            return True
    return False
