"""The dungeon editor as a designer uses it: by mouse, by finger, and by keys alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import SCREENS, SOME_SCREENS, expect, needs_browser, open_page
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import Place
from solvent.dungeon.notation.text import parse_text

pytestmark = [needs_browser, pytest.mark.slow]

PAPER = {"light": "rgb(252, 251, 248)", "dark": "rgb(27, 27, 27)"}


@pytest.fixture(params=SOME_SCREENS)
def sight(request: pytest.FixtureRequest, chromium: Any, workbench: str) -> Iterator[tuple[str, Any]]:
    """A page on a desk and one in the hand, in light and in dark."""
    for page in open_page(chromium, workbench, **SCREENS[request.param]):
        yield request.param, page


def begin(page: Any, template: str = "An empty room") -> None:
    """Begin from a template, as the gallery offers it."""
    page.goto("about:blank")
    page.goto("#/draw/dungeon")
    page.get_by_role("link", name=template).click()
    drawn(page)


def drawn(page: Any) -> None:
    """Wait until the editor shows a level that cannot be lost."""
    page.locator(".edit-frame .dungeon-map").wait_for()
    verdicts(page, "PASS", "PASS")


def verdicts(page: Any, solvable: str, losable: str) -> None:
    """Wait until both verdicts are there and are these."""
    for question, status in (("solvable", solvable), ("losable", losable)):
        expect(page.locator(f"[data-question={question}] .verdict")).to_contain_text(status)


def status(page: Any) -> Any:
    return page.locator(".dungeon-editor .dungeon-status")


def tile_at(page: Any, place: Place) -> tuple[float, float]:
    """Return where the middle of a tile is on the screen."""
    found = page.evaluate(
        """([row, column]) => {
             const svg = document.querySelector(".edit-frame .dungeon-map");
             const box = document.querySelector(".edit-cursor rect").getBBox();
             const [r, c] = document.querySelector(".tile-words").textContent.match(/\\d+/g).map(Number);
             const x = box.x + (column - c + 0.5) * box.width, y = box.y + (row - r + 0.5) * box.height;
             const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
             return [at.x, at.y]; }""",
        list(place[1:]),
    )
    return found[0], found[1]


def press(page: Any, place: Place) -> None:
    page.mouse.click(*tile_at(page, place))


def drag(page: Any, *places: Place) -> None:
    """Drag over tiles by the shortest way from each to the next."""
    page.mouse.move(*tile_at(page, places[0]))
    points = [tile_at(page, place) for place in places]
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point, steps=3)
    page.mouse.up()


def brush(page: Any, name: str) -> None:
    page.locator(".palette").get_by_role("button", name=name, exact=True).click()


class Finger:
    """A finger on the glass; Playwright's own taps and never drags."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.glass = page.context.new_cdp_session(page)

    def touch(self, kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def look(self) -> None:
        self.page.locator(".edit-bar").evaluate("(bar) => bar.scrollIntoView()")

    def press(self, place: Place) -> None:
        self.look()
        self.page.touchscreen.tap(*tile_at(self.page, place))

    def drag(self, first: Place, last: Place) -> None:
        self.look()
        begin, end = tile_at(self.page, first), tile_at(self.page, last)
        self.touch("touchStart", *begin)
        for part in range(1, 7):
            self.touch("touchMove", *(one + (other - one) * part / 6 for one, other in zip(begin, end, strict=True)))
        self.touch("touchEnd")

    def click(self, found: Any) -> None:
        found.tap()


class Mouse:
    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, place: Place) -> None:
        press(self.page, place)

    def drag(self, first: Place, last: Place) -> None:
        drag(self.page, first, last)

    def click(self, found: Any) -> None:
        found.click()


def hand_of(sight: str, page: Any) -> Finger | Mouse:
    return Finger(page) if sight.startswith("phone") else Mouse(page)


