"""Refutations by real solvers, and what happens when they are damaged."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from proof.formulas import (
    Clauses,
    odd_cycle_parity,
    pigeonhole,
    planted_formula,
    random_formula,
    solver_proof,
)
from proof.naive_rup import naive_accepts
from solvent.engine.arrays import TINY, new_row
from solvent.proof.drup import parse_drup
from solvent.proof.rup import ClauseList, check_refutation, refutation_violations
from solvent.proof.rup_kernel import DONE, REFUTED, WORKING, RupFollower
from solvent.proof.trimming_kernel import NeededSteps

SOLVERS = ["glucose3", "glucose4", "cadical153", "cadical195"]
FORMULAS = {
    "random 60": random_formula(60, 300, seed=1),
    "random 120": random_formula(120, 560, seed=2),
    "pigeonhole 5": pigeonhole(5),
    "pigeonhole 6": pigeonhole(6),
    "parity 7": odd_cycle_parity(7),
    "parity 9": odd_cycle_parity(9),
}


@cache
def proof_of(name: str, solver: str) -> str:
    return solver_proof(FORMULAS[name], solver)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", FORMULAS)
def test_accepts_what_solvers_prove(name, solver):
    clauses = ClauseList.of(FORMULAS[name])
    proof = parse_drup(proof_of(name, solver), clauses.variables)
    checked = check_refutation(clauses, proof)
    assert checked.violations == []
    assert checked.unknown_deletions == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_cutting_the_end_off_is_noticed(solver):
    clauses = ClauseList.of(FORMULAS["random 120"])
    lines = proof_of("random 120", solver).split("\n")
    lines = lines[: lines.index("0") + 1]
    assert len(lines) > 100
    for cut in (1, 2, 10, len(lines) // 2, len(lines)):
        assert refutation_violations(clauses, "\n".join(lines[:-cut])) == [
            "the refutation ends without the empty clause"
        ]


def test_jumping_to_the_empty_clause_is_noticed():
    clauses = ClauseList.of(FORMULAS["random 120"])
    lines = proof_of("random 120", "glucose4").split("\n")
    found = refutation_violations(clauses, "\n".join([*lines[:50], "0"]))
    assert found == ["line 51: the empty clause does not follow by unit propagation"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_proof_of_another_formula_is_rejected(solver):
    for seed in range(5):
        other = ClauseList.of(random_formula(120, 560, seed=50 + seed), variables=120)
        assert refutation_violations(other, proof_of("random 120", solver)) != []


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_cutting_the_work_differently_changes_nothing(chunk):
    clauses = ClauseList.of(FORMULAS["random 60"])
    proof = parse_drup(proof_of("random 60", "cadical153"), clauses.variables)
    whole = check_refutation(clauses, proof, record=True)
    cut = check_refutation(clauses, proof, record=True, chunk=chunk)
    assert cut.violations == whole.violations == []
    for of_both in ("step", "looked_at", "facts", "unknown_deletions"):
        assert getattr(cut.followed, of_both) == getattr(whole.followed, of_both)
    assert whole.followed.looked_at > 1000
    assert NeededSteps(cut.followed).steps() == NeededSteps(whole.followed).steps() != []


def test_one_call_stops_near_its_limit():
    formula = FORMULAS["random 120"]
    clauses = ClauseList.of(formula)
    proof = parse_drup(proof_of("random 120", "glucose4"), clauses.variables)
    whole = check_refutation(clauses, proof)
    most_in_a_step = 20 * len(formula)  # far above what one check looks at here
    calls = 0
    follower = RupFollower(120, len(clauses.literals) + len(proof.literals), len(clauses) + len(proof.kinds), 7)
    follower.load(clauses.literals, clauses.starts, new_row(len(clauses), TINY))
    assert follower.run(1 << 40) == DONE
    follower.load(proof.literals, proof.starts, proof.kinds)
    status = WORKING
    while status == WORKING:
        before = follower.looked_at
        status = follower.run(10_000)
        assert follower.looked_at - before < 10_000 + most_in_a_step
        calls += 1
    assert status == REFUTED
    assert calls > 5
    assert follower.looked_at == whole.followed.looked_at


def mutate(lines: list[str], clauses: Clauses, variables: int, draw: random.Random) -> list[str]:
    """Damage a proof a little; the result may still be one."""
    lines = list(lines)
    place = draw.randrange(len(lines))
    words = lines[place].split()
    begin = 1 if words[0] == "d" else 0
    kind = draw.randrange(9)
    if kind == 0:
        del lines[place]
    elif kind == 1 and len(words) > begin + 1:
        chosen = draw.randrange(begin, len(words) - 1)
        words[chosen] = str(-int(words[chosen]))
        lines[place] = " ".join(words)
    elif kind == 2 and len(words) > begin + 1:
        del words[draw.randrange(begin, len(words) - 1)]
        lines[place] = " ".join(words)
    elif kind == 3:
        other = draw.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 4:
        draw.shuffle(lines)
    elif kind == 5:
        lines.insert(place, "d " + " ".join(map(str, [*draw.choice(clauses), 0])))
    elif kind == 6:
        lines.insert(place, "d " + draw.choice(lines).removeprefix("d "))
    elif kind == 7:
        words.insert(begin, str(draw.randint(1, variables) * draw.choice((1, -1))))
        lines[place] = " ".join(words)
    else:
        lines.insert(draw.randrange(len(lines)), lines[place])
    return lines


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["random", "pigeonhole"])
def test_agrees_with_plain_sets_on_every_mutation(name, solver):
    draw = random.Random(f"{name} {solver}")
    accepted = rejected = 0
    for round_number in range(12):
        formula = pigeonhole(4) if name == "pigeonhole" else random_formula(20, 105, seed=round_number)
        clauses = ClauseList.of(formula)
        variables = clauses.variables
        original = solver_proof(formula, solver).split("\n")
        assert naive_accepts(formula, "\n".join(original), variables)
        for _ in range(25):
            lines = original
            for _ in range(draw.randint(1, 3)):
                lines = mutate(lines, formula, variables, draw)
            proof = "\n".join(lines)
            expected = naive_accepts(formula, proof, variables)
            assert (refutation_violations(clauses, proof) == []) == expected, (formula, proof)
            accepted += expected
            rejected += not expected
    assert accepted >= 30
    assert rejected >= 30


def test_nothing_refutes_a_satisfiable_formula():
    for seed in range(30):
        draw = random.Random(seed)
        formula = planted_formula(20, 110, seed)
        clauses = ClauseList.of(formula, variables=20)
        foreign = solver_proof(random_formula(20, 140, seed), "glucose4").split("\n")
        noise = [" ".join(map(str, [*clause, 0])) for clause in random_formula(20, 10, seed + 1000, width=1)]
        mixed = draw.sample(foreign + noise, len(foreign + noise))
        for lines in (foreign, mixed, mutate(foreign, formula, 20, draw), ["0"]):
            assert refutation_violations(clauses, "\n".join([*lines, "0"])) != []


def test_a_formula_with_a_million_clauses_is_loaded_from_arrays():
    """The clauses chain 1 → 2 → … → n with n false, so propagation has to walk through all of them."""
    count = 1_000_000
    literals = np.empty(2 * count, dtype=np.int32)
    literals[0::2] = -np.arange(1, count + 1)
    literals[1::2] = np.arange(2, count + 2)
    literals = np.concatenate([literals, np.array([-(count + 1)], dtype=np.int32)])
    starts = np.append(np.arange(0, 2 * count + 1, 2), 2 * count + 1)
    clauses = ClauseList(literals, starts, count + 1)
    assert refutation_violations(clauses, "1 0\n0") != []
    with_start = ClauseList(np.append(literals, np.int32(1)), np.append(starts, 2 * count + 2), count + 1)
    assert refutation_violations(with_start, "0") == []
