"""Refutations for outside checkers: DIMACS, DRUP and LRAT, put to checkers that share nothing with ours."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from helpers.marks import slow
from helpers.outside import dratify_accepts, lrat_accepts
from proof.formulas import Clauses, is_satisfiable, odd_cycle_parity, pigeonhole, random_formula, solver_proof
from proof.naive_rup import naive_accepts
from solvent.core.errors import CertificateRejected
from solvent.engine.clauses import ClauseList
from solvent.proof.lrat import find_hints, lrat_lines
from solvent.proof.refutation_files import dimacs_pieces, occurring, refutation_proof, without_empty_clauses

SOLVERS = ("glucose4", "cadical153")


def written(clauses: Clauses, proof: str) -> tuple[str, str, str]:
    """Return the three files of a refutation."""
    made = refutation_proof(
        "it", "It cannot be.", ClauseList.of(clauses), proof, meanings=[(1, "one")], trusted="Nothing."
    )
    formula, drup, lrat = ("".join(file.pieces) for file in made.files)
    return formula, drup, lrat


def refuted_formulas(count: int, variables: int) -> list[tuple[Clauses, str]]:
    """Return formulas that cannot be satisfied, with proofs by different solvers."""
    made: list[tuple[Clauses, str]] = []
    for seed in itertools.count():
        clauses = random_formula(variables, 5 * variables, seed)
        try:
            made.append((clauses, solver_proof(clauses, SOLVERS[seed % 2])))
        except AssertionError:  # it can be satisfied
            continue
        if len(made) == count:
            break
    return made


@pytest.mark.parametrize("count", [40, *slow([400])])
def test_outside_checkers_accept_what_ours_does(count: int):
    steps = 0
    for clauses, proof in refuted_formulas(count, 30):
        formula, drup, lrat = written(clauses, proof)
        assert dratify_accepts(formula, drup)
        assert lrat_accepts(formula, lrat)
        steps += drup.count("\n")
    assert steps > 10 * count


@pytest.mark.parametrize("clauses", [pigeonhole(5), odd_cycle_parity(7)], ids=["pigeons", "parity"])
def test_longer_proofs_are_accepted(clauses: Clauses):
    formula, drup, lrat = written(clauses, solver_proof(clauses, "glucose4"))
    assert drup.count("\n") > 100
    assert dratify_accepts(formula, drup)
    assert lrat_accepts(formula, lrat)


@pytest.mark.parametrize(
    ("clauses", "proof"),
    [
        ([[]], "0\n"),  # the formula has the empty clause
        ([[1], [-1]], "0\n"),  # facts alone
        ([[1, 2], [-2], [-1, 3], [-3, 2]], "0\n"),  # facts that follow from facts
        ([[1, 1, 2], [-2, -2], [-1, 3, -3], [-1]], "0\n"),  # repeated literals, and a clause that says nothing
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], "1 0\nd 1 2 0\nd 1 -2 0\n0\n"),  # a fact whose clauses are deleted
        (
            [[1], [-1, 2], [-2, 3], [-3, 4, 5], [-5, -1], [-4, -2]],
            "3 -4 0\n-4 0\n2 5 3 0\n0\n",
        ),  # steps that facts imply
        (
            [[1], [-1, 2], [3, 4], [3, -4], [-3, -2, 4], [-3, -4]],
            "-2 3 0\n-1 -2 3 0\n3 0\n0\n",
        ),  # literals facts exclude
        ([list(range(1, 60)), *([-n] for n in range(1, 60))], "0\n"),  # a long clause
        ([[1, 2], [1, -2], [-1, 2], [-1, -2]], "1 -1 0\n1 0\n0\n"),  # a step that says nothing
    ],
)
def test_delicate_proofs_are_accepted(clauses: Clauses, proof: str):
    formula, drup, lrat = written(clauses, proof)
    assert lrat_accepts(formula, lrat), lrat
    assert dratify_accepts(formula, drup)


def test_only_what_is_needed_is_written_and_dropped_after_its_last_use():
    clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2], [3, 4], [3, -4]]
    reasoned = find_hints(ClauseList.of(clauses), "3 0\n1 0\n0\n")
    assert reasoned.drup == [[1], []]
    assert "".join(lrat_lines(reasoned.steps)) == ("7 1 0 2 1 0\n7 d 1 2 0\n8 -2 0 7 4 0\n8 d 4 0\n9 0 7 8 3 0\n")


def test_no_clause_is_written_empty():
    """The checkers in the books of ACL2 cannot read one, or take it for deleted."""
    formula, drup, lrat = written([[1, 2], [], [-1], []], "0\n")
    assert formula.split("\n", 2)[2] == (
        "c 3 never true: a clause of it alone is one that nothing satisfies\np cnf 3 5\n1 2 0\n3 0\n-1 0\n3 0\n-3 0\n"
    )
    assert lrat_accepts(formula, lrat)
    assert dratify_accepts(formula, drup)
    clauses = ClauseList.of([[1, 2], [-1]])
    assert without_empty_clauses(clauses) is clauses


def test_what_is_no_proof_is_not_written():
    with pytest.raises(CertificateRejected, match="does not follow"):
        find_hints(ClauseList.of([[1, 2], [-1, -2]]), "1 0\n0\n")


def test_the_formula_has_its_words_on_top():
    clauses = ClauseList.of([[1, -3], [3]], variables=4)
    text = "".join(dimacs_pieces(clauses, "Two\nlines", [(1, "käse"), (3, "three")]))
    assert text == "c Two lines\nc 1 k\\xe4se\nc 3 three\np cnf 4 2\n1 -3 0\n3 0\n"
    assert list(occurring(clauses)) == [1, 3]


# Forgeries. A change may leave a proof valid; what decides is a look at every assignment, not another checker.


def mutated(text: str, dice: Random) -> str:
    """Change a proof a little: a number, a line more or less, lines in another order, a literal turned."""
    lines = [line.split() for line in text.splitlines()]
    at = dice.randrange(len(lines))
    line = lines[at]
    kind = dice.choice(["number", "turn", "drop word", "drop line", "swap lines", "swap words", "repeat", "cut"])
    word = dice.randrange(len(line))
    if kind == "number":
        line[word] = str(dice.randrange(-12, 60))
    elif kind == "turn":
        line[word] = line[word].removeprefix("-") if line[word].startswith("-") else f"-{line[word]}"
    elif kind == "drop word":
        del line[word]
    elif kind == "drop line":
        del lines[at]
    elif kind == "swap lines":
        other = dice.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "swap words":
        other = dice.randrange(len(line))
        line[word], line[other] = line[other], line[word]
    elif kind == "repeat":
        lines.insert(dice.randrange(len(lines)), line)
    else:
        del lines[at:]
    return "".join(" ".join(line) + "\n" for line in lines)


def says_true_things(clauses: Clauses, lrat: str, variables: int) -> bool:
    """Tell, by trying every assignment, whether each step of a proof follows from the clauses that its hints name."""
    known = dict(enumerate(clauses, start=1))
    for line in lrat.splitlines():
        words = line.split()
        if words[1:2] == ["d"]:
            for word in words[2:-1]:
                del known[int(word)]
            continue
        numbers = [int(word) for word in words]
        zero = numbers.index(0)
        clause, hints = numbers[1:zero], numbers[zero + 1 : -1]
        if is_satisfiable([*(known[hint] for hint in hints), *([-literal] for literal in clause)], variables):
            return False
        known[numbers[0]] = clause
        if not clause:
            return True
    return False


@pytest.mark.parametrize("count", [150, *slow([3000])])
def test_forged_hints_are_rejected_unless_they_still_prove_it(count: int):
    dice = Random(19)
    clauses = [[1, 2, 3], [1, 2, -3], [1, -2, 4], [1, -2, -4], [-1, 5, 6], [-1, 5, -6], [-1, -5, 2], [-5, -2, -1]]
    formula, _, lrat = written(clauses, "1 2 0\n1 0\n-1 5 0\n0\n")
    assert lrat_accepts(formula, lrat)
    assert says_true_things(clauses, lrat, 6)
    accepted = rejected = 0
    for _ in range(count):
        forged = mutated(lrat, dice)
        if lrat_accepts(formula, forged):
            assert says_true_things(clauses, forged, 6), forged
            accepted += 1
        else:
            rejected += 1
    assert rejected > count // 2
    assert accepted > 0  # some changes do no harm, such as clauses that are not deleted


@pytest.mark.parametrize("count", [3, *slow([100])])
def test_no_proof_of_what_can_be_satisfied_is_accepted(count: int):
    """Take a clause away that the contradiction needs: whatever is done to the proof, no checker may accept it."""
    dice = Random(20)
    tried = 0
    for clauses in (pigeonhole(3), odd_cycle_parity(5)):
        variables = max(literal for clause in clauses for literal in clause)
        proof = solver_proof(clauses, "glucose4")
        for left_out in range(len(clauses)):
            fewer = clauses[:left_out] + clauses[left_out + 1 :]
            assert is_satisfiable(fewer, variables)
            _, *texts = written(clauses, proof)
            drup, lrat = texts
            formula = "".join(dimacs_pieces(ClauseList.of(fewer, variables=variables), "", ()))
            for _ in range(count):
                tried += 1
                assert not lrat_accepts(formula, lrat)
                assert not dratify_accepts(formula, drup)
                drup, lrat = (mutated(text, dice) for text in texts)
    assert tried == 62 * count


@pytest.mark.parametrize("count", [150, *slow([3000])])
def test_forged_steps_are_rejected_by_both_or_by_neither(count: int):
    dice = Random(21)
    clauses, proof = refuted_formulas(3, 12)[-1]
    formula, drup, _ = written(clauses, proof)
    variables = max(abs(literal) for clause in clauses for literal in clause)
    outcomes = []
    for _ in range(count):
        forged = mutated(drup, dice)
        ours = naive_accepts(clauses, forged, variables)
        if ours:
            assert dratify_accepts(formula, forged), forged
        elif dratify_accepts(formula, forged):
            # It also accepts steps that keep a formula satisfiable though they do not follow (RAT).
            assert not is_satisfiable(clauses, variables)
        outcomes.append(ours)
    assert 0 < outcomes.count(False) < count
