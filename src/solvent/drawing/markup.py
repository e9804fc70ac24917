"""HTML and SVG from plain functions. Every text is escaped unless it was made here."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.drawing.palette import as_hex

VOID = frozenset({"br", "circle", "img", "input", "line", "meta", "path", "polygon", "rect", "use"})
"""Elements that may hold nothing; those of SVG are written so that both HTML and XML close them."""

_UNSEEN = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {127: 0x2421}
"""Control characters, which HTML and XML do not allow, become the small pictures that Unicode has of them."""
_SPELLED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_NEVER = dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD)
"""What is no character in XML."""
_ESCAPES: dict[int, int | str] = {**_UNSEEN, **_NEVER, **{ord(sign): spelled for sign, spelled in _SPELLED.items()}}


class Markup(str):
    """Hold text that is markup already, so that it is not escaped again."""

    __slots__ = ()

    def __add__(self, other: str) -> Markup:
        """Put markup, or a text that is escaped, after this."""
        return Markup(str.__add__(self, escape(other)))


Child = str | Iterable["Child"] | None


def escape(text: str) -> Markup:
    """Make a text harmless inside an element or an attribute, whatever a file name or a message holds."""
    if isinstance(text, Markup):
        return text
    # Half of a pair of surrogates, as in names of files that are not UTF-8, cannot be written down.
    return Markup(text.encode("utf-8", "replace").decode("utf-8").translate(_ESCAPES))


def tag(name: str, /, *children: Child, **attributes: object) -> Markup:
    """Make an element. Underscores in the names of attributes become dashes, and one at the end falls away.

    An attribute that is None or False is left out, one that is True stands without a value. A paint is written as
    `#RRGGBB`.
    """
    written = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        spelled = key.rstrip("_").replace("_", "-")
        written.append(f" {spelled}" if value is True else f' {spelled}="{_write(value)}"')
    head = name + "".join(written)
    if name in VOID and not children:
        return Markup(f"<{head}/>")
    return Markup(f"<{head}>{join(children)}</{name}>")


def join(children: Iterable[Child], between: str = "") -> Markup:
    """Put several pieces after one another; None is nothing."""
    return Markup(
        escape(between).join(
            escape(child) if isinstance(child, str) else join(child) for child in children if child is not None
        )
    )


def number(value: float) -> str:
    """Write a length; a hundredth of a pixel is finer than any screen."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _write(value: object) -> str:
    if isinstance(value, float):
        return number(value)
    if isinstance(value, tuple):
        return as_hex(value)
    return escape(str(value))
