"""Measure how Valency fills: tile sets, peers, growing grids, a graph without any order, many modules, starting."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import solvent
from benchmarks import valency_tasks as tasks
from benchmarks.measures import SectionRun, median_of, median_span, runs_of, span_between, summarise
from benchmarks.repeats import Repeats, sum_up, take_turns
from benchmarks.valency_scaling import measure_growth
from benchmarks.valency_solvers import (
    AS_COMMAND,
    ASKING,
    CP_SAT,
    ENTROPY,
    FRONTIER,
    GLUCOSE,
    LAZILY,
    OURS,
    RESTARTS,
    SCANLINE,
    UNBALANCED,
    Contender,
    Fill,
    Modules,
    installed_peers,
    package_versions,
)
from benchmarks.valency_tasks import TaskClass
from solvent.core.answer import Verdict
from solvent.core.errors import CertificateRejected
from solvent.proof.certificate import make_certificate
from solvent.valency.model import NULL_SLOT, Rules, Staging

NAMES = ("tilesets", "peers", "scaling", "irregular", "patterns", "start", "examples")

REPEATS = Repeats()
RIVALS = (RESTARTS, GLUCOSE, CP_SAT)
"""Other ways to a fill than ours."""
PATIENCE = 2
"""Who fills none of the first so many seeds of a class sits out the rest."""


@dataclass(frozen=True, slots=True)
class Section:
    """Hold who is measured on what."""

    name: str
    title: str
    contenders: tuple[Contender, ...]
    base: str | None
    """The contender that the others are compared with."""
    make_classes: Callable[[], Iterable[TaskClass | None]]
    """Classes are made one by one, when their turn comes; None is one for which something is missing."""
    seconds: float
    """Everybody's limit for one fill."""


