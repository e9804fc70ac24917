"""Boards of our own: each file shows one thing, names it in `# Title:` and says the verdict in `# Expected:`."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.core import examples
from solvent.core.examples import Example


def load_examples() -> Sequence[Example]:
    """Read the bundled boards."""
    return examples.load_examples(__name__)
