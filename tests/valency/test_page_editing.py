"""What a designer does to a task on the page: pins, parts that are filled anew, weights, modules and rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

import solvent
from solvent.core.errors import BadOption, ParseError
from solvent.registry import get_domain
from solvent.valency.drawing.sprites import SPRITES
from solvent.valency.model import Staging

VALENCY: Any = get_domain("valency")
EXAMPLES = {example.name: example.text for example in VALENCY.examples()}


def load(name: str) -> Staging:
    staging: Staging = VALENCY.parse(EXAMPLES[name])
    return staging


def edit(staging: Staging, **action: Any) -> Staging:
    changed: Staging = VALENCY.page.edit(staging, action)
    assert VALENCY.parse(VALENCY.format(changed, "json")) == changed, "the page keeps nothing but the text"
    return changed


def fill(staging: Staging) -> list[int]:
    answer = solvent.ask(staging)
    assert answer.certificate is not None
    modules: list[int] = answer.certificate["modules"]
    return modules


def keys_of(staging: Staging) -> list[str]:
    return [module.key for module in staging.rules.modules]


def test_a_stroke_pins_all_its_cells_and_another_takes_them_away() -> None:
    staging = load("terrain")
    pinned = edit(staging, pin={"nodes": [31, 30, 32], "name": "forest"})
    assert [(pick.node, pick.name) for pick in pinned.picks] == [(30, "forest"), (31, "forest"), (32, "forest")]
    forest = keys_of(staging).index("forest")
    assert [fill(pinned)[node] for node in (30, 31, 32)] == [forest] * 3
    assert edit(pinned, pin={"nodes": [30, 31, 32]}) == staging


def test_refilling_a_part_keeps_all_else_as_it_is() -> None:
    staging = load("terrain")
    before = fill(staging)
    inside = [x + 30 * y for x in range(5, 20) for y in range(3, 11)]
    after = fill(edit(staging, refill={"nodes": inside, "modules": before, "seed": 99}))
    assert after != before
    assert all(after[node] == before[node] for node in range(len(before)) if node not in inside)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_rules_as_text_are_those_of_the_task(name: str) -> None:
    staging = load(name)
    assert edit(staging, rules=VALENCY.page.data(staging)["rules_text"]) == staging


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_module_that_is_like_another_can_stand_where_that_can_and_can_be_removed(name: str) -> None:
    staging = load(name)
    model = keys_of(staging)[0]
    added = edit(staging, add={"name": "new one", "like": model, "sprite": "terrain/sea", "turns": 1})
    data = VALENCY.page.data(added)
    new = len(keys_of(staging))
    for table in data["tables"]:
        assert table["rows"][new] == table["rows"][0]
        assert all((new in row) == (0 in row) for row in table["rows"])
    assert edit(added, remove="new one") == staging


def test_a_module_like_no_other_may_touch_anything() -> None:
    staging = edit(load("pipes"), add={"name": "moss", "colour": "#5e9c4f"})
    new = keys_of(staging).index("moss")
    data = VALENCY.page.data(staging)
    for table in data["tables"]:
        assert table["rows"][new] == list(range(new + 1))
    assert data["modules"][new]["paint"].lower() == "#5e9c4f"
    assert new in fill(edit(staging, weights={"moss": 50}))


def test_removing_a_module_takes_its_pins_along_and_leaves_counts_about_others_right() -> None:
    staging = load("pipes")
    without = edit(staging, remove="drain")
    assert [pick.name for pick in without.picks] == ["pump"]
    joined = without.constraints[0].modules
    names = [key for number, key in enumerate(keys_of(without)) if joined >> number & 1]
    assert "drain" not in names
    assert {"pump", "cross", "cap 3"} <= set(names)
    assert "wall" not in names
    assert "1 pin" in without.remarks[-1]
    assert solvent.ask(without).verdict.value == "YES"


def test_rules_with_other_directions_begin_anew_on_a_grid_of_the_same_size() -> None:
    rules = json.dumps({"orbitals": "hex", "modules": [{"name": "a"}, {"name": "b"}]})
    changed = edit(load("terrain"), rules=rules)
    assert (changed.cluster.kind, changed.cluster.width, changed.cluster.height) == ("hex", 30, 14)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"add": {"name": "sea"}}, "a name of its own"),
        ({"add": {"name": "  "}}, "a name of its own"),
        ({"add": {"name": "x", "sprite": "terrain/moon"}}, "unknown picture"),
        ({"add": {"name": "x", "like": "moon"}}, "unknown module"),
        ({"add": {"name": "x", "colour": "red"}}, "colour"),
        ({"remove": "moon"}, "unknown module"),
        ({"weights": {"sea": 0, "beach": 0, "meadow": 0, "forest": 0, "snow": 0}}, "above 0"),
        ({"pin": {"nodes": [0], "name": "moon"}}, "no module is called"),
        ({"pin": {"nodes": [9999], "name": "sea"}}, "expected nodes from 0"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(action: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        VALENCY.page.edit(load("too_close"), action)


def test_a_module_that_is_all_another_may_touch_cannot_be_removed() -> None:
    with pytest.raises(BadOption, match="castle may have nothing but plain on one side"):
        VALENCY.page.edit(load("hexes"), {"remove": "plain"})


def test_rules_that_cannot_be_read_say_where() -> None:
    with pytest.raises(ParseError) as refused:
        VALENCY.page.edit(load("terrain"), {"rules": '{\n "orbitals": "square",\n "modules": [{"name": "a"},}\n'})
    assert refused.value.line == 3


def test_every_bundled_picture_can_be_given_to_a_module() -> None:
    staging = load("terrain")
    offered = VALENCY.page.data(staging)["sprites"]
    assert offered == list(SPRITES)
    for sprite in offered[::7]:
        assert edit(staging, add={"name": "new", "sprite": sprite}).rules.modules[-1].look.sprite == sprite


@pytest.mark.parametrize("template", VALENCY.page.templates(), ids=lambda template: template.name)
def test_a_new_task_begins_with_something_that_can_be_filled_and_is_drawn_so(template: Any) -> None:
    from solvent.web.work import draw_template

    staging = VALENCY.parse(template.text)
    assert solvent.ask(staging).verdict.value == "YES"
    assert draw_template("valency", template.name).decode() != VALENCY.draw_svg(
        staging, solvent.core.domain.Drawing(bare=True)
    )
