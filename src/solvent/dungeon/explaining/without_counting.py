"""What if keys were no issue: the same dungeon with locks that open without keys, and bombs without end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.explaining.land import Land, as_json, describe_things, listing, look_at, name_rooms, things_on
from solvent.dungeon.explaining.reach import Reach, explore_reach
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver.flags import only_in


def without_counting(
    land: Land, reach: Reach, questions: SubQuestions[Dungeon]
) -> tuple[list[str], dict[str, Any], list[tuple[Dungeon, Certificate]]]:
    """Answer both questions once more, and say what else would be within reach."""
    rules = land.dungeon.rules
    counted = [
        gate
        for gate in land.dungeon.gates
        if (gate.kind == "lock" and rules.keys_counted) or (gate.kind == "cracked" and rules.bombs is not None)
    ]
    if not counted:
        return ["No lock takes a key and no wall takes a bomb, so nothing changes."], {}, []
    free = replace(land.dungeon, rules=replace(rules, keys_counted=False, bombs=None))
    lines, certificates = [], []
    data: dict[str, Any] = {}
    for question, words in (("solvable", "be finished"), ("losable", "be lost")):
        finding = questions.ask(free, question)
        data[question] = finding.verdict.value
        if finding.certificate is not None:
            certificates.append((free, finding.certificate))
        if finding.verdict is Verdict.UNKNOWN:
            lines.append(f"Whether it could {words} is not known: {finding.reason}.")
        else:
            lines.append(f"It could {'' if finding.verdict is Verdict.YES else 'not '}{words}.")
    there = look_at(free)
    # Cells are numbered alike: terrain is the same.
    more = only_in(explore_reach(there, questions).cells, reach.cells)
    if not reach.exact:
        return lines, data, certificates
    rooms, things = name_rooms(land, more, reach.cells), things_on(land, more)
    data |= {"rooms": rooms, "things": as_json(things)}
    also = listing([*describe_things(land, things), *rooms])
    lines.append(f"Then also within reach: {also}." if also else "Nothing more would be within reach.")
    return lines, data, certificates
