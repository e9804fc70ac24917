"""How the leader starts workers: through a fork server where the system can fork, each by itself where it cannot.

Workers never import the user's main module, so a script without a `__main__` guard works, and so do a notebook and a
process that multiprocessing would not allow to have children. Standard input stays the leader's alone; what a worker
prints goes to standard error.
"""

from __future__ import annotations

import abc
import contextlib
import os
import select
import socket
import subprocess
import threading
from collections.abc import Sequence
from typing import Protocol

from solvent.batch.workers import fork_server, serving
from solvent.batch.workers.shared_page import Mark, Page, make_page
from solvent.batch.workers.starting import (
    CAN_FORK,
    PRELOADED,
    SECONDS_TO_LEAVE,
    start_python,
    take_fork_server,
    wait_for_exit,
    without_interruptions,
)

SECONDS_TO_DIE = 10.0
"""How long the system may take to end a process. Much memory takes a while; a disk that hangs takes for ever."""


class Worker(abc.ABC):
    """The leader's end of one worker: its socket and its page."""

    def __init__(self, channel: socket.socket, page: Page, process: int) -> None:
        self.process = process
        """Its process number."""
        self._channel = channel
        self._page = page

    def send(self, frame: bytes) -> None:
        """Give it an order; OSError if it is gone."""
        serving.send_frame(self._channel, frame)

    def receive(self) -> bytearray:
        """Wait for its reply; EOFError or OSError if it ends before that."""
        return serving.receive_frame(self._channel)

    def mark(self) -> Mark | None:
        """Return what instance it is at; None for none, or where it cannot tell. Cheap."""
        return self._page.read()

    def want_stop(self, wanted: bool) -> None:
        """Ask it to come to an end with its job, or take that back. Cheap; it may not be listening."""
        self._page.want_stop(wanted)

    @abc.abstractmethod
    def kill(self) -> None:
        """End it at once, whatever it does; returns before it is gone. May be called from any thread."""

    @abc.abstractmethod
    def exit_code(self) -> int | None:
        """Return how it ended, minus the number of a signal; ends it if it has not. None if that is unknown."""

    def dismiss(self) -> None:
        """Let it go once it is idle, and close what leads to it."""
        self._channel.close()
        self._page.close()


class Launcher(Protocol):
    """What can start workers."""

    def launch(self) -> Worker:
        """Start a worker; OSError if there can be none just now, EOFError if there can be none from here any more."""

    def close(self) -> None:
        """End all workers at once, whatever they do, and what started them. May be called from any thread."""


def make_launcher() -> Launcher:
    """Return the best way to start workers on this system."""
    if CAN_FORK:
        return ForkServerLauncher()
    return DirectLauncher()


class ForkServerLauncher:
    """Start workers by asking a fork server for them, which takes milliseconds."""

    def __init__(self, preload: Sequence[str] = PRELOADED) -> None:
        self._lock = threading.Lock()
        self._control, self._process = take_fork_server(preload)

    def launch(self) -> Worker:
        """Fork a worker."""
        with contextlib.ExitStack() as given, contextlib.ExitStack() as kept:
            channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            given.enter_context(theirs)
            kept.enter_context(channel)
            reading, writing = os.pipe()
            given.callback(os.close, writing)
            kept.callback(os.close, reading)
            descriptor = make_page()
            given.callback(os.close, descriptor)
            page = kept.enter_context(contextlib.closing(Page(descriptor)))
            message = fork_server.MESSAGE.pack(fork_server.FORK, 0)
            try:
                with self._lock:
                    descriptors = [theirs.fileno(), descriptor, writing]
                    socket.send_fds(self._control, [message], descriptors, serving.QUIETLY)
            except OSError as error:
                raise EOFError(f"the process that starts workers is gone ({error})") from None
            given.close()  # now, so that the end of the fork server is seen as the end of the pipe
            process = _read_number(reading)
            if process < 0:
                raise OSError(-process, os.strerror(-process))
            kept.pop_all()
            return _ForkedWorker(self, channel, page, reading, process)

    def kill(self, process: int) -> None:
        """Have a worker ended."""
        with self._lock, contextlib.suppress(OSError):
            self._control.sendall(fork_server.MESSAGE.pack(fork_server.KILL, process), serving.QUIETLY)

    def close(self) -> None:
        """Hang up, on which the fork server ends all workers and itself."""
        with self._lock:
            self._control.close()
        wait_for_exit(self._process)


