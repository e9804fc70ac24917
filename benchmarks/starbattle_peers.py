"""Who competes with Solvent on Star Battle: general solvers, each with the plainest model that suits it.

Each finds the solution and shows that no other exists. Building the model is part of the work, importing is not. The
rules are restated here, so that an answer on which all agree does not rest on one reading of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from threading import Timer
from typing import Any

from benchmarks.repeats import OVER
from solvent.core.answer import Verdict
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle

SHORT_CONFLICTS = 1000
"""What clingo and Glucose may do before somebody watches the clock for them.

A watched search needs a second thread, and on a busy machine waking it costs more than a small puzzle. So a search
begins unwatched, with a limit that takes a fraction of a second, and only goes on watched.
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what a contender says about one puzzle."""

    verdict: Verdict
    """Whether there is exactly one solution."""
    solutions: int | None = None
    """0, 1, or 2 for two and more; None from who does not count them."""
    stars: frozenset[int] | None = None
    """The cells of the only solution, from who shows it."""
    reason: str | None = None
    """Why the verdict is UNKNOWN."""
    certified: bool = False
    """True if a checker accepted a proof of the verdict."""
    proof_lines: int | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contender:
    """Hold a name and a way to an answer, given a puzzle and the seconds it may take."""

    name: str
    attempt: Callable[[Puzzle, float], Any]
    """What the clock runs for."""
    read: Callable[[Puzzle, Any], Outcome] = lambda _puzzle, answer: answer
    """Turns what `attempt` returned into an outcome, off the clock."""


def units_of(puzzle: Puzzle) -> list[list[int]]:
    """Return the cells of every row, column and region."""
    size = puzzle.size
    regions: list[list[int]] = [[] for _ in range(size)]
    for cell, region in enumerate(puzzle.regions):
        regions[region].append(cell)
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = [list(range(col, size * size, size)) for col in range(size)]
    return [*rows, *columns, *regions]


def touching_pairs(size: int) -> Iterator[tuple[int, int]]:
    """Yield every two cells that touch, once."""
    for row in range(size):
        for col in range(size):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                if row + down < size and 0 <= col + right < size:
                    yield row * size + col, (row + down) * size + col + right


def marked_cells(puzzle: Puzzle) -> dict[int, bool]:
    """Return the marked cells: True for a star, False for a cross."""
    return {cell: mark == STAR for cell, mark in enumerate(puzzle.marks) if mark != UNKNOWN}


def ask_clingo(puzzle: Puzzle, seconds: float) -> Outcome:
    """Enumerate up to two answer sets."""
    deadline = time.perf_counter() + seconds
    clingo: Any = import_module("clingo")
    size, stars = puzzle.size, puzzle.stars
    facts = [f"cell({cell // size},{cell % size},{region})." for cell, region in enumerate(puzzle.regions)]
    facts += [
        f":- {'not ' if star else ''}star({cell // size},{cell % size})." for cell, star in marked_cells(puzzle).items()
    ]
    rules = f"""
        {{ star(R,C) : cell(R,C,_) }}.
        :- R = 0..{size - 1}, not {stars} {{ star(R,C) : cell(R,C,_) }} {stars}.
        :- C = 0..{size - 1}, not {stars} {{ star(R,C) : cell(R,C,_) }} {stars}.
        :- G = 0..{size - 1}, not {stars} {{ star(R,C) : cell(R,C,G) }} {stars}.
        :- star(R,C), star(R,C+1).
        :- star(R,C), star(R+1,C-1).
        :- star(R,C), star(R+1,C).
        :- star(R,C), star(R+1,C+1).
    """
    found: list[frozenset[int]] = []

    def keep(model: Any) -> None:
        shown = (symbol.arguments for symbol in model.symbols(atoms=True) if symbol.name == "star")
        found.append(frozenset(row.number * size + col.number for row, col in shown))

    control = clingo.Control(["2", "--warn=none", f"--solve-limit={SHORT_CONFLICTS}"])
    control.add("base", [], "".join(facts) + rules)
    control.ground([("base", [])])
    if control.solve(on_model=keep).exhausted or len(found) == 2:
        return _judge(found, complete=True)
    found.clear()  # the second search keeps what the first has learnt, and counts again
    control.configuration.solve.solve_limit = "umax,umax"
    with control.solve(on_model=keep, async_=True) as handle:
        in_time = handle.wait(max(0.0, deadline - time.perf_counter()))
        if not in_time:
            handle.cancel()
        exhausted = handle.get().exhausted
    return _judge(found, complete=in_time and exhausted)


def ask_cp_sat(puzzle: Puzzle, seconds: float) -> Outcome:
    """Enumerate up to two solutions with one worker; that was faster than solving twice."""
    deadline = time.perf_counter() + seconds
    cp_model: Any = import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    has_star = [model.new_bool_var("") for _ in puzzle.regions]
    for cells in units_of(puzzle):
        model.add(cp_model.LinearExpr.sum([has_star[cell] for cell in cells]) == puzzle.stars)
    for row in range(puzzle.size - 1):  # a block of 2×2 holds at most one: the same as pairs, and tighter
        for corner in range(row * puzzle.size, (row + 1) * puzzle.size - 1):
            block = (corner, corner + 1, corner + puzzle.size, corner + puzzle.size + 1)
            model.add_at_most_one([has_star[cell] for cell in block])
    for cell, star in marked_cells(puzzle).items():
        model.add(has_star[cell] == int(star))
    found: list[frozenset[int]] = []

    class Keeper(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # its class is only known at run time
        def on_solution_callback(self) -> None:
            found.append(frozenset(cell for cell, it in enumerate(has_star) if self.boolean_value(it)))
            if len(found) == 2:
                self.stop_search()

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.max_time_in_seconds = max(0.0, deadline - time.perf_counter())
    status = solver.solve(model, Keeper())
    return _judge(found, complete=status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))


def ask_glucose(puzzle: Puzzle, seconds: float) -> Outcome:
    """Solve the clauses with sequential counters, forbid the solution, and solve again."""
    deadline = time.perf_counter() + seconds
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    units = units_of(puzzle)
    if min(map(len, units)) < puzzle.stars:  # the encoder wants no bound above the number of cells
        return _judge([], complete=True)
    cells = len(puzzle.regions)
    last = cells
    clauses = [[-one - 1, -other - 1] for one, other in touching_pairs(puzzle.size)]
    clauses += [[cell + 1 if star else -cell - 1] for cell, star in marked_cells(puzzle).items()]
    for unit in units:
        literals = [cell + 1 for cell in unit]
        count = CardEnc.equals(literals, bound=puzzle.stars, top_id=last, encoding=EncType.seqcounter)
        last = max(last, count.nv)
        clauses += count.clauses
    found: list[frozenset[int]] = []
    with Solver(name="glucose4", bootstrap_with=clauses) as solver:
        status: bool | None = True
        while len(found) < 2 and (status := _solve_until(solver, deadline)):
            found.append(frozenset(literal - 1 for literal in solver.get_model()[:cells] if literal > 0))
            solver.add_clause([-cell - 1 for cell in found[-1]])
    return _judge(found, complete=status is False)


def _solve_until(solver: Any, deadline: float) -> bool | None:
    """Let a SAT solver work until the deadline; None if it has no answer then."""
    solver.conf_budget(SHORT_CONFLICTS)
    status: bool | None = solver.solve_limited()
    if status is not None:
        return status
    solver.conf_budget(-1)  # no limit
    timer = Timer(max(0.0, deadline - time.perf_counter()), solver.interrupt)
    timer.start()
    try:
        status = solver.solve_limited(expect_interrupt=True)
    finally:
        timer.cancel()
        timer.join()  # it must not reach for a solver that is gone
    return status


def _judge(found: list[frozenset[int]], *, complete: bool) -> Outcome:
    """Turn up to two solutions into an outcome; two are an answer even if the search did not end."""
    if len(found) >= 2:
        return Outcome(Verdict.NO, solutions=2)
    if not complete:
        return Outcome(Verdict.UNKNOWN, reason=OVER)
    if found:
        return Outcome(Verdict.YES, solutions=1, stars=found[0])
    return Outcome(Verdict.NO, solutions=0)


@dataclass(frozen=True, slots=True)
class Peer:
    """Hold a contender and the package it needs."""

    contender: Contender
    package: str
    module: str

    @property
    def installed(self) -> bool:
        """Tell whether its package is there."""
        return find_spec(self.module) is not None


PEERS = (
    Peer(Contender("clingo", ask_clingo), "clingo", "clingo"),
    Peer(Contender("CP-SAT", ask_cp_sat), "ortools", "ortools"),
    Peer(Contender("Glucose", ask_glucose), "python-sat", "pysat"),
)


def peer_versions() -> dict[str, str | None]:
    """Return the version of each peer's package, None where it is missing."""
    return {peer.package: version(peer.package) if peer.installed else None for peer in PEERS}
