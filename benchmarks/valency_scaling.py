"""Measure one large grid in a process of its own, because a process only ever tells the most memory it had.

`python -m benchmarks.valency_scaling RULES SIZE FOLDER` prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import PROJECT

WARM_UP_SIZE = 30
ROUNDS = 3
SECONDS = 300.0


def measure_growth(name: str, size: int, folder: Path) -> dict[str, Any]:
    """Return what filling a grid of `size` × `size` takes, measured in a new process."""
    command = [sys.executable, "-m", "benchmarks.valency_scaling", name, str(size), str(folder.resolve())]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=4 * SECONDS)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[2:])} failed: {done.stderr[-2000:]}")
    row: dict[str, Any] = json.loads(done.stdout)
    return row


def measure_here(name: str, size: int, folder: Path) -> dict[str, Any]:
    """Measure in this process: booting, filling (the median of a few seeds), and asking with a check.

    The time a node is that of the processor, which other programs disturb less. Memory is what booting and filling
    added to what the process had when all kernels were loaded.
    """
    from benchmarks.measures import median_of
    from benchmarks.valency_solvers import ASKING, FRONTIER
    from benchmarks.valency_tasks import tile_class
    from solvent.core.answer import Verdict

    small, large = (tile_class(name, one, (0,), folder) for one in (WARM_UP_SIZE, size))
    if small is None or large is None:
        raise FileNotFoundError(f"no rules {name} in {folder}")
    FRONTIER.attempt(FRONTIER.prepare(small.staging), 0, SECONDS)
    ASKING.attempt(small.staging, 0, SECONDS)
    before = most_megabytes()
    began = time.perf_counter()
    network = FRONTIER.prepare(large.staging)
    boot_seconds = time.perf_counter() - began
    times, cpu_times, fills = [], [], []
    for seed in range(ROUNDS):
        began, cpu_began = time.perf_counter(), time.process_time()
        fills.append(FRONTIER.attempt(network, seed, SECONDS))
        times.append(time.perf_counter() - began)
        cpu_times.append(time.process_time() - cpu_began)
    filling = most_megabytes()
    del network
    began = time.perf_counter()
    asked = ASKING.attempt(large.staging, 0, SECONDS)
    ask_seconds = time.perf_counter() - began
    fill_seconds, cpu_seconds = median_of(times) or 0.0, median_of(cpu_times) or 0.0
    return {
        "class": large.name,
        "nodes": size * size,
        "rounds": ROUNDS,
        "filled": sum(fill.verdict is Verdict.YES for fill in fills),
        "asked": asked.verdict.value,
        "boot_seconds": round(boot_seconds, 6),
        "fill_seconds": round(fill_seconds, 6),
        "cpu_microseconds_a_node": round(cpu_seconds / (size * size) * 1e6, 4),
        "ask_seconds": round(ask_seconds, 6),
        "megabytes_before": round(before, 1),
        "megabytes_filling": round(filling - before, 1),
        "megabytes_asking": round(most_megabytes() - before, 1),
    }


def most_megabytes() -> float:
    """Return the most memory this process has had."""
    try:  # what the system says of a child's usage begins with what its parent had
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / (1 << 10)
    except OSError:
        pass  # not Linux
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20) if sys.platform == "darwin" else used / (1 << 10)


if __name__ == "__main__":
    print(json.dumps(measure_here(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
