"""Maps on the page that a board of squares does not show as they are: diamonds, hexagons of an editor, floors; and pins
that take no part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import solvent
from helpers.browser import go_to_example, needs_browser
from solvent.valency.model import Pick, Staging
from solvent.valency.page.data import page_data
from valency.map_files import tmx, write_map

ISOMETRIC = 'orientation="isometric"'


def diamonds(folder: Path) -> Staging:
    path = write_map(folder, tmx([[[1, 1, 2], [1, 2, 2], [1, 1, 2]]], shape=ISOMETRIC))
    task = solvent.generate("valency", rules=str(path), grid="6x5", sample="tiled", seed=2, unsolved=True)
    return replace(task, picks=(Pick(7, "castle"),))


def test_the_page_knows_which_picture_shows_more(tmp_path: Path):
    assert page_data(diamonds(tmp_path))["picture"] == "map"
    rules = {name: solvent.parse(text, domain="valency") for name, text in examples().items()}
    assert page_data(rules["tower"])["picture"] == "depth"
    assert page_data(rules["terrain"])["picture"] is None


def examples() -> dict[str, str]:
    from solvent.registry import get_domain

    return {example.name: example.text for example in get_domain("valency").examples()}


@needs_browser
@pytest.mark.slow
def test_a_map_of_diamonds_is_shown_as_such_and_ignored_pins_are_said(page: Any, tmp_path: Path) -> None:
    (tmp_path / "task.json").write_text(solvent.format(diamonds(tmp_path), "json"))
    page.goto("#/open")
    page.get_by_label("Choose a file").first.set_input_files(str(tmp_path / "task.json"))
    page.locator(".board").wait_for()
    assert page.locator(".stage .ignored-pins").inner_text() == (
        "Pins that are ignored: castle on (1, 1) (no module has that name)."
    )
    page.wait_for_function("() => document.querySelector('div.as-drawn .drawn')?.getBoundingClientRect().width > 100")
    drawn = page.locator("div.as-drawn .drawn")
    page.get_by_role("button", name="As drawn").click()
    drawn.wait_for(state="detached")


@needs_browser
@pytest.mark.slow
def test_floors_are_seen_in_depth(page: Any) -> None:
    go_to_example(page, "valency", "tower", ".board")
    page.get_by_role("button", name="In depth").click()
    page.locator("div.as-drawn .drawn").wait_for()
