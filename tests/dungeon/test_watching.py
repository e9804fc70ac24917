"""Watching a search: what is shown of it, and that it changes nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from helpers.examples import load_example
from solvent import asking
from solvent.core.answer import Answer
from solvent.core.events import Event, Kind


def watch(name: str, question: str = "solvable", **options: Any) -> tuple[Answer, list[dict[str, Any]]]:
    steps: list[dict[str, Any]] = []

    def listen(event: Event) -> None:
        if event.kind is Kind.WATCH:
            assert event.data is not None
            steps.extend(event.data["steps"])

    return asking.ask(load_example("dungeon", name), question, listen=listen, watch=True, **options), steps


@pytest.mark.parametrize("name", ["the_wrong_door", "keys_to_spare", "one_bomb_short", "two_plates"])
def test_who_watches_gets_the_same_answer(name: str) -> None:
    for question in ("solvable", "losable"):
        answer, steps = watch(name, question)
        assert answer.certificate == asking.ask(load_example("dungeon", name), question).certificate
        assert steps or question == "losable"  # which may need no search


def test_every_expansion_is_shown_in_its_order() -> None:
    answer, steps = watch("keys_to_spare", macros=False)
    profiled = asking.ask(load_example("dungeon", "keys_to_spare"), "solvable", macros=False, profile=True)
    shown: Counter[tuple[int, ...]] = Counter()
    for step in steps:
        for *place, more in step.get("tiles", []):
            shown[tuple(place)] += more
    assert shown == {tuple(place): times for *place, times in profiled.stats["heat"]}
    assert all(len(step["tiles"]) <= 2 for step in steps if "tiles" in step)
    assert answer.stats["expanded"] == profiled.stats["expanded"]


def test_situations_say_what_was_opened_and_from_where() -> None:
    _, steps = watch("the_wrong_door")
    found = [step["situation"] for step in steps if "situation" in step]
    assert [(each["id"], each["from"], each["depth"]) for each in found] == [(0, None, 0), (1, 0, 1), (2, 0, 1)]
    assert found[0]["have"] == "a key"
    assert found[1]["did"] == "open the lock at row 2, column 6"


def test_nobody_hears_of_it_unasked() -> None:
    heard: list[Event] = []
    asking.ask(load_example("dungeon", "the_wrong_door"), "solvable", listen=heard.append)
    assert all(event.kind is not Kind.WATCH for event in heard)
