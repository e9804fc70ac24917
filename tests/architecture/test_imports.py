"""Imports point down only. These tables are the architecture; change them knowingly, with a reason."""

from __future__ import annotations

import sys

import pytest

from architecture.imports import Import, read_imports, read_modules
from solvent.registry import BUILTIN_DOMAINS

# Which part of the package may import which. A name stands for everything below it.
MAY_IMPORT = {
    "version": (),
    "core": (),  # the words everyone shares know nobody
    "engine": ("core",),  # what kernels are made of knows no puzzle and no proof
    # What a proof needs to be followed fast: chunks, clauses as arrays, hashing. Never what finds proofs.
    "proof": (
        *("core", "engine.arrays", "engine.bits", "engine.clauses", "engine.driver", "engine.random"),
        *("engine.hash_table_kernel", "engine.clauses_kernel"),
    ),
    "formats": ("core",),  # what files are made of knows no puzzle
    "drawing": ("core",),  # one toolkit for pictures, which knows no puzzle
    "A DOMAIN": ("core", "engine", "proof", "formats", "drawing"),  # never another domain, never the registry above it
    "registry": ("core",),  # knows the domains by name only, so that importing it is cheap
    "reading": ("core", "registry"),
    "own_tests": ("core",),  # a user's tests on trial, whatever the domain
    "asking": ("core", "proof.certificate", "registry", "own_tests"),  # solves and checks through the protocol
    # levels that one domain makes and another judges or dresses; knows both through the registry alone
    "wishes": ("core", "proof.certificate", "registry", "reading", "asking"),
    # level editors: asks what a domain has for them, and touches their own files as JSON
    "editors": ("core", "formats", "registry", "asking"),
    "outside": ("core", "proof.certificate", "registry", "asking"),  # checks, and writes files for others to check
    # many instances: solves and checks through asking alone, whatever the domain
    "batch": ("version", "core", "drawing", "proof.certificate", "registry", "reading", "asking", "wishes"),
    "configuration": ("core", "registry"),  # what a project's file says; who goes by it says so
    # the public verbs, and the look whether kernels are fresh
    "solvent": (
        *("version", "core", "engine.build", "proof.certificate", "registry", "reading", "asking", "outside"),
        *("batch", "wishes"),
    ),
    "testing": ("core", "registry", "reading", "asking"),  # assertions for tests of others; explicit, as the verbs are
    "pytest_plugin": ("core", "registry", "reading", "configuration", "batch", "testing"),
    # the page: workers and stores are those of batch, and instances are touched by workers alone
    "web": ("version", "core", "drawing", "proof.certificate", "registry", "reading", "asking", "batch", "wishes"),
    "cli": (
        *("solvent", "version", "core", "drawing", "proof.certificate", "registry", "reading", "asking"),
        *("configuration", "outside", "batch", "editors", "web", "wishes"),
    ),
    "__main__": ("cli",),
}

# Which packages of others each part may use, beside the standard library.
MAY_USE = {
    "core": {"msgspec"},
    "engine": {"pysat", "cython"},  # nobody else touches pysat
    "proof": {"msgspec", "cython"},
    "formats": {"msgspec"},
    "drawing": {"msgspec", "numpy"},
    "A DOMAIN": {"numpy", "msgspec", "PIL", "cython"},  # PIL: pictures in and out
    "asking": {"msgspec"},
    "batch": {"msgspec", "distributed", "dask"},
    "editors": {"msgspec"},
    "wishes": {"msgspec"},
    "web": {"msgspec", "starlette", "uvicorn"},
    "pytest_plugin": {"pytest"},  # whose plugin it is
    "cli": {"click", "rich", "msgspec"},  # nobody else talks to a terminal
}

# These cost time to import, so everything a command needs at its start imports them inside functions.
LATE_ONLY = {
    "asking": {"msgspec"},
    "proof": {"msgspec"},
    "drawing": {"numpy"},
    "batch": {"distributed", "dask"},
}

# Within a domain: what must not be reached, not even through a third module, and why.
MUST_NOT_REACH = {
    "model": {
        "reason": "data has no logic; only its own drawing may be imported, late, to show itself",
        "parts": {"notation", "rules", "solver", "checker", "hints", "generator", "invalidity", "audit", "examples"},
    },
    "checker": {
        "reason": "a mistake shared with the solver would pass unseen",
        "parts": {"rules", "solver", "hints", "generator", "invalidity", "audit", "drawing"},
    },
    "rules": {
        "reason": "the rules are what the others build on",
        "parts": {"solver", "checker", "hints", "generator", "invalidity", "audit", "drawing"},
    },
    "solver": {
        "reason": "a solver that knows its checker could be made to please it",
        "parts": {"checker", "hints", "generator", "audit", "drawing"},
    },
    "notation": {
        "reason": "reading a file must not start a search",
        "parts": {"solver", "checker", "hints", "generator", "invalidity", "audit", "drawing"},
    },
    "drawing": {
        "reason": "a picture shows what it is given and searches nothing",
        "parts": {"solver", "checker", "hints", "generator", "invalidity", "audit"},
    },
    "hints": {"reason": "asking has every hint checked", "parts": {"checker", "generator"}},
    # a generator may walk the hints of what it made, to grade it
    "generator": {"reason": "whoever asks has the answer checked", "parts": {"checker"}},
}

DOMAIN_PACKAGES = {name: f"solvent.{name}" for name in BUILTIN_DOMAINS} | {"the template": "template_domain"}


