"""What a run asks, what it may cost, and the key of an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solvent.batch.settings import (
    Limits,
    Settings,
    answer_key,
    instance_hash,
    resolve_options,
    resolve_questions,
)
from solvent.core.budget import Budget
from solvent.core.errors import BadOption
from solvent.registry import get_domain

BASE = Settings(questions=("solvable",), limits=Limits(seconds=5))


def key(settings: Settings = BASE, **facts: str) -> str:
    given = {"instance": "abc", "domain": "harmony", "question": "solvable", "solver": "1+x"} | facts
    return answer_key(settings, **given)


def test_the_key_is_the_same_for_the_same():
    assert key() == key(Settings(questions=("solvable",), limits=Limits(seconds=5)))


@pytest.mark.parametrize("facts", [{"instance": "abd"}, {"question": "unique"}, {"solver": "1+y"}])
def test_another_instance_question_or_solver_is_another_key(facts: dict[str, str]):
    assert key(**facts) != key()


@pytest.mark.parametrize(
    "settings",
    [
        replace(BASE, limits=Limits(seconds=6)),
        replace(BASE, limits=Limits(seconds=5, nodes=10)),
        replace(BASE, limits=Limits(seconds=5, megabytes=10)),
        replace(BASE, proof=False),
        replace(BASE, options={"harmony": {"solver": "dfs"}}),
    ],
)
def test_other_limits_or_options_are_another_key(settings: Settings):
    assert key(settings) != key()


def test_hard_limits_and_the_options_of_others_do_not_matter():
    assert key(replace(BASE, limits=Limits(seconds=5, kill_after=50, kill_above=100))) == key()
    assert key(replace(BASE, options={"starbattle": {"explain": True}})) == key()
    assert key(replace(BASE, questions=("solvable", "unique"))) == key()


def test_a_limit_is_the_same_however_it_is_written():
    assert key(replace(BASE, limits=Limits(seconds=5.0))) == key()
    one, other = (replace(BASE, limits=Limits(megabytes=megabytes)) for megabytes in (100, 100.0))
    assert key(one) == key(other)


def test_the_hash_tells_domains_apart():
    assert instance_hash("a", "text") != instance_hash("b", "text")
    assert instance_hash("a", "text") != instance_hash("a", "text ")


def test_the_hard_limit_lies_beyond_the_soft_one():
    assert Limits(seconds=5).hard_seconds() == 20
    assert Limits(seconds=5, kill_after=7).hard_seconds() == 7
    assert Limits(seconds=None, nodes=10).hard_seconds() == 600
    assert Limits(kill_above=300).hard_megabytes(4) == 300
    assert Limits().hard_megabytes(4) == pytest.approx(Limits().hard_megabytes(2) / 2)
    assert Limits(seconds=5, nodes=7).budget() == Budget(seconds=5, nodes=7)


@pytest.mark.parametrize("limits", [{"seconds": -1}, {"nodes": -1}, {"kill_after": 0}, {"kill_above": -3}])
def test_limits_that_make_no_sense_are_refused(limits: dict[str, float]):
    with pytest.raises(BadOption):
        Limits(**limits)


def test_questions_are_asked_where_the_domain_has_them():
    settings = Settings(questions=("unique", "solvable"))
    assert settings.questions_for(get_domain("starbattle")) == ("unique", "solvable")
    assert settings.questions_for(get_domain("harmony")) == ("solvable",)
    assert Settings(questions=("unique",)).questions_for(get_domain("harmony")) == ()
    assert Settings().questions_for(get_domain("starbattle")) == ("solvable",)


def test_questions_are_given_in_words():
    assert resolve_questions(None) == ()
    assert resolve_questions("unique, solvable,unique") == ("unique", "solvable")
    assert resolve_questions(["losable"]) == ("losable",)
    assert {"solvable", "unique", "losable", "partial"} <= set(resolve_questions("all"))
    with pytest.raises(BadOption, match=r"unknown question .winnable.; there are: solvable.*all"):
        resolve_questions("solvable,winnable")


def test_an_option_goes_to_each_domain_that_has_it_and_takes_the_value():
    assert resolve_options({"explain": "true"}) == {"starbattle": {"explain": True}}
    assert resolve_options({"macros": False}) == {"dungeon": {"macros": False}}
    assert resolve_options({"solver": "dfs"}) == {"harmony": {"solver": "dfs"}} | {
        name: {"solver": "dfs"} for name in resolve_options({"solver": "dfs"}) if name != "harmony"
    }
    with pytest.raises(BadOption, match="unknown option 'sollver'"):
        resolve_options({"sollver": "dfs"})
    with pytest.raises(BadOption):
        resolve_options({"explain": "perhaps"})


def test_settings_are_kept_as_plain_values():
    kept = replace(BASE, options={"harmony": {"solver": "dfs"}}, rules={"bombs": "4"}).as_json()
    assert kept["seconds"] == 5
    assert kept["questions"] == ["solvable"]
    assert kept["options"] == {"harmony": {"solver": "dfs"}}
    assert kept["rules"] == {"bombs": "4"}
