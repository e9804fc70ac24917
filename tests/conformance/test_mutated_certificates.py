"""A spoilt certificate is rejected with reasons. It never crashes the checker, and nothing in it goes unread."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

import solvent
from conformance.cases import answer_of
from helpers.examples import load_example
from solvent.core.errors import CertificateRejected
from solvent.core.examples import Example
from solvent.proof.certificate import ENVELOPE_KEYS

OTHER_VERDICT = {"YES": "NO", "NO": "YES"}
JSON_VALUES: tuple[Any, ...] = (None, True, 7, -1.5, "riddle", ["riddle"], [None], {"riddle": 7})
UNTYPED_KINDS = {bool: "bool", int: "number", float: "number", str: "text", list: "list", dict: "object"}


def certificate_of(name: str, example: Example, question: str) -> dict[str, Any]:
    return copy.deepcopy(dict(answer_of(name, example.name, question).certificate or {}))


def kind(value: Any) -> str:
    return UNTYPED_KINDS.get(type(value), "null")


def assert_rejected(name: str, example: Example, certificate: Any, spoilt: str) -> None:
    try:
        solvent.check(load_example(name, example.name), certificate)
    except CertificateRejected as rejected:
        violations = rejected.violations
    else:
        pytest.fail(f"accepted: {spoilt}")
    assert violations, spoilt
    assert all(violation.strip() for violation in violations), spoilt


def spoilt_certificates(certificate: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is wrong, and a certificate that must not be accepted."""
    yield "the other verdict", {**certificate, "verdict": OTHER_VERDICT[certificate["verdict"]]}
    for form in ("riddle", "", certificate["form"].upper() + "!"):
        yield f"the unknown form {form!r}", {**certificate, "form": form}
    for key in ENVELOPE_KEYS:
        yield f"no {key}", {other: value for other, value in certificate.items() if other != key}
        for value in JSON_VALUES:
            yield f"{key}: {value!r}", {**certificate, key: value}
    yield "no body", {key: value for key, value in certificate.items() if key in ENVELOPE_KEYS}
    for key in sorted(certificate.keys() - set(ENVELOPE_KEYS)):
        for value in JSON_VALUES:
            if kind(value) != kind(certificate[key]):
                yield f"{key} of another type: {value!r}", {**certificate, key: value}


def test_a_spoilt_envelope_or_body_is_rejected(name: str, example: Example, question: str):
    certificate = certificate_of(name, example, question)
    assert certificate.keys() > set(ENVELOPE_KEYS), "a certificate needs a body: an envelope alone is only a claim"
    for spoilt, wrong in spoilt_certificates(certificate):
        assert_rejected(name, example, wrong, spoilt)


def test_no_certificate_at_all_is_rejected(name: str, example: Example):
    for value in (*JSON_VALUES, {}, []):
        assert_rejected(name, example, value, repr(value))


def test_random_damage_never_crashes(name: str, example: Example, question: str):
    """Damage deep inside may be harmless, and then the certificate is still right: the verdict is untouched."""
    certificate = certificate_of(name, example, question)
    places = list(body_places(certificate))
    dice = random.Random(7)
    rejections = []
    for _ in range(30):
        damaged = damage(certificate, places[int(dice.random() * len(places))], dice)
        try:
            solvent.check(load_example(name, example.name), damaged)
        except CertificateRejected as error:
            rejections.append(error)
    assert rejections
    assert all(error.violations for error in rejections)


def body_places(certificate: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in the body; of a long list, the first and last few."""

    def walk(path: tuple[Any, ...], value: Any) -> Iterator[tuple[Any, ...]]:
        yield path
        if isinstance(value, dict):
            for key in value:
                yield from walk((*path, key), value[key])
        elif isinstance(value, list):
            for index in sorted({*range(min(4, len(value))), *range(max(0, len(value) - 4), len(value))}):
                yield from walk((*path, index), value[index])

    for key in sorted(certificate.keys() - set(ENVELOPE_KEYS)):
        yield from walk((key,), certificate[key])


def damage(certificate: dict[str, Any], path: tuple[Any, ...], dice: random.Random) -> dict[str, Any]:
    """Return a copy with one value in it spoilt."""
    damaged = copy.deepcopy(certificate)
    holder: Any = damaged
    for step in path[:-1]:
        holder = holder[step]
    value = holder[path[-1]]
    spoilt: list[Any] = [*JSON_VALUES, 10**30, -(10**30), 1e308, "", "\0", "🎲" * 50, [[]] * 3, {}]
    if isinstance(value, list) and value:
        spoilt += [[], value[:-1], value[1:], value[::-1], value + value, [*value, value[0]]]
    if isinstance(value, int) and not isinstance(value, bool):
        spoilt += [value + 1, value - 1, -value, str(value)]
    if isinstance(value, str):
        spoilt += [value[:-1], value + value, value[::-1], value.lower(), f" {value}", list(value)]
    holder[path[-1]] = spoilt[int(dice.random() * len(spoilt))]
    return damaged
