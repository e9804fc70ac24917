"""The dungeon page as a person uses it, from the gallery to a finished task."""

from __future__ import annotations

from typing import Any

import pytest

from dungeon.mechanic_levels import keep
from helpers.browser import expect, go_to_example, needs_browser
from helpers.examples import load_example
from solvent.dungeon.drawing.terrain import lay_out
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.notation.text import format_text

pytestmark = needs_browser


def open_example(page: Any, name: str) -> None:
    go_to_example(page, "dungeon", name, ".dungeon-map")


def status(page: Any) -> Any:
    return page.locator(".dungeon-status")


def moves_are(page: Any, number: int) -> None:
    expect(page.locator(".inventory .moves")).to_have_text(f"{number} move{'' if number == 1 else 's'}")


def walk(page: Any, run: str, begun: int = 0) -> None:
    """Press arrow keys, each once the last one is answered, as a person does."""
    keys = {"N": "ArrowUp", "E": "ArrowRight", "S": "ArrowDown", "W": "ArrowLeft"}
    for number, direction in enumerate(run, begun + 1):
        page.keyboard.press(keys[direction])
        moves_are(page, number)


def press(page: Any, name: str, **how: Any) -> None:
    page.get_by_role("button", name=name, **how).click()


def open_dungeon(page: Any, dungeon: Dungeon) -> None:
    """Open a dungeon that is no example, by a link that has all of it."""
    page.goto("about:blank")
    page.goto("")
    link = page.evaluate(
        "async (text) => (await import('/static/share.js')).linkTo('dungeon', text, 'level')", format_text(dungeon)
    )
    page.goto(link)
    page.locator(".dungeon-map").wait_for()


def press_tile(page: Any, dungeon: Dungeon, place: Place) -> None:
    tile = page.evaluate(
        """([x, y]) => { const svg = document.querySelector(".dungeon-map");
                         const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                         return [at.x, at.y]; }""",
        list(lay_out(dungeon).middle(place)),
    )
    page.mouse.click(*tile)


class TestMechanics:
    @pytest.mark.slow
    def test_levers_returns_and_held_plates(self, page: Any) -> None:
        level = keep()
        open_dungeon(page, level)
        expect(page.locator(".switches")).to_have_text("Switches: crystal off, stone off, tide high.")
        walk(page, "EEE")
        expect(page.locator(".switches")).to_contain_text("stone on")
        expect(status(page)).to_have_text("Push a block east, hold stone down (west).")
        walk(page, "SSWSSW", begun=3)
        press(page, "Pull the lever of tide")
        moves_are(page, 10)
        expect(page.locator(".switches")).to_contain_text("tide low")
        page.keyboard.press("e")
        moves_are(page, 11)
        expect(page.locator(".switches")).to_contain_text("tide high")
        press_tile(page, level, (0, 6, 2))
        moves_are(page, 12)
        expect(status(page)).to_have_text("Pull the lever that turns tide to low (pool).")
        page.keyboard.press("r")
        expect(status(page)).to_have_text("Return to the start (west).")
        home = page.locator(".playing button", has_text="Return to the start")
        expect(home).to_be_disabled()
        walk(page, "SEEEEE", begun=13)
        page.keyboard.press("ArrowRight")
        expect(status(page)).to_have_text("East door needs the bow, or 2 bombs and the lamp.")
        home.click()
        moves_are(page, 20)


