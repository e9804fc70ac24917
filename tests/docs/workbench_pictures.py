"""Take the pictures of the workbench that the documentation shows.

    PYTHONPATH=tests python -m docs.workbench_pictures docs/images

It needs Chromium. Take them anew when the pages change. Everything on them comes with Solvent.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from docs.report_picture import COLOURS, make_corpus
from helpers.browser import BROWSER, FLAGS, PATIENCE, start_server, stop_server

WIDTH, HEIGHT = 1180, 800


def gallery(page: Any) -> None:
    page.goto("#/")
    page.wait_for_selector(".example")
    page.wait_for_load_state("networkidle")


def starbattle(page: Any) -> None:
    page.goto("#/example/starbattle/two_stars")
    page.locator("button.more").click()
    page.locator(".hint [data-level]").first.wait_for()
    for level in ("technique", "caption", "proof"):
        page.locator("button.more").click()
        page.locator(f".hint [data-level={level}]").wait_for()


def harmony(page: Any) -> None:
    page.goto("#/example/harmony/near_miss")
    page.locator(".verdict.no").first.wait_for()


def dungeon(page: Any) -> None:
    page.goto("#/example/dungeon/the_wrong_door")
    page.get_by_role("button", name="Losable?").click()
    page.get_by_role("button", name="Show the walk").click()
    page.locator(".player.lost").wait_for()
    page.get_by_role("button", name="To the end").click()


def valency(page: Any) -> None:
    page.goto("#/example/valency/rooms")
    page.get_by_role("button", name="Fill", exact=True).click()
    page.locator(".player").wait_for()
    page.get_by_role("button", name="To the end").click()


def edit(page: Any, domain: str, example: str, until: str) -> None:
    """Open an example in its editor, and wait for what a selector finds: the verdict on it."""
    page.goto(f"#/example/{domain}/{example}")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.locator(until).first.wait_for()


def dungeon_editor(page: Any) -> None:
    edit(page, "dungeon", "the_wrong_door", "[data-question=losable] .verdict")
    page.locator(".palette").get_by_role("button", name="Key", exact=True).click()


def starbattle_editor(page: Any) -> None:
    """A board that one cell makes ambiguous, with rings where its solutions differ."""
    edit(page, "starbattle", "two_ways", ".verdict")


def harmony_editor(page: Any) -> None:
    edit(page, "harmony", "near_miss", ".harmony-verdict")


def valency_editor(page: Any) -> None:
    edit(page, "valency", "terrain", "canvas")


def runs(page: Any) -> None:
    page.goto("#/runs")
    page.locator("main a[href^='#/run/']").first.click()
    page.locator("main table").first.wait_for()


VIEWS: dict[str, Callable[[Any], None]] = {
    "gallery": gallery,
    "starbattle": starbattle,
    "harmony": harmony,
    "dungeon": dungeon,
    "valency": valency,
    "dungeon-editor": dungeon_editor,
    "starbattle-editor": starbattle_editor,
    "harmony-editor": harmony_editor,
    "valency-editor": valency_editor,
    "runs": runs,
}


def take_pictures(target: Path, names: list[str]) -> None:
    """Start a server with some results, and photograph every view."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        arguments: tuple[str, ...] = ()
        if "runs" in names:
            make_corpus(folder / "levels")
            command = [sys.executable, "-m", "solvent", "validate", "levels", "--ask", "solvable,losable,unique"]
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True, timeout=600)
            arguments = ("results/validation.db",)
        server, address = start_server(*arguments, folder=folder)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        try:
            for name in names:
                page = browser.new_page(base_url=address, viewport={"width": WIDTH, "height": HEIGHT})
                page.set_default_timeout(PATIENCE)
                page.goto("")
                VIEWS[name](page)
                page.wait_for_timeout(1500)  # for what moves to come to rest
                page.evaluate("window.scrollTo(0, 0)")
                picture = folder / f"{name}.png"
                page.screenshot(path=picture)
                page.close()
                with Image.open(picture) as taken:
                    shown = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                    shown.save(target / f"workbench-{name}.png", optimize=True)
        finally:
            browser.close()
            stop_server(server)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: python -m docs.workbench_pictures FOLDER [{'|'.join(VIEWS)}]...")
    take_pictures(Path(sys.argv[1]), sys.argv[2:] or list(VIEWS))
