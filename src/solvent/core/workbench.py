"""Where the JavaScript and the style of a domain's page stand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from solvent.core.domain import Page

FOLDER = "workbench"
ENTRY_POINT = "workbench.js"
"""What the browser imports when an instance of the domain is opened; the page knows no domain by name."""


def workbench_folder(page: Page[Any]) -> Path:
    """Return the folder that a domain's page is served from."""
    package = importlib.util.find_spec(page.package)
    for place in (package.submodule_search_locations or ()) if package is not None else ():
        if (Path(place) / FOLDER / ENTRY_POINT).is_file():
            return Path(place) / FOLDER
    raise FileNotFoundError(f"{page.package} has no {FOLDER}/{ENTRY_POINT}")
