"""The checker accepts what is true, rejects every spoilt certificate, and no forged one is ever accepted."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

from helpers.marks import slow
from proof.naive_rup import naive_accepts
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import FORMS, QUESTIONS, violations
from solvent.starbattle.checker.statements_kernel import Statements
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.certificates import (
    only_solution_certificate,
    refutation_certificate,
    stars_certificate,
    two_solutions_certificate,
)
from solvent.starbattle.solver.refutation import Refutation, refute
from starbattle.brute_force import is_solution, solutions

SMALL = puzzle_of("AABB AABB CCDD CCDD", 1)
"""Solved by r1c2 r2c4 r3c1 r4c3 and by its mirror image."""
SOLUTION = [[0, 1], [1, 3], [2, 0], [3, 2]]
MIRRORED = [[0, 2], [1, 0], [2, 3], [3, 1]]


def certificate(form: str, question: str = "", **body: Any) -> dict[str, Any]:
    return make_certificate("starbattle", question or QUESTIONS[form][0], FORMS[form][0], form, **body)


def accepted(puzzle: Puzzle, form: str, question: str = "", **body: Any) -> bool:
    return violations(puzzle, certificate(form, question, **body)) == []


def cells_of(puzzle: Puzzle, stars: list[list[int]]) -> frozenset[int]:
    return frozenset(row * puzzle.size + col for row, col in stars)


@cache
def solved() -> list[tuple[Puzzle, list[list[int]]]]:
    """Return puzzles with one of their solutions."""
    dice, made = Random(1), []
    for number in range(24):
        size, stars = ((4, 1), (5, 1), (6, 1), (8, 2))[number % 4]
        puzzle = solvable_puzzle(dice, size, stars, connected=number % 3 > 0, marks=number % 5)
        made.append((puzzle, stars_certificate(puzzle, sorted(solutions(puzzle, most=1)[0]))["stars"]))
    return made


@cache
def proved() -> list[tuple[Puzzle, dict[str, Any]]]:
    """Return puzzles with a refutation of a solution, or of another one, that takes more than the empty clause."""
    dice, unsolvable, unique = Random(2), [], []
    while len(unsolvable) < 8 or len(unique) < 8:
        size, stars = dice.choice(((5, 1), (6, 1), (8, 2)))
        puzzle = (random_puzzle if dice.randrange(2) else solvable_puzzle)(dice, size, stars, marks=dice.randrange(3))
        found = solutions(puzzle, most=2)
        if len(found) == 2:
            continue
        known = sorted(found[0]) if found else None
        refutation = refute(puzzle, Budget().start(), other_than=known)
        assert isinstance(refutation, Refutation)
        if refutation.proof.count("\n") > 1 + stars:
            if known is None:
                unsolvable.append((puzzle, refutation_certificate(puzzle, "solvable", proof=refutation.proof)))
            else:
                unique.append((puzzle, only_solution_certificate(puzzle, known, proof=refutation.proof)))
    return unsolvable[:8] + unique[:8]


def naive_judgement(puzzle: Puzzle, body: dict[str, Any]) -> bool:
    """Tell what plain sets make of a refutation."""
    statements = Statements(puzzle)
    if body["form"] == "only solution":
        statements.add([-(cell + 1) for cell in cells_of(puzzle, body["stars"])])
    return naive_accepts(list(statements.formula()), body["proof"], statements.variables)


# Stars


def test_stars_are_accepted_as_they_are():
    assert accepted(SMALL, "stars", stars=SOLUTION)
    assert all(accepted(puzzle, "stars", stars=stars) for puzzle, stars in solved())


def test_stars_moved_removed_or_repeated_are_judged_by_the_rules():
    rejected = 0
    for puzzle, stars in solved():
        for index, star in enumerate(stars):
            others = stars[:index] + stars[index + 1 :]
            assert not accepted(puzzle, "stars", stars=others)
            assert not accepted(puzzle, "stars", stars=[*stars, star])
            for cell in range(puzzle.size**2):
                moved = [*others, list(divmod(cell, puzzle.size))]
                fine = len(cells_of(puzzle, moved)) == len(moved) and is_solution(puzzle, cells_of(puzzle, moved))
                assert accepted(puzzle, "stars", stars=moved) == fine
                rejected += not fine
        for cell in range(puzzle.size**2):
            assert not accepted(puzzle, "stars", stars=[*stars, list(divmod(cell, puzzle.size))])
    assert rejected > 5000


def test_stars_of_another_puzzle_are_judged_by_the_rules():
    for _, stars in solved():
        for puzzle, _ in solved():
            cells = [row * puzzle.size + col for row, col in stars]
            inside = all(max(star) < puzzle.size for star in stars)
            assert accepted(puzzle, "stars", stars=stars) == (inside and is_solution(puzzle, frozenset(cells)))


def test_stars_that_do_not_keep_a_mark_are_rejected_and_named():
    for puzzle, stars in solved():
        for cell in range(puzzle.size**2):
            has_star = list(divmod(cell, puzzle.size)) in stars
            for mark in (STAR, CROSS):
                marked = Puzzle(puzzle.size, puzzle.stars, puzzle.regions, replace_letter(puzzle.marks, cell, mark))
                assert accepted(marked, "stars", stars=stars) == (has_star == (mark == STAR))
    assert violations(
        puzzle_of("AABB AABB CCDD CCDD", 1, "*x.. .... .... ...."), certificate("stars", stars=SOLUTION)
    ) == [
        "r1c1 is marked as a star and has none",
        "r1c2 is marked as empty and has a star",
    ]


def replace_letter(text: str, index: int, letter: str) -> str:
    return text[:index] + letter + text[index + 1 :]


def test_every_broken_rule_is_named():
    assert violations(SMALL, certificate("stars", stars=[[0, 0], [0, 0], [1, 1], [4, 0]])) == [
        "r1c1 is listed 2 times",
        "there is no cell in row 5, column 1",
        "row 3 has no stars, not 1",
        "row 4 has no stars, not 1",
        "column 3 has no stars, not 1",
        "column 4 has no stars, not 1",
        "region A has 2 stars, not 1",
        "region B has no stars, not 1",
        "region C has no stars, not 1",
        "region D has no stars, not 1",
        "r1c1 and r2c2 touch",
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"stars": None},
        {"stars": "r1c1"},
        {"stars": [[0]]},
        {"stars": [[0, 1, 2]]},
        {"stars": [["0", "1"]]},
        {"stars": [[True, False]]},
        {"stars": [[0.5, 1]]},
        {"stars": [[-1, 0]]},
        {"stars": [[10**5000, 0]]},
    ],
)
def test_a_malformed_body_is_a_validation_error(body: dict[str, Any]):
    for form in ("stars", "only solution"):
        with pytest.raises(msgspec.ValidationError):
            violations(SMALL, certificate(form, **body, proof="0\n"))
    with pytest.raises(msgspec.ValidationError):
        violations(SMALL, certificate("two solutions", solutions=[body.get("stars"), SOLUTION]))
    with pytest.raises(msgspec.ValidationError):
        violations(SMALL, certificate("refutation", proof=3))


# Two solutions


def test_two_solutions_are_accepted_only_if_they_are_two():
    one, other = [cells_of(SMALL, SOLUTION), cells_of(SMALL, MIRRORED)]
    assert violations(SMALL, two_solutions_certificate(SMALL, sorted(one), sorted(other))) == []
    assert violations(SMALL, certificate("two solutions", solutions=[SOLUTION, SOLUTION[::-1]])) == [
        "the two solutions are the same"
    ]
    for solutions_given in ([], [SOLUTION], [SOLUTION, MIRRORED, SOLUTION]):
        found = violations(SMALL, certificate("two solutions", solutions=solutions_given))
        assert found == [f"expected two solutions, found {len(solutions_given)}"]
    for spoilt in (MIRRORED[1:], [*MIRRORED, [0, 0]], [*MIRRORED, MIRRORED[0]], [], [[0, 3], *MIRRORED[1:]]):
        assert not accepted(SMALL, "two solutions", solutions=[SOLUTION, spoilt])
        assert not accepted(SMALL, "two solutions", solutions=[spoilt, SOLUTION])
    [first, *_] = violations(SMALL, certificate("two solutions", solutions=[SOLUTION, MIRRORED[1:]]))
    assert first == "solution 2: row 1 has no stars, not 1"


def test_two_solutions_must_both_keep_the_marks():
    marked = Puzzle(4, 1, SMALL.regions, STAR.join((UNKNOWN, UNKNOWN * 14)))
    assert accepted(marked, "stars", stars=SOLUTION)
    assert not accepted(marked, "two solutions", solutions=[SOLUTION, MIRRORED])


# Refutations


def test_refutations_are_accepted_as_they_are():
    forms = [body["form"] for _, body in proved()]
    assert forms == ["refutation"] * 8 + ["only solution"] * 8
    for puzzle, body in proved():
        assert violations(puzzle, body) == []
        assert naive_judgement(puzzle, body)
        if body["form"] == "refutation":
            assert violations(puzzle, {**body, "question": "unique"}) == []
            assert solutions(puzzle) == []


def test_some_refutations_take_more_than_the_empty_clause():
    said = [violations(puzzle, {**body, "proof": "0\n"}) == [] for puzzle, body in proved()]
    assert said.count(False) > 8


def test_a_refutation_without_a_line_is_accepted_only_if_it_still_follows():
    verdicts = []
    for puzzle, body in proved():
        lines = body["proof"].splitlines()
        for index in range(0, len(lines), max(1, len(lines) // 4)):
            spoilt = {**body, "proof": "\n".join(lines[:index] + lines[index + 1 :])}
            verdicts.append(violations(puzzle, spoilt) == [])
            assert verdicts[-1] == naive_judgement(puzzle, spoilt)
    assert verdicts.count(False) > 10


def test_a_refutation_with_a_changed_literal_is_accepted_only_if_it_still_follows():
    dice, verdicts = Random(3), []
    for puzzle, body in proved():
        lines = body["proof"].splitlines()
        for _ in range(3):
            index = dice.randrange(len(lines) - 1)
            words = lines[index].split()
            place = dice.randrange(len(words) - 1)
            words[place] = str(-int(words[place])) if dice.randrange(2) else str(dice.randrange(1, puzzle.size**2))
            spoilt = {**body, "proof": "\n".join([*lines[:index], " ".join(words), *lines[index + 1 :]])}
            verdicts.append(violations(puzzle, spoilt) == [])
            assert verdicts[-1] == naive_judgement(puzzle, spoilt)
    assert verdicts.count(False) > 10


def test_a_refutation_cut_short_is_rejected():
    for puzzle, body in proved():
        lines = body["proof"].splitlines()
        for count in range(len(lines)):
            assert violations(puzzle, {**body, "proof": "\n".join(lines[:count])})


def test_the_only_solution_must_be_one():
    for puzzle, body in proved():
        if body["form"] == "only solution":
            for index in range(len(body["stars"])):
                stars = body["stars"][:index] + body["stars"][index + 1 :]
                assert violations(puzzle, {**body, "stars": stars})
                assert violations(puzzle, {**body, "stars": [*stars, body["stars"][index - 1]]})
            assert violations(puzzle, {**body, "stars": []})
            assert violations(puzzle, {**body, "stars": [*body["stars"], body["stars"][0]]})


def test_a_refutation_of_a_solution_is_not_one_of_another():
    """What shows that there is no other solution does not show that there is none."""
    for puzzle, body in proved():
        if body["form"] == "only solution":
            assert not accepted(puzzle, "refutation", "solvable", proof=body["proof"])
            assert not accepted(puzzle, "refutation", "unique", proof=body["proof"])


# The envelope


def test_each_form_answers_its_own_questions_with_its_own_verdict():
    bodies = {
        "stars": {"stars": SOLUTION},
        "two solutions": {"solutions": [SOLUTION, MIRRORED]},
        "refutation": {"proof": "0\n"},
        "only solution": {"stars": SOLUTION, "proof": "0\n"},
        "explained chain": {"steps": []},
        "explained step": {},
        "free cell": {"cell": SOLUTION[0], "solutions": [SOLUTION, MIRRORED]},
    }
    assert set(bodies) == set(FORMS) == set(QUESTIONS)
    refused = 0
    for form, body in bodies.items():
        for question in ("solvable", "unique", "forced"):
            for verdict in (Verdict.YES, Verdict.NO):
                fitting = question in QUESTIONS[form] and verdict is FORMS[form][0]
                if fitting:
                    continue
                found = violations(SMALL, make_certificate("starbattle", question, verdict, form, **body))
                if question not in QUESTIONS[form]:
                    answers = " and ".join(QUESTIONS[form])
                    assert found == [f"the form {form!r} can only answer {answers}, not {question!r}"]
                else:
                    assert found == [f"the form {form!r} can only prove {FORMS[form][0]}, not {verdict.value!r}"]
                refused += 1
    assert refused == 6 * len(bodies) - sum(map(len, QUESTIONS.values()))


def test_an_unknown_form_is_refused():
    [found] = violations(SMALL, make_certificate("starbattle", "solvable", Verdict.YES, "plan"))
    assert found.startswith("expected one of the forms stars, only solution, two solutions, refutation, explained ")
    assert found.endswith(", found 'plan'")


# Forged claims


@pytest.mark.parametrize("count", [150, *slow([600])])
def test_no_forged_refutation_is_accepted_for_a_solvable_puzzle(count: int):
    """Whatever the proof says: the clauses have a model, so the empty clause cannot follow."""
    proofs = [body["proof"] for _, body in proved()]
    dice, tried = Random(5), 0
    for number in range(count):
        size, stars = {0: (8, 2), 1: (6, 1), 2: (6, 1)}.get(number % 20, (4 + number % 2, 1))
        puzzle = solvable_puzzle(dice, size, stars, connected=number % 3 == 0, marks=dice.randrange(size))
        found = solutions(puzzle, most=2)
        cells = [list(divmod(cell, size)) for cell in sorted(found[0])]
        variables = Statements(puzzle).variables
        junk = [
            "".join(f"{dice.choice((1, -1)) * dice.randrange(1, variables + 1)} 0\n" for _ in range(5)) + "0\n",
            " ".join(str(dice.choice((1, -1)) * dice.randrange(1, variables + 1)) for _ in range(4)) + " 0\n0\n",
            f"-{min(found[0]) + 1} 0\n0\n",
        ]
        borrowed = dice.sample(proofs, 2)
        for proof in ("0\n", "0", "", "1 0\n-1 0\n0\n", *junk, *borrowed):
            for question in QUESTIONS["refutation"]:
                tried += 1
                assert not accepted(puzzle, "refutation", question, proof=proof), (puzzle, proof)
            if len(found) == 2:
                tried += 1
                assert not accepted(puzzle, "only solution", stars=cells, proof=proof), (puzzle, proof)
    assert tried > 16 * count
