"""Runs on real Dask schedulers and workers, each a process of its own; some are killed, some do not fit."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from batch.hostile import install
from helpers.processes import wait_until

pytest.importorskip("distributed", reason="clusters need the package distributed")

import psutil

import solvent
from batch.cluster.dask_processes import DaskProcesses, kill_tree
from solvent.batch.cluster import connection
from solvent.batch.cluster import pool as cluster
from solvent.batch.cluster.pool import ClusterPool, open_cluster
from solvent.batch.fingerprint import solver_version
from solvent.batch.records import Instance, Source, Task, pack
from solvent.batch.rows import reason_from
from solvent.batch.run import Validated, Validation
from solvent.batch.settings import Limits, RunOptions, Settings, instance_hash
from solvent.batch.store import Store
from solvent.batch.workers import work
from solvent.batch.workers.pool import Job, LocalPool, WorkerLost
from solvent.core.errors import BadOption, ClusterError
from solvent.reading import format_problem

SETTINGS = Settings(limits=Limits(seconds=20))
PROJECT_SOURCE = Path(solvent.__file__).parent


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of workers that know the hostile domain."""
    return install(tmp_path_factory.mktemp("hostile"))


pytestmark = pytest.mark.usefixtures("hostile_domain")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[DaskProcesses]:
    """Return a scheduler with two workers that no test may kill."""
    with DaskProcesses(tmp_path_factory.mktemp("shared"), environment) as processes:
        processes.add_worker("first")
        processes.add_worker("second")
        yield processes


