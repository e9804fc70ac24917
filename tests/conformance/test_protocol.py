"""A domain has the parts the protocol names, and they are what they say."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping, Sequence
from typing import get_args

import pytest

import solvent
from conformance.cases import settled
from helpers.examples import TEMPLATE, examples_of
from solvent.core.answer import Verdict
from solvent.core.domain import Domain, Option, OptionKind
from solvent.core.errors import BadOption
from solvent.registry import all_domains, get_domain

ONE_WORD = re.compile(r"[a-z][a-z0-9]*")


def test_has_every_part_of_the_protocol(domain: Domain):
    assert type(domain) is Domain, "every slot stands in Domain; there are no others"


def test_is_registered_under_its_own_name(domain: Domain):
    assert ONE_WORD.fullmatch(domain.name)
    assert get_domain(domain.name) is domain
    assert domain.name in solvent.domains()
    assert domain in list(all_domains())


def test_describes_itself_in_one_line_each(domain: Domain):
    for texts in ([domain.title], [question.text for question in domain.questions.values()], domain.formats.values()):
        assert texts
        for text in texts:
            assert text.strip() == text != ""
            assert "\n" not in text


def test_names_are_words_a_command_can_take(domain: Domain):
    for mapping in (domain.questions, domain.formats):
        assert isinstance(mapping, Mapping)
        assert all(re.fullmatch(r"[a-z][a-z0-9-]*", name) for name in mapping)


def test_options_accept_their_own_defaults(domain: Domain):
    options: list[Option] = [option for kind in get_args(OptionKind) for option in domain.options(kind)]
    assert set(domain.solve_options) <= set(options)
    for option in options:
        assert option.name.isidentifier()
        assert not keyword.iskeyword(option.name)
        assert option.help
        assert option.accept(option.default) == option.default


def test_unknown_names_are_bad_options(domain: Domain):
    problem = domain.parse(domain.examples()[0].text)
    with pytest.raises(BadOption, match="riddle"):
        solvent.ask(problem, "riddle")
    with pytest.raises(BadOption, match="riddle"):
        solvent.ask(problem, riddle=1)
    with pytest.raises(BadOption, match="riddle"):
        solvent.format(problem, "riddle")


def test_optional_parts_are_there_or_politely_refused(domain: Domain):
    problem = domain.parse(domain.examples()[0].text)
    if domain.hints is None:
        with pytest.raises(BadOption, match="no hints"):
            list(solvent.hints(problem))
    if domain.generator is None:
        with pytest.raises(BadOption, match="no generator"):
            solvent.generate(domain.name)
    else:
        with pytest.raises(BadOption, match="riddle"):
            solvent.generate(domain.name, riddle=1)


def test_has_examples_of_both_verdicts(domain: Domain):
    examples = examples_of(domain.name)
    assert isinstance(examples, Sequence)
    assert len(examples) >= 3
    names = [example.name for example in examples]
    assert len(set(names)) == len(names)
    assert settled(domain.name, Verdict.YES)
    assert settled(domain.name, Verdict.NO)


def test_the_template_is_among_the_domains_under_test(domain: Domain):
    # Guards the fixture: without it, load and ask would not see the template and this folder would test too little.
    assert get_domain(TEMPLATE).name == TEMPLATE
