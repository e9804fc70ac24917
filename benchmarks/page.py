"""How soon a person sees something: the weight of the page, its first look, and how quickly it answers to a hand.

Everything is timed within the page, in a real Chromium with nothing in its cache.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import statistics
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.web import serving
from solvent.registry import all_domains

BROWSERS = ("chromium-headless-shell", "chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
SCRIPT = Path(__file__).with_name("page.js")
PATIENCE = 60_000
"""Milliseconds after which something that does not come is given up. No measurement."""
BOARD = ".bench .stage svg, .bench .stage canvas"
CARD = "main a.example"
REST_SECONDS = 0.3
"""Between two actions: what the first one leads to is over by then."""

TARGETS = {"weight": 600.0, "paint": 1000.0, "interaction": 100.0, "verdict": 300.0}
"""At most so many kilobytes, or milliseconds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Hold what was measured over all repeats."""

    what: str
    kind: str
    """One of `TARGETS`."""
    values: Sequence[float]
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the least and the median, beside what is aimed at."""
        return {
            "what": self.what,
            "kind": self.kind,
            "least": round(min(self.values), 1),
            "median": round(statistics.median(self.values), 1),
            "target": TARGETS[self.kind],
            "note": self.note,
        }


def find_browser() -> str | None:
    """Return where Chromium is, or None without one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@contextlib.contextmanager
def browsing() -> Iterator[tuple[Any, str]]:
    """Have a browser and a server; yields the browser and the address."""
    from playwright.sync_api import sync_playwright

    with serving() as (_, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        try:
            yield browser, address
        finally:
            browser.close()


@contextlib.contextmanager
def opened(browser: Any, address: str, at: str, wait_for: str) -> Iterator[Any]:
    """Open a page that has never been opened, and wait until something is seen on it."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.add_init_script(f"{SCRIPT.read_text()}\nwindow.benchmark.waitFor({wait_for!r});")
        page.goto(at)
        page.wait_for_function("(selector) => window.benchmark.seen[selector]", arg=wait_for)
        yield page
    finally:
        context.close()


def measure_openings(browser: Any, address: str, rounds: int) -> Iterator[Figure]:
    """Open the gallery and a board of each domain."""
    yield from _opening(browser, address, "gallery", "", CARD, rounds)
    for domain in all_domains():
        if domain.page is not None:
            at = f"#/example/{domain.name}/{domain.examples()[0].name}"
            yield from _opening(browser, address, domain.name, at, BOARD, rounds)


def _opening(browser: Any, address: str, name: str, at: str, wait_for: str, rounds: int) -> list[Figure]:
    kilobytes, requests, first, shown = [], [], [], []
    for _ in range(rounds):
        with opened(browser, address, at, wait_for) as page:
            page.wait_for_load_state("networkidle")
            found = page.evaluate(
                """(selector) => {
                  const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
                  const paint = performance.getEntriesByName("first-contentful-paint")[0];
                  return {
                    bytes: entries.reduce((sum, { transferSize }) => sum + transferSize, 0),
                    requests: entries.length,
                    first: paint?.startTime ?? window.benchmark.seen[selector],
                    shown: window.benchmark.seen[selector],
                  };
                }""",
                wait_for,
            )
        kilobytes.append(found["bytes"] / 1000)
        requests.append(found["requests"])
        first.append(found["first"])
        shown.append(found["shown"])
    return [
        Figure(f"{name}: weight", "weight", kilobytes, f"{round(statistics.median(requests))} requests"),
        Figure(f"{name}: first paint", "paint", first),
        Figure(f"{name}: its content", "paint", shown),
    ]


@dataclass(frozen=True, slots=True)
class Interaction:
    """Hold what a person does on a board of a domain, time and again."""

    domain: str
    example: str
    what: str
    prepare: Callable[[Any, int], object]
    """Do what comes before, the how-manieth time it is."""
    act: Callable[[Any, int], object]
    """Do what is measured."""


def _no_preparation(_page: Any, _turn: int) -> None:
    pass


