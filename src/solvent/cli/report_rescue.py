"""`solvent report STORE --rescue NEW_STORE`: save what is intact in a damaged store."""

from __future__ import annotations

import dataclasses
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from solvent.cli import exits
from solvent.cli.answers import say_wrapped
from solvent.cli.output import say, say_json
from solvent.cli.waiting import watch
from solvent.core.errors import StoreError

if TYPE_CHECKING:
    from solvent.batch.store.rescue import Rescued
    from solvent.core.budget import Budget
    from solvent.core.events import Listener


def save_intact(path: str, target: str, *, as_json: bool) -> int:
    """Copy what is intact to a new store, and say how much that is."""
    from solvent.batch.names import valid_text
    from solvent.batch.store.rescue import rescue

    if not os.path.exists(path):
        raise StoreError(f"there is no store {path}")
    if os.path.isdir(path):
        raise StoreError(f"{path} is a folder, not a store of results")

    def work(_budget: Budget, listen: Listener) -> Rescued:
        return rescue(Path(path), Path(target), listen=listen)

    rescued = watch(work)
    if as_json:
        say_json({"store": valid_text(path), "rescued": valid_text(target), **dataclasses.asdict(rescued)})
    else:
        _say(path, target, rescued)
    return exits.DONE


def _say(path: str, target: str, rescued: Rescued) -> None:
    from solvent.drawing.phrases import counted

    say_wrapped(f"Saved to {target}; {path} is as it was:")
    for name, saved, lost in (
        ("answer", rescued.answers, rescued.answers_lost),
        ("instance", rescued.instances, rescued.instances_lost),
        ("run", rescued.runs, rescued.runs_lost),
    ):
        say(f"  {counted(saved, name)}, {f'{lost:,} lost' if lost else 'none lost'}")
    if rescued.is_complete:
        return
    if rescued.runs_with_gaps:
        which = "One run lacks" if rescued.runs_with_gaps == 1 else f"{rescued.runs_with_gaps:,} runs lack"
        say_wrapped(f"{which} some of its answers now and counts as interrupted.")
    say_wrapped(
        "What is lost is solved again, and nothing else, when you give the command of the run once more with"
        f" --store {shlex.quote(target)}."
    )
