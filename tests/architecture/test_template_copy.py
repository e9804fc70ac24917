"""docs/adding-a-domain.md keeps its word: its own snippets, run as they stand there, make a working domain."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest


def snippets(project: Path, language: str) -> list[str]:
    guide = (project / "docs" / "adding-a-domain.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", guide, flags=re.DOTALL)


def run_python(code: str, folder: Path, *path: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


def run_tests(folder: Path, tests: str) -> None:
    """Run the tests that came with a copy, one after the other, with nothing else in sight."""
    code = f"import pytest, sys; sys.exit(pytest.main(['{tests}', '-q', '-p', 'no:cacheprovider']))"
    assert "passed" in run_python(code, folder, folder / "src", folder / "tests")


@pytest.fixture
def fresh_project(project: Path, tmp_path: Path) -> Path:
    """Copy the package and the template, as someone who has just fetched the project has them."""
    without_caches = shutil.ignore_patterns("__pycache__")
    for folder in ("src/solvent", "examples/template_domain", "tests/lamps"):
        shutil.copytree(project / folder, tmp_path / folder, ignore=without_caches)
    return tmp_path


def test_the_guide_has_the_snippets_this_test_runs(project: Path):
    copying, trying = snippets(project, "python")
    assert "copytree" in copying
    assert "solvent.ask" in trying
    assert len(snippets(project, "toml")) == 1


@pytest.mark.slow
def test_a_copy_becomes_a_built_in_domain(project: Path, fresh_project: Path):
    copying, trying = snippets(project, "python")
    run_python(copying, fresh_project)
    registry = fresh_project / "src" / "solvent" / "registry.py"
    source = registry.read_text(encoding="utf-8")
    registry.write_text(source.replace("BUILTIN_DOMAINS = (", 'BUILTIN_DOMAINS = ("beacons", '), encoding="utf-8")

    said = run_python(trying + "\nprint(solvent.__file__, solvent.domains())", fresh_project, fresh_project / "src")

    assert str(fresh_project) in said, "the copy must have been tried, not the original"
    assert "solvable: YES, checked (plan)" in said
    assert "'beacons'" in said
    run_tests(fresh_project, "tests/beacons")


@pytest.mark.slow
def test_a_copy_becomes_a_package_of_its_own(project: Path, fresh_project: Path):
    copying, trying = snippets(project, "python")
    assert 'package = f"solvent.{name}"' in copying
    assert "tests = name" in copying
    copying = copying.replace('package = f"solvent.{name}"', 'package = "beacons"')
    run_python(copying.replace("tests = name", 'tests = "beacons_tests"'), fresh_project)
    # What an installer makes of the entry points: a folder of metadata beside the package.
    metadata = fresh_project / "src" / "beacons-0.1.dist-info"
    metadata.mkdir()
    described = tomllib.loads(snippets(project, "toml")[0])["project"]
    (metadata / "METADATA").write_text(f"Name: {described['name']}\nVersion: {described['version']}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in described["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))

    said = run_python(trying + "\nprint(solvent.domains())", fresh_project, fresh_project / "src")

    assert "solvable: YES, checked (plan)" in said
    assert "'beacons'" in said
    run_tests(fresh_project, "tests/beacons_tests")
    assert not (fresh_project / "src" / "solvent" / "beacons").exists()


def test_nothing_of_the_template_is_left_in_a_copy(project: Path, fresh_project: Path):
    run_python(snippets(project, "python")[0], fresh_project)
    copies = (fresh_project / "src" / "solvent" / "beacons", fresh_project / "tests" / "beacons")
    files = [file for copy in copies for file in copy.rglob("*") if file.is_file()]
    assert len(files) >= 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "template_domain" not in text
        assert "lamps" not in text


def test_the_template_needs_no_other_domain(project: Path, fresh_project: Path):
    """The template must work where no built-in domain exists: it shows what a domain needs, and no more."""
    from solvent.registry import BUILTIN_DOMAINS

    for name in BUILTIN_DOMAINS:
        shutil.rmtree(fresh_project / "src" / "solvent" / name)
    code = """
from solvent.asking import find_violations, make_request
from template_domain import DOMAIN
for example in DOMAIN.examples():
    problem = DOMAIN.parse(example.text)
    finding = DOMAIN.solve(problem, make_request(DOMAIN, None, options={}))
    assert finding.verdict is example.expected["solvable"]
    assert find_violations(DOMAIN, problem, finding.certificate) == []
print("done")
"""
    assert run_python(code, fresh_project, fresh_project / "src", fresh_project / "examples") == "done\n"
