"""Where names from outside are shown: pictures, notebooks, reports, and every page of the workbench."""

from __future__ import annotations

import base64
import contextlib
import json
import urllib.request
import zlib
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import solvent
from solvent.cli.start import main as run_command
from solvent.core.domain import Drawing
from solvent.reading import format_problem
from solvent.registry import get_domain
from torture.pages.hostile_folder import HostileFolder, fill_hostile_store, planted_instance
from torture.pages.payloads import payload
from torture.pages.reader import Reader

NODES = 2_000
"""For what is asked about an instance here; enough for most examples."""
TRIES = 60


@dataclass(frozen=True)
class Surroundings:
    """Hold what is opened: a server that shows a hostile folder, and a place for files."""

    reader: Reader
    address: str
    hostile: HostileFolder
    folder: Path

    def get(self, path: str) -> Any:
        """Return what the server says."""
        with urllib.request.urlopen(f"{self.address}api/{path}") as reply:
            return json.loads(reply.read())


def readable_instance(dice: Random) -> Any:
    """Return an instance with payloads in it that can be read."""
    for _ in range(TRIES):
        text, domain = planted_instance(dice)
        with contextlib.suppress(ValueError):
            return solvent.parse(text, domain=domain)
    return solvent.parse(text)


def open_pictures(around: Surroundings, dice: Random) -> None:
    """Open pictures of an instance as documents: as it stands, solved, and with what a hint points at."""
    problem = readable_instance(dice)
    for drawing in _drawings(problem, dice):
        with contextlib.suppress(solvent.BadOption):
            svg = get_domain(problem.domain).draw_svg(problem, drawing)
            around.reader.open_picture("picture", svg, around.folder)


def _drawings(problem: Any, dice: Random) -> list[Drawing]:
    domain = get_domain(problem.domain)
    found = [Drawing()]
    if dice.random() < 0.5:
        question = dice.choice(list(domain.questions))
        found.append(Drawing(certificate=solvent.ask(problem, question, nodes=NODES, seconds=10).certificate))
    if domain.hints is not None and dice.random() < 0.5:
        hint = next(iter(solvent.hints(problem, nodes=NODES, seconds=10)), None)
        found += [] if hint is None else [Drawing.of_hint(hint)]
    return found


def open_notebook(around: Surroundings, dice: Random) -> None:
    """Show instances, answers, hints and explanations as a notebook does: as part of a page without a policy."""
    parts = []
    for _ in range(3):
        problem = readable_instance(dice)
        domain = get_domain(problem.domain)
        shown: list[Any] = [problem]
        shown.append(solvent.ask(problem, dice.choice(list(domain.questions)), nodes=NODES, seconds=10))
        if domain.hints is not None:
            shown += [hint for hint, _ in zip(solvent.hints(problem, nodes=NODES, seconds=10), range(2), strict=False)]
        if domain.explain is not None:
            shown.append(solvent.explain(problem, nodes=NODES, seconds=10))
        for each in shown:
            for method in ("_repr_html_", "_repr_svg_"):
                if hasattr(each, method):
                    parts.append(f"<div>{getattr(each, method)()}</div>")
    html = f"<!doctype html><meta charset=utf-8><body>{''.join(parts)}</body>"
    around.reader.open_html("notebook", html, around.folder)


def open_reports(around: Surroundings, dice: Random) -> None:
    """Make a report and a comparison from stores of which every word is a payload."""
    policy = dice.random() < 0.5
    out = around.folder / "report.html"
    store = around.folder / "told.db"
    for leftover in around.folder.glob("told.db*"):
        leftover.unlink()
    fill_hostile_store(store, dice)
    kinds = {
        "report": ["report", str(dice.choice([store, *around.hostile.stores]))],
        "comparison": ["report", str(store), "--against", "1"],
        "comparison of stores": ["report", str(around.hostile.stores[1]), str(store)],
    }
    for group, words in kinds.items():
        code = run_command([*words, "-o", str(out)])
        if code != 0:
            around.reader.fault("crashed", f"{group}: exit code {code}")
            continue
        if 'http-equiv="Content-Security-Policy"' not in out.read_text(encoding="utf-8"):
            around.reader.fault("wrong", f"{group}: the page has no policy")
        with around.reader.page(group, policy=policy) as page:
            page.goto(out.resolve().as_uri(), wait_until="load")
            around.reader.look(page, group)
            for button in page.locator("thead button").all()[:3]:  # its own script moves what was planted about
                button.click()
            links = page.locator("a.open").all()
            if links:
                links[0].click()
            around.reader.look(page, group)