def read_own_imports() -> list[Import]:
    return [found for found in read_imports() if found.imported.split(".")[0] in ("solvent", "template_domain")]


def layer_of(module: str) -> str:
    """Return the row of the tables a module belongs to."""
    first, _, rest = module.partition(".")
    if first == "template_domain":
        return "A DOMAIN"
    below = rest.partition(".")[0] or "solvent"
    return "A DOMAIN" if below in BUILTIN_DOMAINS else below


def package_of(module: str) -> str | None:
    """Return the domain package a module stands in."""
    for package in DOMAIN_PACKAGES.values():
        if module == package or module.startswith(f"{package}."):
            return package
    return None


def allowed(found: Import) -> bool:
    own = package_of(found.importer)
    if own is not None and package_of(found.imported) == own:
        return True
    if package_of(found.imported) is not None:
        return False
    layer = layer_of(found.importer)
    target = found.imported.removeprefix("solvent.")
    if layer_of(found.imported) == layer != "A DOMAIN":
        return True
    return any(target == name or target.startswith(f"{name}.") for name in MAY_IMPORT[layer])


def test_there_is_something_to_read():
    assert len(read_modules()) > 20
    assert len(read_own_imports()) > 50


def test_every_part_of_the_package_stands_in_the_table():
    layers = {layer_of(module) for module in read_modules()}
    assert layers <= set(MAY_IMPORT), "a new folder under src/solvent: a domain belongs in BUILTIN_DOMAINS, else here"


def test_the_table_itself_points_down():
    """A layer may only import layers that may not, in turn, import it."""
    for layer, names in MAY_IMPORT.items():
        for name in names:
            lower = name.partition(".")[0]
            assert layer not in {below.partition(".")[0] for below in MAY_IMPORT[lower]}


def test_imports_point_down():
    wrong = [
        f"{found.place}: {found.importer} imports {found.imported}"
        for found in read_own_imports()
        if not allowed(found)
    ]
    assert not wrong, "\n".join(wrong)


def test_packages_of_others_are_used_where_the_table_says():
    wrong = []
    for found in read_imports():
        package = found.imported.partition(".")[0]
        if package in sys.stdlib_module_names or package in ("solvent", "template_domain"):
            continue
        layer = layer_of(found.importer)
        if package not in MAY_USE.get(layer, set()):
            wrong.append(f"{found.place}: {layer} uses {package}")
        elif package in LATE_ONLY.get(layer, set()) and not found.late:
            wrong.append(f"{found.place}: {package} must be imported inside a function")
    assert not wrong, "\n".join(wrong)


def part_of(module: str, package: str) -> str:
    """Return the part of its domain a module is; `solver.wires` and `solver_wires` are both of `solver`."""
    first = module.removeprefix(package).removeprefix(".").partition(".")[0]
    return first.partition("_")[0] or "__init__"


@pytest.mark.parametrize("package", DOMAIN_PACKAGES.values(), ids=DOMAIN_PACKAGES.keys())
@pytest.mark.parametrize("part", MUST_NOT_REACH)
def test_within_a_domain_nothing_is_reached_that_must_not_be(package: str, part: str):
    arrows: dict[str, set[str]] = {}
    for found in read_own_imports():
        shows_itself = part_of(found.importer, package) == "model" and part_of(found.imported, package) == "drawing"
        if package_of(found.importer) == package == package_of(found.imported) and not (found.late and shows_itself):
            arrows.setdefault(found.importer, set()).add(found.imported)
    starts = [module for module in read_modules() if package_of(module) == package and part_of(module, package) == part]
    if not starts and package != "template_domain":
        pytest.skip(f"{package} has no {part}")
    assert starts
    reached = {module: module for module in starts}
    waiting = list(starts)
    while waiting:
        module = waiting.pop()
        for target in arrows.get(module, ()):
            if target not in reached:
                reached[target] = f"{reached[module]} → {target}"
                waiting.append(target)
    wrong = [way for module, way in reached.items() if part_of(module, package) in MUST_NOT_REACH[part]["parts"]]
    assert not wrong, f"{MUST_NOT_REACH[part]['reason']}:\n" + "\n".join(wrong)


def test_nothing_outside_a_domain_names_it():
    """Neither as an import in words nor as a case to treat apart; only the registry knows the names."""
    from architecture.imports import text_constants

    wrong = []
    for module in read_modules().values():
        if package_of(module.name) is not None or module.name == "solvent.registry":
            continue
        for text, line in text_constants(module):
            if text in BUILTIN_DOMAINS or any(text.startswith(f"solvent.{name}") for name in BUILTIN_DOMAINS):
                wrong.append(f"{module.path.name}:{line}: {text!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("solvent.core.answer", "solvent.asking"),
        ("solvent.engine.driver", "solvent.proof.replay"),
        ("solvent.proof.replay", "solvent.engine.sat"),
        ("solvent.registry", "solvent.harmony"),
        ("solvent.cli.solve", "solvent.harmony.solver"),
        ("solvent.harmony.solver", "template_domain.rules"),
        ("template_domain.generator", "solvent.registry"),
        ("solvent.asking", "solvent.cli.start"),
        ("solvent.asking", "solvent.batch.workers.work"),
        ("solvent.batch.workers.work", "solvent.harmony.solver"),
    ],
)
def test_the_rule_can_fail(importer: str, imported: str):
    assert not allowed(Import(importer, imported, late=False, place=""))
