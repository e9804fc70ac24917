"""A domain whose instances misbehave on purpose, installed as a stranger's package would be."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("hostile_domain.py")
METADATA = "Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n"
ENTRY_POINTS = "[solvent.domains]\nhostile = hostile_domain\n"


def install(folder: Path, monkeypatch: pytest.MonkeyPatch | None = None) -> dict[str, str]:
    """Install the domain into a folder; return the environment in which Python finds it there.

    With `monkeypatch` this process and every process it starts know it too, until the test is over.
    """
    site = folder / "site"
    facts = site / "hostile-1.0.dist-info"
    facts.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE, site)
    (facts / "METADATA").write_text(METADATA)
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    before = os.environ.get("PYTHONPATH")
    search = str(site) if not before else f"{site}{os.pathsep}{before}"
    if monkeypatch is not None:
        monkeypatch.setenv("PYTHONPATH", search)
        monkeypatch.syspath_prepend(str(site))
    return {**os.environ, "PYTHONPATH": search}
