"""Read requirements, sign by sign."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.model import Cleared, Have, Not, Requirement, SwitchAt
from solvent.dungeon.notation.requirements.form import ALWAYS, MAX_DEPTH, MAX_PARTS, NEVER, all_of, any_of, depth_of
from solvent.dungeon.notation.ruling import MAX_OF_ANYTHING, is_name

MAX_LETTERS = 50_000

_QUOTED = r'"[^"\n]*"'
_SIGN = r"[><=!]=|=[><]|&&|\|\||[><=!|&()≥≤≠¬∧∨]"
_WORD = r"(?:[^\W_]|[-'])+"
_NEXT = rf"\s*(?:(?P<quoted>{_QUOTED})|(?P<sign>{_SIGN})|(?P<word>{_WORD}))"
_SIGNS = {
    **dict.fromkeys(("and", "AND", "&&", "∧"), "&"),
    **dict.fromkeys(("or", "OR", "||", "∨"), "|"),
    **dict.fromkeys(("not", "NOT", "¬"), "!"),
    "==": "=",
    "=>": ">=",
    "=<": "<=",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
}
"""Other ways to write the signs."""
_COMPARISONS = (">=", ">", "<=", "<", "=", "!=")
_EXPECTED = "a requirement, such as bow | bombs >= 2 & lamp"


class _Token(Struct, frozen=True):
    """Hold a name or a sign, and where it begins."""

    kind: str
    """`word`, `quoted`, `sign` or `end`."""
    text: str
    at: int


def parse_requirement(text: str, *, line: int | None = None, column: int = 1) -> Requirement:
    """Read a requirement; `line` and `column` are where it begins, for messages."""
    reader = _Reader(text, line, column)
    rule = reader.rule()
    token = reader.peek()
    if token.kind != "end":
        raise reader.error("& or | before what follows, or the end", token.at)
    return rule


def read_requirement(text: str, *, line: int | None = None, column: int = 1) -> tuple[Requirement, int]:
    """Read a requirement that something in parentheses may follow, and return where it ends."""
    reader = _Reader(text, line, column)
    rule = reader.rule()
    token = reader.peek()
    if token.kind != "end" and token.text != "(":
        raise reader.error("& or | before what follows, or the end", token.at)
    return rule, token.at


class _Reader:
    """Read one token after the other; never further than one ahead."""

    def __init__(self, text: str, line: int | None, column: int) -> None:
        self.text, self.line, self.column = text, line, column
        self.at = 0
        self.depth = self.parts = 0
        self.ahead: _Token | None = None
        if len(text) > MAX_LETTERS:
            raise self.error(f"a requirement of at most {MAX_LETTERS:,} letters", 0)

    def error(self, expected: str, at: int) -> ParseError:
        if at >= len(self.text):
            return ParseError(f"{expected}, but the text ends", line=self.line, column=self.column + at)
        return ParseError(expected, self.text[at:], line=self.line, column=self.column + at)

    def peek(self) -> _Token:
        """Return the next token without passing it."""
        if self.ahead is None:
            found = re.compile(_NEXT).match(self.text, self.at)
            rest = len(self.text) - len(self.text[self.at :].lstrip())
            if found is not None and found.lastgroup is not None:
                text = found[found.lastgroup]
                kind = "sign" if text in _SIGNS else found.lastgroup
                self.ahead = _Token(kind, _SIGNS.get(text, text), found.start(found.lastgroup))
                self.at = found.end()
            elif rest == len(self.text):
                self.ahead = _Token("end", "", rest)
            elif self.text[rest] == '"':
                raise self.error("a closing quote", rest)
            else:
                raise self.error(_EXPECTED, rest)
        return self.ahead

    def next(self) -> _Token:
        """Return the next token and pass it."""
        token = self.peek()
        self.ahead = None
        return token

    def passes(self, *signs: str) -> bool:
        """Pass a sign if it is next."""
        is_next = self.peek().kind == "sign" and self.peek().text in signs
        if is_next:
            self.next()
        return is_next

    def rule(self) -> Requirement:
        rule = self._any()
        if depth_of(rule) > MAX_DEPTH:
            raise self.error(f"a requirement nested at most {MAX_DEPTH} deep", 0)
        return rule

    def _any(self) -> Requirement:
        parts = [self._all()]
        while self.passes("|"):
            parts.append(self._all())
        return any_of(*parts)

    def _all(self) -> Requirement:
        parts = [self._one()]
        while self.passes("&"):
            parts.append(self._one())
        return all_of(*parts)

    def _one(self) -> Requirement:
        token = self.peek()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"a requirement nested at most {MAX_DEPTH} deep", token.at)
        if self.passes("!"):
            rule: Requirement = Not(self._one())
        elif self.passes("("):
            rule = self._any()
            if not self.passes(")"):
                raise self.error("a closing parenthesis", self.peek().at)
        else:
            rule = self._atom()
        self.depth -= 1
        return rule

    def _atom(self) -> Requirement:
        first = self.peek()
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise self.error(f"a requirement for at most {MAX_PARTS} things", first.at)
        words = self._words()
        if not words:
            raise self.error(_EXPECTED, first.at)
        plain = [token.text if token.kind == "word" else "" for token in words]
        if plain in (["always"], ["never"]):
            return ALWAYS if plain == ["always"] else NEVER
        if plain[0] == "switch" and len(words) > 1:
            return self._switch(words)
        if plain[0] == "cleared" and len(words) > 1:
            return Cleared(self._name(words[1:], "the name of a room"))
        if _is_number(plain[0]) and len(words) > 1:
            have = self._noun(words[2 if plain[1] == "of" and len(words) > 2 else 1 :])
            if self.peek().text in _COMPARISONS and self.peek().kind == "sign":
                raise self.error("a number before the name or after it, not both", self.peek().at)
            return self._compared(have, ">=", words[0])
        have = self._noun(words)
        sign = self.peek()
        if sign.kind != "sign" or sign.text not in _COMPARISONS:
            return have(1)
        self.next()
        return self._compared(have, sign.text, self.next())

    def _words(self) -> list[_Token]:
        """Return the words up to the next sign; `is` is one only after a switch."""
        words: list[_Token] = []
        while self.peek().kind in ("word", "quoted"):
            is_switch = len(words) > 1 and words[0] == _Token("word", "switch", words[0].at)
            if is_switch and self.peek() == _Token("word", "is", self.peek().at):
                break
            words.append(self.next())
        return words

    def _switch(self, words: list[_Token]) -> Requirement:
        name = self._name(words[1:], "the name of a switch")
        token = self.peek()
        turned = False
        if token.kind == "word":  # only `is` ends the words
            self.next()
            turned = self.passes("!")
        elif token.kind == "sign" and token.text in ("=", "!="):
            self.next()
            turned = token.text == "!="
        else:
            return SwitchAt(name)
        begins = self.peek().at
        states: list[_Token] = []
        while self.peek().kind in ("word", "quoted"):
            states.append(self.next())
        if not states:
            raise self.error(f"a state of the switch {name}", begins)
        rule = SwitchAt(name, self._name(states, "a state of the switch"))
        return Not(rule) if turned else rule

    def _noun(self, words: list[_Token]) -> Callable[[int], Have]:
        last, first = words[-1], words[0]
        if first == _Token("word", "item", first.at) and len(words) > 1:
            item = self._name(words[1:], "the name of an item")
            return lambda count: Have("item", item, count)
        if last.kind == "word" and last.text in ("key", "keys"):
            colour = self._name(words[:-1], "the colour of a key") if len(words) > 1 else ""
            return lambda count: Have("key", colour, count)
        if len(words) == 1 and last.kind == "word" and last.text in ("bomb", "bombs"):
            return lambda count: Have("bombs", "", count)
        name = self._name(words, "the name of an item")
        return lambda count: Have("item", name, count)

    def _name(self, words: list[_Token], what: str) -> str:
        if len(words) > 1 and any(token.kind == "quoted" for token in words):
            raise self.error(f"{what}, in quotes as a whole or without any", words[0].at)
        name = " ".join(token.text.strip('"') if token.kind == "quoted" else token.text for token in words)
        if not is_name(name):
            raise self.error(f"{what}, up to 60 letters, digits, spaces, - and '", words[0].at)
        return name

    def _compared(self, have: Callable[[int], Have], sign: str, token: _Token) -> Requirement:
        number = int(token.text[:9]) if token.kind == "word" and _is_number(token.text) else -1
        highest = MAX_OF_ANYTHING - (sign not in (">=", "<"))
        if not 0 <= number <= highest:
            raise self.error(f"a number from 0 to {highest}", token.at)
        least: Requirement = have(number) if number else ALWAYS
        more = have(number + 1)
        match sign:
            case ">=":
                return least
            case ">":
                return more
            case "<":
                return Not(least) if number else NEVER
            case "<=":
                return Not(more)
            case "=":
                return all_of(least, Not(more))
        return any_of(Not(least), more) if number else more


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
