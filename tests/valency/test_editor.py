"""Valency's editor, as a designer uses it: on a desk in the light, and on a phone in the dark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import expect, needs_browser, on_every_screen

pytestmark = [needs_browser, pytest.mark.slow]


def begin(page: Any, template: str) -> None:
    """Begin from a template, and wait until it is filled."""
    page.goto("#/draw/valency")
    page.get_by_role("link", name=template).click()
    page.locator(".board[data-answered]").wait_for()


@contextmanager
def answering(page: Any, saying: str = "YES") -> Iterator[None]:
    """Wait for the answer to what is done here."""
    count = "Number(document.querySelector('.board.drawing').dataset.number || 0)"
    before = page.evaluate(count)
    yield
    page.wait_for_function(f"(before) => {count} > before", arg=before)
    page.locator(".live-verdicts:not([aria-busy])").wait_for()
    assert page.locator(".board.drawing").get_attribute("data-answered") == saying


def drag(page: Any, start: tuple[int, int], end: tuple[int, int], size: tuple[int, int]) -> None:
    """Draw a stroke from one cell to another, quickly: only a few places of it are seen."""
    board = page.locator(".board.drawing canvas")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    begin_at, end_at = (
        (box["x"] + (x + 0.5) * box["width"] / size[0], box["y"] + (y + 0.5) * box["height"] / size[1])
        for x, y in (start, end)
    )
    page.mouse.move(*begin_at)
    page.mouse.down()
    page.mouse.move(*end_at, steps=2)
    page.mouse.up()


def picture(page: Any) -> str:
    drawn: str = page.evaluate("document.querySelector('.board.drawing canvas').toDataURL()")
    return drawn


def cells(page: Any, folder: Path) -> list[str]:
    """Download the fill, and return what stands on each cell."""
    with page.expect_download() as found:
        page.get_by_role("button", name="JSON", exact=True).click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return [node["key"] for node in json.loads(path.read_text())["nodes"]]


def flags(page: Any) -> int:
    count: int = page.locator(".board.drawing .marks .pick").count()
    return count


@on_every_screen
def test_a_rule_set_is_written_pinned_refilled_and_downloaded(screen: Any, tmp_path: Path) -> None:
    page, size = screen, (12, 8)
    begin(page, "Two modules")
    # As a table: no sea beside another sea.
    with answering(page):
        page.get_by_role("gridcell", name="sea right of sea").click()
    with answering(page):
        page.get_by_label("Direction").select_option("down")
        page.get_by_role("gridcell", name="sea down of sea").click()
    found = cells(page, tmp_path)
    assert "sea" in found
    assert all((found[at], found[at + 1]) != ("sea", "sea") for at in range(95) if at % 12 != 11)
    assert all((found[at], found[at + 12]) != ("sea", "sea") for at in range(84))
    # One module more, with a picture of its own, that may touch what grass may.
    page.get_by_text("Add a module").click()
    page.get_by_label("Name of the module").fill("forest")
    page.get_by_role("combobox", name="Picture").select_option("terrain/forest")
    page.get_by_label("May touch").select_option("grass")
    with answering(page):
        page.get_by_role("button", name="Add", exact=True).click()
    assert page.get_by_role("radio", name="forest").count() == 1
    assert page.get_by_role("slider", name="Weight of forest").count() == 1
    # As text: the rules that were made are there; what cannot be read is said in place.
    page.get_by_text("The rules as text").click()
    area = page.get_by_label("The rules as text")
    expect(area).not_to_have_value("")
    text = area.input_value()
    assert [module["name"] for module in json.loads(text)["rules"]["modules"]] == ["grass", "sea", "forest"]
    area.fill(text.replace('"terrain/forest"', '"terrain/forest", "wieght": 2'))
    page.get_by_text("Not read yet").wait_for()
    line = next(at for at, each in enumerate(text.split("\n"), 1) if "terrain/forest" in each)
    assert page.locator(".gutter mark").first.inner_text().strip() == str(line)
    area.fill(text)  # the mistake is taken back
    page.get_by_text("The board shows this.").wait_for()
    assert page.locator(".gutter mark").count() == 0
    with answering(page):
        area.fill(text.replace('"forest"', '"wood"'))
    assert page.get_by_role("radio", name="wood").count() == 1
    # Pins by dragging.
    page.get_by_role("radio", name="wood").click()
    with answering(page):
        drag(page, (2, 3), (9, 3), size)
    assert flags(page) == 8
    row = cells(page, tmp_path)[36:48]
    assert row[2:10] == ["wood"] * 8
    # A part filled anew, with all else as it is.
    before = cells(page, tmp_path)
    page.get_by_role("button", name="Refill an area").click()
    with answering(page):
        drag(page, (1, 4), (10, 7), size)
    inside = {x + 12 * y for x in range(1, 11) for y in range(4, 8)}
    after = cells(page, tmp_path)
    assert {at for at in range(96) if before[at] != after[at]} <= inside
    assert before != after
    assert flags(page) == 8, "what was only kept has no flag"
    expect(page.locator(".kept")).to_contain_text("48 cells are kept")
    with answering(page):
        page.get_by_role("button", name="Let them go").click()
    # Pins erased, then everything undone step by step.
    page.get_by_role("button", name="Erase pins").click()
    with answering(page):
        drag(page, (0, 3), (5, 3), size)
    assert flags(page) == 4
    with answering(page):
        page.get_by_role("button", name="Undo").last.click()
    assert flags(page) == 8
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_a_weight_is_moved_and_the_board_follows_while_it_moves(screen: Any, tmp_path: Path) -> None:
    page = screen
    begin(page, "Two modules")
    before = cells(page, tmp_path).count("sea")
    slider = page.get_by_role("slider", name="Weight of sea")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.23, box["y"] + box["height"] / 2)
    page.mouse.down()
    seen = {picture(page)}
    for share in (0.5, 0.75, 0.97):
        with answering(page):
            page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        seen.add(picture(page))
    assert len(seen) == 4, "before the mouse is let go"
    page.mouse.up()
    assert cells(page, tmp_path).count("sea") > 2 * before
    undo = page.locator(".tools:visible").get_by_role("button", name="Undo")
    with answering(page):
        undo.click()
    assert cells(page, tmp_path).count("sea") == before, "one drag is one step"
    expect(undo).to_be_disabled()


def test_everything_can_be_done_with_keys(screen: Any, tmp_path: Path) -> None:
    page = screen
    begin(page, "Two modules")
    page.get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name="sea").get_attribute("aria-checked") == "true"
    board = page.locator(".board.drawing")
    board.focus()
    for key in ("ArrowRight", "ArrowDown", *["Shift+ArrowRight"] * 3, *["Shift+ArrowDown"] * 2):
        page.keyboard.press(key)
    assert page.locator(".about:visible").inner_text().startswith("12 cells selected, to (4, 3): ")
    with answering(page):
        page.keyboard.press("Enter")
    assert flags(page) == 12
    found = cells(page, tmp_path)
    assert {found[x + 12 * y] for x in range(1, 5) for y in range(1, 4)} == {"sea"}
    board.focus()
    page.keyboard.press("e")
    for key in ("ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(key)
    with answering(page):
        page.keyboard.press("Enter")
    assert flags(page) == 10
    board.focus()
    page.keyboard.press("r")
    for key in ("Home", "Shift+End", *["Shift+ArrowDown"] * 4):
        page.keyboard.press(key)
    before = cells(page, tmp_path)
    board.focus()
    with answering(page):
        page.keyboard.press("Enter")
    after = cells(page, tmp_path)
    assert before != after
    page.get_by_role("button", name="Clear all pins").focus()
    with answering(page):
        page.keyboard.press("Enter")
    cell = page.get_by_role("gridcell", name="sea right of grass")
    page.get_by_role("gridcell").and_(page.locator("td[tabindex='0']")).focus()
    page.keyboard.press("ArrowRight")
    assert cell.evaluate("(cell) => cell === document.activeElement")
    with answering(page):
        page.keyboard.press("Space")
    assert "not allowed" in cell.get_attribute("aria-label")
    assert cell.evaluate("(cell) => cell === document.activeElement"), "the focus stays where it was"
    slider = page.get_by_role("slider", name="Weight of grass")
    slider.focus()
    with answering(page):
        page.keyboard.press("ArrowRight")
    board.focus()
    with answering(page):
        page.keyboard.press("Control+z")
    assert page.get_by_role("slider", name="Weight of grass").input_value() == "39"


def test_what_cannot_be_filled_is_ringed_and_said(screen: Any) -> None:
    page = screen
    page.goto("#/example/valency/too_close")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.locator(".board.drawing[data-answered=NO]").wait_for()
    assert page.locator(".live-verdicts .verdict.fail").count() == 1
    assert page.locator(".board.drawing .marks .ring:not(.casing)").count() == 4
    page.get_by_role("button", name="Erase pins").click()
    with answering(page, "YES"):
        drag(page, (7, 4), (7, 4), (12, 6))
    assert page.locator(".live-verdicts .verdict.pass").count() == 1
    assert "72 filled, checked" in page.locator(".live-verdicts").inner_text()


def test_floors_are_edited_one_at_a_time(screen: Any) -> None:
    page = screen
    begin(page, "Four floors")
    ground = picture(page)
    page.get_by_role("button", name="Floor 3").click()
    assert picture(page) != ground
    page.get_by_role("radio", name="roof").first.click()
    with answering(page):
        drag(page, (2, 2), (2, 2), (6, 6))
    assert flags(page) == 1
    page.get_by_role("button", name="Floor 0").click()
    assert flags(page) == 0, "it is on another floor"


def test_a_large_fill_is_seen_while_it_is_worked_out(page: Any) -> None:
    page.goto("#/example/valency/rooms")
    page.locator(".stage .found[data-number]").wait_for()
    page.get_by_label("Width").first.fill("120")
    page.get_by_label("Height").first.fill("120")
    # Whatever is painted is noted, with whether the answer was there by then.
    page.evaluate("""() => {
        window.painted = [];
        const board = document.querySelector('.stage .board');
        const found = document.querySelector('.stage .found');
        new MutationObserver(() => window.painted.push([Number(board.dataset.watched), found.textContent]))
            .observe(board, { attributeFilter: ['data-watched'] });
    }""")
    page.get_by_role("button", name="Use this size").click()
    page.wait_for_function("() => window.painted.length > 2")
    seen = page.evaluate("window.painted.slice(0, 3)")
    assert all(not found for _, found in seen), "before the answer is there"
    assert 0 < seen[0][0] < 14_400
    page.get_by_role("button", name="Stop").click()
    page.locator(".job").wait_for(state="detached")
    count = page.evaluate("window.painted.length")
    page.wait_for_timeout(500)
    assert page.evaluate("window.painted.length") == count, "nothing goes on"
    assert page.locator(".stage .found").inner_text() == ""


def test_titles_and_pictures_are_those_of_what_is_shown(page: Any, tmp_path: Path) -> None:
    page.goto("#/example/valency/terrain")
    page.get_by_text("Choose a rule set").click()
    page.locator(".thumb[data-name=carpet]").click()
    expect(page).to_have_title("Carpet · Solvent")
    page.wait_for_function("() => location.hash.endsWith('/carpet')")
    page.reload()
    expect(page.locator("h1")).to_have_text("Carpet")
    page.locator(".stage .found .pass").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save picture as SVG").click()
    saved.value.save_as(tmp_path / "carpet.svg")
    assert (tmp_path / "carpet.svg").read_text().count("<use") >= 160, "filled, not the bare task"
