"""Paints: reading and writing, mixing, and ink and heat that people can tell apart."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from helpers.colour_blindness import SIGHTS, difference
from solvent.drawing.palette import (
    BLUE,
    GOLD,
    HUES,
    INK,
    WHITE,
    Paint,
    as_hex,
    choose_paints,
    from_digits,
    from_lab,
    heat_paint,
    ink_on,
    mix,
    relative_luminance,
)

BLACK: Paint = (0, 0, 0)
PAINTS: list[Paint] = [(red, green, blue) for red in (0, 90, 255) for green in (0, 130, 255) for blue in (0, 170, 255)]


@pytest.mark.parametrize("paint", PAINTS)
def test_what_is_written_reads_back(paint: Paint):
    assert from_digits(as_hex(paint).removeprefix("#")) == paint
    assert as_hex(paint).upper() == as_hex(paint)


def test_mixing():
    assert mix(BLACK, WHITE, 0) == BLACK
    assert mix(BLACK, WHITE, 1) == WHITE
    assert mix((10, 100, 200), (30, 0, 200), 0.25) == (15, 75, 200)


def test_luminance():
    assert (relative_luminance(BLACK), relative_luminance(WHITE)) == (0, pytest.approx(1))
    # Middle grey, worked out from the definition in the Web Content Accessibility Guidelines 2.1.
    assert relative_luminance((128, 128, 128)) == pytest.approx(0.2158605)
    assert relative_luminance((255, 0, 0)) < relative_luminance((0, 255, 0))


@pytest.mark.parametrize("paint", PAINTS)
def test_ink_is_the_one_that_reads_better(paint: Paint):
    def contrast(ink: Paint) -> float:
        darker, lighter = sorted((relative_luminance(paint), relative_luminance(ink)))
        return (lighter + 0.05) / (darker + 0.05)

    assert contrast(ink_on(paint)) == max(contrast(INK), contrast(WHITE)) >= 4


def test_places_of_the_colour_space():
    assert from_lab(0, 0, 0) == BLACK
    assert from_lab(100, 0, 0) == WHITE
    red, green, blue = from_lab(50, 0, 0)
    assert max(red, green, blue) - min(red, green, blue) <= 1, "without a and b it is grey"
    assert from_lab(53.24, 80.09, 67.2) == (255, 0, 0), "red, as CIE 1976 places it"
    assert from_lab(50, 500, 0)[1:] != from_lab(50, 0, 0)[1:]
    assert all(0 <= part <= 255 for part in from_lab(50, 500, -500)), "what no screen shows is clipped"


def test_heat_grows_darker_all_the_way():
    light = [relative_luminance(heat_paint(step / 20)) for step in range(21)]
    assert all(hotter < cooler for cooler, hotter in pairwise(light))


# choosing paints


def test_paints_follow_names_and_differ_while_there_are_enough():
    red, unnamed, dark, light = choose_paints(["RED", "Q", "DKRED", "LIGHT_RED"])
    assert relative_luminance(dark) < relative_luminance(red) < relative_luminance(light)
    assert unnamed not in (red, dark, light)
    assert len(set(choose_paints([f"Q{number}" for number in range(26)]))) == 26


@pytest.mark.parametrize("sight", SIGHTS)
def test_paints_stay_apart_for_every_kind_of_sight(sight: str):
    paints = choose_paints(list(HUES))
    assert len(paints) == 26
    assert min(difference(a, b, sight) for a, b in combinations(paints[:8], 2)) >= 19
    assert min(difference(a, b, sight) for a, b in combinations(paints, 2)) >= 8


def test_ink_can_be_read_on_every_paint():
    for paint in choose_paints(list(HUES)):
        lighter, darker = sorted((relative_luminance(paint), relative_luminance(ink_on(paint))), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4


def test_names_are_read_in_capitals_and_small_letters_alike():
    assert choose_paints(["red", "Gold"]) == [HUES["RED"], HUES["GOLD"]]


@pytest.mark.parametrize("sight", SIGHTS)
def test_what_to_look_at_and_what_was_found_stay_apart(sight: str):
    assert min(difference(a, b, sight) for a, b in combinations((BLUE, GOLD, INK), 2)) >= 25


@pytest.mark.parametrize("sight", SIGHTS)
def test_heat_stays_apart(sight: str):
    for one, other in combinations([heat_paint(step / 8) for step in range(9)], 2):
        assert difference(one, other, sight) >= 7
