"""The part of a domain that a page can show and play, beside the pictures, answers and hints that every domain has.

What runs in the browser stands in a folder `workbench` beside the domain's own modules, with a `workbench.js` to begin
with; the page knows no domain by name and imports that file when somebody opens one of its instances.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from solvent.core.domain import Domain

FOLDER = "workbench"
BEGINNING = "workbench.js"


@runtime_checkable
class Playing(Protocol):
    """The part of a domain whose instances can be shown piece by piece, and played."""

    def scene(self, problem: Any) -> Mapping[str, Any]:
        """Return what stands where, as JSON values, for a page to draw and to tell what a player points at."""

    def play(self, problem: Any, action: Mapping[str, Any]) -> Any:
        """Return the instance after something a player does.

        Raises BadOption, in a player's words, if it cannot be done. What is allowed is decided here, by the rules of
        the domain, never in the page.
        """


@runtime_checkable
class Marking(Protocol):
    """The part of a domain that can show on the board what an answer says, beyond what its certificate names."""

    def marks(self, problem: Any, certificate: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what an accepted certificate is about and where, as JSON values for the domain's own page."""


def workbench_folder(domain: Domain) -> Path | None:
    """Return the folder with what a domain adds to the page; None if it adds nothing."""
    package = type(domain).__module__.rpartition(".")[0]
    found = importlib.util.find_spec(package) if package else None
    for place in (found.submodule_search_locations or ()) if found is not None else ():
        folder = Path(place) / FOLDER
        if (folder / BEGINNING).is_file():
            return folder
    return None
