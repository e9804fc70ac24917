"""Grids of our own: gallery, tests and documentation at once.

Have at least one instance of each verdict, one that needs no search and one that needs some. Each file says in comments
what it shows and what the verdict of each question is.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.core import examples
from solvent.core.examples import Example


def load_examples() -> Sequence[Example]:
    """Read the bundled grids; the format has no comments, so they are not part of the texts."""
    return examples.load_examples(__name__, keep_comments=False)
