from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from helpers.processes import is_alive
from solvent.batch.workers import starting
from solvent.batch.workers.pool import LocalPool

pytestmark = pytest.mark.skipif(not starting.CAN_FORK, reason="there is no fork server on this system")


@pytest.fixture(autouse=True)
def none_left() -> Iterator[None]:
    yield
    starting.end_fork_server_ahead()


def test_a_pool_forks_its_workers_from_the_fork_server_that_was_started_ahead() -> None:
    starting.start_fork_server_ahead()
    starting.start_fork_server_ahead()  # there is one
    ((_, process),) = starting._ahead
    with LocalPool(1) as workers:
        assert workers.submit(os.getppid, seconds=60).result() == process.pid
        assert starting._ahead == []
    assert process.poll() is not None


def test_a_fork_server_that_imports_something_else_is_another_one() -> None:
    starting.start_fork_server_ahead()
    ((_, ahead),) = starting._ahead
    control, process = starting.take_fork_server(())
    control.close()
    starting.wait_for_exit(process)
    assert process.pid != ahead.pid
    assert ahead.poll() is None


def test_one_that_died_meanwhile_is_replaced() -> None:
    starting.start_fork_server_ahead()
    ((_, process),) = starting._ahead
    process.kill()
    process.wait()
    with LocalPool(1) as workers:
        assert workers.submit(pow, 2, 3, seconds=60).result() == 8


def test_one_that_no_pool_wanted_is_ended() -> None:
    starting.start_fork_server_ahead()
    ((_, process),) = starting._ahead
    starting.end_fork_server_ahead()
    assert not is_alive(process.pid)
    starting.end_fork_server_ahead()  # there is none any more


def test_one_that_cannot_be_started_is_left_to_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_call: str, **_how: object) -> subprocess.Popen[bytes]:
        raise OSError("no room")

    monkeypatch.setattr(starting, "start_python", refuse)
    starting.start_fork_server_ahead()
    assert starting._ahead == []


def test_what_is_preloaded_holds_every_built_in_domain() -> None:
    code = "import solvent.batch.workers.preloaded, sys; print(*sorted(sys.modules))"
    names = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout.split()
    assert {"solvent.dungeon", "solvent.harmony", "solvent.starbattle", "solvent.valency"} <= set(names)
    assert not [name for name in names if name.endswith(".solver")]


def test_a_mistaken_command_leaves_no_process_behind() -> None:
    command = [sys.executable, "-m", "solvent", "validate", "--no-such-option"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)  # waits for whatever holds its pipes
    assert ran.returncode == 2
