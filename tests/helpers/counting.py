"""Count how much of something is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest


def count_drawn(patch: pytest.MonkeyPatch, module: object, name: str) -> Callable[[], int]:
    """Have a function of a module that yields things count them; return what tells how many were drawn since."""
    whole = getattr(module, name)
    drawn = [0]

    def counting(*arguments: Any) -> Iterator[Any]:
        for one in whole(*arguments):
            drawn[0] += 1
            yield one

    patch.setattr(module, name, counting)
    return lambda: drawn[0]
