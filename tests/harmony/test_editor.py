"""Drawing a Harmony board in the browser, as people do: by mouse, by keys, by touch, backwards, with a live verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import solvent
from harmony.boards import board_of
from helpers.browser import expect, go_to_example, needs_browser, open_page
from solvent.harmony.generator import generate
from solvent.harmony.notation import format_board, parse_board
from solvent.harmony.positions import format_cell

pytestmark = [needs_browser, pytest.mark.slow]


TEXT_IN_ADDRESS = """async () => {
  const { textFrom } = await import("/static/share.js");
  return textFrom(location.hash.split("/")[3]);
}"""


def wait_for_address(page: Any) -> None:
    """Wait until the address, which follows a little later, holds the board that the page has as text."""
    shown = text_of(page)
    for _ in range(600):
        if page.evaluate(TEXT_IN_ADDRESS) == shown:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the address does not follow")


def open_template(page: Any, title: str = "3×3 board") -> None:
    page.goto("#/draw/harmony")
    page.locator(".example", has_text=title).first.click()
    page.wait_for_selector(".editable .cell")


def cell(page: Any, name: str) -> Any:
    return page.locator(f".editable .cell[data-cell={name}]")


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def choose(page: Any, brush: str) -> None:
    page.locator(f'.colour-palette [data-brush="{brush}"]').click()


def drag(page: Any, *names: str) -> None:
    for number, name in enumerate(names):
        box = cell(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def expect_verdict(page: Any, *texts: str) -> None:
    for text in texts:
        expect(page.locator(".harmony-verdict")).to_contain_text(text)


def expect_said(page: Any, name: str, text: str) -> None:
    expect(cell(page, name)).to_have_attribute("aria-label", f"{name}: {text}")


def text_of(page: Any) -> str:
    """Return the board as the page's own text has it, once it has it."""
    if not page.locator(".as-text .source").is_visible():
        page.locator("summary", has_text="As text").click()
    expect(page.locator(".as-text .source")).not_to_have_value("")
    return str(page.locator(".as-text .source").input_value())


def saved(page: Any, form: str) -> str:
    page.get_by_label("Format", exact=True).select_option(form)
    with page.expect_download() as download:
        press(page, "Save as")
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_a_board_is_made_from_nothing_scrambled_spoilt_fixed_exported_and_opened_again(page: Any) -> None:
    open_template(page, "4×4 board")
    press(page, "Fewer rows")
    press(page, "Fewer columns")
    press(page, "Clear")
    expect_verdict(page, "Not finished: no cell has a tile yet.")
    for row, colour in zip("ABC", ("RED", "BLUE", "GREEN"), strict=True):
        choose(page, f"colour {colour}")
        drag(page, f"{row}1", f"{row}3")
    expect_verdict(page, "PASS", "It is solved as it stands.")
    page.locator(".scrambling input").first.fill("6")
    page.locator(".scrambling input").last.fill("4")
    press(page, "Scramble")
    expect_verdict(page, "PASS", "Every solution has 6 swaps.")
    scrambled = parse_board(text_of(page))
    assert scrambled == generate(rows=3, cols=3, swaps=6, seed=4)
    choose(page, "more")
    cell(page, "A1").click()
    expect_verdict(page, "FAIL", "odd moves", "an odd number", "each swap uses two")
    choose(page, "colour BLUE")
    spoilt = format_cell(scrambled.colours.index(0), 3)
    cell(page, spoilt).click()
    expect_verdict(page, "1 red tile to go", "1 blue tile too many")
    press(page, "Undo")
    press(page, "Undo")
    expect_verdict(page, "PASS", "Every solution has 6 swaps.")
    expect(page.locator(".mark.culprit")).to_have_count(0)
    for form in ("tiles", "board"):
        text = saved(page, form)
        assert parse_board(text) == scrambled
        page.goto("#/open")
        page.get_by_label("Text of a puzzle or level").fill(text)
        press(page, "Open")
        page.wait_for_selector(".board .cell")
        press(page, "Edit")
        expect_verdict(page, "PASS", "Every solution has 6 swaps.")
        assert parse_board(text_of(page)) == scrambled


