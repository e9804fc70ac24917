"""Run `solvent validate` as a process of its own, look at the processes it has, and leave none of them behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from helpers.command import Ran
from helpers.processes import PATIENCE, children_of, looking, process_status

MARK = "SOLVENT_FAULTS_MARK"
"""The variable of the environment by which processes of one test are known, whoever their parent is by now."""
STORE = "results/validation.db"


class Commands:
    """Start the command in one folder, as often as a test likes."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.store = folder / STORE
        self._mark = uuid.uuid4().hex
        self._environment = {**environment, MARK: self._mark, "COLUMNS": "80"}
        self._count = 0

    def start(
        self, *words: str, store: str = STORE, before: Callable[[], None] = lambda: None, stdout: int | None = None
    ) -> Running:
        """Start `solvent validate`; `before` runs in the child before the command does."""
        self._count += 1
        paths = [self.folder / f"{self._count}.{stream}" for stream in ("out", "err")]

        def prepare() -> None:
            # Programs in the background, and all they start, ignore Ctrl-C; undo that.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored by what nohup starts
            before()

        with paths[0].open("wb") as out, paths[1].open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "solvent", "validate", *words, "--store", store],
                cwd=self.folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=out if stdout is None else stdout,
                stderr=err,
                preexec_fn=prepare,
                start_new_session=True,
            )
        return Running(process, self._mark, *paths)

    def run(self, *words: str, store: str = STORE, before: Callable[[], None] = lambda: None) -> Ran:
        """Run the command to its end, and see that it leaves nothing behind."""
        with self.start(*words, store=store, before=before) as running:
            ran = running.wait()
            running.wait_until_nothing_is_left()
        return ran

    def processes(self) -> dict[int, int]:
        """Return all processes of the test that are alive, with their parents."""
        return marked_processes(self._mark)


class Running:
    """One command that was started. Leaving the `with` ends it and all it started."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str, out: Path, err: Path) -> None:
        self.process = process
        self.leader = process.pid
        self._mark = mark
        self._out = out
        self._err = err

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_error: object) -> None:
        for process in (self.leader, *self._family()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def wait(self) -> Ran:
        """Wait for the end of the command."""
        code = self.process.wait(PATIENCE)
        return Ran(code, self._out.read_text(errors="replace"), self._err.read_text(errors="replace"))

    def kill(self) -> None:
        """End the leader, and only the leader, as nothing could prevent."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the leader; nothing if it has ended."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def has_ended(self) -> bool:
        """Tell whether the leader is gone."""
        return self.process.poll() is not None

    def listens_to(self, number: signal.Signals) -> bool:
        """Tell whether the leader has a handler for a signal; Python itself has one for SIGINT."""
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.leader}/status").read_text().splitlines():
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (number - 1) & 1)
        return False

    def fork_server(self) -> int | None:
        """Return the process that starts workers."""
        return next(iter(children_of(self.leader)), None)

    def workers(self) -> list[int]:
        """Return the processes of the workers."""
        fork_server = self.fork_server()
        return [] if fork_server is None else children_of(fork_server)

    def wait_for(self, condition: Callable[[], object]) -> bool:
        """Look until something is so; False if the command ends before."""
        for _ in looking():
            if condition():
                return True
            if self.has_ended():
                return False
        return False

    def wait_until_nothing_is_left(self) -> None:
        """Wait until every process that the command started has ended; they may take a moment to notice."""
        for _ in looking():
            left = self._family()
            if not left:
                return
        raise AssertionError(f"processes that nobody waits for go on: {left}")

    def _family(self) -> list[int]:
        """Return the processes that this leader started, however far removed."""
        session = f"{self.leader}"
        return [process for process in marked_processes(self._mark) if session_of(process) == session]


def marked_processes(mark: str) -> dict[int, int]:
    """Return the processes alive that have a mark in their environment, with their parents."""
    wanted = f"{MARK}={mark}".encode()
    found = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            # A process may end while we look. One that has ended and waits to be noticed has no environment.
            with contextlib.suppress(OSError):
                if wanted in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = int(process_status(int(entry.name))[1])
    return found


def session_of(process: int) -> str:
    """Return the session of a process; it stays the same whoever becomes the parent."""
    try:
        return process_status(process)[3]
    except OSError:
        return ""


def obey_permissions() -> None:
    """Give up what lets an administrator write where the permissions forbid it; for the child of a test."""
    drop_from_bounding_set, overriding = 24, (1, 2)  # from linux/prctl.h and linux/capability.h
    if os.geteuid() == 0:
        for capability in overriding:
            ctypes.CDLL(None).prctl(drop_from_bounding_set, capability, 0, 0, 0)
