"""Whatever text arrives, it is a clean error or a problem that works everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvent
from conformance.cases import NAMES
from conformance.promises import assert_can_be_asked, assert_kept
from helpers.depth import up_to
from helpers.examples import domain_named, examples_of
from solvent.core.domain import Domain
from solvent.core.errors import ParseError
from solvent.core.examples import Example

HOSTILE = {
    "empty": "",
    "blank": " \t\n\r\n \x0b\x0c",
    "zero bytes": "\0\0\0",
    "binary": "".join(map(chr, range(256))),
    "one letter, a million times": "A" * 1_000_000,
    "a million lines": "\n" * 1_000_000,
    "deep JSON": "[" * 100_000,
    "deep JSON objects": '{"a":' * 100_000,
    "unicode soup": "𝟙²½٣\u202e\u2028\u0301🎲\ufeff\u200b",
    "lone surrogates": "\ud800 \udfff",
    "huge numbers": "9" * 5_000 + " " + "-1e999",
    "not a number": "NaN Infinity -0",
    "a web page": "<svg onload=alert(1)><script>alert(2)</script></svg>",
}
DIGITS = ("0", "-1", "99999999999999999999", "1e9", "٣", "½")


def read_or_refuse(domain: Domain, text: str) -> None:
    """Parse; a refusal is a ParseError that says something, and what is accepted works."""
    assert domain.sniff(text) in (True, False)
    try:
        problem = domain.parse(text)
    except ParseError as error:
        assert_helpful(error, text)
    else:
        assert_kept(domain, problem)


def assert_helpful(error: ParseError, text: str) -> None:
    assert "expected" in str(error)
    assert len(str(error)) < 1000, "a message is for people"
    assert error.line is None or 1 <= error.line <= len(text.splitlines()) + 1
    assert error.column is None or error.column >= 1


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused(domain: Domain, text: str):
    read_or_refuse(domain, text)
    with pytest.raises(ParseError):
        solvent.parse(text)


@pytest.mark.parametrize("tail", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_tail_after_a_good_beginning(domain: Domain, tail: str):
    text = examples_of(domain.name)[0].text
    read_or_refuse(domain, text + tail)
    read_or_refuse(domain, text[: len(text) // 2] + tail)


def test_every_beginning_of_an_example(name: str, example: Example):
    step = max(1, len(example.text) // up_to(60, deep=200))
    for end in range(0, len(example.text), step):
        read_or_refuse(domain_named(name), example.text[:end])


def test_odd_numbers_in_place_of_each_number(name: str, example: Example):
    import re

    for found in list(re.finditer(r"\d+", example.text))[: up_to(6, deep=20)]:
        for digits in DIGITS:
            read_or_refuse(domain_named(name), example.text[: found.start()] + digits + example.text[found.end() :])


@pytest.mark.parametrize("newline", ["\r\n", "\n\n", "  \n"])
def test_line_ends_of_other_systems(name: str, example: Example, newline: str):
    read_or_refuse(domain_named(name), example.text.replace("\n", newline))


@st.composite
def edited_texts(draw: st.DrawFn, name: str) -> str:
    """Draw the text of one of a domain's examples with a few edits."""
    text = draw(st.sampled_from([example.text for example in examples_of(name)]))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        edit = draw(st.sampled_from(["insert", "delete", "replace", "drop line", "double line", "swap lines"]))
        if edit == "insert":
            text = text[:start] + draw(st.one_of(st.text(max_size=3), st.sampled_from(DIGITS))) + text[start:]
        elif edit == "delete":
            text = text[:start] + text[start + draw(st.integers(1, 5)) :]
        elif edit == "replace":
            text = text[:start] + draw(st.characters()) + text[start + 1 :]
        else:
            lines = text.split("\n")
            at = draw(st.integers(0, len(lines) - 1))
            if edit == "drop line":
                del lines[at]
            elif edit == "double line":
                lines.insert(at, lines[at])
            else:
                other = draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            text = "\n".join(lines)
    return text


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_edited_examples(name: str, data: st.DataObject):
    read_or_refuse(domain_named(name), data.draw(edited_texts(name)))


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=200))
def test_any_text(name: str, text: str):
    read_or_refuse(domain_named(name), text)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_what_is_accepted_can_be_asked(name: str, data: st.DataObject):
    domain = domain_named(name)
    try:
        problem = domain.parse(data.draw(edited_texts(name)))
    except ParseError:
        return
    assert_can_be_asked(domain, problem, nodes=20)
