"""What went wrong, in words and with a status."""

from __future__ import annotations

import pickle
from concurrent.futures import CancelledError
from typing import get_args

import msgspec
import pytest

from solvent.batch.workers.jobs import WorkerLost
from solvent.core.errors import (
    BadOption,
    CertificateRejected,
    GenerationFailed,
    NotRecognised,
    ParseError,
    StoreError,
    UnsoundAnswer,
)
from solvent.web import schemas
from solvent.web.errors import Busy, Refusal, refusal_for
from solvent.web.guards import refusal_response
from solvent.web.schemas import STATUS


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (ParseError("a row of 4", "AB", line=3, column=2), "instance", 422),
        (NotRecognised("an instance", "x"), "instance", 422),
        (BadOption("size: expected at most 9"), "option", 422),
        (GenerationFailed("nothing found"), "generation", 422),
        (CertificateRejected(["one", "two"]), "certificate", 422),
        (StoreError("no store"), "store", 422),
        (WorkerLost("memory", "over 400 MB"), "killed", 422),
        (WorkerLost("time", "over 12 s"), "killed", 422),
        (WorkerLost("died", "SIGSEGV"), "killed", 422),
        (WorkerLost("stopped", "it was asked to stop"), "stopped", 499),
        (CancelledError(), "stopped", 499),
        (RecursionError(), "instance", 422),
        (msgspec.ValidationError("no"), "request", 400),
        (Busy(), "busy", 503),
        (KeyError("secret"), "bug", 500),
        (UnsoundAnswer("secret"), "bug", 500),
        (ValueError("secret"), "bug", 500),
    ],
)
def test_each_error_has_its_kind(error: Exception, kind: str, status: int) -> None:
    refusal = refusal_for(error)
    assert (refusal.failure.kind, refusal.status) == (kind, status)
    assert "secret" not in refusal.failure.message
    assert refusal.failure.message
    reply = refusal_response(refusal)
    assert reply.status_code == status
    assert msgspec.json.decode(bytes(reply.body), type=schemas.Failed).error == refusal.failure
    assert ("retry-after" in reply.headers) == (status == 503)
    assert reply.headers["cache-control"] == "no-store"


def test_every_kind_has_a_status() -> None:
    assert set(get_args(schemas.Failure.__annotations__["kind"]) or STATUS) == set(STATUS)
    for kind in STATUS:
        assert refusal_response(Refusal(kind, "words")).status_code == STATUS[kind]


def test_the_place_and_the_value_are_told() -> None:
    failure = refusal_for(ParseError("a number", "seven", line=3, column=5, path="$.a[0]")).failure
    assert failure.where == schemas.Where(line=3, column=5, path="$.a[0]")
    assert failure.value == "'seven'"
    assert refusal_for(NotRecognised("an instance", "x")).failure.where is None


def test_what_is_no_text_is_spelled_out() -> None:
    for error in (BadOption("odd \ud800 text"), ParseError("a word", "\udfff"), NotRecognised("\ud800")):
        refusal_response(refusal_for(error))  # would raise
    long = refusal_for(ParseError("a word", "x" * 10_000)).failure
    assert len(long.message) < 200
    assert long.value is not None
    assert len(long.value) < 100


def test_a_refusal_comes_from_a_worker_as_it_is() -> None:
    again = pickle.loads(pickle.dumps(Refusal("missing", "not here", value="x")))
    assert again.failure == Refusal("missing", "not here", value="x").failure
