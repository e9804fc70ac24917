"""The reference pages leave nothing out: every public name and parameter, every form and rule of a certificate."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import solvent
from solvent.core.answer import Answer, Cause
from solvent.core.domain import Example, Hint
from solvent.dungeon import checker as dungeon_checker
from solvent.harmony import checker as harmony_checker
from solvent.harmony.checker.invariant import RULES
from solvent.harmony.domain import DOMAIN
from solvent.registry import BUILTIN_DOMAINS, get_domain
from solvent.starbattle import checker as starbattle_checker

FUNCTIONS = [name for name in solvent.__all__ if inspect.isfunction(getattr(solvent, name))]


@pytest.fixture
def python_page(project: Path) -> str:
    return (project / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


@pytest.fixture
def certificates_page(project: Path) -> str:
    return (project / "docs" / "reference" / "certificates.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_stands_there_with_its_signature(python_page: str, name: str) -> None:
    heading = next(line for line in python_page.splitlines() if line.startswith(f"### `{name}("))
    said = heading[len(f"### `{name}(") :].partition(")")[0]
    words = []
    keyword_only = False
    for parameter in inspect.signature(getattr(solvent, name)).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            words.append("*")
        star = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
        words.append(f"{star}{parameter.name}{default}")
    assert said == ", ".join(words)


@pytest.mark.parametrize("name", [name for name in solvent.__all__ if name not in FUNCTIONS])
def test_every_other_public_name_is_explained(python_page: str, name: str) -> None:
    assert f"`{name}`" in python_page


def test_every_part_of_an_answer_and_every_cause_is_named(python_page: str) -> None:
    for name in [*Answer.__dataclass_fields__, "certified", *Cause.__members__]:
        assert f"`{name}`" in python_page, name


@pytest.mark.parametrize(("kind", "heading"), [(Hint, "### `Hint`"), (Example, "### `examples(")])
def test_every_part_of_a_hint_and_an_example_is_named(python_page: str, kind: type, heading: str) -> None:
    section = python_page[python_page.index(heading) :].split("\n### ")[0]
    assert [name for name in inspect.signature(kind).parameters if f"`{name}`" not in section] == []


def test_every_solver_says_what_its_nodes_are(python_page: str) -> None:
    solver = next(option for option in DOMAIN.solve_options if option.name == "solver")
    nodes = python_page[python_page.index("## Nodes") :]
    assert [choice for choice in solver.choices if f"| `{choice}` |" not in nodes] == []


def test_every_form_and_rule_is_described(certificates_page: str) -> None:
    forms = [*dungeon_checker.FORMS, *harmony_checker.FORMS, *starbattle_checker.FORMS]
    assert [form for form in forms if f"\n## `{form}`\n" not in certificates_page] == []
    assert [rule for rule in RULES if f"| `{rule}` |" not in certificates_page] == []


@pytest.mark.parametrize("name", BUILTIN_DOMAINS)
def test_a_domain_has_a_page_with_all_its_questions_formats_and_options(project: Path, name: str) -> None:
    page = (project / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")
    domain = get_domain(name)
    words = [*domain.questions, *domain.formats, *getattr(domain, "views", {})]
    for kind in ("solve_options", "hint_options", "generate_options", "rule_options"):
        words += [option.name for option in getattr(domain, kind, ())]
    assert [word for word in words if f"`{word}`" not in page] == []
