"""Open one entry of a list of samples on the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from solvent.core.domain import Entry
from solvent.valency.formats import is_sample_list
from solvent.valency.model import Staging


def find_entries(text: str) -> Sequence[Entry]:
    """Return what a list of samples holds; nothing for any other text."""
    if not is_sample_list(text):
        return ()
    from solvent.valency.notation.wfc_samples import describe_entry, needed_file, read_entries

    return [
        Entry(name=each.label, about=describe_entry(each), needs=(needed_file(each),)) for each in read_entries(text)
    ]


def read_entry(text: str, path: Path, name: str) -> Staging:
    """Make the task of an entry; its picture or rule set is looked for beside the list."""
    from solvent.valency.notation.wfc_samples import find_entry, read_entries, stage_entry

    return stage_entry(find_entry(read_entries(text), name), path)
