"""A module that is imported late is the one that the type checker read."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

import pytest

from architecture.imports import Module, module_paths, read_modules
from solvent.core.late_import import LateModule

USERS = sorted(name for name, path in module_paths().items() if "late_modules(" in path.read_text(encoding="utf-8"))


def declared(module: Module) -> Iterator[tuple[str, str]]:
    """Yield the names that `if TYPE_CHECKING` imports, each with the module it stands for."""
    for node in module.tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for found in (each for each in node.body if isinstance(each, ast.ImportFrom)):
                yield from ((alias.asname or alias.name, f"{found.module}.{alias.name}") for alias in found.names)


@pytest.mark.parametrize("name", [each for each in USERS if each != "solvent.core.late_import"])
def test_a_late_module_is_the_one_that_the_type_checker_reads(name: str) -> None:
    late = {key: value for key, value in vars(importlib.import_module(name)).items() if isinstance(value, LateModule)}
    assert late
    read = dict(declared(read_modules()[name]))
    for key, value in late.items():
        assert read.get(key) == value.__name__
        assert importlib.import_module(value.__name__)


def test_every_domain_is_among_them() -> None:
    assert {"solvent.dungeon.domain", "solvent.valency.domain", "template_domain.domain"} <= set(USERS)
