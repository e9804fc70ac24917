"""Measure what constraints do to the mix: module shares with each constraint on and off, rule set by rule set.

Run `python -m benchmarks valency-mix`. The figure is the total variation distance between the shares of all modules,
orientations apart, in the fills of the same seeds without the constraint and with it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import solvent
from benchmarks.valency_tasks import load_rules
from solvent.core.answer import Verdict
from solvent.valency.authoring import RuleBook
from solvent.valency.model import (
    Acyclic,
    Connected,
    Consecutive,
    Constraint,
    Count,
    Lattice,
    Rules,
    Separation,
    Staging,
    mask_of,
    numbers_in,
)
from solvent.valency.model import (
    Path as JoinPath,
)

SIZE = 24
SECONDS = 60.0
"""The limit for one fill."""
GOAL = 0.1
"""How far a constraint of these kinds may move the mix, at most."""
HELD = ("connected", "acyclic", "consecutive")
KINDS = ("connected", "path", "separation", "count", "acyclic", "consecutive")
LONGEST = 6
"""How many nodes in a row may take part, by `consecutive`."""

Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MixSet:
    """Hold rules, and the part of them that must hang together."""

    name: str
    rules: Rules
    chosen: tuple[int, ...]
    """The modules that take part."""
    exits: tuple[tuple[int, ...], ...]
    """As in `Connected`."""


def mix_sets(folder: Path) -> Iterator[MixSet]:
    """Yield our rule sets, and the public ones that are there."""
    yield _by_socket("roads", _roads(), "road")
    yield _by_socket("roads and dead ends", _roads(ends=True, tees=True), "road")
    yield _by_socket("caves", _caves(), "floor")
    yield _by_socket("ducts", _ducts(), "duct")
    for example in solvent.examples("valency"):
        if example.name in ("pipes", "rooms"):
            staging = solvent.parse(example.text, domain="valency")
            yield _of_constraint(example.name, staging.rules, staging.constraints[0])
    for name, joined in JOINED.items():
        rules = load_rules(name, folder)
        if rules is not None:
            chosen = tuple(at for at, module in enumerate(rules.modules) if module.name in joined)
            yield MixSet(name, rules, chosen, ())


JOINED = {
    "Knots": ("corner", "cross", "line"),
    "Circles": ("w", "w_half", "w_i", "w_quarter"),
    "Rooms": ("bend", "corridor", "door", "empty", "t", "turn"),
    "Castle": ("bridge", "road", "roadturn", "t", "wallroad"),
    "FloorPlan": ("door", "floor", "in", "stairs", "table"),
}
"""What must hang together, of public rules: their sockets have no names."""


def _roads(*, ends: bool = False, tees: bool = False) -> RuleBook:
    rules = RuleBook("square", name="roads")
    rules.module("grass", sockets={"*": "grass"}, weight=4)
    rules.module("road", sockets={"left": "road", "right": "road", "*": "grass"}, rotations=2)
    rules.module("turn", sockets={"down": "road", "right": "road", "*": "grass"}, rotations=4)
    if ends:
        rules.module("end", sockets={"right": "road", "*": "grass"}, rotations=4, weight=0.3)
    if tees:
        rules.module("tee", sockets={"left": "road", "right": "road", "down": "road", "*": "grass"}, rotations=4)
    return rules


def _caves() -> RuleBook:
    """Return open floor and rock of any shape: two materials along every side."""
    rules = RuleBook("square", name="caves")
    rules.module("rock", sockets={"*": "rock"}, weight=3)
    rules.module("cave", sockets={"*": "floor"}, weight=3)
    rules.module("edge", sockets={"left": "floor", "*": "rock"}, rotations=4)
    rules.module("bay", sockets={"left": "rock", "*": "floor"}, rotations=4)
    rules.module("corner", sockets={"left": "floor", "up": "floor", "*": "rock"}, rotations=4)
    return rules


def _ducts() -> RuleBook:
    """Return ducts that may cross, and always have room beside them."""
    rules = RuleBook("square", name="ducts")
    rules.module("wall", sockets={"*": "wall"}, weight=6)
    rules.module("duct", sockets={"left": "duct", "right": "duct", "*": "wall"}, rotations=2, weight=2)
    rules.module("elbow", sockets={"left": "duct", "up": "duct", "*": "wall"}, rotations=4)
    rules.module("cross", sockets={"*": "duct"}, weight=0.5)
    return rules


def _by_socket(name: str, book: RuleBook, label: str) -> MixSet:
    from solvent.valency.authoring import connected

    staging = book.on_grid(2, 2, constraints=[connected(sockets=label)])
    return _of_constraint(name, staging.rules, staging.constraints[0])


def _of_constraint(name: str, rules: Rules, constraint: Constraint) -> MixSet:
    assert isinstance(constraint, Connected)
    return MixSet(name, rules, tuple(numbers_in(constraint.modules)), constraint.exits)


def constraint_of(kind: str, one: MixSet, shares: Shares) -> Constraint | None:
    """Return a constraint of a kind that suits the rules, or None: about what they would do anyway, but not quite."""
    nodes, mask = SIZE * SIZE, mask_of(one.chosen)
    rare = [at for at in one.chosen if 0 < shares[at] < 0.03]
    if kind == "connected":
        return Connected(mask, one.exits)
    if kind == "path":
        near = SIZE // 4 * (SIZE + 1)  # from a quarter of the way along the diagonal to three quarters
        return JoinPath(near, nodes - 1 - near, mask, one.exits)
    if kind == "separation":
        return Separation(1 << rare[0], 4) if rare else None
    if kind in ("acyclic", "consecutive"):  # of sockets with names: elsewhere whole floors would be circles
        if not one.exits:
            return None
        return Acyclic(mask, one.exits) if kind == "acyclic" else Consecutive(mask, LONGEST, ((0, 0), (0, 1)))
    if not one.chosen:
        return None
    usual = round(float(shares[list(one.chosen)].sum()) * nodes)
    return Count(mask, least=min(nodes, usual + nodes // 50))


@dataclass(frozen=True, slots=True)
class MixRow:
    """Hold what one constraint does to one rule set."""

    rules: str
    kind: str
    filled: int
    seeds: int
    distance: float
    """Between the shares of all fills with it and all without it."""
    worst: float
    """Between the shares of one fill and all without it, at most."""
    seconds: float
    """Processor time, the median."""

    def as_json(self) -> dict[str, Any]:
        """Return it as it stands in the JSON file."""
        return {name: getattr(self, name) for name in self.__slots__}


def measure(one: MixSet, seeds: Sequence[int], kinds: Sequence[str] = KINDS) -> Iterator[MixRow]:
    """Fill a rule set without any constraint and with each, from each seed; yields a row for each constraint."""
    task = Staging(one.rules, Lattice(SIZE, SIZE))
    plain, _ = fill_all(task, seeds)
    usual = np.mean(plain, axis=0)
    for kind in kinds:
        constraint = constraint_of(kind, one, usual)
        if constraint is None:
            continue
        found, times = fill_all(replace(task, constraints=(constraint,)), seeds)
        distances = [total_variation(shares, usual) for shares in found]
        distance = total_variation(np.mean(found, axis=0), usual) if found else 1.0
        yield MixRow(
            one.name, kind, len(found), len(seeds), distance, max(distances, default=1.0), float(np.median(times))
        )


def fill_all(task: Staging, seeds: Sequence[int]) -> tuple[list[Shares], list[float]]:
    """Return the shares of the modules in the fills of each seed that there are, and the processor time of each."""
    found, times = [], []
    for seed in seeds:
        began = time.process_time()
        answer = solvent.ask(replace(task, seed=seed), seconds=SECONDS)
        times.append(time.process_time() - began)
        if answer.verdict is Verdict.YES and answer.certificate is not None:
            modules = np.array(answer.certificate["modules"])
            counts = np.bincount(modules[modules >= 0], minlength=len(task.rules.modules))
            found.append(counts / counts.sum())
    return found, times


def total_variation(one: Shares, other: Shares) -> float:
    """Return the share of nodes that would have to change so that two mixes are equal."""
    return float(np.abs(one - other).sum() / 2)


def describe(row: MixRow) -> str:
    """Return one line of the table."""
    filled = f"{row.filled}/{row.seeds}"
    return f"{row.rules:22} {row.kind:11} {filled:>6} {row.distance:8.3f} {row.worst:8.3f} {row.seconds:8.2f}"


HEADER = f"{'rules':22} {'constraint':11} {'filled':>6} {'distance':>8} {'worst':>8} {'CPU s':>8}"


def report(rows: Sequence[MixRow]) -> dict[str, Any]:
    """Return everything the JSON file holds, except machine and commit."""
    far = [f"{row.rules}, {row.kind}: {row.distance:.3f}" for row in rows if row.kind in HELD and not _near(row)]
    return {"rows": [row.as_json() for row in rows], "goal": GOAL, "far": far}


def _near(row: MixRow) -> bool:
    return row.filled == row.seeds and row.distance <= GOAL
