"""Harmony on the page, as a person plays it: by mouse, by touch and by keyboard, with live verdicts and solutions."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

import solvent
from harmony.brute_force import find_plan, is_solvable
from helpers.browser import expect, go_to_example, needs_browser
from helpers.examples import load_example
from helpers.marks import slow
from solvent.harmony.generator import generate
from solvent.harmony.model import Board
from solvent.harmony.notation import format_board, parse_board
from solvent.harmony.positions import format_cell, format_swap
from solvent.harmony.rules import is_legal, legal_swaps, play

pytestmark = needs_browser

SLOWLY = {"timeout": 60_000}


example = partial(load_example, "harmony")


def open_example(page: Any, name: str) -> Board:
    go_to_example(page, "harmony", name, ".board .cell")
    return example(name)


def open_text(page: Any, text: str) -> None:
    page.goto("#/open")
    page.get_by_label("Text of a puzzle or level").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector(".board .cell")


def cell(page: Any, name: str) -> Any:
    return page.locator(f".cell[data-cell={name}]")


def marked(page: Any, kind: str) -> set[str]:
    return set(page.eval_on_selector_all(f".mark.{kind}", "found => found.map((each) => each.dataset.cell)"))


def wait_for_swaps(page: Any, made: int) -> None:
    """Wait until the page says that so many swaps have been made."""
    expect(page.locator(".swap-count")).to_have_text(
        re.compile(rf"^({made} swaps? made|Solved in {made} swap)"), **SLOWLY
    )


def wait_for_verdict(page: Any, verdict: str) -> None:
    page.wait_for_selector(f".live-verdict[data-state={verdict}]")


def plan_of(board: Board) -> list[tuple[str, str]]:
    plan = find_plan(board)
    assert plan is not None
    return [(format_cell(a, board.cols), format_cell(b, board.cols)) for a, b in plan]


def losing_swap(board: Board, *, form: str | None = None) -> tuple[str, str]:
    """Find a legal swap after which the board cannot be solved any more, proved in a form if one is given."""
    for swap in legal_swaps(board):
        after = play(board, swap)
        if not is_solvable(after) and (form is None or solvent.ask(after).certificate["form"] == form):
            one, other = format_swap(swap, board.cols).split("-")
            return one, other
    raise AssertionError("no swap loses here")


def text_of(page: Any) -> str:
    """Return the position as the page itself writes it."""
    page.locator("summary", has_text="As text").click()
    expect(page.locator(".as-text .source")).not_to_have_value("")  # it is written once the browser says it is open
    shown = page.locator(".as-text .source").input_value()
    page.locator("summary", has_text="As text").click()
    return str(shown)


def test_from_the_gallery_to_a_solved_board_by_mouse(page: Any) -> None:
    page.goto("")
    page.locator(".example[href='#/example/harmony/three_by_three']").click()
    page.wait_for_selector(".board .cell")
    board = example("three_by_three")
    for number, (one, other) in enumerate(plan_of(board), start=1):
        cell(page, one).click()
        assert marked(page, "picked") == {one}
        cell(page, other).click()
        wait_for_swaps(page, number)
    expect(page.locator(".swap-count")).to_have_text(f"Solved in {board.swaps} swaps ✓")
    expect(page.locator(".tile.settled")).to_have_count(9)
    expect(page.locator(".solved-card")).to_contain_text(f"{board.swaps} swaps · no hints")


@pytest.mark.slow
def test_the_partners_of_a_picked_tile_are_those_of_the_rules(page: Any) -> None:
    board = open_example(page, "half_played")
    for picked in range(len(board.moves)):
        partners = {format_cell(b, board.cols) for b in range(len(board.moves)) if is_legal(board, (picked, b))}
        if not partners:
            continue
        cell(page, format_cell(picked, board.cols)).click()
        assert marked(page, "partner") == partners
        cell(page, format_cell(picked, board.cols)).click()
        assert marked(page, "partner") == set()


@pytest.mark.slow
def test_a_tile_is_dragged_onto_another_one(page: Any) -> None:
    board = open_example(page, "first_swaps")
    for number, (one, other) in enumerate(plan_of(board), start=1):
        start, end = cell(page, one).bounding_box(), cell(page, other).bounding_box()
        page.mouse.move(start["x"] + 20, start["y"] + 20)
        page.mouse.down()
        page.mouse.move(end["x"] + 10, end["y"] + 20, steps=5)
        assert marked(page, "target") == {other}
        page.mouse.move(end["x"] + 20, end["y"] + 20)
        page.mouse.up()
        wait_for_swaps(page, number)
    expect(page.locator(".swap-count")).to_contain_text("Solved")


@pytest.mark.slow
def test_a_board_is_solved_by_keyboard_alone(page: Any) -> None:
    board = open_example(page, "forced_pair")
    cell(page, "A1").focus()
    at = [0, 0]

    def go_to(name: str) -> None:
        row, col = "ABC".index(name[0]), int(name[1:]) - 1
        for key, steps in (("ArrowDown", row - at[0]), ("ArrowRight", col - at[1])):
            back = {"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}[key]
            for _ in range(abs(steps)):
                page.keyboard.press(key if steps > 0 else back)
        at[:] = row, col
        assert page.evaluate("document.activeElement.dataset.cell") == name

    for number, (one, other) in enumerate(plan_of(board), start=1):
        go_to(one)
        page.keyboard.press("Space")
        assert marked(page, "picked") == {one}
        go_to(other)
        page.keyboard.press("Enter")
        wait_for_swaps(page, number)
    expect(page.locator(".swap-count")).to_contain_text("Solved")
    page.keyboard.press("Control+z")
    wait_for_swaps(page, board.swaps - 1)
    page.keyboard.press("Control+y")
    expect(page.locator(".swap-count")).to_contain_text("Solved")


@pytest.mark.slow
def test_a_board_is_solved_by_touch(phone: Any) -> None:
    board = open_example(phone, "burning_moves")
    for number, (one, other) in enumerate(plan_of(board), start=1):
        cell(phone, one).tap()
        cell(phone, other).tap()
        wait_for_swaps(phone, number)
    expect(phone.locator(".swap-count")).to_contain_text("Solved")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_a_finger_drags_a_tile_onto_another_one(phone: Any) -> None:
    board = open_example(phone, "first_swaps")
    fingers = phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for number, (one, other) in enumerate(plan_of(board), start=1):
        start, end = cell(phone, one).bounding_box(), cell(phone, other).bounding_box()
        touch("touchStart", (start["x"] + 20, start["y"] + 20))
        for share in (0.2, 0.5, 0.8, 1.0):
            across, down = share * (end["x"] - start["x"]), share * (end["y"] - start["y"])
            touch("touchMove", (start["x"] + across + 20, start["y"] + down + 20))
        touch("touchEnd")
        wait_for_swaps(phone, number)
    expect(phone.locator(".swap-count")).to_contain_text("Solved")


@pytest.mark.slow
def test_what_the_rules_refuse_is_explained_and_changes_nothing(page: Any) -> None:
    board = open_example(page, "three_by_three")
    cell(page, "A1").click()
    cell(page, "B2").click()
    expect(page.locator(".notice").last).to_have_text("A1 and B2 share neither a row nor a column.")
    assert marked(page, "picked") == {"A1"}  # another partner may be picked at once
    page.keyboard.press("Escape")
    cell(page, "B3").click()
    expect(page.locator(".notice").last).to_have_text("B3 has no moves left: it stays where it is.")
    assert marked(page, "picked") == set()
    cell(page, "C3").click()
    cell(page, "B3").click()
    expect(page.locator(".notice").last).to_have_text("B3 has no moves left: it stays where it is.")
    assert parse_board(text_of(page)) == board
    wait_for_swaps(page, 0)


@pytest.mark.slow
def test_undo_redo_and_reset(page: Any) -> None:
    board = open_example(page, "three_by_three")
    plan = plan_of(board)
    for number, (one, other) in enumerate(plan[:3], start=1):
        cell(page, one).click()
        cell(page, other).click()
        wait_for_swaps(page, number)
    page.get_by_role("button", name="Undo", exact=False).first.click()
    wait_for_swaps(page, 2)
    page.get_by_role("button", name="Redo").click()
    wait_for_swaps(page, 3)
    page.get_by_role("button", name="Start over").click()
    wait_for_swaps(page, 0)
    assert parse_board(text_of(page)) == board
    page.get_by_role("button", name="Undo").first.click()  # also a reset can be undone
    wait_for_swaps(page, 3)


@pytest.mark.slow
def test_the_live_verdict_turns_with_a_losing_move_and_back_with_undo(page: Any) -> None:
    board = open_example(page, "three_by_three")
    wait_for_verdict(page, "YES")
    one, other = losing_swap(board, form="invariant")
    cell(page, one).click()
    cell(page, other).click()
    wait_for_verdict(page, "NO")
    answer = solvent.ask(play(board, next(s for s in legal_swaps(board) if format_swap(s, 3) == f"{one}-{other}")))
    said = page.locator(".live-verdict .because")
    expect(said).to_contain_text(answer.certificate["rule"])
    expect(said).to_contain_text(answer.as_json()["reason"])
    assert marked(page, "culprit") == set(answer.certificate["cells"])
    page.get_by_role("button", name="Full answer").click()
    expect(page.locator(".answer.no .checked")).to_contain_text("Checked: invariant")
    page.locator(".way-back").click()
    wait_for_verdict(page, "YES")
    wait_for_swaps(page, 0)
    assert marked(page, "culprit") == set()
    expect(page.locator(".answer.no")).to_be_hidden()  # it is about another position


@pytest.mark.slow
@pytest.mark.parametrize("name", ["near_miss", "three_by_three"])
def test_the_verdict_is_in_sight_with_the_board(page: Any, name: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_example(page, name)
    page.wait_for_selector(".live-verdict:is([data-state=YES], [data-state=NO])")
    for selector in (".live-verdict", ".board"):
        box = page.locator(selector).bounding_box()
        assert box["y"] + box["height"] <= 800


@pytest.mark.slow
def test_a_lost_board_says_so_when_asked_for_a_hint(page: Any) -> None:
    board = open_example(page, "three_by_three")
    wait_for_verdict(page, "YES")
    one, other = losing_swap(board, form="closed set")
    cell(page, one).click()
    cell(page, other).click()
    wait_for_verdict(page, "NO")
    expect(page.locator(".live-verdict .because")).to_contain_text("All positions tried")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint.lost")).to_contain_text("The board is lost")
    page.locator(".hint .way-back").click()
    wait_for_swaps(page, 0)
    wait_for_verdict(page, "YES")


@pytest.mark.slow
def test_a_verdict_that_comes_late_is_never_shown_for_another_position(page: Any) -> None:
    """The question about a lost position is held back until the board shows another one."""
    board = open_example(page, "three_by_three")
    wait_for_verdict(page, "YES")
    held: list[Any] = []
    page.route("**/api/ask", lambda route: held.append(route))
    one, other = losing_swap(board)
    cell(page, one).click()
    with page.expect_request("**/api/ask"):
        cell(page, other).click()
    wait_for_verdict(page, "looking")
    page.keyboard.press("Control+z")
    wait_for_verdict(page, "YES")  # known from before
    for route in held:
        route.continue_()
    page.unroute("**/api/ask")
    wait_for_swaps(page, 0)
    assert page.locator(".live-verdict").get_attribute("data-state") == "YES"
    assert not marked(page, "culprit")
    page.keyboard.press("Control+y")
    wait_for_verdict(page, "NO")


@pytest.mark.slow
def test_live_can_be_switched_off_and_stays_off(page: Any) -> None:
    open_example(page, "three_by_three")
    wait_for_verdict(page, "YES")
    page.get_by_label("live").uncheck()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    one, other = plan_of(example("three_by_three"))[0]
    cell(page, one).click()
    cell(page, other).click()
    wait_for_swaps(page, 1)
    wait_for_verdict(page, "off")
    page.goto("#/example/harmony/forced_pair")
    expect(page.locator("h1")).to_contain_text("Two tiles")
    wait_for_verdict(page, "off")
    assert not [url for url in asked if url.endswith(("/ask", "/check"))]
    page.get_by_role("button", name="Look now").click()
    wait_for_verdict(page, "YES")


@pytest.mark.slow
def test_following_hints_solves_the_board(page: Any) -> None:
    board = open_example(page, "four_by_four")
    for number in range(1, board.swaps + 1):
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Swap them").wait_for()
        assert len(marked(page, "hinted")) == 2
        page.get_by_role("button", name="Swap them").click()
        wait_for_swaps(page, number)
        assert not marked(page, "hinted")
    expect(page.locator(".swap-count")).to_contain_text("Solved in 10 swaps")


@pytest.mark.slow
def test_a_solution_is_played_by_keys(page: Any) -> None:
    open_example(page, "four_by_four")
    page.get_by_role("button", name="Solvable?").click()
    page.get_by_role("button", name="Show the solution").click()
    player = page.locator(".player")
    player.get_by_label("Speed").select_option("×0.1")
    player.get_by_label("One step on").focus()
    for key, text in (("ArrowRight", "1"), ("End", "10"), ("ArrowLeft", "9"), ("Home", "0")):
        page.keyboard.press(key)
        expect(player.locator(".progress")).to_have_text(f"{text} of 10 swaps")
    page.locator("h1").click()  # away from the player, which still has the keys
    page.keyboard.press("Space")
    expect(player).to_have_attribute("data-state", "playing")
    page.keyboard.press("Space")
    expect(player).to_have_attribute("data-state", "paused")
    page.keyboard.press("Escape")
    expect(player).to_have_count(0)


@pytest.mark.slow
def test_a_solution_is_played_back_and_gone_on_from(page: Any) -> None:
    board = open_example(page, "four_by_four")
    page.get_by_role("button", name="Solvable?").click()
    page.get_by_role("button", name="Show the solution").click()
    player = page.locator(".player")
    expect(player.locator(".progress")).to_have_text("0 of 10 swaps")
    player.get_by_label("One step on").click()
    player.get_by_label("One step on").click()
    player.get_by_label("One step back").click()
    expect(player.locator("[aria-current=step]")).to_contain_text("1.")
    player.get_by_role("slider").fill("7")
    expect(player.locator("[aria-current=step]")).to_contain_text("7.")
    player.get_by_role("button", name="Play").click()
    expect(player.locator(".progress")).to_have_text("10 of 10 swaps", **SLOWLY)
    expect(page.locator(".tile.settled")).to_have_count(16)
    player.locator(".plan button").nth(3).click()
    expect(player.locator(".progress")).to_have_text("4 of 10 swaps")
    plan = [text.split()[1] for text in player.locator(".plan button").all_inner_texts()]
    labels = page.eval_on_selector_all(".cell", "found => found.map((each) => each.getAttribute('aria-label'))")
    cell(page, "A1").click()
    expect(page.locator(".notice").last).to_contain_text("Continue from here")
    player.get_by_role("button", name="Continue from here").click()
    wait_for_swaps(page, 4)
    # What the page showed is what the rules make of it.
    assert page.eval_on_selector_all(".cell", "found => found.map((each) => each.getAttribute('aria-label'))") == labels
    for name in plan[:4]:
        board = play(board, next(swap for swap in legal_swaps(board) if format_swap(swap, 4) == name))
    assert parse_board(text_of(page)) == board
    wait_for_verdict(page, "YES")
    page.get_by_role("button", name="Undo").first.click()
    wait_for_swaps(page, 0)


@pytest.mark.slow
def test_a_new_board_is_made_on_the_page(page: Any) -> None:
    open_example(page, "first_swaps")
    page.locator(".generate summary").click()
    form = page.locator(".generate form")
    for label, value in (("rows", "3"), ("cols", "5"), ("swaps", "7"), ("seed", "11")):
        form.locator("label", has=page.locator(f"span:text-is('{label}')")).locator("input").fill(value)
    form.get_by_role("button", name="Make it").click()
    expect(page.locator("h1")).to_have_text("Harmony 3×5, 7 swaps, seed 11")
    expect(page.locator(".cell")).to_have_count(15)
    assert parse_board(text_of(page)) == generate(rows=3, cols=5, swaps=7, seed=11)


@pytest.mark.slow
def test_a_link_comes_back_to_the_same_position(page: Any) -> None:
    board = open_example(page, "three_by_three")
    one, other = plan_of(board)[0]
    cell(page, one).click()
    cell(page, other).click()
    wait_for_swaps(page, 1)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".notice").last).to_contain_text("The link is copied")
    link = page.evaluate("navigator.clipboard.readText()")
    text = text_of(page)
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".board .cell")
    assert text_of(page) == text
    assert parse_board(text).swaps == board.swaps - 1


@pytest.mark.slow
def test_the_largest_board_can_be_played(page: Any) -> None:
    board = generate(rows=26, cols=99, swaps=3000, seed=2)
    open_text(page, format_board(board))
    expect(page.locator(".cell")).to_have_count(26 * 99)
    swap = next(s for s in legal_swaps(board) if s[1] - s[0] > 80 and s[0] // 99 == s[1] // 99)
    one, other = format_swap(swap, 99).split("-")
    cell(page, one).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")  # the far end of the row comes into sight
    cell(page, other).click()
    wait_for_swaps(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1240
    assert parse_board(text_of(page)) == play(board, swap)


@pytest.mark.parametrize("name", ["odd_sum", "near_miss", *slow(["dead_tile", "stranger", "two_islands"])])
def test_a_board_that_never_was_solvable_says_why(page: Any, name: str) -> None:
    board = open_example(page, name)
    wait_for_verdict(page, "NO")
    answer = solvent.ask(board)
    named = answer.certificate.get("cells", answer.certificate.get("component"))
    assert marked(page, "culprit") | marked(page, "followed") == set(named)
    expect(page.locator(".live-verdict .because")).to_contain_text(answer.as_json()["reason"])


@pytest.mark.slow
def test_those_who_listen_hear_what_stands_where(page: Any) -> None:
    board = open_example(page, "three_by_three")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(len(board.moves))
    expect(page.get_by_role("gridcell", name="B3: blue, no moves left, home")).to_have_count(1)
    expect(page.locator(".cell[tabindex='0']")).to_have_count(1)
