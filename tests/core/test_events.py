from __future__ import annotations

import pytest

from solvent.core.events import Event, Kind, ignore


def test_ignoring_does_nothing_with_any_kind():
    for kind in Kind:
        assert ignore(Event(kind, "news")) is None


def test_an_event_cannot_be_changed():
    with pytest.raises(AttributeError):
        Event(Kind.STAGE, "news").message = "other"  # type: ignore[misc]
