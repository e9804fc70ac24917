"""Boards of our own: each file shows one thing, names it in `# Title:` and says the verdict in `# Expected:`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources

from solvent.core.answer import Verdict
from solvent.core.domain import Example

_TITLE = re.compile(r"^# Title: (.+)$", re.MULTILINE)
_EXPECTED = re.compile(r"^# Expected: (\w+) (YES|NO)$", re.MULTILINE)


def load_examples() -> Sequence[Example]:
    """Read the bundled boards in the order of their files; the number in front of a file's name is for that only."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".txt")]
    return [
        _read_example(file.name, file.read_text(encoding="utf-8")) for file in sorted(files, key=lambda file: file.name)
    ]


def _read_example(file_name: str, text: str) -> Example:
    title = _TITLE.search(text)
    expected = {question: Verdict(verdict) for question, verdict in _EXPECTED.findall(text)}
    if title is None or not expected:
        raise ValueError(f"{file_name}: expected the comments '# Title: …' and '# Expected: solvable YES'")
    name = file_name.removesuffix(".txt").lstrip("0123456789_")
    return Example(name=name, title=title[1], text=text, expected=expected)
