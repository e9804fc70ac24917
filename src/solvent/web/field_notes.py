"""What the docstrings under the fields of a class say, for a description that people read without the source."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from types import ModuleType


def field_notes(kind: type) -> dict[str, str]:
    """Return what stands under each field of a class and of those it is made from; nothing where there is no source."""
    notes: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        module = sys.modules.get(each.__module__)
        if module is not None and each.__module__.startswith("solvent."):
            notes |= _notes_of_module(module).get(each.__name__, {})
    return notes


@functools.cache
def _notes_of_module(module: ModuleType) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}
    return {node.name: _notes_of_class(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _notes_of_class(node: ast.ClassDef) -> dict[str, str]:
    notes = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            notes[field.target.id] = inspect.cleandoc(below.value.value)
    return notes