def test_playing_backwards_by_hand_and_playing_the_same_forwards(page: Any) -> None:
    open_template(page)
    swaps = [("A1", "C1"), ("C1", "C2"), ("B2", "C2")]
    for number, (one, other) in enumerate(swaps, start=1):
        cell(page, one).click()
        expect(page.locator(".mark.partner")).to_have_count(4)
        cell(page, other).click()
        expect_verdict(page, "PASS", f"Every solution has {number} swap")
    expect_said(page, "C1", "green, 1 move, home")
    cell(page, "A1").click()
    cell(page, "B2").click()
    expect(page.locator(".notice").last).to_have_text("A1 and B2 share neither a row nor a column.")
    page.keyboard.press("Escape")
    press(page, "Play")
    page.wait_for_selector(".board:not(.editable) .cell")
    for one, other in reversed(swaps):
        page.locator(f".board:not(.editable) .cell[data-cell={one}]").click()
        page.locator(f".board:not(.editable) .cell[data-cell={other}]").click()
    expect(page.locator(".swap-count")).to_have_text("Solved in 3 swaps ✓")
    expect(page.locator(".solved-card")).to_contain_text("3 swaps · no hints")


def test_everything_is_done_by_keyboard(page: Any) -> None:
    open_template(page)
    cell(page, "A1").focus()
    page.keyboard.press("Space")  # pick, then swap backwards
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_said(page, "A1", "blue, 1 move")
    expect_said(page, "B1", "red, 1 move")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect_said(page, "B1", "red, 12 moves")
    page.keyboard.press("-")
    expect_said(page, "B1", "red, 11 moves")
    page.keyboard.press("g")
    expect_said(page, "B1", "green, 11 moves")
    expect(page.locator(".stage p[role=status]").last).to_have_text("B1: green, 11 moves")
    expect_verdict(page, "FAIL", "1 red tile to go", "1 green tile too many")
    page.keyboard.press("Delete")
    expect_said(page, "B1", "no tile")
    expect_verdict(page, "Not finished: 1 cell has no tile.")
    for _ in range(4):
        page.keyboard.press("Control+z")
    expect_said(page, "B1", "red, 1 move")
    expect_verdict(page, "PASS", "Every solution has 1 swap.")
    page.locator('[data-brush="colour GREEN"]').press("Enter")
    cell(page, "C3").focus()
    page.keyboard.press("Shift+ArrowUp")
    expect_said(page, "B3", "green, no moves left")
    page.get_by_label("Row A").select_option("blue")
    expect_said(page, "A1", "blue, 1 move, home")
    expect(page.get_by_label("Row B")).to_have_value("RED")  # the two rows have exchanged what they want


def test_colours_are_added_named_and_removed_and_a_draft_is_kept(page: Any) -> None:
    open_template(page)
    press(page, "+ Colour")
    expect(page.locator('[data-brush="colour YELLOW"]')).to_have_attribute("aria-pressed", "true")
    cell(page, "B2").click()
    expect_verdict(page, "FAIL", "No row wants YELLOW.", "1 blue tile to go")
    expect(page.locator(".mark.culprit")).to_have_count(1)
    page.get_by_role("textbox", name="Name").fill("Sun flower")
    page.get_by_role("textbox", name="Name").blur()
    expect(page.locator(".notice").last).to_have_text("A colour's name is one word, without #.")
    page.get_by_role("textbox", name="Name").fill("board")
    page.get_by_role("textbox", name="Name").blur()
    expect(page.locator(".notice").last).to_contain_text("not a heading such as ROWS")
    expect_said(page, "B2", "yellow, no moves left")
    choose(page, "colour YELLOW")
    page.get_by_role("textbox", name="Name").fill("Sunflower")
    page.get_by_role("textbox", name="Name").blur()
    expect_said(page, "B2", "sunflower, no moves left")
    page.locator(".editable .tab[data-row=B]").click()
    expect(page.get_by_label("Row B")).to_have_value("SUNFLOWER")
    expect_said(page, "B2", "sunflower, no moves left, home")
    expect_verdict(page, "No row wants BLUE.")
    wait_for_address(page)
    press(page, "Remove this colour")
    expect_verdict(page, "Not finished: 1 cell has no tile, row B wants no colour.")
    page.reload()
    page.wait_for_selector(".editable .cell")
    expect_verdict(page, "Not finished: 1 cell has no tile, row B wants no colour.")
    press(page, "Solvable?")
    expect(page.locator(".trouble")).to_contain_text("The board is not finished: 1 cell has no tile")
    page.get_by_label("Row B").select_option("blue")
    choose(page, "colour BLUE")
    cell(page, "B2").click()
    expect_verdict(page, "PASS", "It is solved as it stands.")
    expect(page.locator('[data-brush="colour SUNFLOWER"]')).to_have_count(0)


