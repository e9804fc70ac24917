"""What a domain adds to the page: page data is plain, and whatever an action holds, nothing breaks."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from conformance.cases import some_problems
from conformance.promises import assert_round_trips
from solvent.core.domain import ENTRY_POINT, Domain, workbench_folder
from solvent.core.errors import BadOption, ParseError

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7, 2**70, 0.5, "", "x", "N", "r1c1", "*" * 50, "../../etc/passwd", "\ud800"),
    *([], [0], [0, 1], [[0, 0], [0, 1]], ["N", "N"], {}, {"node": 0}, {"text": "x"}, [[]] * 20),
)
WORDS = (
    *("marks", "swap", "move", "moves", "pick", "unpick", "node", "name", "rules", "grid", "graph", "seed", "fix"),
    *("rule", "walk", "to", "cells", "cell", "text", "ending", "action", "clear", "apply", "x", ""),
)


@pytest.fixture
def player(domain: Domain) -> Any:
    if domain.page is None:
        pytest.skip(f"{domain.name} has no page of its own")
    return domain.page


def test_a_page_has_its_scripts(player: Any) -> None:
    assert (workbench_folder(player) / ENTRY_POINT).is_file()


def test_a_scene_is_plain_data_and_the_same_every_time(domain: Domain, player: Any) -> None:
    for problem in some_problems(domain.name):
        shown = player.data(problem)
        assert isinstance(shown, dict)
        written = json.dumps(shown, allow_nan=False)
        assert written == json.dumps(player.data(problem), allow_nan=False)


def test_an_action_that_means_nothing_is_refused_in_words(domain: Domain, player: Any) -> None:
    dice = random.Random(7)
    for problem in some_problems(domain.name)[:6]:
        for _ in range(150):
            action = {dice.choice(WORDS): dice.choice(JUNK) for _ in range(dice.randint(0, 3))}
            try:
                after = player.play(problem, action)
            except (BadOption, ParseError):
                continue
            # Some of it may mean something.
            assert type(after) is type(problem)
            assert_round_trips(domain, after)
            json.dumps(player.data(after), allow_nan=False)