def open_workbench(around: Surroundings, dice: Random) -> None:
    """Open an instance by its address, ask about it and look at everything that is said."""
    problem = readable_instance(dice)
    address = link_to(around.address, problem.domain, format_problem(problem), payload(dice)[:190])
    with around.reader.page("workbench", policy=dice.random() < 0.5) as page:
        page.goto(address)
        _wait_for_bench(page)
        around.reader.look(page, "workbench")
        buttons = [each for each in page.locator(".questions .row button").all() if each.is_visible()]
        buttons += [each for each in page.get_by_role("button", name="Hint").all() if each.is_visible()]
        for button in dice.sample(buttons, min(2, len(buttons))):
            with contextlib.suppress(Exception):  # a part of the page may lock its buttons while it works
                button.click(timeout=2_000)
                _wait_for_work(page)
            around.reader.look(page, "workbench")
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
        around.reader.look(page, "workbench")


def link_to(address: str, domain: str, text: str, name: str) -> str:
    """Return the address of an instance, as the page makes it."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(text.encode("utf-8", "replace")) + packer.flush()
    letters = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"{address}#/at/{quote(domain, safe='')}/{letters}/{quote(name, safe='', errors='replace')}"


def _wait_for_bench(page: Any) -> None:
    page.wait_for_function(
        "() => document.querySelector('.trouble p') || document.querySelector('.stage')?.childElementCount"
    )


def _wait_for_work(page: Any) -> None:
    page.wait_for_function("() => !document.querySelector('.jobs')?.childElementCount")


def open_errors(around: Surroundings, dice: Random) -> None:
    """Paste what cannot be read, and go to addresses that are payloads."""
    reader = around.reader
    with reader.page("text that is refused", policy=dice.random() < 0.5) as page:
        page.goto(f"{around.address}#/open")
        area = page.locator("textarea").first
        for _ in range(3):
            text, _ = planted_instance(dice)
            area.fill(dice.choice([text, payload(dice), f"dungeon: {payload(dice)}\n\nmap:\n{payload(dice)}\n"]))
            page.get_by_role("button", name="Open", exact=True).first.click()
            page.wait_for_function("() => document.querySelector('.trouble p') || location.hash !== '#/open'")
            reader.look(page, "text that is refused")
            if "#/open" not in page.url:
                break
    word = quote(payload(dice)[:500], safe="", errors="replace")
    forms = ["#/{}", "#/example/{}/x", "#/example/dungeon/{}", "#/at/dungeon/zzz/{}", "#/new/{}", "#/file/{}"]
    forms += ["#/run/{}/1", "#/result/{}/1/2", "#/compare/{}/1/x/2", "#/at/{}/zzz/x", "#/files/text={}", "api/{}", "{}"]
    with reader.page("address that is a payload", policy=dice.random() < 0.5) as page:
        page.goto(around.address + dice.choice(forms).format(word), wait_until="networkidle")
        reader.look(page, "address that is a payload")


def open_files(around: Surroundings, dice: Random) -> None:
    """Look through the user's files, whose names are payloads, and open some."""
    reader = around.reader
    files = around.get("files?count=200")["files"]
    with reader.page("files", policy=dice.random() < 0.5) as page:
        page.goto(f"{around.address}#/files", wait_until="networkidle")
        page.locator("a.file").first.wait_for()
        reader.look(page, "files")
    for file in dice.sample(files, min(3, len(files))):
        with reader.page("file", policy=dice.random() < 0.5) as page:
            page.goto(f"{around.address}#/file/{file['id']}")
            _wait_for_bench(page)
            reader.look(page, "file")
        reader.open("picture of a file", f"{around.address}api/files/{file['id']}/picture.svg")


def open_runs(around: Surroundings, dice: Random) -> None:
    """Look through stores, runs, answers and comparisons in which every word is a payload."""
    reader = around.reader
    stores = [store for store in around.get("runs") if store["runs"]]
    pages = {"runs": ("#/runs", "a.run")}
    store = dice.choice(stores)
    run = dice.choice(store["runs"])["id"]
    rows = around.get(f"runs/{store['id']}/{run}/rows")["rows"]
    pages["run"] = (f"#/run/{store['id']}/{run}", "table")
    pages["answer"] = (f"#/result/{store['id']}/{run}/{dice.choice(rows)['number']}", ".stage > *, .trouble p, pre, h1")
    told = next(store for store in stores if len(store["runs"]) > 1)
    pages["two runs compared"] = (f"#/compare/{told['id']}/1/{told['id']}/2", "table")
    for group, (place, until) in pages.items():
        with reader.page(group, policy=dice.random() < 0.5) as page:
            page.goto(around.address + place, wait_until="networkidle")
            page.locator(until).first.wait_for()
            reader.look(page, group)
