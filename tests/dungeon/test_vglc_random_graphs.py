"""Random room graphs in the corpus's manner, its oddities included, against a naive search of the rooms."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dungeon.room_search import read_rooms, search
from helpers.depth import up_to
from solvent.core.domain import Request
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.notation.vglc.rooms_only import parse_graph

ROOM_LABELS = ("", "", "e", "p", "k", "k", "e,k", "k,k", "K", "I", "S1", "S2,e", "i", "m,27", "ek")
WAY_LABELS = ("", "", "", "l", "k", "k", "K", "b", "I", "S1", "I,S1", "l,S1", "l,k", "O,S2", "s")


def random_graph(seed: int) -> str:
    chance = random.Random(seed)
    count = chance.randint(4, 9)
    labels = ["s", *(chance.choice(ROOM_LABELS) for _ in range(count - 2)), "t"]
    lines = [f'{room} [label="{label}"]' for room, label in enumerate(labels)]
    pairs = [(room, chance.randrange(room)) for room in range(1, count)]
    pairs += [tuple(chance.sample(range(count), 2)) for _ in range(chance.randint(0, 5))]
    for one, other in pairs:
        there, back = chance.choice(WAY_LABELS), chance.choice(WAY_LABELS)
        kind = chance.random()
        if kind < 0.6:  # mostly, what bars a way bars it in both directions
            back = there
        edges = [(one, other, there), (other, one, back)][: 1 if kind > 0.85 else 2]
        if chance.random() < 0.5:
            edges = [(target, source, label) for source, target, label in edges]
        lines += [f'{source} -> {target} [label="{label}"]' for source, target, label in edges]
    if chance.random() < 0.2:
        lines += [f'{one} -> {one} [label="k"]', lines[-1]]
    return "digraph {\n" + "\n".join(lines) + "\n}\n"


def compare(seeds: range) -> Counter[tuple[str, ...]]:
    options = {option.name: option.default for option in DOMAIN.solve_options}
    seen: Counter[tuple[str, ...]] = Counter()
    for seed in seeds:
        text = random_graph(seed)
        dungeon = parse_graph(text)
        found = tuple(
            DOMAIN.solve(dungeon, Request(question=question, options=options)).verdict.name
            for question in ("solvable", "losable")
        )
        assert found == tuple("YES" if each else "NO" for each in search(read_rooms(text))), text
        seen[found] += 1
    return seen


def test_verdicts_are_those_of_a_naive_search():
    seen = compare(range(150))
    assert min(seen[each] for each in (("YES", "NO"), ("YES", "YES"), ("NO", "YES"))) >= 8


@pytest.mark.slow
def test_more_verdicts_are_those_of_a_naive_search():
    compare(range(150, up_to(600, deep=2_000)))
