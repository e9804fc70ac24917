"""Write failures down so that they can be read and repeated: what was at hand, the traceback, and the command."""

from __future__ import annotations

import json
import sys
import traceback
from collections import Counter
from typing import Any

from torture.campaign import Trial

MAX_FILES = 100
MAX_ALIKE = 3
"""Of failures at the same place, so many are kept; the others are only counted."""


class Failures:
    """Keep the failures of one process of a campaign."""

    def __init__(self, trial: Trial, campaign: str) -> None:
        self.trial = trial
        self.campaign = campaign
        self.files = 0
        self.seen: Counter[str] = Counter()

    def keep(self, kind: str, what: str, **at_hand: Any) -> None:
        """Count a failure; the first of those alike are written to a file with all that was at hand."""
        error = sys.exception()
        place = what
        if error is not None:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} {last.filename}:{last.lineno}"
            file = last.filename.rsplit("solvent/")[-1]
            what = f"{what}: {type(error).__name__}: {_short(error)} ({file}:{last.lineno})"
        self.seen[place] += 1
        if self.seen[place] > MAX_ALIKE:
            self.trial.tally.failures[kind] += 1
            return
        parts = [what, *(f"{name} = {written(value)}" for name, value in at_hand.items())]
        if error is not None:
            parts.append("".join(traceback.format_exception(error, limit=-40)))
        path = ""
        if self.files < MAX_FILES:
            self.files += 1
            path = self.trial.keep(f"failure-{self.files}.txt", "\n".join(parts))
        again = f"--process-seed {self.trial.seed} --round {self.trial.round}"
        self.trial.tally.fail(kind, what, f"python -m torture --campaign {self.campaign} {again}   # {path}")


def _short(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Exception:
        return "(an error that cannot be written)"


def written(value: Any) -> str:
    """Write a value as well as it can be: as JSON, or as Python."""
    if isinstance(value, str | bytes):
        return repr(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        return repr(value)
    except (ValueError, RecursionError):
        return f"(a {type(value).__name__} that cannot be written)"
