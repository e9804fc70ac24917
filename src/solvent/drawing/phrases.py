"""How counts, lists and names stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def plural(number: int, noun: str, several: str | None = None) -> str:
    """Return `file` for one and `files` for any other number; `several` is for nouns that do not end in an s."""
    return noun if number == 1 else several or f"{noun}s"


def counted(number: int, noun: str, several: str | None = None) -> str:
    """Write `1 file` or `1,204 files`."""
    return f"{number:,} {plural(number, noun, several)}"


def listed(items: Sequence[str], most: int | None = None, last: str = "and") -> str:
    """Write `a, b and c`; with more than `most`, `a, b and 7 more`."""
    if most is not None and len(items) > most:
        return f"{', '.join(items[: most - 1])} and {len(items) - most + 1:,} more"
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def with_article(noun: str) -> str:
    """Write `a red key` or `an orange key`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' and noun else 'a'} {noun}"


def capitalised(sentence: str) -> str:
    """Begin with a capital, and leave the other letters as they are."""
    return sentence[:1].upper() + sentence[1:]


def shorten(text: str, longest: int) -> str:
    """Cut a text to so many characters, the last one an ellipsis if something is missing."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def numbers_sorted(names: Sequence[str]) -> list[str]:
    """Sort names that are numbers, 9 before 10; others stay in their order."""
    if all(name.isascii() and name.isdecimal() and len(name) < 10 for name in names):
        return sorted(names, key=int)
    return list(names)
