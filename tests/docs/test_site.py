"""The site has every page in its navigation, every public name in its reference, and numbers that the code has."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from building import pages

import solvent
from conftest import PROJECT
from docs.markdown import read_links

yaml = pytest.importorskip("yaml", reason="needs PyYAML, which comes with the cluster extra")

SITE = yaml.safe_load((PROJECT / "mkdocs.yml").read_text(encoding="utf-8"))
DOCS = PROJECT / "docs"


def pages_in(navigation: Any) -> Iterator[str]:
    """Yield the pages of a part of the navigation, in order."""
    if isinstance(navigation, str):
        yield navigation
        return
    for part in navigation.values() if isinstance(navigation, dict) else navigation:
        yield from pages_in(part)


def test_the_navigation_lists_every_page_once() -> None:
    listed = sorted(pages_in(SITE["nav"]))
    assert listed == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_the_site_loads_nothing_from_elsewhere() -> None:
    assert SITE["theme"]["font"] is False
    assert any("iframe-worker" in script for script in SITE["extra"]["polyfills"]), "else the theme fetches one"
    for file in [*SITE["extra_css"], *SITE["extra"]["polyfills"]]:
        assert "//" not in file
        assert (DOCS / file).exists()


def test_pages_link_only_to_what_the_site_has() -> None:
    for page in DOCS.rglob("*.md"):
        for link in read_links(page.read_text(encoding="utf-8")):
            if not link.startswith(("https://", "#")):
                assert (page.parent / link.partition("#")[0]).resolve().is_relative_to(DOCS), f"{page}: {link}"


def test_what_is_generated_is_up_to_date() -> None:
    stale = [page.relative_to(PROJECT).as_posix() for page in pages.stale_pages()]
    assert stale == [], "write them anew: make docs-numbers"


def test_a_stale_number_is_found_and_fixed() -> None:
    wrong = "It takes <!-- generated: harmony-rows -->3<!-- end --> rows."
    assert pages.fill(wrong) == "It takes <!-- generated: harmony-rows -->26<!-- end --> rows."
    empty = "<!-- generated: generate-options harmony -->\n<!-- end -->"
    assert "| `rows` | 4 (1 to 26) |" in pages.fill(empty)
    assert pages.fill(pages.fill(empty)) == pages.fill(empty)


def test_every_limit_is_asked_for_by_some_page() -> None:
    everything = "".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    assert [name for name in pages.LIMITS if f"<!-- generated: {name} -->" not in everything] == []


REFERENCE = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference" / "api").glob("*.md"))


@pytest.mark.parametrize("name", [name for name in solvent.__all__ if name != "__version__"])
def test_every_public_name_is_in_the_generated_reference(name: str) -> None:
    assert re.search(rf"^(::: [\w.]+\.|        - ){name}$", REFERENCE, re.MULTILINE)
    assert inspect.getdoc(getattr(solvent, name))


DOCUMENTED = re.findall(r"^::: ([\w.]+)$", REFERENCE, re.MULTILINE)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_the_reference_asks_for_exists(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        assert inspect.getdoc(getattr(importlib.import_module(module), attribute))


@pytest.mark.parametrize(
    "name", ["Answer", "Result", "core.hints.Hint", "core.explanation.Explanation", "core.examples.Example"]
)
def test_every_part_of_what_is_handed_out_is_explained(name: str) -> None:
    module, _, attribute = f"solvent.{name}".rpartition(".")
    record = getattr(importlib.import_module(module), attribute)
    [body] = [node.body for node in ast.parse(inspect.getsource(record)).body if isinstance(node, ast.ClassDef)]
    fields = [
        (field, after) for field, after in zip(body, [*body[1:], None], strict=True) if isinstance(field, ast.AnnAssign)
    ]
    assert fields
    assert [ast.unparse(field.target) for field, after in fields if not isinstance(after, ast.Expr)] == []


def test_the_files_that_the_architecture_names_exist() -> None:
    page = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = {
        name for name in re.findall(r"`([a-z_]+(?:/[a-z_]+)*(?:/|\.py|\.js))`", page) if not name.startswith("tests")
    }
    files = [path.relative_to(PROJECT).as_posix() for path in (PROJECT / "src" / "solvent").rglob("*")]
    assert len(named) > 15
    assert [name for name in named if not any(f"{file}/".endswith(f"/{name.rstrip('/')}/") for file in files)] == []
