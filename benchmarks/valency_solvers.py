"""Who fills: Solvent in several orders, wave function collapse as it is usually done, and two general solvers.

Nobody's fill is believed: the checker looks at each of them, off the clock.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import solvent
from benchmarks.dungeon_peers import run_command
from benchmarks.repeats import OVER
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.errors import UnsoundAnswer
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Staging
from solvent.valency.solver.collapse_kernel import FILLED
from solvent.valency.solver.ladder import Ladder
from solvent.valency.solver.network import Network, boot, unpack
from solvent.valency.solver.orders import DEFAULT, solver_named
from solvent.valency.solver.task import Task

Modules = npt.NDArray[np.int64]

OURS, PLAIN, LAZY, ASKED = DEFAULT, "plain entropy", "lazy", "ask"
PACKAGES = {"ortools": "ortools", "python-sat": "pysat", "scipy": "scipy"}
MAX_TRIES = 10_000
CONFLICTS_A_LOOK = 2000
"""How long Glucose works between two looks at the clock: a fraction of a second."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Hold what a contender came to."""

    verdict: Verdict
    modules: Modules | None = None
    """The module on each node, also of a fill that is not complete."""
    tries: int = 1
    """How often it began from nothing."""
    repairs: int = 0
    windows: int = 0
    certified: bool = False
    reason: str | None = None
    wrong: str | None = None


@dataclass(frozen=True, slots=True)
class Contender:
    """Hold a name and a way to fill a task."""

    name: str
    attempt: Callable[[Any, int, float], Fill]
    """What the clock runs for, given what was prepared, a seed and the seconds it may take."""
    prepare: Callable[[Staging], Any] = lambda staging: staging
    """Turns the task into what `attempt` wants, off the clock, once for all seeds."""
    repeatable: bool = True
    """Whether the same seed must give the same fill."""


def filling(name: str, solver: str, **changed: bool) -> Contender:
    """Return one of Solvent's solvers on a network that is booted already; nothing is checked."""
    options = {"repair": True, "windows": True, "balance": True, **changed}

    def attempt(network: Network, seed: int, seconds: float) -> Fill:
        return climb(network, solver, seed, seconds, options)

    return Contender(name, attempt, boot)


def climb(network: Network, solver: str, seed: int, seconds: float, options: dict[str, bool]) -> Fill:
    """Fill a booted network as `solvent.ask` would."""
    task = Task(network, network.domains, seed, Budget(seconds=seconds).start(), options)
    ladder = Ladder(network, task, solver_named(solver), windows=options["windows"], minimal=False)
    outcome = ladder.climb()
    if outcome.modules is not None:
        verdict = Verdict.YES
    else:
        verdict = Verdict.NO if outcome.refutation is not None else Verdict.UNKNOWN
    tries, repairs, windows = (int(outcome.stats[key]) for key in ("attempts", "repairs", "windows"))
    reason = None if outcome.reason is None else str(outcome.reason)
    return Fill(verdict, outcome.modules, tries, repairs, windows, reason=reason)


def restart(network: Network, seed: int, seconds: float, most_tries: int = MAX_TRIES) -> Fill:
    """Collapse by entropy, and begin again with another seed at each contradiction: wave function collapse, plainly.

    It has our kernels, so that what is compared is the way to go about it and not the language.
    """
    meter = Budget(seconds=seconds).start()
    task = Task(network, network.domains, seed, meter, {"repair": False})
    ladder = Ladder(network, task, solver_named("entropy"), windows=False, minimal=False)
    place, reason = ladder.root()
    if place >= 0:
        return Fill(Verdict.NO)
    tries = 0
    while reason is None and tries < most_tries:
        task.attempt, task.seed = 0, seed + 1_000_003 * tries
        tries += 1
        modules = task.collapse(balance=False)
        reason = task.reason
        if task.status == FILLED and ladder.is_fill(modules):
            return Fill(Verdict.YES, modules, tries)
    return Fill(Verdict.UNKNOWN, tries=tries, reason=OVER)


def fill_lazily(network: Network, seed: int, seconds: float) -> Fill:
    """Fill without propagating and without going back; what is left out counts."""
    task = Task(network, network.domains, seed, Budget(seconds=seconds).start())
    modules = solver_named("lazy").fill(task)
    if (modules[network.cache.open_nodes] >= 0).all():
        return Fill(Verdict.YES, modules)
    return Fill(Verdict.UNKNOWN, modules, reason=f"{int((modules == UNSOLVABLE).sum())} nodes left out")


def ask(staging: Staging, seed: int, seconds: float) -> Fill:
    """Ask in the public way: validate the task, boot it, fill it, check the fill."""
    try:
        # A new object: what was booted for the one before is not found again.
        answer = solvent.ask(replace(staging, seed=seed), seconds=seconds)
    except UnsoundAnswer as error:  # a finding of its own, and no reason to lose all the others
        return Fill(Verdict.UNKNOWN, reason="its own checker refused the answer", wrong=str(error))
    modules = None
    if answer.certificate is not None and "modules" in answer.certificate:
        modules = np.array(answer.certificate["modules"], dtype=np.int64)
    tries, repairs, windows = (int(answer.stats.get(key, 0)) for key in ("attempts", "repairs", "windows"))
    reason = None if answer.reason is None else str(answer.reason)
    return Fill(answer.verdict, modules, tries, repairs, windows, answer.certified, reason)


