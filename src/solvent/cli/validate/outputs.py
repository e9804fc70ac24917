"""Where the results of a run go beside the store: a CSV table, lines of JSON, tables on the terminal."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solvent.cli.findings import on_standard_output, wanted_findings
from solvent.cli.output import CannotUse, write_standard_output, writing

if TYPE_CHECKING:
    from solvent.batch.findings.writing import Target
    from solvent.batch.run import Validated
    from solvent.batch.store import Store

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Say where results go; only one of them goes to standard output."""

    store: str
    csv: str | None
    """The file of the table, `-` for standard output; None for no table."""
    own_name: bool
    """Whether that name is ours to choose, so that it may become another one."""
    jsonl: str | None
    """The file of lines of JSON, `-` for standard output; None for none."""
    as_json: bool
    """Whether standard output gets one JSON object about the whole run."""
    prints: bool
    """Whether standard output gets tables for people."""
    findings: tuple[Target, ...] = ()
    """What build systems read."""

    def files(self) -> list[str]:
        """Return what the run writes, so that it is not taken for instances."""
        from solvent.batch.sources.own_files import BESIDE_A_STORE

        named = [self.csv, self.jsonl, *(target.path for target in self.findings)]
        others = [file for file in named if file is not None and file != STANDARD_OUTPUT]
        return [self.store, *(self.store + ending for ending in BESIDE_A_STORE), *others]


def resolve_outputs(
    store: str, *, csv: str | None, no_csv: bool, jsonl: str | None, as_json: bool, quiet: bool
) -> Outputs:
    """Decide where results go, or raise a usage error; no file that a run did not write is ever written over."""
    from solvent.batch.exports import table_name
    from solvent.batch.sources.own_files import Kind, may_replace

    if no_csv and csv is not None:
        raise click.UsageError("--csv and --no-csv say the opposite; leave one out")
    if store == STANDARD_OUTPUT:
        raise click.UsageError("--store needs a file")
    jsonl = STANDARD_OUTPUT if jsonl == "" else jsonl
    findings = wanted_findings([store])
    taking = [
        name
        for name, takes in (
            ("--json", as_json),
            ("--jsonl without a file", jsonl == STANDARD_OUTPUT),
            ("--csv=-", csv == STANDARD_OUTPUT),
        )
        if takes
    ] + on_standard_output(findings)
    if taking and any(target.format == "github" for target in findings):
        raise click.UsageError(f"{taking[0]} and --github cannot both have standard output")
    if len(taking) > 1:
        raise click.UsageError(f"{' and '.join(taking)} cannot both have standard output")
    files: list[tuple[str, str | None, Kind]] = [("--csv", csv, ".csv"), ("--jsonl", jsonl, ".jsonl")]
    for option, file, kind in files:
        if not file or file == STANDARD_OUTPUT:
            continue
        if os.path.realpath(file) == os.path.realpath(store):
            raise click.UsageError(f"{option} and --store cannot be the same file")
        if os.path.isdir(file):
            raise click.UsageError(f"{option} needs a file, found the folder {file!r}")
        if not may_replace(file, kind):
            raise CannotUse(f"{option}: {file} exists and holds no results; choose another name, or remove it first")
    if csv and jsonl and csv != STANDARD_OUTPUT and os.path.realpath(csv) == os.path.realpath(jsonl):
        raise click.UsageError("--csv and --jsonl cannot be the same file")
    for target in findings:
        for option, file, _ in files:
            if file and file != STANDARD_OUTPUT and os.path.realpath(file) == os.path.realpath(target.path):
                raise click.UsageError(f"{option} and --{target.format} cannot be the same file")
    return Outputs(
        store=store,
        csv=None if no_csv else csv or str(Path(store).parent / table_name(time.time())),  # which may be taken
        own_name=csv is None,
        jsonl=jsonl,
        as_json=as_json,
        prints=not (quiet or taking),
        findings=findings,
    )


@contextlib.contextmanager
def open_lines(target: str | None) -> Iterator[Callable[[Validated], None]]:
    """Open the file for lines of JSON, where what was in it is gone; yields what writes a result as a line."""
    from solvent.batch.exports import json_line

    if target is None:
        yield lambda _validated: None
        return
    if target == STANDARD_OUTPUT:
        yield lambda validated: write_standard_output(json_line(validated))
        return
    with writing(target):
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        file = Path(target).open("wb")  # noqa: SIM115 - what happens to it later is not about opening it

    def write(validated: Validated) -> None:
        line = json_line(validated)
        with writing(target):
            file.write(line)
            file.flush()  # for programs that follow the file

    try:
        yield write
    except BaseException:
        with contextlib.suppress(OSError):  # a full disk was told already
            file.close()
        raise
    with writing(target):
        file.close()


def save_table(store: Store, run: int, target: str, *, own_name: bool) -> str:
    """Write the table of a run to a file or to standard output; return its name.

    That is another one if the name was ours to choose and another run has taken it.
    """
    from solvent.batch.exports import write_new_table, write_rows, write_table
    from solvent.batch.store.reading import rows

    if target == STANDARD_OUTPUT:
        sys.stdout.flush()
        write_rows(rows(store, run), sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return target
    with writing(target):
        if own_name:
            return str(write_new_table(rows(store, run), target))
        write_table(rows(store, run), target)
        return target