def test_another_size_keeps_what_fits(page: Any) -> None:
    open_template(page, "6 swaps")
    small = parse_board(text_of(page))
    press(page, "More rows")
    page.get_by_label("Columns").locator("input").fill("5")
    page.get_by_label("Columns").locator("input").blur()
    expect(page.locator(".editable .cell")).to_have_count(20)
    expect_said(page, "D5", "yellow, no moves left, home")
    expect(page.locator(".as-text .source")).to_have_value(re.compile("COLS 5"))
    expect_verdict(page, "PASS", "Every solution has 6 swaps.")
    large = parse_board(text_of(page))
    for row in range(3):
        assert large.moves[row * 5 : row * 5 + 3] == small.moves[row * 3 : row * 3 + 3]
    press(page, "All home")
    expect_verdict(page, "It is solved as it stands.")


def test_text_is_changed_in_place_and_errors_are_shown_at_their_line(page: Any) -> None:
    open_template(page)
    text = text_of(page)
    source = page.locator(".as-text .source")
    source.fill(text.replace("B2 0", "B9 0"))
    expect(page.locator(".as-text [role=status]")).to_contain_text("a position from A1 to C3")
    expect(page.locator(".source-frame mark")).to_have_text("6")
    other = board_of("1/1 1/1 | 0/1 0/1")
    for name in ("tiles", "board"):
        source.fill(solvent.format(other, name))
        expect(page.locator(".editable .cell")).to_have_count(4)
        expect_verdict(page, "PASS", "Every solution has 2 swaps.")
    press(page, "Undo")
    expect(page.locator(".editable .cell")).to_have_count(9)
    page.get_by_text("From a text").click()
    page.get_by_label("A board as text").fill("nonsense")
    press(page, "Use this board")
    expect(page.locator(".paste .trouble")).to_be_visible()
    page.get_by_label("A board as text").fill(solvent.format(other, "tiles"))
    press(page, "Use this board")
    expect(page.locator(".editable .cell")).to_have_count(4)


def marked(page: Any, kind: str) -> set[str]:
    found = page.locator(".stage:visible").locator(f".mark.{kind}")
    return set(found.evaluate_all("found => found.map((each) => each.dataset.cell)"))


def test_a_proof_is_stepped_through_while_drawing_and_while_playing(page: Any) -> None:
    go_to_example(page, "harmony", "three_by_three", ".board .cell")
    before = page.locator(".board .cell").evaluate_all("found => found.map((each) => each.ariaLabel)")
    press(page, "Solvable?")
    press(page, "Step through the proof")
    step = page.locator(".step-text")
    expect(step).to_contain_text("each swap uses two")
    expect(page.locator(".solve-session")).not_to_contain_text("solution shown")
    page.get_by_label("One step on").click()
    expect(step).to_contain_text("Swap ")
    found = re.match(r"Swap \w+ from (\w+) and \w+ from (\w+)", step.inner_text())
    assert found
    assert marked(page, "hinted") == {found[1], found[2]}
    expect(page.locator(".solve-session")).to_contain_text("solution shown")
    page.get_by_label("To the end").click()
    expect(step).to_contain_text("solved")
    expect(page.locator(".tile.settled")).to_have_count(9)
    page.locator(".board .cell").first.click()
    expect(page.locator(".notice").last).to_have_text("This is a step of the proof. Close it to play on.")
    page.locator(".player").get_by_label("Close").click()
    assert page.locator(".board .cell").evaluate_all("found => found.map((each) => each.ariaLabel)") == before
    go_to_example(page, "harmony", "two_islands", ".board .cell")
    press(page, "Edit")
    expect_verdict(page, "FAIL", "component colours")
    page.get_by_role("button", name="Full answer").click()
    press(page, "Step through the proof")
    page.get_by_label("One step on").click()
    expect(step).to_contain_text("can swap only with each other")
    assert marked(page, "claimed") == {"A1", "B1"}
    press(page, "Clear")  # drawing on closes the proof, and what was said of another board goes
    expect(step).to_have_count(0)
    assert marked(page, "claimed") == set()
    expect(page.locator(".answer")).to_be_hidden()
    press(page, "Undo")
    expect(page.locator(".answer")).to_be_visible()