class _ForkedWorker(Worker):
    """A worker that a fork server has."""

    def __init__(
        self, launcher: ForkServerLauncher, channel: socket.socket, page: Page, report: int, process: int
    ) -> None:
        super().__init__(channel, page, process)
        self._launcher = launcher
        self._report = report
        self._looking = select.poll()
        self._looking.register(channel, select.POLLIN)
        self._looking.register(report, select.POLLIN)

    def receive(self) -> bytearray:
        return serving.receive_frame(self._channel, self._wait)

    def _wait(self) -> None:
        """Wait until there is something to read, or the worker has ended.

        The end of the socket alone would not do: a process that the worker left behind may keep it open.
        """
        ready = {descriptor for descriptor, _ in self._looking.poll()}
        if self._channel.fileno() not in ready:
            raise EOFError

    def kill(self) -> None:
        self._launcher.kill(self.process)

    def exit_code(self) -> int | None:
        looking = select.poll()
        looking.register(self._report, select.POLLIN)
        if not looking.poll(1000 * SECONDS_TO_LEAVE):  # it hung up but goes on
            self.kill()
            if not looking.poll(1000 * SECONDS_TO_DIE):
                return None
        try:
            return _read_number(self._report)
        except EOFError:
            return None

    def dismiss(self) -> None:
        super().dismiss()
        os.close(self._report)


class DirectLauncher:
    """Start each worker by itself, which takes as long as Python and the imports do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def launch(self) -> Worker:
        """Start a Python that serves."""
        with contextlib.ExitStack() as kept:
            channel, theirs = socket.socketpair()
            kept.enter_context(channel)
            descriptor = make_page()
            page = kept.enter_context(contextlib.closing(Page(descriptor)))
            try:
                with theirs, self._lock, without_interruptions():
                    if self._closed:
                        raise OSError("no more workers are wanted")
                    self._processes = {process for process in self._processes if process.poll() is None}
                    process = self._start(theirs, descriptor)
                    self._processes.add(process)
            finally:
                os.close(descriptor)
            kept.pop_all()
            return _ChildWorker(channel, page, process)

    def _start(self, theirs: socket.socket, page: int) -> subprocess.Popen[bytes]:
        call = "from solvent.batch.workers.serving import serve_alone; serve_alone({}, {})"
        if not hasattr(theirs, "share"):
            descriptors = (theirs.fileno(), page)
            return start_python(call.format(*descriptors), stdin=subprocess.DEVNULL, pass_fds=descriptors)
        process = start_python(call.format(None, None), stdin=subprocess.PIPE)
        assert process.stdin is not None
        with process.stdin as stdin:
            stdin.write(theirs.share(process.pid))
        return process

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
            for process in self._processes:
                wait_for_exit(process)


class _ChildWorker(Worker):
    """A worker that is the leader's own child."""

    def __init__(self, channel: socket.socket, page: Page, process: subprocess.Popen[bytes]) -> None:
        super().__init__(channel, page, process.pid)
        self._child = process

    def kill(self) -> None:
        self._child.kill()

    def exit_code(self) -> int | None:
        try:
            return self._child.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            self._child.kill()
        try:
            return self._child.wait(SECONDS_TO_DIE)
        except subprocess.TimeoutExpired:
            return None

    def dismiss(self) -> None:
        super().dismiss()
        wait_for_exit(self._child)


def _read_number(descriptor: int) -> int:
    """Return the next number from a pipe; EOFError if its writer is gone."""
    data = b""
    while len(data) < fork_server.NUMBER.size:
        piece = os.read(descriptor, fork_server.NUMBER.size - len(data))
        if not piece:
            raise EOFError("the process that starts workers is gone")
        data += piece
    number: int = fork_server.NUMBER.unpack(data)[0]
    return number
