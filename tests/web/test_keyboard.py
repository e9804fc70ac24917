"""The page without a mouse: where the focus is, that it can be seen and is never lost, and what is announced."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.browser import expect, needs_browser
from solvent.registry import all_domains

pytestmark = [needs_browser, pytest.mark.slow]

DOMAINS = {domain.name: domain for domain in all_domains() if domain.page is not None}
STEPPED = [name for name, domain in DOMAINS.items() if domain.page.proof_steps is not None]
BOARD = ".bench .stage svg:visible, .bench .stage canvas:visible"


def open_board(page: Any, name: str) -> None:
    page.goto(f"#/example/{name}/{DOMAINS[name].examples()[1].name}")
    page.locator(BOARD).first.wait_for()


def focused(page: Any) -> Any:
    return page.evaluate(
        """() => {
             const element = document.activeElement, style = getComputedStyle(element);
             const isDrawn = element instanceof SVGElement && style.stroke !== "none";
             const stroked = isDrawn && parseFloat(style.strokeWidth) >= 2;
             const mark = stroked || (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
             const box = element.getBoundingClientRect();
             return { tag: element.localName, text: element.innerText, marked: mark, seen: box.width * box.height > 0 };
           }"""
    )


def test_the_first_stop_leads_past_the_navigation(page: Any) -> None:
    page.goto("")
    page.locator("main a.example").first.wait_for()
    page.keyboard.press("Tab")
    assert focused(page)["text"] == "Skip to the content"
    page.keyboard.press("Enter")
    assert focused(page)["tag"] == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
    assert page.locator("main a.example").count()  # still the same page


@pytest.mark.parametrize("name", ["", *DOMAINS])
def test_every_stop_can_be_seen(page: Any, name: str) -> None:
    """Tab through all of a page: each stop has a size and an outline, and none of them is a trap."""
    if name:
        open_board(page, name)
    else:
        page.goto("")
        page.locator("main a.example").first.wait_for()
    page.wait_for_load_state("networkidle")
    stops = []
    for _ in range(60):
        page.keyboard.press("Tab")
        stop = focused(page)
        if stop["tag"] == "body":
            break
        stops.append(stop)
    assert len(stops) > 10
    assert [stop for stop in stops if not (stop["marked"] and stop["seen"])] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_an_answer_is_announced_and_the_focus_stays(page: Any, name: str) -> None:
    open_board(page, name)
    question = page.locator(".questions button.primary").first
    question.focus()
    page.keyboard.press("Enter")
    page.locator("[aria-live=polite] .answer, [role=status] .verdict").first.wait_for()
    expect(question).to_be_focused()


@pytest.mark.parametrize("name", STEPPED)
def test_a_proof_is_stepped_through_and_left_by_keys(page: Any, name: str) -> None:
    open_board(page, name)
    page.locator(".questions button.primary").first.focus()
    page.keyboard.press("Enter")
    begin = page.get_by_role("button", name="Step through the proof").first
    begin.wait_for()
    begin.focus()
    page.keyboard.press("Enter")
    player = page.locator(".proof-steps .player")
    player.wait_for()
    expect(player.locator(".toggle")).to_be_focused()
    words = page.locator(".step-text[aria-live=polite]")
    first = words.inner_text()
    page.keyboard.press("ArrowRight")
    expect(words).not_to_have_text(first)
    page.keyboard.press("Escape")
    expect(player).to_have_count(0)
    expect(begin).to_be_focused()


def test_a_new_page_is_read_from_its_heading_and_has_its_name(page: Any) -> None:
    page.goto("")
    page.locator("main a.example").first.wait_for()
    page.locator("main a.example").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".bench h1, main h1").first).to_be_focused()
    assert page.title() == f"{page.locator('main h1').inner_text()} · Solvent"


def test_a_text_dropped_in_vain_goes_away_with_escape(page: Any) -> None:
    page.goto("")
    page.locator("main a.example").first.wait_for()
    page.evaluate(
        """() => {
             const data = new DataTransfer();
             data.setData("text/plain", "no puzzle at all");
             const given = { dataTransfer: data, bubbles: true, cancelable: true };
             document.body.dispatchEvent(new DragEvent("drop", given));
           }"""
    )
    trouble = page.locator(".drop-trouble [role=alert]")
    trouble.wait_for()
    page.keyboard.press("Escape")
    expect(trouble).to_have_count(0)
