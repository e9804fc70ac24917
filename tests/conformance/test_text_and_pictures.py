"""Round trips and pictures, for examples and generated instances."""

from __future__ import annotations

import pytest

import solvent
from conformance.cases import answer_of, generated, some_problems
from conformance.promises import (
    assert_kept,
    assert_portable_picture,
    assert_round_trips,
    assert_safe_picture,
    written,
)
from helpers.examples import domain_named, examples_of, load_example
from solvent.core.domain import Domain, Drawing
from solvent.core.errors import BadOption


def test_every_promise_holds_for_examples_and_generated_instances(domain: Domain):
    for problem in some_problems(domain.name):
        assert_kept(domain, problem)


def test_solvent_format_and_parse_undo_each_other(domain: Domain):
    for problem in some_problems(domain.name):
        for _, text in written(domain, problem):
            assert solvent.parse(text) == problem, "the format must be recognised too"


def test_problems_cannot_be_changed_and_can_be_kept_in_sets(domain: Domain):
    problems = some_problems(domain.name)
    assert len(set(problems)) <= len(problems)
    field = next(iter(type(problems[0]).__dataclass_fields__))
    with pytest.raises(AttributeError):
        setattr(problems[0], field, None)


def test_colour_only_adds_colour(domain: Domain):
    import re

    for problem in some_problems(domain.name):
        plain = domain.draw_text(problem, Drawing(colour=False))
        coloured = domain.draw_text(problem, Drawing(colour=True))
        assert "\x1b" not in plain
        assert plain.split()
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split()


def test_generates_the_same_for_a_seed_and_others_for_others(domain: Domain):
    if domain.generator is None:
        pytest.skip(f"{domain.name} has no generator")
    assert generated(domain.name, 1) == solvent.generate(domain.name, seed=1)
    made = [solvent.generate(domain.name, seed=seed) for seed in range(5)]
    assert len(set(made)) > 1
    for problem in made:
        assert_round_trips(domain, problem)


def test_generator_refuses_what_is_out_of_range(domain: Domain):
    if domain.generator is None:
        pytest.skip(f"{domain.name} has no generator")
    tried = 0
    for option in domain.generator.options:
        if option.minimum is not None:
            tried += 1
            with pytest.raises(BadOption, match=option.name):
                solvent.generate(domain.name, **{option.name: option.type(option.minimum) - 1})
        if option.maximum is not None:
            tried += 1
            with pytest.raises(BadOption, match=option.name):
                solvent.generate(domain.name, **{option.name: option.type(option.maximum) + 1})
    assert tried


def test_domain_objects_hold_no_state_between_calls(domain: Domain):
    assert domain_named(domain.name) is domain
    with pytest.raises(AttributeError, match="immutable"):
        domain.name = "other"  # type: ignore[misc]


def test_a_bare_picture_has_no_more_in_it_and_is_safe(domain: Domain):
    for problem in some_problems(domain.name):
        bare = domain.draw_svg(problem, Drawing(bare=True))
        assert_safe_picture(bare)
        assert len(bare) <= len(domain.draw_svg(problem, Drawing()))


def test_pictures_look_alike_wherever_they_are_shown(domain: Domain):
    for problem in some_problems(domain.name):
        for view in (None, *domain.views):
            assert_portable_picture(domain.draw_svg(problem, Drawing(view=view)))
    for example in examples_of(domain.name):
        for question in domain.questions:
            certificate = answer_of(domain.name, example.name, question).certificate
            problem = load_example(domain.name, example.name)
            assert_portable_picture(domain.draw_svg(problem, Drawing(certificate=certificate)))
