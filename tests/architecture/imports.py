"""Read which module imports which, without running any: imports inside functions count as well."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ROOTS = {"solvent": PROJECT / "src" / "solvent", "template_domain": PROJECT / "examples" / "template_domain"}


@dataclass(frozen=True)
class Import:
    """One import statement's arrow from a module to another."""

    importer: str
    imported: str
    late: bool
    """Whether it stands inside a function."""
    place: str
    """File and line, for the message."""


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    tree: ast.Module


@functools.cache
def module_paths() -> dict[str, Path]:
    """Return where every module of the package and of the template is, by dotted name."""
    paths = {}
    for root, folder in ROOTS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [root, *path.relative_to(folder).with_suffix("").parts]
            paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


@functools.cache
def read_modules() -> dict[str, Module]:
    """Return every module of the package and of the template, by dotted name."""
    return {
        name: Module(name, path, ast.parse(path.read_text(encoding="utf-8"), str(path)))
        for name, path in module_paths().items()
    }


@functools.cache
def read_imports() -> list[Import]:
    """Return every import of these modules."""
    modules = read_modules()
    return [found for module in modules.values() for found in _imports_of(module, modules)]


def _imports_of(module: Module, modules: dict[str, Module]) -> Iterator[Import]:
    for statement, late in _statements(module.tree):
        for target in _targets(module, statement, modules):
            yield Import(module.name, target, late, f"{module.path.relative_to(PROJECT)}:{statement.lineno}")


def _statements(parent: ast.AST, late: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield every statement and whether it stands inside a function; expressions hold no imports."""
    for child in ast.iter_child_nodes(parent):
        if isinstance(child, ast.stmt):
            yield child, late
            yield from _statements(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))
        elif isinstance(child, ast.excepthandler | ast.match_case):
            yield from _statements(child, late)


def _targets(module: Module, node: ast.stmt, modules: dict[str, Module]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = module.name.split(".")
            if module.path.name != "__init__.py":
                package.pop()
            package = package[: len(package) - node.level + 1]
            base = ".".join([*package, *([base] if base else [])])
        for alias in node.names:
            # `from package import module` is an arrow to the module, not to the package.
            inner = f"{base}.{alias.name}"
            yield inner if inner in modules else base


def text_constants(module: Module) -> Iterator[tuple[str, int]]:
    """Yield every string in the code with its line."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, node.lineno
