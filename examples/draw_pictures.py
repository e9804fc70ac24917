"""Draw the pictures of the documentation: boards with their next step, solutions, a lost level, fills and a clash.

    python examples/draw_pictures.py docs/images

The same instance always gives the same bytes, so drawing them again changes nothing unless the drawing itself changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import solvent


def draw_pictures(folder: Path) -> None:
    """Write the pictures into a folder."""
    pictures = {**draw_dungeons(), **draw_harmony(), **draw_star_battle(), **draw_valency()}
    for name, picture in pictures.items():
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def draw_dungeons() -> dict[str, str]:
    """Draw a plan, a walk that loses, the rooms of a dungeon, and what can be reached with what."""
    levels = {example.name: solvent.parse(example.text) for example in solvent.examples("dungeon")}
    moat, wrong_door = levels["across_the_moat"], levels["the_wrong_door"]
    rooms = levels["rooms_on_paper"]
    plan, lost = solvent.ask(moat), solvent.ask(wrong_door, "losable")
    return {
        "dungeon-plan": solvent.draw(moat, certificate=plan.certificate),
        "dungeon-lost-walk": solvent.draw(wrong_door, certificate=lost.certificate),
        "dungeon-graph": solvent.draw(levels["keys_to_spare"], view="graph"),
        "dungeon-spheres": solvent.draw(rooms, explanation=solvent.explain(rooms)),
    }


def draw_harmony() -> dict[str, str]:
    """Draw a board with its next swap, and a whole solution as a filmstrip."""
    boards = {example.name: solvent.parse(example.text) for example in solvent.examples("harmony")}
    three_by_three = boards["three_by_three"]
    answer = solvent.ask(three_by_three)
    return {
        "harmony-board": solvent.draw(boards["six_by_six"], move="A5-E5"),
        "harmony-solution": solvent.draw(three_by_three, certificate=answer.certificate),
    }


def draw_star_battle() -> dict[str, str]:
    """Draw a board with a hint, its solution, and a board with two solutions."""
    boards = {example.name: solvent.parse(example.text) for example in solvent.examples("starbattle")}
    small_region, two_ways = boards["small_region"], boards["two_ways"]
    hint = next(solvent.hints(small_region, all=True))
    unique = solvent.ask(small_region, "unique")
    several = solvent.ask(two_ways, "unique")
    return {
        "starbattle-hint": solvent.draw(small_region, hint=hint),
        "starbattle-solution": solvent.draw(small_region, certificate=unique.certificate),
        "starbattle-two-solutions": solvent.draw(two_ways, certificate=several.certificate),
    }


def draw_valency() -> dict[str, str]:
    """Draw pipes and rooms on grids, a graph, and two picks that clash."""
    tasks = {example.name: solvent.parse(example.text) for example in solvent.examples("valency")}
    names = {
        "valency-pipes": "pipes",
        "valency-rooms": "rooms",
        "valency-graph": "bridges",
        "valency-clash": "too_close",
    }
    return {
        picture: solvent.draw(tasks[name], certificate=solvent.ask(tasks[name]).certificate)
        for picture, name in names.items()
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: draw_pictures.py FOLDER")
    draw_pictures(Path(sys.argv[1]))