@pytest.fixture
def own(tmp_path: Path, environment: dict[str, str]) -> Iterator[DaskProcesses]:
    """Return a scheduler without workers, for one test alone."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    with DaskProcesses(folder, environment) as processes:
        yield processes


def connect(processes: DaskProcesses, *, width: int) -> ClusterPool:
    """Connect and wait until so many threads are there."""
    pool = open_cluster(str(processes.file))
    assert isinstance(pool, ClusterPool)
    wait_until(lambda: pool._connection.workers.width >= width, f"{width} workers join")
    pool.take_notices()  # those about workers that were still starting
    return pool


def order(*texts: str, limits: Limits | None = None) -> work.SolveOrder:
    tasks = []
    for text in texts:
        instance = Instance(instance_hash("hostile", text), "hostile", len(text), pack(text.encode()))
        tasks.append(Task(text, instance, "solvable", text, solver_version("hostile")))
    return work.SolveOrder(tuple(tasks), Settings(limits=limits or SETTINGS.limits), 500.0)


def ask(pool: ClusterPool, *texts: str, limits: Limits | None = None, seconds: float = 60) -> Job:
    return pool.submit(work.solve_batch, order(*texts, limits=limits), seconds=seconds, label=texts[0])


def validate(
    store: Path, pool: ClusterPool, texts: list[str], notices: list[str], settings: Settings = SETTINGS
) -> Iterator[Validated]:
    sources = [Source(number, text, text=text) for number, text in enumerate(texts)]
    options = RunOptions(notice=notices.append)
    with (
        Store.open(store) as opened,
        Validation(sources, settings, store=opened, pool=pool, reader=LocalPool(1), options=options) as run,
    ):
        yield from run


def verdicts(results: list[Validated]) -> dict[str, str | None]:
    return {result.source.name: result.outcome and result.outcome.verdict for result in results}


def refusals(*notices: str) -> list[str]:
    return [notice for notice in notices if " refused: " in notice]


# Addresses


@pytest.mark.parametrize(
    "address", ["", "nowhere", "tcp://host", "tcp://:8786", "tcp://host:http", "local:0", "local:x"]
)
def test_an_address_that_cannot_be_one_is_refused_before_anybody_is_called(address: str):
    with pytest.raises(BadOption, match=r"cluster: expected tcp://HOST:PORT, .* found '"):
        open_cluster(address)


def test_a_scheduler_file_holds_the_address(tmp_path: Path):
    file = tmp_path / "scheduler.json"
    file.write_text('{"type": "Scheduler", "address": "tls://host:1"}')
    assert cluster._scheduler_address(str(file)) == "tls://host:1"
    assert cluster._scheduler_address("host:8786") == "tcp://host:8786"
    file.write_text("[]")
    with pytest.raises(ClusterError, match="expected a scheduler file"):
        open_cluster(str(file))
    with pytest.raises(ClusterError, match=r"nothing\.json: No such file"):
        open_cluster("nothing.json")


def test_a_scheduler_that_does_not_answer_is_an_error_and_nothing_is_logged(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(connection, "SECONDS_TO_CONNECT", 0.5)
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9: "):
        open_cluster("tcp://127.0.0.1:9")
    assert capfd.readouterr().err == ""


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r'pip install "solvent\[cluster\]"'):
        open_cluster("tcp://127.0.0.1:9")


# Work


def test_a_run_gives_the_same_answers_as_here(shared: DaskProcesses, tmp_path: Path):
    texts = [f"HOSTILE {behaviour} #{number}" for number in range(10) for behaviour in ("yes", "no", "unknown")]
    board = format_problem(solvent.generate("harmony", rows=2, cols=3, swaps=4, seed=7))
    pool = connect(shared, width=2)
    notices: list[str] = []
    results = list(validate(tmp_path / "a.db", pool, [*texts, board, "my notes"], notices))
    assert verdicts(results) == {
        **{text: text.split()[1].upper() for text in texts},
        board: "YES",
        "my notes": None,
    }
    assert all(result.outcome.certified for result in results if result.outcome and result.outcome.verdict == "YES")
    # That a worker has come may be told a moment after it counts.
    assert [notice for notice in notices if not notice.endswith("; going on")] == []


def test_jobs_of_any_kind_come_back_and_say_when_they_began(shared: DaskProcesses):
    pool = connect(shared, width=2)
    try:
        job = ask(pool, "HOSTILE slow 0.5")
        wait_until(lambda: job.began is not None, "the job begins")
        assert not job.done()
        assert [outcome.verdict for outcome in job.result()] == ["YES"]
        assert pool.submit(divmod, 7, 2, seconds=60).result() == (3, 1)
        with pytest.raises(TypeError, match="takes 1 positional argument"):
            pool.submit(work.solve_batch, order("HOSTILE yes"), 5, seconds=60).result()
        with pytest.raises(Exception, match="pickle"):
            pool.submit(lambda: None, seconds=60).result()
    finally:
        pool.close()


def test_what_misbehaves_is_ended_inside_of_a_worker_that_stays(shared: DaskProcesses, tmp_path: Path):
    in_time = {"HOSTILE loop": "killed (over 2 s)"}
    in_memory = {
        "HOSTILE allocate": "killed (over 200 MB)",
        "HOSTILE crash": "killed (worker died twice: SIGSEGV)",
        "HOSTILE exit 7": "killed (worker died twice: exit code 7)",
        "HOSTILE yes": "",
        "HOSTILE bug": "",
    }
    # On a busy machine anything may take two seconds, so only the one that would take for ever is limited in time.
    for limits, expected in (Limits(seconds=1, kill_after=2), in_time), (Limits(kill_above=200), in_memory):
        pool = connect(shared, width=2)
        notices: list[str] = []
        results = list(validate(tmp_path / "a.db", pool, [*expected], notices, Settings(limits=limits)))
        outcomes = {result.source.name: result.outcome for result in results if result.outcome}
        reasons = {name: reason_from(outcome.cause, outcome.detail) for name, outcome in outcomes.items()}
        assert {name: "" if reason is None else str(reason) for name, reason in reasons.items()} == expected
        assert notices == []
    assert outcomes["HOSTILE bug"].verdict is None
    assert "Traceback" in outcomes["HOSTILE bug"].error
    assert all(shared.is_alive(name) for name in ("first", "second"))


def test_a_hard_limit_is_that_of_the_machine_where_the_worker_runs(shared: DaskProcesses):
    pool = connect(shared, width=2)
    try:
        # The leader's idea of a limit is one megabyte; the worker's share of its own machine is what counts.
        small = work.SolveOrder(order("HOSTILE hold 150").tasks, SETTINGS, 1.0)
        (outcome,) = pool.submit(work.solve_batch, small, seconds=60).result()
        assert outcome.verdict == "YES"
        limited = order("HOSTILE hold 150", limits=Limits(kill_above=50))
        with pytest.raises(WorkerLost, match="over 50 MB"):
            pool.submit(work.solve_batch, limited, seconds=60).result()
    finally:
        pool.close()


# Workers that come, go and do not fit


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing_but_time(
    own: DaskProcesses, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    own.add_worker("doomed")
    own.add_worker("lasting")
    texts = [f"HOSTILE spin 60 #{number}" for number in range(60)]
    pool = connect(own, width=2)
    seen: Counter[str] = Counter()
    orphans: list[psutil.Process] = []
    notices: list[str] = []
    for result in validate(tmp_path / "a.db", pool, texts, notices):
        assert result.outcome is not None
        assert result.outcome.verdict == "YES"
        seen[result.source.name] += 1
        if len(seen) == 10:
            orphans = own.worker_process("doomed").children(recursive=True)
            own.kill_worker("doomed")
    assert seen == Counter(texts)
    (notice,) = [notice for notice in notices if " left; " in notice]
    assert notice.startswith("worker doomed (tcp://")
    assert notice.endswith(" left; others go on with what was begun there")
    assert orphans
    wait_until(lambda: not any(_runs(orphan) for orphan in orphans), "what the killed worker had started ends")
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_run_waits_for_its_first_worker_and_gives_work_to_those_who_join(own: DaskProcesses, tmp_path: Path):
    pool = open_cluster(str(own.file))
    assert isinstance(pool, ClusterPool)
    (notice,) = pool.take_notices()
    assert notice.endswith("can take part now; waiting for one")
    assert pool.width == 1
    early = ask(pool, "HOSTILE yes")
    own.add_worker("early")
    assert early.result()[0].verdict == "YES"
    late = ask(pool, "HOSTILE slow 3600 #busy")  # nobody else can be served until another worker is there
    wait_until(lambda: late.began is not None, "the first worker is busy")
    own.add_worker("late", threads=2)
    assert ask(pool, "HOSTILE yes #again").result()[0].verdict == "YES"
    wait_until(lambda: pool.width == 3, "all three threads are counted")
    pool.close(now=True)
    assert late.cancelled()


@pytest.mark.slow
def test_workers_that_do_not_fit_are_refused_by_name_and_the_run_goes_on(
    own: DaskProcesses, tmp_path: Path, environment: dict[str, str]
):
    other = tmp_path / "other"
    shutil.copytree(PROJECT_SOURCE, other / "solvent", ignore=shutil.ignore_patterns("*.pyc.*"))
    with (other / "solvent" / "asking.py").open("a") as file:
        file.write("# another build\n")
    without = tmp_path / "without"
    without.mkdir()
    (without / "solvent.py").write_text("raise ModuleNotFoundError(\"No module named 'solvent'\", name='solvent')\n")
    search = environment["PYTHONPATH"]

    own.add_worker("fitting")
    pool = connect(own, width=1)
    ours = solver_version("harmony").partition("+")[0]
    notices: list[str] = []
    texts = [f"HOSTILE spin 50 #{number}" for number in range(40)]
    results = []
    for result in validate(tmp_path / "a.db", pool, texts, notices):
        results.append(result)
        if len(results) == 5:
            own.add_worker("outdated", environment={"PYTHONPATH": f"{other}:{search}"})
            own.add_worker("empty", environment={"PYTHONPATH": f"{without}:{search}"})
        if len(results) == 20:  # they have joined while work waits, and may have been given some before
            wait_until(lambda: len(refusals(*notices, *pool._notices)) == 2, "both are refused")
            assert pool.width == 1
    assert verdicts(results) == dict.fromkeys(texts, "YES")
    assert len(results) == len(texts)
    first, second = sorted(refusals(*notices))
    assert first.startswith("worker empty (tcp://")
    assert first.endswith(" refused: Solvent is not installed there")
    assert second.startswith("worker outdated (tcp://")
    assert f" refused: it has Solvent {ours}+" in second
    assert f", here it is {ours}+" in second


@pytest.mark.slow
def test_when_the_last_worker_that_fits_is_gone_what_is_open_waits_for_the_next(
    own: DaskProcesses, tmp_path: Path, environment: dict[str, str]
):
    without = tmp_path / "without"
    without.mkdir()
    (without / "solvent.py").write_text("raise ModuleNotFoundError(\"No module named 'solvent'\", name='solvent')\n")
    own.add_worker("fitting")
    own.add_worker("empty", environment={"PYTHONPATH": f"{without}:{environment['PYTHONPATH']}"})
    pool = connect(own, width=1)
    wait_until(lambda: pool._connection.workers.refused, "one is refused")
    jobs = [ask(pool, f"HOSTILE slow 1 #{number}") for number in range(2)]
    wait_until(lambda: jobs[0].began is not None, "it begins")
    own.kill_worker("fitting")
    wait_until(lambda: pool._connection.workers.width == 0, "it is missed")
    own.add_worker("next")
    assert [job.result()[0].verdict for job in jobs] == ["YES", "YES"]
    pool.close()


def test_without_a_worker_that_fits_there_is_no_run(shared: DaskProcesses, monkeypatch: pytest.MonkeyPatch):
    connect(shared, width=2).close()
    monkeypatch.setattr(cluster, "solver_version", lambda _domain: "9.9+feedbeef")
    with pytest.raises(ClusterError, match=r"no worker at tcp://\S+ can take part") as caught:
        open_cluster(str(shared.file))
    assert "workers " in str(caught.value)
    assert "first (tcp://" in str(caught.value)
    assert "second (tcp://" in str(caught.value)
    assert "here it is 9.9+feedbeef" in str(caught.value)


def test_a_domain_that_only_we_have_is_missed_when_it_is_needed(shared: DaskProcesses):
    pool = connect(shared, width=2)
    try:
        task = order("HOSTILE yes").tasks[0]
        strange = Instance(task.instance.hash, "stranger", None, task.instance.packed)
        lonely = work.SolveOrder((Task("key", strange, "solvable", "name", "1.0+aaaa"),), SETTINGS, 100.0)
        with pytest.raises(ClusterError, match="it has no domain stranger"):
            pool.submit(work.solve_batch, lonely, seconds=60).result()
    finally:
        pool.close()


@pytest.mark.slow
def test_a_scheduler_that_ends_is_an_error_for_what_is_open(
    own: DaskProcesses, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(connection, "SECONDS_TO_CONNECT", 2.0)
    own.add_worker("first")
    pool = connect(own, width=1)
    job = ask(pool, "HOSTILE slow 3600")
    wait_until(lambda: job.began is not None, "it begins")
    own.scheduler.send_signal(signal.SIGKILL)
    with pytest.raises(ClusterError, match=r"the scheduler at tcp://\S+ is gone"):
        job.result(timeout=60)
    assert any("does not answer" in notice for notice in pool.take_notices())
    pool.close(now=True)
    assert capfd.readouterr().err == ""


# The end


@pytest.mark.slow
def test_leaving_at_once_ends_what_was_begun_and_leaves_the_scheduler_to_others(shared: DaskProcesses):
    pool = connect(shared, width=2)
    jobs = [ask(pool, f"HOSTILE slow 3600 #{number}") for number in range(4)]
    wait_until(lambda: sum(job.began is not None for job in jobs) == 2, "both workers are busy")
    busy = [child for name in ("first", "second") for child in shared.worker_process(name).children(recursive=True)]
    pool.close(now=True)
    for job in jobs:
        with pytest.raises(CancelledError):
            job.result(timeout=0)
    wait_until(lambda: not any(_runs(process) for process in busy), "what was begun ends")
    with pytest.raises(RuntimeError, match="closed"):
        ask(pool, "HOSTILE yes")

    again = connect(shared, width=2)
    assert ask(again, "HOSTILE yes").result()[0].verdict == "YES"
    again.close()


def test_closing_waits_for_what_was_submitted(shared: DaskProcesses):
    pool = connect(shared, width=2)
    jobs = [ask(pool, f"HOSTILE slow 0.2 #{number}") for number in range(4)]
    pool.close()
    assert all(job.done() and not job.cancelled() for job in jobs)
    pool.close()
    assert not any(thread.name == "solvent cluster" and thread.is_alive() for thread in threading.enumerate())


SCRIPT = """
import os, sys, solvent
for result in solvent.validate(sys.argv[1:], cluster="local:2", store="kept.db"):
    print(result.name, result.answer.verdict.value, flush=True)
