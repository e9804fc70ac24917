"""Run the steps of a composite GitHub Action as GitHub does, as far as our action goes."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


@dataclass
class Outcome:
    """What the steps came to."""

    code: int = 0
    out: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    ran: list[str] = field(default_factory=list)


def run_action(
    action: Path, inputs: Mapping[str, str], *, folder: Path, scratch: Path, environment: Mapping[str, str]
) -> Outcome:
    """Run every `run` step of an action in a folder, up to the first that fails; actions of others are passed over."""
    described: dict[str, Any] = yaml.safe_load(action.read_text(encoding="utf-8"))
    assert described["runs"]["using"] == "composite"
    assert set(inputs) <= set(described["inputs"])
    values = {f"inputs.{name}": str(each.get("default", "")) for name, each in described["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()}
    values["github.action_path"] = str(action.parent)
    summary = scratch / "summary.md"
    outcome = Outcome()
    for number, step in enumerate(described["runs"]["steps"]):
        if "run" not in step:
            continue
        output = scratch / f"output-{number}"
        output.touch()
        given = {name: fill_in(str(value), values) for name, value in step.get("env", {}).items()}
        given |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", fill_in(step["run"], values)],
            cwd=folder,
            env={**os.environ, **environment, **given},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
        outcome.ran.append(step["name"])
        outcome.out += ran.stdout
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            values[f"steps.{step['id']}.outputs.{name}"] = value
        if ran.returncode:
            outcome.code = ran.returncode
            break
    outcome.outputs = {name: fill_in(each["value"], values) for name, each in described["outputs"].items()}
    outcome.summary = summary.read_text(encoding="utf-8") if summary.exists() else ""
    return outcome


def fill_in(text: str, values: Mapping[str, str]) -> str:
    """Put values in place of `${{ … }}`; one that is not there is empty, as on GitHub."""
    return _EXPRESSION.sub(lambda match: values.get(match[1], ""), text)