def call_command(text: str, seed: int, seconds: float) -> Fill:
    """Run Solvent's command on a task as text: a new process, with all that it costs to start."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "task.json").write_text(text, encoding="utf-8")
        words = ["solve", "task.json", "--json", "--seconds", str(seconds), "--seed", str(seed)]
        code, output = run_command([sys.executable, "-m", "solvent", *words], folder, seconds + 30.0)
    if code is None:
        return Fill(Verdict.UNKNOWN, reason=OVER)
    if code not in (0, 10, 20):
        raise RuntimeError(f"solvent ended with exit code {code}: {output[-2000:]}")
    answer = json.loads(output)
    return Fill(Verdict(answer["verdict"]), certified=answer["certified"])


def candidates_and_neighbours(network: Network) -> tuple[list[list[int]], Iterator[tuple[int, int, int, list[int]]]]:
    """Return the modules that may stand on each node; then, for each node, module and neighbour, who may stand there.

    This is all that a general solver has to be told of a task without constraints.
    """
    allowed = unpack(network.domains, network.modules)
    candidates = [np.flatnonzero(row).tolist() for row in allowed]
    beside = [[np.flatnonzero(row).tolist() for row in table] for table in network.agreements]
    sets = [set(modules) for modules in candidates]

    def neighbours() -> Iterator[tuple[int, int, int, list[int]]]:
        for node, modules in enumerate(candidates):
            for arc in range(network.arc_start[node], network.arc_start[node + 1]):
                other, kind = int(network.arc_target[arc]), beside[network.arc_kind[arc]]
                for module in modules:
                    yield node, module, other, [one for one in kind[module] if one in sets[other]]

    return candidates, neighbours()


def ask_glucose(staging: Staging, _seed: int, seconds: float) -> Fill:
    """Write everything as clauses and have Glucose find a model. Each node spells its module's number in bits."""
    deadline = time.perf_counter() + seconds
    from pysat.solvers import Solver

    network = boot(staging)
    candidates, neighbours = candidates_and_neighbours(network)
    width, bits = network.modules, max(1, (network.modules - 1).bit_length())
    clauses = [[node * width + module + 1 for module in modules] for node, modules in enumerate(candidates) if modules]
    for node, modules in enumerate(candidates):
        first = network.nodes * width + node * bits + 1
        for module in modules:
            spelt = [first + bit if module >> bit & 1 else -first - bit for bit in range(bits)]
            clauses += [[-node * width - module - 1, literal] for literal in spelt]
    for node, module, other, there in neighbours:
        clauses.append([-node * width - module - 1, *(other * width + one + 1 for one in there)])
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        status = None
        while status is None and time.perf_counter() < deadline:
            solver.conf_budget(CONFLICTS_A_LOOK)
            status = solver.solve_limited()
        if status is None:
            return Fill(Verdict.UNKNOWN, reason=OVER)
        if not status:
            return Fill(Verdict.NO)
        true = np.array([one for one in solver.get_model()[: network.nodes * width] if one > 0]) - 1
    found = np.full(network.nodes, NULL_SLOT, dtype=np.int64)
    found[true // width] = true % width
    return Fill(Verdict.YES, found)


def ask_cp_sat(staging: Staging, seed: int, seconds: float) -> Fill:
    """Say for each node that it holds exactly one module, and for each module which others stand beside it.

    One worker, without presolving: of the settings and models that were tried, tables of allowed pairs among them, this
    was the fastest.
    """
    deadline = time.perf_counter() + seconds
    cp_model: Any = import_module("ortools.sat.python.cp_model")
    network = boot(staging)
    candidates, neighbours = candidates_and_neighbours(network)
    model = cp_model.CpModel()
    holds = [{module: model.new_bool_var("") for module in modules} for modules in candidates]
    for own in holds:
        if own:
            model.add_exactly_one(own.values())
    for node, module, other, there in neighbours:
        model.add_bool_or(holds[node][module].negated(), *(holds[other][one] for one in there))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    solver.parameters.random_seed = seed
    solver.parameters.max_time_in_seconds = max(0.0, deadline - time.perf_counter())
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return Fill(Verdict.NO)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Fill(Verdict.UNKNOWN, reason=OVER)
    modules = [next((one for one, it in own.items() if solver.boolean_value(it)), NULL_SLOT) for own in holds]
    return Fill(Verdict.YES, np.array(modules, dtype=np.int64))


FRONTIER, ENTROPY, SCANLINE = (filling(name, name) for name in (OURS, "entropy", "scanline"))
UNBALANCED = filling("no balance", DEFAULT, balance=False)
RESTARTS = Contender(PLAIN, restart, boot, repeatable=False)  # how often it may begin again is a matter of time
LAZILY = Contender(LAZY, fill_lazily, boot)
ASKING = Contender(ASKED, ask)
AS_COMMAND = Contender("as a command", call_command, solvent.format)
GLUCOSE = Contender("Glucose", ask_glucose)
CP_SAT = Contender("CP-SAT", ask_cp_sat)


def installed_peers() -> tuple[Contender, ...]:
    """Return the general solvers that are there."""
    return (GLUCOSE, CP_SAT) if find_spec("ortools") is not None else (GLUCOSE,)


def package_versions() -> dict[str, str | None]:
    """Return the versions of what is compared with or needed to, None where it is missing."""
    found: dict[str, str | None] = {}
    for package, module in PACKAGES.items():
        try:
            found[package] = version(package) if find_spec(module) is not None else None
        except PackageNotFoundError:
            found[package] = None
    return found
