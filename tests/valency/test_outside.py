"""Refutations of Valency for outside checkers: each that a certificate has, with true words for each variable."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from helpers.marks import slow
from helpers.outside import require_refutations
from solvent.core.answer import Verdict
from solvent.valency.checker.certificate_schema import read_refutation
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.formula import Formula
from solvent.valency.checker.outside import describer
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import make_formula
from solvent.valency.model import Count
from valency.stagings import on_row, plain_modules, random_staging


@pytest.mark.parametrize("seeds", [range(40), *slow([range(40, 400)])])
def test_random_tasks_are_refuted_for_others_too(seeds: range, tmp_path: Path):
    refuted = 0
    for seed in seeds:
        staging = random_staging(seed)
        for question in ("solvable", "partial"):
            certificate = solvent.ask(staging, question).certificate
            assert certificate is not None
            proofs = [certificate, *certificate.get("left_out", ())]
            expected = sum("proof" in part for part in proofs)
            if expected:
                files = solvent.export_proof(staging, certificate, tmp_path / f"{seed}-{question}")
                assert require_refutations(files) == expected
                refuted += expected
    assert refuted > len(seeds) // 8


def test_the_words_of_counts_are_those_of_the_numbers():
    staging = on_row(3, plain_modules(2), constraints=(Count(0b10, least=2, most=2),))
    body = {"nodes": [0, 1, 2], "elements": [{"constraint": 0}], "proof": "0\n"}
    made = make_formula(Placing(staging), read_refutation(body), CheckingLimits())
    assert isinstance(made, Formula)
    describe = describer(made)
    assert describe(4) == "node 1 (x 1, y 0) holds 'm1'"
    assert describe(8) == "bit 0 of the number of the module on node 1 (x 1, y 0) is set"
    assert describe(12) == "at least 1 of these 2: node 0 (x 0, y 0) holds 'm1'; node 1 (x 1, y 0) holds 'm1'"
    assert describe(21).startswith("at least 2 of these 3: ")


def test_a_fill_has_nothing_for_them(tmp_path: Path):
    staging = on_row(3, plain_modules(2))
    answer = solvent.ask(staging)
    assert answer.verdict is Verdict.YES
    with pytest.raises(solvent.BadOption, match="holds no refutation"):
        solvent.export_proof(staging, answer.certificate, tmp_path)
