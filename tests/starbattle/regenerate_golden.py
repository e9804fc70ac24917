"""Write the golden files anew: `PYTHONPATH=tests python -m starbattle.regenerate_golden`. Then read the difference.

Each holds the answers to one bundled example: verdict, sentence and certificate of each question, `unique` explained by
steps where it is YES. They change only when an example, the solver's choices, a technique or the form of certificates
changes; any other difference is a fault.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import solvent
from solvent.core.domain import Example
from solvent.registry import get_domain
from solvent.starbattle.model import Puzzle

GOLDEN = Path(__file__).resolve().parent / "golden"
NODES = 100_000
QUESTIONS = ("solvable", "unique")


def examples() -> dict[str, Example]:
    return {example.name: example for example in get_domain("starbattle").examples()}


def golden_text(example: Example) -> str:
    """Return what the golden file of an example must hold."""
    puzzle = solvent.parse(example.text, domain="starbattle")
    told = {"example": example.name, **{question: _answer(puzzle, question) for question in QUESTIONS}}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _answer(puzzle: Puzzle, question: str) -> dict[str, Any]:
    answer = solvent.ask(puzzle, question, nodes=NODES, explain=True)
    return {"verdict": answer.verdict.value, "because": answer.because, "certificate": answer.certificate}


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.json"):
        old.unlink()
    for name, example in examples().items():
        (GOLDEN / f"{name}.json").write_text(golden_text(example), encoding="utf-8")


if __name__ == "__main__":
    main()
