"""Tell what Solvent wrote from instances by how it begins: results, reports, certificates. Runs leave it out."""

from __future__ import annotations

import re

from solvent.batch.json_lines import BEGINNING as LINES_BEGINNING
from solvent.batch.store.schema import APPLICATION_ID
from solvent.batch.table_csv import HEADER as TABLE_BEGINNING

STORE_BEGINNING = b"SQLite format 3\0"
STORE_MARK_AT = 68
"""Where the header of an SQLite file says whose it is."""
ENOUGH_BYTES = 1024

_OURS = {
    ".csv": re.compile(re.escape(TABLE_BEGINNING)),
    ".json": re.compile(rb'\{\s*"solvent"\s*:\s*[0-9]'),  # a certificate
    ".jsonl": re.compile(re.escape(LINES_BEGINNING)),
    ".ndjson": re.compile(re.escape(LINES_BEGINNING)),
    ".html": re.compile(rb'(?s)<!doctype html>.*<meta name="?generator"? content="?Solvent\b', re.IGNORECASE),
    ".db": re.compile(rb"(?s)" + re.escape(STORE_BEGINNING) + rb".{52}" + re.escape(APPLICATION_ID.to_bytes(4, "big"))),
}
_BESIDE_A_STORE = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a store that is in use."""


def is_ours(path: str) -> bool:
    """Tell whether this file holds results of a run, a report about one, or a certificate."""
    for ending in _BESIDE_A_STORE:
        if path.endswith(ending):
            path = path.removesuffix(ending)
    dot = path.rfind(".")
    begins = _OURS.get(path[dot:].lower()) if dot >= 0 else None
    if begins is None:
        return False
    try:
        with open(path, "rb") as file:
            return begins.match(file.read(ENOUGH_BYTES)) is not None
    except OSError:
        return False
