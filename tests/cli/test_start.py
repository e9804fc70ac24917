"""What the command says before it has imported anything."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from helpers.command import Ran
from solvent.cli.group import COMMANDS
from solvent.cli.start import OVERVIEW
from solvent.version import __version__

HEAVY = ("click", "rich", "msgspec", "importlib.metadata", "typing", "numpy", "json", "solvent.registry")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["-h"], []])
def test_the_overview_and_version_import_nothing_heavy(words: list[str]) -> None:
    code = (
        f"import sys; before = set(sys.modules); from solvent.cli.start import main; code = main({words!r});"
        f"print(sorted(set({HEAVY!r}) & (set(sys.modules) - before)), file=sys.stderr); sys.exit(code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "[]\n")
    assert "solvent" in ran.stdout


def test_version(run: Callable[..., Ran]) -> None:
    assert run("--version") == Ran(0, f"solvent {__version__}\n", "")


def test_the_overview_names_every_command_once_and_fits_80_columns(run: Callable[..., Ran]) -> None:
    starts = [line.split()[0] for line in OVERVIEW.splitlines() if line.startswith("  ")]
    for command in COMMANDS:
        assert starts.count(command) == 1, command
    assert max(len(line) for line in OVERVIEW.splitlines()) <= 80
    assert OVERVIEW.isascii()
    assert run("--help") == run() == Ran(0, OVERVIEW, "")


@pytest.mark.parametrize("code", [0, 2, 10, 20, 30, 31, 130])
def test_the_overview_tells_the_exit_codes(code: int) -> None:
    assert f" {code}  " in OVERVIEW[OVERVIEW.index("Exit codes") :]


def test_a_module_is_imported_only_for_the_command_that_needs_it() -> None:
    code = (
        "import sys; from solvent.cli.start import main; main(['convert', '--help']);"
        "print([name for name in sys.modules if name in ('solvent.cli.solve', 'solvent.cli.tour', 'rich', 'msgspec')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout.endswith("\n[]\n")


def test_python_m_solvent_is_the_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "solvent", "--version"], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, f"solvent {__version__}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_that_fits_and_tells_its_exit_codes(run: Callable[..., Ran], command: str) -> None:
    ran = run(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: solvent {command}")
    assert "Exit codes: 0" in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80


def test_an_unknown_command_is_a_usage_error_with_a_guess(run: Callable[..., Ran]) -> None:
    ran = run("slove", "payable.txt")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "solvent: no such command 'slove' (did you mean 'solvent solve'?); see 'solvent --help'\n"
    assert ", ".join(COMMANDS) in run("frobnicate").err
