"""Run the blocks of a page in a folder, one after the other, and say where what they do is not what the page says."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from docs.markdown import Block, read_blocks, read_steps

_VARYING = re.compile(
    r"""
    \b\d+\.\d+\ s\b                  # 0.02 s
    | \bin\ (\d+\ min\ )?\d+\ s\b    # 6 answers in 9 s
    | \ +\d+\.\d{3}(?=\ |$)           # a cell of a table in seconds
    | \ +\d+\.\d\d$                   # the same, in a table of sums
    | \b[\d,]+\ bytes\b
    | \b[\d.]+\ [kM]B\b
    | \bin\ [\d,]+\ steps\b
    | (?<=_)\d{8}T\d{6}Z\b             # a moment in the name of a file
    | \b\d{4}-\d\d-\d\d\ \d\d:\d\d\ UTC\b
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Times, sizes of files and lengths of proofs change with the machine and the version of the SAT solver."""
_MARK = "=-=-= next command =-=-="
_SECONDS_ALLOWED = 120
_OPTIONS = doctest.ELLIPSIS


def differences(page: str, folder: Path) -> list[str]:
    """Run a whole page in a folder and return every difference; the folder must be the current one."""
    names: dict[str, Any] = {"__name__": "page"}
    found = []
    for block in read_blocks(page):
        if block.file_name is not None:
            (folder / block.file_name).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            found += _console_differences(block, folder)
        elif block.language == "python" and block.text.startswith(">>>"):
            found += _doctest_differences(block, names)
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), names)
    return found


def outputs(commands: list[str], folder: Path) -> list[str]:
    """Run the commands in one shell and return what each wrote, to standard output and error together."""
    # `$?` must still be that of the command before, so the mark hands it on
    script = [f"mark() {{ local code=$?; echo '{_MARK}'; return $code; }}"]
    for command in commands:
        script += ["mark", command]
    bin_folder = Path(sys.executable).parent
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PATH"] = os.pathsep.join([str(bin_folder), environment.get("PATH", "")])
    environment.pop("FORCE_COLOR", None)
    ran = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_SECONDS_ALLOWED,
    )
    return [part.strip("\n") for part in ran.stdout.split(_MARK + "\n")[1:]]


class _Checker(doctest.OutputChecker):
    """Compare what a page says with what was written, but for what varies."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(_VARYING.sub("~", want), _VARYING.sub("~", got), optionflags)


def agree(expected: str, found: str) -> bool:
    """Tell whether an output is what the page says, but for what varies and what `...` stands for."""
    return _Checker().check_output(expected, found, _OPTIONS)


def _console_differences(block: Block, folder: Path) -> list[str]:
    steps = read_steps(block.text)
    return [
        f"line {block.line}: $ {step.command}\nexpected:\n{step.output}\nfound:\n{output}"
        for step, output in zip(steps, outputs([step.command for step in steps], folder), strict=True)
        if not agree(step.output, output)
    ]


def _doctest_differences(block: Block, names: dict[str, Any]) -> list[str]:
    test = doctest.DocTestParser().get_doctest(block.text, names, f"line {block.line}", None, block.line)
    test.globs = names  # it would otherwise work on a copy, and the next block would not know its names
    said: list[str] = []
    doctest.DocTestRunner(checker=_Checker(), optionflags=_OPTIONS, verbose=False).run(
        test, out=said.append, clear_globs=False
    )
    return ["".join(said)] if said else []
