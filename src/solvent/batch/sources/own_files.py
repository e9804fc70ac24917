"""Tell what Solvent wrote from instances by how it begins: results, reports, certificates. Runs leave it out."""

from __future__ import annotations

import functools
import os
import re
from typing import Literal

from solvent.batch.exports import HEADER as TABLE_BEGINNING
from solvent.batch.exports import LINE_BEGINNING
from solvent.batch.findings.beginnings import CERTIFICATE, GITLAB, JUNIT, MARKDOWN, SARIF
from solvent.batch.store.schema import APPLICATION_ID

STORE_BEGINNING = b"SQLite format 3\0"
ENOUGH_BYTES = 1024

Kind = Literal[".csv", ".jsonl", ".html", "junit", "sarif", "gitlab", "markdown"]
"""How a table, lines of JSON or a page usually ends; or a format of findings."""

BESIDE_A_STORE = ("-wal", "-shm", "-journal")
"""How the names of files go on that SQLite keeps beside a store that is in use."""

_STORE = re.compile(rb"(?s)" + re.escape(STORE_BEGINNING) + rb".{52}" + re.escape(APPLICATION_ID.to_bytes(4, "big")))
_OURS = {
    ".csv": re.compile(re.escape(TABLE_BEGINNING)),
    ".json": re.compile(b"|".join([CERTIFICATE, GITLAB, SARIF])),
    ".xml": re.compile(JUNIT),
    ".sarif": re.compile(SARIF),
    ".md": re.compile(MARKDOWN),
    "junit": re.compile(JUNIT),
    "sarif": re.compile(SARIF),
    "gitlab": re.compile(GITLAB),
    "markdown": re.compile(MARKDOWN),
    ".jsonl": re.compile(re.escape(LINE_BEGINNING)),
    ".ndjson": re.compile(re.escape(LINE_BEGINNING)),
    ".html": re.compile(rb'(?s)<!doctype html>.*<meta name="?generator"? content="?Solvent\b', re.IGNORECASE),
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), _STORE),
}


def is_ours(path: str) -> bool:
    """Tell whether this file holds results of a run, a report about one, a certificate, or a mapping of names."""
    if os.path.basename(path) in _mapping_names():
        return True
    if path.endswith(BESIDE_A_STORE):
        path = path[: path.rindex("-")]
    dot = path.rfind(".")
    return dot >= 0 and _begins_like(path, path[dot:].lower())


@functools.cache
def _mapping_names() -> frozenset[str]:
    """Return what the files are called that say how to read others."""
    from solvent.registry import all_domains

    return frozenset(domain.mappings.file_name for domain in all_domains() if domain.mappings is not None)


def may_replace(path: str, kind: Kind) -> bool:
    """Tell whether a file of this kind may be written here: there is none, an empty one, or one of ours of that kind.

    The name does not matter. A device or a pipe holds nothing that could be lost.
    """
    try:
        return not os.path.isfile(path) or not os.path.getsize(path) or _begins_like(path, kind)
    except (OSError, ValueError):
        return True  # writing will fail with a message


def _begins_like(path: str, kind: str) -> bool:
    begins = _OURS.get(kind)
    if begins is None:
        return False
    try:
        with open(path, "rb") as file:
            return begins.match(file.read(ENOUGH_BYTES)) is not None
    except OSError:
        return False
