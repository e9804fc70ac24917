"""Whatever a domain hands to outside checkers is accepted by them, and its note says all there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.cases import NAMES, answer_of
from helpers.examples import domain_named, examples_of, load_example
from helpers.outside import require_refutations
from solvent import outside
from solvent.core.errors import BadOption

WITH_PROOFS = [name for name in NAMES if domain_named(name).outside_proofs is not None]


@pytest.mark.parametrize("name", WITH_PROOFS)
def test_outside_checkers_accept_the_proofs_of_every_example(name: str, tmp_path: Path):
    exported = 0
    for example in examples_of(name):
        for question, expected in example.expected.items():
            answer = answer_of(name, example.name, question)
            assert answer.verdict is expected
            if answer.certificate is None:
                continue
            folder = tmp_path / f"{example.name}-{question}"
            problem = load_example(name, example.name)
            try:
                files = outside.export_proof(problem, answer.certificate, folder)
            except BadOption:
                assert not folder.exists()
                continue
            exported += 1
            note = files[0].read_text(encoding="utf-8")
            assert all(path.name in note for path in files[1:])
            assert sorted(folder.iterdir()) == sorted(files)
            if "clauses" in note:
                assert require_refutations(files) > 0
    assert exported > 0


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITH_PROOFS])
def test_a_domain_without_proofs_for_others_says_so(name: str, tmp_path: Path):
    example = examples_of(name)[0]
    certificate = answer_of(name, example.name, next(iter(example.expected))).certificate
    assert certificate is not None
    with pytest.raises(BadOption, match="nothing for outside checkers"):
        outside.export_proof(load_example(name, example.name), certificate, tmp_path / "out")
    assert not (tmp_path / "out").exists()
