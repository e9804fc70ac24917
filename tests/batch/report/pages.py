"""Look at a page as a browser does: its elements, where links lead, what the content policy allows."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"br", "img", "input", "meta", "wbr", "circle", "line", "path", "rect", "use"}


class Page(HTMLParser):
    """Read a page; an element that is not closed, or closed twice, fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.source = text
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("style", "script"):
            self.text.append(data)

    @property
    def words(self) -> str:
        """Return all that can be read, on one line."""
        return " ".join("".join(self.text).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of every element of this tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    def require(self) -> None:
        """Insist on what holds for every page of ours."""
        ids = [str(attributes["id"]) for _, attributes in self.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        for tag, attributes in self.elements:
            href = attributes.get("href")
            if href is not None:
                assert href.startswith("#"), "nothing leads out of the page"
                assert href[1:] in ids, f"{href} leads nowhere"
            assert "style" not in attributes, "the policy forbids it"
            assert not any(name.startswith("on") for name in attributes)
            if tag == "img":
                assert str(attributes["src"]).startswith("data:")
                assert "alt" in attributes
            if tag == "svg":
                assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")
        assert len(self.all("script")) == len(self.all("style")) == len(self.all("h1")) == 1
        assert all(heading.get("scope") in ("col", "row") for heading in self.all("th"))
        assert not re.search(r"https?://", self.source.replace("http://www.w3.org/2000/svg", ""))
        self._require_policy()

    def _require_policy(self) -> None:
        (policy,) = [str(meta["content"]) for meta in self.all("meta") if "http-equiv" in meta]
        assert policy.startswith("default-src 'none'; img-src data:; ")
        for tag in ("style", "script"):
            (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", self.source, re.DOTALL)
            fingerprint = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{fingerprint}'" in policy
