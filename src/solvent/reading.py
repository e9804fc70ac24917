"""From files and texts to problems and back: decode, detect the domain, parse."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solvent.core.domain import Domain
from solvent.core.errors import BadOption, NotRecognised, ParseError, unknown_name
from solvent.core.file_kinds import kind_of_file
from solvent.registry import detect, domain_of, get_domain

if TYPE_CHECKING:
    PathName = str | os.PathLike[str]

LARGEST_FILE_BYTES = 64 << 20


def read_problem(path: PathName, *, domain: str | None = None, mapping: PathName | None = None) -> Any:
    """Read an instance from a file, by a mapping if one is given, or raise ParseError naming the file."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST_FILE_BYTES:  # a pipe has no size, and is measured as it is read
            raise _too_large(NotRecognised if domain is None else ParseError, str(path))
        data = file.read(size + 1)  # room for more than that takes longer to get than a small file to read
        if len(data) > size:
            data += file.read(LARGEST_FILE_BYTES + 1 - len(data))
    return decode_problem(data, source=str(path), domain=domain, path=path, mapping=mapping)


def decode_problem(
    data: bytes,
    *,
    source: str,
    domain: str | None = None,
    path: PathName | None = None,
    mapping: PathName | None = None,
) -> Any:
    """Read an instance from bytes, or raise ParseError naming where they came from.

    With the path of their file, a domain may look beside it for what the text alone does not say. A mapping is a file
    that says what the names in it mean.
    """
    # What is no text at all, such as a picture in a folder of levels, is nothing that some domain should have known.
    refusal = NotRecognised if domain is None else ParseError
    if len(data) > LARGEST_FILE_BYTES:
        raise _too_large(refusal, source)
    kind = kind_of_file(data)
    if kind is not None:
        raise refusal(f"an instance as text, but this is {kind}", source=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        shown = data[error.start : error.start + 8]
        raise refusal("text in UTF-8", shown, column=error.start + 1, source=source) from None
    try:
        return parse_problem(text, domain=domain, path=path, mapping=mapping)
    except ParseError as error:
        raise error.in_source(source) from None


def _too_large(refusal: type[ParseError], source: str) -> ParseError:
    return refusal(f"at most {LARGEST_FILE_BYTES >> 20} MB of text", source=source)


def domain_of_address(name: str, domain: str | None) -> Domain[Any] | None:
    """Return the domain of an instance that stands in place of a file, as the address of a web page can; else None.

    A file of that name comes first. Only one line with a slash counts, so that a mistyped name of a file is reported as
    that.
    """
    if "/" not in name or len(name.splitlines()) != 1 or os.path.lexists(name):
        return None
    try:
        found = detect(name) if domain is None else get_domain(domain)
    except NotRecognised:
        return None
    return found if domain is None or found.sniff(name) else None


def parse_problem(
    text: str, *, domain: str | None = None, path: PathName | None = None, mapping: PathName | None = None
) -> Any:
    """Read an instance from a text; the domain is detected unless it is named."""
    refusal = NotRecognised if domain is None else ParseError
    if not text.strip():
        raise refusal("an instance, but the text is empty")
    if "\0" in text:
        raise refusal("text, but it holds a zero byte", column=text.index("\0") + 1)
    chosen: Domain[Any] = get_domain(domain) if domain is not None else detect(text)
    if mapping is not None:
        from pathlib import Path

        if chosen.mappings is None:
            raise BadOption(f"{chosen.name} reads no mappings")
        return chosen.mappings.read(text, None if path is None else Path(path), Path(mapping))
    if path is not None and chosen.parse_file is not None:
        return chosen.parse_file(text, path)
    return chosen.parse(text)


def change_rules(problem: Any, rules: Mapping[str, Any]) -> Any:
    """Return an instance under other rules, or raise BadOption if there is no such rule or value."""
    if not rules:
        return problem
    domain = domain_of(problem)
    if domain.rules is None:
        raise BadOption(f"{domain.name} has no rules to choose from")
    known = {option.name: option for option in domain.rules.options}
    for name in rules:
        if name not in known:
            raise unknown_name(f"{domain.name} rule", name, known)
    return domain.rules.apply(problem, {name: known[name].accept(value) for name, value in rules.items()})


def format_problem(problem: Any, format: str | None = None) -> str:
    """Write an instance as text, in the named format or its domain's first."""
    domain = domain_of(problem)
    if format is None:
        format = next(iter(domain.formats))
    elif format not in domain.formats:
        raise unknown_name(f"{domain.name} format", format, domain.formats)
    return domain.format(problem, format)
