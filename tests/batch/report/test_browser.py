"""The page in a browser: its own script runs under its own policy, and nothing else does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from batch.report.stores import Told, fill
from helpers.browser import BROWSER, FLAGS, needs_browser
from solvent.batch.report.run_page import make_report
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run

CLICKS = """
const said = [], table = document.getElementById("all"), form = document.querySelector("form.filter");
const names = () => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[1].textContent);
const time = [...table.tHead.rows[0].cells].find((cell) => cell.textContent === "Time").querySelector("button");
time.click(); said.push("ascending " + names());
time.click(); said.push("descending " + names());
form.elements.words.value = "B.TXT";
form.dispatchEvent(new Event("input")); said.push("filtered " + names());
form.reset();
form.elements.status.value = "FAIL";
form.dispatchEvent(new Event("input")); said.push("failed " + names());
const dialog = document.querySelector("dialog"), caption = dialog.querySelector("span");
document.querySelector("a.open").click(); said.push("open " + dialog.open + " " + caption.textContent);
dialog.querySelector("button").click(); said.push("open " + dialog.open);
const note = document.createElement("pre");
note.id = "said";
note.textContent = said.join("\\n");
document.body.append(note);
"""

pytestmark = needs_browser


@pytest.fixture
def page(tmp_path: Path) -> str:
    told = [
        Told("a.txt", content=1, seconds=2.0),
        Told("b.txt", "NO", content=2, seconds=10.0),
        Told("c.txt", content=3, seconds=0.3),
    ]
    fill(tmp_path / "v.db", told)
    with Store.open(tmp_path / "v.db", create=False, read_only=True) as store:
        return make_report(store, newest_run(store)).page


def opened(page: str, folder: Path) -> str:
    """Return what a browser made of a page."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    command = [
        BROWSER or "",
        *FLAGS,
        "--headless",
        "--virtual-time-budget=2000",
        "--dump-dom",
        f"--user-data-dir={folder / 'profile'}",
        (folder / "page.html").as_uri(),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_the_script_of_the_page_runs_and_no_other(page: str, tmp_path: Path) -> None:
    foreign = '<script>document.documentElement.id = "robbed"</script>'
    seen = opened(page.replace("</body>", f"{foreign}</body>"), tmp_path)
    assert re.search(r'<html[^>]* class="scripted"', seen)
    assert "<html" in seen
    assert 'id="robbed"' not in seen


def test_sorting_filtering_and_drawings(page: str, tmp_path: Path) -> None:
    without_policy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    seen = opened(without_policy.replace("</body>", f"<script>{CLICKS}</script></body>"), tmp_path)
    said = re.search(r'<pre id="said">(.*?)</pre>', seen, re.DOTALL)
    assert said is not None
    assert said.group(1).split("\n") == [
        "ascending c.txt,a.txt,b.txt",
        "descending b.txt,a.txt,c.txt",
        "filtered b.txt",
        "failed b.txt",
        "open true a.txt · solvable: YES",
        "open false",
    ]
