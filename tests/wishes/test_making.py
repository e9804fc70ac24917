"""Levels are made until every wish holds, and leave with certificates that are about the written file."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.errors import GenerationFailed
from solvent.wishes import Proven, make_proven, read_wishes

SETS = ("vaults", "island", "cavern")
WISHES = read_wishes("dungeon:solvable", "dungeon:losable")


@cache
def made(rules: str, seed: int, grid: str = "24x18") -> Proven:
    return make_proven("valency", WISHES, options={"rules": rules, "grid": grid}, seed=seed)


@pytest.mark.parametrize("rules", SETS)
@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, up_to(4, deep=50)))])
def test_every_seed_gives_a_level_that_keeps_its_wishes(rules, seed):
    proven = made(rules, seed)
    assert [answer.verdict for answer in proven.proofs] == [Verdict.YES, Verdict.NO]
    level = solvent.parse(proven.data.decode(), domain="dungeon")
    assert level == proven.level
    for answer in proven.proofs:
        solvent.check(level, answer.certificate)
    solvent.check(proven.problem, proven.answers[-1].certificate)
    assert solvent.export(proven.problem, proven.answers[-1], "tmj") == proven.data


def first_that_failed_at_first() -> tuple[str, int]:
    return next((rules, seed) for seed in range(20) for rules in SETS if made(rules, seed).tried > 1)


def test_the_same_seed_gives_the_same_bytes():
    rules, seed = first_that_failed_at_first()
    before = made(rules, seed)
    again = make_proven("valency", WISHES, options={"rules": rules, "grid": "24x18"}, seed=seed)
    assert (again.data, again.tried, again.excluded) == (before.data, before.tried, before.excluded)


def test_a_failure_is_learned_from_and_not_only_left_behind():
    rules, seed = first_that_failed_at_first()
    proven = made(rules, seed)
    assert proven.seeds == 1, "another seed was taken"
    assert proven.excluded == proven.tried - 1
    words = str(proven)
    assert f"attempt {proven.tried}" in words
    assert f"{proven.excluded} cause" in words


def test_without_learning_one_seed_after_another_is_tried():
    rules, seed = first_that_failed_at_first()
    options: dict[str, Any] = {"rules": rules, "grid": "24x18"}
    proven = make_proven("valency", WISHES, options=options, seed=seed, learn=False, tries=300)
    assert proven.excluded == 0
    assert proven.seeds == proven.tried > 1


def test_what_cannot_be_made_is_said_with_how_many_were_tried(tmp_path):
    rules = tmp_path / "sealed.json"
    rules.write_text(SEALED)
    with pytest.raises(GenerationFailed, match=r"no level that can be made is dungeon:solvable YES"):
        make_proven("valency", read_wishes("dungeon:solvable", ()), options={"rules": str(rules), "grid": "4x1"})


SEALED = """{"valency": 1, "rules": {"name": "sealed", "orbitals": "square",
  "pairs": [["wall", "wall"], ["wall", "start"], ["wall", "goal"]], "modules": [
  {"name": "wall", "sockets": {"*": "wall"}},
  {"name": "start", "least": 1, "most": 1, "sockets": {"*": "start"}},
  {"name": "goal", "least": 1, "most": 1, "sockets": {"*": "goal"}}
]}, "cluster": {"lattice": {"size": [4, 1]}}}"""
"""A start with walls around it, wherever it stands."""


def test_limits_end_it():
    with pytest.raises(GenerationFailed, match=r"out of time|nothing was made"):
        solvent.generate("valency", rules="vaults", grid="24x18", require="dungeon:solvable", seconds=0.0)


def test_python_returns_a_level_that_can_be_saved(tmp_path):
    rules, seed = first_that_failed_at_first()
    options: dict[str, Any] = {"rules": rules, "grid": "24x18", "seed": seed}
    proven = solvent.generate("valency", require="dungeon:solvable", forbid="dungeon:losable", **options)
    files = proven.save(tmp_path / "level.tmj")
    assert [file.name for file in files] == [
        "level.tmj",
        "level.solvable.certificate.json",
        "level.losable.certificate.json",
        "level.valency.json",
        "level.valency.solvable.certificate.json",
    ]
    level = solvent.load(files[0])
    for file in files[1:3]:
        solvent.check(level, solvent.load_certificate(file))
    solvent.check(solvent.load(files[3]), solvent.load_certificate(files[4]))


def test_a_wish_about_the_generators_own_domain_needs_no_other_file():
    proven = solvent.generate("dungeon", rooms=5, locks=1, seed=3, require="dungeon:collectable")
    assert (proven.kind, proven.proofs[0].verdict) == ("", Verdict.YES)
    assert proven.level == proven.problem
