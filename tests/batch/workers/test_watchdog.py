from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.batch.workers import watchdog

TESTS = Path(__file__).resolve().parents[2]

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory was handed out")


def run_guarded(body: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process that is guarded as a worker is; its farewell is printed."""
    script = f"""
import os, resource, signal, sys, threading, time
sys.path.insert(0, {str(TESTS)!r})
from solvent.batch.workers import watchdog
from batch.hostile import tricks
def say(kind, detail):
    os.write(1, f"{{kind}}: {{detail}}\\n".encode())
watchdog.begin(parent=os.getppid(), report_exit=say)
{body}
"""
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("act", "code", "farewell"),
    [
        ("tricks.watched(0.2, 500, 'loop')", watchdog.TIME_EXIT, "time: over 0.2 s\n"),
        ("tricks.watched(0.2, 500, 'be_deaf')", watchdog.TIME_EXIT, "time: over 0.2 s\n"),
        ("tricks.watched(60, 100, 'allocate_arrays')", watchdog.MEMORY_EXIT, "memory: over 100 MB\n"),
        ("tricks.watched(60, 100, 'allocate_doubling')", watchdog.MEMORY_EXIT, "memory: over 100 MB\n"),
        ("tricks.watched(60, 12.5, 'allocate_list')", watchdog.MEMORY_EXIT, "memory: over 12.5 MB\n"),
        ("tricks.watched(60, 1000, 'allocate_at_once')", watchdog.MEMORY_EXIT, "memory: over 1000 MB\n"),
    ],
)
def test_whoever_passes_a_limit_is_ended_and_says_why(act: str, code: int, farewell: str) -> None:
    done = run_guarded(act)
    assert (done.returncode, done.stdout, done.stderr) == (code, farewell, "")


@LINUX
def test_the_system_refuses_what_the_thread_cannot_see() -> None:
    """One call that holds the interpreter's lock asks for more than the second limit."""
    done = run_guarded(
        """
with watchdog.watch_over(seconds=60, megabytes=100):
    try:
        b"x" * 600_000_000
    except MemoryError:
        print("refused")
b"x" * 600_000_000
print("allowed again")
"""
    )
    assert (done.returncode, done.stdout) == (0, "refused\nallowed again\n")


def test_within_the_limits_nothing_happens() -> None:
    done = run_guarded(
        """
for _ in range(20):
    with watchdog.watch_over(seconds=5, megabytes=200):
        held = bytes(10_000_000)
        time.sleep(0.005)
time.sleep(0.1)
print("alive")
"""
    )
    assert (done.returncode, done.stdout) == (0, "alive\n")


def test_an_instance_that_ended_is_no_longer_watched() -> None:
    done = run_guarded(
        """
with watchdog.watch_over(seconds=0.1, megabytes=1):
    pass
held = b"x" * 20_000_000
time.sleep(0.3)
print("alive")
"""
    )
    assert (done.returncode, done.stdout) == (0, "alive\n")


def test_a_watch_inside_another_gives_way_to_it_again() -> None:
    done = run_guarded(
        """
with watchdog.watch_over(seconds=0.3, megabytes=500):
    with watchdog.watch_over(seconds=60, megabytes=500):
        pass
    tricks.loop()
"""
    )
    assert (done.returncode, done.stdout) == (watchdog.TIME_EXIT, "time: over 0.3 s\n")


def test_it_watches_after_an_idle_while_too() -> None:
    done = run_guarded(f"time.sleep({2.5 * watchdog.IDLE_TICK}); tricks.watched(0.1, 500, 'loop')")
    assert done.returncode == watchdog.TIME_EXIT


def test_other_exceptions_pass_through() -> None:
    done = run_guarded(
        """
try:
    tricks.watched(5, 500, "raise_unreadable")
except tricks.Unreadable:
    print("passed through")
"""
    )
    assert (done.returncode, done.stdout) == (0, "passed through\n")


def test_interrupts_are_ignored() -> None:
    done = run_guarded("os.kill(os.getpid(), signal.SIGINT); time.sleep(0.05); print('alive')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


def test_whoever_lost_its_parent_ends() -> None:
    """The script forks; the child is guarded, the parent dies. The pipe closes when both are gone."""
    script = """
import os, time
from solvent.batch.workers import watchdog
parent = os.getpid()
if os.fork() == 0:
    watchdog.begin(parent=parent, report_exit=print)
    os.write(1, b"guarded\\n")
    while True:
        pass
time.sleep(0.3)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "guarded\n"  # and we get here at all


@LINUX
@pytest.mark.slow
def test_a_process_that_was_stopped_is_not_blamed_for_the_time(tmp_path: Path) -> None:
    script = f"""
import os, sys, time
sys.path.insert(0, {str(TESTS)!r})
from solvent.batch.workers import watchdog
from batch.hostile import tricks
watchdog.begin(parent=os.getppid(), report_exit=lambda *why: os.write(1, repr(why).encode()))
with watchdog.watch_over(seconds=1.5, megabytes=500):
    open({str(tmp_path / "begun")!r}, "w").close()
    tricks.wait_for({str(tmp_path / "continued")!r})
print("alive")
"""
    from batch.hostile.tricks import wait_for

    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        wait_for(str(tmp_path / "begun"))
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)  # longer than its limit
        os.kill(process.pid, signal.SIGCONT)
        (tmp_path / "continued").touch()
        assert process.communicate(timeout=60)[0] == "alive\n"
    finally:
        process.kill()
        process.communicate()


def test_it_does_nothing_in_a_process_that_is_no_worker() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with watchdog.watch_over(seconds=0, megabytes=0):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
    with pytest.raises(MemoryError), watchdog.watch_over(seconds=0, megabytes=0):
        raise MemoryError


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (watchdog.over(130.0, "s"), "over 130 s"),
        (watchdog.over(12, "s"), "over 12 s"),
        (watchdog.over(0.25, "s"), "over 0.25 s"),
        (watchdog.over(9641.24, "MB"), "over 9641 MB"),
        (watchdog.over(20, "MB"), "over 20 MB"),
    ],
)
def test_limits_in_words(words: str, expected: str) -> None:
    assert words == expected
