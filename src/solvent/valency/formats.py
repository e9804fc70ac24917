"""The formats of Valency tasks: how they are recognised, and where they are read and written.

This module imports almost nothing, since it looks at the files of every domain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from solvent.formats.table import Format, FormatTable

if TYPE_CHECKING:
    from solvent.valency.model import Staging

MAX_TOKENS_SNIFFED = 50_000
FILL_FORMAT = "solvent valency fill"
"""What the key `format` says in JSON that holds a fill, which is an answer and no task."""


def sniff(text: str) -> bool:
    """Tell whether the text looks like a task in JSON, or like what `parse_json` makes a task of.

    A Tiled map does not: it may be a level of a game, and has to be called a sample or rules.
    """
    return (
        is_task(text)
        or is_rule_set_xml(text)
        or is_terrain_set(text)
        or is_sample_list(text)
        or is_godot_tileset(text)
        or is_configuration(text)
    )


def is_task(text: str) -> bool:
    """Tell whether a text is an object with the key "valency", or a rule set's, even if it is broken further on."""
    if re.match(r'[\ufeff\s]*\{\s*"valency"\s*:', text):
        return True
    return has_key(text, "valency") or is_rule_set_json(text)


def is_rule_set_json(text: str) -> bool:
    """Tell whether a text is an object with modules and no task around them."""
    return has_key(text, "modules") and not has_key(text, "valency")


def has_key(text: str, key: str) -> bool:
    """Tell whether a text begins like an object that has this key, even if it is broken further on."""
    quoted = f'"{key}"'
    if not is_object(text) or quoted not in text:
        return False
    depth = 0
    for number, token in enumerate(re.finditer(r'"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]', text)):
        word = token[0]
        if word in "{[":
            depth += 1
        elif word in "}]":
            depth -= 1
        elif depth == 1 and word.startswith(quoted) and word.endswith(":"):
            return True
        if number > MAX_TOKENS_SNIFFED:
            return False
    return False


def is_object(text: str) -> bool:
    """Tell whether a text begins like a JSON object."""
    return text[:1000].lstrip("\ufeff \t\r\n").startswith("{")


def is_fill(text: str) -> bool:
    """Tell whether a text is JSON that holds a fill, as it is written."""
    return re.match(rf'[\ufeff\s]*\{{\s*"format"\s*:\s*"{FILL_FORMAT}"', text) is not None


def is_rule_set_xml(text: str) -> bool:
    """Tell whether a text is an XML rule set: tiles, and which of them may be neighbours."""
    start = text[:4000]
    if "<set" not in start:
        return False
    opening = r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<set[\s>]"
    return re.match(opening, start, re.DOTALL) is not None and "<tile" in text


def is_sample_list(text: str) -> bool:
    """Tell whether a text is a list of samples for wave function collapse."""
    opening = r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<samples[\s>]"
    if re.match(opening, text[:4000], re.DOTALL) is None:
        return False
    return "<overlapping" in text or "<simpletiled" in text


def is_configuration(text: str) -> bool:
    """Tell whether a text is a configuration of DeBroglie."""
    if not is_object(text) or '"src"' not in text:
        return False
    return has_key(text, "src") and any(has_key(text, key) for key in ("dest", "model", "adjacencies"))


def is_godot_tileset(text: str) -> bool:
    """Tell whether a text is a tileset of Godot 4."""
    return re.match(r'[\ufeff\s]*\[gd_resource\s[^\]]*type="TileSet"', text[:1000]) is not None


def is_tiled_map(text: str) -> bool:
    """Tell whether a text is a map of Tiled, in XML or JSON."""
    if is_object(text):
        return '"tilewidth"' in text and has_key(text, "layers") and has_key(text, "tilewidth")
    opening = r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<!--.*?-->\s*)*<map[\s>]"
    return re.match(opening, text[:4000], re.DOTALL) is not None


def is_terrain_set(text: str) -> bool:
    """Tell whether a text is a tileset of Tiled, in XML or JSON, with terrain: rules for neighbours."""
    if is_object(text):
        return '"wangsets"' in text and has_key(text, "wangsets") and not has_key(text, "layers")
    opening = r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<!--.*?-->\s*)*<tileset[\s>]"
    return "<wangset" in text and re.match(opening, text[:4000], re.DOTALL) is not None


FORMATS: FormatTable[Staging] = FormatTable(
    "solvent.valency.notation",
    (
        Format(
            "json",
            "rules, cluster, picks and constraints in one JSON object",
            sniff,
            parse="task_json.reading:parse_json",
            format="task_json.writing:format_json",
            needs_path=True,
        ),
    ),
    otherwise="json",
    keeps_source=True,
)