class TestWalking:
    def test_from_the_gallery_to_the_goal(self, page: Any) -> None:
        page.goto("")
        page.locator('a.example[href$="/dungeon/the_wrong_door"]').click()
        page.locator(".dungeon-map").wait_for()
        walk(page, "E")
        page.keyboard.press("ArrowRight")
        expect(status(page)).to_have_text("That lock needs a key.")
        moves_are(page, 1)
        press(page, "Undo")
        moves_are(page, 0)
        walk(page, "SNEE")
        expect(page.locator(".events")).to_contain_text("Take a key")
        expect(page.locator(".events")).to_contain_text("Open a lock")
        walk(page, "EEESSSS", begun=4)
        expect(status(page)).to_contain_text("You reached the goal in 11 moves.")
        press(page, "Undo")
        moves_are(page, 10)
        press(page, "Redo")
        moves_are(page, 11)
        press(page, "Reset")
        moves_are(page, 0)

    @pytest.mark.slow
    def test_keys_in_hand_and_going_back_to_an_event(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        walk(page, "SN")
        expect(page.get_by_label("1 key")).to_be_visible()
        walk(page, "EE", begun=2)
        expect(page.locator(".inventory")).to_contain_text("nothing in hand")
        page.locator(".event", has_text="Take a key").click()
        moves_are(page, 1)
        page.keyboard.press("Control+z")
        moves_are(page, 4)

    @pytest.mark.slow
    def test_many_keys_at_once_all_count(self, page: Any) -> None:
        open_example(page, "first_door")
        for _ in range(4):
            page.keyboard.press("d")
        moves_are(page, 4)

    @pytest.mark.slow
    def test_a_tile_that_is_pressed_is_walked_to(self, page: Any) -> None:
        open_example(page, "first_door")
        tile = page.evaluate(
            """([x, y]) => { const svg = document.querySelector(".dungeon-map");
                             const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                             return [at.x, at.y]; }""",
            list(lay_out(load_example("dungeon", "first_door")).middle((0, 1, 15))),
        )
        page.mouse.click(*tile)
        expect(page.locator(".events")).to_contain_text("Take a key")
        press(page, "Undo")
        moves_are(page, 0)

    @pytest.mark.slow
    def test_stairs_by_number(self, page: Any) -> None:
        open_example(page, "rooms_on_paper")
        page.keyboard.press("1")
        moves_are(page, 1)
        expect(page.locator(".ways button").first).to_be_visible()


class TestAnswers:
    def test_the_plan_is_played_to_its_end(self, page: Any) -> None:
        open_example(page, "red_and_blue")
        press(page, "Solvable?")
        expect(page.locator(".answer.yes")).to_contain_text("It takes")
        player = page.locator(".player")
        assert player.count() == 0, "no solution is shown unasked"
        assert page.locator(".dungeon-map .lines path").count() == 0
        press(page, "Show the plan")
        player.wait_for()
        page.get_by_label("Speed").select_option("×4")
        player.get_by_role("button", name="Play", exact=True).click()
        expect(player.locator(".progress")).to_contain_text("reach the goal")
        expect(page.locator(".event[aria-current]")).to_contain_text("Reach the goal")
        page.locator(".event").first.click()
        expect(player.locator(".progress")).to_contain_text("take the red key")
        press(page, "Continue from here")
        player.wait_for(state="detached")
        expect(page.get_by_label("1 red key")).to_be_visible()

    @pytest.mark.slow
    def test_a_walk_that_loses_shows_the_moment_of_no_return(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        press(page, "Losable?")
        expect(page.locator(".answer.yes")).to_be_visible()
        assert page.locator(".no-return").count() == 0, "it is told, not shown"
        press(page, "Show the walk")
        page.locator(".player.lost").wait_for()
        assert page.locator(".no-return").count() == 1
        press(page, "To the end")
        expect(page.locator(".player .progress")).to_contain_text("moment of no return")
        expect(page.locator(".dungeon-legend")).to_contain_text("all that can still be reached")
        assert page.locator(".rim").count() == 1
        press(page, "Show the way out")
        expect(page.locator(".player strong")).to_have_text("The way out just before")
        press(page, "To the end")
        expect(page.locator(".player .progress")).to_contain_text("reach the goal")
        page.keyboard.press("Escape")
        page.locator(".player").wait_for(state="detached")

    @pytest.mark.slow
    def test_what_cannot_be_finished_is_said_in_words_and_shown(self, page: Any) -> None:
        open_example(page, "too_late")
        press(page, "Solvable?")
        expect(page.locator(".answer.no")).to_be_visible()
        expect(page.locator(".dungeon-legend")).to_be_hidden()
        press(page, "Show what can be reached")
        expect(page.locator(".dungeon-legend")).to_contain_text("stays shut")
        press(page, "Hint")
        press(page, "Take back", exact=False)
        expect(page.locator(".events")).not_to_contain_text("Open a lock")

    @pytest.mark.slow
    def test_a_fix_is_applied_and_changes_the_verdict(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        press(page, "Explain")
        first = page.locator(".fixes > li").first
        first.wait_for()
        expect(page.locator(".dungeon-legend")).to_contain_text("at once")
        assert page.locator(".dungeon-map .sphere").count() >= 3
        first.get_by_role("button", name="Apply and re-check").click()
        changed = page.locator(".fixed .after")
        expect(changed).to_contain_text("Can be lost")
        expect(changed.locator(".verdict").nth(0)).to_have_text("✗ FAIL")
        expect(changed.locator(".verdict").nth(1)).to_have_text("✓ PASS")
        expect(first).to_be_hidden()  # it is about the dungeon before
        press(page, "Undo")
        expect(first).to_be_visible()
        expect(changed).to_be_hidden()
        press(page, "Losable?")
        expect(page.locator(".answer.yes")).to_be_visible()

    @pytest.mark.slow
    def test_the_heat_map_and_the_rooms(self, page: Any) -> None:
        open_example(page, "the_carousel")
        press(page, "Heat map")
        expect(page.locator(".dungeon-legend")).to_contain_text("Where the search looked")
        assert page.locator(".tints path").count() > 0
        press(page, "Clear the marks")
        assert page.locator(".tints path").count() == 0
        press(page, "Rooms")
        page.locator(".dungeon-map.rooms text").first.wait_for()
        press(page, "Map", exact=True)
        page.locator(".dungeon-map .figure").wait_for()

    @pytest.mark.slow
    def test_a_hint_is_taken(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        walk(page, "S")
        press(page, "Hint")
        expect(page.locator(".hint .warning")).to_contain_text("Careful")
        expect(page.locator(".dungeon-frame .dungeon-map")).to_be_in_viewport(ratio=0.99)
        press(page, "Do it")
        expect(page.locator(".events")).to_contain_text("Open a lock")
        expect(page.locator(".hint")).to_be_hidden()  # it is about an earlier position

    @pytest.mark.slow
    def test_what_is_pressed_in_quick_succession_is_done_in_turn(self, page: Any) -> None:
        """All in one go: the next is pressed before the rules have answered."""
        open_example(page, "the_wrong_door")
        press(page, "Hint")
        page.get_by_role("button", name="Do it").evaluate("(button) => { button.click(); button.click(); }")
        expect(page.locator(".dungeon-status")).to_contain_text("about an earlier position")
        moves_are(page, 1)
        page.locator(".playing").evaluate(
            """(place) => {
                 const named = (name) => [...place.querySelectorAll("button")]
                   .find((each) => each.ariaLabel === name || each.textContent.includes(name));
                 for (const name of ["North", "East", "East", "Undo", "Undo"]) named(name).click(); }"""
        )
        moves_are(page, 2)
        page.get_by_role("button", name="Reset").evaluate(
            """(reset) => { reset.click();
                 [...document.querySelectorAll("button")].find((each) => each.textContent === "Solvable?").click(); }"""
        )
        expect(page.locator(".answer")).to_contain_text("It takes 11 moves.")

    @pytest.mark.slow
    def test_reaching_the_goal_is_timed_marked_and_leads_on(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        press(page, "Hint")
        walk(page, "SNEEEEESSSS")
        card = page.locator(".solved-card")
        expect(card).to_contain_text("Goal reached in")
        expect(card).to_contain_text("11 moves · 1 hint used")
        page.wait_for_url("**/#/at/dungeon/**")
        page.goto("#/")
        solved = page.locator(".example", has_text="The wrong door").locator(".solved-mark")
        expect(solved).to_have_count(1)
        page.go_back()  # to the goal: it is no second time
        expect(page.locator(".solve-session")).to_contain_text("1 hint used")
        expect(card).to_have_count(0)
        press(page, "Reset")
        moves_are(page, 0)
        press(page, "Solvable?")
        press(page, "Show the plan")
        page.get_by_role("slider").fill("11")
        press(page, "Continue from here")
        expect(card).to_contain_text("does not count as solved")
        press(page, "Next dungeon")
        expect(page.locator("h1")).to_have_text("Red and blue")


class TestCanItStillBeWon:
    @pytest.mark.slow
    def test_the_badge_follows_and_the_point_of_no_return_is_announced(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        badge, alarm = page.locator(".win-badge"), page.locator(".no-return-alarm")
        expect(badge).to_have_text("✓ Can still be won")
        walk(page, "SN")
        expect(badge).to_have_text("✓ Can still be won")
        expect(alarm).to_be_empty()
        walk(page, "WW", begun=2)
        expect(badge).to_have_text("✗ Lost: the goal can no longer be reached")
        expect(alarm).to_contain_text(
            "That was the point of no return: you opened the lock at row 2, column 6 with your only key."
        )
        press(page, "Show what can still be reached")
        expect(page.locator(".dungeon-legend")).to_contain_text("stays shut")
        walk(page, "W", begun=4)
        expect(badge).to_contain_text("Lost")
        expect(alarm).to_be_empty()  # it is said once
        press(page, "Undo")
        press(page, "Undo")
        moves_are(page, 3)
        expect(badge).to_have_text("✓ Can still be won")
        press(page, "Redo")
        press(page, "Undo that move")
        moves_are(page, 3)
        expect(badge).to_have_text("✓ Can still be won")

    @pytest.mark.slow
    def test_the_move_is_found_among_many(self, page: Any) -> None:
        level = load_example("dungeon", "the_wrong_door")
        open_dungeon(page, level)
        expect(page.locator(".win-badge")).to_have_text("✓ Can still be won")
        for key in ("ArrowDown", "ArrowUp", *["ArrowLeft"] * 4):
            page.keyboard.press(key)
        alarm = page.locator(".no-return-alarm")
        expect(alarm).to_contain_text("you opened the lock at row 2, column 6 with your only key")
        page.get_by_label("Say after each move").uncheck()
        expect(alarm).to_be_empty()
        expect(page.locator(".win-badge")).to_be_empty()


class TestProofs:
    @pytest.mark.slow
    def test_a_proof_is_stepped_through_on_the_map(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        walk(page, "S")
        press(page, "Losable?")
        press(page, "Step through the proof")
        words = page.locator(".step-text")
        expect(words).to_contain_text("Open a lock. That uses a key. This is the moment of no return.")
        assert page.locator(".rim").count() == 1
        assert page.locator(".dungeon-map .lines path").count() > 0
        press(page, "One step on")
        expect(words).to_contain_text("still led to the goal")
        press(page, "To the end")
        expect(words).to_contain_text("The goal is out of reach.")
        page.locator(".step-text").wait_for()
        press(page, "One step back")
        expect(words).to_contain_text("The lock at row 2, column 10 stays shut.")
        expect(page.locator(".dungeon-legend")).to_contain_text("what can be reached then")
        press(page, "Close", exact=True)
        expect(page.locator(".dungeon-legend")).to_be_hidden()
        moves_are(page, 1)
        page.locator(".dungeon-frame").focus()  # closing it left the focus on the button that opened it
        walk(page, "N", begun=1)


class TestWatching:
    @pytest.mark.slow
    def test_a_search_is_watched_step_by_step(self, page: Any) -> None:
        open_example(page, "keys_to_spare")
        press(page, "Watch the search")
        player = page.locator(".player")
        player.wait_for()
        press(page, "To the end")
        expect(player.locator(".progress")).to_contain_text("expand row")
        assert page.locator(".situation").count() > 2
        whole = page.locator(".tints path").count()
        page.locator(".situation").nth(1).focus()
        page.keyboard.press("Enter")
        assert page.locator(".dungeon-map .marks circle").count() > 0
        press(page, "To the beginning")
        press(page, "One step on")
        expect(player.locator(".progress")).to_contain_text("Step 1 of")
        assert page.locator(".situation").count() == 1
        assert page.locator(".tints path").count() < whole
        expect(page.locator(".answer.pass")).to_be_visible()
        assert page.locator(".dungeon-map .lines path").count() == 0, "no plan is drawn unasked"
        press(page, "Close", exact=True)
        expect(page.locator(".playing")).to_be_visible()


class TestTheMap:
    @pytest.mark.slow
    def test_rulers_stay_in_sight_and_a_legend_names_the_signs(self, page: Any) -> None:
        open_example(page, "the_wrong_door")
        columns = page.locator(".rulers .column")
        assert columns.all_text_contents() == [str(column) for column in range(17)]
        assert page.locator(".rulers .row").all_text_contents() == [str(row) for row in range(8)]
        lock = page.evaluate(
            """() => { const box = (found) => found.getBoundingClientRect();
                       const column = [...document.querySelectorAll(".rulers .column")][6];
                       const gate = box(document.querySelector(".gate"));
                       return Math.abs(box(column).x + box(column).width / 2 - gate.x - gate.width / 2); }"""
        )
        assert lock < 8, "column 6 of the ruler is the one of the words"
        for _ in range(4):
            press(page, "Closer")
        frame, first = page.locator(".dungeon-map").bounding_box(), columns.first.bounding_box()
        assert 0 < columns.count() < 17
        assert frame["y"] - 3 <= first["y"] <= frame["y"] + 30
        legend = page.locator(".sign-legend")
        expect(legend).to_contain_text("lock: takes a key")
        legend.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(legend.locator("li").first).to_be_hidden()

    @pytest.mark.slow
    def test_the_map_is_dark_on_a_dark_page(self, page: Any) -> None:
        page.emulate_media(color_scheme="dark")
        open_example(page, "the_carousel")
        for view, shapes in (("Map", ".dungeon-map .ground path"), ("Rooms", ".dungeon-map.rooms rect")):
            press(page, view, exact=True)
            page.locator(shapes).first.wait_for()
            light = page.evaluate(
                """(shapes) => [".dungeon-map", shapes].flatMap((each) => [...document.querySelectorAll(each)])
                     .map((each) => getComputedStyle(each)).flatMap((style) => [style.fill, style.backgroundColor])
                     .filter((paint) => Math.min(...(paint.match(/\\d+/g) ?? [0]).slice(0, 3).map(Number)) > 225)""",
                shapes,
            )
            assert light == [], f"{view} has a white slab"


class TestAround:
    @pytest.mark.slow
    def test_rules_are_changed_and_kept_in_the_link(self, page: Any) -> None:
        open_example(page, "first_door")
        page.get_by_text("Rules", exact=True).click()
        page.get_by_label("keys carried at the start").fill("3")
        press(page, "Play by these rules")
        expect(page.get_by_label("3 keys")).to_be_visible()
        walk(page, "E")
        press(page, "Copy link")
        page.wait_for_function("() => navigator.clipboard.readText().then((text) => text.includes('#/at/'))")
        link = page.evaluate("() => navigator.clipboard.readText()")
        page.goto("about:blank")
        page.goto(link)
        moves_are(page, 1)
        expect(page.get_by_label("3 keys")).to_be_visible()

    @pytest.mark.slow
    def test_a_new_one_is_made_and_walked_in(self, page: Any) -> None:
        open_example(page, "first_door")
        page.get_by_text("Make a new dungeon").click()
        page.locator(".generating input[name=seed]").fill("4")
        page.get_by_label("how many rooms").fill("5")
        page.get_by_label("how many locked doors").fill("1")
        press(page, "Make it")
        page.wait_for_url("**/#/at/dungeon/**")
        expect(page.locator("h1")).not_to_contain_text("first door")  # the page stays until the next one is ready
        page.locator(".dungeon-map").wait_for()
        moves_are(page, 0)
        press(page, "Solvable?")
        page.locator(".answer.yes").wait_for()

    @pytest.mark.slow
    def test_zoom_and_pan(self, page: Any) -> None:
        open_example(page, "up_and_down")
        board = page.locator(".dungeon-map")
        whole = board.get_attribute("viewBox")
        press(page, "Closer")
        closer = board.get_attribute("viewBox")
        assert closer != whole
        box = board.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle)
        page.mouse.wheel(0, -300)
        page.wait_for_function(
            "(was) => document.querySelector('.dungeon-map').getAttribute('viewBox') !== was", arg=closer
        )
        near = board.get_attribute("viewBox")
        page.mouse.down()
        page.mouse.move(middle[0] - 60, middle[1] - 60, steps=4)
        page.mouse.up()
        assert board.get_attribute("viewBox") != near
        moves_are(page, 0)  # a drag is no press
        page.keyboard.press("0")
        assert board.get_attribute("viewBox") == whole
        press(page, "attic")
        assert board.get_attribute("viewBox") != whole

    @pytest.mark.slow
    def test_on_a_phone(self, phone: Any) -> None:
        open_example(phone, "the_wrong_door")
        for number, name in enumerate(("South", "North", "East", "East"), 1):
            phone.get_by_role("button", name=name).tap()
            moves_are(phone, number)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.get_by_role("button", name="Solvable?").tap()
        phone.get_by_role("button", name="Show the plan").tap()
        phone.locator(".player").wait_for()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    @pytest.mark.slow
    def test_on_a_phone_hints_and_proofs_are_read_beside_the_map(self, phone: Any) -> None:
        def in_sight(*selectors: str) -> None:
            for selector in selectors:
                expect(phone.locator(selector).first).to_be_in_viewport(ratio=0.99)

        open_example(phone, "the_wrong_door")
        phone.get_by_role("button", name="Losable?").tap()
        phone.get_by_role("button", name="Step through the proof").tap()
        expect(phone.locator(".step-text")).not_to_be_empty()
        in_sight(".dungeon-frame .dungeon-map", ".step-text", ".proof-steps .toggle")
        phone.get_by_role("button", name="Close", exact=True).tap()
        expect(phone.locator(".beside-proof")).to_have_count(0)
        phone.get_by_role("button", name="Hint").tap()
        in_sight(".hint")
        expect(phone.locator(".dungeon-frame .dungeon-map")).to_be_in_viewport(ratio=0.6)
        phone.get_by_role("button", name="Hint").tap()
        expect(phone.locator(".jobs")).to_be_empty()
        expect(phone.locator(".hint:visible")).to_have_count(1)
