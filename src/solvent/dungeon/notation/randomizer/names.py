"""Names that dungeons can have, for the names that files have: plain letters, and no two alike."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.dungeon.notation.ruling import is_name

MAX_LETTERS = 60
MAX_SHOWN = 3


class PlainNames:
    """Give each name of a file a name that dungeons can have, always the same one, and no two the same."""

    def __init__(self, what: str, beside: PlainNames | None = None) -> None:
        """Begin without names; with `beside`, none may be the same as one of those either."""
        self.what = what
        """What the names are of, for the remark: "items"."""
        self.plain: dict[str, str] = {}
        """The name in the dungeon for each name in the file."""
        self._taken: set[str] = set() if beside is None else beside._taken

    def __getitem__(self, name: str) -> str:
        return self.plain[name]

    def __contains__(self, name: str) -> bool:
        return name in self.plain

    def add(self, name: str) -> str:
        """Return the plain name; names that need no change should be added before those that do."""
        if name not in self.plain:
            self.plain[name] = self.invent(name)
        return self.plain[name]

    def add_all(self, names: Iterable[str]) -> None:
        """Add names: those first that can stay as they are, so that no other takes one away."""
        every = list(dict.fromkeys(names))
        for name in every:
            if is_name(name):
                self.add(name)
        for name in every:
            self.add(name)

    def invent(self, wish: str) -> str:
        """Return a name like the one wished for that nothing has, and keep it."""
        name = base = plain_name(wish)
        number = 1
        while name in self._taken:
            number += 1
            name = f"{base[: MAX_LETTERS - len(str(number)) - 1].rstrip()} {number}"
        self._taken.add(name)
        return name

    def remark(self) -> str:
        """Say which names had to be changed; empty if none."""
        changed = [(name, plain) for name, plain in self.plain.items() if name != plain]
        if not changed:
            return ""
        shown = ", ".join(f"{name[:MAX_LETTERS]!r} is {plain!r}" for name, plain in changed[:MAX_SHOWN])
        more = f", and {len(changed) - MAX_SHOWN:,} more" if len(changed) > MAX_SHOWN else ""
        return f"names of {self.what} written with plain letters: {shown}{more}"


def plain_name(name: str) -> str:
    """Return a name with only the letters that dungeons' names may have."""
    spelt = name.replace("->", " to ").replace("&", " and ")
    letters = "".join(letter if letter.isalnum() or letter in " -'" else " " for letter in spelt)
    short = " ".join(letters.split())[:MAX_LETTERS].strip()
    return short or "nameless"
