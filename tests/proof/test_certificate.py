from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.core.answer import Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.core.errors import LimitReached, ParseError
from solvent.proof.certificate import (
    ENVELOPE_KEYS,
    decode_certificate,
    encode_certificate,
    envelope_violations,
    load_certificate,
    make_certificate,
    save_certificate,
)

PLAN = make_certificate("coins", "solvable", Verdict.YES, "plan", moves=["A1", "B2"], note="größer")
QUESTIONS = {"solvable": "Can it be done?"}

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(body=json_values, packed=st.booleans())
def test_encoding_round_trips(body, packed):
    certificate = make_certificate("coins", "solvable", Verdict.NO, "form", body=body)
    data = encode_certificate(certificate)
    assert decode_certificate(gzip.compress(data) if packed else data) == certificate


def test_the_same_certificate_gives_the_same_bytes(tmp_path):
    assert encode_certificate(PLAN) == encode_certificate(dict(PLAN))
    save_certificate(PLAN, tmp_path / "one.json.gz")
    save_certificate(PLAN, tmp_path / "two.json.gz")
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()


@pytest.mark.parametrize("name", ["plan.json", "plan.json.gz", "plan"])
def test_files_round_trip(tmp_path, name):
    save_certificate(PLAN, tmp_path / name)
    assert load_certificate(tmp_path / name) == PLAN
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


@pytest.mark.parametrize("data", [b"", b"{", b"junk", b"\xff\xfe\x00", b"{} {}", b"[" * 100_000, b'{"a":\x001}'])
def test_junk_is_a_parse_error(data):
    with pytest.raises(ParseError, match="certificate in JSON"):
        decode_certificate(data)


@pytest.mark.parametrize("data", [b"[]", b"1", b'"text"', b"null"])
def test_json_that_is_no_object_is_a_parse_error(data):
    with pytest.raises(ParseError, match="JSON object"):
        decode_certificate(data)


def test_a_damaged_gzip_file_is_a_parse_error():
    packed = gzip.compress(encode_certificate(PLAN))
    for end in range(2, len(packed)):
        with pytest.raises(ParseError):
            decode_certificate(packed[:end])
    for place in (3, 12, len(packed) // 2, len(packed) - 6, len(packed) - 1):
        damaged = bytearray(packed)
        damaged[place] ^= 0xFF
        with pytest.raises(ParseError):
            decode_certificate(bytes(damaged))


def test_a_file_that_unfolds_too_far_is_a_parse_error():
    packed = gzip.compress(encode_certificate(make_certificate("coins", "q", Verdict.NO, "f", body="x" * 2000)))
    assert len(packed) < 1000
    assert decode_certificate(packed, unfolded_megabytes=0.01)["body"] == "x" * 2000
    with pytest.raises(ParseError, match=r"unfolds to more than 0\.001 MB"):
        decode_certificate(packed, unfolded_megabytes=0.001)


def test_a_bomb_is_refused_after_a_piece_of_it():
    """A megabyte that would unfold to a gigabyte: no more than a piece beyond what is allowed is ever unpacked."""
    bomb = gzip.compress(b"{" + b" " * (200 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(ParseError, match="unfolds to more than 8 MB"):
            decode_certificate(bomb, unfolded_megabytes=8)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 30e6


def test_unfolding_looks_at_the_limits_piece_by_piece():
    looks = 0

    class Counting(Cancellation):
        @property
        def requested(self) -> bool:
            nonlocal looks
            looks += 1
            return looks > 5

    packed = gzip.compress(b" " * (20 << 20))
    with pytest.raises(LimitReached, match="cancelled"):
        decode_certificate(packed, meter=Budget(cancellation=Counting()).start())
    assert looks == 6


def test_values_that_would_not_fit_the_memory_are_not_read():
    """Empty lists take a hundred times their text."""
    data = b'{"a": [' + b"[]," * 500_000 + b"[]]}"
    meter = Budget(megabytes=50).start()
    with pytest.raises(LimitReached, match="reading the certificate needs about 126 MB"):
        decode_certificate(data, meter=meter)
    assert len(decode_certificate(data)["a"]) == 500_001


def test_the_error_names_the_file(tmp_path):
    (tmp_path / "broken.json").write_bytes(b"nothing")
    with pytest.raises(ParseError, match=r"broken\.json: expected a certificate"):
        load_certificate(tmp_path / "broken.json")


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "plan.json"
    save_certificate(PLAN, target)
    before = target.read_bytes()
    write_bytes = Path.write_bytes

    def fill_the_disk(path, data):
        write_bytes(path, data[:10])
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill_the_disk)
    with pytest.raises(OSError, match="No space"):
        save_certificate({**PLAN, "moves": []}, target)
    monkeypatch.undo()
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_what_json_cannot_hold_leaves_no_file(tmp_path):
    with pytest.raises(TypeError):
        save_certificate({**PLAN, "moves": object()}, tmp_path / "plan.json")
    assert list(tmp_path.iterdir()) == []


def test_a_sound_envelope_has_no_violations():
    assert envelope_violations(PLAN, domain="coins", questions=QUESTIONS) == []


@pytest.mark.parametrize("key", ENVELOPE_KEYS)
def test_a_missing_key_is_named(key):
    rest = {name: value for name, value in PLAN.items() if name != key}
    assert envelope_violations(rest, domain="coins", questions=QUESTIONS) == [
        f"expected the key {key!r}, which is missing"
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("solvent", 2),
        ("solvent", "1"),
        ("solvent", True),
        ("domain", "stones"),
        ("domain", None),
        ("question", "unique"),
        ("question", ["solvable"]),
        ("verdict", "UNKNOWN"),
        ("verdict", {}),
        ("form", 3),
    ],
)
def test_a_wrong_value_is_one_violation_that_shows_it(key, value):
    found = envelope_violations({**PLAN, key: value}, domain="coins", questions=QUESTIONS)
    assert len(found) == 1
    assert repr(value) in found[0]


@pytest.mark.parametrize("value", [None, 3, "text", [PLAN]])
def test_what_is_no_object_has_one_violation(value):
    found = envelope_violations(value, domain="coins", questions=QUESTIONS)
    assert len(found) == 1
    assert "JSON object" in found[0]
