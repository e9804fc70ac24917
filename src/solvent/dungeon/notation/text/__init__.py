"""Our own text format: maps of characters with a legend, and all the rest in lines that people can read and compare.

    dungeon: The first door
    rules: bombs=2, soft=open

    map:
    #######
    #@k.LG#
    #######

The first line that says something is `dungeon:` and a title. A text without it that is certainly a map in our glyphs,
with a start and a goal, is read as well; sections may follow it after a blank line, its rows may have any length, and
`r`, `R`, `y`, `Y` are red and yellow keys and locks if no legend says what they are. The sections after it may come in
any order:

- `rules:` what differs from the usual rules, such as `bombs=unlimited, keys=1 + red 2`.
- `goal:` what all goals need, such as `needs medallion >= 3`.
- `missing:` coloured keys and items that gates need although they lie nowhere; otherwise that is a mistake.
- `map:` or `map NAME:` one floor, its rows in the lines below until a blank line. All rows are equally long.
- `legend:` lines such as `r = key red + monster`. Without one, `#` is wall, `.` floor, a blank or `_` nothing,
  `~` water, `^ > v <` are walked one way, `@` start, `G` goal, `k` key, `L` lock, `b` bombs, `B` cracked wall,
  `m` monster, `o` block. Two tiles with a glyph for `stairs` or `warp` lead to each other.
- `switches:` lines such as `water = high, middle, low`, for switches with states of their own.
- `rooms:` lines such as `Hall = 2,3 5x8: boss`: first row and column, height and width, labels.
- `places:` lines such as `Hall: key`, each a floor of a single tile.
- `ways:` lines such as `Hall <-> Cellar 3,4: stairs, lock red`.
- `moves:` those played already, such as `EES 12 N u3 r`.

Gates are `lock [COLOUR]`, `cracked`, `gate ITEM, ITEM`, `barrier SWITCH [open]`, `soft ROOM` and `needs RULE`, with a
rule such as `bow | bombs >= 2 & lamp` (see `requirements`). What they are called may follow in parentheses; all that
need the same and are called the same are one gate. Without a name, tiles that touch and show the same glyph are one.
"""

from __future__ import annotations

from solvent.dungeon.notation.text.reading import parse_text
from solvent.dungeon.notation.text.writing import format_text

__all__ = ["format_text", "parse_text"]
