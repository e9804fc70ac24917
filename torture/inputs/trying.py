"""Take an input through everything that can be done with it, and see what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import solvent
from solvent.core.answer import Verdict
from solvent.core.errors import LimitReached, SolventError, UnsoundAnswer
from solvent.reading import decode_problem
from solvent.registry import get_domain
from torture.campaign import Tally, Trial
from torture.failing import Failures
from torture.inputs.mutating import mutate_input
from torture.inputs.seeds import Seed, collect_seeds, make_instance
from torture.judges.verdicts import JUDGES

INPUTS_A_ROUND = 20
HUNG_SECONDS = 20.0
"""CPU time after which an input counts as hung."""
MAX_SIZE = 3_000
"""Instances with more cells or nodes are not drawn, solved and converted each time; reading them is enough."""
RARELY_SOLVED = 0.3
WRITTEN_RARELY = {"ldtk": 0.1, "tmj": 0.4, "tmx": 0.4}
"""Formats that take long to write, and how often they are."""
FRESH = 0.15
"""How often an instance is a new one, and not one of the seeds."""
GRAPHS = (".graphml", ".csv", ".json")


def run(trial: Trial, judges: Any = JUDGES) -> None:
    """Mutate inputs and try them."""
    seeds = collect_seeds(Random(f"seeds of {trial.seed}"))
    attempts = Attempts(trial, judges)
    kinds = sorted(seeds)
    weights = [0.1 if seeds[kind][0].beside else 1.0 for kind in kinds]  # matching a map with a graph takes long
    for dice in trial.rounds():
        kind = dice.choices(kinds, weights)[0]
        for _ in range(INPUTS_A_ROUND):
            seed = dice.choice(seeds[kind])
            others = [other.data for other in dice.sample(seeds[kind], min(2, len(seeds[kind])))]
            data = seed.data
            if dice.random() < FRESH:
                data = _fresh(dice, seed)
            if dice.random() < 0.9:
                data = mutate_input(dice, data, others)
            attempts.attempt(dice, seed, data)


def _fresh(dice: Random, seed: Seed) -> bytes:
    """Write a new instance in the format of a seed, or return the seed's where it cannot be."""
    try:
        return solvent.format(make_instance(dice, seed.domain), seed.format).encode()
    except SolventError:
        return seed.data


