"""Write what a certificate proves into a folder for checkers that others wrote, with a note on how to use them."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from solvent import asking
from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Budget, Meter, limit_reason
from solvent.core.errors import BadOption, CertificateRejected, LimitReached, NotChecked
from solvent.core.outside_proof import OutsideFile, OutsideProof
from solvent.proof.certificate import encode_certificate
from solvent.registry import domain_of

NOTE = "README.txt"
CERTIFICATE = "certificate.json"
WIDTH = 80


def export_proof(
    problem: Any, certificate: Certificate, folder: str | os.PathLike[str], *, budget: Budget | None = None
) -> list[Path]:
    """Check a certificate, write what outside checkers need, and return the files, the note on them first.

    Raises CertificateRejected if the certificate is not accepted, BadOption if it holds nothing that an outside checker
    reads, and NotChecked if the budget is too small. Files of the same names are replaced; others are left alone.
    """
    meter = (budget or Budget()).start()
    violations = asking.find_violations(domain_of(problem), problem, certificate, meter)
    if violations:
        raise CertificateRejected(violations)
    return write_accepted(problem, certificate, folder, meter)


def write_accepted(
    problem: Any, certificate: Certificate, folder: str | os.PathLike[str], meter: Meter = UNLIMITED
) -> list[Path]:
    """Write what outside checkers need of a certificate that was accepted already; see `export_proof`."""
    domain = domain_of(problem)
    if domain.outside_proofs is None:
        raise BadOption(f"{domain.name} has nothing for outside checkers")
    try:
        proofs = list(domain.outside_proofs(problem, certificate, meter))
        text = domain.format(problem, next(iter(domain.formats)))
        instance = f"instance.{'json' if text.lstrip().startswith('{') else 'txt'}"
        files = [
            OutsideFile(instance, f"the instance, as Solvent reads it ({domain.name})", [text]),
            OutsideFile(CERTIFICATE, "the certificate of Solvent that all this was made from", _decoded(certificate)),
        ]
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        listed = [file for proof in proofs for file in proof.files] + files
        written = [_write(target / file.name, file.pieces) for file in listed]
    except (LimitReached, MemoryError) as error:
        raise NotChecked(limit_reason(error)) from None
    note = _write(target / NOTE, _note(certificate, proofs, files))
    return [note, *written]


def _decoded(certificate: Certificate) -> Iterator[str]:
    yield encode_certificate(certificate).decode("utf-8")


def _write(path: Path, pieces: Iterable[str]) -> Path:
    """Write a file, all of it or nothing."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as out:
            out.writelines(pieces)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def _note(certificate: Certificate, proofs: Sequence[OutsideProof], files: Sequence[OutsideFile]) -> Iterator[str]:
    """Yield the note that says which files there are, what they claim and how to check them."""
    claim = f"{certificate['question']}: {certificate['verdict']} ({certificate['form']})"
    yield f"What Solvent answered, for checkers that others wrote\n{'=' * 53}\n\n"
    yield f"The answer is {claim}.\nType the commands below in this folder.\n"
    for proof in proofs:
        yield f"\n{proof.name}\n{'-' * len(proof.name)}\n"
        yield _wrapped("What is shown: " + proof.claim)
        yield _wrapped("What is still to be trusted: " + proof.trusted)
        yield "\n" + "".join(_listed(proof.files))
        for command in proof.commands:
            yield "\n" + _wrapped(f"With {command.tool}; it says {command.accepts!r} if it accepts:")
            yield f"    {command.command}\n"
    yield "\nBeside them\n-----------\n" + "".join(_listed(files))


def _listed(files: Sequence[OutsideFile]) -> Iterator[str]:
    width = max(len(file.name) for file in files)
    for file in files:
        yield f"  {file.name.ljust(width)}  {file.holds}\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"
