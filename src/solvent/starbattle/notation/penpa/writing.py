"""Write a Star Battle as an address of Penpa+, the way Penpa+ itself takes one over from puzz.link.

The board has a margin of one cell, with the number of stars and a star above its right end. Regions are drawn as thick
edges, marks stand in the answer, so that they can be changed there: stars, and the small cross of the star mode.
"""

from __future__ import annotations

import json
from typing import Any

from solvent.drawing.phrases import counted
from solvent.starbattle.model import CROSS, STAR, Puzzle
from solvent.starbattle.notation.assembling import format_extras
from solvent.starbattle.notation.borders import letters_of_areas
from solvent.starbattle.notation.penpa.layout import CELL, CORNER, Layout
from solvent.starbattle.notation.penpa.packing import pack

ADDRESS = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
MARGIN = 1
PIXELS = 38
"""The side of a cell, in pixels."""
THICK = 2
SYMBOL_OF = {STAR: [2, "star", 2], CROSS: [0, "star", 2]}
"""Style, name and layer of what stands for a mark."""
_LAYERS: tuple[tuple[str, dict[str, Any] | list[Any]], ...] = (
    *(("command_redo", {"__a": []}), ("command_undo", {"__a": []}), ("command_replay", {"__a": []})),
    *(("surface", {}), ("number", {}), ("numberS", {}), ("symbol", {}), ("freeline", {}), ("freelineE", {})),
    *(("thermo", []), ("arrows", []), ("direction", []), ("squareframe", []), ("polygon", [])),
    *(("line", {}), ("lineE", {}), ("wall", {}), ("cage", {}), ("deletelineE", {})),
    *(("killercages", []), ("nobulbthermo", [])),
)
_MODES = {
    "edit_mode": "combi",
    "surface": ["", 1],
    "line": ["1", 2],
    "lineE": ["1", 2],
    "wall": ["", 2],
    "cage": ["1", 10],
    "number": ["1", 1],
    "symbol": ["circle_L", 1],
    "special": ["thermo", ""],
    "board": ["", ""],
    "move": ["1", ""],
    "combi": ["star", ""],
    "sudoku": ["1", 1],
}


def format_penpa(puzzle: Puzzle) -> str:
    """Write an address."""
    size = puzzle.size
    layout = Layout(size + 2 * MARGIN, size + 2 * MARGIN, MARGIN, MARGIN)
    problem = {
        "number": {str(layout.number(CELL, -1, size - 2)): [str(puzzle.stars), 1, "1"]},
        "symbol": {str(layout.number(CELL, -1, size - 1)): SYMBOL_OF[STAR]},
        "lineE": _edges(puzzle, layout),
    }
    marks = {
        str(layout.number(CELL, *divmod(cell, size))): SYMBOL_OF[mark]
        for cell, mark in enumerate(puzzle.marks)
        if mark in SYMBOL_OF
    }
    cells = [layout.number(CELL, *divmod(cell, size)) for cell in range(size * size)]
    steps = [after - before for before, after in zip([0, *cells], cells, strict=False)]
    modes = _json({"qa": "pu_a", "grid": ["2", "2", "1"], "pu_q": {**_MODES, "edit_mode": "lineE"}, "pu_a": _MODES})
    lines = [
        _heading(puzzle, layout),
        _json([MARGIN] * 4),
        modes,
        _layer(problem),
        _layer({"symbol": marks}),
        _json(steps),
        _json(["Surface", "Composite"]),
        "{}",
        *('"x"', '"x"', "[3,1,3]", modes, '"x"', "0"),
        *(_layer({}), _layer({})),
        "{}",
        _json(["starbattle"]),
        "false",
    ]
    regions = format_extras(puzzle, regions=letters_of_areas(puzzle))
    return ADDRESS + pack(lines) + (f" {regions}" if regions else "") + "\n"


def _heading(puzzle: Puzzle, layout: Layout) -> str:
    canvas = (layout.width + 1) * PIXELS
    middle, odd = divmod(puzzle.size, 2)
    centre = layout.number(CELL, middle, middle) if odd else layout.number(CORNER, middle - 1, middle - 1)
    stars = counted(puzzle.stars, "star")
    rules = f"Star Battle: {stars} in every row, column and region; stars do not touch.".replace(",", "%2C")
    numbers = [layout.width, layout.height, PIXELS, 0, 1, 1, canvas, canvas, centre, centre, 0, 0, 0, 0]
    return ",".join(["square", *map(str, numbers), "Title: ", "Author: ", "", rules, "OFF", "false"])


def _edges(puzzle: Puzzle, layout: Layout) -> dict[str, int]:
    """Return the edges between regions, by the corners that they join."""
    size, regions = puzzle.size, puzzle.regions
    edges = {}
    for cell, region in enumerate(regions):
        row, column = divmod(cell, size)
        corner = layout.number(CORNER, row, column)
        if column + 1 < size and regions[cell + 1] != region:
            edges[f"{layout.number(CORNER, row - 1, column)},{corner}"] = THICK
        if row + 1 < size and regions[cell + size] != region:
            edges[f"{layout.number(CORNER, row, column - 1)},{corner}"] = THICK
    return edges


def _layer(filled: dict[str, Any]) -> str:
    return _json({name: filled.get(name, empty) for name, empty in _LAYERS})


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
