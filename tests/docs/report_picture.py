"""Take the picture of a report that the documentation shows.

    PYTHONPATH=tests python -m docs.report_picture docs/images/report.png

It needs Chromium. Times differ from machine to machine, so the picture does too; take it anew when the page changes.
Everything on it was generated, or comes with Solvent.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

import solvent
from helpers.browser import BROWSER

WIDTH, HEIGHT = 1100, 1345
COLOURS = 128
"""Enough for a page, and a third of the bytes."""


def make_corpus(folder: Path) -> None:
    """Write levels of many sizes, some of which can be lost, a few that cannot be finished, and boards."""
    folder.mkdir()
    for rooms in (4, 6, 8, 10, 12, 16, 20, 24):
        for seed in range(4):
            level = solvent.generate(
                "dungeon",
                rooms=rooms,
                locks=rooms // 4,
                bombs=0,
                items=min(2, rooms // 5),
                losable=seed == 3,
                seed=seed,
            )
            (folder / f"cave-{rooms}-{seed}.txt").write_text(solvent.format(level), encoding="utf-8")
    for name in ("one_bomb_short", "too_late", "the_wrong_door", "across_the_moat"):
        text = next(example.text for example in solvent.examples("dungeon") if example.name == name)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    for size in (5, 6, 7, 8):
        for seed in range(6):
            board = solvent.generate("starbattle", size=size, stars=1, seed=seed)
            (folder / f"stars-{size}-{seed}.txt").write_text(solvent.format(board), encoding="utf-8")


def take_picture(target: Path) -> None:
    """Validate the corpus, report on it, and photograph the top of the page."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_corpus(folder / "levels")
        for words in ("validate levels --ask solvable,losable,unique", "report results/validation.db"):
            command = [sys.executable, "-m", "solvent", *words.split()]
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True, timeout=600)
        picture = folder / "report.png"
        subprocess.run(
            [
                BROWSER or "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--hide-scrollbars",
                f"--user-data-dir={folder / 'browser'}",
                f"--screenshot={picture}",
                f"--window-size={WIDTH},{HEIGHT}",
                (folder / "results" / "report.html").as_uri(),
            ],
            check=True,
            timeout=120,
            stderr=subprocess.DEVNULL,
        )
        with Image.open(picture) as taken:
            taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m docs.report_picture OUT.png")
    take_picture(Path(sys.argv[1]))
