"""A small question has a small process: what `solvent solve` and `hint` load for a file of each domain, and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from solvent.registry import BUILTIN_DOMAINS

FILES = {
    "dungeon": "01_first_door.txt",
    "harmony": "02_three_by_three.txt",
    "starbattle": "04_two_stars.txt",
    "valency": "colouring.json",
}
HEAVY = {
    "numpy": "large grids alone are worth its 120 ms",
    "PIL": "no picture is read or written",
    "rich": "tables and progress bars on a terminal need it, an answer does not",
    "asyncio": "no server runs",
    "concurrent": "no pool runs",
    "multiprocessing": "no other process runs",
    "subprocess": "no other process runs",
    "socket": "nobody else is talked to",
    "http": "no server runs",
    "urllib.request": "nothing is fetched",
    "starlette": "no server runs",
    "uvicorn": "no server runs",
    "distributed": "there is no cluster",
    "dask": "there is no cluster",
    "sqlite3": "there is no store",
    "email": "importlib.metadata loads it; installed packages are looked through only for a file that nobody knows",
    "importlib.metadata": "installed packages are looked through only for a file that nobody knows",
    "importlib.resources": "no bundled file is read",
    "xml": "this file is not XML",
    "html": "no picture is written",
    "csv": "no table is written",
    "zipfile": "nothing is packed",
    "shutil": "no file is copied",
    "difflib": "nothing was mistyped",
    "pdb": "nothing is debugged",
    "unittest": "nothing is tested",
    "Cython": "kernels are compiled ahead of time",
    "setuptools": "nothing is built",
}
"""What must not be loaded, with everything below it, and why not."""
ALLOWED = {"valency": {"numpy"}}
"""Valency's grids are large."""
LIBRARIES = ("pysat.solvers",)
"""What any solver may load. What these and numpy load for themselves is not ours to choose."""
PICTURES = ("drawing.svg", "drawing.filmstrip", "drawing.map", "drawing.graph", "drawing.lattice")
"""What writes SVG."""
OTHERS = ("solver", "checker", "drawing", "notation", "hints", "generator", "invalidity", "model", "rules", "page")
"""What of another domain must not be loaded to find out that a file is not its own."""
UNASKED = {
    "solve": ("examples", "explanation", "hints"),
    "hint": ("examples", "explanation"),
}
"""Parts of `solvent.core` that a command has no use for."""

LISTING = """
import sys
from solvent.cli.start import main
code = main(sys.argv[2:])
loaded = sorted(sys.modules)
made = sorted(
    f"{thing.__module__}.{thing.__qualname__}"
    for name in loaded
    for thing in vars(sys.modules[name]).values()
    if isinstance(thing, type) and thing.__module__ == name and "__dataclass_fields__" in vars(thing)
)
import json
with open(sys.argv[1], "w") as file:
    json.dump({"code": code, "modules": loaded, "dataclasses": made}, file)
"""


def loaded_by(words: list[str], folder: Path) -> tuple[set[str], list[str]]:
    """Return the modules that a command has loaded when it is done, in a process of its own, and their dataclasses."""
    out = folder / "modules.json"
    # without the site's own start-up, since what others install may load anything there
    paths = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-S", "-c", LISTING, str(out), *words]
    environment = {**os.environ, "PYTHONPATH": paths}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(out.read_text())
    assert found["code"] == 0, ran.stdout + ran.stderr
    return set(found["modules"]), found["dataclasses"]


def is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def complaints(domain: str, loaded: set[str]) -> list[str]:
    """Return what should not have been loaded, and why."""
    found = []
    for package, reason in HEAVY.items():
        if package in ALLOWED.get(domain, ()) or not any(is_below(module, package) for module in loaded):
            continue
        found.append(f"{package}: {reason}")
    for other in BUILTIN_DOMAINS:
        for module in sorted(loaded):
            part = module.removeprefix(f"solvent.{other}.").partition(".")[0].partition("_")[0]
            if other != domain and module.startswith(f"solvent.{other}.") and part in OTHERS:
                found.append(f"{module}: to know whose file it is, {other}.formats must be enough")
    for name in PICTURES:
        found += [f"{module}: text needs no picture" for module in loaded if module == f"solvent.{domain}.{name}"]
    if "solvent.drawing.paper" in loaded:
        found.append("solvent.drawing.paper: text needs no picture")
    return found


