"""Find attributes of nodes that were meant for a task and are not read: names that are spelt otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import listed
from solvent.valency.notation.graphs.reading import Attributes, WrittenGraph

USUAL = Attributes()
MAX_NAMES = 6
"""How many names of attributes a remark lists."""


def unread_attributes(written: WrittenGraph, attributes: Attributes) -> Iterator[str]:
    """Yield a remark for each attribute that is asked for and missing, or there under almost the same name."""
    there: dict[str, object] = {}
    for given in written.attributes:
        there |= {name: value for name, value in given.items() if name not in there and value not in (None, "")}
    weighed = [name for name in there if name.startswith(f"{attributes.weight}:") or name == f"{attributes.weight}s"]
    for kind in ("pick", "priority", "region", "seed"):
        wanted = getattr(attributes, kind)
        if wanted not in there:
            yield from _remarks(kind, wanted, [name for name in there if _is_like(name, wanted)], list(there))
    if not weighed:
        near = [name for name in there if _is_like(name.split(":")[0], attributes.weight)]
        for name in near:
            yield f"The attribute {name!r} of nodes is not read; weights are in '{attributes.weight}:' and a module."
        if not near:
            yield from _remarks("weight", attributes.weight, [], list(there))


def _remarks(kind: str, wanted: str, near: list[str], there: list[str]) -> Iterator[str]:
    for name in near:
        yield f"The attribute {name!r} of nodes is not read; was {wanted!r} meant?"
    if not near and wanted != getattr(USUAL, kind):
        known = f"they have {listed([repr(name) for name in there], MAX_NAMES)}" if there else "they have none"
        yield f"No node has the attribute {wanted!r} that `{kind}_attribute` names; {known}."


def _is_like(name: str, wanted: str) -> bool:
    """Tell whether a name is another but for capitals, a plural and what joins words."""
    plain, other = (
        "".join(letter for letter in one.lower() if letter.isalnum()).removesuffix("s") for one in (name, wanted)
    )
    return plain == other
