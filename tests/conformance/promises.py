"""What must hold for every problem that `parse` accepted or `generate` made, however odd it looks."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import solvent
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.domain import Domain, Drawing
from solvent.core.errors import BadOption

SVG = "{http://www.w3.org/2000/svg}"
ACTIVE_ELEMENTS = {"script", "foreignObject", "iframe", "image", "animate", "set"}


def assert_kept(domain: Domain, problem: Any) -> None:
    """Check that the problem can be written, read back, pasted and drawn."""
    assert_round_trips(domain, problem)
    assert_repr_pastes_back(problem)
    assert str(problem).strip()
    assert_safe_picture(domain.draw_svg(problem, Drawing()))
    assert domain.draw_text(problem, Drawing(colour=True)).strip()


def written(domain: Domain, problem: Any) -> Iterator[tuple[str, str]]:
    """Yield each format and the problem in it; all but the first may refuse what they cannot hold, saying so."""
    for number, format in enumerate(domain.formats):
        try:
            text = solvent.format(problem, format)
        except BadOption:
            if number == 0:
                raise
            continue
        yield format, text


def assert_round_trips(domain: Domain, problem: Any) -> None:
    for format, text in written(domain, problem):
        assert domain.sniff(text), f"{format}: not recognised by its own domain: {text!r}"
        assert domain.parse(text) == problem, f"{format}: {text!r}"


def assert_repr_pastes_back(problem: Any) -> None:
    # The names of the model's module are what a user has after `from ... import *`.
    names = vars(sys.modules[type(problem).__module__])
    assert eval(repr(problem), dict(names)) == problem


def assert_safe_picture(svg: str) -> None:
    """Check that it is one well-formed SVG picture that runs nothing and fetches nothing."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    for element in root.iter():
        assert element.tag.startswith(SVG), f"not an SVG element: {element.tag}"
        assert element.tag.removeprefix(SVG) not in ACTIVE_ELEMENTS
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on"), f"{name} would run a script"
            if name.rpartition("}")[2] in ("href", "src"):
                assert value.startswith("#"), f"{name} points outside the picture: {value}"
            assert_local(value)
        assert_local(element.text or "" if element.tag == f"{SVG}style" else "")


def assert_local(value: str) -> None:
    assert "@import" not in value
    for target in re.findall(r"url\(\s*['\"]?([^)]*)", value):
        assert target.startswith("#"), f"points outside the picture: {target}"


def assert_can_be_asked(domain: Domain, problem: Any, *, nodes: int) -> None:
    """Check that every question gives a finding, whatever it is."""
    from solvent import asking

    for question in domain.questions:
        answer = asking.ask(problem, question, budget=Budget(nodes=nodes))
        assert answer.verdict in Verdict
        assert answer.certified or answer.verdict is Verdict.UNKNOWN
