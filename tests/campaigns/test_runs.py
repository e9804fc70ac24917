"""The campaign against runs: it finds nothing here, and what is lost, changed or half written it finds."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from torture import runs
from torture.campaign import Trial
from torture.runs import interruptions, outputs
from torture.runs.workplace import Workplace

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes through /proc")

HALF = """
import pathlib

def _replace(self, target):
    pathlib.Path(target).write_bytes(self.read_bytes()[:40])
    self.unlink()

pathlib.Path.replace = _replace
"""
"""What Python runs when it starts: a file takes the place of another by halves."""


def trial_of(folder: Path, rounds: int) -> Trial:
    return Trial(0, time.monotonic() + 3600, folder, max_rounds=rounds)


@pytest.mark.slow
def test_a_round_of_kills_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interruptions, "KILLS", (2, 2))
    trial = trial_of(tmp_path, 1)
    runs.torment(trial, instances=20, disturbances={"leader": runs.DISTURBANCES["leader"]})
    assert trial.tally.as_json()["examples"] == []
    assert trial.tally.tried > 0


@pytest.mark.deep  # `make torture` does the same
@pytest.mark.parametrize("name", runs.DISTURBANCES)
def test_every_disturbance_finds_nothing(tmp_path: Path, name: str) -> None:
    trial = trial_of(tmp_path, 2)
    runs.torment(trial, instances=40, disturbances={name: runs.DISTURBANCES[name]})
    assert trial.tally.as_json()["examples"] == []
    assert trial.tally.tried > 0


def finish_and_edit(statement: str) -> Callable[[Workplace, Random], None]:
    def disturb(place: Workplace, dice: Random) -> None:
        place.finish()
        before = place.stored_keys()
        with closing(sqlite3.connect(place.store)) as database, database:
            database.execute(statement)
        place.require_kept(before)
        place.require_same_table()

    return disturb


def half_write(place: Workplace, dice: Random) -> None:
    (place.folder / "site" / "sitecustomize.py").write_text(HALF)
    try:
        outputs.kill_writer(place, "picture", outputs.WRITERS["picture"], dice)
    finally:
        (place.folder / "site" / "sitecustomize.py").unlink()


PLANTED = {
    "answer lost": finish_and_edit("DELETE FROM answer WHERE id = (SELECT max(id) FROM answer)"),
    "link lost": finish_and_edit("DELETE FROM run_answer WHERE number = (SELECT max(number) FROM run_answer)"),
    "source lost": finish_and_edit("DELETE FROM item WHERE number = 2"),
    "verdict changed": finish_and_edit("UPDATE answer SET verdict = iif(verdict = 'NO', 'YES', 'NO') WHERE id = 1"),
    "time changed": finish_and_edit("UPDATE answer SET seconds = seconds + 5 WHERE id = 1"),  # the seal knows
    "half a file": half_write,
}


@pytest.mark.slow
def test_what_is_planted_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "_kill_when", lambda process, folder, dice: process.wait() < 0)
    trial = trial_of(tmp_path, len(PLANTED))
    runs.torment(trial, instances=8, disturbances={name: (1, disturb) for name, disturb in PLANTED.items()})
    assert [example["what"].partition(":")[0] for example in trial.tally.examples] == list(PLANTED)
