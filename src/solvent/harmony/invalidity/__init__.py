"""The invalidity tests of Harmony: small named reasons why a board can never be solved.

`SOUND_TESTS` are used to prune, cheapest first. `ALL_TESTS` also has the one that is known to be wrong.
"""

from __future__ import annotations

from solvent.harmony.invalidity.stuck_tiles_v2_kernel import STUCK_TILES_V2
from solvent.harmony.invalidity.tests_kernel import (
    BLOCKED_SWAP,
    ISOLATED_TILE,
    LIVE_COLOURS,
    LIVE_PARITY,
    STALEMATE,
    STUCK_TILE,
    STUCK_TILES,
    WRONG_ROW_ZERO_MOVES,
    HarmonyTest,
)

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
