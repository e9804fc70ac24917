"""Machine code that is older than its source must never run; where there is none, plain Python must."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from building.freshness import touch_changed

from solvent.engine import build


@pytest.fixture
def tree(tmp_path) -> Path:
    """Return a source tree with one kernel whose machine code has just been written."""
    package = tmp_path / "src" / "solvent"
    source = Path(build.PACKAGE)
    (package / "engine").mkdir(parents=True)
    (tmp_path / "building").mkdir()
    (tmp_path / "building" / "compiler.py").write_text("")
    for name in ("__init__.py", "version.py", "engine/__init__.py", "engine/build.py", "engine/plain_cython.py"):
        shutil.copy(source / name, package / name)
    (package / "engine" / "heap_kernel.py").write_text("import cython\n\nTEXT = 'plain'\n")
    (package / "engine" / f"heap_kernel{EXTENSION_SUFFIXES[0]}").write_bytes(b"no machine code at all")
    stamp = (
        "from runpy import run_path; b = run_path('src/solvent/engine/build.py'); b['write_stamp'](b['stamp_text']())"
    )
    run_in(tree=tmp_path, script=stamp)
    return tmp_path


def run_in(tree: Path, script: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != build.QUIET}
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=tree,
        env={**environment, "PYTHONPATH": str(tree / "src"), **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_fresh_machine_code_is_taken(tree):
    assert run_in(tree, "import solvent").returncode == 0


def test_a_source_saved_again_without_a_change_is_fresh(tree):
    os.utime(tree / "src/solvent/engine/heap_kernel.py", ns=(1, 1))
    assert run_in(tree, "import solvent").returncode == 0


@pytest.mark.parametrize("change", ["edit", "same size", "remove", "no stamp"])
def test_stale_machine_code_is_refused_with_what_to_type(tree, change):
    kernel = tree / "src/solvent/engine/heap_kernel.py"
    if change == "edit":
        kernel.write_text(kernel.read_text() + "\n")
    elif change == "same size":
        kernel.write_text(kernel.read_text().replace("plain", "PLAIN"))
    elif change == "remove":
        kernel.unlink()
    else:
        (tree / "src/solvent/engine/kernels.stamp").unlink()
    run = run_in(tree, "import solvent")
    assert run.returncode != 0
    if change == "no stamp":
        assert "has changed since Solvent's kernels were compiled; type `make kernels`" in run.stderr
    else:
        assert "engine/heap_kernel.py has changed since Solvent's kernels were compiled" in run.stderr


def test_a_package_installed_into_the_folder_of_another_project_needs_no_stamp(tree):
    """As `pip install --target` does; the other project may well have a setup.py."""
    shutil.rmtree(tree / "building")
    (tree / "src/solvent/engine/kernels.stamp").unlink()
    (tree / "setup.py").write_text("")
    run = run_in(tree, "import solvent")
    assert run.returncode == 0, run.stderr


class TestTouchingChangedSources:
    """Cython translates what is newer than its C code; whatever else has changed must be made newer."""

    @pytest.fixture
    def package(self, tmp_path) -> Path:
        """Return sources that were translated a while ago."""
        for name in ("a_kernel.py", "b_kernel.py"):
            (tmp_path / name).write_text(name)
            os.utime(tmp_path / name, ns=(10**18, 10**18))
        (tmp_path / "last").write_text("hash-a 1 1 a_kernel.py\nhash-b 1 1 b_kernel.py\n")
        os.utime(tmp_path / "last", ns=(10**18 + 10**9, 10**18 + 10**9))
        return tmp_path

    def times(self, package: Path) -> list[bool]:
        """Return whether each source is newer than the last translation."""
        last = (package / "last").stat().st_mtime_ns
        return [(package / name).stat().st_mtime_ns > last for name in ("a_kernel.py", "b_kernel.py")]

    def test_one_that_was_put_back_is_made_newer(self, package):
        touch_changed("hash-a 1 1 a_kernel.py\nother 1 1 b_kernel.py\n", package / "last", package)
        assert self.times(package) == [False, True]

    def test_the_same_with_another_time_is_left_alone(self, package):
        touch_changed("hash-a 1 2 a_kernel.py\nhash-b 7 9 b_kernel.py\n", package / "last", package)
        assert self.times(package) == [False, False]

    def test_one_that_is_newer_anyway_keeps_its_time(self, package):
        os.utime(package / "b_kernel.py", ns=(10**18 + 10**10, 10**18 + 10**10))
        touch_changed("hash-a 1 1 a_kernel.py\nother 1 1 b_kernel.py\n", package / "last", package)
        assert (package / "b_kernel.py").stat().st_mtime_ns == 10**18 + 10**10

    def test_nothing_translated_yet(self, package):
        touch_changed("other 1 1 a_kernel.py\n", package / "nothing", package)
        assert self.times(package) == [False, False]


def test_without_machine_code_the_source_runs_and_this_is_said_once(tree):
    next((tree / "src/solvent/engine").glob("heap_kernel.*.so")).unlink()
    script = (
        "import subprocess, sys\n"
        "from solvent.engine.heap_kernel import TEXT\n"
        "print(TEXT)\n"
        "subprocess.run([sys.executable, '-c', 'import solvent'], check=True)"
    )
    run = run_in(tree, script)
    assert run.stdout == "plain\n"
    assert run.stderr.count("the kernels are not compiled here; answers are the same") == 1


def test_an_editable_install_without_compiling_removes_machine_code(tree, project):
    shutil.copy(project / "setup.py", tree)
    shutil.copytree(project / "building", tree / "building", dirs_exist_ok=True)
    run = subprocess.run(
        [sys.executable, "setup.py", "-q", "editable_wheel", "--dist-dir", "dist"],  # as `pip install -e .` does
        cwd=tree,
        env={**os.environ, "SOLVENT_KERNELS": "plain"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert not list((tree / "src").rglob("heap_kernel.*.so"))
    assert run_in(tree, "from solvent.engine.heap_kernel import TEXT; print(TEXT)").stdout == "plain\n"


def test_this_tree_is_fresh():
    if os.path.exists(build.STAMP):
        assert build.changed_sources() == []
    assert any(path.endswith("heap_kernel.py") for path in build.kernel_sources())
