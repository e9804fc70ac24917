"""Let a fill be watched while it is computed: what changed since the last look, a few times a second."""

from __future__ import annotations

import time

import numpy as np

from solvent.core.events import Event, Kind, Listener
from solvent.valency.model import UNSET
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.task import Modules

SECONDS_BETWEEN_LOOKS = 0.015
"""At first; each look makes the next wait longer, up to a tenth of a second, since most fills are done at once."""
MAX_SECONDS_BETWEEN_LOOKS = 0.1


class FillWatch:
    """Send what stands on nodes: each event holds `changes`, node and module in turn, -1 where one was emptied again.

    What was sent before counts; the first event begins with all nodes open. Searches that start again go on from it.
    """

    chunk = 50
    """Choices between two looks at the clock."""

    def __init__(self, listen: Listener, nodes: int) -> None:
        self._listen = listen
        self._shown = np.full(nodes, UNSET, dtype=np.int64)
        self._last = -1.0
        self._pause = SECONDS_BETWEEN_LOOKS

    def look(self, filling: Filling) -> None:
        """Send what changed in a fill, unless something was sent just now."""
        if time.monotonic() - self._last >= self._pause:
            self.show(filling.modules())

    def show(self, modules: Modules) -> None:
        """Send what changed since the last time, unless something was sent just now."""
        now = time.monotonic()
        if now - self._last < self._pause:
            return
        modules = np.maximum(modules, UNSET)
        changed = np.flatnonzero(modules != self._shown)
        self._last = now
        if not len(changed):
            return
        self._shown = modules
        self._pause = min(MAX_SECONDS_BETWEEN_LOOKS, self._pause * 1.2)
        flat = np.stack((changed, modules[changed]), axis=1).reshape(-1).tolist()
        filled = int(np.count_nonzero(modules >= 0))
        self._listen(Event(Kind.WATCH, "filling", filled, {"changes": flat, "filled": filled}))
