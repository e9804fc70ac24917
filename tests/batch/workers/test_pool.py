from __future__ import annotations

import contextlib
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, wait
from pathlib import Path
from typing import Any

import pytest

from batch.hostile import tricks
from helpers.processes import children_of, is_alive, wait_until
from solvent.batch.workers import launchers, pool, slots, starting
from solvent.batch.workers.pool import CannotStart, LocalPool, WorkerLost

TESTS = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
"""Seconds after which a test gives up waiting. No measurement: nothing here takes that long."""


def light_nursery() -> launchers.Launcher:
    return launchers.ForkServerLauncher(preload=())


@contextlib.contextmanager
def some_workers(jobs: int = 2, **how: Any) -> Iterator[LocalPool]:
    """Have a pool that ends its workers whatever the test comes to; it starts sooner for importing little."""
    workers = LocalPool(jobs, **{"make_launcher": light_nursery, **how})
    try:
        yield workers
    finally:
        workers.close(now=True)


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalPool]:
    """One pool for many losses: it must be as good as new after each."""
    with some_workers(hard_megabytes=200) as workers:
        yield workers


def ask(workers: LocalPool, function: Callable[..., Any], *arguments: Any, seconds: float | None = PATIENCE) -> Any:
    return workers.submit(function, *arguments, seconds=seconds).result(2 * PATIENCE)


def loss_of(workers: LocalPool, function: Callable[..., Any], *arguments: Any, seconds: float = PATIENCE) -> WorkerLost:
    with pytest.raises(WorkerLost) as caught:
        ask(workers, function, *arguments, seconds=seconds)
    return caught.value


def assert_full_width(workers: LocalPool, folder: Path) -> None:
    """Have both workers wait for each other, which one alone could not do."""
    round_ = f"{time.monotonic_ns()}"
    names = [f"{round_}-{number}" for number in range(workers.width)]
    pairs = zip(names, names[1:] + names[:1], strict=True)
    jobs = [workers.submit(tricks.meet, str(folder), own, other, seconds=PATIENCE) for own, other in pairs]
    assert len({job.result(2 * PATIENCE) for job in jobs}) == workers.width


def wait_until_gone(*processes: int) -> None:
    wait_until(lambda: not any(map(is_alive, processes)), "they end")


@pytest.mark.parametrize("launcher", [launchers.ForkServerLauncher, launchers.DirectLauncher])
def test_workers_do_what_they_are_asked(launcher: Callable[[], launchers.Launcher], tmp_path: Path) -> None:
    with some_workers(make_launcher=launcher) as workers:
        job = workers.submit(pow, 2, 100, seconds=PATIENCE, label="a power")
        assert job.label == "a power"
        assert job.result(PATIENCE) == 2**100
        assert job.began is not None
        assert job.began <= time.monotonic()
        assert len(ask(workers, tricks.make_bytes, 30_000_000)) == 30_000_000
        assert ask(workers, len, b"x" * 30_000_000) == 30_000_000
        assert_full_width(workers, tmp_path)
        with pytest.raises(ValueError, match="invalid literal") as caught:
            ask(workers, int, "seven")
        assert "In the worker:\nTraceback" in caught.value.__notes__[0]
        assert loss_of(workers, tricks.loop, seconds=0.2).detail == "over 0.2 s"
        assert loss_of(workers, os._exit, 3).detail == "exit code 3"
        lost = loss_of(workers, tricks.watched, PATIENCE, 50, "allocate_arrays")
        assert (lost.kind, lost.detail) == ("memory", "over 50 MB")
        assert_full_width(workers, tmp_path)
        numbers = ask(workers, tricks.process_numbers)
    wait_until_gone(numbers[0])


