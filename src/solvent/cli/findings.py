"""The options for what build systems read, which `validate` and `report` share, and the writing of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import click

from solvent.cli.output import CannotUse, writing
from solvent.cli.parameters import combined

if TYPE_CHECKING:
    from solvent.batch.findings.writing import Target
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

STANDARD_OUTPUT = "-"
KEPT = "solvent.findings"
"""Where the context of a command keeps what was asked for."""
FILES = {
    "junit": "Write JUnit XML to FILE (- for standard output), which Jenkins, GitLab and others show as tests.",
    "sarif": "Write SARIF 2.1.0 to FILE, which code scanning and editors read.",
    "gitlab": "Write GitLab's code quality report to FILE.",
    "markdown": "Write a summary in Markdown to FILE.",
}
SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"


def _keep(context: click.Context, parameter: click.Parameter, given: str | bool | None) -> None:
    if given is not None and given is not False:
        context.meta.setdefault(KEPT, {})[str(parameter.name)] = given


findings_options = combined(
    *(
        click.option(
            f"--{name}", metavar="FILE", expose_value=False, callback=_keep, help=f"{text[:-1]}; - for stdout."
        )
        for name, text in FILES.items()
    ),
    click.option(
        "--github",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Print annotations for GitHub Actions, and add the summary to that of the job.",
    ),
)
"""What build systems read, beside the table and the page."""


def wanted_findings(stores: Sequence[str]) -> tuple[Target, ...]:
    """Return what the command was asked to write, or raise a usage error; nothing that is not ours is written over."""
    given = click.get_current_context().meta.get(KEPT)
    if not given:
        return ()
    from solvent.batch.findings.writing import Target
    from solvent.batch.sources.own_files import BESIDE_A_STORE, may_replace

    targets = [Target(name, given[name]) for name in FILES if name in given]
    protected = {os.path.realpath(store) + ending: "the store" for store in stores for ending in ("", *BESIDE_A_STORE)}
    for target in targets:
        option = f"--{target.format}"
        if not target.path:
            raise click.UsageError(f"{option} needs a file")
        if target.path == STANDARD_OUTPUT:
            continue
        if os.path.isdir(target.path):
            raise click.UsageError(f"{option} needs a file, found the folder {target.path!r}")
        place = os.path.realpath(target.path)
        if place in protected:
            raise click.UsageError(f"{option} and {protected[place]} cannot be the same file")
        protected[place] = option
        if not may_replace(target.path, target.format):  # type: ignore[arg-type]
            raise CannotUse(
                f"{option}: {target.path} exists and is none of ours; choose another name, or remove it first"
            )
    if "github" in given:
        targets.append(Target("github", STANDARD_OUTPUT))
        summary = os.environ.get(SUMMARY_VARIABLE)
        if summary:
            targets.append(Target("markdown", summary, append=True))
    return tuple(targets)


def on_standard_output(targets: Sequence[Target]) -> list[str]:
    """Return the options that want standard output for themselves; lines for GitHub may stand among others."""
    return [f"--{each.format} -" for each in targets if each.path == STANDARD_OUTPUT and each.format != "github"]


def save_findings(
    targets: Sequence[Target],
    *,
    store: Store | None,
    run: RunRow | None,
    named: Collection[int] = (),
    exit_code: int | None = None,
) -> None:
    """Write what was asked for; raises CannotUse if a file cannot be written."""
    if not targets:
        return
    from solvent.batch.findings.writing import write_findings
    from solvent.cli.configured import configured_mapping

    sys.stdout.flush()
    paths = ", ".join(target.path for target in targets if target.path != STANDARD_OUTPUT) or "standard output"
    with writing(paths):
        write_findings(
            targets,
            sys.stdout.buffer,
            store=store,
            run=run,
            named=named,
            exit_code=exit_code,
            mapping_for=configured_mapping,
        )
    sys.stdout.buffer.flush()


def describe_findings(targets: Sequence[Target]) -> list[str]:
    """Return a line for each file that was written."""
    titles = {"junit": "JUnit", "sarif": "SARIF", "gitlab": "GitLab", "markdown": "Summary"}
    return [
        f"{titles[each.format]}: {each.path}" for each in targets if each.path != STANDARD_OUTPUT and not each.append
    ]


def findings_json(targets: Sequence[Target]) -> dict[str, str]:
    """Return the files by format, for the JSON object of a command."""
    return {each.format: each.path for each in targets if each.path != STANDARD_OUTPUT and not each.append}
