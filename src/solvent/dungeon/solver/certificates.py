"""Write findings as certificates: moves, and situations in the words of the rule book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent.core.answer import Verdict
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ruling import rules_as_json
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.layout import DIRECTIONS, Field, items_asked_for
from solvent.proof.certificate import make_certificate


def certify(dungeon: Dungeon, question: str, verdict: Verdict, form: str, **body: Any) -> dict[str, Any]:
    """Put a body into the envelope, with the rules it was found under."""
    return make_certificate("dungeon", question, verdict, form, rules=rules_as_json(dungeon.rules), **body)


def describe_situations(exploration: Exploration, chosen: Iterable[int]) -> list[dict[str, Any]]:
    """Return situations as JSON values; lists that are empty are left out."""
    ground = exploration.ground
    layout, dungeon = ground.layout, ground.dungeon
    carried = items_asked_for(dungeon) & set(dungeon.rules.items)
    first_cell = memoryview(exploration.areas.first_cell)
    described = []
    for situation in chosen:
        words = exploration.words(situation)

        def has(at: Field, words: tuple[int, ...] = words) -> bool:
            return bool(words[at.word] & at.mask)

        moved = [(number, (words[at.word] & at.mask) >> at.shift) for number, at in enumerate(layout.blocks)]
        place = ground.place(first_cell[exploration.node(situation)])
        lists = {
            "taken": [number for number, at in layout.pickups.items() if has(at)],
            "items": sorted([*carried, *(name for name, at in layout.items.items() if has(at))]),
            "opened": [number for number, at in layout.opening.items() if has(at)],
            "fallen": [number for number, at in layout.falling.items() if has(at)],
            "on": sorted(name for name, at in layout.switches.items() if has(at)),
            "moved": [[number, DIRECTIONS[value - 1]] for number, value in moved if value],
        }
        described.append({"at": list(place), **{name: value for name, value in lists.items() if value}})
    return described