@pytest.mark.parametrize(
    ("kind", "detail", "function", "arguments"),
    [
        ("time", "over 0.3 s", tricks.loop, ()),
        ("time", "over 0.3 s", tricks.be_deaf, ()),
        ("time", "over 0.3 s", tricks.hold_the_gil, ()),
        ("memory", "over 200 MB", tricks.allocate_arrays, ()),
        ("memory", "over 200 MB", tricks.allocate_doubling, ()),
        ("memory", "over 200 MB", tricks.allocate_list, ()),
        ("memory", "over 200 MB", tricks.allocate_holding_the_gil, ()),
        ("memory", "out of memory", tricks.allocate_at_once, ()),
        ("memory", "over 80 MB", tricks.watched, (PATIENCE, 80, "allocate_arrays")),
        ("time", "over 0.1 s", tricks.watched, (0.1, 100, "loop")),
        ("time", "over 0.2 s", tricks.watched, (0.2, 100, "hold_the_gil")),
        ("memory", "over 90 MB", tricks.watched, (PATIENCE, 90, "allocate_holding_the_gil")),
        ("died", "exit code 7", os._exit, (7,)),
        ("died", "exit code 0", os._exit, (0,)),
        ("died", "exit code 3", sys.exit, (3,)),
        ("died", "exit code 1", sys.exit, ("with words",)),
        ("died", "SIGSEGV", tricks.crash, ()),
        ("died", "SIGABRT", os.abort, ()),
        ("died", "SIGKILL", tricks.raise_signal, (signal.SIGKILL,)),
        ("died", "SIGTERM", tricks.raise_signal, (signal.SIGTERM,)),
        ("died", "SIGKILL", tricks.hang_up, ()),
    ],
)
def test_a_lost_worker_is_explained_and_replaced(
    kind: str,
    detail: str,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    shared: LocalPool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slots, "ROOM_BESIDE", 0.0)
    seconds = 0.3 if detail == "over 0.3 s" else PATIENCE
    lost = loss_of(shared, function, *arguments, seconds=seconds)
    assert (lost.kind, lost.detail) == (kind, detail)
    assert lost.seconds > 0
    assert_full_width(shared, tmp_path)


@pytest.mark.parametrize(
    ("function", "arguments", "error", "words"),
    [
        (tricks.raise_unreadable, (), RuntimeError, "Unreadable: the first"),
        (tricks.raise_unwritable, (), RuntimeError, "ValueError: with a lambda"),
        (tricks.raise_interrupt, (), RuntimeError, "KeyboardInterrupt"),
        (tricks.return_unwritable, (), (AttributeError, pickle.PicklingError), "lambda"),
        (len, (lambda: None,), (AttributeError, pickle.PicklingError), "lambda"),
        (lambda: None, (), (AttributeError, pickle.PicklingError), "lambda"),
    ],
)
def test_what_cannot_be_sent_concerns_its_own_job_only(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    error: type[Exception],
    words: str,
    shared: LocalPool,
    tmp_path: Path,
) -> None:
    with pytest.raises(error, match=words):
        ask(shared, function, *arguments)
    assert_full_width(shared, tmp_path)


def test_a_function_that_only_the_leader_knows_is_an_error(shared: LocalPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tricks, "known_here_only", _known_here_only, raising=False)
    monkeypatch.setattr(_known_here_only, "__module__", tricks.__name__)
    monkeypatch.setattr(_known_here_only, "__qualname__", "known_here_only")
    with pytest.raises(AttributeError, match="known_here_only"):
        ask(shared, _known_here_only)


def _known_here_only() -> None:
    pass


def test_an_idle_worker_may_be_killed(tmp_path: Path) -> None:
    with some_workers() as workers:
        assert_full_width(workers, tmp_path)
        for _ in range(5):
            number = ask(workers, os.getpid)
            os.kill(number, signal.SIGKILL)
            assert_full_width(workers, tmp_path)  # no job is lost to a worker that never took it
            assert number not in {ask(workers, os.getpid) for _ in range(4)}


def test_a_worker_killed_from_outside_costs_its_own_job_only(tmp_path: Path) -> None:
    with some_workers() as workers:
        victim = workers.submit(tricks.linger, str(tmp_path / "victim"), seconds=None)
        other = workers.submit(tricks.wait_for, str(tmp_path / "go"), seconds=PATIENCE)
        tricks.wait_for(str(tmp_path / "victim"))
        os.kill(int((tmp_path / "victim").read_text()), signal.SIGKILL)
        with pytest.raises(WorkerLost) as caught:
            victim.result(PATIENCE)
        assert (caught.value.kind, caught.value.detail) == ("died", "SIGKILL")
        (tmp_path / "go").touch()
        assert other.result(PATIENCE) == "done"
        assert_full_width(workers, tmp_path)


