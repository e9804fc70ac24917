"""A server under crowds, slow and hostile clients, dropped streams and floods: right answers, and flat memory."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import Any

from benchmarks.web import resident_megabytes

from helpers.processes import descendants
from torture.campaign import Campaign, Trial
from torture.server import clients, crowds
from torture.server.visit import Visit
from web.calling import run_alone, serving_with

Attack = Callable[[Visit, Random], Coroutine[Any, Any, None]]
ATTACKS: Mapping[str, tuple[int, Attack]] = {
    "answers": (4, crowds.ask_questions),
    "crowd": (3, crowds.connect_at_once),
    "hostile": (6, clients.send_hostile_requests),
    "slow": (1, clients.send_slowly),
    "dropped": (3, clients.hang_up),
    "greedy": (1, crowds.flood),
    "beside": (1, crowds.ask_beside_flood),
}
"""What is done to the server, with how often it is chosen."""
SETTINGS: dict[str, Any] = {
    "jobs": 3,
    "quick_jobs": 2,
    "body_seconds": 3.0,
    "header_seconds": 3.0,
    "body_bytes": 1 << 20,
}
"""Little patience, so that slow clients are sent away within seconds; and bodies of a megabyte."""
MAX_GROWTH = {"server": 40.0, "worker": 160.0}
"""Megabytes by which the server process and the largest worker may grow once every attack was met once."""
SAMPLES = 3
"""How many measurements count at the end: the least of them, since a request may be under way during one."""


def run(trial: Trial) -> None:
    """Attack one server until time is up."""
    with serving_with(**SETTINGS) as (server, address):
        attack(trial, address, server.pid)
        if server.poll() is not None:
            trial.tally.fail("crashed", f"the server ended with {server.returncode}")


def attack(trial: Trial, address: str, server: int, attacks: Mapping[str, tuple[int, Attack]] = ATTACKS) -> None:
    """Attack a server that is there, and measure what it holds."""
    names = list(attacks)
    weights = [weight for weight, _ in attacks.values()]
    held: list[dict[str, float]] = []
    visit = Visit(address, trial.tally)
    run_alone(visit.get_ready())
    for number, dice in enumerate(trial.rounds(), trial.first_round):
        name = names[number] if number < len(names) else dice.choices(names, weights)[0]
        again = f"python -m torture --campaign server --process-seed {trial.seed} --round {number}"
        try:
            run_alone(attacks[name][1](visit, dice))
            run_alone(visit.require_calm())
        except TimeoutError:
            trial.tally.fail("hung", f"{name}: no reply in time", again)
        for kind, what in visit.take_faults():
            trial.tally.fail(kind, f"{name}: {what}", again)
        if number >= len(names) - 1:
            held.append(megabytes_held(server))
    for process, growth in find_growth(held).items():
        trial.tally.measure(f"growth of the {process} in MB", growth)
        if growth > MAX_GROWTH[process]:
            what = f"the {process} grew by {growth:.0f} MB over {visit.requests:,} requests: {held[0]} → {held[-1]}"
            trial.tally.fail("overrun", what)


def megabytes_held(server: int) -> dict[str, float]:
    """Return what the server process holds, and the largest process that it started."""
    others = [resident_megabytes(process) for process in descendants(server)]
    return {"server": resident_megabytes(server), "worker": max(others, default=0.0)}


def find_growth(held: list[dict[str, float]]) -> dict[str, float]:
    """Return by how many megabytes each kind of process has grown since the first measurement."""
    if not held:
        return {}
    return {kind: max(0.0, min(each[kind] for each in held[-SAMPLES:]) - first) for kind, first in held[0].items()}


CAMPAIGN = Campaign("server", "requests to a server: crowds, slow, hostile and greedy clients", 3, run, processes=1)
