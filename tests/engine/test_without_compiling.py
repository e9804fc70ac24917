"""The kernels must mean the same as plain Python, and must never reach outside an array.

Numba can run them uncompiled, or check every index; both are chosen when it is imported, hence the new processes.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SMALL = [
    "tests/engine/test_random.py",
    "tests/engine/test_bits.py",
    "tests/engine/test_hash_table.py",
    "tests/engine/test_heap.py",
    "tests/engine/test_bucket_queue.py",
    "tests/proof/test_rup_small.py",
    "tests/proof/test_trimming.py",
]


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_small_tests_pass_in_another_mode(setting, project, tmp_path):
    # Numba's cache does not know about bounds checks, so this process must not find what others compiled.
    environment = {**os.environ, setting: "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    options = ["-x", "-p", "no:cacheprovider", "-W", "error::RuntimeWarning"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *SMALL],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert " passed" in run.stdout