"""


@pytest.mark.slow
def test_a_cluster_of_our_own_serves_a_script_without_a_main_guard(tmp_path: Path, environment: dict[str, str]):
    names = []
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text(f"HOSTILE yes #{number}\n")
        names.append(f"{number}.txt")
    (tmp_path / "script.py").write_text(SCRIPT)
    ran = subprocess.run(
        [sys.executable, "script.py", *names],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert sorted(ran.stdout.splitlines()) == [f"{name} YES" for name in names]
    assert ran.stderr == ""


@pytest.mark.slow
def test_a_cluster_of_our_own_ends_with_its_leader_however_that_ends(tmp_path: Path, environment: dict[str, str]):
    (tmp_path / "quick.txt").write_text("HOSTILE yes\n")
    (tmp_path / "endless.txt").write_text("HOSTILE slow 3600\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    leader = subprocess.Popen(
        [sys.executable, "script.py", "quick.txt", "endless.txt"],
        cwd=tmp_path,
        env={**environment, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    family: list[psutil.Process] = []
    try:
        assert leader.stdout is not None
        assert leader.stdout.readline() == "quick.txt YES\n"
        family = psutil.Process(leader.pid).children(recursive=True)
        leader.kill()
        leader.wait()
        assert len(family) >= 3
        wait_until(lambda: not any(_runs(process) for process in family), "all processes end")
        wait_until(lambda: not list(tmp_path.glob("solvent-cluster-*")), "its files are gone")
    finally:
        leader.stdout.close()
        for process in (leader, *family):
            kill_tree(process.pid)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
