"""A real server and a real browser, for every test that wants them; see `tests/README.md`.

`workbench` is the address of a server in a process of its own, one for all tests of a pytest process. `page` is a new
page of headless Chromium that has been nowhere yet; a test that uses it fails if the page met an error of its own,
asked for anything elsewhere, or went against its policy. Without Chromium such tests are skipped.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The shell starts a page for a third of the work: it has no window to draw around it."""
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
SECONDS_TO_START = 300
"""No measurement."""
PATIENCE = 60_000
"""Milliseconds after which a test gives up waiting for the page. No measurement either."""

NO_BROWSER = "no Chromium here: install Debian's package chromium-headless-shell or chromium"
needs_browser = pytest.mark.skipif(BROWSER is None, reason=NO_BROWSER)


def end_with_us() -> None:
    """Have the system end this process when its parent is gone: tests may be killed before they clean up."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def start_server(*arguments: str, folder: Path | None = None) -> tuple[subprocess.Popen[str], str]:
    """Start `solvent serve` with a port of its own; return its process and address."""
    command = [sys.executable, "-m", "solvent", "serve", "--port", "0", "--no-open", *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, preexec_fn=end_with_us)
    assert server.stdout is not None
    line = server.stdout.readline()
    assert line.startswith("Solvent is at "), f"the server said {line!r}"
    return server, line.removeprefix("Solvent is at ").strip()


def stop_server(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGINT)
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def post(address: str, verb: str, body: object, **headers: str) -> Any:
    """Post to the API and return the reply; raises HTTPError for a refusal."""
    request = urllib.request.Request(
        f"{address}api/{verb}",
        json.dumps(body).encode(),
        {"content-type": "application/json", **headers},
    )
    with urllib.request.urlopen(request, timeout=SECONDS_TO_START) as reply:
        return json.loads(reply.read())


@pytest.fixture(scope="session")
def workbench() -> Iterator[str]:
    """The address of a server, with a slash at its end, once it can solve."""
    server, address = start_server()
    try:
        with urllib.request.urlopen(f"{address}api/examples") as reply:
            first = json.loads(reply.read())[0]
        with urllib.request.urlopen(f"{address}api/examples/{first['domain']}/{first['name']}") as reply:
            text = json.loads(reply.read())["text"]
        post(address, "ask", {"text": text, "seconds": 1})  # waits until all kernels are loaded
        yield address
    finally:
        stop_server(server)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running Chromium."""
    if BROWSER is None:
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any, workbench: str) -> Iterator[Any]:
    """A page of the workbench's own; `page.goto("#/example/…")` after `page.goto("")` as addresses are relative."""
    yield from open_page(chromium, workbench)


@pytest.fixture
def phone(chromium: Any, workbench: str) -> Iterator[Any]:
    """The same on a phone: narrow, and touched instead of clicked."""
    yield from open_page(chromium, workbench, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)


SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
SCREENS: dict[str, dict[str, Any]] = {
    f"{size}-{theme}": {**given, "color_scheme": theme} for size, given in SIZES.items() for theme in ("light", "dark")
}
SOME_SCREENS = ("desktop-light", "phone-dark")
"""Enough for most tests: each size and each theme once."""
on_every_screen = pytest.mark.parametrize("screen", SCREENS, indirect=True)
"""For what a person does from beginning to end."""


@pytest.fixture(params=SOME_SCREENS)
def screen(request: pytest.FixtureRequest, chromium: Any, workbench: str) -> Iterator[Any]:
    """A page at each size and in each theme; `on_every_screen` has all four."""
    yield from open_page(chromium, workbench, **SCREENS[request.param])


def go_to_example(page: Any, domain: str, name: str, until: str) -> None:
    """Open a bundled example; wait until the page shows what a selector finds."""
    page.goto("about:blank")  # or an earlier example could be taken for this one
    page.goto(f"#/example/{domain}/{name}")
    page.locator(until).first.wait_for()


def expect(found: Any) -> Any:
    """Expect something of what is on the page, with patience on a busy machine."""
    from playwright.sync_api import expect as look

    look.set_options(timeout=PATIENCE)
    return look(found)


def open_page(chromium: Any, address: str, **how: Any) -> Iterator[Any]:
    how.setdefault("viewport", {"width": 1240, "height": 900})
    context = chromium.new_context(base_url=address, accept_downloads=True, **how)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(f"error: {error}"))

    def hear(said: Any) -> None:
        if said.type == "error":
            trouble.append(f"console: {said.text}")

    def see(asked: Any) -> None:
        if not asked.url.startswith((address, "blob:", "data:")):
            trouble.append(f"elsewhere: {asked.url}")

    page.on("console", hear)
    page.on("request", see)
    page.trouble = trouble  # a test that provokes a refusal on purpose clears it
    yield page
    context.close()
    assert not trouble, "\n".join(trouble)
