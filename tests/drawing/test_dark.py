"""Pictures for a dark ground: light becomes dark, what could be told apart still can, and tile art is left alone."""

from __future__ import annotations

import itertools
import re

import pytest

from solvent.core.domain import Domain, Drawing
from solvent.drawing.dark import dark_colour, dark_colours, to_dark
from solvent.drawing.palette import HUES, as_hex
from solvent.registry import all_domains


def brightness(colour: str) -> float:
    """The relative luminance of WCAG."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


def test_white_becomes_dark_and_ink_light() -> None:
    assert brightness(dark_colour("#ffffff")) < 0.02
    assert brightness(dark_colour("#1b1b1b")) > 0.7
    assert contrast(dark_colour("#ffffff"), dark_colour("#1b1b1b")) >= 12
    assert dark_colour("#fff") == dark_colour("#ffffff")


def test_greys_stay_grey_and_keep_their_order_turned_around() -> None:
    greys = [dark_colour(f"#{level:02x}{level:02x}{level:02x}") for level in range(0, 256, 5)]
    assert all(max(parts) - min(parts) <= 1 for parts in ([int(g[p : p + 2], 16) for p in (1, 3, 5)] for g in greys))
    assert [brightness(g) for g in greys] == sorted((brightness(g) for g in greys), reverse=True)


def test_hues_stay_apart() -> None:
    turned = [dark_colour(as_hex(paint)) for paint in HUES.values()]
    assert len(set(turned)) == len(turned)
    for one, other in itertools.combinations(turned, 2):
        apart = sum(abs(int(one[place : place + 2], 16) - int(other[place : place + 2], 16)) for place in (1, 3, 5))
        assert apart >= 12, (one, other)


def test_symbols_are_left_alone() -> None:
    svg = '<svg><symbol id="a"><path fill="#00ff00"/></symbol><rect fill="#ffffff"/><use href="#a"/></svg>'
    assert '<path fill="#00ff00"/>' in to_dark(svg)
    assert "#ffffff" not in to_dark(svg)
    assert dark_colours([svg])["#ffffff"] == dark_colour("#ffffff")


@pytest.mark.parametrize("domain", list(all_domains()), ids=lambda domain: domain.name)
def test_no_picture_stays_a_white_slab(domain: Domain) -> None:
    """Whatever covers the whole picture is dark."""
    problem = domain.parse(domain.examples()[0].text)
    svg = domain.draw_svg(problem, Drawing(bare=True))
    grounds = re.findall(r'<rect[^>]*width="100%"[^>]*fill="(#\w+)"', to_dark(svg))
    assert all(brightness(ground) < 0.05 for ground in grounds)
    assert to_dark(svg) != svg
