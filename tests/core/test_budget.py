from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.core import budget as budget_module
from solvent.core import memory as memory_module
from solvent.core.answer import Cause, Reason
from solvent.core.budget import MEMORY_POLL_SECONDS, Budget, Cancellation, limit_reason
from solvent.core.errors import BadOption, LimitReached
from solvent.core.memory import resident_megabytes


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that stands still until a test moves it."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(budget_module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    memory = SimpleNamespace(megabytes=50.0)
    monkeypatch.setattr(budget_module, "resident_megabytes", lambda: memory.megabytes)
    return memory


@pytest.mark.parametrize("name", ["seconds", "nodes", "megabytes"])
@pytest.mark.parametrize("limit", [-1, -0.5, float("nan")])
def test_a_limit_below_zero_is_a_bad_option(name: str, limit: float):
    with pytest.raises(BadOption, match=f"{name}: expected a (whole )?number, zero or more, found"):
        Budget(**{name: limit})


@pytest.mark.parametrize(
    "limits", [{"nodes": 100.5}, {"nodes": 100.0}, {"nodes": True}, {"seconds": "3"}, {"seconds": False}]
)
def test_a_limit_of_another_kind_is_a_bad_option(limits: dict[str, object]):
    (limit,) = limits.values()
    with pytest.raises(BadOption, match=f"zero or more, found {limit!r}"):
        Budget(**limits)


@given(st.integers(0), st.floats(0, allow_nan=False), st.floats(0, allow_nan=False))
def test_any_other_limit_is_fine(nodes: int, seconds: float, megabytes: float):
    budget = Budget(nodes=nodes, seconds=seconds, megabytes=megabytes)
    assert (budget.nodes, budget.seconds, budget.megabytes) == (nodes, seconds, megabytes)


def test_without_limits_nothing_stops(clock: SimpleNamespace):
    meter = Budget().start()
    meter.spend(10**12)
    clock.now += 10**9
    assert meter.stop_reason() is None
    assert (meter.nodes_left, meter.seconds_left, meter.megabytes_left) == (None, None, None)


def test_nodes_stop_at_the_limit():
    meter = Budget(nodes=5).start()
    meter.spend(4)
    assert meter.stop_reason() is None
    assert meter.nodes_left == 1
    meter.spend(1)
    assert meter.stop_reason() == Reason(Cause.NODES, "limit 5")
    meter.spend(100)
    assert meter.nodes_left == 0
    assert meter.nodes == 105


@given(st.integers(0, 1000), st.lists(st.integers(0, 200)))
def test_nodes_spent_and_left_add_up(limit: int, spent: list[int]):
    meter = Budget(nodes=limit).start()
    for nodes in spent:
        meter.spend(nodes)
    assert meter.nodes == sum(spent)
    assert meter.nodes_left == max(0, limit - sum(spent))
    assert (meter.stop_reason() is None) == (sum(spent) < limit)


def test_no_nodes_stop_at_once():
    assert Budget(nodes=0).start().stop_reason() == Reason(Cause.NODES, "limit 0")


def test_seconds_stop_at_the_limit(clock: SimpleNamespace):
    meter = Budget(seconds=2.5).start()
    clock.now += 2
    assert meter.stop_reason() is None
    assert meter.seconds_left == 0.5
    assert meter.elapsed == 2
    clock.now += 1
    assert meter.stop_reason() == Reason(Cause.TIME, "limit 2.5 s")
    assert meter.seconds_left == 0


def test_no_seconds_stop_at_once(clock: SimpleNamespace):
    assert Budget(seconds=0).start().stop_reason() == Reason(Cause.TIME, "limit 0 s")


def test_megabytes_count_from_the_start(memory: SimpleNamespace):
    meter = Budget(megabytes=10).start()
    memory.megabytes += 9
    assert meter.stop_reason() is None
    assert meter.megabytes_left == 1
    memory.megabytes += 2
    assert meter.stop_reason() == Reason(Cause.MEMORY, "limit 10 MB")
    assert meter.megabytes_left == 0


def test_cancelling_stops_first_of_all():
    cancellation = Cancellation()
    meter = Budget(nodes=0, cancellation=cancellation).start()
    cancellation.cancel()
    assert meter.stop_reason() == Reason(Cause.CANCELLED)


def test_a_child_stops_with_its_parent_and_not_the_other_way_round():
    parent = Cancellation()
    first, second = parent.child(), parent.child()
    first.cancel()
    assert (parent.requested, first.requested, second.requested) == (False, True, False)
    parent.cancel()
    assert second.requested
    assert second.child().requested


def test_a_meter_without_cancellation_can_still_be_cancelled():
    meter = Budget().start()
    meter.cancellation.cancel()
    assert meter.stop_reason() == Reason(Cause.CANCELLED)


