"""What tests have workers do. Workers import it by name, so nothing here may need pytest."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from solvent.batch.workers import watchdog

held: list[Any] = []
"""What a worker keeps for ever."""


def process_numbers() -> tuple[int, int]:
    """Return the numbers of the worker and of its parent."""
    return os.getpid(), os.getppid()


def meet(folder: str, own: str, other: str) -> int:
    """Wait for another worker to be here at the same time; return the own process number."""
    Path(folder, own).touch()
    give_up = time.monotonic() + 30
    while not Path(folder, other).exists():
        if time.monotonic() > give_up:
            raise TimeoutError(f"{own} waited for {other} in vain")
        time.sleep(0.002)
    return os.getpid()


def linger(path: str, seconds: float = 600) -> None:
    """Say in a file who has begun, then sleep."""
    Path(path + ".part").write_text(str(os.getpid()))
    Path(path + ".part").rename(path)
    time.sleep(seconds)


def wait_for(path: str) -> str:
    give_up = time.monotonic() + 30
    while not Path(path).exists():
        if time.monotonic() > give_up:
            raise TimeoutError(path)
        time.sleep(0.002)
    return "done"


def loop() -> None:
    while True:
        pass


def loop_in_machine_code(path: str) -> None:
    """Stay in C, without the interpreter, far longer than any test waits."""
    Path(path).touch()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)


def hold_the_gil(path: str = os.devnull) -> None:
    Path(path).touch()
    re.match(r"(a|a)*b", "a" * 200)


def be_deaf() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(600)


def crash() -> None:
    ctypes.string_at(0)


def raise_signal(number: int) -> None:
    os.kill(os.getpid(), number)
    time.sleep(600)


def hang_up() -> None:
    """Close everything and go on."""
    os.closerange(3, 256)
    time.sleep(600)


def allocate_arrays() -> None:
    import numpy

    while True:
        held.append(numpy.ones(1_000_000))


def allocate_doubling() -> None:
    data = bytearray(b"x")
    while True:
        data = data + data


def allocate_list() -> None:
    numbers: list[int] = []
    while True:
        numbers.append(len(numbers))


def allocate_holding_the_gil() -> None:
    while True:
        held.append("x" * 200_000_000)


def allocate_at_once() -> None:
    held.append(b"x" * 10**12)


def keep(megabytes: int) -> int:
    """Hold memory for as long as the worker lives; return its process number."""
    held.append(b"x" * (megabytes * 1_000_000))
    return os.getpid()


def leave_a_process_behind(path: str) -> None:
    """Die, but leave a process that holds the worker's socket."""
    child = os.fork()
    if child == 0:
        time.sleep(600)
        os._exit(0)
    Path(path).write_text(str(child))
    os._exit(7)


def run_a_program(path: str) -> None:
    """Wait for a program that never ends; write who waits, and for whom."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(path + ".part").write_text(f"{os.getpid()} {program.pid}")
    Path(path + ".part").rename(path)
    program.wait()


def watched(seconds: float, megabytes: float, what: str, *arguments: Any) -> Any:
    """Do another trick under guard."""
    with watchdog.watch_over(seconds=seconds, megabytes=megabytes):
        return globals()[what](*arguments)


class Unreadable(Exception):
    """An exception that can be written but not read again."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)


def raise_unreadable() -> NoReturn:
    raise Unreadable("the first", "the second")


def raise_unwritable() -> NoReturn:
    error = ValueError("with a lambda")
    error.because = lambda: None  # type: ignore[attr-defined]
    raise error


def raise_interrupt() -> NoReturn:
    raise KeyboardInterrupt


def return_unwritable() -> Any:
    return lambda: None


def speak() -> bytes:
    """Print, and return what can be read from standard input."""
    print("printed by a worker")  # noqa: T201  on purpose
    os.write(1, b"written by a worker\n")
    return os.read(0, 10)


def make_bytes(count: int) -> bytes:
    return b"x" * count
