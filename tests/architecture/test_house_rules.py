"""Rules of the house that a reader can rely on: short signatures, the words of the field, domains without surprises."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import solvent
from architecture.imports import read_modules

SOURCE = Path(solvent.__file__).parent
MAX_PARAMETERS = 8
PRIVATE_WORDS = re.compile(
    r"(beside|elements|survey|telling|wording|words|shelf|places|lanes|bodies|nursery|oddities|of_cluster|finishing"
    r"|losing|scene|(tiled|ldtk|staging_json|validating|drawing)_\w+|\w+_words)(_kernel)?"
)
"""Names of modules that nobody outside would look for; STYLE of the house has better ones."""


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for module in read_modules().values():
        if module.path.is_relative_to(SOURCE):
            yield module.path, module.tree


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether click calls the function, with everything that a user can say."""
    return any(ast.unparse(each).startswith("click.command") for each in function.decorator_list)


def test_there_is_something_to_read() -> None:
    assert len(list(modules())) > 500


def test_no_function_has_more_parameters_than_a_reader_can_keep_in_mind() -> None:
    long = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.name} has {len(parameters(node))}"
        for path, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len(parameters(node)) > MAX_PARAMETERS
        and not is_command(node)
    ]
    assert long == []


def test_nothing_is_looked_for_on_a_domain_that_its_description_does_not_name() -> None:
    looked = [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"\b(getattr|hasattr)\((\w+\.)?(domain|owner)\b", line)
    ]
    assert looked == []


def test_modules_have_the_words_of_the_field() -> None:
    assert [str(path.relative_to(SOURCE)) for path, _ in modules() if PRIVATE_WORDS.fullmatch(path.stem)] == []
    assert [str(path.parent) for path, _ in modules() if PRIVATE_WORDS.fullmatch(path.parent.name)] == []


@pytest.mark.parametrize("name", ["tiled_map", "run_words", "places_kernel", "telling"])
def test_a_private_word_is_found(name: str) -> None:
    assert PRIVATE_WORDS.fullmatch(name)
