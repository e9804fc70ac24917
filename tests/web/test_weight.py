"""The page is light: everything that a browser loads for it, all domains' pages together."""

from __future__ import annotations

from solvent.core.domain import workbench_folder
from solvent.registry import all_domains
from solvent.web.application import STATIC

MAX_BYTES = 500_000


def test_all_pages_together_weigh_little() -> None:
    folders = [STATIC, *(workbench_folder(domain.page) for domain in all_domains() if domain.page is not None)]
    weights = {path: path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file()}
    assert len(weights) > 20
    assert sum(weights.values()) <= MAX_BYTES, sorted(weights.items(), key=lambda item: -item[1])[:5]


def test_nothing_is_loaded_from_elsewhere() -> None:
    """The policy forbids it; here nobody even tries."""
    for folder in (STATIC, *(workbench_folder(domain.page) for domain in all_domains() if domain.page is not None)):
        for path in folder.rglob("*"):
            if path.suffix in (".js", ".css", ".html"):
                text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
                assert "http://" not in text, path
                assert "https://" not in text, path
                assert "innerHTML" not in text, path
