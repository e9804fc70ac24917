"""Every example in the README and the documentation runs, and does what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import PROJECT
from docs.markdown import all_pages, read_anchors, read_blocks, read_links
from docs.running import differences
from helpers.marks import slow

PAGES = all_pages(PROJECT)
RUN_ELSEWHERE = {"docs/adding-a-domain.md"}
"""Its snippets change the project they are run in; tests/architecture/test_template_copy.py runs them on a copy."""


def name_of(page: Path) -> str:
    return page.relative_to(PROJECT).as_posix()


def has_something_to_run(page: Path) -> bool:
    languages = {block.language for block in read_blocks(page.read_text(encoding="utf-8"))}
    return bool(languages & {"python", "console"})


RUNNABLE = [page for page in PAGES if name_of(page) not in RUN_ELSEWHERE and has_something_to_run(page)]
READ_FIRST = [page for page in RUNNABLE if not name_of(page).startswith(("docs/how-to/", "docs/at-scale"))]
"""The README, the tutorial, a page for each kind of reader, reference, explanation. The rest starts many processes."""


@pytest.mark.parametrize("page", [*READ_FIRST, *slow(page for page in RUNNABLE if page not in READ_FIRST)], ids=name_of)
def test_the_examples_of_a_page_run_as_written(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "\n\n".join(differences(page.read_text(encoding="utf-8"), tmp_path)) == ""


def test_the_pages_newcomers_follow_are_among_those_that_run() -> None:
    assert {"README.md", "docs/tutorial.md"} <= {name_of(page) for page in READ_FIRST}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in read_links(page.read_text(encoding="utf-8")):
        if link.startswith("https://"):  # somebody else's, and no test should need a network
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{name_of(page)} links to {link}"
        if anchor:
            assert anchor in read_anchors(target.read_text(encoding="utf-8")), f"{name_of(page)} links to {link}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [PROJECT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        waiting += [page.parent / link.partition("#")[0] for link in read_links(page.read_text(encoding="utf-8"))]
    assert {page.resolve() for page in PAGES} <= reached