def test_a_hint_for_an_older_position_is_not_taken(page: Any) -> None:
    go_to_example(page, "harmony", "four_by_four", ".board .cell")
    press(page, "Hint")
    swap = page.get_by_role("button", name="Swap them")
    swap.wait_for()
    held: list[Any] = []
    page.route("**/api/play", lambda route: held.append(route))
    hinted = marked(page, "hinted")
    others = [name for name in ("B1", "B2", "C2", "D2") if name not in hinted][:1]
    partner = {"B1": "B2", "B2": "B4", "C2": "C3", "D2": "D3"}[others[0]]
    with page.expect_request("**/api/play"):
        for name in (others[0], partner):
            page.locator(f".board .cell[data-cell={name}]").click()
    swap.click()  # the swap by hand is still on its way
    for route in held:
        route.continue_()
    page.unroute("**/api/play")
    expect(page.locator(".notice").last).to_have_text("The board has changed since this hint. Ask for a new one.")
    expect(page.locator(".swap-count")).to_contain_text("1 swap made")


def test_on_a_phone_a_board_is_made_spoilt_and_fixed(phone: Any) -> None:
    open_template(phone)
    phone.get_by_role("button", name="Scramble", exact=True).tap()
    expect_verdict(phone, "PASS", "Every solution has 8 swaps.")
    phone.locator('[data-brush="more"]').tap()
    cell(phone, "B2").tap()
    expect_verdict(phone, "FAIL", "odd moves")
    phone.get_by_role("button", name="Undo").first.tap()
    expect_verdict(phone, "PASS")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    for each in phone.locator(
        ".harmony-editor button:visible, .harmony-editor input:visible, .row-targets select"
    ).all():
        assert each.bounding_box()["height"] >= 40
    for each in phone.locator(".editable .cell").all():
        assert each.bounding_box()["height"] >= 40
    phone.locator("summary", has_text="How to draw").tap()
    expect(phone.locator(".harmony-editor .for-keyboards")).to_be_hidden()
    phone.get_by_role("button", name="Play", exact=True).tap()
    phone.get_by_role("button", name="Hint").tap()
    expect(phone.locator(".card.hint")).to_be_in_viewport(ratio=0.9)
    phone.get_by_role("button", name="Solvable?").tap()
    phone.get_by_role("button", name="Step through the proof").tap()
    expect(phone.locator(".board:not(.editable)")).to_be_in_viewport(ratio=0.9)
    expect(phone.locator(".step-text")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_drawing_and_proofs_are_accessible(chromium: Any, workbench: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for page in open_page(chromium, workbench, color_scheme=scheme, viewport={"width": 1280, "height": 800}):
        open_template(page, "6 swaps")
        choose(page, "colour RED")
        cell(page, "B2").click()
        cell(page, "C3").click()
        expect_verdict(page, "FAIL")
        page.get_by_role("button", name="Full answer").click()
        press(page, "Step through the proof")
        page.wait_for_selector(".step-text")
        press(page, "Erase")
        page.locator(".player").get_by_label("Close").click()
        cell(page, "A1").click()
        expect_verdict(page, "Not finished")
        found = axe.run(page).response
        assert not [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
        assert found["passes"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_large_board_is_edited(page: Any) -> None:
    page.goto("#/open")
    page.get_by_label("Text of a puzzle or level").fill(format_board(generate(rows=12, cols=20, swaps=60, seed=3)))
    press(page, "Open")
    page.wait_for_selector(".board .cell")
    press(page, "Edit")
    cell(page, "L20").focus()
    page.keyboard.press("7")
    expect(cell(page, "L20")).to_have_attribute("aria-label", re.compile("7 moves"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 1240