@pytest.mark.parametrize(
    ("seed", "count"), [(6, 40), *(pytest.param(seed, 200, marks=pytest.mark.slow) for seed in range(3))]
)
def test_workers_killed_at_random_moments_are_all_accounted_for(seed: int, count: int, tmp_path: Path) -> None:
    """Results are large, so that many die halfway through a message."""
    chance = random.Random(seed)
    with some_workers() as workers:
        fork_server = ask(workers, tricks.process_numbers)[1]
        jobs = [workers.submit(tricks.make_bytes, 1 << chance.randrange(27), seconds=PATIENCE) for _ in range(count)]
        while not all(job.done() for job in jobs):
            time.sleep(chance.random() * 0.03)
            for worker in children_of(fork_server)[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
        ended = [job.exception(PATIENCE) for job in jobs]
        details = {error.detail for error in ended if isinstance(error, WorkerLost)}
        assert details <= {"SIGKILL"}
        assert not any(error is not None and not isinstance(error, WorkerLost) for error in ended)
        assert_full_width(workers, tmp_path)


def test_the_nursery_may_be_killed_too(tmp_path: Path) -> None:
    with some_workers() as workers:
        assert_full_width(workers, tmp_path)
        worker, fork_server = ask(workers, tricks.process_numbers)
        busy = workers.submit(tricks.linger, str(tmp_path / "busy"), seconds=None)
        tricks.wait_for(str(tmp_path / "busy"))
        others = [
            int(number) for number in Path(f"/proc/{fork_server}/task/{fork_server}/children").read_text().split()
        ]
        assert worker in others
        os.kill(fork_server, signal.SIGKILL)
        with pytest.raises(WorkerLost, match="it disappeared"):
            busy.result(PATIENCE)
        wait_until_gone(*others, fork_server)  # until then one of them may still take a job
        assert_full_width(workers, tmp_path)
        assert ask(workers, tricks.process_numbers)[1] != fork_server


def test_what_a_dead_worker_leaves_behind_is_ended(tmp_path: Path) -> None:
    """It holds the worker's socket, so its end alone would not tell that the worker is gone."""
    with some_workers() as workers:
        lost = loss_of(workers, tricks.leave_a_process_behind, str(tmp_path / "child"))
        assert lost.detail == "exit code 7"
        wait_until_gone(int((tmp_path / "child").read_text()))


def test_a_program_that_a_worker_started_ends_with_it(tmp_path: Path) -> None:
    with some_workers() as workers:
        first, second = str(tmp_path / "first"), str(tmp_path / "second")
        jobs = [workers.submit(tricks.run_a_program, path, seconds=None) for path in (first, second)]
        tricks.wait_for(first)
        tricks.wait_for(second)
        worker, program = map(int, Path(first).read_text().split())
        os.kill(worker, signal.SIGKILL)
        assert isinstance(jobs[0].exception(PATIENCE), WorkerLost)
        wait_until_gone(worker, program)
        workers.close(now=True)
        wait_until_gone(*map(int, Path(second).read_text().split()))


def test_a_bloated_worker_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "ROOM_BESIDE", 0.0)
    with some_workers(1, hard_megabytes=200) as workers:
        first = ask(workers, tricks.keep, 20)
        assert ask(workers, os.getpid) == first
        assert ask(workers, tricks.keep, 100) == first
        assert ask(workers, os.getpid) != first


def test_a_tight_limit_leaves_room_for_kernels() -> None:
    """Libraries are loaded during some job, which is not to blame for their size."""
    with some_workers(1, hard_megabytes=5) as workers:
        first = ask(workers, tricks.keep, 60)
        assert ask(workers, os.getpid) == first


def test_jobs_begin_in_order_and_know_when() -> None:
    with some_workers(1) as workers:
        jobs = [workers.submit(pow, 2, number, seconds=PATIENCE) for number in range(50)]
        wait(jobs, PATIENCE)
        began = [job.began for job in jobs]
        assert None not in began
        assert began == sorted(began, key=lambda moment: moment or 0)


def test_a_job_that_waits_has_not_begun_and_may_be_cancelled(tmp_path: Path) -> None:
    with some_workers(1) as workers:
        first = workers.submit(tricks.wait_for, str(tmp_path / "go"), seconds=PATIENCE)
        second = workers.submit(pow, 2, 3, seconds=PATIENCE)
        third = workers.submit(pow, 2, 4, seconds=PATIENCE)
        assert second.began is None
        assert second.cancel()
        (tmp_path / "go").touch()
        assert first.result(PATIENCE) == "done"
        assert third.result(PATIENCE) == 16
        assert second.began is None


def test_closing_waits_for_what_was_submitted(tmp_path: Path) -> None:
    with some_workers() as workers:
        jobs = [workers.submit(pow, 3, number, seconds=PATIENCE) for number in range(20)]
        processes = ask(workers, tricks.process_numbers)
        last = workers.submit(time.sleep, 0.3, seconds=PATIENCE)
        workers.close()
        assert [job.result(0) for job in jobs] == [3**number for number in range(20)]
        assert last.result(0) is None
        wait_until_gone(*processes)
        with pytest.raises(RuntimeError, match="the pool is closed"):
            workers.submit(pow, 2, 3, seconds=PATIENCE)
        workers.close()


