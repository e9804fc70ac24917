"""The invalidity tests of Harmony, one small module each.

`SOUND_TESTS` are used to prune, cheapest first. `ALL_TESTS` also has the one that is known to be wrong.
"""

from __future__ import annotations

from solvent.harmony.invalidity.base import HarmonyTest
from solvent.harmony.invalidity.blocked_swap import BLOCKED_SWAP
from solvent.harmony.invalidity.isolated_tile import ISOLATED_TILE
from solvent.harmony.invalidity.live_components import LIVE_COLOURS, LIVE_PARITY
from solvent.harmony.invalidity.stalemate import STALEMATE
from solvent.harmony.invalidity.stuck_tile import STUCK_TILE
from solvent.harmony.invalidity.stuck_tiles import STUCK_TILES
from solvent.harmony.invalidity.stuck_tiles_v2 import STUCK_TILES_V2
from solvent.harmony.invalidity.wrong_row_zero_moves import WRONG_ROW_ZERO_MOVES

SOUND_TESTS: tuple[HarmonyTest, ...] = (
    WRONG_ROW_ZERO_MOVES,
    BLOCKED_SWAP,
    STUCK_TILE,
    STUCK_TILES,
    ISOLATED_TILE,
    STALEMATE,
    LIVE_PARITY,
    LIVE_COLOURS,
)
ALL_TESTS: tuple[HarmonyTest, ...] = (*SOUND_TESTS, STUCK_TILES_V2)

__all__ = ["ALL_TESTS", "SOUND_TESTS", "HarmonyTest"]
