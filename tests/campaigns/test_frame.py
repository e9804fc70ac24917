"""The frame: tallies add up, tables say what was counted, and processes that die or hang are findings."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from torture.campaign import Campaign, Tally, Trial
from torture.campaigns import CAMPAIGNS, NAMES
from torture.running import run_campaign, work
from torture.table import NOT_JUDGED, campaigns_table, counts_only, forms_table, never_accepted


def some_tally() -> Tally:
    tally = Tally()
    tally.count("harmony/plan", 3)
    tally.count("harmony/invariant/odd moves", 2)
    tally.accept("harmony/plan")
    tally.accept("harmony/invariant/odd moves", 0)
    tally.accept(f"harmony/plan{NOT_JUDGED}", 9)
    tally.measure("longest", 1.5)
    tally.fail("wrong", "a lie", "repeat it")
    return tally


def test_tallies_survive_json_and_add_up():
    tally = some_tally()
    again = Tally.from_json(json.loads(json.dumps(tally.as_json())))
    assert again == tally
    again.add(tally)
    assert again.tried == 10
    assert again.counts["harmony/plan"] == 6
    assert again.failures == Counter(wrong=2)
    assert again.worst == {"longest": 1.5}
    assert len(again.examples) == 2
    assert again.accepted == {"harmony/plan": 2, "harmony/invariant/odd moves": 0, f"harmony/plan{NOT_JUDGED}": 18}


def test_tables_say_what_was_counted():
    results = {"minutes": 1, "campaigns": {"certificates": {"title": "forged", **some_tally().as_json()}}}
    heading, rows = campaigns_table(results)
    assert heading == ["campaign", "tried", "wrongly accepted", "crashed", "hung", "overrun", "lost"]
    assert rows == [["forged", "5", "1", "0", "0", "0", "0"]]
    assert forms_table(results)[1] == [["harmony", "invariant", "2", "0"], ["harmony", "plan", "3", "1"]]
    assert never_accepted(results["campaigns"]["certificates"]) == ["harmony/invariant/odd moves"]
    assert "examples" not in counts_only(results)["campaigns"]["certificates"]
    assert campaigns_table(counts_only(results)) == (heading, rows)


def test_work_writes_its_account(tmp_path: Path):
    def run(trial: Trial) -> None:
        for _ in trial.rounds():
            trial.tally.count("a", 2)

    work(Campaign("x", "x", 1.0, run), Trial(1, time.monotonic() + 60, tmp_path, max_rounds=3))
    assert json.loads((tmp_path / "tally.json").read_text())["counts"] == {"a": 6}


@pytest.mark.parametrize("name", ["certificates"])
def test_a_campaign_runs_in_processes_of_its_own(name: str, tmp_path: Path):
    tally = run_campaign(CAMPAIGNS[name], seconds=0.5, seed=1, folder=tmp_path)
    assert tally.tried > 100
    assert tally.examples == []


def test_every_campaign_can_be_found():
    assert {CAMPAIGNS[name].name for name in NAMES} == set(NAMES)
