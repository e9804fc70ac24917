"""Drawing a Star Battle in the browser, as people do: by mouse, by keys, by touch, with a live verdict and a repair."""

from __future__ import annotations

import json
from typing import Any

import pytest

from helpers.browser import expect, go_to_example, needs_browser, on_every_screen, open_page

pytestmark = [needs_browser, pytest.mark.slow]

UNIQUE = ("AAABBB", "AABBBB", "AABBCC", "DDDBEE", "DDDFFE", "DDDFFF")
"""The rows of a board with one solution."""


def open_blank(page: Any) -> None:
    page.goto("#/draw/starbattle")
    page.locator(".example", has_text="Blank 6×6").click()
    page.wait_for_selector(".drawing .square[aria-label]")


def open_editor(page: Any, name: str) -> None:
    go_to_example(page, "starbattle", name, ".battle .square[aria-label]")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.wait_for_selector(".drawing .square[aria-label]")


def cell(page: Any, number: int) -> Any:
    return page.locator(f'.drawing .square[data-cell="{number}"]')


def middle(page: Any, number: int) -> tuple[float, float]:
    box = cell(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, cells: list[int]) -> None:
    page.mouse.move(*middle(page, cells[0]))
    page.mouse.down()
    for number in cells[1:]:
        page.mouse.move(*middle(page, number))
    page.mouse.up()


def touch(page: Any, cells: list[int]) -> None:
    """Drag a finger from cell to cell."""
    cell(page, cells[0]).scroll_into_view_if_needed()
    points = [dict(zip(("x", "y"), middle(page, number), strict=True)) for number in cells]
    session = page.context.new_cdp_session(page)
    for kind, at in [("touchStart", points[:1]), *(("touchMove", [point]) for point in points[1:]), ("touchEnd", [])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})


def draw(page: Any, cells: list[int]) -> None:
    """Drag as one does on this screen."""
    (touch if page.viewport_size["width"] < 500 else drag)(page, cells)


