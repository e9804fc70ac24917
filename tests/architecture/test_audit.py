"""The audit of dependencies counts what is known, and says what could not be looked up."""

from __future__ import annotations

import pytest
from building import audit

FOUND = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["1.1"]}
REPORT = {
    "dependencies": [
        {"name": "fine", "version": "2.0", "vulns": []},
        {"name": "bad", "version": "1.0", "vulns": [FOUND]},
        {"name": "unseen", "skip_reason": "not found"},
        {"name": "solvent", "skip_reason": "not found"},
    ]
}


def test_what_is_known_is_counted_and_what_was_not_looked_up_is_said():
    assert audit.summary(REPORT) == (
        [
            "bad 1.0: PYSEC-1 (fixed in 1.1)",
            "Audited 2 of 3 packages. Known vulnerabilities: 1.",
            "1 could not be looked up: the advisories cannot be reached from here.",
        ],
        1,
    )


def test_what_is_explained_does_not_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit, "EXPLAINED", {"CVE-1": "we never call it"})
    lines, known = audit.summary(REPORT)
    assert known == 0
    assert lines[0] == "bad 1.0: PYSEC-1 (explained: we never call it)"
