"""Kernels keep the house rules of docs/explanation/kernels.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from architecture.imports import Import
from architecture.test_imports import allowed

MAX_PARAMETERS = 8


def kernel_files(project: Path) -> list[Path]:
    return sorted((project / "src" / "solvent").rglob("*_kernel.py"))


def functions_of(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def test_there_are_kernels(project):
    assert len(kernel_files(project)) > 30


def test_signatures_are_typed_and_short(project):
    wrong = []
    for path in kernel_files(project):
        for function in functions_of(path):
            arguments = function.args
            named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            named = named[1:] if named and named[0].arg == "self" else named
            place = f"{path.name}:{function.lineno} {function.name}"
            if len(named) > MAX_PARAMETERS:
                wrong.append(f"{place} has {len(named)} parameters")
            for argument in named:
                if argument.annotation is None or "Any" in ast.unparse(argument.annotation):
                    wrong.append(f"{place}: {argument.arg} has no type")
            if function.returns is None or "Any" in ast.unparse(function.returns):
                wrong.append(f"{place} has no type of result")
    assert not wrong, "\n".join(wrong)


def test_kernels_import_nothing_large(project):
    wrong = []
    for path in kernel_files(project):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            wrong += [f"{path.name}: {name}" for name in names if name.split(".")[0] in ("numpy", "pysat", "typing")]
    assert not wrong, "\n".join(wrong)


def test_what_is_imported_in_c_points_down_too(project):
    """Imports in `.pxd` files and through `cython.cimports` obey the same table as those of Python."""
    package = project / "src"
    found = []
    for path in [*package.rglob("*.pxd"), *package.rglob("*_kernel.py")]:
        importer = ".".join(path.relative_to(package).with_suffix("").parts)
        for name in re.findall(
            r"^\s*from (?:cython\.cimports\.)?(solvent\S*) c?import", path.read_text(), re.MULTILINE
        ):
            found.append(Import(importer, name, late=False, place=path.name))
    assert len(found) > 30
    wrong = [f"{each.place}: {each.importer} imports {each.imported}" for each in found if not allowed(each)]
    assert not wrong, "\n".join(wrong)


def test_fields_declared_in_c_are_described(project):
    """Each field of a record has a line under it that says what it means."""
    wrong = []
    for path in (project / "src" / "solvent").rglob("*.pxd"):
        lines = path.read_text().splitlines()
        in_record = False
        for number, line in enumerate(lines):
            if line and not line.startswith((" ", "#")):
                in_record = line.startswith("cdef class")
            is_field = re.match(r"    cdef (readonly |public )?(?!inline)[\w ]+(\[[^\]]*\])* ?\*?\w+(\[\w+\])*$", line)
            if in_record and is_field:
                after = lines[number + 1].strip() if number + 1 < len(lines) else ""
                if not after.startswith(('"""', "#")):
                    wrong.append(f"{path.name}:{number + 1} {line.strip()}")
    assert not wrong, "\n".join(wrong)


def test_work_is_done_without_the_interpreter(project):
    """What Python calls to have work done gives the interpreter up, as tests/engine/test_free_threads.py shows."""
    runs = 0
    for path in kernel_files(project):
        declared = path.with_suffix(".pxd")
        in_c = declared.exists() and re.search(r" run\(.*noexcept nogil", declared.read_text())
        for function in functions_of(path):
            decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
            if function.name == "run" and not in_c and not decorators & {"cython.cfunc", "cython.ccall"}:
                runs += 1
                assert "with cython.nogil" in ast.unparse(function), f"{path.name}:{function.lineno}"
    assert runs >= 8