def dear_records(domain: str, made: list[str]) -> list[str]:
    """Return the dataclasses of a domain that are no part of its model: each takes half a millisecond to make."""
    return [
        f"{name}: only a model is made of dataclasses, other records are msgspec Structs"
        for name in made
        if name.startswith(f"solvent.{domain}.") and not name.startswith(f"solvent.{domain}.model.")
    ]


@pytest.mark.parametrize("command", ["solve", "hint"])
@pytest.mark.parametrize("domain", BUILTIN_DOMAINS)
def test_a_small_question_loads_little(domain: str, command: str, project: Path, tmp_path: Path) -> None:
    if command == "hint" and domain == "valency":
        pytest.skip("valency has no hints")
    file = project / "src" / "solvent" / domain / "examples" / FILES[domain]
    loaded, made = loaded_by([command, str(file)], tmp_path)
    assert f"solvent.{domain}.model" in loaded, "the command did not do its work"
    libraries = [name for name in (*LIBRARIES, *ALLOWED.get(domain, ())) if name in loaded]
    wrong = complaints(domain, loaded - loaded_by_importing(libraries)) + dear_records(domain, made)
    wrong += [f"solvent.core.{part}: not asked for" for part in UNASKED[command] if f"solvent.core.{part}" in loaded]
    assert not wrong, f"`solvent {command}` of a file of {domain} should not load\n  " + "\n  ".join(wrong)


def loaded_by_importing(libraries: list[str]) -> set[str]:
    code = f"import {', '.join(['sys', *libraries])}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_rule_can_fail() -> None:
    loaded = {"numpy", "numpy.linalg", "rich.table", "solvent.harmony.solver.dfs", "solvent.dungeon.drawing.map"}
    assert [line.partition(":")[0] for line in complaints("dungeon", loaded)] == [
        *("numpy", "rich", "solvent.harmony.solver.dfs", "solvent.dungeon.drawing.map")
    ]
    assert complaints("valency", {"numpy.linalg", "solvent.valency.solver", "solvent.harmony.formats"}) == []
    assert complaints("harmony", {"solvent.starbattle.drawing.text"}) != []
    assert complaints("harmony", {"solvent.starbattle.domain", "solvent.dungeon"}) == []
    made = ["solvent.core.answer.Answer", "solvent.dungeon.model.Dungeon", "solvent.dungeon.solver.layout.Field"]
    assert [line.partition(":")[0] for line in dear_records("dungeon", made)] == ["solvent.dungeon.solver.layout.Field"]


def test_what_must_not_be_loaded_exists(project: Path) -> None:
    """A name that is gone would forbid nothing."""
    source = project / "src" / "solvent"
    core = {part for parts in UNASKED.values() for part in parts}
    assert [part for part in core if not (source / "core" / f"{part}.py").is_file()] == []
    pictures = [name.replace(".", "/") + ".py" for name in PICTURES]
    assert [name for name in pictures if not any((source / each / name).is_file() for each in BUILTIN_DOMAINS)] == []
    assert [part for part in OTHERS if not any((source / each).glob(f"{part}*") for each in BUILTIN_DOMAINS)] == []
    assert (source / "drawing" / "paper.py").is_file()


def test_a_mistyped_file_name_is_told_without_looking_through_packages(tmp_path: Path) -> None:
    code = (
        "import sys; from solvent.cli.start import main; "
        "assert main(['solve', 'no-such-file.txt']) == 30; assert 'importlib.metadata' not in sys.modules"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "no-such-file.txt" in ran.stderr
