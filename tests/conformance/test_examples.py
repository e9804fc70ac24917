"""Each example is what it says: read, drawn, answered as expected, with a certificate that survives a round trip."""

from __future__ import annotations

from pathlib import Path

import pytest

import solvent
from conformance.cases import GENEROUS_NODES, answer_of, settled
from helpers.examples import domain_named, examples_of, load_example
from solvent.core.answer import Verdict
from solvent.core.domain import Domain
from solvent.core.errors import CertificateRejected
from solvent.core.examples import Example
from solvent.proof.certificate import decode_certificate, encode_certificate, load_certificate, save_certificate


def test_is_recognised_by_its_own_domain_only(name: str, example: Example):
    assert [other for other in solvent.domains() if domain_named(other).sniff(example.text)] == [name]


def test_loads_from_a_file(name: str, example: Example, tmp_path: Path):
    file = tmp_path / "instance.txt"
    file.write_text(example.text, encoding="utf-8")
    problem = solvent.load(file)
    assert problem == load_example(name, example.name)
    assert type(problem).domain == name


def test_says_what_it_shows(name: str, example: Example):
    assert example.title.strip()
    assert set(example.expected) == set(domain_named(name).questions)
    assert Verdict.UNKNOWN not in example.expected.values()


def test_is_answered_as_expected_and_certified(name: str, example: Example, question: str):
    answer = answer_of(name, example.name, question)
    assert answer.verdict is example.expected[question], str(answer)
    assert answer.certified
    assert (answer.domain, answer.question) == (name, question)


def test_certificate_survives_a_file(name: str, example: Example, question: str, tmp_path: Path):
    certificate = answer_of(name, example.name, question).certificate
    decoded = decode_certificate(encode_certificate(certificate))
    assert decoded == certificate, "a certificate holds JSON values only"
    solvent.check(load_example(name, example.name), decoded)
    for file in (tmp_path / "proof.json", tmp_path / "proof.json.gz"):
        save_certificate(certificate, file)
        assert load_certificate(file) == decoded


def test_solution_can_be_drawn(name: str, example: Example, question: str):
    problem = load_example(name, example.name)
    assert "<svg" in solvent.draw(problem, certificate=answer_of(name, example.name, question).certificate)


def test_stats_and_answer_are_json_values(name: str, example: Example, question: str):
    answer = answer_of(name, example.name, question)
    assert decode_certificate(encode_certificate(answer.as_json())) == answer.as_json()


def test_no_can_be_had_without_proof(domain: Domain):
    for example, question in settled(domain.name, Verdict.NO):
        answer = solvent.ask(load_example(domain.name, example.name), question, nodes=GENEROUS_NODES, proof=False)
        assert answer.verdict is Verdict.NO


def test_yes_is_certified_even_without_proof(domain: Domain):
    example, question = settled(domain.name, Verdict.YES)[0]
    answer = solvent.ask(load_example(domain.name, example.name), question, nodes=GENEROUS_NODES, proof=False)
    assert answer.verdict is Verdict.YES
    assert answer.certified


def test_certificates_of_other_instances_never_prove_anything_false(domain: Domain):
    """A certificate may happen to fit another instance, but then what it claims is true there as well."""
    asked = [(example, question) for example in examples_of(domain.name) for question in domain.questions]
    rejected = 0
    for example, question in asked:
        certificate = answer_of(domain.name, example.name, question).certificate
        for other in examples_of(domain.name):
            if other.name == example.name:
                continue
            try:
                solvent.check(load_example(domain.name, other.name), certificate)
            except CertificateRejected:
                rejected += 1
            else:
                assert other.expected[question] is Verdict(certificate["verdict"])
    assert rejected > 0


def test_hints_help_or_say_why_not(name: str, example: Example):
    domain = domain_named(name)
    if domain.hints is None:
        pytest.skip(f"{name} has no hints")
    problem = load_example(name, example.name)
    hints = []
    for hint in solvent.hints(problem, nodes=GENEROUS_NODES):
        hints.append(hint)
        if len(hints) == 3:
            break
    assert hints
    lost = example.expected[next(iter(domain.questions))] is Verdict.NO
    assert hints[0].lost is lost
    for hint in hints:
        assert str(hint).strip()
        assert "\n" not in hint.caption
        assert not (hint.lost and hint.move is not None)
    if hints[0].move is not None:
        assert "<svg" in solvent.draw(problem, move=hints[0].move)


def test_is_as_hard_as_it_says(name: str, example: Example):
    if example.grade is None:
        pytest.skip("it says nothing of that")
    hints = domain_named(name).hints
    grade = hints.grade(list(solvent.hints(load_example(name, example.name), path=True)))
    assert (grade.number, grade.word) == (example.grade.number, example.grade.word)


def test_hints_without_budget_claim_nothing(name: str, example: Example):
    if domain_named(name).hints is None:
        pytest.skip(f"{name} has no hints")
    hint = next(iter(solvent.hints(load_example(name, example.name), nodes=0)))
    assert not hint.lost or example.expected[next(iter(domain_named(name).questions))] is Verdict.NO
