"""Write the golden files anew: `PYTHONPATH=tests python -m harmony.regenerate_golden`. Then read the difference.

Each holds the answer to one bundled example: verdict, sentence and certificate. They change only when an example, the
solver's choices or the form of certificates change; any other difference is a fault.
"""

from __future__ import annotations

import json
from pathlib import Path

import solvent
from solvent.core.domain import Example
from solvent.registry import get_domain

GOLDEN = Path(__file__).resolve().parent / "golden"
NODES = 5_000_000


def examples() -> dict[str, Example]:
    return {example.name: example for example in get_domain("harmony").examples()}


def golden_text(example: Example) -> str:
    """Return what the golden file of an example must hold."""
    answer = solvent.ask(solvent.parse(example.text, domain="harmony"), nodes=NODES)
    told = {
        "example": example.name,
        "verdict": answer.verdict.value,
        "because": answer.because,
        "certificate": answer.certificate,
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("*.json"):
        old.unlink()
    for name, example in examples().items():
        (GOLDEN / f"{name}.json").write_text(golden_text(example), encoding="utf-8")


if __name__ == "__main__":
    main()
