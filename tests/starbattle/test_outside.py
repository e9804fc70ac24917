"""Refutations of Star Battle for outside checkers: the checker's clauses, in words that are true."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from torture.instances.starbattle import random_puzzle, solvable_puzzle

import solvent
from helpers.marks import slow
from helpers.outside import require_refutations
from solvent.core.answer import Verdict
from solvent.starbattle.checker.outside import NamedStatements
from solvent.starbattle.checker.statements_kernel import Statements
from solvent.starbattle.model import Puzzle
from starbattle.brute_force import solutions
from starbattle.rare_steps import UNIQUENESS, certificate_of, steps_of


@pytest.mark.parametrize("seeds", [range(6), *slow([range(6, 100)])])
def test_generated_boards_are_refuted_for_others_too(seeds: range, tmp_path: Path):
    refuted = 0
    for seed in seeds:
        dice = Random(seed)
        size, stars = [(5, 1), (6, 1), (8, 1), (8, 2), (10, 2)][seed % 5]
        puzzle = (
            random_puzzle(dice, size, stars)
            if seed % 2
            else solvent.generate("starbattle", size=size, stars=stars, seed=seed)
        )
        answer = solvent.ask(puzzle, "unique")
        assert answer.certificate is not None
        if answer.certificate["form"] in ("refutation", "only solution"):
            refuted += require_refutations(solvent.export_proof(puzzle, answer.certificate, tmp_path / str(seed)))
    assert refuted >= len(seeds) // 2


@pytest.mark.parametrize(("size", "stars"), [(4, 1), (5, 1), (6, 1), (8, 2)])
def test_it_is_the_formula_of_the_checker_and_its_words_are_true(size: int, stars: int):
    """Give each variable the value that its words say of a solution: every clause is then satisfied."""
    puzzle = solvable_puzzle(Random(size), size, stars, marks=2)
    named, plain = NamedStatements(puzzle), Statements(puzzle)
    formula = named.formula()
    assert list(formula) == list(plain.formula())
    assert list(named.meanings) == list(range(1, formula.variables + 1))
    for cells in solutions(puzzle, most=3):
        solution = {divmod(cell, size) for cell in cells}
        true = set()
        for variable, meaning in named.meanings.items():
            there = sum(cell in solution for place in meaning.list[: meaning.places] for cell in place)
            true.add(variable if there >= meaning.stars else -variable)
        assert all(true & set(clause) for clause in formula)


def test_pairs_of_lines_have_words_as_well():
    puzzle = random_puzzle(Random(1), 17, 4)
    named = NamedStatements(puzzle)
    assert list(named.meanings) == list(range(1, named.formula().variables + 1))
    assert any(meaning.list[0] == [(0, 0), (1, 0)] and meaning.places == 5 for meaning in named.meanings.values())


def test_words():
    said = [
        str(meaning)
        for meaning in NamedStatements(
            Puzzle(4, 1, tuple([0, 0, 1, 1] * 2 + [2, 2, 3, 3] * 2), "." * 16)
        ).meanings.values()
    ]
    assert said[5] == "a star on r2c2"
    assert "at least 1 star on r1c1 r1c2 r1c3" in said
    assert "a star on one of r1c1 r1c2 r2c1 r2c2" in said


def test_a_step_by_uniqueness_brings_its_refutation(tmp_path: Path):
    for number, puzzle in enumerate(UNIQUENESS):
        certificate = certificate_of(puzzle, steps_of(puzzle, "uniqueness")[0])
        assert require_refutations(solvent.export_proof(puzzle, certificate, tmp_path / str(number))) == 1


def test_what_holds_no_refutation_is_refused_with_a_reason(tmp_path: Path):
    puzzle = solvent.generate("starbattle", size=5, stars=1, seed=1)
    answer = solvent.ask(puzzle, "solvable")
    assert answer.verdict is Verdict.YES
    with pytest.raises(solvent.BadOption, match="'stars' holds nothing that an outside checker reads"):
        solvent.export_proof(puzzle, answer.certificate, tmp_path / "out")
    with pytest.raises(solvent.CertificateRejected):
        solvent.export_proof(puzzle, {**answer.certificate, "stars": []}, tmp_path / "out")
    assert not (tmp_path / "out").exists()
