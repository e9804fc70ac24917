"""Runs of `solvent validate` that are killed, copied, starved and disturbed: nothing is lost, nothing is done twice."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from random import Random

from torture.campaign import Campaign, Trial
from torture.runs import interruptions, outputs, surroundings
from torture.runs.corpus import INSTANCES, write_corpus
from torture.runs.workplace import Failure, Workplace

Disturbance = Callable[[Workplace, Random], None]
DISTURBANCES: Mapping[str, tuple[int, Disturbance]] = {
    "leader": (6, interruptions.kill_leaders),
    "workers": (6, interruptions.kill_workers),
    "signals": (3, interruptions.send_signals),
    "together": (2, interruptions.run_together),
    "copies": (2, interruptions.copy_store),
    "clock": (2, surroundings.turn_the_clock),
    "read-only": (1, surroundings.forbid_writing),
    "full": (2, surroundings.fill_the_disk),
    "memory": (1, surroundings.limit_memory),
    "outputs": (3, outputs.kill_writers),
}
"""What is done to a run, with how often it is chosen."""


def run(trial: Trial) -> None:
    """Disturb one run after another until time is up."""
    torment(trial, instances=INSTANCES)


def torment(
    trial: Trial, *, instances: int, disturbances: Mapping[str, tuple[int, Disturbance]] = DISTURBANCES
) -> None:
    """Do the same with that many instances and these disturbances."""
    place = Workplace(trial.folder / "work", trial.tally, lambda folder: write_corpus(folder, instances))
    names = list(disturbances)
    weights = [weight for weight, _ in disturbances.values()]
    for number, dice in enumerate(trial.rounds(), trial.first_round):
        name = names[number] if number < len(names) else dice.choices(names, weights)[0]
        again = f"python -m torture --campaign runs --process-seed {trial.seed} --round {number}"
        try:
            with place.fresh_store():
                disturbances[name][1](place, dice)
        except Failure as failure:
            trial.tally.fail(failure.kind, f"{name}: {failure}", again)
        except subprocess.TimeoutExpired as error:
            trial.tally.fail("hung", f"{name}: {error}", again)
        except (AssertionError, sqlite3.Error) as error:
            trial.tally.fail("lost", f"{name}: {error}", again)
    place.close()


CAMPAIGN = Campaign("runs", "runs killed, copied and starved of disk, memory and time", 10, run, processes=1)
