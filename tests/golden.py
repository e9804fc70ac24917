"""Write the golden files anew: `PYTHONPATH=tests python -m golden [DOMAIN…]`. Then read the difference.

Each holds the answers to one bundled example of a domain: verdict, sentence and certificate of each question, explained
by steps where the domain can. They change only when an example, a solver's choices, a technique or the form of
certificates changes; any other difference is a fault.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import solvent
from solvent.core.examples import Example
from solvent.registry import BUILTIN_DOMAINS, get_domain

NODES = 5_000_000


def golden_folder(domain: str) -> Path:
    return Path(__file__).resolve().parent / domain / "golden"


def golden_answers(domain: str, name: str) -> dict[str, Any]:
    """Return what the golden file of an example holds."""
    told: dict[str, Any] = json.loads((golden_folder(domain) / f"{name}.json").read_text(encoding="utf-8"))
    return told


def golden_text(domain: str, example: Example) -> str:
    """Return what the golden file of an example must hold."""
    owner = get_domain(domain)
    options = {"explain": True} if any(option.name == "explain" for option in owner.solve_options) else {}
    problem = solvent.parse(example.text, domain=domain)
    told: dict[str, Any] = {"example": example.name}
    for question in owner.questions:
        answer = solvent.ask(problem, question, nodes=NODES, **options)
        told[question] = {
            "verdict": answer.verdict.value,
            "because": answer.because,
            "certificate": answer.certificate,
        }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for domain in sys.argv[1:] or BUILTIN_DOMAINS:
        folder = golden_folder(domain)
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.json"):
            old.unlink()
        for example in get_domain(domain).examples():
            (folder / f"{example.name}.json").write_text(golden_text(domain, example), encoding="utf-8")


if __name__ == "__main__":
    main()
