"""Import a module when something of it is first used, so that describing a domain loads nothing of it."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


class LateModule(ModuleType):
    """Stand for a module until one of its names is asked for."""

    _imported: ModuleType | None = None

    def __getattr__(self, name: str) -> Any:
        module = self._imported
        if module is None:
            module = self._imported = importlib.import_module(self.__name__)
        return getattr(module, name)


def late_modules(package: str, *names: str) -> list[LateModule]:
    """Return modules of a package that are imported when they are first used.

    A type checker reads the ordinary import beside the call: `if TYPE_CHECKING: from package import name`.
    """
    return [LateModule(f"{package}.{name}") for name in names]
