"""Your files and Runs, as a person uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from web.fixtures import needs_browser, open_page
from web.shelves import Shelf

pytestmark = needs_browser


@pytest.fixture
def page(chromium: Any, shelf: Shelf) -> Iterator[Any]:
    yield from open_page(chromium, shelf.address)


@pytest.fixture
def phone(chromium: Any, shelf: Shelf) -> Iterator[Any]:
    yield from open_page(
        chromium, shelf.address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )


def names(page: Any) -> list[str]:
    return [cell.split("/")[-1] for cell in page.locator(".rows td.name").all_inner_texts()]


def wait_for_names(page: Any, *expected: str) -> None:
    page.wait_for_function(
        "(wished) => [...document.querySelectorAll('.rows td.name')]"
        ".map((cell) => cell.innerText.split('/').pop()).join() === wished",
        arg=",".join(expected),
    )


def open_run(page: Any, number: int = 2) -> None:
    page.goto("")
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("link", name=re.compile(f"^Run {number}")).click()
    page.wait_for_selector(".rows table")


def test_from_a_store_to_a_result_and_back_with_the_filter_kept(page: Any) -> None:
    open_run(page)
    assert len(names(page)) == 7
    page.get_by_label("Verdict", exact=True).select_option("NO")
    wait_for_names(page, "hopeless.txt")
    page.get_by_label("Verdict", exact=True).select_option("YES")
    page.get_by_role("button", name="Time").click()
    page.wait_for_selector("th[aria-sort=descending]")
    page.wait_for_function("() => document.querySelectorAll('.rows td.name').length === 4")
    by_time = names(page)
    page.get_by_role("button", name="Time").click()
    wait_for_names(page, *reversed(by_time))
    page.get_by_label("Verdict", exact=True).select_option("NO")
    wait_for_names(page, "hopeless.txt")

    page.locator(".rows td.name a").click()
    card = page.locator(".answer.stored")
    card.wait_for()
    assert "NO" in card.inner_text()
    assert "checked again just now" in card.inner_text()
    assert page.locator("h1").inner_text() == "hopeless.txt"
    page.wait_for_selector(".bench .stage > *")

    page.go_back()
    wait_for_names(page, "hopeless.txt")
    assert page.get_by_label("Verdict", exact=True).input_value() == "NO"
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Time")
    page.wait_for_function("() => document.activeElement.closest('td.name') !== null")  # where one came from
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function("() => document.querySelectorAll('.rows td.name').length === 7")


def test_words_search_and_counts_filter(page: Any) -> None:
    open_run(page)
    page.get_by_label("Search the rows").fill("harmony hope")
    wait_for_names(page, "hopeless.txt")
    page.reload()
    wait_for_names(page, "hopeless.txt")  # the address has it
    page.locator(".tallies").get_by_role("button", name="1 not readable").click()
    wait_for_names(page, "broken.txt")
    assert "line 3" in page.locator(".rows td.why").inner_text()
    page.locator(".tallies").get_by_role("button", name="2 YES").click()
    wait_for_names(page, "easy.txt", "other.txt")


def test_charts_are_drawn_and_lead_to_results(page: Any) -> None:
    open_run(page)
    page.get_by_role("tab", name="Charts").click()
    page.wait_for_selector("svg.chart .dots use")
    assert page.locator("svg.chart").count() >= 6
    page.locator("svg.chart .dots a").first.dispatch_event("click")
    page.wait_for_selector(".answer.stored")
    page.go_back()
    page.wait_for_selector("svg.chart .dots use")  # still the charts


def test_two_runs_are_compared(page: Any) -> None:
    open_run(page)
    choice = page.get_by_label("Compare with another run")
    choice.locator("option").nth(1).wait_for(state="attached")
    choice.select_option(index=1)
    page.get_by_role("heading", name=re.compile("^Gained")).wait_for()
    assert "gained" in page.locator(".lead").inner_text()
    assert page.locator(".sides").inner_text().index("run 1") < page.locator(".sides").inner_text().index("run 2")
    page.locator(".changed.gained td.name a").first.click()
    page.wait_for_selector(".answer.stored")


def test_an_unknown_of_a_run_is_shown_as_one(page: Any) -> None:
    open_run(page, 1)
    page.get_by_label("Verdict", exact=True).select_option("UNKNOWN")
    page.wait_for_selector(".rows .verdict.unknown")
    page.locator(".rows td.name a").first.click()
    page.wait_for_selector(".answer.stored.unknown")


def test_from_the_list_of_files_to_a_solved_instance(page: Any) -> None:
    page.goto("")
    page.get_by_role("link", name="Your files").click()
    page.wait_for_selector(".file img")
    picture = page.locator(".file", has_text="easy.txt").locator("img")
    page.wait_for_function("(image) => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    page.get_by_label("Search your files").fill("easy")
    page.wait_for_function("() => document.querySelectorAll('.file').length === 1")
    page.locator(".file").click()
    page.wait_for_selector(".bench .stage > *")
    page.get_by_role("button", name="Solvable?").click()
    page.wait_for_selector(".answer.yes .checked")
    page.go_back()
    page.wait_for_function("() => document.querySelectorAll('.file').length === 1")  # the search was kept


def test_a_file_that_cannot_be_read_is_told_in_place(page: Any) -> None:
    page.goto("#/files")
    page.locator(".file", has_text="broken.txt").click()
    card = page.locator(".trouble")
    card.wait_for()
    assert "line 3" in card.inner_text()
    page.trouble.clear()  # the browser notes the refusal


@pytest.mark.parametrize("at", ["files", "runs", "run", "charts", "compare"])
def test_nothing_sticks_out_to_the_side_on_a_phone(phone: Any, shelf: Shelf, at: str) -> None:
    store = shelf.store_id
    addresses = {
        "run": f"#/run/{store}/2",
        "charts": f"#/run/{store}/2/view=charts",
        "compare": f"#/compare/{store}/1/{store}/2",
    }
    waits = {"files": ".file", "runs": ".run", "run": ".rows td.name", "charts": "svg.chart", "compare": ".changed"}
    phone.goto(addresses.get(at, f"#/{at}"))
    phone.wait_for_selector(waits[at])
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_phone_sorts_and_opens_too(phone: Any, shelf: Shelf) -> None:
    phone.goto(f"#/run/{shelf.store_id}/2")
    phone.wait_for_selector(".rows td.name")
    phone.get_by_label("Sort by").select_option("seconds descending")
    phone.wait_for_function("() => location.hash.includes('sort=seconds')")
    phone.locator(".rows td.name a").first.tap()
    phone.wait_for_selector(".answer.stored")
