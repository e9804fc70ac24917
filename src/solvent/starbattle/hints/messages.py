"""Turn a verified step into a hint: from where to look, over the technique and the cells, to the proof."""

from __future__ import annotations

from typing import Any

from solvent.core.hints import Hint
from solvent.starbattle.cells import format_move
from solvent.starbattle.hints.application import Highlights, pairs
from solvent.starbattle.hints.phrases import describe_marks, name_cells, name_units, uncapitalised
from solvent.starbattle.hints.position import Position, set_of
from solvent.starbattle.hints.steps import Step
from solvent.starbattle.hints.techniques import titles
from solvent.starbattle.model import CROSS, STAR


def describe_step(step: Step) -> Hint:
    """Write the hint for a step."""
    position, application = step.position, step.application
    title = application.title or titles()[application.technique]
    conclusion = describe_marks(position, step.stars, step.crosses)
    first = step.stars[0] if step.stars else step.crosses[0]
    lines = [*application.proof, *reasons_of(step), f"So {conclusion}."]
    return Hint(
        caption=f"{conclusion}: {uncapitalised(application.because)}",
        move=format_move(first, STAR if step.stars else CROSS, position.size),
        narrative=f"{title}: {application.because} {_verified(step)}",
        where=_where(step),
        technique=title,
        proof="\n".join(lines),
        certificate=step.certificate(),
        data=_data(step, title),
    )


def _verified(step: Step) -> str:
    """Say that the search saw the opposite of each cell fail."""
    if len(step.verifications) == 1:
        return "Verified: with the opposite mark, there is no way left to place the stars."
    return "Verified one by one: with the opposite mark on any of these cells, there is no way left to place the stars."


def reasons_of(step: Step) -> list[str]:
    """Return the sentences for the cells that are shown, each sentence once."""
    shown = set_of(step.cells)
    lines = []
    for why in step.application.reasons:
        cells = why.cells & shown
        if cells:
            sentence = why.several if why.several and cells & (cells - 1) else why.one
            named = {"cells": name_cells(step.position, cells), "either": name_cells(step.position, cells, "or")}
            lines.append(sentence.format(**named))
    return list(dict.fromkeys(lines))


def _where(step: Step) -> str:
    highlights = step.application.highlights
    if highlights.units:
        return f"Look at {name_units(step.position, highlights.units)}."
    return f"Look around {name_cells(step.position, highlights.causes)}."


def _data(step: Step, title: str) -> dict[str, Any]:
    """Return the facts of a hint as JSON values, cells as pairs from 0."""
    size = step.position.size
    stars, crosses = pairs(step.stars, size), pairs(step.crosses, size)
    pointed = highlights_as_json(step.position, step.application.highlights)
    return {
        "technique": step.application.technique,
        "title": title,
        "stars": stars,
        "crosses": crosses,
        "witness": dict(step.application.witness),
        "highlights": {**pointed, "removals": crosses, "stars": stars},
        "verification": {
            "status": "proved",
            "cells": len(step.verifications),
            "nodes": sum(verification.nodes for verification in step.verifications),
        },
    }


def highlights_as_json(position: Position, highlights: Highlights) -> dict[str, Any]:
    """Return what an argument points at: cells and blocks as pairs, and the numbers of units, all from 0."""
    kinds: dict[str, list[int]] = {"row": [], "column": [], "region": []}
    for number in highlights.units:
        unit = position.geometry.units[number]
        kinds[unit.kind].append(unit.index)
    return {
        "causes": pairs(highlights.causes, position.size),
        "rows": sorted(kinds["row"]),
        "columns": sorted(kinds["column"]),
        "regions": sorted(kinds["region"]),
        "blocks": pairs(highlights.blocks, position.size),
    }
