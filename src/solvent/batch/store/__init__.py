"""Keep what runs found in one SQLite file: every source, every instance once, every answer with its certificate.

`schema` says what is in the file and brings older ones up to date, `opening` opens it, `failing` puts what can go wrong
into words, `store` writes, `reading` reads, always row by row.
"""

from solvent.batch.store.store import Run, Store

__all__ = ["Run", "Store"]
