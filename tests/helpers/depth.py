"""How far a sweep goes: as far as finds out something new in `make test`, and further in `make test-deep`."""

from __future__ import annotations

import os

DEEP = bool(os.environ.get("SOLVENT_DEEP"))


def up_to(some: int, *, deep: int) -> int:
    """Return how many cases to try: `some`, or `deep` of them where SOLVENT_DEEP is set."""
    return deep if DEEP else some
