"""Every view of the page by the rules of axe-core, at both sizes, light and dark; nothing is wider than a phone.

A view is opened once at each size, in one page that goes from view to view, and looked at light and then dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from helpers.browser import expect, needs_browser, open_page
from solvent.registry import all_domains
from web.served_folder import ServedFolder
from web.test_mapping_page import ALONE
from web.test_sent_files import LIST

pytestmark = [needs_browser, pytest.mark.slow]

SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
DOMAINS = {domain.name: domain for domain in all_domains() if domain.page is not None}
BOARD = ".bench .stage svg:visible, .bench .stage canvas:visible"
Act = Callable[[Any], object]


@pytest.fixture(scope="module", params=SIZES)
def view(request: Any, chromium: Any, served: ServedFolder) -> Iterator[Any]:
    """A page that shows everything without moving, so that colours are what they will be."""
    is_phone = request.param == "phone"
    yield from open_page(
        chromium,
        served.address,
        viewport=SIZES[request.param],
        has_touch=is_phone,
        is_mobile=is_phone,
        reduced_motion="reduce",
    )


def complaints(page: Any, **options: Any) -> list[str]:
    """Return what axe-core finds: the rule, how bad it is, and the first places."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{each['id']} ({each['impact']}): {each['help']}: {[node['target'] for node in each['nodes'][:3]]}"
        for each in found
    ]


