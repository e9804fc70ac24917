"""Do in pieces what takes long, with a look at the budget in between.

Kernels count what they do in *looks*: one for each move looked at, more where a whole state is copied or compared.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.core.budget import Meter
from solvent.dungeon.solver.mechanics import LOOKS_A_CALL


def in_pieces(run: Callable[[int], bool], meter: Meter) -> None:
    """Call `run(looks)` until it says that all is done, with a checkpoint before each call."""
    meter.checkpoint()
    while not run(LOOKS_A_CALL):
        meter.checkpoint()
