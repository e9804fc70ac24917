"""Setting up for `make`: one line, the whole log where something fails, and everything that is needed."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from building import set_up

from conftest import PROJECT

DESCRIBED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def test_extras_bring_those_that_they_name() -> None:
    project = {
        "dependencies": ["a>=1"],
        "optional-dependencies": {"dev": ["solvent[more,web]", "b"], "more": ["c", "a>=1"], "web": []},
    }
    assert set_up._requirements(project, []) == ["a>=1"]
    assert set_up._requirements(project, ["dev"]) == ["a>=1", "c", "b"]


def test_what_is_installed_is_what_the_project_says() -> None:
    needed = set_up._requirements(DESCRIBED["project"], ["dev"])
    assert not any(each.startswith("solvent") for each in needed)
    assert {"starlette>=0.40", "uvicorn>=0.30"} <= set(set_up._requirements(DESCRIBED["project"], []))
    assert set_up._build_tools(DESCRIBED)[:2] == DESCRIBED["build-system"]["requires"]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, list[str]]:
    """Have setting up run these commands instead, at the same time."""
    commands: dict[str, list[str]] = {}
    monkeypatch.setattr(set_up, "LOG", tmp_path / "log")
    monkeypatch.setattr(set_up, "_set_up", lambda _extras, line, log: set_up._run(commands, line, log))
    return commands


def program(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_pipe_gets_one_line_and_no_noise(steps: dict[str, list[str]], capfd: pytest.CaptureFixture[str]) -> None:
    steps |= {"one": program("print('noise')"), "two": program("import sys; sys.stderr.write('more')")}
    assert set_up.main([]) == 0
    out, err = capfd.readouterr()
    assert (out.split(" in ")[0], out.count("\n"), err) == ("Set up", 1, "")


def test_a_failure_shows_the_log_and_ends_the_other_step(
    steps: dict[str, list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    steps |= {
        "packages": program("import time; time.sleep(600)"),
        "kernels": program("import sys; sys.exit('no compiler here')"),
    }
    assert set_up.main([]) == 1
    out = capfd.readouterr().out
    assert out.startswith("Setting up failed after ")
    assert "kernels. This is what it said:" in out
    assert out.endswith("no compiler here\n")