def too_small_to_touch(page: Any) -> list[str]:
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, a.button, nav a, select, summary, input")]
            .filter((each) => each.checkVisibility() && !each.closest(".hidden") && !each.classList.contains("hidden"))
            .map((each) => [each.textContent || each.ariaLabel || each.name, each.closest("label") ?? each])
            .map(([name, each]) => [name, each.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && box.height > 0 && box.height < 39.5)
            .map(([name, box]) => `${name.slice(0, 30)}: ${Math.round(box.width)}×${Math.round(box.height)}`)"""
    )
    return found


def assert_in_order(page: Any) -> None:
    found = complaints(page)
    width = page.viewport_size["width"]
    widest = page.evaluate("document.documentElement.scrollWidth")
    if widest > width:
        found.append(f"{widest} wide in {width}")
    if width < 500:
        found += too_small_to_touch(page)
        found += page.locator("kbd:visible, .for-keyboards:visible").all_inner_texts()
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {each}" for each in complaints(page, runOnly=["color-contrast"])]
    page.emulate_media(color_scheme="light")
    assert not found, "\n".join(found)


def visit(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.locator("main h1").first.wait_for()


def press(page: Any, name: str) -> bool:
    """Press a button if there is one that can be seen."""
    button = page.get_by_role("button", name=name, exact=True)
    if not button.count() or not button.first.is_visible():
        return False
    button.first.click()
    return True


def open_board(page: Any, name: str, number: int = 1) -> None:
    visit(page, f"#/example/{name}/{DOMAINS[name].examples()[number].name}")
    page.locator(BOARD).first.wait_for()


def ask(page: Any) -> None:
    page.locator(".questions button.primary").first.click()
    page.locator(".answer, .bench .verdict").first.wait_for()


def unfold(page: Any) -> None:
    """Open all that can be opened: options, the text, what was counted, the same by command."""
    page.evaluate("() => { for (const each of document.querySelectorAll('main details')) each.open = true; }")


PAGES = {
    "gallery": "",
    "open": "#/open",
    "no map yet": "#/mapping",
    "no list yet": "#/entries",
    "no such page": "#/nowhere",
    **{f"new {name}": f"#/new/{name}" for name, domain in DOMAINS.items() if domain.generator is not None},
    **{f"draw {name}": f"#/draw/{name}" for name, domain in DOMAINS.items() if domain.page.edit is not None},
    "files": "#/files",
    "runs": "#/runs",
    "run": "#/run/STORE/2",
    "charts": "#/run/STORE/2/view=charts",
    "compared": "#/compare/STORE/1/STORE/2",
    "result": "#/result/STORE/2/3",
}
COMES_LATER = {
    "gallery": "a.example",
    "open": ".formats dt button",
    "files": ".file img",
    "runs": ".run",
    "run": ".rows td.name",
    "charts": "svg.chart",
    "compared": ".changed",
    "result": ".answer.stored",
}


@pytest.mark.parametrize("name", PAGES)
def test_pages(view: Any, served: ServedFolder, name: str) -> None:
    visit(view, PAGES[name].replace("STORE", served.store_id))
    view.locator(COMES_LATER.get(name, "main h1")).first.wait_for()
    assert_in_order(view)
    is_named = view.title().endswith(" · Solvent")
    assert is_named == (name != "gallery"), view.title()


@pytest.mark.parametrize("name", DOMAINS)
def test_boards_with_an_answer_and_all_unfolded(view: Any, name: str) -> None:
    open_board(view, name)
    ask(view)
    if press(view, "Explain"):
        view.locator(".explanation").first.wait_for()
    unfold(view)
    view.locator(".as-text textarea").wait_for()
    assert_in_order(view)


@pytest.mark.parametrize("name", [name for name, domain in DOMAINS.items() if domain.hints is not None])
def test_hints(view: Any, name: str) -> None:
    open_board(view, name, 0)
    assert press(view, "Hint")
    view.locator(".hint:visible").first.wait_for()
    assert_in_order(view)


@pytest.mark.parametrize("name", [name for name, domain in DOMAINS.items() if domain.page.proof_steps is not None])
def test_proofs_step_by_step(view: Any, name: str) -> None:
    open_board(view, name)
    ask(view)
    view.get_by_role("button", name="Step through the proof").first.click()
    view.locator(".proof-steps .player").wait_for()
    assert_in_order(view)


def test_a_search_that_is_watched(view: Any) -> None:
    watched = 0
    for name in DOMAINS:
        open_board(view, name)
        if press(view, "Watch the search"):
            view.locator(".player:visible").first.wait_for()
            assert_in_order(view)
            watched += 1
    assert watched


@pytest.mark.parametrize("name", [name for name, domain in DOMAINS.items() if domain.page.edit is not None])
def test_editors(view: Any, name: str) -> None:
    visit(view, f"#/draw/{name}")
    view.locator("main a.example").first.click()
    expect(view.get_by_role("button", name="Edit", exact=True)).to_have_attribute("aria-pressed", "true")
    view.locator(BOARD).first.wait_for()
    unfold(view)
    assert_in_order(view)


def test_the_daily_puzzle(view: Any) -> None:
    visit(view, "")
    view.locator("a.daily").first.click()
    view.locator(BOARD).first.wait_for()
    assert view.title().startswith("Daily ")
    assert_in_order(view)


def test_the_names_of_a_map(view: Any) -> None:
    visit(view, "#/open")
    view.get_by_label("Text of a puzzle or level").fill(ALONE)
    view.get_by_role("button", name="Open", exact=True).click()
    view.locator(".mapping .names select").first.wait_for()
    unfold(view)
    assert_in_order(view)


def test_a_list_to_choose_from(view: Any) -> None:
    visit(view, "#/open")
    view.get_by_label("Text of a puzzle or level").fill(LIST.decode())
    view.get_by_role("button", name="Open", exact=True).click()
    view.locator(".entry").first.click()
    view.get_by_role("alert").wait_for()
    assert_in_order(view)


def test_a_world_without_end(view: Any) -> None:
    for name in DOMAINS:
        for example in DOMAINS[name].examples()[:5]:
            visit(view, f"#/example/{name}/{example.name}")
            view.locator(BOARD).first.wait_for()
            if not press(view, "World without end"):
                break
            view.locator("canvas.world[data-chunks], .world-view [role=status] button").first.wait_for()
            assert_in_order(view)


def test_what_cannot_be_read(view: Any) -> None:
    visit(view, "#/open")
    view.get_by_label("Text of a puzzle or level").fill("4 1\nABCD\nAB\n")
    view.get_by_role("button", name="Open", exact=True).click()
    view.locator(".trouble:visible").wait_for()
    assert_in_order(view)


def test_a_sheet_to_print(view: Any) -> None:
    open_board(view, next(iter(DOMAINS)))
    view.evaluate("() => { window.print = () => {}; }")
    view.get_by_role("button", name="Print").click()
    view.locator(".print-sheet img").wait_for(state="attached")
    view.emulate_media(media="print", color_scheme="dark")
    assert view.locator("body > :visible").count() == 1
    assert not complaints(view)
    ink = view.locator(".print-sheet").evaluate("(sheet) => getComputedStyle(sheet).color")
    assert ink == "rgb(0, 0, 0)"
    view.emulate_media(media="screen", color_scheme="light")
