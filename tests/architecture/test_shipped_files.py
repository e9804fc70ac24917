"""Everything in the package that is not Python is shipped with it: a wheel without the page's files is of no use."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "solvent"
BUILT = {".py", ".pyc", ".pxd", ".so", ".stamp", ".c"}
"""What setuptools takes along by itself, or what is made by building."""


def test_every_file_that_is_no_code_is_named():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["solvent"]
    shipped = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    present = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in BUILT}
    assert len(present) > 100
    assert not sorted(path.relative_to(PACKAGE).as_posix() for path in present - shipped)
