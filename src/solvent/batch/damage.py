"""What to say about a store that holds something else than was written to it."""

from __future__ import annotations

import os
import shlex

from solvent.core.errors import StoreError


def damaged(path: str | os.PathLike[str], damage: str) -> StoreError:
    """Make the error for a damaged store: what is wrong with it, and what to do."""
    shown = os.fspath(path)
    rescue = f"solvent report {shlex.quote(shown)} --rescue NEW_STORE"
    return StoreError(f"{shown} is damaged: {damage}; to save what is intact: {rescue}")