def test_closing_at_once_ends_everything(tmp_path: Path) -> None:
    with some_workers() as workers:
        processes = ask(workers, tricks.process_numbers)
        running = [
            workers.submit(tricks.hold_the_gil, str(tmp_path / "gil"), seconds=None),
            workers.submit(tricks.linger, str(tmp_path / "linger"), seconds=None),
        ]
        waiting = [workers.submit(pow, 2, number, seconds=None) for number in range(5)]
        tricks.wait_for(str(tmp_path / "gil"))
        tricks.wait_for(str(tmp_path / "linger"))
        workers.close(now=True)
        wait_until_gone(*processes)
        assert all(job.cancelled() for job in waiting)
        for job in running:
            with pytest.raises(CancelledError):
                job.result(PATIENCE)


def test_closing_at_once_before_the_first_worker_is_up() -> None:
    with some_workers() as workers:
        jobs = [workers.submit(pow, 2, number, seconds=None) for number in range(5)]
        workers.close(now=True)
        assert not wait(jobs, PATIENCE).not_done
        for job in jobs:
            with pytest.raises(CancelledError):
                job.result()


def test_leaving_a_pool_by_an_exception_does_not_wait(tmp_path: Path) -> None:
    with contextlib.suppress(KeyboardInterrupt), LocalPool(1) as workers:
        job = workers.submit(tricks.linger, str(tmp_path / "busy"), seconds=None)
        tricks.wait_for(str(tmp_path / "busy"))
        raise KeyboardInterrupt
    with pytest.raises(CancelledError):
        job.result(PATIENCE)


def test_a_pool_that_cannot_start_workers_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SECONDS_BETWEEN_ATTEMPTS", 0.001)

    def refuse() -> launchers.Launcher:
        raise OSError("no room")

    with some_workers(1, make_launcher=refuse) as workers, pytest.raises(CannotStart, match="no room"):
        ask(workers, pow, 2, 3)


def test_a_machine_without_room_for_another_process_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SECONDS_BETWEEN_ATTEMPTS", 0.001)
    refusals = [OSError("not now"), OSError("not now either")]

    class Reluctant(launchers.ForkServerLauncher):
        def launch(self) -> launchers.Worker:
            if refusals:
                raise refusals.pop()
            return super().launch()

    made = []

    def make() -> launchers.Launcher:
        made.append(Reluctant(preload=()))
        return made[-1]

    with some_workers(1, make_launcher=make) as workers:
        assert ask(workers, pow, 2, 3) == 8
    assert len(made) == 1


def test_a_fork_server_that_dies_at_once_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "start_python", lambda _call, **_how: subprocess.Popen([sys.executable, "-c", ""]))
    with some_workers(1) as workers, pytest.raises(CannotStart, match="is gone"):
        ask(workers, pow, 2, 3)


def test_a_pool_has_at_least_one_worker() -> None:
    with pytest.raises(ValueError, match="at least 1, found 0"):
        LocalPool(0)


def test_a_loss_crosses_to_another_process() -> None:
    lost = pickle.loads(pickle.dumps(WorkerLost("memory", "over 5 MB", 2.5)))
    assert (lost.kind, lost.detail, lost.seconds, str(lost)) == (
        "memory",
        "over 5 MB",
        2.5,
        "the worker was lost (over 5 MB)",
    )


def environment() -> dict[str, str]:
    """Let scripts, and workers of their own, import what tests do."""
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


PLAIN = """
from solvent.batch.workers.pool import LocalPool
from batch.hostile import tricks
print("main")
workers = LocalPool(2)
print(workers.submit(pow, 2, 10, seconds=60).result(), workers.submit(tricks.speak, seconds=60).result())
workers.close()
"""


@pytest.mark.parametrize(
    "how", ["script", "standard input", *(pytest.param(how, marks=pytest.mark.slow) for how in ("command", "module"))]
)
def test_scripts_need_no_guard_and_keep_their_input_and_output(how: str, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    arguments = {"script": ["plain.py"], "command": ["-c", PLAIN], "standard input": ["-"], "module": ["-m", "plain"]}
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", *arguments[how]],
        input=PLAIN if how == "standard input" else "the leader's own\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        timeout=2 * PATIENCE,
    )
    assert done.stdout == "main\n1024 b''\n"
    assert done.stderr == "printed by a worker\nwritten by a worker\n"
    assert done.returncode == 0


