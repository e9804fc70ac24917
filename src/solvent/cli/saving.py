"""Write what `solve` was asked to keep: certificate, solution, profile, export. Each returns an exit code."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from solvent.cli import exits
from solvent.cli.output import CannotUse, complain, note, say, write_file, writing
from solvent.cli.waiting import watch
from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.errors import BadOption


def save_profile(problem: Any, answer: Answer, prefix: str, *, quiet: bool) -> int:
    """Write the files that show where the search spent its effort."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert owner.profile is not None
    try:
        files = owner.profile(problem, answer)
    except BadOption as error:  # decided before any search that keeps count
        note(f"solvent: no profile written: {error}")
        return exits.DONE
    for ending, text in files.items():
        out = f"{prefix}.{ending}"
        try:
            write_file(text.encode("utf-8"), out)
        except CannotUse as error:
            complain(error)
            return exits.BAD_INPUT
        if not quiet:
            say(f"Profile: {out}")
    return exits.DONE


def save_certificate(answer: Answer, out: str, *, file: str, quiet: bool) -> int:
    """Save the certificate and say so."""
    if answer.certificate is None:
        note(f"solvent: no certificate written: {answer.verdict} comes without one here")
        return exits.DONE
    try:
        size = save(answer.certificate, out)
    except CannotUse as error:
        complain(error)
        return exits.BAD_INPUT
    if not quiet:
        say()
        say(f"Certificate: {out} ({size:,} bytes). Check it again with:")
        say(f"  solvent check {shlex.quote(file)} {shlex.quote(out)}")
    return exits.DONE


def save_solution(problem: Any, answer: Answer, out: str, *, file: str, quiet: bool) -> int:
    """Save the solution of a YES and say so."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert owner.solutions is not None
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        note(f"solvent: no solution written: {answer.verdict} comes without one")
        return exits.DONE
    try:
        text = owner.solutions.write(problem, answer.certificate)
        _require_regular_file(out)
        write_file(text.encode("utf-8"), out)
    except BadOption as error:  # a YES that rests on something else than a plan
        note(f"solvent: no solution written: {error}")
        return exits.DONE
    except CannotUse as error:
        complain(error)
        return exits.BAD_INPUT
    if not quiet:
        say()
        say(f"Solution: {out}. Check it again with:")
        say(f"  solvent check {shlex.quote(file)} {shlex.quote(out)}")
    return exits.DONE


def save_export(problem: Any, answer: Answer, out: str, ending: str, *, quiet: bool) -> int:
    """Write what a YES holds as a file of this kind and say so."""
    from solvent import asking

    if answer.verdict is not Verdict.YES or answer.certificate is None:
        note(f"solvent: {out} not written: only a YES with its proof has something to put there")
        return exits.DONE
    try:
        data = watch(lambda _cancellation, _listen: asking.export(problem, answer, ending))
        _require_regular_file(out)
        write_file(data, out)
    except BadOption as error:  # a kind of file that cannot hold this instance
        complain(f"{out} not written: {error}")
        return exits.USAGE
    except CannotUse as error:
        complain(error)
        return exits.BAD_INPUT
    if not quiet:
        say()
        say(f"Written: {out} ({len(data):,} bytes).")
    return exits.DONE


def find_export_ending(kinds: Iterable[str], out: str) -> str | None:
    """Return the kind of file that a name stands for, by its ending; None if it is none of these kinds."""
    name = Path(out).name.lower()
    fitting = [ending for ending in kinds if name.endswith(f".{ending.lower()}")]
    return max(fitting, key=len, default=None)  # map.tar.gz is more than gz


def save(certificate: Certificate, out: str) -> int:
    """Save a certificate and return the size of the file, or raise CannotUse."""
    from solvent.proof.certificate import save_certificate

    _require_regular_file(out)
    target = Path(out)
    with writing(out):
        save_certificate(certificate, target)
        return target.stat().st_size


def _require_regular_file(out: str) -> None:
    target = Path(out)
    with writing(out):
        if target.exists() and not target.is_file():
            raise CannotUse(f"cannot write {out}: it is not a regular file")
