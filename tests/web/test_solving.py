"""Solving as something that is noticed: time, hints used, a quiet celebration, marks in the gallery, what is next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from helpers.browser import expect, go_to_example, needs_browser

pytestmark = needs_browser

BOARD = ".board .cell"


def swap(page: Any, one: str, other: str, *, touch: bool = False) -> None:
    for name in (one, other):
        cell = page.locator(f".stage:visible .cell[data-cell={name}]")
        cell.tap() if touch else cell.click()


def solve_first_board(page: Any, *, touch: bool = False) -> None:
    swap(page, "A1", "B1", touch=touch)
    expect(page.locator(".swap-count")).to_contain_text("1 swap made")
    swap(page, "A2", "B2", touch=touch)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_board_solved_on_a_phone_with_two_hints_is_celebrated_and_marked(phone: Any, scheme: str) -> None:
    phone.emulate_media(color_scheme=scheme)
    go_to_example(phone, "harmony", "first_swaps", BOARD)
    expect(phone.get_by_role("timer")).to_be_visible()
    phone.get_by_role("button", name="Hint", exact=True).tap()
    phone.get_by_role("button", name="Swap them").tap()
    expect(phone.locator(".swap-count")).to_contain_text("1 swap made")
    phone.get_by_role("button", name="Hint", exact=True).tap()
    phone.get_by_role("button", name="Swap them").tap()
    card = phone.locator(".solved-card")
    expect(card).to_contain_text("2 swaps · 2 hints used")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.reload()
    phone.wait_for_selector(BOARD)
    expect(phone.locator(".solve-session")).to_contain_text("2 hints used")
    assert phone.locator(".solved-card").count() == 0, "it was celebrated already"
    phone.goto("#/")
    mark = phone.locator(".example", has_text="A first board").locator(".solved-mark")
    expect(mark).to_contain_text("solved in")


@pytest.mark.slow
def test_what_is_next_is_the_first_that_is_unsolved(page: Any) -> None:
    go_to_example(page, "harmony", "first_swaps", BOARD)
    solve_first_board(page)
    page.get_by_role("button", name="Share result").click()
    expect(page.locator("#notices")).to_contain_text("The result is copied")
    shared = page.evaluate("navigator.clipboard.readText()")
    assert shared.startswith("A first board: solved in 0:")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("3×3, six swaps")
    page.goto(shared.splitlines()[1])
    expect(page.get_by_role("heading", level=1)).to_have_text("A first board")
    expect(page.locator(".swap-count")).to_contain_text("0 swaps made")


@pytest.mark.slow
def test_a_solution_that_was_shown_does_not_count(page: Any) -> None:
    go_to_example(page, "harmony", "first_swaps", BOARD)
    page.get_by_role("button", name="Solvable?").click()
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Close").first.click()
    page.get_by_role("button", name="Hide time").click()
    solve_first_board(page)
    expect(page.locator(".solved-card")).to_contain_text("does not count")
    page.goto("#/")
    page.wait_for_selector(".example")
    assert page.locator(".solved-mark").count() == 0
    go_to_example(page, "harmony", "first_swaps", BOARD)
    expect(page.get_by_role("button", name="Show time")).to_be_visible()


@pytest.mark.slow
def test_on_a_phone_trouble_is_seen_where_the_board_fills_the_screen(phone: Any) -> None:
    go_to_example(phone, "harmony", "first_swaps", BOARD)
    phone.context.set_offline(True)
    swap(phone, "A1", "B1", touch=True)
    trouble = phone.locator(".card.trouble")
    expect(trouble).to_contain_text("The server cannot be reached")
    expect(trouble).to_be_in_viewport(ratio=0.99)
    phone.context.set_offline(False)
    phone.locator(".stage:visible .cell[data-cell=B1]").tap()  # A1 is picked still
    expect(phone.locator(".swap-count")).to_contain_text("1 swap made")
    expect(trouble).to_have_count(0)
    phone.trouble.clear()  # the browser says itself that it was offline


@pytest.mark.slow
def test_a_game_that_was_loaded_again_can_be_started_over(page: Any) -> None:
    go_to_example(page, "harmony", "first_swaps", BOARD)
    swap(page, "A1", "B1")
    expect(page.locator(".swap-count")).to_contain_text("1 swap made")
    page.wait_for_url("**/#/at/harmony/**")
    page.reload()
    expect(page.locator(".swap-count")).to_contain_text("1 swap made · 1 left")
    page.get_by_role("button", name="Start over").click()
    expect(page.locator(".swap-count")).to_contain_text("0 swaps made · 2 left")


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_nothing_drifts_for_people_who_asked_for_less_motion(page: Any, wish: str) -> None:
    page.emulate_media(reduced_motion=wish)
    go_to_example(page, "harmony", "first_swaps", BOARD)
    solve_first_board(page)
    page.wait_for_selector(".stage.celebrated")
    assert page.locator(".sky").count() == (0 if wish == "reduce" else 1)


@pytest.mark.slow
def test_the_puzzle_of_the_day_is_made_from_its_date(page: Any) -> None:
    page.goto("#/")
    page.wait_for_selector(".example")
    daily = page.locator(".today .daily", has_text="Daily Harmony")
    expect(daily).to_have_attribute("href", re.compile(r"#/daily/harmony/\d{4}-\d{2}-\d{2}$"))
    page.goto("#/daily/harmony/2026-11-18")  # a Wednesday
    page.wait_for_selector(BOARD)
    expect(page.get_by_role("heading", level=1)).to_have_text("Daily Harmony, 18 November 2026")
    expect(page.locator(".cell")).to_have_count(16)


@pytest.mark.slow
def test_small_pictures_follow_the_page_into_the_dark(page: Any) -> None:
    page.goto("#/")
    picture = page.locator("img.thumbnail").first
    expect(picture).to_have_attribute("src", re.compile(r"\.svg$"))
    page.emulate_media(color_scheme="dark")
    expect(picture).to_have_attribute("src", re.compile(r"\.svg\?dark=true$"))
