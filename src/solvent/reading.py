"""From files and texts to problems and back: decode, detect the domain, parse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from solvent.core.domain import Domain
from solvent.core.errors import ParseError, unknown_name
from solvent.registry import detect, domain_of, get_domain

LARGEST_FILE_BYTES = 64 << 20


def read_problem(path: str | os.PathLike[str], *, domain: str | None = None) -> Any:
    """Read an instance from a file, or raise ParseError naming the file."""
    with Path(path).open("rb") as file:
        data = file.read(LARGEST_FILE_BYTES + 1)
    return decode_problem(data, source=str(path), domain=domain)


def decode_problem(data: bytes, *, source: str, domain: str | None = None) -> Any:
    """Read an instance from bytes, or raise ParseError naming where they came from."""
    if len(data) > LARGEST_FILE_BYTES:
        raise ParseError(f"at most {LARGEST_FILE_BYTES >> 20} MB of text", source=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        shown = data[error.start : error.start + 8]
        raise ParseError("text in UTF-8", shown, column=error.start + 1, source=source) from None
    try:
        return parse_problem(text, domain=domain)
    except ParseError as error:
        raise error.in_source(source) from None


def parse_problem(text: str, *, domain: str | None = None) -> Any:
    """Read an instance from a text; the domain is detected unless it is named."""
    if not text.strip():
        raise ParseError("an instance, but the text is empty")
    if "\0" in text:
        raise ParseError("text, but it holds a zero byte", column=text.index("\0") + 1)
    chosen: Domain = get_domain(domain) if domain is not None else detect(text)
    return chosen.parse(text)


def format_problem(problem: Any, format: str | None = None) -> str:
    """Write an instance as text, in the named format or its domain's first."""
    domain = domain_of(problem)
    if format is None:
        format = next(iter(domain.formats))
    elif format not in domain.formats:
        raise unknown_name(f"{domain.name} format", format, domain.formats)
    return domain.format(problem, format)
