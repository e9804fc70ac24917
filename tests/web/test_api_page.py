"""What docs/api.md says of the API is so."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.markdown import read_blocks
from solvent.web.schemas import STATUS
from solvent.web.settings import Settings
from solvent.web.verbs import VERBS
from web.calling import inside


@pytest.fixture
def page(project: Path) -> str:
    return (project / "docs" / "api.md").read_text(encoding="utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    section = page[page.index(f"## {heading}\n") :].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_verb_and_field_is_told(page: str) -> None:
    told = {row[0].strip("`"): row[1] for row in rows(page, "The verbs") if not row[0].startswith("`/api")}
    common = {"text", "domain", "rules", "name"}
    for verb in VERBS:
        fields = set(verb.takes.__struct_fields__) - (common if "text" in verb.takes.__struct_fields__ else set())
        assert fields == set(re.findall(r"`(\w+)`", told[verb.name]))


def test_every_refusal_is_told(page: str) -> None:
    told = {row[1].strip("`"): int(row[0]) for row in rows(page, "Refusals") if row[0].isdigit()}
    assert told == {kind: status for kind, status in STATUS.items() if kind != "stopped"}


def test_verbs_that_can_be_listened_to_are_told(page: str) -> None:
    section = page[page.index("## Listening to long work") :].split("reply with")[0]
    assert set(re.findall(r"`(\w+)`", section)) == {verb.name for verb in VERBS if verb.streams}


def test_addresses_that_are_read_are_told(page: str) -> None:
    beginnings = {
        path.split("/")[2] for path, item in inside("GET", "/api/openapi.json").json()["paths"].items() if "get" in item
    }
    told = set(re.findall(r"`/api/([\w.]+)", page))
    assert beginnings <= told


def test_limits_are_told(page: str) -> None:
    settings = Settings()
    section = page[page.index("## Limits") :].split("\n## ")[0]
    for words in (
        f"{settings.seconds:g} s if",
        f"at most {settings.most_seconds:g} s",
        f"| {settings.quick_seconds:g} s |",
        f"{settings.waiting} more may wait",
        f"{settings.body_bytes >> 20} MB, and {settings.body_seconds:g} s",
    ):
        assert words in section


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_the_lines_for_a_shell_do_what_the_page_says(page: str, workbench: str, tmp_path: Path) -> None:
    lines = [line for block in read_blocks(page) for line in block.text.splitlines() if line.startswith("curl")]
    heard = []
    for line in lines:
        own = line.replace("http://127.0.0.1:8000/", workbench)
        ran = subprocess.run(["bash", "-c", own], capture_output=True, text=True, cwd=tmp_path, check=True, timeout=300)
        heard.append(ran.stdout)
    made, refused, example, nothing, events, about = heard
    assert '"verdict":"YES"' in made
    assert '"kind":"instance"' in refused
    assert '"line"' in refused
    assert '"text"' in example
    assert nothing == ""
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "event: result" in events
    assert '"version"' in about
