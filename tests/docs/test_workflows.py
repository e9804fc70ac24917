"""What the pages show but cannot run as it stands, workflows and scripts, parses, and its commands exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import solvent
from conftest import PROJECT
from docs.markdown import all_pages, read_blocks
from solvent.cli.group import commands
from solvent.registry import all_domains

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with the cluster extra")

_COMMAND = re.compile(r"\bsolvent (?P<name>[a-z]+)\b(?P<words>(?:\\\n|[^|;&>)`\n])*)")
_OPTION = re.compile(r"(?<!\S)(--?[a-z][\w-]*)")


def blocks_of(*languages: str) -> list[Any]:
    return [
        pytest.param(block.text, id=f"{page.relative_to(PROJECT).as_posix()}:{block.line}")
        for page in all_pages(PROJECT)
        for block in read_blocks(page.read_text(encoding="utf-8"))
        if block.language in languages
    ]


def unknown_options(text: str) -> list[str]:
    """Return every command and option in a script that Solvent does not have."""
    unknown = []
    for match in _COMMAND.finditer(text):
        command = commands.get_command(click.Context(commands), match["name"])
        if command is None:
            unknown.append(match["name"])
            continue
        known = {spelled for parameter in command.params for spelled in [*parameter.opts, *parameter.secondary_opts]}
        known |= set(domain_options())
        unknown += [f"{match['name']} {option}" for option in _OPTION.findall(match["words"]) if option not in known]
    return unknown


def domain_options() -> Iterator[str]:
    for domain in all_domains():
        yield from (f"--{question}" for question in domain.questions)
        for kind in ("solve", "hint", "generate", "audit"):
            for option in domain.options(kind):
                name = option.name.replace("_", "-")
                yield from (f"--{name}", f"--no-{name}")


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


@pytest.mark.parametrize("text", blocks_of("yaml"))
def test_yaml_parses_and_its_commands_exist(text: str) -> None:
    documents = [document for document in yaml.safe_load_all(text) if document is not None]
    assert documents
    for document in documents:
        assert unknown_options("\n".join(texts_in(document))) == []


@pytest.mark.parametrize("text", blocks_of("sh"))
def test_commands_in_scripts_exist(text: str) -> None:
    assert unknown_options(text) == []


def test_a_command_that_does_not_exist_is_found_out() -> None:
    assert unknown_options("solvent validate levels/ --fail-on no -q && solvent solve a --no-macros") == []
    assert unknown_options("solvent validete levels/") == ["validete"]
    assert unknown_options("solvent validate levels/ \\\n  --fail-in no | tee --nothing") == ["validate --fail-in"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_the_workflow_does_what_the_page_says(project: Path, tmp_path: Path) -> None:
    page = (project / "docs" / "how-to" / "gate-a-build.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(next(block.text for block in read_blocks(page) if block.language == "yaml"))
    levels = {example.name: example.text for example in solvent.examples("dungeon")}
    (tmp_path / "levels").mkdir()
    for name in ("first_door", "the_wrong_door"):
        (tmp_path / "levels" / f"{name}.txt").write_text(levels[name], encoding="utf-8")
    summary = tmp_path / "summary.md"
    environment = {
        **os.environ,
        "GITHUB_STEP_SUMMARY": str(summary),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }

    codes = {}
    for step in workflow["jobs"]["validate"]["steps"]:
        if "run" not in step or "pip install" in step["run"]:
            continue
        if any(codes.values()) and step.get("if") != "always()":
            continue
        ran = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=environment, timeout=120)
        codes[step["name"]] = ran.returncode

    assert codes.pop("Validate the levels") == 10
    assert set(codes.values()) == {0}
    assert len(codes) == 2
    table = summary.read_text(encoding="utf-8")
    assert table.startswith("## Solvent: 3 of 4 passed\n")
    assert "| FAIL | levels/the_wrong_door.txt | losable |" in table
    assert "the_wrong_door" in (tmp_path / "report.html").read_text(encoding="utf-8")
