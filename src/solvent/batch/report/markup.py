"""HTML and SVG from plain functions. Every text is escaped unless it was made here."""

from __future__ import annotations

from collections.abc import Iterable

VOID = frozenset({"br", "circle", "img", "input", "line", "meta", "path", "rect", "use"})
"""Elements that hold nothing; those of SVG are written so that both HTML and XML close them."""

_UNSEEN = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}
"""Control characters, which HTML does not allow, become the small pictures that Unicode has of them."""


class Markup(str):
    """Hold text that is markup already, so that nobody escapes it again."""

    __slots__ = ()


Child = str | Iterable["Child"] | None


def escape(text: str) -> Markup:
    """Make a text harmless inside an element or an attribute, whatever a file name or a message holds."""
    if isinstance(text, Markup):
        return text
    # Half of a pair of surrogates, as in names of files that are not UTF-8, cannot be written down.
    whole = text.encode("utf-8", "replace").decode("utf-8").translate(_UNSEEN)
    for sign, spelled in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        whole = whole.replace(sign, spelled)
    return Markup(whole)


def tag(name: str, /, *children: Child, **attributes: object) -> Markup:
    """Make an element. Underscores in the names of attributes become dashes, and one at the end falls away.

    An attribute that is None or False is left out, one that is True stands without a value.
    """
    said = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        spelled = key.rstrip("_").replace("_", "-")
        said.append(f" {spelled}" if value is True else f' {spelled}="{escape(_written(value))}"')
    head = name + "".join(said)
    if name in VOID:
        return Markup(f"<{head}/>")
    return Markup(f"<{head}>{join(children)}</{name}>")


def join(children: Iterable[Child], between: str = "") -> Markup:
    """Put several pieces after one another; None is nothing."""
    return Markup(
        escape(between).join(
            escape(child) if isinstance(child, str) else join(child) for child in children if child is not None
        )
    )


def _written(value: object) -> str:
    if isinstance(value, float):  # a tenth of a point is finer than any screen
        return f"{value:.1f}".removesuffix(".0")
    return str(value)
