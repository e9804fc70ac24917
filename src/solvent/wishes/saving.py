"""Write a level that keeps its wishes, with every certificate beside it."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from solvent.proof.certificate import encode_certificate
from solvent.reading import format_problem

if TYPE_CHECKING:
    from solvent.wishes.making import Proven

PROOF_ENDING = "certificate.json"


def files_of(proven: Proven, path: str | PathLike[str]) -> dict[str, bytes]:
    """Return what to write under which name: the level, its certificates, and what it was made from with its own.

    The certificates of the level are about the level's file, those of the instance about the instance's file.
    """
    name = os.fspath(path)
    stem = os.path.splitext(name)[0]
    files = {name: proven.data}
    for answer in proven.proofs:
        if answer.certificate is not None:
            files[f"{stem}.{answer.question}.{PROOF_ENDING}"] = encode_certificate(answer.certificate)
    if not proven.kind:
        return files
    domain = proven.problem.domain
    text = format_problem(proven.problem)
    files[f"{stem}.{domain}.{'json' if text.lstrip().startswith('{') else 'txt'}"] = text.encode()
    for answer in proven.answers:
        if answer.certificate is not None:
            files[f"{stem}.{domain}.{answer.question}.{PROOF_ENDING}"] = encode_certificate(answer.certificate)
    return files


def save_proven(proven: Proven, path: str | PathLike[str]) -> list[Path]:
    """Write all files and return their names: the level first."""
    files = files_of(proven, path)
    for name, data in files.items():
        Path(name).write_bytes(data)
    return [Path(name) for name in files]
