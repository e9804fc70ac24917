"""What is measured of the page, and how it is shown. Nothing here looks at a time."""

from __future__ import annotations

import base64
import io
import json
import zlib
from pathlib import Path

import pytest
from benchmarks import page
from benchmarks.__main__ import main
from benchmarks.page_table import page_table
from click.testing import CliRunner
from rich.console import Console

import solvent
from helpers.browser import needs_browser


def test_the_large_level_is_what_its_figures_say() -> None:
    text = page.large_level()
    lines = [line for line in text.splitlines() if line.startswith("#")]
    assert (len(lines), {len(line) for line in lines}) == (30, {40})
    assert solvent.ask(solvent.parse(text), "solvable", seconds=20).verdict.value == "YES"
    payload = page.address_of(text, "dungeon").split("/")[-1]
    assert zlib.decompress(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)), wbits=-15).decode() == text


def test_the_table_says_what_is_over_its_target() -> None:
    figures = [
        page.Figure("a swap", "interaction", [20, 300, 120]),
        page.Figure("gallery", "weight", [350.04], "9 requests"),
    ]
    rows = [figure.as_json() for figure in figures]
    assert (rows[0]["least"], rows[0]["median"]) == (20, 120)
    console = Console(width=120, file=io.StringIO(), record=True)
    console.print(page_table({"summary": rows, "load_at_start": 1.5}))
    shown = console.export_text().splitlines()
    assert [line.split()[-1] for line in shown if "a swap" in line] == ["over"]
    assert any("350 KB" in line and "over" not in line for line in shown)


@needs_browser
@pytest.mark.slow
@pytest.mark.deep
def test_the_benchmark_runs(tmp_path: Path) -> None:
    out = tmp_path / "page.json"
    ran = CliRunner().invoke(main, ["page", "--rounds", "1", "--json", str(out)])
    assert ran.exit_code == 0, ran.output
    written = json.loads(out.read_text())
    assert {row["kind"] for row in written["summary"]} == set(page.TARGETS)
    assert all(row["median"] > 0 for row in written["summary"])