def walk_over(rows: tuple[str, ...], letter: str) -> list[int]:
    """Return the cells of a region on a walk from side to side, back and forth, cells walked over twice included."""
    size = len(rows)
    cells = [r * size + c for r, row in enumerate(rows) for c, name in enumerate(row) if name == letter]
    walk, left = [cells[0]], set(cells[1:])
    while left:
        steps: dict[int, int] = {walk[-1]: walk[-1]}
        queue = [walk[-1]]
        for at in queue:
            beside = [at + 1, at - 1, at + size, at - size]
            for to in beside:
                if to in cells and to not in steps and (to // size == at // size or to % size == at % size):
                    steps[to] = at
                    queue.append(to)
        target = next(at for at in queue if at in left)
        path = [target]
        while steps[path[-1]] != walk[-1]:
            path.append(steps[path[-1]])
        walk += path[::-1]
        left -= set(walk)
    return walk


def expect_regions(page: Any, rows: tuple[str, ...]) -> None:
    for number, letter in enumerate("".join(rows)):
        expect(cell(page, number)).to_have_attribute("data-region", letter if letter != "." else "")


def expect_verdict(page: Any, *texts: str) -> None:
    for text in texts:
        expect(page.locator(".drawing-verdict")).to_contain_text(text)


@on_every_screen
def test_a_board_is_drawn_from_nothing_spoiled_repaired_named_and_played(screen: Any) -> None:
    page = screen
    open_blank(page)
    expect_verdict(page, "Still to draw: 6 regions to go, 36 cells belong to no region.")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#notices")).to_contain_text("The drawing is not finished")
    for letter in "ABCDEF":
        draw(page, walk_over(UNIQUE, letter))
    expect_regions(page, UNIQUE)
    expect_verdict(page, "PASS", "It has exactly one solution.")
    draw(page, [22, 21])  # E takes a cell of B
    expect_verdict(page, "FAIL", "Two of them differ on the")
    assert page.locator(".drawing .of-solution").count() >= 4
    page.get_by_role("button", name="Repair").click()
    expect_verdict(page, "PASS", "Moved 1 cell to another region", "No smaller change is enough")
    expect(page.locator("h1")).to_have_text("6×6, 1 star")  # it is not blank any more
    page.get_by_label("Title").fill("My own stars")
    page.get_by_label("Title").press("Enter")
    expect(page.locator("h1")).to_have_text("My own stars")
    page.wait_for_url("**/#/edit/starbattle/**own%20stars")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector(".battle.playable:not(.drawing) .square[aria-label]")


def test_a_unique_board_is_drawn_from_nothing_with_the_keyboard(page: Any) -> None:
    open_blank(page)
    cell(page, 0).focus()
    keys = {1: "ArrowRight", -1: "ArrowLeft", 6: "ArrowDown", -6: "ArrowUp"}
    at = 0

    def go(to: int) -> None:
        nonlocal at
        for step, times in ((6, to // 6 - at // 6), (1, to % 6 - at % 6)):
            for _ in range(abs(times)):
                page.keyboard.press(keys[step if times > 0 else -step])
        at = to

    for letter in "ABCDE":
        first, *rest = walk_over(UNIQUE, letter)
        go(first)
        page.keyboard.press("Space")  # a new region begins
        for to in rest:
            page.keyboard.press(f"Shift+{keys[to - at]}")
            at = to
    for number in (number for number, name in enumerate("".join(UNIQUE)) if name == "F"):
        go(number)
        page.keyboard.press("f")
    expect_regions(page, UNIQUE)
    expect(page.locator(".stage p[role=status]").last).to_contain_text("region F")
    expect_verdict(page, "PASS")


def test_two_solutions_are_shown_where_they_differ_and_repaired_by_one_click(page: Any) -> None:
    open_editor(page, "two_ways")
    expect_verdict(page, "FAIL", "Two of them differ on the 4 ringed cells")
    expect(page.locator(".drawing .of-solution")).to_have_count(4)
    page.get_by_role("button", name="Repair").click()
    expect_verdict(page, "PASS", "Moved 1 cell to another region: r5c6.", "No smaller change is enough")
    expect(page.locator(".drawing .block")).to_have_count(1)
    page.get_by_role("button", name="Take it back").click()
    expect_verdict(page, "FAIL")
    page.keyboard.press("Control+y")
    expect_verdict(page, "PASS")


def test_a_repair_that_was_not_found_in_time_is_looked_for_longer(page: Any) -> None:
    open_editor(page, "two_ways")
    expect_verdict(page, "FAIL")
    asked: list[float] = []

    def too_slow(route: Any) -> None:
        asked.append(route.request.post_data_json["seconds"])
        if len(asked) > 1:
            route.continue_()
            return
        section = {"heading": "Repair", "lines": ["No repair was found: out of time (limit 6 s)."]}
        nothing = json.dumps({"sections": [section], "data": {"repair": None}})
        route.fulfill(body=f"event: result\ndata: {nothing}\n\n", content_type="text/event-stream")

    page.route("**/api/explain", too_slow)
    page.get_by_role("button", name="Repair").click()
    expect(page.locator(".repaired")).to_contain_text("No repair was found")
    page.get_by_role("button", name="Look longer").click()
    expect_verdict(page, "PASS", "Moved 1 cell to another region: r5c6.")
    assert asked == sorted(set(asked))


def test_a_board_without_solution_says_why(page: Any) -> None:
    open_blank(page)
    page.get_by_text("From a text").click()
    page.get_by_label("A board as text").fill("ABCDEF\nDDDDEF\nDDDDEF\nDDDDEF\nDDDDEF\nDDDDEF")
    page.get_by_role("button", name="Use this board").click()
    expect_verdict(page, "FAIL", "Regions A, B and C lie in row 1 only: 3 stars where 1 may stand.")
    assert page.locator(".drawing .hatching rect").count() == 3


def test_an_unfinished_drawing_is_undone_redone_resized_and_kept(page: Any) -> None:
    open_blank(page)
    drag(page, [0, 5])
    drag(page, [6, 11])
    expect_verdict(page, "4 regions to go, 24 cells belong to no region")
    page.get_by_text("As text").click()
    source = page.get_by_label("The instance as text")
    expect(source).to_have_value("6 1\nAAAAAA\nBBBBBB\n......\n......\n......\n......\n")
    source.fill("6 1\nAAAAAA\nBBBBBB\nC.....\n......\n......\n......\n")
    expect_regions(page, ("AAAAAA", "BBBBBB", "C.....", "......", "......", "......"))
    page.locator("h1").click()  # keys are for the board again
    page.keyboard.press("Control+z")
    expect_verdict(page, "4 regions to go, 24 cells")
    page.keyboard.press("Control+z")
    expect_verdict(page, "5 regions to go, 30 cells")
    page.keyboard.press("Control+y")
    page.get_by_label("Size").select_option("5")
    expect_regions(page, ("AAAAA", "BBBBB", ".....", ".....", "....."))
    page.reload()
    page.wait_for_selector(".drawing .square[aria-label]")
    expect_regions(page, ("AAAAA", "BBBBB", ".....", ".....", "....."))
    page.get_by_role("button", name="Unique?").click()
    expect(page.locator(".trouble")).to_contain_text("The drawing is not finished: 3 regions to go")
    page.get_by_role("button", name="Erase").click()
    cell(page, 0).click()
    expect_regions(page, (".AAAA", "BBBBB", ".....", ".....", "....."))
    page.get_by_role("button", name="Region C", exact=False).click()
    drag(page, [0, 20])
    expect_regions(page, ("CAAAA", "CBBBB", "C....", "C....", "C...."))
    page.get_by_role("button", name="Mirror").click()
    expect_regions(page, ("AAAAC", "BBBBC", "....C", "....C", "....C"))


def test_what_cannot_be_read_is_told_in_place_and_other_formats_are_read(page: Any) -> None:
    open_editor(page, "first_stars")
    page.get_by_text("From a text").click()
    page.get_by_label("A board as text").fill("such nonsense")
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator(".paste .trouble")).to_be_visible()
    page.get_by_label("A board as text").fill("AAB.\nABBB\nCCDD\nCCDD")
    page.get_by_role("button", name="Use this board").click()
    expect_verdict(page, "Still to draw: 1 cell belongs to no region.")
    page.get_by_label("A board as text").fill("55140000111112222233333444440")
    page.evaluate("navigator.clipboard.writeText('5 1\\nABCDE\\nABCDE\\nABCDE\\nABCDE\\nABCDE')")
    cell(page, 0).focus()
    page.keyboard.press("Control+v")
    expect_regions(page, ("ABCDE",) * 5)


def test_a_finger_draws(phone: Any) -> None:
    open_blank(phone)
    touch(phone, [0, 1, 3, 15])
    expect_regions(phone, ("AAAA..", "...A..", "...A..", "......", "......", "......"))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    for each in phone.locator(".palette button").all():
        assert each.bounding_box()["height"] >= 40
    assert not phone.locator(".by-keys").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_editor_looks_whole(chromium: Any, workbench: str, scheme: str, width: int) -> None:
    for page in open_page(chromium, workbench, color_scheme=scheme, viewport={"width": width, "height": 844}):
        open_editor(page, "eight_by_eight")
        expect_verdict(page, "PASS")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        paper = page.locator(".drawing .draft-fills rect").first.evaluate("each => getComputedStyle(each).fill")
        lightness = sum(int(part) for part in paper.removeprefix("rgb(").rstrip(")").split(",")) / 3
        assert (lightness > 128) == (scheme == "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_playing_and_drawing_are_accessible(chromium: Any, workbench: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for page in open_page(chromium, workbench, color_scheme=scheme):
        go_to_example(page, "starbattle", "two_ways", ".battle .square[aria-label]")
        page.get_by_role("button", name="Unique?").click()
        page.get_by_role("button", name="Step through the proof").click()
        page.wait_for_selector(".step-text")
        played = axe.run(page)
        page.get_by_role("button", name="Edit", exact=True).click()
        page.wait_for_selector(".repair")
        page.get_by_text("From a text").click()
        drawn = axe.run(page)
        for found in (played, drawn):
            assert not [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]]
            assert found.response["passes"]
