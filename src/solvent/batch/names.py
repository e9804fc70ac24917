"""Names and messages as text that can be written anywhere: to a terminal, a table, a store."""

from __future__ import annotations

from collections.abc import Iterable


def name_of_path(path: str) -> str:
    r"""Return what to call a file: its path on one line, odd bytes and control characters spelled out.

    Most paths are their own name. On some systems a path may hold bytes that are no text, which stand in it as halves
    of characters; those, and signs that would move the cursor of a terminal, are shown as `\xff` and `\n`.
    """
    if path.isprintable():
        return path
    return "".join(sign if sign.isprintable() else _spelled(sign) for sign in path)


def valid_text(text: str) -> str:
    """Return a text that can be encoded; halves of characters, as odd file names have them, are spelled out."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(_spelled(sign) if 0xD800 <= ord(sign) <= 0xDFFF else sign for sign in text)
    return text


def one_line(text: str) -> str:
    """Fold a text of several lines into one that can be written anywhere."""
    return name_of_path(" ".join(text.split()))


def _spelled(sign: str) -> str:
    if 0xDC80 <= ord(sign) <= 0xDCFF:  # how Python keeps a byte of a file name that is no text
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return sign.encode("unicode_escape").decode("ascii")


class CommonFolder:
    """Find out which folder all names begin with, so that nothing has to repeat it in every line."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.folder: str | None = None
        """Up to its slash; empty if they have none in common, None before the first."""
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Take one more name into account."""
        if self.folder is None:
            self.folder = name[: name.rfind("/") + 1]
        while self.folder and not name.startswith(self.folder):
            self.folder = self.folder[: self.folder.rstrip("/").rfind("/") + 1]

    def shorten(self, name: str) -> str:
        """Return a name without that folder."""
        return name.removeprefix(self.folder or "")
