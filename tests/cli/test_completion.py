"""Completion, asked as shells ask, and by a real bash, zsh and fish where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command import Run
from solvent.cli.completion import SHELLS, VARIABLE

BIN = Path(sys.executable).parent
DOMAINS = {"dungeon", "harmony", "starbattle", "valency"}


def completed(line: str) -> list[str]:
    words = line.split(" ")
    environment = {**os.environ, VARIABLE: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    ran = subprocess.run([BIN / "solvent"], env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    return [each.partition(",")[2] for each in ran.stdout.split()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("solvent val", {"validate"}),
        ("solvent validate --kill", {"--kill-after", "--kill-above"}),
        ("solvent solve --shortest-n", {"--shortest-nodes"}),
        ("solvent solve a.txt --ask los", {"losable"}),
        ("solvent validate --ask solvable,los", {"solvable,losable"}),
        ("solvent validate --again ", {"unknown", "all"}),
        ("solvent generate ", DOMAINS),
        ("solvent solve --as dun", {"dungeon"}),
        ("solvent examples dungeon the_wrong", {"the_wrong_door"}),
        ("solvent convert a --to ldt", {"ldtk"}),
        ("solvent completion ", set(SHELLS)),
        ("solvent nonsense --x", set()),
    ],
)
def test_names_are_completed(line: str, expected: set[str]) -> None:
    assert set(completed(line)) >= expected
    if expected == set():
        assert completed(line) == []


def test_a_command_is_completed_without_any_domain() -> None:
    code = (
        "import os, sys; os.environ.update("
        f"{{'{VARIABLE}': 'bash_complete', 'COMP_WORDS': 'solvent so', 'COMP_CWORD': '1'}});"
        "from solvent.cli.start import main; main();"
        "print([name for name in sys.modules if name.startswith('solvent.') and name.split('.')[1] in"
        f" {DOMAINS!r}])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.splitlines() == ["plain,solve", "[]"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(run: Run, shell: str) -> None:
    ran = run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"{VARIABLE}={shell}_complete" in ran.out


def script_for(shell: str) -> str:
    words = {
        "bash": 'eval "$(solvent completion bash)"; COMP_WORDS=(solvent expl); COMP_CWORD=1;'
        ' _solvent_completion solvent; echo "${COMPREPLY[@]}"',
        "zsh": "compdef() { :; }; compadd() { print -r -- $*; };"
        " _describe() { print -r -- $completions_with_descriptions; };"
        ' eval "$(solvent completion zsh)"; words=(solvent expl); CURRENT=2; _solvent_completion',
        "fish": 'solvent completion fish | source; complete -C "solvent expl"',
    }
    return words[shell]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes(shell: str, tmp_path: Path) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    environment = {**os.environ, "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]), "HOME": str(tmp_path)}
    ran = subprocess.run([found, "-c", script_for(shell)], env=environment, capture_output=True, text=True, timeout=60)
    assert "explain" in ran.stdout, ran.stdout + ran.stderr