def text_of(page: Any) -> str:
    page.evaluate("() => new Promise((done) => setTimeout(done, 400))")  # until the address follows
    found: str = page.evaluate(
        "async () => (await import('/static/share.js')).textFrom(decodeURIComponent(location.hash.split('/')[3]))"
    )
    return found


def choose(page: Any, file: Path) -> None:
    """Open a file by the button for it."""
    page.goto("#/open")
    page.locator("input[type=file]").first.set_input_files(file)


def drop(page: Any, file: Path) -> None:
    """Drop a file on the map."""
    page.locator(".edit-frame").evaluate(
        """(frame, [name, text]) => {
             const dataTransfer = new DataTransfer();
             dataTransfer.items.add(new File([text], name));
             for (const kind of ["dragenter", "dragover", "drop"])
               frame.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })); }""",
        [file.name, file.read_text()],
    )


class TestDrawing:
    @pytest.mark.parametrize("sight", SCREENS, indirect=True)
    def test_paint_a_dungeon_that_can_be_lost_fix_it_and_take_it_to_tiled(
        self, sight: tuple[str, Any], tmp_path: Path
    ) -> None:
        name, page = sight
        hand = hand_of(*sight)

        def take(brush: str) -> None:
            hand.click(page.locator(".palette").get_by_role("button", name=brush, exact=True))

        begin(page, "A blank dungeon")
        take("Wall")
        hand.drag((0, 1, 10), (0, 13, 10))
        verdicts(page, "FAIL", "FAIL")
        hand.drag((0, 3, 1), (0, 3, 9))
        take("Lock")
        hand.press((0, 7, 10))
        hand.press((0, 3, 5))
        take("Key")
        hand.press((0, 9, 3))
        verdicts(page, "PASS", "FAIL")
        expect(page.locator("[data-question=losable]")).to_contain_text("moment of no return")
        expect(page.locator(".edit-frame .lines path").first).to_be_attached()
        expect(page.locator(".edit-frame .no-return")).to_be_attached()
        expect(page.locator(".edit-frame .dungeon-map")).to_have_css("background-color", PAPER[name.partition("-")[2]])
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        if name.startswith("phone"):
            expect(page.locator(".verdict-chips")).to_have_text("Solvable ✓ PASSLosable ✗ FAIL")
        hand.click(page.locator(".fix").filter(has_text="Put a key in").first)
        verdicts(page, "PASS", "PASS")
        expect(page.locator(".edit-frame .no-return")).to_have_count(0)
        expect(page.locator("[data-question=losable] .verdict")).to_have_class("verdict pass")
        painted = parse_text(text_of(page))
        assert len(painted.gates) == len(painted.pickups) == 2
        with page.expect_download() as saved:
            hand.click(page.get_by_role("button", name="Tiled, JSON"))
        file = tmp_path / "level.tmj"
        saved.value.save_as(file)
        assert "layers" in json.loads(file.read_text())
        assert FORMATS.parse(file.read_text()) == painted
        (choose if name.startswith("phone") else drop)(page, file)
        hand.click(page.locator(".modes [data-mode=edit][aria-pressed=false]"))
        verdicts(page, "PASS", "PASS")
        assert parse_text(text_of(page)) == painted

    def test_a_stroke_that_changes_nothing_is_no_step(self, page: Any) -> None:
        begin(page)
        brush(page, "Wall")
        press(page, (0, 0, 3))
        expect(status(page)).to_have_text("It is wall already.")
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
        press(page, (0, 1, 3))
        expect(page.locator(".tile-words")).to_have_text("Row 1, column 3: wall.")
        page.mouse.move(*tile_at(page, (0, 3, 10)))
        page.keyboard.down("Alt")
        press(page, (0, 3, 10))
        page.keyboard.up("Alt")
        expect(page.locator(".brush[aria-pressed=true]")).to_have_attribute("data-word", "goal")
        expect(page.locator(".tile-words")).to_have_text("Row 3, column 10: floor, goal.")
        brush(page, "Soft door")
        press(page, (0, 2, 3))
        expect(status(page)).to_contain_text("Name a room first")
        brush(page, "Plate")
        press(page, (0, 2, 4))
        expect(status(page)).to_have_text("Switch \"a\" at row 2, column 4. Nothing asks about the switch 'a'.")
        brush(page, "Held plate")
        press(page, (0, 2, 6))
        expect(status(page)).to_have_text("Held switch \"b\" at row 2, column 6. Nothing asks about the switch 'b'.")

    def test_undo_copy_move_connect_and_properties(self, page: Any) -> None:
        begin(page)
        brush(page, "Key")
        page.locator(".brush-options input[name=colour]").fill("red")
        press(page, (0, 1, 1))
        expect(status(page)).to_contain_text('Key "red" at row 1, column 1')
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.locator(".tile-words")).to_have_text("Row 1, column 1: floor.")
        page.get_by_role("button", name="Redo", exact=True).click()
        expect(page.locator(".tile-words")).to_have_text("Row 1, column 1: floor, key red.")
        page.locator(".thing input[name=colour]").fill("blue")
        page.locator(".thing").get_by_role("button", name="Change").click()
        expect(page.locator(".tile-words")).to_have_text("Row 1, column 1: floor, key blue.")
        page.get_by_role("button", name="Select", exact=True).click()
        drag(page, (0, 1, 1), (0, 2, 2))
        drag(page, (0, 1, 1), (0, 1, 4))
        expect(status(page)).to_contain_text("Moved to row 1, column 4")
        page.keyboard.press("Control+c")
        press(page, (0, 4, 4))
        page.keyboard.press("Control+v")
        expect(status(page)).to_contain_text("Pasted at row 4, column 4")
        page.mouse.move(*tile_at(page, (0, 5, 2)))
        page.keyboard.press("Control+v")
        expect(status(page)).to_contain_text("Pasted at row 5, column 2")  # where the mouse points
        page.keyboard.press("Control+z")
        brush(page, "Stairs")
        press(page, (0, 1, 9))
        press(page, (0, 5, 9))
        expect(status(page)).to_contain_text("Connected")
        brush(page, "Warp")
        drag(page, (0, 1, 8), (0, 5, 8))
        expect(status(page)).to_have_text("Connected row 1, column 8 and row 5, column 8.")
        brush(page, "Plate")
        press(page, (0, 5, 1))
        page.get_by_role("button", name="Connect", exact=True).click()
        press(page, (0, 5, 1))
        press(page, (0, 3, 8))
        expect(status(page)).to_contain_text("worked by a")
        page.get_by_role("button", name="Fill", exact=True).click()
        brush(page, "Water")
        page.get_by_role("button", name="Fill", exact=True).click()
        press(page, (0, 5, 5))
        expect(status(page)).to_contain_text("The start stays")
        dungeon = parse_text(text_of(page))
        assert [pickup.place for pickup in dungeon.pickups] == [(0, 1, 4), (0, 4, 4)]
        assert "~" in dungeon.floors[0].terrain[4]

    def test_resizing_says_what_it_would_cut_off(self, page: Any) -> None:
        begin(page)
        brush(page, "Monster")
        press(page, (0, 5, 5))
        expect(status(page)).to_contain_text("Monster at")
        page.locator("summary", has_text="Size").click()
        page.locator("input[name=south]").fill("-2")
        page.get_by_role("button", name="Resize").click()
        expect(status(page)).to_contain_text("That would cut off 1 monster")
        page.locator("input[name=cut]").check()
        page.get_by_role("button", name="Resize").click()
        expect(status(page)).to_contain_text("The size is changed")
        assert len(parse_text(text_of(page)).floors[0].terrain) == 5

    def test_a_format_that_cannot_hold_it_says_why(self, page: Any) -> None:
        begin(page)
        page.get_by_role("button", name="Graph of rooms").click()
        expect(page.locator(".sections [role=status]").last).to_contain_text("cannot hold maps of more than one tile")


