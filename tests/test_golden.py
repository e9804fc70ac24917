"""The answers to the bundled examples, byte for byte as they were last looked at."""

from __future__ import annotations

import pytest

import solvent
from golden import golden_answers, golden_folder, golden_text
from solvent.core.examples import Example
from solvent.registry import BUILTIN_DOMAINS, get_domain

EXAMPLES = [(domain, example) for domain in BUILTIN_DOMAINS for example in get_domain(domain).examples()]
each_example = pytest.mark.parametrize(
    ("domain", "example"), EXAMPLES, ids=[f"{domain}-{example.name}" for domain, example in EXAMPLES]
)


@pytest.mark.parametrize("domain", BUILTIN_DOMAINS)
def test_there_is_one_golden_file_for_each_example(domain: str):
    names = {example.name for example in get_domain(domain).examples()}
    assert {path.stem for path in golden_folder(domain).glob("*.json")} == names


@each_example
def test_the_answers_are_the_golden_ones(domain: str, example: Example):
    text = (golden_folder(domain) / f"{example.name}.json").read_text(encoding="utf-8")
    assert golden_text(domain, example) == text


@each_example
def test_the_golden_certificates_are_right(domain: str, example: Example):
    """An old certificate stays good: anyone may have kept one."""
    problem = solvent.parse(example.text)
    told = golden_answers(domain, example.name)
    for question, verdict in example.expected.items():
        assert told[question]["verdict"] == verdict.value
        solvent.check(problem, told[question]["certificate"])