@dataclass(frozen=True, slots=True)
class FillRun(SectionRun):
    """Hold what one contender did with one seed; the seconds are the median of its repeats."""

    distance: float | None = None
    """How far the frequencies of the modules are from their weights; only of a complete fill."""
    left_out: float | None = None
    """The share of nodes that hold nothing, of who leaves nodes out."""
    tries: int = 1
    repairs: int = 0
    windows: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the run as it stands in the JSON file."""
        return SectionRun.as_json(self) | {
            "distance": None if self.distance is None else round(self.distance, 6),
            "left_out": None if self.left_out is None else round(self.left_out, 6),
            "tries": self.tries,
            "repairs": self.repairs,
            "windows": self.windows,
        }


def all_sections(folder: Path, *, quick: bool, peers: bool) -> list[Section]:
    """Return every section but `scaling`, which is measured in processes of its own."""
    seeds, few = (range(3), range(2)) if quick else (range(7), range(3))
    names = ("Rooms", *tasks.BUNDLED[:1]) if quick else (*tasks.PUBLIC, *tasks.BUNDLED)
    sizes = (50,) if quick else (50, 100)
    compared = (("Rooms", 20),) if quick else (("Rooms", 20), ("Castle", 20), ("Rooms", 50), ("Castle", 50))
    meshes = (2500,) if quick else (2500, 10_000)
    patterns = ((3, 8, 16),) if quick else ((3, 1, 48), (3, 8, 48), (4, 4, 48))
    orders = (FRONTIER, ENTROPY, SCANLINE, RESTARTS)

    def tiled() -> Iterator[TaskClass | None]:
        return (tasks.tile_class(name, size, seeds, folder) for name in names for size in sizes)

    def beside_peers() -> Iterator[TaskClass | None]:
        for name, size in compared:
            yield tasks.tile_class(name, size, few, folder) or tasks.tile_class("pipes", size, few, folder)

    def on_meshes() -> Iterator[TaskClass | None]:
        return (tasks.delaunay_class(nodes, seeds) for nodes in meshes)

    def of_patterns() -> Iterator[TaskClass | None]:
        return (tasks.pattern_class(*words, few) for words in patterns)

    def started() -> Iterator[TaskClass | None]:
        return (tasks.tile_class("pipes", size, few, folder) for size in (20, 50))

    everybody, general = (*orders, UNBALANCED, LAZILY, ASKING), installed_peers() if peers else ()
    mesh, wraps = "A mesh of jittered points, 85 modules", "Patterns of a sample, on a grid that wraps around"
    return [
        Section("tilesets", "Tile sets on grids", everybody, OURS, tiled, 3.0),
        Section("peers", "Beside general solvers", (ASKING, *general), ASKING.name, beside_peers, 3.0 if quick else 10),
        Section("irregular", mesh, (*orders, LAZILY, ASKING), OURS, on_meshes, 3.0),
        Section("patterns", wraps, orders, OURS, of_patterns, 3.0 if quick else 5.0),
        Section("start", "What starting costs", (FRONTIER, ASKING, AS_COMMAND), OURS, started, 60.0),
        Section("examples", "The bundled tasks", (ASKING,), None, tasks.example_classes, 10.0),
    ]


def warm_up(contenders: Iterable[Contender]) -> None:
    """Let everybody import what they need before the clock starts."""
    group = tasks.tile_class("pipes", 8, (0,), Path())
    assert group is not None  # it comes with Solvent
    for contender in contenders:
        contender.attempt(contender.prepare(group.staging), 0, 60.0)
    for one in tasks.example_classes():  # counts, separations and refutations have kernels of their own
        solvent.ask(one.staging, seconds=60.0)
    gc.collect()
    gc.freeze()  # what is loaded by now stays; collecting need not look at it again


def run_class(section: Section, group: TaskClass) -> Iterator[tuple[int, list[FillRun]]]:
    """Let all contenders try each seed in turn; yields how many seeds are done and the runs on the last one.

    Who goes first changes from seed to seed, so that what else the machine does hits them alike.
    """
    prepared = {contender.name: contender.prepare(group.staging) for contender in section.contenders}
    decided = dict.fromkeys(prepared, 0)
    for index, seed in enumerate(group.seeds):
        runs = []
        for contender in take_turns(section.contenders, index):
            quick_to_fail = contender is LAZILY  # what it leaves out is what is measured
            if index >= PATIENCE and not decided[contender.name] and not quick_to_fail:
                continue
            runs.append(run_one(section.name, group, seed, contender, prepared[contender.name], section.seconds))
            decided[contender.name] += runs[-1].decided
        yield index + 1, runs


def run_one(section: str, group: TaskClass, seed: int, contender: Contender, prepared: Any, seconds: float) -> FillRun:
    """Let one contender fill a task from one seed, several times if it is quick.

    An answer that comes after the limit is over the limit like no answer.
    """
    gc.collect()  # so that nobody pays for what the one before left behind
    times: list[float] = []
    fills: list[Fill] = []
    while not REPEATS.are_enough(times):
        began = time.perf_counter()
        fill = contender.attempt(prepared, seed, seconds)
        times.append(time.perf_counter() - began)
        fills.append(fill)
    shown, together = fills[0], sum_up(times, fills, seconds)
    quick_to_fail = contender is LAZILY
    staging = group.staging
    return FillRun(
        section=section,
        group=group.name,
        instance=f"seed {seed}",
        contender=contender.name,
        verdict=together.verdict,
        seconds=together.typical if quick_to_fail else together.seconds,
        certified=together.certified,
        reason=together.reason,
        said=together.said,
        distance=None if shown.modules is None or together.over else distance_to_weights(staging.rules, shown.modules),
        left_out=None if shown.modules is None or not quick_to_fail else share_left_out(shown.modules),
        tries=shown.tries,
        repairs=shown.repairs,
        windows=shown.windows,
        wrong=find_fault(group, fills, repeatable=contender.repeatable),
        first_seconds=times[0],
        repeats=len(times),
    )


def distance_to_weights(rules: Rules, modules: Modules) -> float:
    """Return the total variation distance between how often modules stand there and how often their weights say."""
    weights = np.array([module.weight for module in rules.modules])
    counts = np.bincount(modules[modules >= 0], minlength=len(weights))
    return float(np.abs(counts / max(1, counts.sum()) - weights / weights.sum()).sum() / 2)


def share_left_out(modules: Modules) -> float:
    """Return the share of the nodes to be filled that hold nothing."""
    to_fill = modules != NULL_SLOT
    return float((modules[to_fill] < 0).mean()) if to_fill.any() else 0.0


def find_fault(group: TaskClass, fills: Sequence[Fill], *, repeatable: bool) -> str | None:
    """Return what is wrong with the fills of one seed, if anything: the checker, the verdict, or that they differ."""
    for fill in fills:
        if fill.wrong:
            return fill.wrong
        if group.expected is not None and fill.verdict not in (group.expected, Verdict.UNKNOWN):
            return f"says {fill.verdict.value} where {group.expected.value} is known"
    complete = [fill.modules for fill in fills if fill.verdict is Verdict.YES and fill.modules is not None]
    if not complete:
        return None
    if repeatable and any(not np.array_equal(complete[0], other) for other in complete[1:]):
        return "fills differently from the same seed"
    return refused_by_checker(group.staging, complete[0])


def refused_by_checker(staging: Staging, modules: Modules) -> str | None:
    """Return what the checker says against a fill, or None."""
    body = {"modules": modules.tolist()}
    try:
        solvent.check(staging, make_certificate("valency", "solvable", Verdict.YES, "assignment", **body))
    except CertificateRejected as error:
        return str(error)
    return None


def report(
    measured: Sequence[tuple[Section, Sequence[TaskClass]]],
    runs: Sequence[FillRun],
    growth: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """Gather everything the tables show and the JSON file holds, except machine and commit."""
    return {
        "peers": package_versions(),
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "limit_seconds": section.seconds,
                "classes": [_class_row(group) for group in classes],
                "summary": [row for group in classes for row in _summary_rows(section, group.name, runs)],
                "comparison": [row for group in classes for row in compare(section, group.name, runs)],
            }
            for section, classes in measured
        ],
        "scaling": list(growth),
        "wrong": find_wrong(runs),
        "runs": [run.as_json() for run in runs],
    }


def _class_row(group: TaskClass) -> dict[str, Any]:
    return {"name": group.name, "instances": len(group.seeds), "modules": len(group.staging.rules.modules)}


def _summary_rows(section: Section, group: str, runs: Sequence[FillRun]) -> Iterator[dict[str, Any]]:
    base = runs_of(runs, section.name, group, section.base)
    for contender in section.contenders:
        own = runs_of(runs, section.name, group, contender.name)
        if own:
            yield summarise(own, base) | {
                "tries": median_of([run.tries for run in own]),
                "repairs": median_of([run.repairs for run in own]),
                "windows": sum(run.windows for run in own),
                "left_out": median_of([run.left_out for run in own if run.left_out is not None]),
                "distance": mean_and_error([run.distance for run in own if run.distance is not None]),
            }


def mean_and_error(numbers: Sequence[float]) -> dict[str, float] | None:
    """Return the mean and its standard error, 0 of a single number; None of nothing."""
    if not numbers:
        return None
    error = float(np.std(numbers, ddof=1) / len(numbers) ** 0.5) if len(numbers) > 1 else 0.0
    return {"mean": round(float(np.mean(numbers)), 6), "error": round(error, 6)}


def compare(section: Section, group: str, runs: Sequence[FillRun]) -> Iterator[dict[str, Any]]:
    """Yield, for each rival, how it did against the base on the same seeds.

    `typical` is the median of its time over the base's. A run over the limit took at least the limit, so that a ratio
    may have only one bound. Distances are those of the seeds that both filled.
    """
    base = {run.instance: run for run in runs_of(runs, section.name, group, section.base)}
    for contender in section.contenders:
        own = [run for run in runs_of(runs, section.name, group, contender.name) if run.instance in base]
        if not own or contender not in RIVALS:
            continue
        pairs = [(run, base[run.instance]) for run in own]
        both = [(a.distance, b.distance) for a, b in pairs if a.distance is not None and b.distance is not None]
        yield {
            "class": group,
            "contender": contender.name,
            "instances": len(own),
            "typical": median_span([span_between(a.measure, b.measure) for a, b in pairs]).as_json(),
            "both": len(both),
            "distance": mean_and_error([one for one, _ in both]),
            "base_distance": mean_and_error([other for _, other in both]),
        }


def find_wrong(runs: Iterable[FillRun]) -> list[str]:
    """Return every answer that cannot be right, alone or beside another on the same task: a bug if there is any."""
    together: dict[tuple[str, str], list[FillRun]] = {}
    for run in runs:
        together.setdefault((run.section, run.group), []).append(run)
    found = []
    for (section, group), here in together.items():
        found += [f"{section}, {group}, {run.instance}: {run.contender}: {run.wrong}" for run in here if run.wrong]
        verdicts = {verdict for run in here for verdict in run.said} - {Verdict.UNKNOWN}
        if len(verdicts) > 1:  # whether there is a fill does not depend on the seed
            said = dict.fromkeys(f"{run.contender} {'/'.join(sorted(one.value for one in run.said))}" for run in here)
            found.append(f"{section}, {group}: {', '.join(said)}")
    return found


def grow(folder: Path, *, quick: bool) -> Iterator[dict[str, Any]]:
    """Measure grids as they grow, each in a process of its own."""
    sizes = (50, 100) if quick else (100, 200, 400, 700, 1000)
    for name in ("terrain",) if quick or not (folder / "Castle.xml").is_file() else ("terrain", "Castle"):
        for size in sizes:
            yield measure_growth(name, size, folder)
