"""The alternative that everybody writes first: a process pool of the standard library, and no store.

`python -m benchmarks.batch_alternative FOLDER QUESTION JOBS` reads and asks about every file, and prints how many
answers there were.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import solvent

CHUNK = 20
"""Files that travel together, so that sending them is not what is measured."""


def ask_about(path: str, question: str) -> str:
    """Read a file and answer a question about it."""
    return solvent.ask(solvent.load(path), question).verdict.value


def ask_about_all(folder: Path, question: str, jobs: int) -> int:
    """Return how many files of a folder have the answer YES."""
    paths = [str(path) for path in sorted(folder.iterdir())]
    with ProcessPoolExecutor(jobs) as pool:
        verdicts = pool.map(ask_about, paths, [question] * len(paths), chunksize=CHUNK)
        return sum(verdict == "YES" for verdict in verdicts)


if __name__ == "__main__":
    print(ask_about_all(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
