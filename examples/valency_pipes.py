"""Write rules in Python, fill a grid, see that the same seed gives the same picture, then ask for too much.

python examples/valency_pipes.py [PICTURE.svg]
"""

from __future__ import annotations

import sys
from pathlib import Path

import solvent
from solvent.valency.authoring import RuleBook, connected
from solvent.valency.drawing import draw_text

PIPE = {"needs": "pipe"}
"""A pipe that must go on: not even the rim of the grid ends it."""
DIRECTIONS = {"u": "up", "d": "down", "l": "left", "r": "right"}


def write_rules() -> RuleBook:
    """Return one module for each way in which a pipe may run, each with a glyph of its own."""
    rules = RuleBook("square", name="pipes in Python")
    rules.module("wall", sockets={"*": "wall"}, weight=6, glyph=" ", colour="#ece5d8")
    for name, weight, turns in (
        ("straight", 4, {"lr": "━", "ud": "┃"}),
        ("corner", 2, {"ur": "┗", "ul": "┛", "dl": "┓", "dr": "┏"}),
        ("tee", 1, {"ulr": "┻", "udl": "┫", "dlr": "┳", "udr": "┣"}),
    ):
        for ends, glyph in turns.items():
            pipes = {DIRECTIONS[end]: PIPE for end in ends}
            rules.module(
                name,
                key=f"{name} {ends}",
                sockets={**pipes, "*": "wall"},
                weight=weight,
                glyph=glyph,
                colour="#8fc7e8",
            )
    # A tap stands only where it is picked.
    for side in ("left", "right"):
        sockets = {side: PIPE, "*": "wall"}
        rules.module("tap", key=f"tap {side}", sockets=sockets, placement="excluded", glyph="O", colour="#d9534f")
    return rules


def main() -> None:
    """Fill one grid, and fail to fill another."""
    rules = write_rules()
    taps = {(0, 1): "tap right", (19, 6): "tap left"}
    staging = rules.on_grid(20, 8, picks=taps, constraints=[connected(sockets="pipe")], seed=7)
    answer = solvent.ask(staging, seconds=30)
    print(answer.verdict)
    if answer.verdict is solvent.Verdict.YES:
        print(draw_text(staging, certificate=answer.certificate))
        again = solvent.ask(staging, seconds=30)
        print("the same once more:", again.certificate == answer.certificate)
        if len(sys.argv) > 1:
            Path(sys.argv[1]).write_text(solvent.draw(staging, certificate=answer.certificate), encoding="utf-8")

    # In a single row a pipe can only run straight on, and nothing but another tap would end it.
    row = rules.on_grid(6, 1, picks={(2, 0): "tap left"})
    clash = solvent.ask(row, seconds=30)
    print(clash.verdict)
    print(draw_text(row, certificate=clash.certificate))


if __name__ == "__main__":
    main()
