"""Register the template as an installed package would, and run each test once per domain or example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from conformance.cases import NAMES
from helpers.examples import TEMPLATE, domain_named, examples_of
from solvent import registry
from solvent.core.domain import Domain
from solvent.core.examples import Example


@pytest.fixture(scope="package", autouse=True)
def template_is_registered() -> Iterator[None]:
    """Let load, ask, check and the command see the template, for the tests of this folder only."""
    with pytest.MonkeyPatch.context() as patch:
        installed = registry._added_modules
        patch.setattr(registry, "_added_modules", lambda: {**installed(), TEMPLATE: "template_domain"})
        yield


@pytest.fixture(params=NAMES)
def domain(request: pytest.FixtureRequest) -> Domain:
    """Run the test once per domain."""
    return domain_named(request.param)


def examples_or_none(name: str) -> Sequence[Example]:
    """Return a domain's examples; one that has none to give fails in test_protocol and must not take others down."""
    try:
        return examples_of(name)
    except Exception:
        return []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `name` and `example` once per example, with and without a `question`."""
    if not {"name", "example"} <= set(metafunc.fixturenames):
        return
    cases = [(name, example) for name in NAMES for example in examples_or_none(name)]
    if "question" in metafunc.fixturenames:
        asked = [(name, example, question) for name, example in cases for question in domain_named(name).questions]
        ids = [f"{name}-{example.name}-{question}" for name, example, question in asked]
        metafunc.parametrize(("name", "example", "question"), asked, ids=ids)
    else:
        metafunc.parametrize(("name", "example"), cases, ids=[f"{name}-{example.name}" for name, example in cases])
