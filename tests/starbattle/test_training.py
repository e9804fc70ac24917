"""Practising a technique in the browser, and all steps that can be taken now."""

from __future__ import annotations

from typing import Any

import pytest

import solvent
from helpers.browser import expect, go_to_example, needs_browser
from helpers.examples import load_example
from solvent.starbattle import DOMAIN

pytestmark = [needs_browser, pytest.mark.slow]

NAME = "six_by_six"
OPEN = ".battle .square[aria-label]"


def exercise(*, answer: bool = False, technique: str = "tiling") -> Any:
    return next(iter(solvent.hints(load_example("starbattle", NAME), practise=technique, answer=answer)))


def practise(page: Any, technique: str) -> None:
    page.get_by_label("Technique to practise").select_option(technique)
    page.get_by_role("button", name="Practise", exact=True).click()


def test_on_a_phone_a_technique_is_practised_and_the_answer_is_kept_back(phone: Any) -> None:
    board = load_example("starbattle", NAME)
    answer = exercise(answer=True)
    removed = [row * board.size + col for row, col in answer.data["crosses"]]
    idle = next(cell for cell in range(board.size**2) if cell not in removed)
    go_to_example(phone, "starbattle", NAME, OPEN)
    phone.get_by_text("Practise a technique").tap()
    practise(phone, "tiling")
    told = phone.locator(".exercise")
    expect(told).to_contain_text(exercise().caption)
    assert answer.caption not in told.inner_text()
    assert phone.locator(".battle .removal, .battle .cause").count() == 0, "nothing on the board points at it"

    phone.locator(f'.battle.playable .square[data-cell="{idle}"]').tap()
    expect(phone.locator(f'.square[data-cell="{idle}"]')).to_have_attribute("data-mark", "x")
    phone.locator(f'.battle.playable .square[data-cell="{removed[0]}"]').tap()
    expect(told).to_contain_text("You found it.")
    expect(told).to_contain_text(answer.caption)
    expect(told.get_by_text("You found it.")).to_be_in_viewport()
    expect(phone.locator(".battle .removal")).to_have_count(len(removed))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    phone.get_by_role("button", name="Another one").tap()
    expect(told).to_contain_text("No other position on the way needs it.")
    practise(phone, "squeeze")
    expect(told).to_contain_text(exercise(technique="squeeze").caption)
    expect(told.get_by_role("button", name="Make a board that needs it")).to_be_visible()


def test_an_answer_is_shown_when_asked_for_and_counts_as_a_hint(page: Any) -> None:
    go_to_example(page, "starbattle", NAME, OPEN)
    page.get_by_text("Practise a technique").click()
    practise(page, "tiling")
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".exercise")).to_contain_text(exercise(answer=True).caption)
    expect(page.locator(".solve-session")).to_contain_text("1 hint used")
    page.get_by_role("button", name="End", exact=True).click()
    assert page.locator(".exercise").inner_text() == ""
    assert page.locator(".battle .removal").count() == 0


def test_all_steps_are_listed_by_technique_and_go_when_the_board_changes(page: Any) -> None:
    assert DOMAIN.hints is not None
    steps = list(solvent.hints(load_example("starbattle", NAME), every=True))
    titles = list(dict.fromkeys(step.data["title"] for step in steps))
    go_to_example(page, "starbattle", NAME, OPEN)
    page.get_by_role("button", name="All steps").click()
    counts = [f"{title} ({sum(step.data['title'] == title for step in steps)})" for title in titles]
    expect(page.locator(".all-steps summary")).to_have_text(counts)
    assert page.locator(".all-steps li:visible").count() == 0, "what each says is not given away"

    page.locator(".all-steps summary").first.click()
    page.get_by_role("button", name=steps[0].caption).click()
    expect(page.locator(".all-steps .proof li")).to_have_text((steps[0].proof or "").splitlines())
    expect(page.locator(".battle .removal")).to_have_count(len(steps[0].data["crosses"]))
    page.get_by_role("button", name="Apply").click()
    expect(page.locator('.battle .square[data-mark="x"]')).to_have_count(len(steps[0].data["crosses"]))
    assert page.locator(".all-steps").inner_text() == ""
    assert page.locator(".battle .removal").count() == 0
