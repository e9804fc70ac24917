"""The domain that misbehaves, for one test."""

from __future__ import annotations

from pathlib import Path

import pytest

from batch.hostile import install


@pytest.fixture
def hostile_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install it for this process and every process it starts, until the test is over."""
    from solvent.batch.rows import passing_verdict, report_columns_by_name

    install(tmp_path, monkeypatch)
    report_columns_by_name.cache_clear()
    passing_verdict.cache_clear()
