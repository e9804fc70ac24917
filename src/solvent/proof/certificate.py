"""The envelope every certificate shares, and how it is stored.

A certificate is a JSON object: `solvent` (version of the envelope), `domain`, `question`, `verdict`, `form`, and the
body that the form asks for. Files that end in `.gz` are compressed; reading recognises compression by content, and
unfolds no more than it is allowed to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.compression import DEFAULT_UNFOLDED_MEGABYTES, unfold
from solvent.core.errors import ParseError, show_value
from solvent.core.file_kinds import CUT_SHORT, end_of_text

if TYPE_CHECKING:
    import os

ENVELOPE_VERSION = 1
ENVELOPE_KEYS = ("solvent", "domain", "question", "verdict", "form")
LARGEST_CERTIFICATE_BYTES = 2 << 30
"""A file may be as large as this, no larger."""
BYTES_A_VALUE = 120
"""What a value of JSON takes as a Python object, at the most: it has a comma before it, or a bracket around it."""
BYTES_A_LETTER = 4
"""What a byte of text takes as a part of a Python string, at the most."""

_GZIP_MAGIC = b"\x1f\x8b"


def make_certificate(domain: str, question: str, verdict: Verdict, form: str, **body: Any) -> dict[str, Any]:
    """Put a body into the envelope."""
    return {
        "solvent": ENVELOPE_VERSION,
        "domain": domain,
        "question": question,
        "verdict": verdict.value,
        "form": form,
        **body,
    }


def envelope_violations(certificate: object, *, domain: str, questions: Collection[str]) -> list[str]:
    """Return what is wrong with the envelope, whatever the body says."""
    if not isinstance(certificate, Mapping):
        return [f"expected a JSON object, found {show_value(certificate)}"]
    missing = [key for key in ENVELOPE_KEYS if key not in certificate]
    if missing:
        return [f"expected the key {key!r}, which is missing" for key in missing]
    found = []
    version = certificate["solvent"]
    if version != ENVELOPE_VERSION or type(version) is not int:  # True and 1.0 equal 1
        found.append(f"expected version {ENVELOPE_VERSION}, found {show_value(version)}")
    if certificate["domain"] != domain:
        found.append(f"expected a certificate for {domain}, found one for {show_value(certificate['domain'])}")
    elif certificate["question"] not in list(questions):
        found.append(f"{domain} has no question {show_value(certificate['question'])}")
    if certificate["verdict"] not in (Verdict.YES.value, Verdict.NO.value):
        found.append(f"expected the verdict YES or NO, found {show_value(certificate['verdict'])}")
    if not isinstance(certificate["form"], str):
        found.append(f"expected a form in words, found {show_value(certificate['form'])}")
    return found


def encode_certificate(certificate: Certificate) -> bytes:
    """Write a certificate as JSON; the same certificate always gives the same bytes."""
    import msgspec

    return msgspec.json.encode(dict(certificate)) + b"\n"


def unwritable_violations(certificate: Certificate) -> list[str]:
    """Return why a certificate could not be written as JSON; one that was read from a file always could."""
    import msgspec

    try:
        msgspec.json.encode(dict(certificate))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return [f"expected values that JSON can hold ({error})"]
    return []


def decode_certificate(
    data: bytes,
    *,
    source: str | None = None,
    unfolded_megabytes: float = DEFAULT_UNFOLDED_MEGABYTES,
    meter: Meter = UNLIMITED,
) -> dict[str, Any]:
    """Read a certificate from JSON, compressed or not; raises ParseError if it is neither.

    A compressed one may unfold to so many megabytes. Raises LimitReached where the meter does not allow the memory.
    """
    import msgspec

    if data[:2] == _GZIP_MAGIC:
        try:
            data = unfold(data, megabytes=unfolded_megabytes, meter=meter)
        except ValueError as error:
            raise ParseError(f"a certificate compressed with gzip ({error})", source=source) from None
    values = sum(map(data.count, (b",", b"[", b"{")))
    meter.require_memory((BYTES_A_VALUE * values + BYTES_A_LETTER * len(data)) / 1e6, "reading the certificate")
    try:
        decoded = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if CUT_SHORT in str(error):
            line, column = end_of_text(data.decode("utf-8", "replace"))
            expected = "a certificate in JSON, but the file ends too early"
            raise ParseError(expected, line=line, column=column, source=source) from None
        raise ParseError(f"a certificate in JSON ({error})", data[:40], source=source) from None
    if not isinstance(decoded, dict):
        raise ParseError("a certificate, which is a JSON object", decoded, source=source)
    return decoded


def save_certificate(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write a certificate to a file, compressed if the name ends in `.gz`; all of it or nothing."""
    import os
    from pathlib import Path

    target = Path(path)
    data = encode_certificate(certificate)
    if target.suffix == ".gz":
        import gzip

        data = gzip.compress(data, compresslevel=6, mtime=0)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")  # two programs may save at the same moment
    try:
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def load_certificate(
    path: str | os.PathLike[str], *, unfolded_megabytes: float = DEFAULT_UNFOLDED_MEGABYTES
) -> dict[str, Any]:
    """Read a certificate that `save_certificate` wrote; a compressed one may unfold to so many megabytes."""
    with open(path, "rb") as file:
        data = file.read(LARGEST_CERTIFICATE_BYTES + 1)
    if len(data) > LARGEST_CERTIFICATE_BYTES:
        raise ParseError(f"a certificate of at most {LARGEST_CERTIFICATE_BYTES >> 20} MB", source=str(path))
    return decode_certificate(data, source=str(path), unfolded_megabytes=unfolded_megabytes)
