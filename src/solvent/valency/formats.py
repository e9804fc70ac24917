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


def sniff(text: str) -> bool:
    """Tell whether the text looks like a task in JSON, or a rule set, which `parse_json` refuses with advice."""
    return is_task(text) or is_rule_set_xml(text)


def is_task(text: str) -> bool:
    """Tell whether a text is an object with the key "valency", even if it is broken further on."""
    if re.match(r'[\ufeff\s]*\{\s*"valency"\s*:', text):
        return True
    if not is_object(text) or '"valency"' not in text:
        return False
    depth = 0
    for number, token in enumerate(re.finditer(r'"(?:[^"\\]|\\.)*"\s*:?|[{}\[\]]', text)):
        word = token[0]
        if word in "{[":
            depth += 1
        elif word in "}]":
            depth -= 1
        elif depth == 1 and word.startswith('"valency"') and word.endswith(":"):
            return True
        if number > MAX_TOKENS_SNIFFED:
            return False
    return False


def is_object(text: str) -> bool:
    """Tell whether a text begins like a JSON object."""
    return text[:1000].lstrip("\ufeff \t\r\n").startswith("{")


def is_rule_set_xml(text: str) -> bool:
    """Tell whether a text is an XML rule set: tiles, and which of them may be neighbours."""
    start = text[:4000]
    if "<set" not in start:
        return False
    opening = r"[\ufeff\s]*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<set[\s>]"
    return re.match(opening, start, re.DOTALL) is not None and "<tile" in text


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
