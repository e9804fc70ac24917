"""Your files and Runs, as a person uses them."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import needs_browser, open_page
from solvent.batch.store import leader
from web.calling import serving_with
from web.served_folder import ServedFolder

pytestmark = needs_browser


@pytest.fixture
def page(chromium: Any, served: ServedFolder) -> Iterator[Any]:
    yield from open_page(chromium, served.address)


@pytest.fixture
def phone(chromium: Any, served: ServedFolder) -> Iterator[Any]:
    yield from open_page(
        chromium, served.address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
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
    assert "FAIL" in card.locator(".verdict").inner_text()
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


@pytest.mark.slow
def test_words_search_and_counts_filter(page: Any) -> None:
    open_run(page)
    page.get_by_label("Search the rows").fill("harmony hope")
    wait_for_names(page, "hopeless.txt")
    page.reload()
    wait_for_names(page, "hopeless.txt")  # the address has it
    page.locator(".tallies").get_by_role("button", name="1 not readable").click()
    wait_for_names(page, "broken.txt")
    assert "line 3" in page.locator(".rows td.why").inner_text()
    page.locator(".tallies").get_by_role("button", name="2 PASS (YES)").click()
    wait_for_names(page, "easy.txt", "other.txt")


@pytest.mark.slow
def test_charts_are_drawn_and_lead_to_results(page: Any) -> None:
    open_run(page)
    page.get_by_role("tab", name="Charts").click()
    page.wait_for_selector("svg.chart .dots use")
    assert page.locator("svg.chart").count() >= 4  # time against size for each domain, and the hardest of one
    page.locator("svg.chart .dots a").first.dispatch_event("click")
    page.wait_for_selector(".answer.stored")
    page.go_back()
    page.wait_for_selector("svg.chart .dots use")  # still the charts


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_told_in_place(page: Any) -> None:
    page.goto("#/files")
    page.locator(".file", has_text="broken.txt").click()
    card = page.locator(".trouble")
    card.wait_for()
    assert "line 3" in card.inner_text()
    page.trouble.clear()  # the browser notes the refusal


@pytest.mark.slow
@pytest.mark.parametrize("at", ["files", "runs", "run", "charts", "compare"])
def test_nothing_sticks_out_to_the_side_on_a_phone(phone: Any, served: ServedFolder, at: str) -> None:
    store = served.store_id
    addresses = {
        "run": f"#/run/{store}/2",
        "charts": f"#/run/{store}/2/view=charts",
        "compare": f"#/compare/{store}/1/{store}/2",
    }
    waits = {"files": ".file", "runs": ".run", "run": ".rows td.name", "charts": "svg.chart", "compare": ".changed"}
    phone.goto(addresses.get(at, f"#/{at}"))
    phone.wait_for_selector(waits[at])
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_phone_sorts_and_opens_too(phone: Any, served: ServedFolder) -> None:
    phone.goto(f"#/run/{served.store_id}/2")
    phone.wait_for_selector(".rows td.name")
    phone.get_by_label("Sort by").select_option("seconds descending")
    phone.wait_for_function("() => location.hash.includes('sort=seconds')")
    phone.locator(".rows td.name a").first.tap()
    phone.wait_for_selector(".answer.stored")


@contextlib.contextmanager
def showing(chromium: Any, store: Path) -> Iterator[Any]:
    """A page of a server that has only this store."""
    with serving_with(jobs=1, quick_jobs=1, paths=[str(store)]) as (_, address):
        yield from open_page(chromium, address)


@pytest.fixture
def copied(served: ServedFolder, tmp_path: Path) -> sqlite3.Connection:
    """A copy of the store, to be changed."""
    target = sqlite3.connect(tmp_path / "copy.db", isolation_level=None)
    with sqlite3.connect(served.store) as source:
        source.backup(target)
    return target


def test_a_run_in_progress_is_followed_to_its_end(chromium: Any, copied: sqlite3.Connection, tmp_path: Path) -> None:
    later = "run = 2 AND number > 3"
    items = copied.execute(f"SELECT * FROM item WHERE {later}").fetchall()
    links = copied.execute(f"SELECT * FROM run_answer WHERE {later}").fetchall()
    copied.execute(f"DELETE FROM run_answer WHERE {later}")
    copied.execute(f"DELETE FROM item WHERE {later}")
    copied.execute("UPDATE run SET state = 'running', leader = ? WHERE id = 2", (leader.this_process(),))
    with showing(chromium, tmp_path / "copy.db") as page:
        open_run(page)
        page.wait_for_selector(".state.running")
        assert len(names(page)) == 4
        assert not page.get_by_role("link", name="Your files").is_visible()  # there are none
        copied.executemany(f"INSERT INTO item VALUES ({','.join('?' * len(items[0]))})", items)
        copied.executemany("INSERT INTO run_answer VALUES (?, ?, ?, ?)", links)
        page.wait_for_function("() => document.querySelectorAll('.rows td.name').length === 7")
        copied.execute("UPDATE run SET state = 'finished' WHERE id = 2")
        page.wait_for_selector(".state.finished")
    copied.close()


def test_an_answer_that_was_edited_is_shown_as_rejected(
    chromium: Any, copied: sqlite3.Connection, tmp_path: Path
) -> None:
    copied.execute("UPDATE answer SET verdict = 'YES' WHERE verdict = 'NO'")
    copied.close()
    with showing(chromium, tmp_path / "copy.db") as page:
        open_run(page)
        page.get_by_role("link", name="harmony/hopeless.txt").click()
        card = page.locator(".trouble.stored")
        card.wait_for()
        assert "Rejected" in card.inner_text()
        assert page.locator(".checked").count() == 0


@pytest.mark.slow
def test_pictures_of_files_follow_the_page_into_the_dark(page: Any) -> None:
    page.goto("#/files")
    picture = page.locator(".file img").first
    picture.wait_for()
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "(image) => image.src.endsWith('?dark=true') && image.complete && image.naturalWidth > 0",
        arg=picture.element_handle(),
    )
