"""Keep what runs found in one SQLite file: every source, every instance once, every answer with its certificate.

`schema` says what is in the file and brings older ones up to date, `opening` opens it and explains what can go
wrong, `store` and `writer` write, `reading` and `paging` read, always row by row.
"""

from solvent.batch.store.store import Run, Store

__all__ = ["Run", "Store"]
