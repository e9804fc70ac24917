from __future__ import annotations

import pytest

import solvent
from engine.free_threads import turns_beside
from proof.formulas import pigeonhole, solver_proof
from solvent.engine.arrays import TINY, new_row
from solvent.engine.build import is_compiled
from solvent.engine.clauses import ClauseList
from solvent.proof.drup import parse_drup
from solvent.proof.rup_kernel import DONE, REFUTED, RupFollower

compiled_only = pytest.mark.skipif(not is_compiled(), reason="uncompiled kernels are Python, which holds the GIL")


@compiled_only
def test_following_a_proof_leaves_the_interpreter_to_others():
    clauses = ClauseList.of(pigeonhole(7))
    proof = parse_drup(solver_proof(pigeonhole(7), "glucose4"), clauses.variables)
    follower = RupFollower(
        clauses.variables, len(clauses.literals) + len(proof.literals), len(clauses) + len(proof.kinds), 7
    )
    follower.load(clauses.literals, clauses.starts, new_row(len(clauses), TINY))
    assert follower.run(1 << 40) == DONE
    follower.load(proof.literals, proof.starts, proof.kinds)
    status = []
    assert turns_beside(lambda: status.append(follower.run(1 << 40))) > 20
    assert status == [REFUTED]


def test_plain_python_does_not():
    assert turns_beside(lambda: sum(range(3_000_000))) < 5


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("valency", {"rules": "rooms", "grid": "100x100", "unsolved": True}),
        ("dungeon", {"rooms": 160, "locks": 30}),
        ("harmony", {"rows": 7, "cols": 7, "swaps": 40}),
    ],
)
def test_a_large_question_leaves_the_interpreter_to_others(kind, options):
    problem = solvent.generate(kind, seed=1, **options)
    answers = []
    assert turns_beside(lambda: answers.append(solvent.ask(problem, nodes=5_000_000))) > 20
    assert answers[0].certified
