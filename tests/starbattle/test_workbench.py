"""Star Battle in the browser, as people play it: pointing, keys and touch, hints, the way to the end, new boards."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

import solvent
from helpers.browser import PATIENCE, expect, go_to_example, needs_browser
from helpers.examples import load_example
from solvent.starbattle import DOMAIN

pytestmark = needs_browser


example = partial(load_example, "starbattle")


def solution(name: str) -> list[int]:
    """Return the cells of the stars."""
    puzzle = example(name)
    certificate = solvent.ask(puzzle, "solvable").certificate
    assert certificate is not None
    return [row * puzzle.size + col for row, col in certificate["stars"]]


def open_example(page: Any, name: str) -> None:
    go_to_example(page, "starbattle", name, ".battle .square[aria-label]")


def cell(page: Any, number: int) -> Any:
    return page.locator(f'.battle.playable .square[data-cell="{number}"]')


def expect_marks(page: Any, marks: dict[int, str]) -> None:
    """Wait until these cells, and no others, are marked."""
    for number, mark in marks.items():
        expect(cell(page, number)).to_have_attribute("data-mark", mark, timeout=PATIENCE)
    expect(page.locator('.battle.playable .square:not([data-mark="."])')).to_have_count(len(marks), timeout=PATIENCE)


def expect_text(page: Any, selector: str, text: str) -> None:
    expect(page.locator(selector)).to_contain_text(text, timeout=PATIENCE)


def click(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def middle(page: Any, number: int) -> tuple[float, float]:
    box = cell(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, *cells: int) -> None:
    page.mouse.move(*middle(page, cells[0]))
    page.mouse.down()
    for number in cells[1:]:
        page.mouse.move(*middle(page, number))
    page.mouse.up()


# Playing


def test_from_the_gallery_to_a_finished_board_with_the_mouse(page: Any) -> None:
    page.goto("")
    page.locator('.example[href="#/example/starbattle/first_stars"]').click()
    page.wait_for_selector(".battle .square[aria-label]")
    for number in solution("first_stars"):
        cell(page, number).click()
        cell(page, number).click()
    expect_text(page, ".status", "Solved")
    page.wait_for_selector(".stage.solved")


@pytest.mark.slow
def test_a_board_is_finished_with_the_keyboard(page: Any) -> None:
    open_example(page, "six_by_six")
    cell(page, 0).focus()
    at = 0
    for number in sorted(solution("six_by_six")):
        down, right = number // 6 - at // 6, number % 6 - at % 6
        for key, times in (("ArrowDown", down), ("ArrowRight", right), ("ArrowLeft", -right)):
            for _ in range(times):
                page.keyboard.press(key)
        page.keyboard.press("s" if number % 2 else "*")
        at = number
    expect_text(page, ".status", "Solved")


@pytest.mark.slow
def test_keys_mark_clear_and_cycle(page: Any) -> None:
    open_example(page, "six_by_six")
    cell(page, 7).focus()
    page.keyboard.press("x")
    expect_marks(page, {7: "x"})
    page.keyboard.press("Backspace")
    expect_marks(page, {})
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect_marks(page, {7: "*"})
    page.keyboard.press("Space")
    expect_marks(page, {})


@pytest.mark.slow
def test_a_board_is_finished_by_touch(phone: Any) -> None:
    open_example(phone, "first_stars")
    for number in solution("first_stars"):
        cell(phone, number).tap()
        cell(phone, number).tap()
    expect_text(phone, ".status", "Solved")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_click_goes_from_cross_to_star_to_empty_and_the_right_button_stars(page: Any) -> None:
    open_example(page, "six_by_six")
    for mark in ("x", "*", "."):
        cell(page, 8).click()
        expect_marks(page, {} if mark == "." else {8: mark})
    page.get_by_role("button", name="↶ Undo", disabled=True).wait_for()  # back where it began: nothing to undo
    cell(page, 20).click(button="right")
    expect_marks(page, {20: "*"})


@pytest.mark.slow
def test_dragging_crosses_many_cells_and_wipes_them_out(page: Any) -> None:
    open_example(page, "six_by_six")
    drag(page, 0, 3, 21)
    expect_marks(page, dict.fromkeys((0, 1, 2, 3, 9, 15, 21), "x"))
    drag(page, 3, 1)
    expect_marks(page, dict.fromkeys((0, 9, 15, 21), "x"))
    page.keyboard.press("Control+z")
    expect_marks(page, dict.fromkeys((0, 1, 2, 3, 9, 15, 21), "x"))


@pytest.mark.slow
def test_a_finger_crosses_many_cells(phone: Any) -> None:
    open_example(phone, "six_by_six")
    touch = phone.context.new_cdp_session(phone)
    points = [dict(zip(("x", "y"), middle(phone, number), strict=True)) for number in (0, 1, 3, 15)]
    for kind, at in [("touchStart", points[:1]), *(("touchMove", [point]) for point in points[1:]), ("touchEnd", [])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    expect_marks(phone, dict.fromkeys((0, 1, 2, 3, 9, 15), "x"))
    assert phone.evaluate("window.scrollY") == 0


@pytest.mark.slow
def test_steps_are_undone_and_done_again(page: Any) -> None:
    open_example(page, "six_by_six")
    cell(page, 0).click()
    cell(page, 0).click()
    cell(page, 30).click()
    expect_marks(page, {0: "*", 30: "x"})
    click(page, "↶ Undo")
    expect_marks(page, {0: "*"})
    page.keyboard.press("Control+z")  # a cross that became a star was one step
    expect_marks(page, {})
    page.keyboard.press("Control+y")
    click(page, "↷ Redo")
    expect_marks(page, {0: "*", 30: "x"})
    click(page, "Start over")
    expect_marks(page, {})
    page.keyboard.press("Control+z")
    expect_marks(page, {0: "*", 30: "x"})


@pytest.mark.slow
def test_crosses_follow_automatically_if_wished_and_that_is_remembered(page: Any) -> None:
    open_example(page, "six_by_six")
    page.get_by_label("cross neighbours automatically").check()
    cell(page, 29).click(button="right")  # r5c6
    crossed = {24, 25, 26, 27, 28, 5, 11, 17, 23, 35, 22, 34}  # its row, its column, and what it touches
    expect_marks(page, {29: "*", **dict.fromkeys(crossed, "x")})
    page.wait_for_url(re.compile("#/at/"))  # the address follows the position
    page.reload()
    page.wait_for_selector(".battle .square[aria-label]")
    assert page.get_by_label("cross neighbours automatically").is_checked()
    expect_marks(page, {29: "*", **dict.fromkeys(crossed, "x")})
    cell(page, 29).click()
    expect_marks(page, {})


@pytest.mark.slow
def test_stars_that_touch_are_marked_told_and_in_nobodys_way(page: Any) -> None:
    open_example(page, "six_by_six")
    cell(page, 0).click(button="right")
    cell(page, 7).click(button="right")
    expect_text(page, ".status", "The stars on r1c1 and r2c2 touch.")
    assert page.locator(".battle .star.wrong").count() == 2
    assert page.locator(".battle .fault").count() == 2
    assert page.locator(".battle .link").count() == 1
    page.locator('.letter.wrong[data-unit="region A"]').wait_for()
    click(page, "Check")
    expect_text(page, ".trouble", "The stars on r1c1 and r2c2 touch. Take a star back first.")
    page.keyboard.press("Control+z")
    expect_marks(page, {0: "*"})
    assert page.locator(".battle .star.wrong").count() == 0


@pytest.mark.slow
def test_a_row_without_room_is_hatched(page: Any) -> None:
    open_example(page, "six_by_six")
    drag(page, 0, 5)
    expect_text(page, ".status", "Row 1 needs 1 more star and has no cell left.")
    page.locator('.number.wrong[data-unit="row 1"]').wait_for()
    assert page.locator(".battle .hatching rect").count() == 6


# Help


def levels(page: Any) -> list[str]:
    return [each.get_attribute("data-level") for each in page.locator(".hint [data-level]").all()]


@pytest.mark.slow
def test_a_hint_tells_one_thing_at_a_time_and_is_taken(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Hint")
    page.wait_for_selector(".hint [data-level=where]")
    assert levels(page) == ["where"]
    assert page.locator('.letter.play[data-unit="region C"]').count() == 1
    assert page.locator(".battle .cause, .battle .block, .battle .removal").count() == 0
    click(page, "Hint: technique")
    assert levels(page) == ["where", "technique"]
    assert page.locator(".battle .cause, .battle .block, .battle .removal").count() == 0
    click(page, "Hint: cells")
    assert levels(page) == ["where", "technique", "caption"]
    assert page.locator(".battle .cause").count() == 2
    assert page.locator(".battle .block").count() == 1
    assert page.locator(".battle .removal").count() == 4
    click(page, "Hint: proof")
    assert levels(page) == ["where", "technique", "caption", "proof"]
    first = next(iter(solvent.hints(example("six_by_six"), all=True)))
    expect(page.locator(".hint .proof li")).to_have_text((first.proof or "").splitlines())
    expect_text(page, ".hint .checked", "Checked: explained step.")
    expect_text(page, ".hint .same", "solvent hint six_by_six.txt")
    click(page, "Apply")
    expect_marks(page, dict.fromkeys((10, 11, 22, 23), "x"))
    assert page.locator(".hint [data-level], .battle .removal").count() == 0
    page.keyboard.press("Control+z")
    expect_marks(page, {})


def test_check_says_that_marks_are_right_or_which_one_is_wrong_and_why(page: Any) -> None:
    open_example(page, "half_played")
    click(page, "Check")
    expect_text(page, ".hint", "Right so far")
    open_example(page, "wrong_mark")
    click(page, "Check")
    expect_text(page, ".hint", "The mark on r4c6 is wrong: it cannot be a star.")
    first = next(iter(solvent.hints(example("wrong_mark"))))
    expect(page.locator(".hint .proof li")).to_have_text((first.proof or "").splitlines())
    assert page.locator(".battle .ring").count() == 1
    click(page, "Take that mark back")
    page.wait_for_selector('.square[data-cell="29"][data-mark="."]')


@pytest.mark.slow
def test_a_board_that_cannot_be_solved_and_one_with_two_solutions_are_told_so(page: Any) -> None:
    open_example(page, "no_room")
    click(page, "Hint")
    expect_text(page, ".hint", "This board has no solution, even without marks.")
    open_example(page, "two_ways")
    click(page, "Hint")
    expect_text(page, ".hint .news", "This board has more than one solution.")
    page.wait_for_selector(".hint [data-level=where]")


@pytest.mark.slow
def test_the_way_to_the_end_is_walked_with_a_slider_and_graded(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Walk through")
    expect_text(page, ".walk .progress", "Step 1 of 21")
    page.wait_for_selector("text=/^Step 1 of 21$/")
    expect_marks(page, {})
    click(page, "One step on")
    expect_text(page, ".walk .text-of-step", "r5c6 is a star")
    expect_marks(page, dict.fromkeys((10, 11, 22, 23), "x"))
    slider = page.get_by_label("Step", exact=True)
    slider.focus()
    page.keyboard.press("End")
    expect_text(page, ".walk .text-of-step", "The board is solved.")
    assert DOMAIN.hints is not None
    assert DOMAIN.hints.grade is not None
    grade = DOMAIN.hints.grade(list(solvent.hints(example("six_by_six"), path=True)))
    expect_text(page, ".walk .graded", f"Grade: {grade}.")
    assert page.locator('.battle .square[data-mark="*"]').count() == 6
    page.keyboard.press("Home")
    expect_marks(page, {})
    page.locator(".walk").get_by_role("button", name="Play", exact=True).click()
    expect_text(page, ".walk .progress", "Step 2 of 21")
    click(page, "Pause")
    cell(page, 0).click()
    expect_text(page, "#notices", "Go back to your marks to play on.")
    click(page, "Back to my marks")
    expect_marks(page, {})


@pytest.mark.slow
def test_playing_on_from_a_step_of_the_way(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Walk through")
    page.wait_for_selector("text=/^Step 1 of 21$/")
    click(page, "One step on")
    click(page, "Play on from here")
    expect_marks(page, dict.fromkeys((10, 11, 22, 23), "x"))
    assert page.locator(".walk").is_hidden()


@pytest.mark.slow
def test_the_grade_is_that_of_the_whole_board(page: Any) -> None:
    open_example(page, "half_played")
    click(page, "Grade")
    expect_text(page, ".graded", "Grade: ")
    expect_text(page, ".graded", "the hardest is")


# Answers, new boards, links


@pytest.mark.slow
def test_an_answer_is_drawn_on_the_board_when_asked_for_and_until_it_is_hidden(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Unique?")
    page.wait_for_selector(".answer.yes")
    assert page.locator(".battle .star.found").count() == 0  # the verdict alone gives nothing away
    click(page, "Show it on the board")
    assert page.locator(".battle .star.found").count() == 6
    expect_marks(page, {})
    page.locator(".banner").get_by_role("button", name="Hide").click()
    assert page.locator(".battle .star.found").count() == 0
    click(page, "Show it on the board")
    page.keyboard.press("Escape")
    assert page.locator(".battle .star.found").count() == 0
    cell(page, 0).click()
    expect_marks(page, {0: "x"})
    show_it = page.get_by_role("button", name="Show it on the board")
    if show_it.count():
        show_it.click()
        expect_text(page, "#notices", "The board has changed since this answer.")
    assert page.locator(".battle .star.found").count() == 0


@pytest.mark.slow
def test_two_solutions_stand_side_by_side(page: Any) -> None:
    open_example(page, "two_ways")
    click(page, "Unique?")
    page.wait_for_selector(".answer.no")
    assert page.locator(".two .battle").count() == 0
    click(page, "Show both")
    assert page.locator(".two .battle").count() == 2
    assert page.locator(".two .ring").count() == 8
    page.locator(".banner").get_by_role("button", name="Hide").click()
    assert page.locator(".battle.playable").count() == 1


@pytest.mark.slow
def test_a_proof_is_stepped_through_on_the_board(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Unique?")
    click(page, "Step through the proof")
    expect_text(page, ".step-text", "Here is a solution. Suppose there is another")
    assert page.locator(".battle .star.placed").count() == 6
    page.locator(".proof-steps").get_by_role("button", name="One step on").click()
    expect_text(page, ".step-text", "r6c6 has no star: with a star there, the stars find no room in regions C and E")
    assert page.locator(".battle .removal").count() == 1
    assert page.locator(".letter.play").count() == 2
    page.locator(".proof-steps").get_by_role("button", name="One step on").click()
    expect(cell(page, 35)).to_have_attribute("data-mark", "x")
    cell(page, 0).click()
    expect_text(page, "#notices", "Close it to play on.")
    page.keyboard.press("Escape")
    expect_marks(page, {})


@pytest.mark.slow
def test_notes_and_colours_are_made_undone_and_kept(page: Any) -> None:
    open_example(page, "six_by_six")
    cell(page, 20).click()
    expect_marks(page, {20: "x"})
    page.wait_for_url(re.compile("#/at/"))
    click(page, "Note a dot (d)")
    drag(page, 0, 2)
    expect(page.locator(".note.dot")).to_have_count(3)
    click(page, "Colour cells green (2)")
    cell(page, 7).click()
    page.keyboard.press("o")
    page.keyboard.press("4")
    expect(cell(page, 7)).to_have_attribute("aria-label", "r2c2, region A, circle, red")
    assert page.locator(".note").count() == 4
    page.reload()
    page.wait_for_selector(".battle .square[aria-label]")
    expect(page.locator(".note")).to_have_count(4)
    expect(page.locator(".shade-4.shade")).to_have_count(1)
    cell(page, 7).focus()
    page.keyboard.press("0")
    expect(page.locator(".note")).to_have_count(3)
    page.keyboard.press("Control+z")
    expect(page.locator(".note")).to_have_count(4)
    click(page, "Clear notes")
    expect(page.locator(".note, .shade")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.locator(".note")).to_have_count(4)
    expect_marks(page, {20: "x"})


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_puzzle_is_solved_on_a_phone_with_two_hints_and_the_next_one_is_opened(phone: Any, scheme: str) -> None:
    phone.emulate_media(color_scheme=scheme)
    open_example(phone, "first_stars")
    for _ in range(2):
        for name in ("Hint", "Hint: technique", "Hint: cells"):
            phone.get_by_role("button", name=name, exact=True).tap()
            phone.wait_for_selector(".hint .levels")
        said, board = (phone.locator(each).bounding_box() for each in (".hint [data-level=caption]", ".battle"))
        assert board["y"] >= 0  # both are in sight
        assert board["y"] + board["height"] <= said["y"]
        assert said["y"] + said["height"] <= 844
        phone.get_by_role("button", name="Apply", exact=True).tap()
        phone.locator(".hint .levels").wait_for(state="detached")
    expect_text(phone, ".solve-session", "2 hints used")
    for number in solution("first_stars"):
        taps = {".": 2, "x": 1, "*": 0}[cell(phone, number).get_attribute("data-mark")]
        for _ in range(taps):
            cell(phone, number).tap()
    expect_text(phone, ".status", "Solved")
    expect(phone.locator(".solved-card")).to_contain_text(re.compile(r"Solved in \d+:\d\d.*2 hints used"))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("button", name="Next puzzle").tap()
    phone.wait_for_url(re.compile("#/example/starbattle/(?!first_stars)"))
    phone.wait_for_selector(".battle .square[aria-label]")
    phone.goto("#/")
    expect(phone.locator('.example[href="#/example/starbattle/first_stars"] .solved-mark')).to_be_visible()


@pytest.mark.slow
def test_the_puzzle_of_a_day_is_made_from_its_date(page: Any) -> None:
    boards = []
    for day in ("2026-10-05", "2026-10-05", "2026-10-12"):  # Mondays
        page.goto("about:blank")
        page.goto(f"#/daily/starbattle/{day}")
        page.wait_for_selector('.battle .square[data-cell="35"][aria-label]')
        boards.append(page.locator(".battle .borders").get_attribute("d"))
    assert boards[0] == boards[1] != boards[2]
    expect_text(page, "h1", "Daily Star Battle, 12 October 2026")


@pytest.mark.slow
def test_ten_by_ten_fills_the_phone_and_can_be_zoomed(phone: Any) -> None:
    open_example(phone, "two_stars")
    box = phone.locator(".battle").bounding_box()
    assert (box["x"], box["width"]) == (0, 390)
    assert cell(phone, 0).bounding_box()["width"] >= 38
    assert phone.locator(".number").count() == 0
    phone.get_by_role("button", name="Larger board").tap()
    expect(phone.locator(".field-of-battle.zoomed")).to_have_count(1)
    assert cell(phone, 0).bounding_box()["width"] >= 44
    after = phone.locator(".field-of-battle").bounding_box()
    assert (after["width"], after["height"]) == (box["width"], box["height"])  # nothing moves around it
    for each in phone.locator(".tools button:visible").all():
        size = each.bounding_box()
        assert size["height"] >= 40
        assert size["width"] >= 40
    assert not phone.get_by_text("Arrow keys").is_visible()
    phone.get_by_label("row and column numbers").check()
    assert phone.locator(".number").count() == 20


@pytest.mark.slow
def test_a_large_board_is_zoomed_and_moved_on_a_phone(phone: Any) -> None:
    text = "25 1\n" + "\n".join(letter * 25 for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
    phone.goto("#/open")
    phone.get_by_label("Text of a puzzle or level").fill(text)
    click(phone, "Open")
    phone.wait_for_selector(".battle .square[aria-label]")
    small = cell(phone, 0).bounding_box()["width"]
    finger = phone.context.new_cdp_session(phone)
    y = middle(phone, 300)[1]

    def touch(kind: str, *across: float) -> None:
        points = [{"x": x, "y": y, "id": number} for number, x in enumerate(across)]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 180)
    touch("touchStart", 180, 220)  # the first finger marks nothing now
    for wide in (40, 80, 120):
        touch("touchMove", 180 - wide / 2, 220 + wide / 2)
    touch("touchEnd")
    wide = cell(phone, 0).bounding_box()["width"]
    assert wide > 2.5 * small
    expect_marks(phone, {})
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    hand = phone.get_by_role("button", name="Move the board by dragging")
    hand.tap()
    expect(hand).to_have_attribute("aria-pressed", "true")
    before = cell(phone, 312).bounding_box()["x"]
    touch("touchStart", 200)
    touch("touchMove", 150)
    touch("touchEnd")
    assert cell(phone, 312).bounding_box()["x"] == pytest.approx(before - 50, abs=2)
    expect_marks(phone, {})
    hand.click()  # after a drag that took no time, the browser takes a tap for the end of a fling
    expect(hand).to_have_attribute("aria-pressed", "false")
    cell(phone, 312).click()
    expect_marks(phone, {312: "x"})
    for _ in range(6):
        phone.keyboard.press("ArrowUp")  # what has the focus comes into view
    box, room = cell(phone, 162).bounding_box(), phone.locator(".field-of-battle").bounding_box()
    assert room["y"] <= box["y"] + 1
    assert box["y"] + box["height"] <= room["y"] + room["height"] + 1
    smaller = phone.get_by_role("button", name="Smaller board")
    while smaller.is_enabled():
        smaller.click()
    assert cell(phone, 0).bounding_box()["width"] == pytest.approx(small, abs=0.5)


@pytest.mark.slow
def test_a_new_board_is_made_on_the_page(page: Any) -> None:
    open_example(page, "first_stars")
    page.get_by_text("Make a new one").click()
    form = page.locator(".generating")
    form.get_by_label("size").fill("6")
    form.get_by_label("seed").fill("3")
    form.get_by_role("button", name="Make it").click()
    page.wait_for_url(re.compile("#/at/starbattle/"))
    page.wait_for_selector('.battle .square[data-cell="35"]')
    assert page.locator(".battle.playable .square").count() == 36


@pytest.mark.slow
def test_a_board_opens_on_other_sites(page: Any) -> None:
    open_example(page, "six_by_six")
    page.get_by_text("Open elsewhere").click()
    address = DOMAIN.format(example("six_by_six"), "puzzlink").strip()
    expect(page.get_by_role("link", name="Open in puzz.link")).to_have_attribute("href", address)
    penpa = page.get_by_role("link", name="Open in Penpa")
    expect(penpa).to_have_attribute("href", re.compile("^https://swaroopg92.github.io/penpa-edit/#m=edit&p="))


@pytest.mark.slow
def test_an_address_of_another_site_is_opened_and_the_link_of_a_position_comes_back(page: Any) -> None:
    address = DOMAIN.format(example("two_stars"), "puzzlink")
    page.goto("#/open")
    page.get_by_label("Text of a puzzle or level").fill(address)
    click(page, "Open")
    page.wait_for_selector(".battle .square[aria-label]")
    assert page.locator(".battle .square").count() == 100
    drag(page, 0, 4)
    cell(page, 99).click(button="right")
    marks = {**dict.fromkeys(range(5), "x"), 99: "*"}
    expect_marks(page, marks)
    click(page, "Copy link")
    expect_text(page, "#notices", "copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".battle .square[aria-label]")
    expect_marks(page, marks)


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 25])
def test_boards_of_all_sizes_fit(page: Any, size: int) -> None:
    regions = "ABCDEFGHIJKLMNOPQRSTUVWXY"[:size]
    text = f"{size} 1\n" + "\n".join(letter * size for letter in regions)
    for width in (1240, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("#/open")
        page.get_by_label("Text of a puzzle or level").fill(text)
        click(page, "Open")
        page.wait_for_selector(".battle .square[aria-label]")
        stage, board = page.locator(".stage").first.bounding_box(), page.locator(".battle").bounding_box()
        assert stage["x"] <= board["x"]
        assert board["x"] + board["width"] <= stage["x"] + stage["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto("about:blank")
