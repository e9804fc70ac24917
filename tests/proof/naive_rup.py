"""A refutation checker with plain sets: slow and obvious."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def naive_accepts(clauses: Iterable[Sequence[int]], proof: str, variables: int) -> bool:
    """Tell whether each added clause follows by unit propagation and the empty one is among them."""
    live = [frozenset(clause) for clause in clauses]
    # What follows without assumptions stays known even if a clause it came from is deleted; None is a contradiction.
    facts = _spread(live, set())
    for line in proof.split("\n"):
        words = line.split()
        if not words or words[0].startswith("c"):
            continue
        deleting = words[0] == "d"
        numbers = [int(word) for word in words[deleting:]]
        if not numbers or numbers[-1] != 0 or 0 in numbers[:-1] or any(abs(n) > variables for n in numbers):
            return False
        clause = frozenset(numbers[:-1])
        if deleting:
            if clause in live:
                live.remove(clause)
            continue
        if facts is not None and _spread(live, facts | {-literal for literal in clause}) is not None:
            return False
        if not clause:
            return True
        live.append(clause)
        if facts is not None:
            facts = _spread(live, facts)
    return False


def _spread(live: list[frozenset[int]], assumed: set[int]) -> set[int] | None:
    """Return all that follows by unit propagation, or None if that is a contradiction."""
    true = set(assumed)
    if any(-literal in true for literal in true):
        return None
    changed = True
    while changed:
        changed = False
        for clause in live:
            if clause & true:
                continue
            left = [literal for literal in clause if -literal not in true]
            if not left:
                return None
            if len(left) == 1:
                true.add(left[0])
                changed = True
    return true
