"""Same seed, same bytes: in this process, in another one, and with another order of hashing."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import solvent
from conformance.cases import GENEROUS_NODES, answer_of, generated
from helpers.examples import domain_named, examples_of, load_example
from solvent.core.domain import Domain
from solvent.proof.certificate import encode_certificate

CHILD = """
import json, sys
from conformance.cases import TEMPLATE
from conformance.test_repeatable import fingerprints
from solvent import registry
registry._added_modules = lambda: {TEMPLATE: "template_domain"}
print(json.dumps(fingerprints(sys.argv[1])))
"""


def fingerprints(name: str) -> dict[str, str]:
    """Return a hash of the certificate of each example and of the text of a few generated instances."""

    def digest(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    domain = domain_named(name)
    found = {
        f"{example.name} {question}": digest(encode_certificate(answer_of(name, example.name, question).certificate))
        for example in examples_of(name)
        for question in domain.questions
    }
    if domain.generator is not None:
        for seed in range(3):
            text = domain.format(generated(name, seed), next(iter(domain.formats)))
            found[f"seed {seed}"] = digest(text.encode())
    return found


def test_asking_twice_gives_the_same_bytes(domain: Domain):
    for example in examples_of(domain.name):
        for question in domain.questions:
            first = answer_of(domain.name, example.name, question)
            again = solvent.ask(load_example(domain.name, example.name), question, nodes=GENEROUS_NODES)
            assert encode_certificate(again.certificate) == encode_certificate(first.certificate), example.name


def test_another_process_gives_the_same_bytes(domain: Domain, project: Path):
    path = os.pathsep.join(str(project / folder) for folder in ("src", "tests", "examples"))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-c", CHILD, domain.name]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == fingerprints(domain.name)
