"""Compiled kernels must land in the folder `kernel` chooses: beside the source they go stale."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


def test_only_one_file_imports_numba(project):
    """Numba reads its cache folder when it is first imported, so nobody may import it before it is chosen."""
    package = project / "src" / "solvent"
    importing = re.compile(r"^\s*(import|from)\s+numba\b", re.MULTILINE)
    found = [str(path.relative_to(package)) for path in package.rglob("*.py") if importing.search(path.read_text())]
    assert found == [os.path.join("engine", "kernel.py")]


@pytest.mark.parametrize("module", ["solvent.engine.jit.random", "solvent.engine.jit.bits", "solvent.proof.rup"])
def test_the_cache_is_where_it_was_chosen(module, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment["XDG_CACHE_HOME"] = environment["LOCALAPPDATA"] = str(tmp_path)
    script = f"import {module}, numba; print(numba.config.CACHE_DIR)"
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.startswith(str(tmp_path / "solvent"))
