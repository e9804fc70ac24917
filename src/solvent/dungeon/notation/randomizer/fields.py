"""The fields of objects: under which names they may stand, and what becomes of those that are not understood.

A field whose name says that it may decide what can be reached is an error. Fields that only describe are passed over,
and all others are named in a remark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from solvent.core.errors import ParseError
from solvent.formats.typed_json import shape_error

Shape = TypeVar("Shape", bound=msgspec.Struct)

DESCRIBING = frozenset(
    (
        *("$schema", "address", "advancement", "area", "category", "categories", "classification", "code"),
        *("color", "colour", "comment", "comments", "description", "dungeon", "example", "flags", "game"),
        *("generator", "hint", "hint_text", "icon", "id", "image", "note", "notes", "priority"),
        *("progress_type", "randomization_group", "randomization_type", "scene", "seed", "tags", "trap"),
        *("type", "useful", "x", "y"),
    )
)
"""Fields that say nothing about what can be reached."""
DECIDING = (
    *("access", "block", "condition", "connect", "consume", "cost", "count", "door", "enter", "entrance", "event"),
    *("exit", "forbid", "gate", "goal", "inventor", "item", "lock", "logic", "location", "need", "oneway", "place"),
    *("player", "prereq", "price", "reach", "region", "requir", "rule", "spend", "start", "target", "trick", "unless"),
    *("until", "win"),
)
"""What words begin with that may decide something."""
DECIDING_WORDS = frozenset(("and", "has", "if", "key", "keys", "not", "one", "or", "state", "way", "when"))
"""Other words that may."""


class FieldAccount:
    """Read objects by their fields, and keep account of those that were left out."""

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()
        self.players: dict[str, str] = {}
        """Every player that the file names, and where."""

    def read(
        self, value: Any, shape: type[Shape], path: str, what: str, aliases: Mapping[str, str] | None = None
    ) -> Shape:
        """Read an object into a shape; `aliases` maps other names of fields to those of the shape."""
        if not isinstance(value, dict):
            raise ParseError(f"an object ({what})", value, path=path)
        known = shape.__struct_encode_fields__
        found: dict[str, Any] = {}
        spelt: dict[str, str] = {}
        for key, part in value.items():
            name = key if key in known else (aliases or {}).get(key, "")
            if name:
                if name in spelt:
                    raise ParseError(f"either {spelt[name]!r} or {key!r}, which mean the same", path=path)
                spelt[name] = key
                found[name] = part
            else:
                self._leave_out(key, path, what, known)
        if found.get("player") is not None:
            self.note_player(found["player"], f"{path}.{spelt['player']}")
        try:
            return msgspec.convert(found, shape)
        except msgspec.ValidationError as error:
            raise _respelt(shape_error(error, what, found, path), path, spelt) from None

    def note_player(self, player: Any, path: str) -> None:
        """Remember a player, and require that there is no other: a file is about one."""
        self.players.setdefault(str(player), path)
        if len(self.players) > 1:
            raise ParseError(
                f"one player alone ({next(iter(self.players))}): seeds of several are not understood", player, path=path
            )

    def _leave_out(self, key: str, path: str, what: str, known: Sequence[str]) -> None:
        if key.lower().strip(":") in DESCRIBING:
            return
        words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", key)]
        if any(word.startswith(DECIDING) or word in DECIDING_WORDS for word in words):
            understood = ", ".join(sorted(known))
            raise ParseError(f"only fields that are understood in {what} ({understood})", key, path=path)
        self.left_out[key] += 1

    def remarks(self) -> list[str]:
        """Name the fields that were left out."""
        if not self.left_out:
            return []
        return [f"fields that were left out: {', '.join(sorted(self.left_out))}"]


def _respelt(error: ParseError, path: str, spelt: Mapping[str, str]) -> ParseError:
    """Name the field as the file does."""
    tail = (error.path or "").removeprefix(path)
    for name, key in spelt.items():
        if tail == f".{name}" or tail.startswith((f".{name}.", f".{name}[")):
            error.path = f"{path}.{key}{tail.removeprefix(f'.{name}')}"
    return error
