"""Valency's page, as a person uses it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import go_to_example, needs_browser
from helpers.marks import slow
from solvent.registry import get_domain

pytestmark = needs_browser

EXAMPLES = {example.name: example.text for example in get_domain("valency").examples()}
SOME = list(EXAMPLES)[::4]
CHESS = json.dumps(
    {
        "name": "chess",
        "orbitals": "square",
        "modules": [
            {"name": "black", "look": {"colour": "#222222"}},
            {"name": "white", "look": {"colour": "#eeeeee"}},
        ],
        "allow": [["black", "*", "white"]],
    }
)


def open_example(page: Any, name: str) -> None:
    go_to_example(page, "valency", name, ".board")
    page.wait_for_function("() => document.querySelector('.board canvas').width > 50")
    wait_until_filled(page)


def wait_until_filled(page: Any) -> None:
    """Wait for the answer that a board opens with, or it could be taken for the answer to what is done next."""
    page.locator(".stage .found[data-number]").wait_for()


def verdict(page: Any) -> Any:
    return page.locator(".stage .found")


@contextmanager
def answering(page: Any, saying: str = "PASS") -> Iterator[None]:
    """Wait for the answer to what is done here, and for the whole of it."""
    before = int(verdict(page).get_attribute("data-number") or 0)
    yield
    page.wait_for_function(
        "(before) => Number(document.querySelector('.stage .found').dataset.number || 0) > before", arg=before
    )
    assert saying in verdict(page).inner_text()
    if page.locator(".player").is_visible():
        page.get_by_role("button", name="To the end").click()
        page.locator(".player[data-state=done]").wait_for()


def fill(page: Any, saying: str = "PASS") -> None:
    with answering(page, saying):
        page.get_by_role("button", name="Fill", exact=True).click()


def picture(page: Any) -> str:
    drawn: str = page.evaluate("document.querySelector('.board canvas').toDataURL()")
    return drawn


def click_cell(page: Any, x: int, y: int, columns: int, rows: int) -> None:
    board = page.locator(".board canvas")
    board.scroll_into_view_if_needed()
    box = board.bounding_box()
    place = {"x": (x + 0.5) * box["width"] / columns, "y": (y + 0.5) * box["height"] / rows}
    page.locator(".board").click(position=place)


def download(page: Any, kind: str, folder: Path) -> Path:
    with page.expect_download() as found:
        page.locator(".answer").first.get_by_role("button", name=kind, exact=True).click()
    path: Path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def seed_field(page: Any) -> Any:
    return page.get_by_role("spinbutton", name="Seed", exact=True)


def set_seed(page: Any, seed: int) -> None:
    field = seed_field(page)
    field.fill(str(seed))
    field.press("Enter")


def test_from_the_gallery_to_a_fill_that_collapses_and_is_the_same_for_the_same_seed(page: Any) -> None:
    page.goto("")
    page.locator('a[href="#/example/valency/pipes"]').click()
    wait_until_filled(page)
    fill(page)
    page.get_by_label("Speed").select_option("×0.1")  # so slow that it is still going on when it is paused
    page.get_by_role("button", name="Play again").click()
    page.locator(".player[data-state=playing]").wait_for()
    page.get_by_role("button", name="Pause").click()
    counted = page.locator(".player .progress")
    before, total = counted.inner_text().split(" of ")
    assert int(before) < int(total) == 126
    page.get_by_role("button", name="One step on").click()
    assert int(counted.inner_text().split(" of ")[0]) > int(before)
    halfway = picture(page)
    page.get_by_role("button", name="To the end").click()
    first = picture(page)
    assert first != halfway
    assert "128 filled, checked" in verdict(page).inner_text()

    fill(page)
    assert picture(page) == first
    with answering(page):
        set_seed(page, 77)
    assert picture(page) != first
    with answering(page):
        set_seed(page, 1)
    assert picture(page) == first
    with answering(page):
        page.get_by_role("button", name="New seed").click()
    assert seed_field(page).input_value() != "1"
    assert picture(page) != first
    with answering(page):
        page.get_by_role("button", name="Undo").click()
    assert seed_field(page).input_value() == "1"
    assert picture(page) == first, "a fill that is known comes back at once"


@pytest.mark.slow
def test_any_moment_of_a_collapse_can_be_looked_at(page: Any) -> None:
    open_example(page, "terrain")
    fill(page)
    filled = picture(page)
    moment = page.get_by_label("Moment of the collapse")
    moment.fill("0")
    empty = picture(page)
    assert empty != filled
    moment.fill("100")
    assert picture(page) not in (empty, filled)
    page.get_by_role("button", name="To the end").click()
    assert picture(page) == filled


@pytest.mark.slow
def test_those_who_want_less_motion_see_the_end_at_once(page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_example(page, "pipes")
    page.get_by_role("button", name="Fill", exact=True).click()
    page.locator(".player").wait_for()
    assert page.locator(".player").get_attribute("data-state") == "done"


@pytest.mark.slow
def test_a_pinned_module_stays_when_it_is_filled_again(page: Any, tmp_path: Path) -> None:
    open_example(page, "pipes")
    fill(page)
    click_cell(page, 8, 4, 16, 8)
    assert page.locator(".pinning .where strong").inner_text() == "(8, 4)"
    with answering(page):
        page.get_by_role("button", name="cross", exact=True).click()
    assert "(8, 4) cross" in page.locator(".pins").inner_text()
    assert page.locator(".about").inner_text().startswith("(8, 4): cross, pinned.")
    with answering(page):
        page.get_by_role("button", name="New seed").click()
    node = json.loads(download(page, "JSON", tmp_path).read_text())["nodes"][8 + 16 * 4]
    assert node["key"] == "cross"
    assert "fixed" in node["flags"]
    page.get_by_role("button", name="Unpin (8, 4)").click()
    page.locator(".pins").get_by_text("Pinned: 2").wait_for()
    page.get_by_role("button", name="Clear all pins").click()
    page.locator(".pins h3").wait_for(state="detached")


@pytest.mark.slow
def test_pins_are_set_and_taken_away_by_keyboard_and_undone(page: Any) -> None:
    open_example(page, "terrain")
    board = page.locator(".board")
    board.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('.palette') !== null")
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate("document.activeElement.getAttribute('aria-label')")
    with answering(page):
        page.keyboard.press("Enter")
    assert f"(2, 1) {chosen}" in page.locator(".pins").inner_text()
    page.locator(".palette [aria-pressed=true]").focus()
    page.keyboard.press("Escape")
    cell = page.locator("[role=gridcell]")
    assert "pinned" in cell.inner_text()
    assert cell.get_attribute("aria-colindex") == "3"
    page.keyboard.press("Delete")
    page.locator(".pins h3").wait_for(state="detached")
    page.keyboard.press("Control+z")
    page.locator(".pins").get_by_text("Pinned: 1").wait_for()
    page.keyboard.press("Control+y")
    page.locator(".pins h3").wait_for(state="detached")


@pytest.mark.slow
def test_what_was_filled_before_a_pin_is_faded_until_it_is_filled_again(page: Any) -> None:
    open_example(page, "pipes")
    page.get_by_label("Fill again after each change").uncheck()
    fill(page)
    click_cell(page, 5, 5, 16, 8)
    page.get_by_role("button", name="any tee", exact=True).click()
    page.locator(".pins").get_by_text("(5, 5) tee").wait_for()
    assert verdict(page).inner_text() == ""
    fill(page)
    assert ": tee " in page.locator(".about").inner_text()


@pytest.mark.slow
def test_a_clash_is_marked_and_explained_and_fixed(page: Any) -> None:
    open_example(page, "too_close")
    page.locator(".answer").wait_for()  # a clash is told without being asked
    assert page.locator(".marks .ring:not(.casing)").count() == 4
    assert page.locator(".marks path.link:not(.casing)").count() == 3
    page.get_by_role("button", name="Why not, and what would help?").click()
    explained = page.locator(".explanation")
    explained.wait_for()
    assert "so nothing is left for (6, 4)" in explained.inner_text()
    with answering(page):
        page.get_by_role("button", name="Apply: Drop the pick 'snow' on (7, 4).").click()
    assert page.locator(".marks .ring").count() == 0
    assert "Pinned: 3" in page.locator(".pins").inner_text()


@pytest.mark.slow
def test_what_can_be_filled_is_and_the_rest_is_marked_with_its_reason(page: Any) -> None:
    open_example(page, "too_close")
    page.locator(".answer").wait_for()  # a clash is told without being asked
    with answering(page, "71 filled, 1 left out"):
        page.get_by_role("button", name="Fill what can be filled").click()
    assert page.locator(".marks .left-out").count() == 1
    assert page.locator(".marks .cross").count() == 1, "a shape beside the colour"
    listed = page.locator(".left-out-list li").inner_text()
    assert "(6, 4) proved impossible. These cannot all hold" in listed
    page.locator(".left-out-list button").click()
    assert "proved impossible" in page.locator(".about").inner_text()


@pytest.mark.slow
def test_a_proof_is_stepped_through_and_lights_what_it_uses(page: Any) -> None:
    open_example(page, "too_close")
    page.get_by_role("button", name="Step through the proof").click()
    text = page.locator(".step-text")
    on = page.locator(".proof-steps").get_by_role("button", name="One step on")
    text.get_by_text("These cannot all hold").wait_for()
    for _ in range(3):
        on.click()
    assert text.inner_text() == "(4, 4) is 'sea', so (5, 4), on its right, can only be 'sea' or 'beach'."
    assert page.locator(".marks .ring.lit").count() == 2
    assert page.locator(".marks path.link.lit").count() == 1
    before = picture(page)
    on.click()
    assert picture(page) != before, "what is left for the next cell stands there"
    on.click()
    assert "so nothing is left for (6, 4)" in text.inner_text()
    assert page.locator(".marks .ring:not(.casing):not(.lit)").count() == 2, "where it ends, in red"
    page.keyboard.press("Escape")
    assert page.locator(".marks .ring:not(.casing)").count() == 4, "the whole clash is back"


@pytest.mark.slow
def test_a_graph_is_filled_and_walked_through(page: Any, tmp_path: Path) -> None:
    open_example(page, "bridges")
    fill(page)
    page.locator(".board").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=option]").inner_text().startswith("Birch: ")
    assert page.locator(".answer").first.get_by_role("button", name="TMJ").count() == 0, "a graph is no tile map"
    assert b"<graphml" in download(page, "GRAPHML", tmp_path).read_bytes()[:300]


@pytest.mark.slow
def test_a_ring_that_cannot_be_coloured_is_marked_on_the_graph(page: Any) -> None:
    open_example(page, "odd_ring")
    fill(page, "FAIL")
    assert page.locator(".marks .ring:not(.casing)").count() == 7
    assert page.locator(".marks path.link:not(.casing)").count() == 7


@pytest.mark.slow
def test_hexagons(page: Any) -> None:
    open_example(page, "hexes")
    fill(page)
    assert "180 filled" in verdict(page).inner_text()
    page.locator(".board").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".about").inner_text().startswith("(0, 1): ")


@pytest.mark.slow
def test_floors(page: Any) -> None:
    open_example(page, "tower")
    fill(page)
    ground = picture(page)
    page.get_by_role("button", name="Floor 2").click()
    assert picture(page) != ground
    page.locator(".board").focus()
    page.keyboard.press("PageDown")
    assert page.get_by_role("button", name="Floor 1").get_attribute("aria-pressed") == "true"


@pytest.mark.slow
def test_how_much_there_is_to_choose_from_can_be_seen(page: Any) -> None:
    open_example(page, "too_close")
    modules = picture(page)
    page.get_by_role("button", name="Candidates").click()
    assert picture(page) != modules
    click_cell(page, 0, 1, 12, 6)
    assert "2 of 5 could stand here: sea, beach." in page.locator(".about").inner_text()


@pytest.mark.slow
def test_another_rule_set_and_another_size(page: Any) -> None:
    open_example(page, "terrain")
    page.get_by_text("Choose a rule set").click()
    with answering(page):
        page.locator(".thumb[data-name=carpet]").click()
    assert page.get_by_label("wraps around in x").is_checked()
    page.get_by_label("Width").fill("12")
    page.get_by_label("Height").fill("9")
    page.get_by_label("wraps around in x").uncheck()
    with answering(page, "108 filled"):
        page.get_by_role("button", name="Use this size").click()
    assert "carpet on a grid of 12 × 9" in page.locator(".making").inner_text()


@pytest.mark.slow
def test_what_is_too_large_is_refused_kindly_and_what_is_large_is_not(page: Any) -> None:
    open_example(page, "terrain")
    page.get_by_label("Width").fill("1000")
    page.get_by_label("Height").fill("1000")
    page.get_by_role("button", name="Use this size").click()
    assert "up to 40,000 cells" in page.locator(".making .trouble").inner_text()
    page.trouble.clear()  # the browser notes the refusal
    page.get_by_label("Width").fill("100")
    page.get_by_label("Height").fill("100")
    with answering(page, "10,000 filled"):
        page.get_by_role("button", name="Use this size").click()
    assert page.locator(".making .trouble").count() == 0


@pytest.mark.slow
def test_rules_of_ones_own_are_pasted_and_used(page: Any, tmp_path: Path) -> None:
    open_example(page, "pipes")
    page.get_by_text("Your own rules").click()
    page.get_by_label("Your rules").fill('{"orbitals": "square", "modules": 3}')
    page.get_by_role("button", name="Use these rules").click()
    assert "This cannot be read." in page.locator(".making .trouble").inner_text()
    page.trouble.clear()  # the browser notes the refusal
    page.get_by_label("Your rules").fill(CHESS)
    with answering(page):
        page.get_by_role("button", name="Use these rules").click()
    assert "chess on a grid of 16 × 8" in page.locator(".making").inner_text()
    nodes = json.loads(download(page, "JSON", tmp_path).read_text())["nodes"]
    colours = [node["key"] for node in nodes]
    assert all(colours[at] != colours[at + 1] for at in range(len(colours) - 1) if at % 16 != 15)


@pytest.mark.slow
def test_rules_are_learned_from_a_map_in_letters_or_a_picture(page: Any) -> None:
    from PIL import Image

    open_example(page, "pipes")
    page.get_by_text("Your own rules").click()
    page.get_by_label("Your rules").fill("~~..\n~.##\n..##\n~..~\n")
    assert page.get_by_label("Kind of rules").input_value() == "txt"
    with answering(page):
        page.get_by_role("button", name="Use these rules").click()
    assert "These rules on a grid of 16 × 8" in page.locator(".making").inner_text()
    image = Image.new("RGB", (6, 6), "#204080")
    image.putpixel((2, 2), (240, 200, 40))
    data = io.BytesIO()
    image.save(data, "PNG")
    page.get_by_label("Choose a file").first.set_input_files(
        {"name": "dots.png", "mimeType": "image/png", "buffer": data.getvalue()}
    )
    page.wait_for_function("() => document.querySelector('[aria-label=\"Kind of rules\"]').value === 'png'")
    with answering(page):
        page.get_by_role("button", name="Use these rules").click()
    assert "dots on a grid of" in page.locator(".making").inner_text()


@pytest.mark.slow
def test_a_graph_of_ones_own_is_pasted(page: Any) -> None:
    open_example(page, "colouring")
    page.get_by_text("A graph instead of a grid").click()
    page.get_by_label("Your graph").fill("source,target,orbital,target_orbital\na,b,onwards,back\nb,c,onwards,back\n")
    with answering(page, "3 filled"):
        page.get_by_role("button", name="Use this graph").click()
    assert "a graph of 3 nodes and 2 edges" in page.locator(".making").inner_text()


@pytest.mark.slow
def test_a_fill_is_downloaded_in_many_kinds(page: Any, tmp_path: Path) -> None:
    from PIL import Image

    open_example(page, "pipes")
    fill(page)
    with Image.open(download(page, "PNG", tmp_path)) as image:
        assert image.width == 2 * image.height
    with Image.open(download(page, "GIF", tmp_path)) as image:
        assert image.n_frames > 10  # type: ignore[attr-defined]
    tiles = json.loads(download(page, "TMJ", tmp_path).read_text())
    assert (tiles["width"], tiles["height"]) == (16, 8)
    assert len(json.loads(download(page, "JSON", tmp_path).read_text())["nodes"]) == 128
    assert len(download(page, "CSV", tmp_path).read_text().splitlines()) == 129
    assert download(page, "SVG", tmp_path).read_text().startswith("<svg")


@pytest.mark.slow
def test_a_link_brings_back_the_very_same_fill(page: Any) -> None:
    open_example(page, "pipes")
    click_cell(page, 3, 3, 16, 8)
    with answering(page):
        page.get_by_role("button", name="cross", exact=True).click()
    with answering(page):
        set_seed(page, 4242)
    shown = picture(page)
    page.get_by_role("button", name="Copy link").click()
    page.locator(".notice").get_by_text("The link is copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.trouble.clear()  # about:blank is elsewhere, on purpose
    page.goto(link)
    page.locator(".board").wait_for()
    assert seed_field(page).input_value() == "4242"
    assert "(3, 3) cross" in page.locator(".pins").inner_text()
    wait_until_filled(page)  # what it opens with; the next answer is the one that is asked for
    fill(page)
    assert picture(page) == shown


@pytest.mark.slow
def test_on_a_phone(phone: Any) -> None:
    open_example(phone, "pipes")
    with answering(phone):
        phone.get_by_role("button", name="Fill", exact=True).tap()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    box = phone.locator(".board canvas").bounding_box()
    phone.touchscreen.tap(box["x"] + 5.5 * box["width"] / 16, box["y"] + 3.5 * box["height"] / 8)
    assert phone.locator(".pinning .where strong").inner_text() == "(5, 3)"
    with answering(phone):
        phone.get_by_role("button", name="wall", exact=True).tap()
    assert "(5, 3) wall" in phone.locator(".pins").inner_text()
    width = phone.locator(".board canvas").bounding_box()["width"]
    phone.get_by_role("button", name="Larger").tap()
    assert phone.locator(".board canvas").bounding_box()["width"] > width
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", [*SOME, *slow(name for name in EXAMPLES if name not in SOME)])
def test_every_example_opens_and_is_answered(page: Any, name: str) -> None:
    open_example(page, name)
    expected = next(each for each in get_domain("valency").examples() if each.name == name).expected["solvable"]
    fill(page, {"YES": "PASS", "NO": "FAIL"}[expected.value])


@pytest.mark.slow
def test_a_world_scrolls_for_ever(workbench: str, page: Any) -> None:
    page.goto(f"{workbench}#/example/valency/village")
    page.get_by_role("button", name="World without end").click()
    page.wait_for_selector("canvas.world[data-chunks]")
    before = int(page.locator("canvas.world").get_attribute("data-chunks"))
    for _ in range(12):
        page.locator("canvas.world").press("ArrowLeft")
    page.wait_for_function(
        "(before) => Number(document.querySelector('canvas.world').dataset.chunks) > before", arg=before
    )
    assert "checked with their seams" in page.locator(".world-view [role=status]").inner_text()
    assert int(page.get_by_label("Chunk column").input_value()) < 0
    page.get_by_role("button", name="Close the world").click()
    assert page.locator(".board canvas").first.is_visible()
