from __future__ import annotations

from pathlib import Path

import pytest

from solvent.core.path_patterns import matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.bak", "levels/deep/a.bak", True),
        ("*.bak", "levels/a.bak.txt", False),
        ("drafts", "levels/drafts/a.txt", True),
        ("drafts/", "levels/drafts/deep/a.txt", True),
        ("draft?", "levels/draft10/a.txt", False),
        ("levels/*.txt", "levels/a.txt", True),
        ("levels/*.txt", "levels/deep/a.txt", False),
        ("levels/**/*.txt", "levels/a.txt", True),
        ("levels/**/*.txt", "levels/deep/er/a.txt", True),
        ("levels/**/*.txt", "other/levels/a.txt", False),
        ("levels/drafts", "levels/drafts/deep/a.txt", True),
        ("levels/drafts/**", "levels/drafts/a.txt", True),
        ("levels/drafts/**", "levels/drafts2/a.txt", False),
        ("level[12].txt", "level2.txt", True),
        ("level[!12].txt", "level2.txt", False),
        ("a+b.txt", "a+b.txt", True),
        ("./levels/a.txt", "levels/a.txt", True),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert matches(path, pattern) is expected
