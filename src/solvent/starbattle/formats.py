"""The formats of Star Battle: how each is recognised, and where it is read and written.

Only how a text begins is looked at, without comments and blank lines. This module imports almost nothing, since it
looks at the files of every domain. Patterns are written where they are used, so that each is compiled when it is first
needed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from solvent.formats.lines import numbered_lines
from solvent.formats.table import Format, FormatTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from solvent.starbattle.model import Puzzle

EXTRAS = ("stars", "marks", "regions")
"""What may stand behind a `#` without being a comment; see `notation.reading`."""
COMMENT = rf"#(?=(?:{'|'.join(EXTRAS)})=)|(?:^|(?<=\s))#"
TOKEN = r"(?:0*([0-9]{1,6})|([A-Za-z]))([sx]?)"  # noqa: S105
# A folder may have the puzzle's name too: without a question mark, a number must follow.
PUZZLINK_START = r"(?i:(?:\S*\?)starbattle(?:_edit)?/|starbattle(?:_edit)?/(?=[0-9]+/))"

_OPENING_LENGTH = 20_000
"""How many characters of a text are looked at to find its format."""


def read_opening(text: str) -> str:
    """Return how a text begins, without comments and blank lines; this is all that finding the format looks at."""
    without_comments = (
        re.split(COMMENT, raw, maxsplit=1)[0].strip() for _, raw in numbered_lines(text[:_OPENING_LENGTH])
    )
    return "\n".join(line for line in without_comments if line)


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


def _row(name: str, description: str, sniff: Callable[[str], bool], module: str = "") -> Format:
    module = module or name
    return Format(name, description, sniff, f"{module}:parse_{name}", f"{module}:format_{name}")


FORMATS: FormatTable[Puzzle] = FormatTable(
    "solvent.starbattle.notation",
    (
        _row("grid", "size and stars, then a line of region letters per row; marks as a second grid", _is_grid),
        _row("tokens", "a line per row of region numbers, each with s or x if it is marked", _is_tokens),
        _row("puzzlink", "a puzz.link address", _is_puzzlink),
        _row("sbn", "StarBattleLab notation", _is_sbn),
        _row("task", "region numbers with commas, as puzzle-star-battle.com has them", _is_task, "one_line"),
        _row("krazydad", "size, stars and the layout in quotes, as KrazyDad has them", _is_krazydad, "one_line"),
        _row("masonomara", "size and stars, a point, and the layout", _is_masonomara, "one_line"),
        _row("queens", "JSON with the regions as rows of numbers", _is_queens),
    ),
    expected="the size and the stars, such as 10 2, or another format (tokens, puzzlink, sbn, task, krazydad, "
    "masonomara, queens)",
    opening=read_opening,
    keeps_source=True,
)
