"""A dressed level is the same level, certified on both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import solvent
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption, GenerationFailed
from solvent.wishes.dressing import dress


@pytest.mark.parametrize("seed", range(up_to(4, deep=40)))
def test_walls_doors_and_things_stay_where_they_are(seed):
    proven = solvent.generate("dungeon", rooms=6, locks=2, seed=seed, terrain="overgrown")
    assert proven.level == solvent.generate("dungeon", rooms=6, locks=2, seed=seed)
    level = solvent.parse(proven.data.decode(), domain="dungeon")
    assert level == proven.level
    assert [answer.verdict for answer in proven.proofs] == [Verdict.YES, Verdict.NO]
    for answer in proven.proofs:
        solvent.check(level, answer.certificate)
    solvent.check(proven.problem, proven.answers[0].certificate)
    terrain = next(layer for layer in json.loads(proven.data)["layers"] if layer["type"] == "tilelayer")
    assert len(set(terrain["data"])) > 4, "the ground is one tile over and over"


def test_wishes_and_terrain_go_together():
    proven = solvent.generate("dungeon", rooms=5, locks=1, seed=1, terrain="overgrown", require="dungeon:collectable")
    assert {answer.question for answer in proven.proofs} == {"solvable", "losable", "collectable"}


def test_rules_that_mean_nothing_to_the_level_are_refused():
    with pytest.raises(BadOption, match="nothing in carpet means what the ground of the level means"):
        solvent.generate("dungeon", rooms=4, locks=1, bombs=0, terrain="carpet")


def test_rules_that_do_not_fit_the_level_say_which_part_clashes():
    with pytest.raises(GenerationFailed, match="cavern cannot dress this level: valency says NO"):
        solvent.generate("dungeon", rooms=4, locks=1, bombs=0, terrain="cavern")


@pytest.mark.corpus
def test_a_level_of_which_only_the_rooms_are_read_is_dressed_as_well(corpora: Path):
    dungeon = solvent.load(corpora / "vglc-zelda" / "Processed" / "tloz1_2.txt")
    answer = solvent.ask(dungeon, "solvable")
    proven = dress(dungeon, [answer], "overgrown")
    assert proven.level == dungeon
    assert solvent.parse(proven.data.decode(), domain="dungeon") == dungeon
