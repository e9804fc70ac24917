"""What is public, and that importing it is cheap."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import solvent

HEAVY = ("numpy", "pysat", "click", "rich")


def test_all_is_the_public_surface():
    assert sorted(solvent.__all__) == dir(solvent)
    assert len(set(solvent.__all__)) == len(solvent.__all__)


def test_every_public_name_is_there_and_documented():
    for name in solvent.__all__:
        thing = getattr(solvent, name)
        if name != "__version__":
            assert inspect.getdoc(thing), name


def test_functions_defined_in_the_package_are_public_or_private_by_name():
    for name, thing in vars(solvent).items():
        if inspect.isfunction(thing) and not name.startswith("_"):
            assert name in solvent.__all__


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(solvent, "riddle")


def loaded_after(code: str, project: Path) -> list[str]:
    """Return the heavy packages that a fresh interpreter has loaded after running the code."""
    report = f"\nimport json, sys\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    path = os.pathsep.join(str(project / folder) for folder in ("src", "examples"))
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run([sys.executable, "-c", code + report], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    loaded: list[str] = json.loads(run.stdout)
    return loaded


def test_importing_solvent_and_every_domain_is_light(project: Path):
    code = """
import solvent, template_domain
from solvent.registry import BUILTIN_DOMAINS, get_domain
domains = [get_domain(name) for name in BUILTIN_DOMAINS]
"""
    assert loaded_after(code, project) == []


def test_reading_and_recognising_an_instance_is_light(project: Path):
    code = """
import template_domain
from solvent import registry
registry._added_modules = lambda: {"lamps": "template_domain"}
import solvent
problem = solvent.parse(template_domain.DOMAIN.examples()[0].text)
print(problem, file=__import__("sys").stderr)
"""
    assert loaded_after(code, project) == []


def test_the_probe_notices_a_heavy_import(project: Path):
    assert loaded_after("import click", project) == ["click"]
