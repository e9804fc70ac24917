"""Mutated inputs: a few rounds are clean, and crashes, wrong verdicts and losses are found."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torture.campaign import Trial
from torture.inputs import trying
from torture.inputs.mutating import mutate_input
from torture.inputs.seeds import Seed, collect_seeds
from torture.judges.verdicts import JUDGES

import solvent
from solvent.registry import BUILTIN_DOMAINS, get_domain


def attempts(folder: Path, judges: Any = JUDGES) -> trying.Attempts:
    folder.mkdir(parents=True, exist_ok=True)
    return trying.Attempts(Trial(1, time.monotonic() + 600, folder), judges)


def examples(domain: str) -> list[Seed]:
    found = solvent.examples(domain)
    return [Seed(domain, next(iter(get_domain(domain).formats)), example.text.encode()) for example in found[:3]]


@pytest.fixture(scope="module")
def kinds() -> dict[str, list[Seed]]:
    return collect_seeds(Random(1))


def test_a_few_rounds_are_clean(tmp_path: Path):
    trial = Trial(3, time.monotonic() + 600, tmp_path, max_rounds=6)
    trying.run(trial)
    assert trial.tally.examples == []
    assert trial.tally.tried == 6 * trying.INPUTS_A_ROUND


def test_every_format_is_there(kinds: dict[str, list[Seed]]):
    expected = {f"{name}/{form}" for name in BUILTIN_DOMAINS for form in get_domain(name).formats}
    assert expected - set(kinds) <= {"dungeon/vglc"}  # which stands in two files, from the public instances
    assert {f"valency/{ending}" for ending in (".xml", ".tsx", ".png", ".txt", ".csv", ".graphml", ".json")} <= set(
        kinds
    )


def test_seeds_can_be_read(kinds: dict[str, list[Seed]], tmp_path: Path):
    trial = attempts(tmp_path)
    dice = Random(1)
    for kind, seeds in kinds.items():
        if not seeds[0].beside:
            before = trial.tally.accepted[kind]
            for seed in seeds[:2]:
                trial.attempt(dice, seed, seed.data)
            assert trial.tally.accepted[kind] > before, kind
    assert trial.tally.examples == []


@pytest.mark.parametrize("domain", BUILTIN_DOMAINS)
def test_a_lie_about_a_verdict_is_found_out(domain: str, tmp_path: Path):
    """The judge says the opposite of what it knows, which is the same as a solver that does."""

    def contrary(problem: Any, question: str) -> bool | None:
        known = JUDGES[domain](problem, question)
        return None if known is None else not known

    trial = attempts(tmp_path, {domain: contrary})
    for example in solvent.examples(domain):
        for number in range(6):
            trial._solve(Random(number), solvent.parse(example.text), b"")
        if trial.tally.failures:
            break
    assert trial.tally.failures["wrong"] > 0
    assert "brute force says otherwise" in trial.tally.examples[0]["what"]


def test_crashes_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def crash(*args: Any, **options: Any) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(solvent, "draw", crash)
    monkeypatch.setattr(solvent, "format", crash)
    trial = attempts(tmp_path)
    dice = Random(1)
    for seed in examples("harmony") * 4:
        trial.attempt(dice, seed, seed.data)
    assert trial.tally.failures["crashed"] > 5
    assert "KeyError" in (tmp_path / "failure-1.txt").read_text()


def test_what_is_lost_on_the_way_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    another = solvent.format(solvent.parse(solvent.examples("harmony")[1].text))
    monkeypatch.setattr(solvent, "format", lambda problem, form: another)
    trial = attempts(tmp_path)
    trial.attempt(Random(1), examples("harmony")[0], examples("harmony")[0].data)
    assert trial.tally.failures["lost"] > 0


def test_an_input_that_takes_long_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(trying, "HUNG_SECONDS", -1.0)
    trial = attempts(tmp_path)
    trial.attempt(Random(1), examples("harmony")[0], b"nothing")
    assert trial.tally.failures == {"hung": 1}


def test_mutations_differ_and_stay_close(kinds: dict[str, list[Seed]]):
    dice = Random(1)
    for kind, seeds in kinds.items():
        data = seeds[0].data
        mutated = [mutate_input(dice, data, [seeds[-1].data]) for _ in range(20)]
        assert len(set(mutated) - {data}) > 10, kind
