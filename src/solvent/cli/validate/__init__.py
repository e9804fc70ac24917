"""`solvent validate`: answer questions about many instances, and keep every answer."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.configured import (
    configured_rules_by_domain,
    current_configuration,
    with_configured,
)
from solvent.cli.domain_options import resolve_for_any
from solvent.cli.findings import describe_findings, findings_json, findings_options, save_findings
from solvent.cli.output import CannotUse, complain, say, say_json, writing
from solvent.cli.parameters import config_options, json_option, rule_option, wish_options
from solvent.cli.validate.gating import BUG, Judgement, judge
from solvent.cli.validate.options import (
    WORDS_GIVEN,
    ValidateCommand,
    exclude_option,
    fail_on_option,
    limit_options,
    output_options,
    require_questions,
    soft_seconds,
    typed_questions,
)
from solvent.cli.validate.outputs import STANDARD_OUTPUT, Outputs, open_lines, resolve_outputs, save_table
from solvent.cli.validate.progress import ProgressLines, describe, wants_progress
from solvent.core.errors import BadOption, SolventError
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.profiles import ProfileWriter
    from solvent.batch.records import Source
    from solvent.batch.run import Validation
    from solvent.batch.settings import Again
    from solvent.batch.store import Store
    from solvent.batch.summary import Summary

STANDARD_INPUT = "-"
TERMINATED = 143
"""SIGTERM; by convention 128 and the number of the signal."""


@click.command(
    "validate",
    cls=ValidateCommand,
    kind="solve",
    epilog="Exit codes: 0 done; with --strict or --fail-on 10, 20 or 30; 1 a bug, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option(
    "--ask",
    "asked",
    multiple=True,
    metavar="QUESTION,...",
    help="Questions to ask, or all [the first question of each domain].",
)
@wish_options
@limit_options
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Number of worker processes [one per core].")
@click.option("--cluster", metavar="ADDRESS", help="Solve on a Dask cluster, such as tcp://host:8786 or local:4.")
@exclude_option
@output_options
@findings_options
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors and warnings.")
@fail_on_option
@click.option(
    "--again", type=click.Choice(["unknown", "all"]), help="Solve again what the store has as UNKNOWN, or everything."
)
@click.option("--no-proof", is_flag=True, help="Skip proofs that take a long search.")
@click.option("--as", "domain", metavar="DOMAIN", help="Read everything as this domain instead of detecting it.")
@rule_option
@config_options
@click.option("--watch", "watches", is_flag=True, help="Stay, and validate again what changes, until Ctrl-C.")
@click.option(
    "--profile",
    "profile_folder",
    metavar="FOLDER",
    help="Write files for each answer into FOLDER that show where the search spent its effort.",
)
def command(
    paths: tuple[str, ...],
    asked: tuple[str, ...],
    require: tuple[str, ...],
    forbid: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    megabytes: float | None,
    kill_after: float | None,
    kill_above: float | None,
    jobs: int | None,
    cluster: str | None,
    exclude: tuple[str, ...],
    store_path: str,
    csv: str | None,
    no_csv: bool,
    jsonl: str | None,
    as_json: bool,
    quiet: bool,
    strict: bool,
    fail_on: frozenset[str],
    again: Again | None,
    no_proof: bool,
    domain: str | None,
    rules: dict[str, str],
    watches: bool,
    profile_folder: str | None,
) -> int:
    """Answer questions about every instance in PATH, and keep the answers with their proofs in a store.

    Without a PATH, the configuration says where to look, and what to ask: see 'solvent config'.

    A PATH is a file, a folder with all below it, a pattern, or - for lines of JSON on standard input: a text in quotes,
    an object with text and perhaps name and domain, or an instance that is JSON itself. Files named .jsonl hold such
    lines too. Unrecognised files are listed.

    Instances are solved in worker processes. A worker that hangs, dies or eats memory is replaced, and its answer is
    UNKNOWN. If a run is stopped, the same command resumes it; what is in the store is not solved again.

    With --require and --forbid, the questions named are asked of the levels of their domain. A file of another domain
    that such levels can be made from, such as a rule set, is made into one that keeps the wishes, and that is asked
    about.
    """
    from solvent.batch.gate import STRICT
    from solvent.batch.library import open_run
    from solvent.batch.made_levels import resolve_wishes
    from solvent.batch.names import valid_text
    from solvent.batch.settings import Limits, RunOptions, Settings, resolve_options, resolve_questions
    from solvent.batch.sources.find import find_sources, with_mappings
    from solvent.batch.summary import Summary
    from solvent.batch.workers.jobs import CannotStart
    from solvent.registry import get_domain

    paths = _require_paths(paths)
    owner = None if domain is None else get_domain(domain)
    options, flagged = resolve_for_any(owner)
    if profile_folder is not None:
        if owner is not None and owner.profile is None:
            raise BadOption(f"{owner.name} has no profile")
        options["profile"] = True
    named = ",".join([*asked, *flagged])
    questions = resolve_questions(named or None)
    if "all" not in named.split(","):
        require_questions(owner, typed_questions(questions))
    resolve_options(rules, kind="rule", domains=None if owner is None else [owner])
    wishes = resolve_wishes(require, forbid)
    limits = Limits(soft_seconds(seconds, nodes), nodes, megabytes, kill_after, kill_above)
    chosen = with_configured(resolve_options(options))
    settings = Settings(questions, limits, not no_proof, chosen, rules, configured_rules_by_domain(), wishes)
    if strict:
        fail_on |= frozenset(STRICT)
    outputs = resolve_outputs(store_path, csv=csv, no_csv=no_csv, jsonl=jsonl, as_json=as_json, quiet=quiet)
    configuration = current_configuration()
    stdin = _standard_input() if STANDARD_INPUT in paths else None
    profiles = _open_profiles(profile_folder)
    without = [*outputs.files(), *([] if profile_folder is None else [profile_folder])]
    sources = find_sources(paths, domain=domain, stdin=stdin, without=without, exclude=exclude)
    if configuration is not None:
        sources = with_mappings(sources, configuration.mapping_for)
    if watches:
        from solvent.cli.validate.watching import Watch, watch

        run_with = RunOptions(store=outputs.store, jobs=jobs, cluster=cluster, command="solvent validate --watch")
        if stdin is not None or as_json:
            raise click.UsageError("--watch is for files, and for people: leave out - and --json")
        return watch(Watch(paths, settings, run_with, _stopping, domain, without, exclude))
    first = next(sources, None)
    if first is None:
        return _say_nothing_to_do(paths, outputs, judge(Summary(), fail_on))
    shows_progress = wants_progress() and not quiet and not (outputs.jsonl == STANDARD_OUTPUT and sys.stdout.isatty())
    facts = [os.getcwd(), *paths, domain, again or "none", settings.as_json()]
    command_line = shlex.join(["solvent", "validate", *click.get_current_context().meta[WORDS_GIVEN]])
    counting = _count_meanwhile(paths, domain, outputs, exclude) if shows_progress else lambda: None
    progress_lines = ProgressLines(shown=shows_progress, count=counting)
    run_options = RunOptions(
        store=outputs.store,
        jobs=jobs,
        cluster=cluster,
        again=again or "none",
        token=hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest(),
        command=valid_text(command_line),
        listen=progress_lines.listen,
        notice=lambda line: progress_lines.note(f"solvent: {line}"),
    )
    given = _nonblocking(itertools.chain([first], sources), paths)
    summary = Summary()
    with open_run(given, settings, run_options) as validation, open_lines(outputs.jsonl) as write_line:
        try:
            with _stopping(validation) as signals, progress_lines, validation:
                if validation.run.continued and shows_progress:
                    progress_lines.note("Going on with a run that was interrupted.")
                for validated in validation:
                    summary.add(validated)
                    write_line(validated)
                    if profiles is not None:
                        with writing(str(profiles.folder)):
                            profiles.write(validated)
        except CannotStart as error:
            raise CannotUse(error) from None
        if signals:
            return _say_stopped(signals[0], validation, summary, outputs)
        code = _show(validation, summary, outputs, fail_on)
        return code if profiles is None else _say_profiles(profiles, outputs) or code


def _require_paths(paths: tuple[str, ...]) -> tuple[str, ...]:
    if not paths:
        configuration = current_configuration()
        lacking = "no configuration was found" if configuration is None else f"{configuration.file} has no paths"
        raise click.UsageError(f"no PATH is given, and {lacking}", click.get_current_context())
    return paths


def _open_profiles(folder: str | None) -> ProfileWriter | None:
    if folder is None:
        return None
    from solvent.batch.profiles import ProfileWriter

    with writing(folder):
        return ProfileWriter(folder)


def _say_profiles(profiles: ProfileWriter, outputs: Outputs) -> int:
    """Say how many profiles there are; returns the exit code."""
    if outputs.prints:
        lacking = f"; {counted(profiles.without, 'answer')} had nothing counted" if profiles.without else ""
        say(f"Profiles: {profiles.folder} ({counted(profiles.written, 'answer')}{lacking})")
    if profiles.first_bug:
        complain(f"a bug kept a profile from being written, of {profiles.first_bug}")
        return BUG
    return exits.DONE


def _count_meanwhile(
    paths: Sequence[str], domain: str | None, outputs: Outputs, exclude: Sequence[str]
) -> Callable[[], int | None]:
    """Count the sources in a thread, for the progress bar; returns a function that gives their number, once known."""
    from solvent.batch.sources.find import count_sources

    counted: list[int | None] = []

    def count() -> None:
        with contextlib.suppress(OSError):  # the run itself will meet it, and say so
            counted.append(count_sources(paths, domain=domain, without=outputs.files(), exclude=exclude))

    threading.Thread(target=count, name="solvent-counting", daemon=True).start()
    return lambda: counted[0] if counted else None


def _nonblocking(sources: Iterator[Source], paths: Sequence[str]) -> Iterable[Source | None]:
    """Draw sources that another program still makes in a thread, so that the run does not wait for them."""
    from solvent.batch.sources.nonblocking import without_waiting

    # What exists, and is neither a file nor a folder, is a pipe.
    on_disk = [os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path) for path in paths]
    return sources if all(on_disk) and STANDARD_INPUT not in paths else without_waiting(sources)


@contextlib.contextmanager
def _stopping(validation: Validation) -> Iterator[list[int]]:
    """Have Ctrl-C and SIGTERM end the run in order; yields a list that then holds the signal. A second one is harsh."""
    received: list[int] = []
    before: dict[signal.Signals, Any] = {}

    def restore() -> None:
        for each, handler in before.items():
            signal.signal(each, handler)

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        validation.stop()
        restore()

    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(each) is not signal.SIG_IGN:  # as for a program in the background
                before[each] = signal.signal(each, stop)
    try:
        yield received
    finally:
        restore()


def _show(validation: Validation, summary: Summary, outputs: Outputs, fail_on: frozenset[str]) -> int:
    """Write the table and show what was found; returns the exit code."""
    from solvent.batch.names import valid_text

    store, run, progress = validation.store, validation.run, validation.progress
    judgement = judge(summary, fail_on, questions=typed_questions(validation.settings.questions))
    code = judgement.code
    configuration = current_configuration()
    table = outputs.csv
    if table is not None:
        try:
            table = save_table(store, run.id, table, own_name=outputs.own_name)
        except CannotUse as error:  # all of it is in the store, and the rest can still be told
            complain(error)
            code, table = code or exits.BAD_INPUT, None
    code = _save_findings(validation, summary, outputs, code)
    if outputs.as_json:
        say_json(
            {
                "run": run.id,
                "store": valid_text(outputs.store),
                "csv": None if table is None else valid_text(table),
                "findings": findings_json(outputs.findings),
                "configuration": None if configuration is None else valid_text(configuration.file),
                "seconds": round(progress.elapsed, 3),
                **summary.as_json(),
                **judgement.as_json(),
            }
        )
    elif outputs.prints:
        _print_results(store, run.id, progress.elapsed, summary, table)
        say("\n".join([*describe_findings(outputs.findings), _say_store(store)]))
    if summary.bugs:
        complain(
            f"a bug kept {counted(summary.bugs, 'question')} without an answer, the first about {summary.first_bug};"
            f" to see where: solvent report {shlex.quote(outputs.store)}"
        )
    if judgement.message:
        complain(judgement.message)
    return code


def _print_results(store: Store, run: int, seconds: float, summary: Summary, table: str | None) -> None:
    from solvent.cli.validate.table import say_leftovers, say_remarks, say_sums, say_tables

    rest = table or str(store.path)
    say_tables(store, run, summary, rest=rest)
    say_sums(summary)
    say_leftovers(store, run, summary, rest=rest)
    say_remarks(store, run, summary, rest=rest)
    uncertified = sum(counts.uncertified for counts in summary.answers.values())
    if uncertified:
        say(f"{counted(uncertified, 'answer')} without proof, as --no-proof allows.")
    known = f", {summary.known:,} of them known before" if summary.known else ""
    say(f"{counted(summary.answered, 'answer')} in {describe(seconds)}{known}.")
    configuration = current_configuration()
    if configuration is not None:
        say(f"Configuration: {configuration.file} ('solvent config' shows what it sets)")
    if table is not None:
        say(f"Table: {table}")


def _say_store(store: Store) -> str:
    return f"Store: {store.path} ('solvent report' makes a page of it)"


def _save_findings(validation: Validation, summary: Summary, outputs: Outputs, code: int) -> int:
    """Write what build systems read, from the store; returns the exit code."""
    from solvent.batch.store.reading import run_row

    try:
        run = run_row(validation.store, validation.run.id)
        named = summary.unrecognised_named
        save_findings(outputs.findings, store=validation.store, run=run, named=named, exit_code=code)
    except CannotUse as error:  # all of it is in the store, and the rest can still be told
        complain(error)
        return code or exits.BAD_INPUT
    return code


def _say_stopped(number: int, validation: Validation, summary: Summary, outputs: Outputs) -> int:
    from solvent.batch.names import valid_text

    _save_findings(validation, summary, outputs, exits.CANCELLED if number == signal.SIGINT else TERMINATED)
    complain(f"stopped; {summary.answered:,} answered and kept; run the same command again to go on")
    if outputs.as_json:
        say_json({"stopped": True, "store": valid_text(outputs.store), **summary.as_json()})
    return exits.CANCELLED if number == signal.SIGINT else TERMINATED


def _say_nothing_to_do(paths: Sequence[str], outputs: Outputs, judgement: Judgement) -> int:
    from solvent.batch.names import name_of_path
    from solvent.batch.summary import Summary

    save_findings(outputs.findings, store=None, run=None, exit_code=judgement.code)
    if outputs.as_json:
        nothing: dict[str, Any] = {"run": None, "store": None, "csv": None, "configuration": None, "seconds": 0.0}
        nothing["findings"] = findings_json(outputs.findings)
        say_json({**nothing, **Summary().as_json(), **judgement.as_json()})
    elif outputs.prints:
        say(f"Nothing to do: there are no files in {', '.join(map(name_of_path, paths))}.")
    if judgement.message:
        complain(judgement.message)
    return judgement.code


def _standard_input() -> IO[bytes]:
    """Return standard input as a file of its own.

    A thread may still be waiting for a line when this process ends, and Python itself would then wait for the thread to
    let go of `sys.stdin`.
    """
    if sys.stdin is None:
        raise SolventError("cannot read standard input: it is closed")
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except (OSError, ValueError):  # not a real file, as in tests
        return sys.stdin.buffer
