"""Find the configuration: the nearest file, from a folder upwards."""

from __future__ import annotations

import os

OWN_FILE = "solvent.toml"
SHARED_FILE = "pyproject.toml"
REPOSITORY = (".git", ".hg")
"""A folder with one of these is a project of its own: what lies above is about something else."""


def find_file(folder: str | os.PathLike[str] = os.curdir) -> str | None:
    """Return the nearest `solvent.toml`, or `pyproject.toml` with a table for Solvent, in a folder or above it.

    The search ends at the root of a repository, at the home folder, and where another file system begins. In one folder
    `solvent.toml` goes first.
    """
    current = os.path.abspath(folder)
    try:
        device = os.stat(current).st_dev
    except OSError:
        return None
    home = os.path.expanduser("~")
    while True:
        own, shared = os.path.join(current, OWN_FILE), os.path.join(current, SHARED_FILE)
        if os.path.isfile(own):
            return own
        if os.path.isfile(shared) and _has_table(shared):
            return shared
        above = os.path.dirname(current)
        if (
            above == current
            or current == home
            or any(os.path.exists(os.path.join(current, name)) for name in REPOSITORY)
        ):
            return None
        try:
            if os.stat(above).st_dev != device:
                return None
        except OSError:
            return None
        current = above


def _has_table(path: str) -> bool:
    """Tell whether `[tool.solvent]` is in a file; one that never names Solvent is not parsed."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    if b"solvent" not in data:
        return False
    import tomllib

    try:
        tools = tomllib.loads(data.decode("utf-8")).get("tool", {})
    except ValueError:  # somebody else's to complain about, unless it has our heading
        return b"[tool.solvent" in data
    return isinstance(tools, dict) and "solvent" in tools
