"""What a file is that is not the one expected: its kind by its first bytes, and where a text ends."""

from __future__ import annotations

_KINDS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"SQLite format 3\0", "a database; 'solvent report' shows one that 'solvent validate' wrote"),
    (b"\xff\xfe", "text in UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16; save it as UTF-8"),
)

CUT_SHORT = "truncated"
"""What stands in msgspec's error about JSON that ends too early."""


def kind_of_file(data: bytes) -> str | None:
    """Return what a file that is no text in UTF-8 is, as far as its first bytes say; else None."""
    return next((kind for beginning, kind in _KINDS if data.startswith(beginning)), None)


def is_cut_short(text: str) -> bool:
    """Tell whether a text is the beginning of JSON without its end."""
    if text.lstrip()[:1] not in ("{", "["):
        return False
    import msgspec

    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return CUT_SHORT in str(error)
    except (UnicodeEncodeError, RecursionError):
        pass
    return False


def end_of_text(text: str) -> tuple[int, int]:
    """Return the line and column after the last letter, counted from 1."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")
