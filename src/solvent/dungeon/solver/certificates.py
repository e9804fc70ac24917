"""Write findings as certificates: moves, and situations in the words of the rule book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ruling import rules_as_json
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import Field, Layout, items_asked_for
from solvent.proof.certificate import make_certificate


def certify(dungeon: Dungeon, question: str, verdict: Verdict, form: str, **body: Any) -> dict[str, Any]:
    """Put a body into the envelope, with the rules it was found under."""
    return make_certificate("dungeon", question, verdict, form, rules=rules_as_json(dungeon.rules), **body)


def describe_situations(
    exploration: Exploration, chosen: Iterable[int], meter: Meter = UNLIMITED
) -> list[dict[str, Any]]:
    """Return situations as JSON values; lists that are empty are left out."""
    found = ((exploration.node(situation), exploration.words(situation)) for situation in chosen)
    return describe_states(exploration.ground, exploration.areas, found, meter)


def describe_states(
    ground: Ground, areas: Areas, states: Iterable[tuple[int, tuple[int, ...]]], meter: Meter = UNLIMITED
) -> list[dict[str, Any]]:
    """Return situations, each an area of its region and the words of a state, as JSON values."""
    first_cell = memoryview(areas.first_cell)
    layout, dials = ground.layout, ground.dungeon.dials
    meanings = _meanings(layout)
    carried = items_asked_for(ground.dungeon) & set(ground.dungeon.rules.items)
    described = []
    for node, words in meter.each(states, every=20):
        place = ground.place(first_cell[node])
        lists: dict[str, list[Any]] = {part: [] for part in PARTS}
        lists["items"] += carried
        for known, bits in zip(meanings, words, strict=True):
            left = bits  # most are not set, so it goes from one that is to the next
            while left:
                at, part, thing = known.get(left & -left, _NOTHING)
                left &= ~(at.mask | -left & left)
                if part == "moved":
                    lists[part].append([thing, layout.block_walks[thing][at.value(bits) - 1]])
                elif part == "dials":
                    lists[part].append([dials[thing].switch, dials[thing].states[at.value(bits)]])
                elif part == "stock":
                    lists[part].append([thing, at.value(bits)])
                elif part:
                    lists[part].append(thing)
        for part in ("items", "on", "dials", "stock"):
            lists[part].sort()
        described.append({"at": list(place), **{part: things for part, things in lists.items() if things}})
    return described


PARTS = ("taken", "items", "opened", "fallen", "on", "moved", "dials", "stock")
"""The lists of a situation."""
_NOTHING: tuple[Field, str, Any] = (Field(0, 0, 0), "", "")


def _meanings(layout: Layout) -> list[dict[int, tuple[Field, str, Any]]]:
    """Return for each word of a state what its bits stand for: the field, the part of a situation, and the thing."""
    meanings: list[dict[int, tuple[Field, str, Any]]] = [{} for _ in range(layout.words)]
    fields: list[tuple[Field, str, Any]] = [
        *((at, "taken", number) for number, at in layout.pickups.items()),
        *((at, "items", name) for name, at in layout.items.items()),
        *((at, "opened", number) for number, at in layout.opening.items()),
        *((at, "fallen", number) for number, at in layout.falling.items()),
        *((at, "on", name) for name, at in layout.switches.items()),
        *((at, "moved", number) for number, at in enumerate(layout.blocks)),
        *((at, "dials", number) for number, at in enumerate(layout.dials)),
        # How many there are of other resources follows from what was taken and opened.
        *((at, "stock", resource) for resource, at in layout.resources.items() if resource in layout.asked.renewing),
    ]
    for at, part, thing in fields:
        for bit in range(at.shift, at.shift + at.bits):
            meanings[at.word][1 << bit] = at, part, thing
    return meanings
