"""Who goes first on a machine that has too much to do: the server and quick work, before what may compute for long."""

from __future__ import annotations

import os

LOWER_PRIORITY = 10
"""How much workers of the long lane give way."""

_polite = False


def give_way() -> None:
    """Let everything quick go first; called in processes that may compute for long. Once is enough."""
    global _polite
    if not _polite and hasattr(os, "nice"):
        os.nice(LOWER_PRIORITY)
    _polite = True
