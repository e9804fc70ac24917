"""The page is light: everything that a browser can load for any one domain, its editor and second checker included."""

from __future__ import annotations

from pathlib import Path

import pytest

from solvent.core.domain import workbench_folder
from solvent.registry import all_domains
from solvent.web.application import STATIC

MAX_BYTES = 600_000
PAGES = [domain.page for domain in all_domains() if domain.page is not None]


def weights(*folders: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.package)
def test_the_shell_and_all_of_one_domain_weigh_little(page: object) -> None:
    found = weights(STATIC, workbench_folder(page))  # type: ignore[arg-type]
    assert len(found) > 20
    assert sum(found.values()) <= MAX_BYTES, sorted(found.items(), key=lambda item: -item[1])[:5]


def test_nothing_is_loaded_from_elsewhere() -> None:
    """The policy forbids it; here nobody even tries."""
    for folder in (STATIC, *(workbench_folder(domain.page) for domain in all_domains() if domain.page is not None)):
        for path in folder.rglob("*"):
            if path.suffix in (".js", ".css", ".html"):
                text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
                assert "http://" not in text, path
                assert "https://" not in text, path
                assert "innerHTML" not in text, path
