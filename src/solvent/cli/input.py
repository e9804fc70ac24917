"""Read what the user names: instances, certificates, solutions, standard input for `-`, or an address itself."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solvent.cli.output import CannotUse

if TYPE_CHECKING:
    from solvent.core.answer import Certificate
    from solvent.core.budget import Meter
    from solvent.core.domain import SolutionFiles

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
    except FileNotFoundError:
        from solvent.cli.suggestions import explain_missing

        raise CannotUse(f"cannot read {describe(name)}: {explain_missing(name)}") from None
    except IsADirectoryError:
        raise CannotUse(f"{name} is a folder; 'solvent validate {name}' asks about everything in it") from None
    except OSError as error:
        raise CannotUse(f"cannot read {describe(name)}: {error.strerror or error}") from None


def describe(name: str) -> str:
    """Name the source in a message."""
    return "standard input" if name == STANDARD_INPUT else name


def read_problem(
    name: str, domain: str | None, rules: Mapping[str, str] | None = None, *, notes_settings: bool = True
) -> Any:
    """Read an instance from a file, or from an address given in place of one, and change the rules given.

    The domain is detected unless it is named. What the configuration says about mappings and rules counts where the
    command line says nothing, and a note on standard error says so unless `notes_settings` is false.
    """
    from solvent.cli.configured import configured_rules, current_configuration, note_configuration
    from solvent.reading import change_rules
    from solvent.registry import domain_of

    problem = _read_problem(name, domain)
    rules = rules or {}
    if current_configuration() is not None:
        owner = domain_of(problem)
        if notes_settings:
            note_configuration(owner, name, rules)
        rules = {**configured_rules(owner.name), **rules}
    return change_rules(problem, rules)


def _read_problem(name: str, domain: str | None) -> Any:
    from solvent.cli.configured import configured_mapping
    from solvent.core.errors import ParseError
    from solvent.reading import LARGEST_FILE_BYTES, decode_problem, domain_of_address
    from solvent.registry import get_domain

    if domain is not None:
        get_domain(domain)  # a mistyped domain is an error before waiting for standard input
    owner = domain_of_address(name, domain)
    if owner is not None:
        try:
            return owner.parse(name)
        except ParseError as error:
            raise error.in_source("the address") from None
    data = read_bytes(name, most=LARGEST_FILE_BYTES)
    path = None if name == STANDARD_INPUT else name
    mapping = given_mapping() or (None if path is None else configured_mapping(path))
    try:
        return decode_problem(data, source=describe(name), domain=domain, path=path, mapping=mapping)
    except ParseError:
        if is_certificate(data):
            raise CannotUse(
                f"{describe(name)} is a certificate, not an instance; "
                "'solvent check FILE CERTIFICATE' checks it, FILE first"
            ) from None
        raise


def given_mapping() -> str | None:
    """Return the mapping that the command was given."""
    import click

    from solvent.cli.parameters import MAPPING

    context = click.get_current_context(silent=True)
    found: str | None = None if context is None else context.meta.get(MAPPING)
    return found


def read_certificate(
    name: str, problem: Any, *, unfolded_megabytes: float | None = None, meter: Meter | None = None
) -> Certificate:
    """Read a certificate, compressed or not, or a solution as text if the problem's domain has such files."""
    from solvent.core.budget import UNLIMITED
    from solvent.core.compression import DEFAULT_UNFOLDED_MEGABYTES
    from solvent.proof.certificate import LARGEST_CERTIFICATE_BYTES, decode_certificate
    from solvent.registry import domain_of

    data = read_bytes(name, most=LARGEST_CERTIFICATE_BYTES)
    solutions = domain_of(problem).solutions
    if solutions is not None and not _looks_like_certificate(data):
        return _decode_solution(solutions, problem, data, source=describe(name))
    if len(data) > LARGEST_CERTIFICATE_BYTES:
        raise CannotUse(f"cannot read {describe(name)}: it is larger than {LARGEST_CERTIFICATE_BYTES >> 20} MB")
    allowed = DEFAULT_UNFOLDED_MEGABYTES if unfolded_megabytes is None else unfolded_megabytes
    return decode_certificate(data, source=describe(name), unfolded_megabytes=allowed, meter=meter or UNLIMITED)


def is_certificate(data: bytes) -> bool:
    """Tell whether this is a certificate: an object that names a form."""
    import msgspec

    if not _looks_like_certificate(data):
        return False
    try:
        decoded = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(decoded, dict) and {"solvent", "domain", "form"} <= decoded.keys()


def _looks_like_certificate(data: bytes) -> bool:
    """Tell JSON and gzip from other text by how they begin."""
    return data.startswith(b"\x1f\x8b") or data.lstrip()[:1] in (b"{", b"[")


def _decode_solution(solutions: SolutionFiles[Any], problem: Any, data: bytes, *, source: str) -> Certificate:
    from solvent.core.errors import ParseError
    from solvent.reading import LARGEST_FILE_BYTES

    if len(data) > LARGEST_FILE_BYTES:
        raise ParseError(f"a solution of at most {LARGEST_FILE_BYTES >> 20} MB", source=source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        shown = data[error.start : error.start + 8]
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError("a certificate, or a solution in UTF-8", shown, line=line, source=source) from None
    try:
        return solutions.read(problem, text)
    except ParseError as error:
        raise error.in_source(source) from None
