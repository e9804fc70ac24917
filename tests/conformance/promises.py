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

PORTABLE_ELEMENTS = {
    *("svg", "title", "desc", "defs", "g", "rect", "circle", "path", "polygon", "line"),
    *("text", "use", "symbol", "pattern", "clipPath"),
}
PORTABLE_ATTRIBUTES = {
    *(
        "width",
        "height",
        "viewBox",
        "overflow",
        "role",
        "id",
        "class",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "d",
    ),
    *("points", "transform", "href", "clip-path", "patternUnits", "patternTransform", "opacity", "shape-rendering"),
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"),
    *("stroke-linecap", "stroke-linejoin", "font-family", "font-size", "font-weight", "font-style", "text-anchor"),
}


_kept: set[tuple[str, str]] = set()
"""What was checked already: most edits of a text leave the same problem, and drawing it again finds out nothing."""


def assert_kept(domain: Domain, problem: Any) -> None:
    """Check that the problem can be written, read back, pasted and drawn."""
    if (domain.name, repr(problem)) in _kept:
        return
    assert_round_trips(domain, problem)
    assert_repr_pastes_back(problem)
    assert str(problem).strip()
    assert_safe_picture(domain.draw_svg(problem, Drawing()))
    assert domain.draw_text(problem, Drawing(colour=True)).strip()
    _kept.add((domain.name, repr(problem)))


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


def assert_portable_picture(svg: str) -> None:
    """Check that browsers, librsvg, CairoSVG and Inkscape draw a picture alike.

    Only elements and attributes that all of them know are allowed: no style sheets, no properties of CSS alone, no
    baselines or lengths of texts, no order of painting, no colours but `#RRGGBB` and names. Texts name a font that
    every machine can replace.
    """
    root = ElementTree.fromstring(svg)
    assert (root.get("font-family") or "").endswith("sans-serif")
    assert root.get("viewBox"), "a picture must be scalable"
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in PORTABLE_ELEMENTS, element.tag
        for name, value in element.attrib.items():
            assert name in PORTABLE_ATTRIBUTES or name.startswith(("aria-", "data-")), f"{name}={value}"
            assert not re.search(r"var\(|calc\(|rgba|hsl|currentColor|%|\b(?:em|rem|vw)\b", value) or name.startswith(
                "aria-"
            ), f"{name}={value}"
            if name in ("fill", "stroke"):
                assert re.fullmatch(r"#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|none|[a-z]+|url\(#[\w-]+\)", value), value


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
