"""`solvent report`: what a run found as a web page, two runs compared, one instance taken out, or a store saved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.answers import say_wrapped
from solvent.cli.findings import (
    describe_findings,
    findings_json,
    findings_options,
    on_standard_output,
    save_findings,
    wanted_findings,
)
from solvent.cli.output import (
    CannotUse,
    note,
    say,
    say_json,
    write_beside_json,
    write_file,
    write_standard_output,
    write_text,
    writing,
)
from solvent.cli.parameters import json_option
from solvent.cli.waiting import watch

if TYPE_CHECKING:
    from solvent.batch.findings.writing import Target
    from solvent.batch.report.comparison_page import Comparison
    from solvent.batch.report.run_page import Report
    from solvent.batch.sources.own_files import Kind
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

STANDARD_OUTPUT = "-"
DEFAULT_PAGE = "report.html"
DEFAULT_COMPARISON = "comparison.html"
DEFAULT_DRAWINGS = 120


@click.command(
    "report",
    epilog="Exit codes: 0 done, 10 a verdict was lost (--fail-on lost), 2 usage, 30 bad input, 130 Ctrl-C.",
)
@click.argument("stores", nargs=-1, required=True, metavar="STORE [LATER]")
@click.option("-o", "--output", "out", metavar="OUT", help="Write to this file [beside the store].")
@click.option("--run", "run_number", type=int, metavar="N", help="Run to show [the newest].")
@click.option(
    "--against", type=int, metavar="N", help="Run to compare with, of the same store, or of the first if two are given."
)
@click.option(
    "--thumbnails",
    type=int,
    metavar="N",
    help=f"Draw at most N instances [{DEFAULT_DRAWINGS}].",
)
@click.option("--csv", "table", metavar="FILE", help="Also write the table of all answers to FILE.")
@findings_options
@click.option("--extract", metavar="HASH", help="Only write the instance whose hash begins with HASH, as text.")
@click.option(
    "--rescue",
    metavar="NEW_STORE",
    help="Only copy what is intact in a damaged store to NEW_STORE; the damaged one stays as it is.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["lost"]),
    metavar="lost",
    help="When comparing, exit with 10 if a verdict was lost or contradicted.",
)
@json_option
def command(
    stores: tuple[str, ...],
    out: str | None,
    run_number: int | None,
    against: int | None,
    thumbnails: int | None,
    table: str | None,
    extract: str | None,
    rescue: str | None,
    fail_on: str | None,
    as_json: bool,
) -> int:
    """Show what `solvent validate` found as one self-contained web page.

    With two stores, or with --against, compare two runs: which verdicts changed, what got faster or slower.
    """
    if len(stores) > 2:
        raise click.UsageError(f"expected one store, or two to compare, found {len(stores)}")
    compares = len(stores) == 2 or against is not None
    findings = wanted_findings(stores)
    if findings and (compares or rescue is not None or extract is not None):
        raise click.UsageError(f"--{findings[0].format} is for the report of one run")
    if rescue is not None:
        if compares or any(each is not None for each in (run_number, thumbnails, out, table, extract, fail_on)):
            raise click.UsageError("--rescue takes one store and --json, nothing else")
        from solvent.cli.report_rescue import save_intact

        return save_intact(stores[0], rescue, as_json=as_json)
    if extract is not None and (compares or run_number is not None):
        raise click.UsageError("--extract takes one store, -o and --json, nothing else")
    if fail_on is not None and not compares:
        raise click.UsageError("--fail-on needs two runs to compare")
    if thumbnails is not None and thumbnails < 0:
        raise click.UsageError(f"--thumbnails: expected zero or more, found {thumbnails}")
    for option, given in (("--thumbnails", thumbnails), ("--csv", table)):
        if given is not None and (compares or extract is not None):
            raise click.UsageError(f"{option} is for the report of one run")
    if table == STANDARD_OUTPUT:
        raise click.UsageError("--csv needs a file")
    if as_json and out == STANDARD_OUTPUT:
        raise click.UsageError("-o - and --json both want standard output")
    for name in (out, table):
        _keep_stores(stores, name)
    if table is not None and out is not None and os.path.realpath(table) == os.path.realpath(out):
        raise click.UsageError("-o and --csv cannot be the same file")
    if extract is not None:
        return _extract(stores[0], extract, out, as_json=as_json)
    if findings and not compares and out is None and thumbnails is None:
        return _report_findings(stores[0], run_number, findings, table, as_json=as_json)
    if compares:
        return _compare(stores, run_number, against, out, as_json=as_json, fails=fail_on is not None)
    if findings:
        raise click.UsageError(f"-o and --thumbnails are for the page, --{findings[0].format} for builds; ask twice")
    drawings = DEFAULT_DRAWINGS if thumbnails is None else thumbnails
    return _report(stores[0], run_number, drawings, out, table, as_json=as_json)


def _keep_stores(stores: tuple[str, ...], out: str | None) -> None:
    """Raise a usage error if a file would be written over a store."""
    if out is None or out == STANDARD_OUTPUT:
        return
    from solvent.batch.sources.own_files import BESIDE_A_STORE

    for store in stores:
        if os.path.realpath(out) in [os.path.realpath(store) + ending for ending in ("", *BESIDE_A_STORE)]:
            raise click.UsageError(f"writing to {out} would destroy the store")


def _keep_others(target: str, option: str, kind: Kind, what: str) -> None:
    """Raise CannotUse if something else than an earlier file of the same kind would be written over."""
    from solvent.batch.sources.own_files import may_replace

    if target != STANDARD_OUTPUT and not may_replace(target, kind):
        raise CannotUse(f"{target} exists and is no {what} of ours; choose another name with {option}")


def _extract(path: str, beginning: str, out: str | None, *, as_json: bool) -> int:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import find_instance, instance_text

    with Store.open(path, create=False, read_only=True) as store:
        found = find_instance(store, beginning)
        text = instance_text(store, found)
    if out is not None and out != STANDARD_OUTPUT and not _may_hold(out, text):
        raise CannotUse(f"{out} exists and holds something else; choose another name with -o")
    if as_json:
        say_json({"hash": found, "text": text, "file": write_beside_json(text, out)})
    else:
        write_text(text, out)
    return exits.DONE


def _may_hold(path: str, text: str) -> bool:
    """Tell whether a text may be written to a file: there is none, or it is empty, or holds this text already."""
    with writing(path):
        if not os.path.isfile(path) or not os.path.getsize(path):
            return True
        return Path(path).read_bytes().rstrip(b"\n") == text.encode("utf-8").rstrip(b"\n")


def _report(path: str, number: int | None, drawings: int, out: str | None, table: str | None, *, as_json: bool) -> int:
    from solvent.batch.exports import write_table
    from solvent.batch.report.run_page import make_report
    from solvent.batch.store import Store
    from solvent.batch.store.reading import rows

    target = str(Path(path).parent / DEFAULT_PAGE) if out is None else out
    _keep_others(target, "-o", ".html", "page")
    if table is not None:
        _keep_others(table, "--csv", ".csv", "table")

    def work(*_: object) -> tuple[RunRow, Report]:
        # Opened here: a connection to SQLite belongs to the thread that made it.
        with Store.open(path, create=False, read_only=True) as store:
            _look_through(store)
            run = _run_of(store, number)
            report = make_report(store, run, drawings=drawings)
            if table is not None:
                with writing(table):
                    write_table(rows(store, run.id), table)
            return run, report

    run, report = watch(work)
    data = {**_report_json(run, report), "page": target, **({} if table is None else {"table": table})}
    if _write(report.page, target, data, as_json=as_json):
        _say_report(path, run, report)
        if table is not None:
            say(f"Table: {table}")
        _say_where(target, report.page)
    return exits.DONE


def _report_findings(
    path: str, number: int | None, findings: tuple[Target, ...], table: str | None, *, as_json: bool
) -> int:
    """Write what build systems read, and no page: that takes longer, and nobody asked for it."""
    from solvent.batch.exports import write_table
    from solvent.batch.store import Store
    from solvent.batch.store.reading import rows

    taking = [*on_standard_output(findings), *(["--json"] if as_json else [])]
    if len(taking) > 1 or (taking and any(each.format == "github" for each in findings)):
        raise click.UsageError(
            f"{' and '.join(taking) if len(taking) > 1 else '--github and ' + taking[0]}"
            " cannot both have standard output"
        )
    if table is not None:
        _keep_others(table, "--csv", ".csv", "table")

    def work(*_: object) -> int:
        with Store.open(path, create=False, read_only=True) as store:
            store.require_intact()
            run = _run_of(store, number)
            save_findings(findings, store=store, run=run)
            if table is not None:
                with writing(table):
                    write_table(rows(store, run.id), table)
            return run.id

    run = watch(work)
    if as_json:
        say_json({"run": run, "findings": findings_json(findings), **({} if table is None else {"table": table})})
    elif not taking:
        lines = describe_findings(findings)
        if lines:
            say("\n".join(lines))
        if table is not None:
            say(f"Table: {table}")
    return exits.DONE


def _compare(
    stores: tuple[str, ...], number: int | None, against: int | None, out: str | None, *, as_json: bool, fails: bool
) -> int:
    from solvent.batch.report.comparison_page import Run, make_comparison
    from solvent.batch.store import Store

    target = str(Path(stores[-1]).parent / DEFAULT_COMPARISON) if out is None else out
    _keep_others(target, "-o", ".html", "page")

    def work(*_: object) -> tuple[Run, Run, Comparison]:
        with (
            Store.open(stores[0], create=False, read_only=True) as before,
            Store.open(stores[-1], create=False, read_only=True) as after,
        ):
            same_store = os.path.realpath(stores[0]) == os.path.realpath(stores[-1])
            for store in (after,) if same_store else (before, after):
                _look_through(store)
            later = Run(after, _run_of(after, number))
            earlier = Run(before, _run_of(before, against))
            if same_store and later.row.id == earlier.row.id:
                raise click.UsageError(f"run {later.row.id} cannot be compared with itself; choose another --against")
            return earlier, later, make_comparison(earlier, later)

    before, after, comparison = watch(work)
    if _write(comparison.page, target, {**_comparison_json(comparison), "page": target}, as_json=as_json):
        _say_comparison(before.title, after.title, comparison)
        _say_where(target, comparison.page)
    return exits.NO if fails and comparison.found.lost else exits.DONE


def _look_through(store: Store) -> None:
    """Raise StoreError if a store is damaged; say so if there was no time to look at all of it."""
    if not store.require_fit_to_show():
        note(f"{store.path} is large: only its newest part was looked through; `solvent check --store` looks at all")


def _run_of(store: Store, number: int | None) -> RunRow:
    from solvent.batch.store.reading import newest_run, run_row

    return newest_run(store) if number is None else run_row(store, number)


def _write(page: str, target: str, data: dict[str, Any], *, as_json: bool) -> bool:
    """Write the page, and the data beside it if wished; tell whether standard output is still free for people."""
    if target == STANDARD_OUTPUT:
        write_standard_output(page.encode("utf-8"))
        return False
    write_file(page.encode("utf-8"), target)
    if as_json:
        say_json(data)
    return not as_json


def _say_where(written: str, page: str) -> None:
    from solvent.batch.report.phrases import size_in_bytes

    say(f"Page: {written} ({size_in_bytes(len(page.encode('utf-8')))})")


def _say_report(path: str, run: RunRow, report: Report) -> None:
    from solvent.batch.report.describe import STATES, describe_times
    from solvent.batch.report.run_page import sentence
    from solvent.batch.summary import Summary
    from solvent.cli.validate.table import say_sums
    from solvent.drawing.phrases import counted

    found = report.found
    say_wrapped(f"Run {run.id} of {path}: {STATES.get(run.state, run.state)}. Begun {describe_times(run)}.")
    say_wrapped(sentence(found))
    say()
    say_sums(Summary(answers=dict(found.groups)))
    if found.unrecognised.seen:
        say_wrapped(f"{counted(found.unrecognised.seen, 'file')} not recognised.")
    if found.not_asked:
        say_wrapped(f"{counted(found.not_asked, 'instance')} without an answer: not reached yet, or nothing to ask.")
    if report.drawings_left_out:
        note(f"{report.drawings_left_out:,} drawings left out: too many or too large for one page.")


def _say_comparison(before: str, after: str, comparison: Comparison) -> None:
    from solvent.batch.report.comparison import CONTRADICTED, GAINED, LOST
    from solvent.batch.report.comparison_page import describe_contradiction, sentence, times_sentence
    from solvent.drawing.phrases import capitalised, counted

    found = comparison.found
    say_wrapped(f"{capitalised(after)} against {before}.")
    say_wrapped(sentence(found))
    say()
    for change in (CONTRADICTED, LOST, GAINED):
        for pair in found.changed[change].kept[:MAX_NAMED]:
            verdicts = f"{pair.before.kind} before, {pair.after.kind} after"
            meaning = f" {describe_contradiction(pair)}" if change == CONTRADICTED else ""
            say_wrapped(f"{change}: {pair.after.name}, {pair.question}: {verdicts}.{meaning}", first="  ", rest="    ")
        if found.changed[change].seen > MAX_NAMED:
            say(f"  … and {found.changed[change].seen - MAX_NAMED:,} more {change}")
    if any(found.changed[change].seen for change in (CONTRADICTED, LOST, GAINED)):
        say()
    times = times_sentence(found)
    if times:
        say_wrapped(times)
    if found.faster.seen or found.slower.seen:
        say(f"{found.faster.seen:,} got faster, {found.slower.seen:,} slower, beyond what may be chance.")
    if found.new.seen or found.gone.seen:
        say(f"{counted(found.new.seen, 'answer')} new, {found.gone.seen:,} gone.")
    for warning in comparison.warnings:
        say_wrapped(warning)


MAX_NAMED = 5
"""Changed answers of each kind that the terminal shows; the page has more."""


def _report_json(run: RunRow, report: Report) -> dict[str, Any]:
    found = report.found
    return {
        "run": run.id,
        "state": run.state,
        "instances": found.instances,
        "answers": [
            {
                "domain": domain,
                "question": question,
                "verdicts": dict(group.verdicts),
                "statuses": dict(group.statuses),
                "certified": group.certified,
                "seconds": round(group.seconds, 6),
            }
            for (domain, question), group in found.groups.items()
        ],
        "unreadable": found.unread.seen,
        "bugs_while_reading": found.bugs_while_reading.seen,
        "unrecognised": found.unrecognised.seen,
        "unanswered": found.not_asked,
    }


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    found = comparison.found
    times = found.times
    return {
        "matched": found.matched,
        "same_verdict": found.same_verdict,
        **{change: listed.seen for change, listed in found.changed.items()},
        "new": found.new.seen,
        "gone": found.gone.seen,
        "faster": found.faster.seen,
        "slower": found.slower.seen,
        "seconds_before": round(times.before, 6),
        "seconds_after": round(times.after, 6),
        "median_ratio": round(times.ratios.quantile(0.5), 3) if times.ratios.numbers else None,
        "warnings": list(comparison.warnings),
    }
