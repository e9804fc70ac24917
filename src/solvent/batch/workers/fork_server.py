"""The fork server: it imports what workers need once, forks one when asked, and reports how each one ended.

It runs nothing of an instance, so nothing of an instance can stop it. When the leader is gone, however that came about,
it ends all workers and itself; when it is gone itself, the system ends its workers.

The leader talks to it through a socket. Each message is one letter and a number: `F` with three descriptors, the socket
and the page of a new worker and the pipe on which to tell its process number now (below zero, the error that kept it
from being forked) and its exit code later; `K` with a process number to end. The leader never ends a worker itself,
since a number may belong to someone else by the time it is used; only the parent knows.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import selectors
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    import ctypes

FORK = b"F"
KILL = b"K"
MESSAGE = struct.Struct("!cq")
NUMBER = struct.Struct("!q")

POLL_SECONDS = 0.5
"""How often to look whether the leader is still there. Its socket shows it, unless another process holds it too."""

_NOT_INHERITED: int = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
"""What arrives is for a worker, not for programs that it starts."""

# From linux/prctl.h.
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main(descriptor: int, leader: int, preload: Sequence[str]) -> NoReturn:
    """Fork workers until the leader hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the leader held it back until we were ready
    _leave_no_core_files()
    control = socket.socket(fileno=descriptor)
    for module in preload:
        # A worker that needs it will report what is wrong with it.
        with contextlib.suppress(Exception):
            importlib.import_module(module)
    gc.collect()
    gc.freeze()  # so that collecting garbage in a worker does not copy the pages that all share
    ForkServer(control, leader).keep()
    os._exit(0)


class ForkServer:
    """Fork workers, and know what became of them."""

    def __init__(self, control: socket.socket, leader: int) -> None:
        self._control = control
        self._leader = leader
        self._reports: dict[int, int] = {}
        """For each worker, by process number, the pipe on which to tell how it ended."""
        self._system = _system_calls()
        if self._system is not None:
            # What a worker leaves behind becomes our child, so that it can be ended too.
            self._system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._ended, self._wakeup = os.pipe()
        for end in (self._ended, self._wakeup):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # without a handler the selector is not woken
        signal.set_wakeup_fd(self._wakeup)

    def keep(self) -> None:
        """Do what the leader asks until it is gone; then end all workers."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._ended, selectors.EVENT_READ)
            while os.getppid() == self._leader:
                ready = {key.fileobj for key, _ in selector.select(POLL_SECONDS)}
                if self._ended in ready:
                    os.read(self._ended, 4096)
                    self._reap()
                if self._control in ready and not self._obey():
                    break
        self._end_all()

    def _obey(self) -> bool:
        """Read one message and do what it says; False if the leader has hung up."""
        message, descriptors = b"", []
        while len(message) < MESSAGE.size:
            try:
                part, arrived, _, _ = socket.recv_fds(self._control, MESSAGE.size - len(message), 3, _NOT_INHERITED)
            except OSError:
                return False
            if not part:
                return False
            message += part
            descriptors += arrived
        letter, number = MESSAGE.unpack(message)
        if letter == FORK:
            self._fork(*descriptors)
        elif letter == KILL and number in self._reports:
            os.kill(number, signal.SIGKILL)
        return True

    def _fork(self, channel: int, page: int, report: int) -> None:
        fork_server = os.getpid()
        try:
            worker = os.fork()
        except OSError as error:  # too many processes, or no memory for another one
            worker = -(error.errno or 1)
        if worker == 0:
            self._become_worker(channel, page, report, fork_server)
        os.close(channel)
        os.close(page)
        self._tell(report, worker)
        if worker > 0:
            self._reports[worker] = report
        else:
            os.close(report)

    def _become_worker(self, channel: int, page: int, report: int, fork_server: int) -> NoReturn:
        code = 1
        try:
            if self._system is not None:
                self._system.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != fork_server:  # it ended before the system knew of our wish
                os._exit(1)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._control.close()
            for descriptor in (self._ended, self._wakeup, report, *self._reports.values()):
                os.close(descriptor)
            from solvent.batch.workers.serving import serve

            serve(socket.socket(fileno=channel), parent=fork_server, page=page)
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)

    def _reap(self) -> None:
        """Tell the leader of every worker that ended, and end what it left behind."""
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                break
            report = self._reports.pop(process, None)
            if report is not None:
                self._tell(report, os.waitstatus_to_exitcode(status))
                os.close(report)
        for stray in _children() - self._reports.keys():
            with contextlib.suppress(OSError):
                os.kill(stray, signal.SIGKILL)

    def _end_all(self) -> None:
        signal.set_wakeup_fd(-1)
        while True:
            for process in self._reports.keys() | _children():
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            try:
                process, _ = os.waitpid(-1, 0)
            except ChildProcessError:
                return
            self._reports.pop(process, None)

    def _tell(self, report: int, number: int) -> None:
        with contextlib.suppress(OSError):  # the leader no longer wants to know
            os.write(report, NUMBER.pack(number))


def _children() -> set[int]:
    """Return the process numbers of all children, strays included; empty where the system does not tell."""
    own = os.getpid()
    try:
        with open(f"/proc/{own}/task/{own}/children", "rb") as file:
            return {int(number) for number in file.read().split()}
    except (OSError, ValueError):
        return set()


def _leave_no_core_files() -> None:
    """Let crashes leave no copies of memory in the user's folder; a hard instance may crash a thousand times."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    except (ImportError, OSError, ValueError):
        pass


def _system_calls() -> ctypes.CDLL | None:
    """Return the system's own functions where they have the ones we know."""
    if sys.platform != "linux":
        return None
    import ctypes  # the leader, which knows the messages from here, has no use for it

    return ctypes.CDLL(None)
