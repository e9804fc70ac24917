"""`solvent check`: verify a certificate that was saved earlier, or a solution, or everything in a store."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from solvent.cli import exits
from solvent.cli.answers import note_remarks, say_wrapped
from solvent.cli.configured import ConfiguredCommand
from solvent.cli.input import STANDARD_INPUT, read_certificate, read_problem
from solvent.cli.output import complain, say, say_json, write_text, writing
from solvent.cli.parameters import SECONDS, instance_options, json_option
from solvent.cli.waiting import watch
from solvent.core.budget import Budget, Meter, limit_reason
from solvent.core.compression import DEFAULT_UNFOLDED_MEGABYTES, CheckLimits
from solvent.core.errors import BadOption, LimitReached
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.evidence import Checked
    from solvent.core.answer import Certificate
    from solvent.core.events import Listener

REJECTED_KEYS = ("name", "domain", "hash", "answer", "question", "verdict", "form", "violations")
"""What the JSON of a checked store has about each answer that was rejected."""
NOT_CHECKED_KEYS = (*REJECTED_KEYS[:-1], "not_checked")
"""The same about each whose check a limit ended."""


@click.command(
    "check",
    cls=ConfiguredCommand,
    epilog="Exit codes: 0 accepted, 31 rejected, 32 not checked, 2 usage, 30 bad input, 130 Ctrl-C.",
)
@click.argument("file", metavar="[FILE", required=False)
@click.argument("certificate", metavar="CERTIFICATE]", required=False)
@click.option("--store", metavar="STORE", help="Check everything in a store that 'solvent validate' wrote.")
@click.option("--run", type=int, metavar="N", help="With --store: only what run N found.")
@click.option(
    "--seconds", type=SECONDS, metavar="S", help="Stop after this time; with --store, that of one certificate."
)
@click.option("--megabytes", type=float, metavar="M", help="Stop when memory has grown by this much.")
@click.option(
    "--unfold",
    type=float,
    metavar="M",
    default=DEFAULT_UNFOLDED_MEGABYTES,
    show_default=True,
    help="How many megabytes a compressed certificate may unfold to.",
)
@click.option(
    "--export", metavar="DIR", help="Write what is accepted into DIR for checkers of others, with a note on how."
)
@click.option(
    "--second-checker",
    metavar="OUT",
    help="Write another checker, one file for Node or a browser, and check nothing.",
)
@json_option
@instance_options
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    certificate: str | None,
    store: str | None,
    run: int | None,
    seconds: float | None,
    megabytes: float | None,
    unfold: float,
    export: str | None,
    second_checker: str | None,
    as_json: bool,
    domain: str | None,
    rules: dict[str, str],
) -> int:
    """Verify that CERTIFICATE proves what it claims about the instance in FILE.

    CERTIFICATE may also be a solution as text, where the domain has such files (see its reference page).
    The checker shares no code with the solvers. It lists everything that is wrong with a certificate it rejects.
    A check that a limit ends says "not checked": the certificate is neither accepted nor rejected.

    With --store instead of FILE and CERTIFICATE, every certificate in the store is checked. What no certificate covers,
    such as times and counts, must fit the seal of its answer, and the tables of finished runs must be whole. That finds
    accidents and edits; a seal is no signature, and names and times of sources have none.

    With --export, programs that others wrote can check the answer as well: refutations become DIMACS, DRUP and LRAT.
    DIR/README.txt says what is there and has the commands. Of a store, each answer gets a folder of its own in DIR.
    What no outside program reads, such as certificates of dungeons, is named and not written.
    """
    if second_checker is not None:
        if file is not None or store is not None:
            raise click.UsageError("--second-checker checks nothing; leave FILE, CERTIFICATE and --store out", context)
        from solvent.web.second_checker import one_file

        write_text(one_file(), second_checker)
        return exits.DONE
    limits = CheckLimits(Budget(seconds=seconds, megabytes=megabytes), unfold)
    if store is not None:
        if file is not None:
            raise click.UsageError("--store takes the place of FILE and CERTIFICATE; leave them out", context)
        if domain is not None or rules:
            raise click.UsageError("--as and --rule are for a FILE; a store says itself what it holds", context)
        return _check_store(store, run, limits, as_json, export)
    if run is not None:
        raise click.UsageError("--run is for a --store", context)
    for name, given in (("FILE", file), ("CERTIFICATE", certificate)):
        if given is None:
            made = f" ('solvent solve {file} --certificate proof.json' makes one)" if file is not None else ""
            raise click.UsageError(f"missing argument '{name}'{made}", context)
    assert file is not None
    assert certificate is not None
    if file == certificate == STANDARD_INPUT:
        raise click.UsageError("FILE and CERTIFICATE cannot both be standard input")
    return _check_file(read_problem(file, domain, rules), certificate, limits, as_json, export)


def _check_file(problem: Any, certificate: str, limits: CheckLimits, as_json: bool, export: str | None) -> int:
    from solvent.asking import find_violations
    from solvent.registry import domain_of

    owner = domain_of(problem)
    claimed: Certificate = {}
    violations: list[str] = []
    exported: list[str] = []
    not_exported: str | None = None

    def work(budget: Budget, _listen: object) -> None:
        nonlocal claimed, violations, exported, not_exported
        meter = budget.start()
        claimed = read_certificate(certificate, problem, unfolded_megabytes=limits.unfolded_megabytes, meter=meter)
        violations = find_violations(owner, problem, claimed, meter)
        if export is not None and not violations:
            exported, not_exported = _export(problem, claimed, export, meter)

    not_checked = None
    try:
        watch(work, limits.budget)
    except (LimitReached, MemoryError) as error:
        not_checked = str(limit_reason(error))
    if as_json:
        say_json(
            {
                "accepted": not violations and not_checked is None,
                "not_checked": not_checked,
                "domain": owner.name,
                "question": claimed.get("question"),
                "verdict": claimed.get("verdict"),
                "form": claimed.get("form"),
                "violations": violations,
                **({} if export is None else {"exported": exported, "not_exported": not_exported}),
            }
        )
    elif not_checked is not None:
        say(f"not checked: {not_checked}")
    elif violations:
        say(f"rejected: {counted(len(violations), 'violation')}")
        for violation in violations:
            say_wrapped(violation, first="  - ", rest="    ")
    else:
        say(f"accepted: {claimed['question']} {claimed['verdict']} ({claimed['form']})")
        note_remarks(problem)
        if exported:
            say(f"Exported: {counted(len(exported), 'file')}. How to check them: {exported[0]}")
    if not_exported is not None and not as_json:
        complain(f"nothing exported: {not_exported}")
    if not_exported is not None:
        return exits.USAGE
    if not_checked is not None:
        return exits.NOT_CHECKED
    return exits.REJECTED if violations else exits.DONE


def _export(problem: Any, certificate: Certificate, folder: str, meter: Meter) -> tuple[list[str], str | None]:
    """Write an accepted certificate for outside checkers; returns the names of the files, or why there are none."""
    from solvent.outside import write_accepted

    with writing(folder):
        try:
            return [str(path) for path in write_accepted(problem, certificate, folder, meter)], None
        except BadOption as error:
            return [], str(error)


@dataclass(slots=True)
class _CheckCounts:
    """Count what was checked, and keep what was rejected."""

    certificates: int = 0
    accepted: int = 0
    """Those of the certificates with nothing wrong about them or the answer they belong to."""
    uncertified: int = 0
    """Verdicts without a certificate, where that is allowed."""
    open: int = 0
    """Answers without a verdict, which claim nothing."""
    rejected: list[Checked] = field(default_factory=list)
    not_checked: list[Checked] = field(default_factory=list)
    """Those whose check a limit ended."""
    exported: int = 0
    """Those of the accepted that were written for outside checkers."""
    not_exported: dict[str, int] = field(default_factory=dict)
    """How many of them were not, by the reason."""

    def take(self, checked: Checked) -> None:
        self.certificates += checked.has_certificate
        if checked.violations:
            self.rejected.append(checked)
        elif checked.not_checked:
            self.not_checked.append(checked)
        elif checked.has_certificate:
            self.accepted += 1
        elif checked.verdict in ("YES", "NO"):
            self.uncertified += 1
        else:
            self.open += 1


def _check_store(path: str, run: int | None, limits: CheckLimits, as_json: bool, export: str | None) -> int:
    from solvent.batch.checking import check_store
    from solvent.batch.store import Store

    tally = _CheckCounts()

    def work(budget: Budget, listen: Listener) -> None:
        with Store.open(path, read_only=True) as store:
            for checked in check_store(store, run=run, limits=replace(limits, budget=budget), listen=listen):
                tally.take(checked)
                if export is not None and checked.accepted and checked.has_certificate:
                    _export_stored(store, checked, export, limits, tally)

    watch(work, limits.budget)
    if as_json:
        exported = {} if export is None else {"exported": tally.exported, "not_exported": tally.not_exported}
        say_json({**_as_json(path, tally), **exported})
    else:
        _say_tally(tally)
    if tally.rejected:
        return exits.REJECTED
    return exits.NOT_CHECKED if tally.not_checked else exits.DONE


def _export_stored(store: Store, checked: Checked, folder: str, limits: CheckLimits, tally: _CheckCounts) -> None:
    """Write one accepted answer of a store into a folder of its own, named by its row and question."""
    from solvent.batch.checking import stored_proof

    assert checked.answer is not None
    problem, certificate = stored_proof(store, checked.answer, limits)
    own_folder = f"{folder}/{checked.answer}-{checked.question}"
    _, reason = _export(problem, certificate, own_folder, limits.budget.start())
    if reason is None:
        tally.exported += 1
    else:
        tally.not_exported[reason] = tally.not_exported.get(reason, 0) + 1


def _say_tally(tally: _CheckCounts) -> None:
    if tally.rejected:
        only_answers = all(checked.answer is not None for checked in tally.rejected)
        say(f"rejected: {counted(len(tally.rejected), 'answer' if only_answers else 'finding')}")
        for checked in tally.rejected:
            question = f", {checked.question}" if checked.question else ""
            verdict = f" {checked.verdict}" if checked.verdict else ""
            say_wrapped(f"{checked.name}{question}{verdict}", first="  ", rest="    ")
            for violation in checked.violations:
                say_wrapped(violation, first="    - ", rest="      ")
    say(f"accepted: {tally.accepted:,} of {counted(tally.certificates, 'certificate')}")
    if tally.not_checked:
        say(f"not checked: {counted(len(tally.not_checked), 'certificate')}, for a limit")
        for checked in tally.not_checked:
            say_wrapped(f"{checked.name}, {checked.question}: {checked.not_checked}", first="  ", rest="    ")
    if tally.uncertified:
        say(f"not certified: {counted(tally.uncertified, 'verdict')}, asked for without proof")
    if tally.exported:
        say(f"exported: {counted(tally.exported, 'certificate')}, each with a README.txt")
    for reason, count in tally.not_exported.items():
        say_wrapped(f"{counted(count, 'certificate')}: {reason}", first="not exported: ", rest="  ")
    if tally.open:
        say(f"nothing to check: {counted(tally.open, 'answer')} without a verdict")


def _as_json(path: str, tally: _CheckCounts) -> dict[str, Any]:
    return {
        "accepted": not tally.rejected and not tally.not_checked,
        "store": path,
        "certificates": tally.certificates,
        "accepted_certificates": tally.accepted,
        "not_certified": tally.uncertified,
        "without_verdict": tally.open,
        "rejected": [{key: getattr(checked, key) for key in REJECTED_KEYS} for checked in tally.rejected],
        "not_checked": [{key: getattr(checked, key) for key in NOT_CHECKED_KEYS} for checked in tally.not_checked],
    }
