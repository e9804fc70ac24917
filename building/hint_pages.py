"""Write the first hints of a Star Battle board for the documentation, as `solvent hint --path` says them."""

from __future__ import annotations

import textwrap
from itertools import islice

SHOWN = 20
"""Hints of each board."""
WIDTH = 100


def starbattle_hints(board: str) -> str:
    """Return a board in one line, such as `6x1.AAABBB…`, drawn, with its grade and its first hints."""
    import solvent
    from solvent.core.domain import Drawing
    from solvent.registry import domain_of

    puzzle = solvent.parse(board)
    domain = domain_of(puzzle)
    assert domain.hints is not None
    assert domain.hints.grade is not None
    path = list(solvent.hints(puzzle, path=True))
    drawn = domain.draw_text(puzzle, Drawing(bare=True)).rstrip()
    lines = [drawn, "", f"Grade: {domain.hints.grade(path)}.", ""]
    for number, hint in enumerate(islice((hint for hint in path if hint.move), SHOWN), start=1):
        lines += _wrapped(f"{number}. {hint.caption}", "   ")
        lines += [f"   {hint.technique}."]
        for line in hint.proof.splitlines():
            lines += _wrapped(f"     {line}", "       ")
        lines.append("")
    return "```text\n" + "\n".join(lines).rstrip() + "\n```"


def _wrapped(line: str, rest: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
