"""The verb `part`: what goes on without end, piece by piece, wherever a domain has one."""

from __future__ import annotations

from typing import Any

import pytest

from solvent.core.domain import Domain
from solvent.registry import all_domains
from web.calling import inside

ENDLESS = [domain for domain in all_domains() if domain.page is not None and domain.page.part is not None]
OTHERS = [domain for domain in all_domains() if domain.page is not None and domain.page.part is None]


@pytest.mark.parametrize("domain", ENDLESS, ids=lambda domain: domain.name)
def test_a_part_that_means_nothing_is_refused(domain: Domain[Any]) -> None:
    text = domain.examples()[0].text
    refused = inside("POST", "/api/part", json={"text": text, "domain": domain.name, "action": {"do": "nothing"}})
    assert refused.status_code == 422


@pytest.mark.parametrize("domain", OTHERS, ids=lambda domain: domain.name)
def test_other_domains_say_that_they_end(domain: Domain[Any]) -> None:
    text = domain.examples()[0].text
    refused = inside("POST", "/api/part", json={"text": text, "domain": domain.name, "action": {}})
    assert refused.status_code == 422
    assert "without end" in refused.json()["error"]["message"]
