"""The configuration of a project: `solvent.toml`, or `[tool.solvent]` in `pyproject.toml`.

Nothing here is used behind a caller's back: the command and the pytest plugin look for a file and hand on what it says;
`solvent.ask` and `solvent.validate` know nothing of it.
"""

from __future__ import annotations

from solvent.configuration.finding import find_file
from solvent.configuration.reading import Configuration, load

__all__ = ["Configuration", "find_file", "load"]
