"""Open pages in a real browser, and see whether anything that was planted is more than text."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from helpers.browser import BROWSER, FLAGS
from torture.campaign import Tally
from torture.pages.payloads import ELSEWHERE, MARK

PATIENCE = 30_000
"""Milliseconds until something that should be on a page counts as missing; no measurement."""
LOOK = f"""() => {{
  const found = [];
  for (const element of document.querySelectorAll("*")) {{
    const name = element.localName.toLowerCase();
    if (["iframe", "object", "embed", "base", "foreignobject"].includes(name)) found.push("<" + name + ">");
    for (const {{ name: key, value }} of element.attributes) {{
      const what = "<" + name + " " + key + "=" + JSON.stringify(value.slice(0, 100)) + ">";
      if (/^on/i.test(key) || key === "data-{MARK}") found.push(what);
      const leads = /^(xlink:)?(href|src|action|formaction|to|from|values)$/i.test(key);
      if (leads && /^\\s*(javascript|vbscript):/i.test(value)) found.push(what);
      if (/^\\s*data:text\\/html/i.test(value) && /^(xlink:)?(href|src|data)$/i.test(key)) found.push(what);
    }}
  }}
  if (document.querySelector("parsererror")) found.push("it is not well-formed");
  const shown = document.documentElement.outerHTML.includes("{MARK}");
  return [shown, found.slice(0, 5)];
}}"""
"""Our pages have no attributes that are scripts, and nothing from elsewhere."""


class Reader:
    """Open pages, and keep what is wrong with them."""

    def __init__(self, browser: Any, tally: Tally) -> None:
        self._browser = browser
        self._tally = tally
        self._faults: list[tuple[str, str]] = []

    def fault(self, kind: str, what: str) -> None:
        """Keep what went wrong."""
        if (kind, what) not in self._faults:
            self._faults.append((kind, what))

    def take_faults(self) -> list[tuple[str, str]]:
        """Return what went wrong since this was last asked."""
        found, self._faults = self._faults, []
        return found

    @contextlib.contextmanager
    def page(self, group: str, *, policy: bool) -> Iterator[Any]:
        """Give a new page; without its policy, what got in would run, too.

        With its policy, that the browser refused something is a fault as well: markup got in.
        """
        context = self._browser.new_context(bypass_csp=not policy, viewport={"width": 1000, "height": 800})
        context.set_default_timeout(PATIENCE)
        context.route(lambda address: address.startswith(ELSEWHERE), lambda route: route.abort())
        page = context.new_page()

        def open_dialog(dialog: Any) -> None:
            self.fault("wrong", f"{group}: a script ran: it said {dialog.message!r}")
            dialog.dismiss()

        def hear(said: Any) -> None:
            if "Content Security Policy" in said.text:
                self.fault("wrong", f"{group}: only the policy of the page stopped it: {said.text[:300]}")

        def see(asked: Any) -> None:
            if asked.url.startswith(ELSEWHERE):
                self.fault("wrong", f"{group}: the page asked for {asked.url}")

        page.on("dialog", open_dialog)
        page.on("console", hear)
        page.on("pageerror", lambda error: self.fault("crashed", f"{group}: a script of the page failed: {error}"))
        context.on("request", see)
        self._tally.count(group)
        try:
            yield page
        finally:
            context.close()

    def look(self, page: Any, group: str) -> None:
        """Look for what was planted among the elements of a page."""
        from playwright.sync_api import Error

        try:
            shown, found = page.evaluate(LOOK)
        except Error as error:  # it is not there any more
            self.fault("wrong", f"{group}: the page went elsewhere: {error}")
            return
        self._tally.counts["looks at a page with a script in sight, as text"] += bool(shown)
        for each in found:
            self.fault("wrong", f"{group}: markup got in: {each}")

    def open(self, group: str, address: str, *, policy: bool = True) -> None:
        """Open a document and look at it."""
        with self.page(group, policy=policy) as page:
            page.goto(address, wait_until="load")
            self.look(page, group)

    def open_html(self, group: str, html: str, folder: Path, *, policy: bool = True) -> None:
        """Open a page from a file, as a user does."""
        path = folder / "page.html"
        path.write_bytes(html.encode("utf-8", "surrogatepass"))
        self.open(group, path.resolve().as_uri(), policy=policy)

    def open_picture(self, group: str, svg: str, folder: Path) -> None:
        """Open a picture as a document of its own; it has to be XML."""
        data = svg.encode("utf-8", "surrogatepass")
        try:
            expat.ParserCreate().Parse(data, True)
        except expat.ExpatError as error:
            self.fault(
                "crashed", f"{group}: the picture is not XML: {error}: {data[error.offset : error.offset + 80]!r}"
            )
            return
        path = folder / "picture.svg"
        path.write_bytes(data)
        self.open(group, path.resolve().as_uri())


@contextlib.contextmanager
def reading(tally: Tally) -> Iterator[Reader]:
    """Start the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield Reader(browser, tally)
        browser.close()
