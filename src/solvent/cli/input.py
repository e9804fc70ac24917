"""Read what the user names: instances, certificates, or standard input for `-`."""

from __future__ import annotations

import sys
from typing import Any

from solvent.cli.output import CannotUse

STANDARD_INPUT = "-"


def read_bytes(name: str, *, most: int) -> bytes:
    """Read a file, or standard input for `-`, up to one byte more than `most`; raises CannotUse if it cannot."""
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise CannotUse("cannot read standard input: it is closed")
            return sys.stdin.buffer.read(most + 1)
        with open(name, "rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise CannotUse(f"cannot read {describe(name)}: {error.strerror or error}") from None


def describe(name: str) -> str:
    """Name the source in a message."""
    return "standard input" if name == STANDARD_INPUT else name


def read_problem(name: str, domain: str | None) -> Any:
    """Read an instance; the domain is detected unless it is named."""
    from solvent.reading import LARGEST_FILE_BYTES, decode_problem
    from solvent.registry import get_domain

    if domain is not None:
        get_domain(domain)  # a mistyped domain is told before waiting for standard input
    data = read_bytes(name, most=LARGEST_FILE_BYTES)
    return decode_problem(data, source=describe(name), domain=domain)


def read_certificate(name: str) -> dict[str, Any]:
    """Read a certificate, compressed or not."""
    from solvent.proof.certificate import LARGEST_CERTIFICATE_BYTES, decode_certificate

    return decode_certificate(read_bytes(name, most=LARGEST_CERTIFICATE_BYTES), source=describe(name))
