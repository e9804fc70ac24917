"""Forget the sources once they were looked at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from architecture.imports import read_imports, read_modules


@pytest.fixture(scope="package", autouse=True)
def forget_sources() -> Iterator[None]:
    """Let go of the syntax trees: with their millions of nodes around, one garbage collection takes over a second."""
    yield
    read_imports.cache_clear()
    read_modules.cache_clear()
