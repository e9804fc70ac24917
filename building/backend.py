"""Build with setuptools, and ask for a C compiler from PyPI where the machine has none."""

from __future__ import annotations

from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

from building.compiler import machine_has_compiler

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what building needs beside what pyproject.toml says."""
    more = [] if machine_has_compiler() else ["ziglang>=0.13"]
    return [*build_meta.get_requires_for_build_wheel(config_settings), *more]


get_requires_for_build_editable = get_requires_for_build_wheel
