"""Write what `solve` was asked to keep: certificate, solution, profile, export."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from solvent.cli import exits
from solvent.cli.input import given_mapping
from solvent.cli.output import CannotUse, OutputLost, complain, note, say, write_file, writing
from solvent.cli.waiting import watch
from solvent.core.answer import Answer, Certificate, Verdict
from solvent.core.errors import BadOption


class _NothingToSave(Exception):
    """Say why nothing is written, which is no failure."""


def save_all(problem: Any, answer: Answer, wanted: Mapping[str, str], *, file: str, quiet: bool) -> int:
    """Write each kind of file that is wanted, by its name in `_SAVERS`, and return the largest exit code."""
    return max(_save(_SAVERS[kind](problem, answer, out, file), quiet=quiet) for kind, out in wanted.items())


def _save(lines: Iterator[str], *, quiet: bool) -> int:
    """Write what the lines tell about, which happens before each of them comes, and return the exit code."""
    try:
        for line in lines:
            if not quiet:
                say(line)
    except _NothingToSave as error:
        note(f"solvent: {error}")
    except BadOption as error:
        complain(error)
        return exits.USAGE
    except OutputLost:
        raise
    except CannotUse as error:
        complain(error)
        return exits.BAD_INPUT
    return exits.DONE


def _save_profile(problem: Any, answer: Answer, prefix: str, _file: str) -> Iterator[str]:
    """Write the files that show where the search spent its effort."""
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert owner.profile is not None
    try:
        files = owner.profile(problem, answer)
    except BadOption as error:  # decided before any search that keeps count
        raise _NothingToSave(f"no profile written: {error}") from None
    for ending, text in files.items():
        out = f"{prefix}.{ending}"
        write_file(text.encode("utf-8"), out)
        yield f"Profile: {out}"


def _save_certificate(_problem: Any, answer: Answer, out: str, file: str) -> Iterator[str]:
    if answer.certificate is None:
        raise _NothingToSave(f"no certificate written: {answer.verdict} comes without one here")
    size = save(answer.certificate, out)
    yield f"\nCertificate: {out} ({size:,} bytes). Check it again with:"
    yield f"  {_check_command(file, out)}"


def _check_command(file: str, out: str) -> str:
    mapping = given_mapping()
    words = ["solvent", "check", file, out, *([] if mapping is None else ["--mapping", mapping])]
    return shlex.join(words)


def _save_solution(problem: Any, answer: Answer, out: str, file: str) -> Iterator[str]:
    from solvent.registry import domain_of

    owner = domain_of(problem)
    assert owner.solutions is not None
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        raise _NothingToSave(f"no solution written: {answer.verdict} comes without one")
    try:
        text = owner.solutions.write(problem, answer.certificate)
    except BadOption as error:  # a YES that rests on something else than a plan
        raise _NothingToSave(f"no solution written: {error}") from None
    _require_regular_file(out)
    write_file(text.encode("utf-8"), out)
    yield f"\nSolution: {out}. Check it again with:"
    yield f"  {_check_command(file, out)}"


def _save_export(problem: Any, answer: Answer, out: str, _file: str) -> Iterator[str]:
    """Write what a YES holds as a file of the kind that its name stands for."""
    from solvent import asking
    from solvent.registry import domain_of

    exports = domain_of(problem).exports
    ending = None if exports is None else find_export_ending(exports.kinds, out)
    assert ending is not None
    if answer.verdict is not Verdict.YES or answer.certificate is None:
        raise _NothingToSave(f"{out} not written: only a YES with its proof has something to put there")
    try:
        data = watch(lambda _budget, _listen: asking.export(problem, answer, ending, folder=Path(out).parent))
    except BadOption as error:  # a kind of file that cannot hold this instance
        raise BadOption(f"{out} not written: {error}") from None
    _require_regular_file(out)
    write_file(data, out)
    yield f"\nWritten: {out} ({len(data):,} bytes)."


_SAVERS: Mapping[str, Callable[[Any, Answer, str, str], Iterator[str]]] = {
    "certificate": _save_certificate,
    "solution": _save_solution,
    "profile": _save_profile,
    "export": _save_export,
}
"""Each takes the instance, the answer, where to write, and the name of the instance's file."""


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
