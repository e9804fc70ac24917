"""Generate, then prove: levels of one domain that another domain judges, made again until every wish holds.

A wish names a domain, a question and the verdict that is wanted. Nothing here knows any domain by name: what one
exports, another reads, through the registry. `parsing` reads wishes and refuses those that cannot hold; `making` fills,
reads, asks, and excludes what an answer blames; `learning` turns blame about meanings into exclusions about pieces.
"""

from __future__ import annotations

from solvent.wishes.making import Proven, make_proven
from solvent.wishes.parsing import Wish, read_wishes

__all__ = ["Proven", "Wish", "make_proven", "read_wishes"]
