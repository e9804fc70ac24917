"""Draw the pictures of the documentation: a board with its next swap, and a whole solution as a filmstrip.

    python examples/draw_pictures.py docs/images

The same instance always gives the same bytes, so drawing them again changes nothing unless the drawing itself changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import solvent


def draw_pictures(folder: Path) -> None:
    """Write the pictures into a folder."""
    boards = {example.name: solvent.parse(example.text) for example in solvent.examples("harmony")}
    six_by_six = solvent.draw(boards["six_by_six"], move="A5-E5")
    (folder / "harmony-board.svg").write_text(six_by_six, encoding="utf-8")

    three_by_three = boards["three_by_three"]
    answer = solvent.ask(three_by_three)
    filmstrip = solvent.draw(three_by_three, certificate=answer.certificate)
    (folder / "harmony-solution.svg").write_text(filmstrip, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: draw_pictures.py FOLDER")
    draw_pictures(Path(sys.argv[1]))
