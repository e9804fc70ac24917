"""A small cluster on this machine, for trying out: a scheduler and some workers, which end with the process that asked.

It is a process of its own with a process group of its own, so it can be ended at once, whatever it does, and none of
its messages reach the terminal. It ends by itself when the pipe to it closes, also when the leader was killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from typing import IO

from solvent.batch.workers.starting import start_python

SECONDS_TO_START = 120.0
"""Generous: a loaded machine may take long to import everything in each process."""


class CannotStartCluster(Exception):
    """Say that the processes of a local cluster could not be started."""


class LocalScheduler:
    """Start a scheduler with some workers of one thread each; `close` ends all of them."""

    def __init__(self, workers: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="solvent-cluster-")
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the cluster
        self._process = start_python(
            f"from solvent.batch.cluster.local import main; main({workers}, {self._folder!r})",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        try:
            self.address = self._read_address()
            """Where the scheduler listens."""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End everything at once, whatever it does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        _end_group(self._process.pid)
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read_address(self) -> str:
        assert self._process.stdout is not None
        late = threading.Timer(SECONDS_TO_START, self._process.kill)
        late.start()
        try:
            line = self._process.stdout.readline().decode().strip()
        finally:
            late.cancel()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
            raise CannotStartCluster(lines[-1] if lines else f"exit code {self._process.returncode}")
        return line


def main(workers: int, folder: str) -> None:
    """Run a cluster until standard input closes, keeping its files in a folder."""
    import logging

    from distributed import LocalCluster

    # Workers inherit standard output; only the address may go into the pipe, which is not read after that.
    pipe = os.dup(1)
    os.set_inheritable(pipe, False)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        worker_dashboard_address=None,
        memory_limit=1 / workers,
        local_directory=folder,
        silence_logs=logging.CRITICAL,
    )
    os.write(pipe, cluster.scheduler_address.encode() + b"\n")
    os.close(pipe)
    sys.stdin.buffer.read()  # until its parent is gone
    shutil.rmtree(folder, ignore_errors=True)
    _end_group(os.getpid())
    os._exit(0)


def _end_group(leader: int) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
