"""`solvent generate --pdf`: many instances as a book to print."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from solvent.cli.output import note, say_json, write_file
from solvent.cli.waiting import watch
from solvent.core.answer import Answer
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import BadOption, GenerationFailed
from solvent.core.events import Listener


def write_book(
    domain: Domain[Any],
    options: Mapping[str, Any],
    seeds: range,
    path: str,
    paper: str,
    budget: Budget,
    *,
    as_json: bool,
) -> None:
    """Make an instance for each seed, and write them into one PDF; other seeds take the place of those that fail.

    At most as many may fail as are wanted.
    """
    from solvent import asking
    from solvent.registry import all_domains

    if domain.generator is None or domain.generator.book is None:
        having = [each.name for each in all_domains() if each.generator is not None and each.generator.book is not None]
        raise BadOption(f"{domain.name} makes no books to print; --pdf is for {', '.join(having) or 'no domain yet'}")

    def make(seed: int, budget: Budget, listen: Listener) -> tuple[Any, list[Answer]]:
        return asking.generate(domain.name, seed=seed, budget=budget, listen=listen, **options)

    made: list[tuple[Any, list[Answer]]] = []
    used, failed = [], []
    seed = seeds.start
    while len(made) < len(seeds):
        try:
            made.append(watch(functools.partial(make, seed), budget))
            used.append(seed)
        except GenerationFailed:
            failed.append(seed)
            if len(failed) > len(seeds):
                raise
        seed += 1
    write_file(domain.generator.book(made, paper), path)
    if as_json:
        say_json({"domain": domain.name, "file": path, "paper": paper, "seeds": used, "failed": failed})
        return
    left_out = f"; nothing of the kind came from {', '.join(map(str, failed))}" if failed else ""
    note(f"Wrote {path}: {len(made)} instances, from the seeds {used[0]} to {used[-1]}{left_out}.")
