"""Which solver gave an answer, and on which machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.batch.fingerprint import solver_version
from solvent.batch.machine import describe_machine, usable_cores
from solvent.batch.workers.measuring import Measure
from solvent.registry import domain_names
from solvent.version import __version__

ASK = (
    "from solvent.batch.fingerprint import solver_version; print(solver_version('harmony'), solver_version('dungeon'))"
)


def test_each_domain_has_its_own_version():
    versions = {solver_version(name) for name in domain_names()}
    assert len(versions) == len(domain_names())
    assert all(version.startswith(f"{__version__}+") for version in versions)


@pytest.fixture
def copy(tmp_path: Path, project: Path) -> Path:
    shutil.copytree(project / "src" / "solvent", tmp_path / "solvent", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def versions_in(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_copy_elsewhere_is_the_same_solver(copy: Path):
    assert versions_in(copy) == [solver_version("harmony"), solver_version("dungeon")]


@pytest.mark.parametrize(
    ("changed", "harmony_same", "dungeon_same"),
    [
        ("harmony/rules.py", False, True),
        ("engine/bits.py", False, False),
        ("asking.py", False, False),
        ("cli/solve.py", True, True),
        ("batch/batch_size.py", True, True),
    ],
)
def test_only_code_that_decides_answers_counts(copy: Path, changed: str, harmony_same: bool, dungeon_same: bool):
    with (copy / "solvent" / changed).open("a") as file:
        file.write("\n# another solver\n")
    harmony, dungeon = versions_in(copy)
    assert (harmony == solver_version("harmony")) is harmony_same
    assert (dungeon == solver_version("dungeon")) is dungeon_same


def test_solvers_of_ones_own_count(copy: Path):
    about = copy / "own_solver-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: own-solver\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[solvent.valency_solvers]\nmine = own_solver:solve\n")
    (copy / "own_solver.py").write_text("def solve(): ...\n")
    first = versions_in(copy)
    (copy / "own_solver.py").write_text("def solve(): return 1\n")
    second = versions_in(copy)
    assert len({solver_version("harmony"), first[0], second[0]}) == 3


def test_the_machine_is_described_without_its_name():
    import platform

    assert f"{usable_cores()} cores" in describe_machine()
    assert "\n" not in describe_machine()
    assert not platform.node() or platform.node() not in describe_machine()


def test_a_measure_sees_time_and_memory():
    measure = Measure()
    before = measure.peak_megabytes
    block = bytearray(60_000_000)
    block[::4096] = b"x" * len(block[::4096])
    del block
    after = measure.peak_megabytes
    assert measure.seconds > 0
    assert measure.cpu_seconds > 0
    if before is not None and after is not None:  # elsewhere than on Linux nobody can tell
        assert after - before > 50
        assert Measure().peak_megabytes < 50
