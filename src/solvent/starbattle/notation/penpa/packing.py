"""What is in the address of a Penpa+ drawing: lines of text and JSON, shortened, deflated, in base 64.

The lines are, counted from 0: the heading (kind of grid, width, height and so on, commas between), the margins, modes,
the problem, what was drawn as its answer, the cells of the grid, and more that says how to show it; line 17 has tags.
"""

from __future__ import annotations

import base64
import binascii
import zlib

from solvent.core.compression import unfold

MOST_MEGABYTES = 4
"""What an address may unfold to; a drawing of 25 rows takes a hundredth of it."""
TAGS_LINE = 17
_LETTERS = (
    *(('"qa"', "9"), ('"pu_q"', "Q"), ('"pu_a"', "A"), ('"grid"', "G"), ('"edit_mode"', "M"), ('"surface"', "S")),
    *(('"line"', "L"), ('"lineE"', "E"), ('"wall"', "W"), ('"cage"', "C"), ('"number"', "N"), ('"symbol"', "Y")),
    *(('"special"', "P"), ('"board"', "B"), ('"command_redo"', "R"), ('"command_undo"', "U")),
    *(('"command_replay"', "8"), ('"numberS"', "1"), ('"freeline"', "F"), ('"freelineE"', "2"), ('"thermo"', "T")),
    *(('"arrows"', "3"), ('"direction"', "D"), ('"squareframe"', "0"), ('"polygon"', "5"), ('"deletelineE"', "4")),
    *(('"killercages"', "6"), ('"nobulbthermo"', "7"), ('"__a"', "_"), ("null", "O")),
)
"""What is shortened to `z` and a letter; a `z` of the text itself becomes `zZ`, which older versions do not know."""


def pack(lines: list[str]) -> str:
    """Return the parameter `p` for some lines; none of them may have a z, which old and new versions read apart."""
    text = "\n".join(lines)
    assert "z" not in text
    for word, letter in _LETTERS:
        text = text.replace(word, f"z{letter}")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def unpack(packed: str) -> list[str]:
    """Return the lines in a parameter `p`; raises ValueError if it is damaged or unfolds to too much."""
    bare = packed.rstrip("=")
    try:
        data = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except binascii.Error:
        raise ValueError("it is no base 64") from None
    text = unfold(data, megabytes=MOST_MEGABYTES, container="deflate").decode("utf-8", "replace")
    for word, letter in reversed(_LETTERS):
        text = text.replace(f"z{letter}", word)
    return text.replace("zZ", "z").split("\n")
