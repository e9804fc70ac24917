"""Certificates that are hardly certificates: wrong types, huge numbers, deep nesting, in Python and as bytes."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec

from solvent.proof.certificate import ENVELOPE_KEYS

_HUGE = 10**5000
"""More digits than Python writes out."""


def _nested(depth: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(depth):
        nest = [nest]
    return nest


ODD_VALUES: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: True,
    lambda: 1.0,
    lambda: 0.5,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: -0.0,
    lambda: _HUGE,
    lambda: -_HUGE,
    lambda: 2**63,
    lambda: -(2**63) - 1,
    lambda: 2**64,
    lambda: "",
    lambda: "\0",
    lambda: "\ud800",
    lambda: "🎲" * 40,
    lambda: b"bytes",
    lambda: (),
    lambda: (1, 2),
    lambda: {1, 2},
    dict,
    lambda: {1: 2},
    lambda: {None: None},
    lambda: _nested(50),
    lambda: _nested(5_000),
    lambda: [_HUGE],
    lambda: object,
    lambda: range(3),
    lambda: 1j,
)


def spoil(dice: Random, certificate: Mapping[str, Any]) -> Any:
    """Put something that does not belong there somewhere into a certificate, or in its place."""
    odd = dice.choice(ODD_VALUES)()
    if dice.random() < 0.05:
        return odd
    spoilt: dict[Any, Any] = msgspec.json.decode(msgspec.json.encode(certificate))
    keys = [key for key in spoilt if (key in ENVELOPE_KEYS) == (dice.random() < 0.3)] or list(spoilt)
    holder: Any = spoilt
    key: Any = dice.choice(keys)
    while isinstance(holder[key], dict | list) and holder[key] and dice.random() < 0.7:
        holder, key = holder[key], _some_key(dice, holder[key])
    if isinstance(holder, dict) and dice.random() < 0.1:
        key = dice.choice((None, 7, "extra", ("solvent",), "\ud800"))
    holder[key] = odd
    return spoilt


def _some_key(dice: Random, value: Any) -> Any:
    return dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))


def spoil_bytes(dice: Random, certificate: Mapping[str, Any]) -> bytes:
    """Write a certificate as JSON, compressed or not, and damage the bytes or their meaning."""
    data = msgspec.json.encode(certificate)
    kind = dice.randrange(8)
    if kind == 0:
        place = dice.randrange(len(data))
        data = data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :]
    elif kind == 1:
        data = data[: dice.randrange(len(data))]
    elif kind == 2:
        number = dice.choice((b"1e999", b"-1e999", b"NaN", b"9" * 5000, b"18446744073709551616", b"1.0", b"-0", b"00"))
        data = data.replace(dice.choice((b"1", b"0", b"2")), number, 1)
    elif kind == 3:
        depth = dice.choice((100, 2_000, 100_000))
        data = data[:-1] + b',"x":' + b"[" * depth + b"]" * depth + b"}"
    elif kind == 4:
        data = data.replace(b'"form":', b'"form":"plan","form":', 1)
    elif kind == 5:
        data = b"\xef\xbb\xbf" + data
    elif kind == 6:
        data = data.decode().encode(dice.choice(("utf-16", "utf-32")))
    if dice.random() < 0.4:
        data = gzip.compress(data, 1)
        if dice.random() < 0.5:
            place = dice.randrange(2, len(data))
            data = data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :]
    return data
