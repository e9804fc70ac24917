"""A real scheduler and real workers, each a process started by its own command, for tests that kill them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import psutil

from helpers.processes import wait_until

PATIENCE = 60.0
"""Seconds after which a test gives up waiting; a machine under load may need many."""


class DaskProcesses:
    """Start a scheduler; add workers as they are needed; end all of them in the end."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = dict(environment)
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self.file = folder / "scheduler.json"
        """The scheduler file, in which its address stands."""
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file)
        )

    def __enter__(self) -> DaskProcesses:
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"), "the scheduler starts")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self._workers.values(), self.scheduler):
            kill_tree(process.pid)
            process.wait()

    def add_worker(self, name: str, *, threads: int = 1, environment: Mapping[str, str] | None = None) -> None:
        """Start a worker without a nanny, so that it stays dead when it is killed; does not wait for it."""
        self._workers[name] = self._start(
            "worker",
            *("--scheduler-file", str(self.file), "--name", name, "--nthreads", str(threads)),
            *("--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)),
            environment=environment,
        )

    def kill_worker(self, name: str) -> None:
        """End a worker as a machine does that loses its power: nothing is said, nothing is tidied up."""
        self._workers[name].send_signal(signal.SIGKILL)

    def worker_process(self, name: str) -> psutil.Process:
        return psutil.Process(self._workers[name].pid)

    def is_alive(self, name: str) -> bool:
        return self._workers[name].poll() is None

    def _start(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        log = self._folder / f"{words[0]}-{len(self._workers)}.log"
        with log.open("wb") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                env={**self._environment, **(environment or {})},
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )


def kill_tree(process: int) -> None:
    """End a process and all that it started."""
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for member in family:
        try:
            os.kill(member.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
