"""Every checker accepts certificates in a process where its solver and rules cannot be imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import template_domain

from solvent import asking, registry
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.registry import BUILTIN_DOMAINS, get_domain

CHILD = """
import importlib, importlib.abc, json, sys

package, name, blocked = sys.argv[1], sys.argv[2], sys.argv[3].split(",")

class Block(importlib.abc.MetaPathFinder):
    def find_spec(self, module, path=None, target=None):
        if any(module == root or module.startswith(root + ".") for root in blocked):
            raise ImportError(f"{module} is blocked")
        return None

sys.meta_path.insert(0, Block())
from solvent import asking, registry
from solvent.core.errors import CertificateRejected
registry._added_modules = lambda: {name: package}
accepted = rejected = 0
for model, pasted, certificate in json.load(sys.stdin):
    problem = eval(pasted, vars(importlib.import_module(model)))  # parsing may need the rules; checking may not
    asking.check(problem, certificate)
    accepted += 1
    certificate["verdict"] = {"YES": "NO", "NO": "YES"}[certificate["verdict"]]
    try:
        asking.check(problem, certificate)
    except CertificateRejected:
        rejected += 1
try:
    importlib.import_module(package + ".solver")
except ImportError:
    print(json.dumps([accepted, rejected]))
"""
PARTS_NO_CHECKER_NEEDS = ("rules", "solver", "generator", "hints", "invalidity", "audit")


@pytest.fixture(params=[*BUILTIN_DOMAINS, template_domain.DOMAIN.name])
def domain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Domain:
    monkeypatch.setattr(registry, "_added_modules", lambda: {template_domain.DOMAIN.name: "template_domain"})
    return get_domain(request.param)


def test_checker_works_with_solver_and_rules_blocked(domain: Domain, project: Path):
    package = f"solvent.{domain.name}" if domain.name in BUILTIN_DOMAINS else "template_domain"
    cases = []
    for example in domain.examples():
        for question in domain.questions:
            problem = domain.parse(example.text)
            answer = asking.ask(problem, question, budget=Budget(nodes=5_000_000))
            cases.append((type(problem).__module__, repr(problem), dict(answer.certificate or {})))
    assert cases
    path = os.pathsep.join(str(project / folder) for folder in ("src", "examples"))
    blocked = ["pysat", *(f"{package}.{part}" for part in PARTS_NO_CHECKER_NEEDS)]
    command = [sys.executable, "-c", CHILD, package, domain.name, ",".join(blocked)]
    run = subprocess.run(
        command,
        input=json.dumps(cases),
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [len(cases), len(cases)], (
        "each accepted as it is, each rejected with its verdict turned"
    )
