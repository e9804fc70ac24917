"""Grids of our own: gallery, tests and documentation at once.

Have at least one instance of each verdict, one that needs no search and one that needs some.
"""

from __future__ import annotations

from importlib import resources

from solvent.core.answer import Verdict
from solvent.core.domain import Example

_EXAMPLES = (
    ("plus", "One press in the middle is enough", Verdict.YES),
    ("night", "All dark: five presses at least", Verdict.YES),
    ("done", "All lit already: the empty plan", Verdict.YES),
    ("pair", "Two lamps change together, so they stay different", Verdict.NO),
    ("corner", "One dark corner cannot be mended, as all 4,096 states show", Verdict.NO),
)


def load_examples() -> list[Example]:
    """Return the bundled grids with their verdicts."""
    folder = resources.files(__package__)
    return [
        Example(name, title, (folder / f"{name}.txt").read_text(encoding="utf-8"), {"solvable": verdict})
        for name, title, verdict in _EXAMPLES
    ]
