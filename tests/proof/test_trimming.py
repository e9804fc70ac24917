from __future__ import annotations

import pytest

from proof.formulas import odd_cycle_parity, pigeonhole, random_formula, solver_proof
from proof.naive_rup import naive_accepts
from solvent.core.errors import CertificateRejected, ParseError
from solvent.proof.rup import ClauseList, refutation_violations
from solvent.proof.trimming import trim_refutation

pytestmark = pytest.mark.modes

FORMULAS = {
    "random": random_formula(80, 380, seed=3),
    "pigeonhole": pigeonhole(5),
    "parity": odd_cycle_parity(8),
}


@pytest.mark.parametrize("solver", ["glucose3", "glucose4", "cadical153", "cadical195"])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_trimmed_proof_is_a_shorter_proof(name, solver):
    clauses = ClauseList.of(FORMULAS[name])
    proof = solver_proof(FORMULAS[name], solver)
    trimmed = trim_refutation(clauses, proof)
    assert refutation_violations(clauses, trimmed) == []
    assert len(trimmed) < len(proof)
    assert "d" not in trimmed
    assert trim_refutation(clauses, trimmed).count("\n") <= trimmed.count("\n")


@pytest.mark.parametrize("seed", range(40))
def test_small_trimmed_proofs_convince_the_plain_checker(seed):
    formula = random_formula(12, 100, seed=seed)
    clauses = ClauseList.of(formula)
    trimmed = trim_refutation(clauses, solver_proof(formula, "glucose4"))
    assert naive_accepts(formula, trimmed, clauses.variables)


def test_what_is_not_needed_goes():
    square = ClauseList.of([[1, 2], [1, -2], [-1, 2], [-1, -2]], variables=4)
    assert trim_refutation(square, "1 3 0\nd 1 3 0\n1 -1 0\n2 1 4 0\nd 1 2 4 0\n1 0\n2 0\n0\n") == "1 0\n0\n"
    assert trim_refutation(ClauseList.of([[1], [-1]]), "1 0\n-1 0\n0") == "0\n"
    assert trim_refutation(ClauseList.of([[1], []]), "1 0\n0") == "0\n"


def test_a_needed_clause_stays_although_it_was_deleted():
    """The fact 2 comes from the clause 1 2, which is deleted as soon as it has done so."""
    formula = ClauseList.of([[1, 2, 3], [1, 2, -3], [-1], [-2, 4, 5], [-2, 4, -5], [-2, -4, 5], [-2, -4, -5]])
    proof = "1 2 0\nd 1 2 0\nd 1 2 3 0\n4 0\n0"
    assert refutation_violations(formula, proof) == []
    assert trim_refutation(formula, proof) == "1 2 0\n4 0\n0\n"


def test_a_clause_stays_if_only_a_fact_drawn_from_its_fact_is_used():
    """The clause 1 2 gives the fact 2, that gives 3, and only 3 helps to prove 4, which is contradictory by itself."""
    gives_1_2 = [[1, 2, 6], [1, 2, -6], [-1]]
    uses_3 = [[-3, 4, 5], [-3, 4, -5]]
    formula = ClauseList.of([*gives_1_2, [-2, 3], *uses_3, [-4, 7], [-4, -7]])
    assert refutation_violations(formula, "4 0\n0") != []
    assert trim_refutation(formula, "1 2 0\n7 2 0\n4 0\n0") == "1 2 0\n4 0\n0\n"


def test_only_a_proof_can_be_trimmed():
    square = ClauseList.of([[1, 2], [1, -2], [-1, 2], [-1, -2]])
    with pytest.raises(CertificateRejected, match="line 1: the empty clause"):
        trim_refutation(square, "0")
    with pytest.raises(CertificateRejected, match="ends without"):
        trim_refutation(square, "1 0")
    with pytest.raises(ParseError, match="line 1"):
        trim_refutation(square, "one 0")