INTERACTIONS = (
    Interaction(
        "dungeon",
        "first_door",
        "a step",
        _no_preparation,
        lambda page, turn: page.keyboard.press("ArrowLeft" if turn % 2 else "ArrowRight"),
    ),
    Interaction(
        "harmony",
        "three_by_three",
        "a swap",
        lambda page, _turn: page.locator(".cell[data-cell=A1]").click(),
        lambda page, _turn: page.locator(".cell[data-cell=A2]").click(),
    ),
    Interaction(
        "starbattle",
        "first_stars",
        "a star",
        _no_preparation,
        lambda page, turn: page.locator(f'.battle.playable .square[data-cell="{turn}"]').click(),
    ),
    Interaction(
        "valency",
        "rooms",
        "a cell",
        _no_preparation,
        lambda page, turn: page.locator(".board").click(position={"x": 60 + 40 * turn, "y": 60}),
    ),
)


def measure_interactions(browser: Any, address: str, rounds: int) -> Iterator[Figure]:
    """Measure from a key or a click to the changed board on the screen."""
    for each in INTERACTIONS:
        with opened(browser, address, f"#/example/{each.domain}/{each.example}", BOARD) as page:
            page.wait_for_load_state("networkidle")
            took = []
            for turn in range(rounds):
                each.prepare(page, turn)
                page.wait_for_timeout(1000 * REST_SECONDS)
                page.evaluate("() => { benchmark.changes.length = 0; benchmark.inputs.length = 0; }")
                each.act(page, turn)
                took.append(_first_after_input(page, "benchmark.changes"))
        yield Figure(f"{each.domain}: {each.what}", "interaction", took)


def _first_after_input(page: Any, times: str) -> float:
    handle = page.wait_for_function(
        f"() => {{ const at = benchmark.inputs.at(-1); const seen = {times}.find((each) => each > at);"
        " return seen ? { took: seen - at } : null; }"
    )
    return float(handle.json_value()["took"])


def large_level(rows: int = 30, columns: int = 40) -> str:
    """Return a dungeon with rooms, locked doors and a key for each."""
    grid = [["."] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if row in (0, rows - 1) or column in (0, columns - 1) or row % 10 == 0 or column % 8 == 0:
                grid[row][column] = "#"
    for row in range(5, rows, 10):
        for column in range(8, columns - 1, 8):
            grid[row][column] = "L" if column % 16 == 0 else "."
            if column % 16 == 0:
                grid[row - 3][column - 5] = "k"
    for row in range(10, rows - 1, 10):
        grid[row][4] = grid[row][columns - 4] = "."
    grid[2][2], grid[rows - 3][columns - 3] = "@", "G"
    return "dungeon: Many rooms\n\nmap:\n" + "\n".join("".join(line) for line in grid) + "\n"


def address_of(text: str, domain: str) -> str:
    """Return the address that has this instance in the editor; see `share.js`."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"#/edit/{domain}/{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def measure_verdicts(browser: Any, address: str, rounds: int) -> Iterator[Figure]:
    """Measure from a painted tile to the first live verdict about the new level, and to all of them."""
    first, every, drawn = [], [], []
    with opened(browser, address, address_of(large_level(), "dungeon"), ".edit-frame svg") as page:
        page.locator(".live-row .verdict").first.wait_for()
        page.locator(".edit-frame").focus()
        for key in ("ArrowRight", "ArrowDown"):
            page.keyboard.press(key)
        for turn in range(rounds):
            page.locator(".live-verdicts:not([aria-busy])").wait_for()
            page.locator(".palette").get_by_role(
                "button", name="Wall" if turn % 2 == 0 else "Floor", exact=True
            ).click()
            page.locator(".edit-frame").focus()
            page.wait_for_timeout(1000 * REST_SECONDS)
            page.evaluate("() => { for (const name of ['changes', 'inputs', 'verdicts']) benchmark[name].length = 0; }")
            page.keyboard.press("Space")
            drawn.append(_first_after_input(page, "benchmark.changes"))
            first.append(_first_after_input(page, "benchmark.verdicts.map(([at]) => at)"))
            page.locator(".live-verdicts:not([aria-busy])").wait_for()
            every.append(_first_after_input(page, "[benchmark.verdicts.at(-1)[0]]"))
    size = "40×30 dungeon: "
    yield Figure(f"{size}a painted tile", "interaction", drawn)
    yield Figure(f"{size}edit → first verdict", "verdict", first)
    yield Figure(f"{size}edit → all verdicts", "verdict", every)


def measure(rounds: int, tell: Callable[[str], object] = print) -> list[Figure]:
    """Measure everything."""
    figures: list[Figure] = []
    with browsing() as (browser, address):
        for part in (measure_openings, measure_interactions, measure_verdicts):
            tell(part.__name__.removeprefix("measure_"))
            figures += part(browser, address, rounds)
    return figures
