"""XML as elements that know their lines, read so that a hostile text can neither blow up nor reach out.

A line that only names a document type, as old files have it, says nothing: what it names is never fetched. Document
types with declarations inside, and entities of one's own, are refused before anything is made of them; depth and size
have a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

from solvent.core.errors import ParseError

DEEPEST_ELEMENT = 60
LARGEST_TEXT = 64 << 20
"""Letters of XML at most."""
MAX_ELEMENTS = 4_000_000
_FOREIGN_ENTITY = r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)"
"""An entity that XML itself does not have. Parsers pass over those that a document type elsewhere might declare."""


@dataclass(slots=True)
class Element:
    """Hold one element: its tag, what its attributes say, its text, and the elements in it."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    text: list[str] = field(default_factory=list)
    """The text directly in it, in parts."""
    children: list[Element] = field(default_factory=list)

    @property
    def where(self) -> Mapping[str, Any]:
        """Return where it stands, as keyword arguments of ParseError."""
        return {"line": self.line, "path": f"<{self.tag}>"}

    def all(self, tag: str) -> Iterator[Element]:
        """Return the elements directly in it that have this tag."""
        return (element for element in self.children if element.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Return the first element directly in it that has this tag; None if there is none."""
        return next(self.all(tag), None)

    def word(self, name: str) -> str:
        """Return what an attribute says; one that is missing is an error."""
        text = self.attributes.get(name)
        if text is None:
            raise ParseError(f"the attribute {name}, but it is missing", **self.where)
        return text

    def integer(self, name: str, otherwise: int | None = None) -> int:
        """Return an attribute as a whole number; one that is missing is an error unless `otherwise` is given."""
        number = self.number(name, otherwise)
        if number != int(number):
            raise ParseError(f"{name}: a whole number", self.attributes[name], **self.where)
        return int(number)

    def number(self, name: str, otherwise: float | None = None) -> float:
        """Return an attribute as a number; one that is missing is an error unless `otherwise` is given."""
        if name not in self.attributes and otherwise is not None:
            return otherwise
        text = self.word(name)
        try:
            number = float(text)
        except ValueError:
            raise ParseError(f"{name}: a number", text, **self.where) from None
        if not abs(number) <= 1 << 32:
            raise ParseError(f"{name}: a number that is not so large", text, **self.where)
        return number


def read_elements(text: str, tag: str | tuple[str, ...], what: str) -> Element:
    """Read XML and return its root, which must have the tag, or one of the tags.

    `what` says what the text should be, for messages: "a Tiled map".
    """
    if len(text) > LARGEST_TEXT:
        raise ParseError(f"{what} of at most {LARGEST_TEXT >> 20} million letters")
    if "<!ENTITY" in text or ("<!DOCTYPE" in text and re.search(_FOREIGN_ENTITY, text)):
        raise ParseError(f"{what} without entities of its own")
    root = _parse(text, what)
    tags = (tag,) if isinstance(tag, str) else tag
    if root.tag not in tags:
        wished = " or ".join(f"<{one}>" for one in tags)
        raise ParseError(f"{what}, which begins with {wished}", f"<{root.tag}>", **root.where)
    return root


def _parse(text: str, what: str) -> Element:
    open_elements: list[Element] = []
    roots: list[Element] = []
    parser = expat.ParserCreate("utf-8")
    count = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        element = Element(name, attributes, parser.CurrentLineNumber)
        (open_elements[-1].children if open_elements else roots).append(element)
        open_elements.append(element)
        if len(open_elements) > DEEPEST_ELEMENT:
            raise ParseError(f"elements at most {DEEPEST_ELEMENT} deep", **element.where)
        if count > MAX_ELEMENTS:
            raise ParseError(f"at most {MAX_ELEMENTS} elements", **element.where)

    def end(_name: str) -> None:
        open_elements.pop()

    def write(part: str) -> None:
        open_elements[-1].text.append(part)

    def refuse(*_details: Any) -> NoReturn:
        raise ParseError(f"{what} without entities of its own", line=parser.CurrentLineNumber)

    def begin_doctype(_name: str, _system_id: str | None, _public_id: str | None, has_declarations: int) -> None:
        if has_declarations:
            raise ParseError(f"{what} without a document type of its own", line=parser.CurrentLineNumber)

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, write
    parser.StartDoctypeDeclHandler = begin_doctype
    parser.EntityDeclHandler = parser.SkippedEntityHandler = parser.ExternalEntityRefHandler = refuse
    try:
        # The text is Unicode already, whatever encoding its first line names.
        parser.Parse(text.removeprefix("\ufeff").encode("utf-8"), True)
    except expat.ExpatError as error:
        message = expat.ErrorString(error.code)
        raise ParseError(f"{what} as XML ({message})", line=error.lineno, column=error.offset + 1) from None
    except UnicodeEncodeError:
        raise ParseError(f"{what} as XML in UTF-8") from None
    return roots[0]
