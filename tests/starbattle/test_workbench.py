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
    assert page.locator(".hint .proof li").count() == 6
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
    assert page.locator(".hint .proof li").count() == 5
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
    expect_text(page, ".walk .graded", "Grade: very easy (15 of 100), 20 steps, the hardest is 2×2 tiling.")
    assert page.locator('.battle .square[data-mark="*"]').count() == 6
    page.keyboard.press("Home")
    expect_marks(page, {})
    click(page, "Play")
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
def test_an_answer_is_drawn_on_the_board_until_it_is_hidden(page: Any) -> None:
    open_example(page, "six_by_six")
    click(page, "Unique?")
    page.wait_for_selector(".answer.yes")
    assert page.locator(".battle .star.found").count() == 6
    expect_marks(page, {})
    page.locator(".banner").get_by_role("button", name="Hide").click()
    assert page.locator(".battle .star.found").count() == 0
    click(page, "Show it on the board")
    assert page.locator(".battle .star.found").count() == 6
    page.keyboard.press("Escape")
    assert page.locator(".battle .star.found").count() == 0


@pytest.mark.slow
def test_two_solutions_stand_side_by_side(page: Any) -> None:
    open_example(page, "two_ways")
    click(page, "Unique?")
    page.wait_for_selector(".answer.no")
    assert page.locator(".two .battle").count() == 2
    assert page.locator(".two .ring").count() == 8
    page.locator(".banner").get_by_role("button", name="Hide").click()
    assert page.locator(".battle.playable").count() == 1


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
        stage, board = page.locator(".stage").bounding_box(), page.locator(".battle").bounding_box()
        assert stage["x"] <= board["x"]
        assert board["x"] + board["width"] <= stage["x"] + stage["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto("about:blank")
