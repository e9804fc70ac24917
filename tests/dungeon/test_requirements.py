"""The language of requirements: what it says, what it refuses and where, and that everything can be written in it."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dungeon.requirement_strategies import requirements
from solvent.core.errors import ParseError
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements import (
    MAX_DEPTH,
    atoms_of,
    depth_of,
    describe_requirement,
    format_requirement,
    parse_requirement,
    read_requirement,
    tidy_requirement,
)

BOW, LAMP, TORCH = Have("item", "bow"), Have("item", "lamp"), Have("item", "torch")
TWO_BOMBS = Have("bombs", "", 2)
WORDS = (
    "bow and or not is key keys bomb bombs item switch cleared always never of 3 02 red ' - \" ( ) & | ! >= > < = != #"
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("bow", BOW),
        ("bow | bomb >= 2 & lamp", AnyOf((BOW, AllOf((TWO_BOMBS, LAMP))))),
        ("bow or 2 bombs and lamp", AnyOf((BOW, AllOf((TWO_BOMBS, LAMP))))),
        ("(bow || bombs>1) && lamp", AllOf((AnyOf((BOW, TWO_BOMBS)), LAMP))),
        ("bow | (lamp | torch)", AnyOf((BOW, LAMP, TORCH))),
        ("!torch", Not(TORCH)),
        ("not torch", Not(TORCH)),
        ("NOT (torch)", Not(TORCH)),
        ("torch < 2", Not(Have("item", "torch", 2))),
        ("torch <= 1", Not(Have("item", "torch", 2))),
        ("torch ≥ 9999", Have("item", "torch", 9999)),
        ("torch = 2", AllOf((Have("item", "torch", 2), Not(Have("item", "torch", 3))))),
        ("torch = 0", Not(TORCH)),
        ("torch != 0", TORCH),
        ("torch >= 0", AllOf(())),
        ("torch < 0", AnyOf(())),
        ("3 of medallion", Have("item", "medallion", 3)),
        ("3 star piece", Have("item", "star piece", 3)),
        ("key", Have("key")),
        ("keys >= 2", Have("key", "", 2)),
        ("2 red keys", Have("key", "red", 2)),
        ("boss key", Have("key", "boss")),
        ('"boss key"', Have("item", "boss key")),
        ("item boss key", Have("item", "boss key")),
        ("item", Have("item", "item")),
        (
            '"sword and shield" & "3 stones" >= 2',
            AllOf((Have("item", "sword and shield"), Have("item", "3 stones", 2))),
        ),
        ("switch gate", SwitchAt("gate")),
        ("switch water is low", SwitchAt("water", "low")),
        ("switch the tide = half out | bow", AnyOf((SwitchAt("the tide", "half out"), BOW))),
        ("switch water is not low", Not(SwitchAt("water", "low"))),
        ("switch water != low", Not(SwitchAt("water", "low"))),
        ("cleared den", Cleared("den")),
        ("always", AllOf(())),
        ("never", AnyOf(())),
    ],
)
def test_what_texts_say(text: str, rule: Requirement):
    assert parse_requirement(text) == rule
    assert parse_requirement(format_requirement(rule)) == rule


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (AnyOf((BOW, AllOf((TWO_BOMBS, LAMP)))), "the bow, or 2 bombs and the lamp"),
        (AllOf((LAMP, AnyOf((BOW, TORCH)))), "the lamp and either the bow or the torch"),
        (Have("item", "medallion", 3), "3 medallions"),
        (Not(Have("item", "medallion", 3)), "fewer than 3 medallions"),
        (Not(TORCH), "no torch"),
        (Not(Have("key")), "no key"),
        (Have("key", "orange"), "an orange key"),
        (SwitchAt("gate"), "the switch gate on"),
        (SwitchAt("water", "low"), "the switch water at low"),
        (Cleared("den"), "the room den cleared"),
        (AnyOf((BOW, LAMP, TORCH)), "the bow, the lamp or the torch"),
        (Have("item", "torch", 2), "2 torches"),
        (Have("item", "ruby", 2), "2 rubies"),
        (Have("item", "Gem A", 2), "2 of the Gem A"),
    ],
)
def test_words_for_people(rule: Requirement, words: str):
    assert describe_requirement(rule) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(coin >= 3 or not torch) and 2 of coin", "2 coins and either 3 coins or no torch"),
        ("(bow | lamp) & coin & torch", "the coin and the torch, and either the bow or the lamp"),
        ("(bow | lamp) & (coin | torch)", "either the bow or the lamp, and either the coin or the torch"),
        ("bow | lamp & torch & (coin | rope)", "the bow, or (the lamp and the torch, and either the coin or the rope)"),
        ("coin | 3 of coin & lamp", "a coin, or 3 coins and the lamp"),
        ("coin < 3 & coin >= 2", "exactly 2 coins"),
        ("coin < 5 & coin >= 2 & lamp", "2 to 4 coins and the lamp"),
        ("coin = 1", "exactly 1 coin"),
        ("bow & lamp | bow & coin | lamp & coin", "2 of bow, coin and lamp"),
        ("torch & (bow & lamp | bow & coin | lamp & coin)", "the torch and (2 of bow, coin and lamp)"),
        ("bow & lamp | bow & coin", "the bow and the lamp, or the bow and the coin"),
        ("coin >= 3 & coin < 2", "3 coins and fewer than 2 coins"),
        ("coin >= 2 & coin >= 3 & coin < 5", "2 coins, 3 coins and fewer than 5 coins"),
    ],
)
def test_words_for_people_can_be_read_in_one_way_only(text: str, words: str):
    assert describe_requirement(parse_requirement(text)) == words


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("", "a requirement", 1),
        ("bow &", "a requirement", 6),
        ("bow & # lamp", "a requirement", 7),
        ("bow lamp)", "& or | before what follows", 9),
        ("(bow | lamp", "a closing parenthesis", 12),
        ("bow >= many", "a number from 0 to 9999", 8),
        ("bow > 9999", "a number from 0 to 9998", 7),
        ("bow >= 99999999999999999999", "a number", 8),
        ('"bow', "a closing quote", 1),
        ('"b_w"', "the name of an item", 1),
        ('old "bow"', "in quotes as a whole", 1),
        ("switch water is", "a state of the switch water", 16),
        ("2 bombs > 3", "not both", 9),
        ("!" * 60 + "bow", "nested at most 50 deep", 51),
        ("(" * 60 + "bow", "nested at most 50 deep", 51),
        (" & ".join(["bow"] * 600), "at most 500 things", 3001),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, expected: str, column: int):
    with pytest.raises(ParseError, match=expected.replace("|", r"\|")) as caught:
        parse_requirement(text)
    assert caught.value.column == column


def test_a_name_in_parentheses_may_follow():
    text = "bow & (lamp | torch) (north door #2)"
    rule, end = read_requirement(text)
    assert rule == AllOf((BOW, AnyOf((LAMP, TORCH))))
    assert text[end:] == "(north door #2)"
    with pytest.raises(ParseError, match="& or"):
        parse_requirement(text)


def test_texts_nested_too_deep_by_both_signs_are_refused():
    text = "a"
    for _ in range(MAX_DEPTH - 1):
        text = f"b & (c | {text})"
    with pytest.raises(ParseError, match="nested"):
        parse_requirement(text)


@given(requirements())
@example(AllOf((Have("item", "not"), Have("key", "red and"), SwitchAt("is", "is not"), Cleared("or x"))))
@example(AllOf((AllOf((BOW,)), AnyOf(()), AnyOf((AllOf(()),)))))
def test_every_requirement_survives_writing(rule: Requirement):
    text = format_requirement(tidy_requirement(rule))
    assert parse_requirement(text) == tidy_requirement(rule)
    assert format_requirement(parse_requirement(text)) == text
    assert list(atoms_of(rule)) == list(atoms_of(tidy_requirement(rule)))
    assert depth_of(tidy_requirement(rule)) <= depth_of(rule)
    assert describe_requirement(rule)


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS.split()), max_size=20).map(" ".join)))
def test_any_text_is_read_or_refused(text: str):
    with contextlib.suppress(ParseError):
        rule = parse_requirement(text)
        assert parse_requirement(format_requirement(rule)) == rule
