"""What runs work on: small instances of every domain, and some of a domain that misbehaves on demand."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import solvent
from solvent.reading import format_problem
from solvent.registry import all_domains, domain_names

INSTANCES = 240
SMALL: dict[str, dict[str, Any]] = {
    "dungeon": {"rooms": 4, "locks": 1, "bombs": 0, "items": 0},
    "harmony": {"rows": 3, "cols": 3, "swaps": 4},
    "starbattle": {"size": 5, "stars": 1},
    "valency": {"grid": "3x3", "unsolved": True},
}
"""Options that make instances of which hundreds are answered in a second."""
MISBEHAVING = (
    "HOSTILE allocate #memory",
    "HOSTILE crash #crash",
    "HOSTILE exit 9 #exit",
    "HOSTILE dance",
    "HOSTILE read-crash",
    "somebody's notes",
    "HOSTILE large 40 #large",
    "HOSTILE no #no",
)
LIMITS = ("--nodes", "20000", "--kill-above", "300", "--jobs", "2")
"""Counted, not timed: a run repeats exactly however busy the machine is."""


def write_corpus(folder: Path, instances: int) -> tuple[str, ...]:
    """Write about that many instances, as files and as lines; return the words of the command that validates them."""
    files = folder / "levels"
    for number, text in enumerate(_texts(instances)):
        if number % 2:
            path = files / f"{number % 3}" / f"{number:04}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        else:
            with (folder / "lines.jsonl").open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(text)}\n")
    return ("levels", "lines.jsonl", *LIMITS)


@functools.cache
def _generated(domain: str, seed: int) -> str:
    return format_problem(solvent.generate(domain, seed=seed, **SMALL.get(domain, {})))


def _texts(count: int) -> Iterator[str]:
    """Yield instances of all domains by turns; a few come twice, and those that misbehave stand between them."""
    names = [name for name in domain_names() if name in SMALL]
    texts = [example.text for domain in all_domains() for example in domain.examples()][: count // 5]
    texts += [f"HOSTILE slow 0.03 #{number}\n" for number in range(count // 10)]
    texts += [f"HOSTILE yes #{number}\n" for number in range(count // 10)]
    texts += [_generated(names[number % len(names)], number // len(names)) for number in range(count - len(texts))]
    texts += texts[: count // 20]
    step = max(1, len(texts) // len(MISBEHAVING))
    for number, text in enumerate(texts):
        yield text
        if number % step == step - 1 and number // step < len(MISBEHAVING):
            yield f"{MISBEHAVING[number // step]}\n"
