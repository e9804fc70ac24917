"""What the names in a file of a level editor mean: by the project's mapping, and by our own words.

Readers ask a `Names` about every class, property, tile, value and layer. It never stops at the first name it does not
know: names that may decide a verdict are collected and refused all at once, with the command that writes a mapping;
others are left out, and one remark for each kind of name says which.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.dungeon.notation.editor.ground_names import GroundNames
from solvent.dungeon.notation.editor.inventory import ClassSeen, LayerSeen, Seen, sample_of
from solvent.dungeon.notation.editor.objects import clean_name, find_class, plain_word
from solvent.dungeon.notation.editor.raw import Decided, RawObject, given_properties, is_about_ground, terrain_word
from solvent.dungeon.notation.editor.vocabulary import (
    BOOKKEEPING,
    LENIENT,
    PROPERTIES,
    decides,
    is_like_a_class,
    understood,
)
from solvent.dungeon.notation.mapping.model import IGNORE, NO_MAPPING, ClassMeaning, NameMapping, PropertyMeaning
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS

_COVERING = (*TERRAIN_WORDS, "goal", "switch", "oneway", "room", "lock", "cracked", "gate", "barrier", "soft", "door")
"""What covers tiles, so that the outline of an object matters."""
_OUTLINES = ("polygon", "polyline")


class Names(GroundNames):
    """Decide what names mean, and keep account of them."""

    def __init__(self, mapping: NameMapping = NO_MAPPING, path: Path | None = None) -> None:
        super().__init__(mapping)
        self.path = path
        """The file that was asked for, for messages."""
        self.file = path
        """The file that is read just now."""
        self.left_out: set[str] = set()
        """The ids of objects that were left out; links to them lead nowhere."""

    @contextlib.contextmanager
    def reading(self, path: Path) -> Iterator[None]:
        """Read one of several files meanwhile; ids of objects that it leaves out are its own."""
        whole, left_out = self.path, self.left_out
        self.file, self.left_out = path, set()
        try:
            yield
        finally:
            self.file, self.left_out = whole, left_out

    # Objects

    def object(self, raw: RawObject) -> Decided | None:
        """Return what an object is; None for one that is left out, which is kept account of."""
        layer = self.mapping.layers.get(raw.layer)
        if raw.kind:
            account = self.seen.classes.setdefault(raw.kind, ClassSeen())
            self.seen.layers.setdefault(raw.layer, LayerSeen(kind="objects")).has_classes = True
        else:
            account = self.seen.nameless.setdefault((raw.layer, raw.name), ClassSeen())
        account.note(raw.name or None)
        if layer == IGNORE:
            account.meaning = account.meaning or IGNORE
            return None
        meanings = self._meanings_of(raw)
        kind = next((meaning.is_ for meaning in meanings if meaning.is_ is not None), None)
        if kind is None and raw.kind:
            kind = find_class(raw.kind) or terrain_word(raw.kind)
        if kind is None and raw.tile is not None and raw.tile.tile_set in self.mapping.tiles:
            kind = self.mapping.tiles[raw.tile.tile_set].ids.get(raw.tile.id)
        if kind is None:
            kind = layer
        shown = None if kind is not None or raw.tile is None else self.shown_terrain(raw.tile)
        if shown is not None and not raw.kind:
            account.count -= 1
            if not account.count:
                del self.seen.nameless[raw.layer, raw.name]
            return self.object_of_tile(raw, shown)
        if kind is None:
            account.must_be_decided = account.must_be_decided or shown is not None
            self._unknown(raw, account)
            return None
        account.meaning = kind
        if kind == IGNORE:
            return None
        called = f"{raw.kind or 'object'} {raw.name!r}" if raw.name else raw.kind or "object"
        if raw.shape in _OUTLINES and kind in _COVERING:
            self.seen.outlines.append(called)
        if raw.is_hidden:
            self.seen.hidden_objects[called] += 1
        name, properties = self._properties(raw, kind, meanings, account)
        self.seen.has_start = self.seen.has_start or kind == "start"
        self.seen.has_goal = self.seen.has_goal or kind == "goal"
        return Decided(kind, name, properties)

    def object_of_tile(self, raw: RawObject, kind: str) -> Decided:
        """Return what a tile is that stands for an object of this class of ours."""
        if raw.kind:
            account = self.seen.classes.setdefault(raw.kind, ClassSeen())
        else:
            account = self.seen.nameless.setdefault((raw.layer, "tiles"), ClassSeen())
        account.note()
        account.meaning = kind
        raw = replace(raw, properties={n: v for n, v in raw.properties.items() if not is_about_ground(n)})
        mapped = self.class_meaning(raw.kind)
        name, properties = self._properties(raw, kind, [] if mapped is None else [mapped], account)
        self.seen.has_start = self.seen.has_start or kind == "start"
        self.seen.has_goal = self.seen.has_goal or kind == "goal"
        return Decided(kind, name, properties)

    def _meanings_of(self, raw: RawObject) -> list[ClassMeaning]:
        given = {plain_word(name): value for name, value in raw.properties.items()}
        found = [
            rule.meaning
            for rule in self.mapping.objects
            if rule.kind in (None, raw.kind)
            and rule.name in (None, raw.name)
            and rule.layer in (None, raw.layer)
            and rule.level in (None, raw.level)
            and self.is_this_file(rule.file)
            and all(name in given and sample_of(given[name]) == sample_of(v) for name, v in rule.where.items())
        ]
        by_name = self.mapping.names.get(raw.name) if raw.name else None
        by_class = self.class_meaning(raw.kind)
        return [*found, *(meaning for meaning in (by_name, by_class) if meaning is not None)]

    def is_this_file(self, name: str | None) -> bool:
        """Tell whether a pattern of file names is about the file that is read."""
        return name is None or any(path is not None and path.match(name) for path in (self.file, self.path))

    def _unknown(self, raw: RawObject, account: ClassSeen) -> None:
        """Keep account of an object whose class we do not know."""
        matters = decides(raw.kind or raw.name) or is_like_a_class(raw.kind or raw.name)
        matters = matters or (not raw.kind and decides(raw.layer))
        for name, value in given_properties(raw.properties).items():
            seen = account.properties.setdefault(name, Seen())
            seen.note(value)
            matters = matters or decides(name)
        account.must_be_decided = account.must_be_decided or matters

    def _properties(
        self, raw: RawObject, kind: str, meanings: Sequence[ClassMeaning], account: ClassSeen
    ) -> tuple[str, dict[str, Any]]:
        called = clean_name(raw.name)
        found: dict[str, Any] = {}
        theirs: dict[str, str] = {}
        for name, value in given_properties(raw.properties).items():
            seen = account.properties.setdefault(name, Seen())
            seen.note(value)
            word, value = self._property(kind, name, value, meanings)
            seen.meaning = word if word is not None else seen.meaning
            if word == IGNORE:
                continue
            if word is None:
                is_lenient = kind in LENIENT or kind in TERRAIN_WORDS
                seen.must_be_decided = seen.must_be_decided or not is_lenient or decides(name)
                continue
            if word in found and found[word] != value:
                both = f"{theirs[word]} and {name}"
                raise ParseError(f"one {word} ({raw.kind}), but {both} differ", sample_of(value), **raw.where)
            found[word], theirs[word] = value, name
        given = found.pop("name", None)
        if given is not None and (isinstance(given, bool) or not isinstance(given, str | int)):
            raise ParseError(f"name: a text ({raw.kind})", sample_of(given), **raw.where)
        if given is not None and (not called or kind == "item"):
            called = clean_name(str(given))
        return called, found

    def _property(self, kind: str, name: str, value: Any, meanings: Iterable[ClassMeaning]) -> tuple[str | None, Any]:
        """Return which of our properties a property is, and the value it then has."""
        plain = plain_word(name)
        for meaning in (*(each.properties for each in meanings), self.mapping.properties):
            if plain not in meaning:
                continue
            mapped = meaning[plain]
            if mapped.is_ in (IGNORE, "name") or mapped.is_ in PROPERTIES.get(kind, ()):
                return mapped.is_, _translated(value, mapped)
            if meaning is not self.mapping.properties:
                known = ", ".join(("name", *PROPERTIES.get(kind, ())))
                raise ParseError(
                    f"a property that a {kind} has for {name}: {known}", mapped.is_, source=self.mapping.source or None
                )
        return IGNORE if plain in BOOKKEEPING else understood(kind, plain), value

    def command(self) -> str:
        """Return what to type to get a mapping."""
        import shlex

        return f"solvent mapping {shlex.quote(str(self.path)) if self.path is not None else 'FILE'}"

    # Layers

    def layer(self, name: str, kind: str, *, is_hidden: bool = False, own: str | None = None) -> str | None:
        """Return what the mapping, or else the file, says of a layer: terrain, a class, IGNORE or None."""
        seen = self.seen.layers.setdefault(name, LayerSeen(kind=kind))
        seen.note()
        seen.is_hidden = seen.is_hidden or is_hidden
        seen.meaning = self.mapping.layers.get(name) or own or seen.meaning
        return self.mapping.layers.get(name) or own

    def layer_properties(self, properties: Mapping[str, Any], known: Iterable[str]) -> None:
        """Keep account of properties of layers beside those that are known, by plain word."""
        for name, value in given_properties(properties).items():
            if plain_word(name) not in known:
                self.seen.layer_properties.setdefault(name, Seen()).note(value)

    def settings(self, properties: Mapping[str, Any], known: Iterable[str]) -> None:
        """Keep account of properties of a map or level beside those that are known, by plain word."""
        for name, value in given_properties(properties).items():
            if plain_word(name) not in known:
                self.seen.settings.setdefault(name, Seen()).note(value)


def read_mapped(mapping: NameMapping | None, path: Path | None) -> Names:
    """Return the names for reading a file: by a mapping that is given, or by the one that lies beside the file."""
    from solvent.dungeon.notation.mapping.finding import mapping_for

    return Names(mapping_for(path) if mapping is None else mapping, path)


def _translated(value: Any, meaning: PropertyMeaning) -> Any:
    if isinstance(value, list):
        return [_translated(one, meaning) for one in value]
    return meaning.values.get(sample_of(value), value)
