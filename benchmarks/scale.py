"""Measure what very many small instances take: runs of ten thousand to a million, their stores, and what reads them.

Everything is done by commands as anybody would give them, each a process of its own. What was measured is kept step by
step in the folder of the benchmark: after an interruption, the same command goes on where it stopped.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.batch import make_boards
from benchmarks.batch_runs import Used, measure
from benchmarks.machine import current_load, describe_commit

QUESTION = "solvable"
BOARD = (4, 7)
"""Columns and swaps of the instances, with three rows: the smallest of which there are a million."""
SMALLEST = 10_000
CLUSTER_SIZES = (10_000, 100_000)
CLUSTER_WORKERS = (2, 4)
SECONDS_BETWEEN_SAMPLES = 0.2
SECTIONS = ("run", "report", "comparison", "table", "page", "again", "cluster")


@dataclass(frozen=True, slots=True)
class Step:
    """Say what is measured once."""

    name: str
    """Such as `10000/report`."""
    section: str
    command: tuple[str, ...]
    """What Python is called with."""
    store: Path
    fresh: bool = False
    """Whether the store is made by it."""
    copy: Path | None = None
    """Where it needs a copy of the store, which is gone afterwards."""


class Notes:
    """Keep what was measured in a file, step by step."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.steps: dict[str, dict[str, Any]] = {}
        if path.exists():
            self.steps = json.loads(path.read_text(encoding="utf-8"))

    def is_done(self, step: str) -> bool:
        """Tell whether a step was measured to its end."""
        return bool(self.steps.get(step, {}).get("done"))

    def write(self, step: str, **facts: Any) -> None:
        """Note something about a step, at once and as a whole."""
        self.steps[step] = {**self.steps.get(step, {}), **facts}
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.steps, indent=1), encoding="utf-8")
        part.replace(self.path)


def sizes_up_to(most: int) -> list[int]:
    """Return ten thousand, ten times that and so on, and at last `most` itself."""
    below = itertools.takewhile(lambda size: size < most, (SMALLEST * 10**power for power in itertools.count()))
    return [*below, most]


def plan(folder: Path, sizes: Sequence[int], sections: Sequence[str] = SECTIONS) -> list[Step]:
    """Return what is measured, in order."""
    return [step for size in sizes for step in _steps_of(folder, size) if step.section in sections]


def _steps_of(folder: Path, size: int) -> Iterator[Step]:
    store = folder / f"{size}.db"
    lines = folder / f"boards-{size}.jsonl"
    solvent = ("-m", "solvent")
    validate = (*solvent, "validate", str(lines), "--ask", QUESTION, "--quiet", "--no-csv")
    here = (*validate, "--jobs", "2", "--store", str(store))
    pages = [str(folder / name) for name in ("report.html", "comparison.html", "table.html", "table.csv")]

    def step(section: str, *command: str, copy: Path | None = None) -> Step:
        return Step(f"{size}/{section}", section, command, store, copy=copy)

    yield replace(step("run", *here), fresh=True)
    yield step("report", *solvent, "report", str(store), "--run", "1", "-o", pages[0])
    yield step("table", *solvent, "report", str(store), "--run", "1", "-o", pages[2], "--csv", pages[3])
    yield step("page", "-m", "benchmarks.scale_page", str(store))
    copy = folder / "copy.db"  # as another run of the same would be, with every instance matched by its hash
    yield step("comparison", *solvent, "report", str(store), str(copy), "-o", pages[1], copy=copy)
    yield step("again", *here)
    if size in CLUSTER_SIZES:
        for workers in CLUSTER_WORKERS:
            into = folder / f"{size}-cluster-{workers}.db"
            command = (*validate, "--jobs", "1", "--cluster", f"local:{workers}", "--store", str(into))
            yield Step(f"{size}/cluster-{workers}", "cluster", command, into, fresh=True)


def write_boards(folder: Path, sizes: Sequence[int], tell: Callable[[str], None]) -> None:
    """Write distinct small instances as lines of JSON, a file for each size; those that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [size for size in sizes if not (folder / f"boards-{size}.jsonl").exists()]
    for size in missing:
        tell(f"making {size:,} instances")
        target = folder / f"boards-{size}.jsonl"
        part = target.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for number, text in enumerate(make_boards(size, cols=BOARD[0], swaps=BOARD[1])):
                file.write(json.dumps({"name": f"board {number}", "text": text}) + "\n")
        part.replace(target)


def carry_out(step: Step, notes: Notes) -> None:
    """Do one step and note what it took.

    A run that was interrupted is continued: its figures are those of all parts together. A part that was killed with
    this program left none, which is noted.
    """
    earlier = notes.steps.get(step.name, {})
    if step.fresh and not earlier:
        for ending in ("", "-wal", "-shm"):
            Path(f"{step.store}{ending}").unlink(missing_ok=True)
    lost = earlier.get("parts_without_figures", 0) + bool(earlier.get("at_work"))
    began = {"at_work": True, "parts_without_figures": lost, "load_at_start": current_load(), **describe_commit()}
    notes.write(step.name, **began)
    if step.copy is not None:
        shutil.copyfile(step.store, step.copy)
    used = measure([sys.executable, *step.command], every=SECONDS_BETWEEN_SAMPLES, interruptible=step.fresh)
    if step.copy is not None:
        for ending in ("", "-wal", "-shm"):
            Path(f"{step.copy}{ending}").unlink(missing_ok=True)
    figures = add_figures(earlier, figures_of(used, step.store))
    if step.section == "page":
        figures["parts"] = json.loads(used.printed)
    notes.write(step.name, **figures, at_work=False, load_at_end=current_load(), done=used.finished)
    if not used.finished:
        raise KeyboardInterrupt


def figures_of(used: Used, store: Path) -> dict[str, Any]:
    """Return what a process took, as it is noted."""
    files = [Path(f"{store}{ending}") for ending in ("", "-wal")]
    return {
        "seconds": round(used.seconds, 3),
        "cpu_seconds": round(used.cpu_seconds, 3),
        "leader_cpu_seconds": used.leader_cpu_seconds,
        "leader_megabytes": round(max((held for _, held in used.samples), default=0.0), 1),
        "store_megabytes": round(sum(file.stat().st_size for file in files if file.exists()) / 1e6, 3),
    }


def add_figures(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a step whose earlier parts were interrupted: times add up, the largest memory counts."""
    together = dict(now)
    for name in ("seconds", "cpu_seconds", "leader_cpu_seconds"):
        if earlier.get(name) is not None and now[name] is not None:
            together[name] = round(earlier[name] + now[name], 3)
    together["leader_megabytes"] = max(now["leader_megabytes"], earlier.get("leader_megabytes", 0.0))
    return together


def report(notes: Notes, sizes: Sequence[int]) -> dict[str, Any]:
    """Put together what was measured, with a line for each step that was not."""
    wanted = plan(notes.path.parent, sizes)
    missing = [step.name for step in wanted if not notes.is_done(step.name)]
    steps = {step.name: notes.steps[step.name] for step in wanted if notes.is_done(step.name)}
    return {"sizes": list(sizes), "question": QUESTION, "steps": steps, "missing": missing, "cores": os.cpu_count()}
