"""Stores with a run or two in them, filled by hand: small boards that nobody has to solve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import solvent
from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, Task, pack
from solvent.batch.settings import Settings, instance_hash
from solvent.batch.store import Store
from solvent.proof.certificate import encode_certificate
from solvent.reading import format_problem

DOMAIN = "harmony"
QUESTION = "solvable"
State = Literal["running", "finished", "interrupted"]


@dataclass(frozen=True)
class Told:
    """What one source of a run comes to."""

    name: str
    verdict: str | None = "YES"
    """None for a bug."""
    content: int = 0
    """Which board it holds; the same number is the same instance."""
    seconds: float = 0.01
    certified: bool = True
    cause: str = "TIME"
    """Of an UNKNOWN."""
    detail: str = ""
    because: str = ""
    error: str = ""
    stats: Mapping[str, Any] = field(default_factory=dict)
    path: str | None = ""
    """Empty for the name; None for a line of a file of many."""
    read_as: ReadAs = ReadAs.INSTANCE
    message: str = ""
    size: int | None = 6
    solver: str = "0.1.0+aaaa"
    machine: str = "a machine"
    finished: float = 0.0


def board(content: int) -> str:
    """Return the text of a board; each number gives another."""
    return format_problem(solvent.generate(DOMAIN, rows=2, cols=3, swaps=4, seed=content))


def fill(path: Path, told: list[Told], *, settings: Settings | None = None, state: State = "finished") -> int:
    """Add a run to a store, made if there is none; returns its number."""
    settings = settings or Settings()
    with Store.open(path) as store:
        run = store.begin_run(
            settings.as_json(), token=repr(told), command="solvent validate boards", solver="0.1.0", machine="a machine"
        )
        for number, each in enumerate(told):
            _add(store, run, number, each)
        store.commit()
        if state != "running":
            store.end_run(run, state, seconds=1.5)
        return run.id


def _add(store: Store, run: Any, number: int, told: Told) -> None:
    source = Source(
        number, told.name, path=told.name if told.path == "" else told.path, line=None if told.path == "" else 3
    )
    if told.read_as is not ReadAs.INSTANCE:
        store.add_reading(run, Reading(source, told.read_as, message=told.message))
        return
    text = board(told.content)
    instance = Instance(instance_hash(DOMAIN, text), DOMAIN, told.size, pack(text.encode()))
    store.add_reading(run, Reading(source, ReadAs.INSTANCE, instance))
    key = f"{instance.hash} {told.verdict} {told.seconds} {told.solver} {told.certified}"
    task = Task(key, instance, QUESTION, told.name, told.solver)
    proof = {"solvent": 1, "domain": DOMAIN, "question": QUESTION, "verdict": told.verdict, "form": "plan", "plan": []}
    decided = told.verdict in ("YES", "NO") and told.certified
    outcome = Outcome(
        key,
        QUESTION,
        told.verdict,
        cause=told.cause if told.verdict == "UNKNOWN" else None,
        detail=told.detail,
        because=told.because,
        form="plan" if decided else None,
        certificate=pack(encode_certificate(proof)) if decided else None,
        stats=told.stats,
        expanded=12,
        length=4,
        seconds=told.seconds,
        error=told.error,
        machine=told.machine,
        finished=told.finished,
    )
    store.add_outcome(run, task, outcome)
    store.link(run, source, key)
