"""The envelope every certificate shares, and how it is stored.

A certificate is a JSON object: `solvent` (version of the envelope), `domain`, `question`, `verdict`, `form`, and the
body that the form asks for. Files that end in `.gz` are compressed; reading recognises compression by content.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Certificate, Verdict
from solvent.core.errors import ParseError, show_value

if TYPE_CHECKING:
    import os

ENVELOPE_VERSION = 1
ENVELOPE_KEYS = ("solvent", "domain", "question", "verdict", "form")
LARGEST_CERTIFICATE_BYTES = 2 << 30
"""A compressed file may unfold to this much, no more."""

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
    if version != ENVELOPE_VERSION or isinstance(version, bool):  # True equals 1
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


def decode_certificate(data: bytes, *, source: str | None = None) -> dict[str, Any]:
    """Read a certificate from JSON, compressed or not; raises ParseError if it is neither."""
    import msgspec

    if data[:2] == _GZIP_MAGIC:
        data = _unfold(data, source)
    try:
        decoded = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ParseError(f"a certificate in JSON ({error})", data[:40], source=source) from None
    if not isinstance(decoded, dict):
        raise ParseError("a certificate, which is a JSON object", decoded, source=source)
    return decoded


def _unfold(data: bytes, source: str | None) -> bytes:
    import zlib

    unfolder = zlib.decompressobj(wbits=31)
    try:
        unfolded = unfolder.decompress(data, LARGEST_CERTIFICATE_BYTES)
    except zlib.error as error:
        raise ParseError(f"a certificate compressed with gzip ({error})", data[:20], source=source) from None
    if unfolder.unconsumed_tail:
        raise ParseError(f"a certificate of at most {LARGEST_CERTIFICATE_BYTES} bytes", source=source)
    if not unfolder.eof:
        raise ParseError("a complete gzip file, but it ends early", source=source)
    return unfolded


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


def load_certificate(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a certificate that `save_certificate` wrote."""
    with open(path, "rb") as file:
        return decode_certificate(file.read(), source=str(path))