def test_a_daemonic_process_may_have_workers(tmp_path: Path) -> None:
    script = tmp_path / "daemonic.py"
    script.write_text(
        "import multiprocessing\n"
        "def lead():\n"
        "    from solvent.batch.workers.pool import LocalPool\n"
        "    with LocalPool(1) as workers:\n"
        "        print(workers.submit(pow, 2, 10, seconds=60).result())\n"
        "if __name__ == '__main__':\n"
        "    process = multiprocessing.get_context('spawn').Process(target=lead, daemon=True)\n"
        "    process.start()\n"
        "    process.join()\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=2 * PATIENCE)
    assert (done.stdout, done.stderr) == ("1024\n", "")


def test_a_script_that_forgets_to_close_ends_all_the_same(tmp_path: Path) -> None:
    script = PLAIN.replace("workers.close()", "workers.submit(tricks.loop, seconds=None)").replace(
        "speak", "process_numbers"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment(), timeout=2 * PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
    wait_until_gone(*(int(number) for number in done.stdout.splitlines()[1].partition(" ")[2].strip("()").split(", ")))


BUSY = """
import sys
from solvent.batch.workers.pool import LocalPool
from batch.hostile import tricks
folder = sys.argv[1]
workers = LocalPool(3)
pairs = [("a", "b"), ("b", "c"), ("c", "a")]
numbers = [workers.submit(tricks.meet, folder, *pair, seconds=None) for pair in pairs]
parent = workers.submit(tricks.process_numbers, seconds=None).result()[1]
print(parent, *(job.result() for job in numbers), flush=True)
jobs = [
    workers.submit(tricks.loop_in_machine_code, folder + "/kernel", seconds=None),
    workers.submit(tricks.hold_the_gil, folder + "/gil", seconds=None),
    workers.submit(tricks.linger, folder + "/linger", seconds=None),
]
try:
    jobs[0].result()
except KeyboardInterrupt:
    workers.close(now=True)
    print("closed", flush=True)
"""


@pytest.mark.parametrize(
    "ending", [signal.SIGKILL, signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_when_the_leader_goes_everybody_goes(ending: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C reaches the whole group, as in a terminal; only the leader may have something to say about it."""
    leader = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
    )
    try:
        for begun in ("kernel", "gil", "linger"):
            tricks.wait_for(str(tmp_path / begun))
        if ending is signal.SIGINT:
            os.killpg(leader.pid, ending)
        else:
            os.kill(leader.pid, ending)
        printed, complaints = leader.communicate(timeout=2 * PATIENCE)
        first, *rest = printed.splitlines()
        wait_until_gone(*map(int, first.split()))
        assert complaints == ""
        assert rest == (["closed"] if ending is signal.SIGINT else [])
    finally:
        leader.kill()
        leader.communicate()


@pytest.mark.slow
def test_interrupting_while_workers_start_makes_no_noise() -> None:
    """Ctrl-C comes again and again, so that one meets each stage of the start."""
    interrupting = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGINT, lambda *_: None)\n"
        "workers = LocalPool(2)\n"
        "job = workers.submit(pow, 2, 3, seconds=60)\n"
        "while not job.done():\n"
        "    os.killpg(0, signal.SIGINT)\n"
        "    time.sleep(0.005)\n"
        "print(job.result())"
    )
    done = subprocess.run(
        [sys.executable, "-c", PLAIN.replace("workers = LocalPool(2)", interrupting)],
        capture_output=True,
        text=True,
        env=environment(),
        start_new_session=True,
        timeout=2 * PATIENCE,
    )
    assert (done.stdout, done.stderr) == ("main\n8\n1024 b''\n", "printed by a worker\nwritten by a worker\n")


@pytest.mark.slow
def test_a_leader_that_was_stopped_does_not_blame_its_jobs(tmp_path: Path) -> None:
    """Ctrl-Z stops leader, fork server and workers alike; afterwards the clock has moved on for all of them."""
    script = (
        "import sys\n"
        "from solvent.batch.workers.pool import LocalPool\n"
        "from batch.hostile import tricks\n"
        "workers = LocalPool(1)\n"
        "workers.submit(pow, 2, 3, seconds=None).result()\n"
        "open(sys.argv[1] + '/begun', 'w').close()\n"
        "print(workers.submit(tricks.wait_for, sys.argv[1] + '/continued', seconds=1.5).result())\n"
    )
    leader = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    try:
        tricks.wait_for(str(tmp_path / "begun"))
        os.killpg(leader.pid, signal.SIGSTOP)
        with pytest.raises(subprocess.TimeoutExpired):
            leader.wait(3)  # longer than the job's limit
        os.killpg(leader.pid, signal.SIGCONT)
        (tmp_path / "continued").touch()
        assert leader.communicate(timeout=2 * PATIENCE)[0] == "done\n"
    finally:
        leader.kill()
        leader.communicate()
