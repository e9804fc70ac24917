"""The first page, and opening one's own, as a person does it."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.browser import needs_browser
from solvent.registry import all_domains

pytestmark = needs_browser


def test_every_example_has_its_picture_and_opens(page: Any) -> None:
    page.goto("")
    page.wait_for_selector(".example")
    expected = sum(len(domain.examples()) for domain in all_domains())
    assert page.locator(".example").count() == expected
    for _ in page.get_by_role("button", name="Show all").all():
        page.get_by_role("button", name="Show all").first.click()
    assert page.locator(".example:visible").count() == expected
    for picture in page.locator(".example img").all()[::7]:
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    page.locator(".example").first.click()
    page.wait_for_selector(".bench .stage > *")


def test_what_cannot_be_read_is_shown_in_place(page: Any) -> None:
    page.goto("#/open")
    page.get_by_label("Text of a puzzle or level").fill("4 1\nABCD\nAB\nABCD\nABCD\n")
    page.get_by_role("button", name="Open", exact=True).click()
    card = page.locator(".trouble")
    card.wait_for()
    assert "line 3" in card.inner_text()
    assert "AB" in card.locator(".line").inner_text()
    page.trouble.clear()  # the browser notes the refusal


@pytest.mark.parametrize("width", [390, 1240])
def test_nothing_sticks_out_to_the_side(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("")
    page.wait_for_selector(".example")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
