"""The short name that each colour of a board gets in a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def abbreviate(palette: Sequence[str]) -> list[str]:
    """Give each colour a short name of its own, all of one length: letters of the name in order, the first one first.

    The length is 1 if the initials differ, else 2 or 3; with very many colours the short names are numbers.
    """
    for length in (1, 2, 3):
        given: dict[str, None] = {}
        for name in palette:
            free = (candidate for candidate in _short_names(name, length) if candidate not in given)
            candidate = next(free, None)
            if candidate is None:
                break
            given[candidate] = None
        else:
            return list(given)
    width = len(str(len(palette)))
    return [f"{number:0{width}d}" for number in range(1, len(palette) + 1)]


def _short_names(name: str, length: int) -> Iterator[str]:
    if length == 1:
        yield name[0]
        return
    letters = [letter for letter in name[1:] if letter.isalnum()]
    if length == 2:
        yield from (name[0] + letter for letter in letters)
        yield from (f"{name[0]}{digit}" for digit in range(2, 10))
    else:
        yield from (name[0] + a + b for index, a in enumerate(letters) for b in letters[index + 1 :])
        yield from (f"{name[0]}{number:02d}" for number in range(2, 100))
