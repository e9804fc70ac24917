"""Write what `solvent generate` makes that is too large for one file: into a folder, file by file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from solvent.cli.output import note, say_json, write_file, writing
from solvent.cli.waiting import watch
from solvent.core.budget import Budget
from solvent.core.events import Listener


def write_made_files(
    name: str, options: Mapping[str, Any], seed: int, count: int, out: str | None, budget: Budget, *, as_json: bool
) -> bool:
    """Write what the options ask for if it is made of many files; return whether it is."""
    from solvent import asking

    if asking.generate_files(name, seed=seed, **options) is None:
        return False
    if count > 1:
        raise click.UsageError("--count makes several instances; what goes into a folder is made once")
    if out is None or (os.path.exists(out) and not os.path.isdir(out)):
        raise click.UsageError("these options make many files: give a folder for them, such as -o world/")
    folder = Path(out)

    def work(budget: Budget, listen: Listener) -> list[str]:
        written: list[str] = []
        files = asking.generate_files(name, seed=seed, budget=budget, listen=listen, folder=folder, **options)
        assert files is not None
        with writing(out):
            folder.mkdir(parents=True, exist_ok=True)
        for made in files:
            write_file(made.data, str(folder / made.name))
            written.append(made.name)
        return written

    written = watch(work, budget)
    if as_json:
        say_json({"domain": name, "seed": seed, "folder": out, "files": written})
    else:
        note(f"Wrote {len(written)} files to {out}")
    return True
