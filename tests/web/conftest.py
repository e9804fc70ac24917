"""A server that was given a folder and a store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from web.calling import serving_with
from web.served_folder import ServedFolder, fill_store, write_levels


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedFolder]:
    """A folder with some levels and a store with two runs over them, and the server that shows both."""
    root = tmp_path_factory.mktemp("served")
    folder, store = root / "levels", root / "results of May"  # not every store is called .db
    write_levels(folder)
    fill_store(store, folder)
    with serving_with(jobs=1, quick_jobs=1, paths=[str(folder), str(store)]) as (_, address):
        yield ServedFolder(folder, store, address)
