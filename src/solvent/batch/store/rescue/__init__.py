"""Save what is intact in a damaged store: `pages` reads the file without SQLite, `copying` keeps what its seal fits."""

from solvent.batch.store.rescue.copying import Rescued, rescue

__all__ = ["Rescued", "rescue"]
