"""The labels of nodes and edges in the Video Game Level Corpus, and how they are read.

A label is a list of letters with commas. The corpus has its quirks: labels that run over a line's end, commas left out
(`ep`) or doubled, numbers left behind by an editor, and the letter `O`, which its legend does not have.

Graphs of your own may say more than letters can: a way `needs: bow | bombs >= 2 & lamp`, as its label or as the
attribute `needs`; a room that `has` things in the words of our text format, such as `item bow + key red x2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.model import Have, Requirement, SwitchAt
from solvent.dungeon.notation.requirements import format_requirement, map_atoms, parse_requirement
from solvent.dungeon.notation.requirements.form import Atom

NODE_LABELS = {
    "s": "start",
    "t": "triforce",
    "b": "boss",
    "m": "mini-boss",
    "e": "enemy",
    "p": "puzzle",
    "k": "key",
    "K": "boss key",
    "I": "key item",
    "i": "minor item",
}
"""What each letter says of a room. Beside these, `S` with or without a number is a switch."""
EDGE_LABELS = {
    "l": "soft lock",
    "b": "bombable",
    "k": "locked",
    "K": "locked, boss key",
    "I": "needs a key item",
    "s": "visible but impassable",
}
"""What each letter says of a way. Beside these, `S` with or without a number needs a switch."""
UNEXPLAINED = "O"
"""A letter that stands beside switches on a few edges of the corpus; no legend says what it means."""

NEEDS = "needs: "
"""What the label begins with of a way that a requirement bars."""

_ON_EDGES = {**EDGE_LABELS, UNEXPLAINED: ""}
Labels = tuple[str, ...]

_SEPARATORS = re.compile(r"(?:[\s,;/|&+]|\\[nlrNGETHL])+")
_SWITCH = re.compile(r"S[0-9]*")
_NUMBER = re.compile(r"[0-9]+")
_LINE_END = re.compile(r"\\[nlr]")
_MAX_RUN = 4
"""How many labels may stand together without a comma; more look like a word."""
_MAX_SHOWN = 8


def is_switch(label: str) -> bool:
    """Tell whether a label names a switch, such as `S1`."""
    return _SWITCH.fullmatch(label) is not None


def read_needs(text: str, name: str, line: int) -> Requirement:
    """Read a requirement; switches of the corpus (S1) stay on once they are found, as items are held."""
    try:
        rule = parse_requirement(_LINE_END.sub(" ", text).strip())
    except ParseError as error:
        found = [] if error.value is None else [error.value]
        raise ParseError(f"{error.expected} (what {name} needs, at letter {error.column})", *found, line=line) from None
    return map_atoms(rule, _as_item)


def _as_item(atom: Atom) -> Requirement:
    if isinstance(atom, SwitchAt) and is_switch(atom.switch) and atom.state == "on":
        return Have("item", atom.switch)
    return atom


def is_made_of_labels(text: str, of_room: bool) -> bool:
    """Tell whether a text holds labels of a room, or of a way, and nothing else."""
    words = [word for word in _SEPARATORS.split(text) if word]
    known = NODE_LABELS if of_room else _ON_EDGES
    return bool(words) and all(word in known or is_switch(word) for word in words)


class LabelReader(Struct):
    """Read labels one after the other, and gather what was odd about them and what could not be read."""

    numbers: list[str] = field(default_factory=list)
    runs: dict[str, None] = field(default_factory=dict)
    cases: dict[str, None] = field(default_factory=dict)
    _unknown: list[tuple[str, str, int]] = field(default_factory=list)
    """Labels that mean nothing, as what they should be, what they are, and the line."""

    def read_node(self, name: str, text: str, line: int) -> Labels:
        """Return the labels of a room."""
        return tuple(self._labels(text, NODE_LABELS, f"room {name}", line))

    def read_edge(self, name: str, text: str, line: int) -> Labels:
        """Return the labels of a way, sorted; the same lock twice is refused. A requirement is one label."""
        begins = re.match(r"\s*needs\b:?", text)
        if begins is not None:
            return (NEEDS + format_requirement(read_needs(text[begins.end() :], name, line)),)
        labels = sorted(self._labels(text, _ON_EDGES, name, line))
        if len(set(labels)) < len(labels):
            raise ParseError("each lock of a way once: two in a row need a room between them", text.strip(), line=line)
        return tuple(labels)

    def require_known(self) -> None:
        """Raise ParseError if there were labels that mean nothing; it lists all of them."""
        if not self._unknown:
            return
        what, _, line = self._unknown[0]
        words = [word for _, word, _ in self._unknown]
        shown = ", ".join(dict.fromkeys(words[:_MAX_SHOWN])) + (", …" if len(words) > _MAX_SHOWN else "")
        raise ParseError(what, shown, line=line)

    def remarks(self) -> Iterator[str]:
        """Say how odd labels were read."""
        from solvent.drawing.phrases import listed

        for beginning, found in (
            ("numbers among the labels of rooms mean nothing here", self.numbers),
            ("labels without commas were taken apart", self.runs),
            ("labels that the corpus has in the other case were read as its own", self.cases),
        ):
            if found:
                yield f"{beginning}: {listed(list(found), most=_MAX_SHOWN)}"

    def _labels(self, text: str, known: Mapping[str, str], where: str, line: int) -> Iterator[str]:
        of_room = known is NODE_LABELS
        for word in _SEPARATORS.split(text):
            if not word:
                continue
            if word in known or is_switch(word):
                yield word
            elif of_room and _NUMBER.fullmatch(word):
                self.numbers.append(f"{word} ({where})")
            elif (other := _other_case(word, known)) is not None:
                self.cases[f"{word} as {other} ({where})"] = None
                yield other
            elif apart := _taken_apart(word, known):
                self.runs[f"{word} as {','.join(apart)} ({where})"] = None
                yield from apart
            else:
                listed = ", ".join(f"{letter} ({meaning})" for letter, meaning in known.items() if meaning)
                kind = "a room" if of_room else "a way"
                self._unknown.append((f"labels of {kind}: {listed}, S1 (switch)", word, line))


def _other_case(word: str, known: Mapping[str, str]) -> str | None:
    """Return what a word is in the other case: `E` is e, `s1` is S1. None if that is nothing either."""
    other = word.swapcase()
    return other if other in known or (len(word) > 1 and is_switch(other)) else None


def _taken_apart(word: str, known: Mapping[str, str]) -> list[str]:
    """Return the labels that a word is made of, or nothing; start and goal always stand alone."""
    letters = "".join(letter for letter in known if letter not in "st")
    pattern = f"S[0-9]+|[{letters}]"
    parts = re.findall(pattern, word[:100])
    whole = "".join(parts) == word and 1 < len(parts) <= _MAX_RUN
    return parts if whole and len(set(parts)) == len(parts) else []