def test_a_fork_keeps_clock_and_memory_and_has_nodes_of_its_own(clock: SimpleNamespace, memory: SimpleNamespace):
    meter = Budget(seconds=10, nodes=5, megabytes=100).start()
    meter.spend(3)
    clock.now += 4
    memory.megabytes += 60
    twin, other, free = meter.fork(5), meter.fork(8), meter.fork(None)
    assert (twin.seconds_left, twin.megabytes_left) == (6, 40)
    assert (twin.nodes_left, other.nodes_left, free.nodes_left) == (5, 8, None)
    twin.spend(5)
    assert meter.nodes == 3
    twin.cancellation.cancel()
    assert twin.stop_reason() == Reason(Cause.CANCELLED)
    assert (meter.stop_reason(), other.stop_reason()) == (None, None)
    meter.cancellation.cancel()
    assert other.stop_reason() == Reason(Cause.CANCELLED)


def test_a_fork_may_end_earlier_and_never_later(clock: SimpleNamespace):
    meter = Budget(seconds=10).start()
    clock.now += 4
    assert (meter.fork(1, seconds=2).seconds_left, meter.fork(1, seconds=20).seconds_left) == (2, 6)
    assert Budget().start().fork(1, seconds=2).seconds_left == 2


def test_a_part_may_spend_no_more_than_what_is_left(clock: SimpleNamespace, memory: SimpleNamespace):
    meter = Budget(seconds=10, nodes=100, megabytes=50).start()
    meter.spend(70)
    clock.now += 4
    memory.megabytes += 20
    assert (meter.part(nodes=20).nodes_left, meter.part(nodes=50).nodes_left) == (20, 30)
    assert (meter.part(nodes=20).seconds_left, meter.part(nodes=20).megabytes_left) == (6, 30)
    assert Budget().start().part(nodes=20).nodes_left == 20


def test_what_a_part_spends_is_booked_in_the_whole():
    meter = Budget(nodes=100).start()
    meter.spend(70)
    part = meter.part(nodes=20)
    inner = part.part(fraction=0.5)
    inner.spend(10)
    assert (inner.nodes, part.nodes, meter.nodes) == (10, 10, 80)
    assert inner.stop_reason() == Reason(Cause.NODES, "limit 10")
    part.spend(10)
    assert part.stop_reason() == Reason(Cause.NODES, "limit 20")
    assert (meter.stop_reason(), meter.nodes_left) == (None, 10)


def test_a_part_stops_with_the_whole_and_not_the_other_way_round():
    meter = Budget().start()
    one, other = meter.part(), meter.part()
    one.cancellation.cancel()
    assert (meter.stop_reason(), other.stop_reason()) == (None, None)
    meter.cancellation.cancel()
    assert other.stop_reason() == Reason(Cause.CANCELLED)


def test_a_part_may_be_a_fraction_of_what_is_left(clock: SimpleNamespace):
    meter = Budget(seconds=10, nodes=100).start()
    meter.spend(60)
    clock.now += 4
    part = meter.part(fraction=0.5)
    assert (part.seconds_left, part.nodes_left) == (3, 20)
    clock.now += 3
    assert part.stop_reason() == Reason(Cause.TIME, "limit 7 s")  # counted from where the whole began
    assert meter.stop_reason() is None
    free = Budget().start().part(fraction=0.5)
    assert (free.seconds_left, free.nodes_left) == (None, None)


def test_a_part_may_be_a_fraction_of_the_time_and_so_many_nodes(clock: SimpleNamespace):
    part = Budget(seconds=10, nodes=100).start().part(nodes=30, fraction=0.5)
    assert (part.seconds_left, part.nodes_left) == (5, 30)


def test_what_is_left_is_a_budget(clock: SimpleNamespace, memory: SimpleNamespace):
    meter = Budget(seconds=10, nodes=100, megabytes=50).start()
    meter.spend(60)
    clock.now += 4
    memory.megabytes += 20
    assert meter.left() == Budget(seconds=6, nodes=40, megabytes=30, cancellation=meter.cancellation)
    assert (meter.left(10).nodes, meter.left(90).nodes) == (10, 40)
    free = Budget().start()
    assert free.left(10) == Budget(nodes=10, cancellation=free.cancellation)


def test_resident_memory_is_known_here():
    assert resident_megabytes() > 1


def test_memory_is_that_of_the_tightest_container(tmp_path: Path):
    group = tmp_path / "slurm" / "job 7"
    group.mkdir(parents=True)
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "slurm" / "memory.max").write_text("8000000000\n")
    (group / "memory.max").write_text("2000000000\n")
    membership = tmp_path / "membership"
    membership.write_text("1:name=systemd:/elsewhere\n0::/slurm/job 7\n")
    assert memory_module._container_megabytes(str(tmp_path), str(membership)) == [8_000, 2_000]
    assert memory_module._container_megabytes(str(tmp_path), str(tmp_path / "nothing")) == []


