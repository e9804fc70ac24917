"""Which domains there are, and whose a problem or a text is."""

from __future__ import annotations

from importlib import metadata

import pytest
import template_domain
from template_domain.model import Grid

import solvent
from solvent import registry
from solvent.core.errors import BadOption, NotRecognised
from solvent.registry import BUILTIN_DOMAINS, all_domains, detect, domain_names, domain_of, get_domain


@pytest.fixture
def lamps_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the template look like an installed package, through the real entry points."""
    point = metadata.EntryPoint("lamps", "template_domain", registry.ENTRY_POINT_GROUP)

    def entry_points(*, group: str) -> metadata.EntryPoints:
        return metadata.EntryPoints([point]).select(group=group)

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def test_built_in_domains_come_first(lamps_installed: None):
    assert domain_names() == [*BUILTIN_DOMAINS, "lamps"]
    assert solvent.domains() == domain_names()
    assert [domain.name for domain in all_domains()] == domain_names()


def test_every_built_in_domain_has_the_name_of_its_folder():
    assert BUILTIN_DOMAINS
    for name in BUILTIN_DOMAINS:
        assert get_domain(name).name == name


def test_an_installed_package_adds_a_domain(lamps_installed: None):
    assert get_domain("lamps") is template_domain.DOMAIN
    assert detect("lamps\n*\n") is template_domain.DOMAIN
    assert domain_of(Grid(1, 1, (True,))) is template_domain.DOMAIN


def test_an_installed_package_cannot_replace_a_built_in_domain(monkeypatch: pytest.MonkeyPatch):
    name = BUILTIN_DOMAINS[0]
    monkeypatch.setattr(registry, "_added_modules", lambda: {name: "template_domain"})
    assert domain_names() == list(BUILTIN_DOMAINS)
    assert get_domain(name) is not template_domain.DOMAIN


def test_an_unknown_domain_lists_the_known_ones(lamps_installed: None):
    with pytest.raises(BadOption, match=r"unknown domain 'chess'; there are: .*lamps"):
        get_domain("chess")


def test_a_text_nobody_knows_is_not_recognised(lamps_installed: None):
    with pytest.raises(NotRecognised, match=r"an instance of one of: .*lamps, found 'a riddle'"):
        detect("a riddle")


@pytest.mark.parametrize("thing", ["lamps", None, 7, object()])
def test_what_is_no_problem_is_a_type_error(thing: object):
    with pytest.raises(TypeError, match=r"expected a problem that solvent\.load returned"):
        domain_of(thing)
