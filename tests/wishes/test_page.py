"""A level with wishes is made on the page, and walked there to its end; so is a file that the command wrote."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import solvent
from helpers.browser import expect
from solvent.wishes import Proven, make_proven, read_wishes

KEYS = {"N": "ArrowUp", "E": "ArrowRight", "S": "ArrowDown", "W": "ArrowLeft"}
RULES, SEED = "vaults", 2


@cache
def made() -> Proven:
    wishes = read_wishes("dungeon:solvable", "dungeon:losable")
    return make_proven("valency", wishes, options={"rules": RULES, "grid": "18x14"}, seed=SEED)


def walk_to_the_goal(page: Any) -> None:
    """Follow the plan of the certificate, key by key, on the map that the page shows."""
    certificate = made().proofs[0].certificate
    assert certificate is not None
    plan = certificate["plan"]
    page.locator(".dungeon-map").first.wait_for()
    page.locator(".dungeon-map").first.focus()
    for number, move in enumerate(plan, 1):
        page.keyboard.press(KEYS[move])
        expect(page.locator(".inventory .moves")).to_have_text(f"{number} move{'' if number == 1 else 's'}")
    expect(page.locator(".dungeon-status")).to_contain_text(f"You reached the goal in {len(plan)} moves.")


@pytest.mark.slow
def test_a_level_is_made_on_the_page_and_walked_to_its_end(page: Any) -> None:
    page.goto("#/new/valency")
    form = page.locator("form.generating")
    form.wait_for()
    assert not form.get_by_label("chunk", exact=False).count(), "a page has no folder for chunks of a world"
    form.get_by_label("rules", exact=False).first.select_option(RULES)
    form.get_by_label("grid", exact=False).first.fill("18x14")
    form.locator("input[name=seed]").last.fill(str(SEED))
    form.get_by_text("What must be proved of the level").click()
    form.get_by_label("dungeon: solvable").select_option("must be YES")
    form.get_by_label("dungeon: losable").select_option("must be NO")
    form.get_by_role("button", name="Make it").click()
    expect(page.locator("h1")).to_have_text(
        f"Vaults, seed {SEED} (attempt {made().tried}; proved solvable YES, losable NO)"
    )
    walk_to_the_goal(page)


@pytest.mark.slow
def test_a_saved_level_opens_and_is_walked_to_its_end(page: Any, tmp_path: Path) -> None:
    level = made().save(tmp_path / "level.tmj")[0]
    assert solvent.load(level) == made().level
    page.goto("#/open")
    page.get_by_label("Choose a file").set_input_files(level)
    walk_to_the_goal(page)


@pytest.mark.slow
def test_a_wish_that_contradicts_itself_is_told_on_the_page(workbench: str) -> None:
    from urllib.error import HTTPError

    from helpers.browser import post

    body = {"domain": "valency", "seed": 1, "options": {"rules": RULES}, "require": ["dungeon:solvable"]}
    with pytest.raises(HTTPError) as refused:
        post(workbench, "generate", {**body, "forbid": ["dungeon:solvable"]})
    assert b"cannot be both required and forbidden" in refused.value.read()
