"""Runs of many instances with wishes: levels are asked what is wished, and made from files of other domains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import solvent
from helpers.examples import examples_of
from solvent.batch.made_levels import make_level, makes_levels, resolve_wishes
from solvent.batch.records import Source
from solvent.batch.settings import Settings
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.errors import BadOption, SolventError
from solvent.registry import get_domain

WISHES = resolve_wishes(["dungeon:solvable"], ["dungeon:losable"])


def example(domain: str, name: str) -> str:
    return next(each.text for each in examples_of(domain) if each.name.endswith(name))


def vaults(folder: Path) -> Path:
    """Write a rule set with a small grid of its own."""
    task = json.loads(example("valency", "vaults"))
    task["cluster"] = {"lattice": {"size": [18, 14]}}
    (folder / "vaults.json").write_text(json.dumps(task))
    return folder / "vaults.json"


def test_a_wish_decides_what_is_asked_and_of_whom():
    settings = Settings(("solvable", "unique"), wishes=WISHES)
    assert settings.questions_for(get_domain("dungeon")) == ("solvable", "losable")
    assert settings.questions_for(get_domain("starbattle")) == ("solvable", "unique")
    assert Settings(wishes=WISHES).questions_for(get_domain("starbattle")) == ()
    assert Settings(wishes=WISHES).as_json() != Settings().as_json()


@pytest.mark.parametrize(
    ("require", "forbid", "message"),
    [
        (["dungeon:losable"], [], "a level passes where dungeon:losable is NO, so a run can only forbid it"),
        ([], ["dungeon:solvable"], "a level passes where dungeon:solvable is YES, so a run can only require it"),
        (["dungeon:winnable"], [], "unknown dungeon question 'winnable'"),
    ],
)
def test_a_wish_that_no_level_passes_with_is_refused(require: list[str], forbid: list[str], message: str):
    with pytest.raises(BadOption, match=message):
        resolve_wishes(require, forbid)


def test_levels_are_made_by_domains_whose_files_the_judge_reads():
    made_by = [name for name in solvent.domains() if makes_levels(get_domain(name), WISHES)]
    assert made_by == ["valency"]
    assert not makes_levels(get_domain("valency"), ())


def test_a_level_is_what_the_command_makes_with_seed_0(tmp_path: Path):
    rules = str(vaults(tmp_path))
    level, remark = make_level(Source(0, "vaults", path=rules), get_domain("valency"), WISHES, Budget())
    made = solvent.generate("valency", rules=rules, seed=0, require="dungeon:solvable", forbid="dungeon:losable")
    assert level == made.level
    assert remark == f"made from a valency file, seed 0; {made}"
    with pytest.raises(SolventError, match="a level is made from a valency file of its own, and this is none"):
        make_level(Source(0, "#0", text="{}"), get_domain("valency"), WISHES, Budget())


@pytest.mark.slow
def test_a_run_over_rules_and_levels(tmp_path: Path):
    vaults(tmp_path)
    (tmp_path / "level.txt").write_text(example("dungeon", "first_door"))
    wishes = {"require": "dungeon:solvable", "forbid": "dungeon:losable"}
    results = list(solvent.validate([tmp_path], jobs=1, strict=True, **wishes))
    found = {
        (Path(result.name).name, result.question, result.answer.verdict)
        for result in results
        if result.answer is not None
    }
    assert {(name, question) for name, question, _ in found} == {
        (name, question) for name in ("vaults.json", "level.txt") for question in ("solvable", "losable")
    }
    assert all(verdict is (Verdict.YES if question == "solvable" else Verdict.NO) for _, question, verdict in found)
    for result in results:
        assert result.answer is not None
        assert result.problem.domain == "dungeon"
        solvent.check(result.problem, result.answer.certificate)
