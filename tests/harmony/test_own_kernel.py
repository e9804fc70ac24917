"""The compiled invalidity test of the docs, compiled as they say: the search calls it in C."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import solvent
from harmony.boards import near_miss
from solvent.core.errors import BadOption
from solvent.harmony.invalidity.tests_kernel import HarmonyTest
from solvent.harmony.model import Board

PAGE = Path("docs") / "how-to" / "write-an-invalidity-test.md"
CYTHONIZE = Path(sys.executable).with_name("cythonize")
IS_COMPILED = "fires" not in vars(HarmonyTest)


@pytest.mark.slow
@pytest.mark.skipif(not IS_COMPILED, reason="a compiled test needs compiled kernels")
@pytest.mark.skipif(not CYTHONIZE.exists() or not shutil.which("cc"), reason="needs Cython and a C compiler")
def test_the_kernel_of_the_docs(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    text = (project / PAGE).read_text(encoding="utf-8")
    source = text.split('```text title="lonely_moves_kernel.py"\n')[1].split("```")[0]
    (tmp_path / "lonely_moves_kernel.py").write_text(source)
    command = [str(CYTHONIZE), "-q", "-i", "-3", "lonely_moves_kernel.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    monkeypatch.syspath_prepend(tmp_path)
    test = importlib.import_module("lonely_moves_kernel").TEST

    def lonely_moves(board: Board) -> bool:
        return 2 * max(board.moves) > sum(board.moves)

    board = near_miss(3, 4, 9, 6)
    compiled = solvent.ask(board, solver="dfs", tests=[test])
    written = solvent.ask(board, solver="dfs", tests=[lonely_moves])
    assert compiled.verdict is written.verdict
    one, other = (answer.stats["invalidity_tests"]["lonely_moves"] for answer in (compiled, written))
    assert (one["calls"], one["hits"]) == (other["calls"], other["hits"])
    assert one["timed"] == one["calls"] == other["timed"]  # a user's test is timed at every call


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python calls what is not compiled")
def test_a_kernel_that_is_not_compiled_is_refused():
    class Uncompiled(HarmonyTest):
        def fires(self, position: object) -> bool:
            return False

    with pytest.raises(BadOption, match="not compiled, which would never fire"):
        solvent.ask(near_miss(3, 4, 9, 6), tests=[Uncompiled("uncompiled", "For the test.")])
