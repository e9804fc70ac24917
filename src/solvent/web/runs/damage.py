"""Whether a store is damaged, for its pages to say: what was found is remembered until the file changes."""

from __future__ import annotations

from pathlib import Path

from solvent.batch.store import Store
from solvent.core.errors import StoreError
from solvent.web.served_files import ServedFile

SECONDS_TO_LOOK = 2.0
"""How long a page waits while a store is looked through; of a large one, only its newest part is."""
MAX_REMEMBERED = 1_000

_found: dict[Path, tuple[tuple[int, int, int], str | None]] = {}
"""By place: which file it was, how large and when it had changed; and what is damaged in it."""


def find_damage(store: Store, file: ServedFile) -> str | None:
    """Say what is damaged in a store, as people see it; None if nothing is. What can be read is still shown."""
    status = store.path.stat()
    version = (status.st_ino, status.st_size, status.st_mtime_ns)
    known = _found.pop(store.path, None)
    if known is None or known[0] != version:
        known = (version, _look(store, file))
    while len(_found) >= MAX_REMEMBERED:
        _found.pop(next(iter(_found)))
    _found[store.path] = known
    return known[1]


def _look(store: Store, file: ServedFile) -> str | None:
    try:
        store.require_intact(seconds=SECONDS_TO_LOOK)
    except StoreError as error:
        return name_as_shown(str(error), file)
    return None


def name_as_shown(message: str, file: ServedFile) -> str:
    """Return a message with the store named as people see it, and nothing about where on the machine it is."""
    return message.replace(str(file.path), file.name).replace(str(file.path.parent), "its folder")