def test_a_container_that_is_allowed_less_than_the_machine_has_decides(monkeypatch: pytest.MonkeyPatch):
    whole = memory_module.machine_megabytes()
    monkeypatch.setattr(memory_module, "_container_megabytes", lambda: [whole / 2])
    assert memory_module.machine_megabytes() == whole / 2


def test_what_a_container_is_allowed_is_looked_at_again_after_a_while(monkeypatch: pytest.MonkeyPatch):
    now, allowed = [100.0], [500.0]
    monkeypatch.setattr(memory_module, "_looked", None)
    monkeypatch.setattr(memory_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(memory_module, "_container_megabytes", lambda: [allowed[0]])
    assert memory_module.free_megabytes() == 250
    allowed[0] = 300.0
    assert memory_module.free_megabytes() == 250
    now[0] += memory_module.POLL_SECONDS
    assert memory_module.free_megabytes() == 150


def test_a_checkpoint_raises_on_time_memory_and_cancellation(clock: SimpleNamespace, memory: SimpleNamespace):
    Budget().start().checkpoint()
    meter = Budget(seconds=10, megabytes=100, cancellation=Cancellation()).start()
    meter.checkpoint()
    clock.now += 9.9
    meter.checkpoint()
    memory.megabytes += 100
    clock.now += MEMORY_POLL_SECONDS
    with pytest.raises(LimitReached, match=r"out of memory \(limit 100 MB\)"):
        meter.checkpoint()
    clock.now += 0.1
    with pytest.raises(LimitReached, match=r"out of time \(limit 10 s\)"):
        meter.checkpoint()
    meter.cancellation.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        meter.checkpoint()


def test_a_checkpoint_looks_at_the_memory_now_and_then(clock: SimpleNamespace, memory: SimpleNamespace):
    meter = Budget(megabytes=100).start()
    meter.checkpoint()
    memory.megabytes += 200
    meter.checkpoint()
    clock.now += MEMORY_POLL_SECONDS
    with pytest.raises(LimitReached):
        meter.checkpoint()


def test_a_checkpoint_does_not_look_at_nodes():
    meter = Budget(nodes=1).start()
    meter.spend(5)
    meter.checkpoint()
    assert meter.stop_reason() is not None


def test_walking_over_items_has_checkpoints_in_it(clock: SimpleNamespace):
    meter = Budget(seconds=5).start()
    seen = []

    def walk() -> None:
        for item in meter.each(range(100), every=10):
            seen.append(item)
            clock.now += 0.3

    with pytest.raises(LimitReached):
        walk()
    assert seen == list(range(20))
    assert list(Budget().start().each("abc", every=1)) == ["a", "b", "c"]
    with pytest.raises(LimitReached):
        next(Budget(seconds=0).start().each([1]))


def test_a_part_has_checkpoints_of_its_own(clock: SimpleNamespace):
    part = Budget(seconds=10).start().part(fraction=0.5)
    clock.now += 6
    with pytest.raises(LimitReached, match="limit 5 s"):
        part.checkpoint()


def test_memory_is_asked_for_before_it_is_used(memory: SimpleNamespace, monkeypatch: pytest.MonkeyPatch):
    meter = Budget(megabytes=100).start()
    meter.require_memory(100, "a table")
    with pytest.raises(LimitReached, match=r"out of memory \(a table needs about 101 MB\)"):
        meter.require_memory(101, "a table")
    monkeypatch.setattr(budget_module, "free_megabytes", lambda: 10.0)
    assert meter.memory_reason(11, "a table") == Reason(Cause.MEMORY, "a table needs about 11 MB")
    assert Budget().start().memory_reason(11, "a table") is not None
    assert Budget().start().memory_reason(10, "a table") is None


def test_a_limited_address_space_leaves_less():
    """In a process of its own: what is limited here stays so."""
    script = (
        "import resource\n"
        "from solvent.core.memory import free_megabytes\n"
        "assert free_megabytes() > 200, free_megabytes()\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "used = pages * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 100_000_000, -1))\n"
        "left = free_megabytes()\n"
        "assert 80 < left <= 100.1, left  # a page or two may be given back in between\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_an_error_means_for_an_answer():
    assert limit_reason(MemoryError()) == Reason(Cause.MEMORY, "the machine has no more")
    assert limit_reason(LimitReached(Reason(Cause.TIME, "limit 1 s"))) == Reason(Cause.TIME, "limit 1 s")
