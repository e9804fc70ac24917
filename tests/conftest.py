"""What all tests share: the hypothesis profile and the optional corpora."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
from collections.abc import Generator
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


def import_own_share(config: pytest.Config) -> None:
    """Import a part of the files first, another in each of the processes that run all tests together.

    pytest rewrites the asserts of a file when it is imported for the first time, and keeps the result. Processes that
    import the same files in the same order would all do all of that work.
    """
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS or "PYTEST_XDIST_WORKER" not in os.environ:
        return
    own = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    folder = Path(__file__).parent
    for file in sorted(folder.rglob("test_*.py"))[own :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
        with contextlib.suppress(Exception, pytest.skip.Exception):  # whatever it is, collecting says so
            importlib.import_module(".".join(file.relative_to(folder).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keep the garbage collector away from the many thousand tests, which stay until the end: each look at all of them
    takes more than a second, also when a test or what it tests asks for one."""
    gc.disable()
    try:
        import_own_share(session.config)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


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
