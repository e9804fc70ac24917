"""Tell whether a text is a Star Battle, and in which format. Imports almost nothing: it looks at every file.

Only how a text begins is looked at, without comments and blank lines. Patterns are written where they are used, so that
each is compiled when it is first needed.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

EXTRAS = ("stars", "marks", "regions")
"""What may stand behind a `#` without being a comment; see `notation.reading`."""
COMMENT = rf"#(?=(?:{'|'.join(EXTRAS)})=)|(?:^|(?<=\s))#"
TOKEN = r"(?:0*([0-9]{1,6})|([A-Za-z]))([sx]?)"
# A folder may have the puzzle's name too: without a question mark, a number must follow.
PUZZLINK_START = r"(?i:(?:\S*\?)starbattle(?:_edit)?/|starbattle(?:_edit)?/(?=[0-9]+/))"

_OPENING_LENGTH = 20_000
"""How many characters are looked at to tell what a text is."""


def sniff(text: str) -> bool:
    """Tell whether the text begins like a puzzle in one of the formats, with mistakes or without."""
    return format_of(text) is not None


def format_of(text: str) -> str | None:
    """Return the name of the format that a text begins like."""
    opening = read_opening(text)
    return next((name for name, is_it in _FORMATS.items() if is_it(opening)), None)


def read_opening(text: str) -> str:
    """Return how a text begins, without comments and blank lines; this is all that telling formats apart looks at."""
    without_comments = (re.split(COMMENT, raw, maxsplit=1)[0].strip() for _, raw in raw_lines(text[:_OPENING_LENGTH]))
    return "\n".join(line for line in without_comments if line)


def raw_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line and its number without splitting all of a huge text first."""
    start, number = (1 if text.startswith("\ufeff") else 0), 1
    for found in re.finditer(r"\r\n|\r|\n", text):
        yield number, text[start : found.start()]
        start = found.end()
        number += 1
    yield number, text[start:]


def _is_grid(opening: str) -> bool:
    """Tell whether two numbers stand first, and what follows could be a row of letters."""
    return re.match(r"[-+]?\d\S*[^\S\n]+[-+]?\d\S*(?:\n\S*(?:\n|\Z)|\Z)", opening) is not None


def _is_tokens(opening: str) -> bool:
    """Tell whether the first line consists of tokens; one of many may be mistyped if the others are numbers."""
    words = opening.partition("\n")[0].split()
    good = [word for word in words if re.fullmatch(TOKEN, word)]
    if len(words) < 4 or len(good) < len(words) - 1:
        return False
    return len(good) == len(words) or all(word[0] in "0123456789" for word in good)


def _is_puzzlink(opening: str) -> bool:
    """Tell whether the line is an address of a Star Battle."""
    return re.match(PUZZLINK_START, opening) is not None


def _is_sbn(opening: str) -> bool:
    """Tell whether the line begins with a size, twice, the stars and a flag."""
    return re.match(r"([0-9A-Za-z])\1[0-9][We][0-9A-Za-z_~-]*", opening) is not None


def _is_task(opening: str) -> bool:
    """Tell whether the line begins with numbers and has more commas than other lists would."""
    return re.match(r"[0-9]{1,6}(?:\s*,\s*[0-9]{1,6}){3}\s*,[^\n]*(?:,[^\n]*){4}", opening) is not None


def _is_krazydad(opening: str) -> bool:
    """Tell whether the line begins with three words, commas between, and a quotation mark."""
    return re.match(r'[^\s,"]+\s*,\s*[^\s,"]+\s*,\s*[^\s,"]+\s*,\s*"', opening) is not None


def _is_masonomara(opening: str) -> bool:
    """Tell whether the line begins with size, x, stars, a point and a few letters."""
    return re.match(r"[0-9]+x[0-9]+\.[0-9A-Za-z]{4}", opening) is not None


def _is_queens(opening: str) -> bool:
    """Tell whether rows of names begin here, or an object with its colour regions near the start."""
    return re.match(r'\[\s*\[\s*["0-9-]', opening) is not None or (
        opening.startswith("{") and '"colorRegions"' in opening
    )


_FORMATS: Mapping[str, Callable[[str], bool]] = {
    "grid": _is_grid,
    "tokens": _is_tokens,
    "puzzlink": _is_puzzlink,
    "sbn": _is_sbn,
    "task": _is_task,
    "krazydad": _is_krazydad,
    "masonomara": _is_masonomara,
    "queens": _is_queens,
}
"""How a text in each format begins; the first that fits counts."""
