"""What a server allows."""

from __future__ import annotations

import pytest

from solvent.web.settings import Settings, bare_host, is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])
def test_these_are_only_for_this_machine(host: str) -> None:
    assert is_loopback(host)
    assert Settings(host=host).is_local


@pytest.mark.parametrize(
    "host",
    ["", "0.0.0.0", "::", "0", "10.0.0.1", "192.168.0.1", "example.org", "localhost.example.org", "[::1", "127.1"],
)
def test_these_are_not(host: str) -> None:
    assert not is_loopback(host)
    assert not Settings(host=host).is_local


def test_wishes_are_granted_within_limits() -> None:
    settings = Settings(seconds=5, most_seconds=10)
    assert settings.allowed_seconds(None) == 5
    assert settings.allowed_seconds(0) == 0
    assert settings.allowed_seconds(7) == 7
    assert settings.allowed_seconds(1e300) == 10
    assert Settings(seconds=50, most_seconds=10).allowed_seconds(None) == 10


def test_brackets_come_in_pairs() -> None:
    assert bare_host("[::1]") == "::1"
    assert bare_host("[::1") == "[::1"
