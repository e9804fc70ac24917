"""What all tests share: the hypothesis profile and the optional corpora."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["helpers.browser", "helpers.command", "batch.hostile.fixture"]

PROJECT = Path(__file__).resolve().parent.parent

# Derandomised: a test that fails once fails again, everywhere. No deadline: the first run may compile kernels.
settings.register_profile(
    "solvent",
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("solvent")


@pytest.fixture(scope="session")
def project() -> Path:
    """Return the folder that holds src, tests and docs."""
    return PROJECT


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Return the folder of public instances, or skip: they are not part of the project."""
    folder = Path(os.environ.get("SOLVENT_CORPORA") or PROJECT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no public instances in {folder}; set SOLVENT_CORPORA to a folder that has them")
    return folder
