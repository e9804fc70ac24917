"""Do with a store what the Runs page of the workbench does, and print what each part took as JSON.

python -m benchmarks.scale_page STORE
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path


def measure_page(path: Path) -> dict[str, float]:
    """Return processor seconds: the list of runs, one run, its first rows and charts; and to begin checking it."""
    from solvent.batch.checking import check_store
    from solvent.batch.store import Store
    from solvent.web.runs.charts import draw_charts
    from solvent.web.runs.schemas import RowsWanted
    from solvent.web.runs.work import list_rows, list_store, show_run
    from solvent.web.served_files import ServedFile

    file = ServedFile("store", path, path.name, path.stat().st_size, path.stat().st_mtime)
    parts: dict[str, Callable[[], object]] = {
        "list of runs": lambda: list_store(file),
        "one run": lambda: show_run(file, 1),
        "first rows": lambda: list_rows(file, 1, RowsWanted()),
        "slowest rows": lambda: list_rows(file, 1, RowsWanted(sort="seconds", descending=True)),
        "charts": lambda: draw_charts(file, 1),
    }
    taken: dict[str, float] = {}
    for name, do in parts.items():
        with _clock(taken, name):
            do()
    with _clock(taken, "check begins"), Store.open(path, create=False, read_only=True) as store:
        next(check_store(store))
    return taken


@contextlib.contextmanager
def _clock(taken: dict[str, float], name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    taken[name] = round(time.process_time() - began, 4)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure_page(Path(sys.argv[1]))))