class Attempts:
    """Try inputs and keep what goes wrong."""

    def __init__(self, trial: Trial, judges: Any) -> None:
        self.trial = trial
        self.tally: Tally = trial.tally
        self.judges = judges
        self.failures = Failures(trial, "inputs")

    def attempt(self, dice: Random, seed: Seed, data: bytes) -> None:
        """Read an input, and do everything with it if it can be read."""
        group = f"{seed.domain}/{seed.format}"
        self.tally.count(group)
        began = time.process_time()
        problem = self._guard("reading", lambda: self._read(dice, seed, data), data=data)
        if problem is not None:
            self.tally.accept(group)
            self._use(dice, problem, data)
        taken = time.process_time() - began
        self.tally.measure("longest", taken)
        if taken > HUNG_SECONDS:
            self.failures.keep("hung", f"{group}: {taken:.1f} s of CPU time", data=data)

    def _guard(self, what: str, work: Callable[[], Any], **at_hand: Any) -> Any:
        """Do something; errors of Solvent are fine, anything else is a failure."""
        try:
            return work()
        except (SolventError, LimitReached):
            return None
        except UnsoundAnswer:
            self.failures.keep("wrong", what, **at_hand)
        except Exception:
            self.failures.keep("crashed", what, **at_hand)
        return None

    def _read(self, dice: Random, seed: Seed, data: bytes) -> Any:
        if seed.format.startswith("."):
            return self._make_task(dice, seed, data)
        if seed.beside is not None:
            name, beside = seed.beside
            self._file(name, mutate_input(dice, beside, ()) if dice.random() < 0.3 else beside)
            return solvent.load(self._file(seed.name, data))
        named = seed.domain if dice.random() < 0.7 else None
        return decode_problem(data, source="input", domain=named)

    def _make_task(self, dice: Random, seed: Seed, data: bytes) -> Any:
        """Make a task of Valency from a file of rules or a graph."""
        options: dict[str, Any] = {"unsolved": True, "seed": 1}
        path = str(self._file(f"input{seed.format}", data))
        if seed.format in GRAPHS:
            # Edges that say orbitals say those of pipes.
            rules = "pipes" if b"orbital" in data else dice.choice(("rooms", "pipes"))
            return solvent.generate("valency", graph=path, rules=rules, **options)
        if seed.format in (".png", ".txt") and dice.random() < 0.5:
            options |= {"sample": "overlapping", "pattern": 2}
        return solvent.generate("valency", rules=path, grid="4x3", **options)

    def _file(self, name: str, data: bytes) -> Path:
        path = self.trial.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def _use(self, dice: Random, problem: Any, data: bytes) -> None:
        """Draw, write, read again, solve, and now and then ask for more."""
        domain = get_domain(problem.domain)
        if domain.size is not None and domain.size(problem) > MAX_SIZE:
            return
        name = domain.name
        if dice.random() < 0.4:
            self._guard(f"{name}: drawing text", lambda: str(problem), data=data)
        if dice.random() < 0.25:
            self._guard(f"{name}: drawing", lambda: solvent.draw(problem), data=data)
        for form in domain.formats if dice.random() < 0.1 else [dice.choice(list(domain.formats))]:
            if dice.random() < WRITTEN_RARELY.get(form, 1.0):
                self._round_trip(problem, form, data)
        if dice.random() < RARELY_SOLVED:
            self._solve(dice, problem, data)
        if dice.random() < 0.03 and domain.hints is not None:
            self._guard(f"{name}: hints", lambda: list(islice(solvent.hints(problem, seconds=0.3), 2)), data=data)
        if dice.random() < 0.01 and domain.explain is not None:
            self._guard(f"{name}: explaining", lambda: solvent.explain(problem, seconds=0.3), data=data)
        if dice.random() < 0.1 and domain.page is not None:
            show = domain.page.data
            self._guard(f"{name}: data of the page", lambda: show(problem), data=data)

    def _round_trip(self, problem: Any, form: str, data: bytes) -> None:
        """Write an instance in a format and read it again: it must be the same."""
        written = self._guard(f"{problem.domain}: writing {form}", lambda: solvent.format(problem, form), data=data)
        if written is None:
            return
        try:
            again = solvent.parse(written, domain=problem.domain)
        except SolventError:
            self.failures.keep("crashed", f"{problem.domain}: what is written as {form} cannot be read", data=data)
            return
        except Exception:
            self.failures.keep("crashed", f"{problem.domain}: reading what is written as {form}", data=data)
            return
        if again != problem:
            self.failures.keep(
                "lost", f"{problem.domain}: {form} does not give the same back", data=data, written=written
            )

    def _solve(self, dice: Random, problem: Any, data: bytes) -> None:
        """Ask a question with little to spend, and compare the answer with the truth where that can be known."""
        question = dice.choice(list(get_domain(problem.domain).questions))
        proof = dice.random() < 0.7
        what = f"{problem.domain}: {question}"
        answer = self._guard(
            what, lambda: solvent.ask(problem, question, nodes=5_000, seconds=1.0, proof=proof), data=data
        )
        if answer is None or answer.verdict is Verdict.UNKNOWN or dice.random() < 0.5:
            return
        truth = self.judges[problem.domain](problem, question)
        self.tally.accept("verdicts judged", truth is not None)
        if truth is not None and truth is not (answer.verdict is Verdict.YES):
            self.failures.keep("wrong", f"{what} is {answer.verdict}, but brute force says otherwise", data=data)
