"""Show how far a run has come: two lines at the bottom of a terminal, and nothing where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from solvent.cli.output import note

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from solvent.batch.progress import Progress

VERDICTS = {"YES": "green", "NO": "red", "UNKNOWN": "yellow", "ERROR": "magenta"}
SECONDS_WORTH_NAMING = 2.0
"""What runs for less is not the slowest of anything yet."""
SECONDS_BEFORE_GUESSING = 2.0
"""The first answers say little about how long the rest will take."""
LONGEST_NAME = 36
WIDEST = 80


def wants_progress() -> bool:
    """Tell whether there is a terminal to show progress on."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class ProgressLines:
    """Keep two lines up to date while a run goes on; they are gone when it is over."""

    def __init__(self, *, shown: bool, count: Callable[[], int | None] = lambda: None) -> None:
        """Show them, or not. `count` gives the number of sources, once that is known."""
        self._live: Live | None = None
        self._count = count
        if shown:
            from rich.console import Console
            from rich.live import Live

            # Nothing else writes to standard output meanwhile, and what does must not be caught.
            console = Console(stderr=True, highlight=False, emoji=False)
            self._live = Live(
                console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )

    def __enter__(self) -> ProgressLines:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def listen(self, progress: Progress) -> None:
        """Show how far the run has come."""
        if self._live is not None:
            width = min(WIDEST, self._live.console.width)
            if progress.total is None:
                progress = replace(progress, total=self._count())
            self._live.update(draw_progress(progress, width), refresh=True)

    def note(self, text: str) -> None:
        """Write a line to standard error, above the two if they are shown."""
        if self._live is not None:
            self._live.console.print(text, markup=False, soft_wrap=True)
        else:
            note(text)


def draw_progress(progress: Progress, width: int) -> RenderableType:
    """Return the two lines: how much is done and how fast, and what came of it."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    figures = Text("  ".join(_figures(progress)))
    room = width - len(figures) - 1
    first: RenderableType = figures
    if progress.total and room >= 10:
        grid = Table.grid(padding=(0, 1))
        grid.add_row(ProgressBar(total=progress.total, completed=progress.done, width=min(room, 40)), figures)
        first = grid
    second = Text(no_wrap=True, overflow="ellipsis")
    parts = [
        Text(f"{verdict} {progress.verdicts[verdict]:,}", style=colour)
        for verdict, colour in VERDICTS.items()
        if progress.verdicts.get(verdict)
    ]
    if progress.unreadable:
        parts.append(Text(f"unreadable {progress.unreadable:,}", style="magenta"))
    at_work = _at_work(progress)
    if at_work:
        parts.append(Text(at_work, style="dim"))
    if progress.unrecognised:
        parts.append(Text(f"not recognised {progress.unrecognised:,}", style="dim"))
    second.append_text(Text(" · ").join(parts) if parts else Text("reading"))
    second.truncate(width, overflow="ellipsis")
    return Group(first, second)


def _figures(progress: Progress) -> list[str]:
    if progress.total is None:
        figures = [f"{progress.done:,} done"]
    else:
        figures = [f"{progress.done:,}/{progress.total:,}"]
    if progress.rate > 0:
        figures.append(f"{progress.rate:,.0f}/s" if progress.rate >= 10 else f"{progress.rate:.1f}/s")
    left = progress.seconds_left
    steady = progress.elapsed >= SECONDS_BEFORE_GUESSING
    if left is not None and steady and progress.done < (progress.total or 0):
        figures.append(f"{describe(left)} left")
    else:
        figures.append(describe(progress.elapsed))
    return figures


def _at_work(progress: Progress) -> str:
    """Name what takes longest just now."""
    if progress.running and progress.running[0][1] >= SECONDS_WORTH_NAMING:
        name, seconds = progress.running[0]
        return f"{shortened(name, LONGEST_NAME)} {describe(seconds)}"
    return ""


def shortened(name: str, most: int) -> str:
    """Cut the front off a name that is wider on a terminal: what tells files apart stands at the end."""
    from rich.cells import cell_len

    if cell_len(name) <= most:
        return name
    while cell_len(name) > most - 1:
        name = name[1:]
    return f"…{name}"


def describe(seconds: float) -> str:
    """Say how long something takes, roughly: `41 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60} min"
