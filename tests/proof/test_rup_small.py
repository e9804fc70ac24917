"""Small refutations, by hand and at random; these run without compiled kernels too."""

from __future__ import annotations

import random

import pytest

from proof.formulas import is_satisfiable
from proof.naive_rup import naive_accepts
from solvent.proof.drup import parse_drup
from solvent.proof.rup import ClauseList, check_refutation, refutation_violations

pytestmark = pytest.mark.modes

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
"""All four clauses over two variables: unsatisfiable, but not by unit propagation alone."""


def violations(clauses: list[list[int]], proof: str, variables: int | None = None) -> list[str]:
    return refutation_violations(ClauseList.of(clauses, variables=variables), proof)


@pytest.mark.parametrize(
    ("clauses", "proof"),
    [
        ([[1], [-1]], "0"),
        ([[1], [-1, 2], [-2]], "0"),
        ([[]], "0"),
        ([[1, 2], []], "0"),
        (SQUARE, "1 0\n0"),
        (SQUARE, "1 0\n-1 0\n0"),
        (SQUARE, "  1\t0 \r\n\n0\n"),
        (SQUARE, "c a remark\n1 0\nc 7 ? é\n0"),
        (SQUARE, "1 1 1 0\n0"),
        (SQUARE, "2 -2 0\n1 0\n0"),
        ([[1, 1, 2], [1, -2, 1], [-1, 2, 2], [-1, -2], [1, -1]], "1 0\n0"),
        (SQUARE, "1 0\n0\n9 9 this is never read"),
        (SQUARE, "d 5 6 0\n1 0\n0"),
        (SQUARE, "d 0\n1 0\n0"),
    ],
)
def test_accepts(clauses, proof):
    assert violations(clauses, proof, 6) == []


@pytest.mark.parametrize(
    ("clauses", "proof", "part"),
    [
        (SQUARE, "0", "line 1: the empty clause does not follow"),
        (SQUARE, "", "ends without the empty clause"),
        ([[1], [-1]], "", "ends without the empty clause"),
        ([[]], "d 0", "ends without the empty clause"),
        (SQUARE, "1 0", "ends without the empty clause"),
        (SQUARE, "c only talk", "ends without the empty clause"),
        (SQUARE[:3], "1 0\n0", "line 2: the empty clause does not follow"),
        (SQUARE[:3], "1 0\n-2 1 0\n\n-1 0\n0", "line 4: the clause '-1' does not follow"),
        ([], "0", "line 1: the empty clause does not follow"),
        ([[1, -1]], "0", "line 1: the empty clause does not follow"),
        (SQUARE, "1 0\n7 0\n0", "line 2: expected literals of the 6 variables there are, found '7 0'"),
        (SQUARE, "d -7 0\n1 0\n0", "line 1: expected literals of the 6 variables"),
        (SQUARE, "99999999999999999999999999 0", "line 1: expected literals of the 6 variables"),
        (SQUARE, "18446744073709551617 0\n0", "line 1: expected literals of the 6 variables"),
        (SQUARE, "1 0\n1", "line 2: expected a clause that ends with 0"),
        (SQUARE, "1 0\nd", "line 2: expected a clause that ends with 0"),
        (SQUARE, "1 0 0\n0", "line 1: expected nothing after the 0"),
        (SQUARE, "1 0 2 0\n0", "line 1: expected nothing after the 0"),
        (SQUARE, "1 x 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1 - 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1 --2 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1 -0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "+1 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1.0 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "d1 2 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "١ 0\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1\u00a00\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1 0\u2028\n0", "line 1: expected a clause of whole numbers"),
        (SQUARE, "\ud800", "line 1: expected a clause of whole numbers"),
        (SQUARE, "1 0\n\x00\n0", "line 2: expected a clause of whole numbers"),
    ],
)
def test_rejects_and_says_where(clauses, proof, part):
    found = violations(clauses, proof, 6)
    assert len(found) == 1
    assert part in found[0]


@pytest.mark.parametrize("proof", [None, 0, ["0"], b"0"])
def test_what_is_no_text_is_rejected(proof):
    assert violations([[]], proof) == [f"expected the refutation as DRUP text, found {proof!r}"]


def test_a_deleted_clause_no_longer_helps():
    assert violations(SQUARE, "d 2 1 0\n1 0\n0") != []


def test_one_deletion_takes_one_copy():
    assert violations([*SQUARE, [2, 1]], "d 1 2 0\n1 0\n0") == []
    assert violations([*SQUARE, [2, 1]], "d 1 2 0\nd 1 2 0\n1 0\n0") != []


def test_deleting_a_clause_with_repetitions_finds_it():
    assert violations([[1, 2, 1], *SQUARE[1:]], "d 2 1 2 0\n1 0\n0") != []


def test_a_longer_or_shorter_clause_is_not_the_one_to_delete():
    assert violations(SQUARE, "d 1 0\nd 1 2 3 0\n1 0\n0", 3) == []


def test_a_deleted_clause_can_be_added_again_if_it_follows():
    assert violations([*SQUARE, [1]], "d 1 2 0\n1 2 0\n0") == []


def test_facts_outlive_the_clauses_that_gave_them():
    implied = [[1], [-1, 2], [-2, 3, 4], [-2, 3, -4], [-2, -3, 4], [-2, -3, -4]]
    assert violations(implied, "d 1 0\nd -1 2 0\n3 0\n0") == []
    assert violations([[1], [-1]], "d 1 0\nd -1 0\n0") == []


def test_counts_deletions_of_what_is_not_there():
    clauses = ClauseList.of(SQUARE)
    proof = parse_drup("d 1 0\n1 0\nd 1 0\nd 1 0\nd 1 2 0\n0", clauses.variables)
    checked = check_refutation(clauses, proof)
    assert checked.violations == []
    assert checked.unknown_deletions == 2


def test_a_long_clause_is_shown_shortened():
    literals = list(range(1, 41))
    found = violations([literals], " ".join(map(str, literals[:-1])) + " 0\n0")
    assert len(found[0]) < 120
    assert "1 2 3" in found[0]


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_plain_sets_on_random_steps(seed):
    """Small enough that about half of the proofs hold; each accepted formula is also tried out in full."""
    draw = random.Random(seed)
    accepted = 0
    for _ in range(150):
        variables = draw.randint(1, 4)

        def clause(most: int, variables: int = variables) -> list[int]:
            return [draw.randint(1, variables) * draw.choice((1, -1)) for _ in range(draw.randint(1, most))]

        clauses = [clause(4) for _ in range(draw.randint(2, 14))]
        known = [list(one) for one in clauses]
        lines = []
        for _ in range(draw.randint(0, 8)):
            if draw.random() < 0.35:
                lines.append("d " + " ".join(map(str, [*draw.choice(known), 0])))
            else:
                known.append(clause(3))
                lines.append(" ".join(map(str, [*known[-1], 0])))
        # Some steps follow only by luck; dropping those that do not leaves deeper proofs to compare.
        kept: list[str] = []
        for line in lines:
            if (
                draw.random() < 0.1
                or naive_accepts(clauses, "\n".join([*kept, line, "0"]), variables)
                or line[0] == "d"
            ):
                kept.append(line)
        proof = "\n".join([*kept, "0"])
        expected = naive_accepts(clauses, proof, variables)
        assert (violations(clauses, proof, variables) == []) == expected, (clauses, proof)
        if expected:
            accepted += 1
            assert not is_satisfiable(clauses, variables), (clauses, proof)
    assert 20 < accepted < 130