class TestByKeysAlone:
    def test_the_same_without_a_mouse(self, page: Any, tmp_path: Path) -> None:
        keys = page.keyboard
        file = tmp_path / "level.tmj"
        page.on("filechooser", lambda chooser: chooser.set_files(file))

        def tab_to(what: str) -> None:
            """Press Tab until something that a selector finds has the focus."""
            for _ in range(120):
                keys.press("Tab")
                if page.evaluate("(what) => document.activeElement.matches(what)", what):
                    return
            raise AssertionError(f"the Tab key does not get to {what}")

        def go(run: str) -> None:
            for letter in run:
                keys.press({"N": "ArrowUp", "E": "ArrowRight", "S": "ArrowDown", "W": "ArrowLeft"}[letter])

        page.goto("#/draw/dungeon")
        page.get_by_role("link", name="An empty room").wait_for()
        tab_to("main a.example")
        keys.press("Enter")
        drawn(page)
        tab_to(".edit-frame")
        go("NNEEEEE")
        expect(status(page)).to_have_text("Row 1, column 6: floor.")
        keys.press("2")
        keys.down("Shift")
        go("SSSS")
        keys.up("Shift")
        expect(status(page)).to_contain_text("5 tiles: wall")
        verdicts(page, "FAIL", "FAIL")
        go("NN")
        keys.press("l")
        keys.press("Enter")
        expect(status(page)).to_contain_text("Lock at row 3, column 6")
        go("WWWWWN")
        keys.press("r")
        keys.press("2")
        keys.press("Enter")
        go("EEEE")
        keys.press("Enter")
        expect(status(page)).to_contain_text("5 tiles: wall")
        keys.press("q")
        go("WW")
        keys.press("l")
        keys.press("Space")
        expect(status(page)).to_contain_text("Lock at row 2, column 3")
        go("SSW")
        keys.press("k")
        keys.press("Space")
        verdicts(page, "PASS", "FAIL")
        page.locator(".fix").first.wait_for()
        tab_to(".fix")
        keys.press("Enter")
        verdicts(page, "PASS", "PASS")
        keys.press("Control+z")
        verdicts(page, "PASS", "FAIL")
        keys.press("Control+y")
        verdicts(page, "PASS", "PASS")
        painted = parse_text(text_of(page))
        tab_to("[data-format=tmj]")
        with page.expect_download() as saved:
            keys.press("Enter")
        saved.value.save_as(file)
        assert FORMATS.parse(file.read_text()) == painted
        tab_to("a[href='#/open']")
        keys.press("Enter")
        page.locator("input[type=file]").first.wait_for(state="attached")
        tab_to("button:has(+ input[type=file])")
        keys.press("Enter")
        page.locator(".modes").wait_for()
        tab_to("[data-mode=edit]")
        keys.press("Enter")
        drawn(page)
        assert parse_text(text_of(page)) == painted


class TestOnAPhone:
    def test_one_finger_draws_and_nothing_is_wider_than_the_screen(self, phone: Any) -> None:
        begin(phone)
        assert phone.evaluate("() => document.documentElement.scrollWidth") <= 390
        phone.locator(".palette").get_by_role("button", name="Water", exact=True).tap()
        phone.locator(".edit-frame").scroll_into_view_if_needed()
        phone.touchscreen.tap(*tile_at(phone, (0, 2, 4)))
        expect(status(phone)).to_contain_text("Water at row 2, column 4")
        verdicts(phone, "PASS", "PASS")
        small = phone.evaluate(
            """() => [...document.querySelectorAll(".dungeon-editor button")].filter((each) => each.offsetParent)
                       .filter((each) => Math.min(each.offsetWidth, each.offsetHeight) < 40)
                       .map((each) => each.title || each.textContent)"""
        )
        assert small == []
