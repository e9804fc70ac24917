"""A fill that is watched: what is sent while it is worked out, and that watching changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import asking
from solvent.core.events import Event, Kind
from solvent.registry import get_domain
from solvent.valency.solver import watching

VALENCY: Any = get_domain("valency")
EXAMPLES = {example.name: example.text for example in VALENCY.examples()}


@pytest.mark.parametrize("name", ["terrain", "pipes", "rooms"])
def test_what_is_sent_adds_up_to_nodes_and_modules_and_the_answer_is_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr(watching, "MAX_SECONDS_BETWEEN_LOOKS", 0.0)
    task = VALENCY.page.edit(VALENCY.parse(EXAMPLES[name]), {"make": {"grid": "30x20"}})
    heard: list[Event] = []
    answer = asking.ask(task, watch=True, listen=heard.append)
    looks = [event.data for event in heard if event.kind is Kind.WATCH]
    assert len(looks) > 3
    shown = [-1] * 600
    for look in looks:
        assert look is not None
        changes = look["changes"]
        for node, module in zip(changes[::2], changes[1::2], strict=True):
            assert shown[node] != module, "only what changed is sent"
            shown[node] = module
        assert look["filled"] == sum(module >= 0 for module in shown)
    assert sum(module >= 0 for module in shown) > 300, "most of it was seen"
    assert answer.certificate == asking.ask(task).certificate
